//! How programs are started: no value becomes a flag.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::panic;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tourbillon_clock::Stopwatch;
use tourbillon_os::command::Guarded;
use tourbillon_os::{Signals, Waiting};

use crate::error_relay::ErrorRelay;

/// How often signals are looked for while a program runs.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program may run that was started after a signal: what is left to do then is short.
const LEFT: Duration = Duration::from_secs(2);

/// What is unwound with where a signal ended a program, and would have ended this one at another moment.
///
/// As an error it would be taken for the answer of the program: git that is killed knows no revision. On the way up
/// files are put back and locks are given back; the exit code is 130.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted;

/// While it lives, a signal is noted that would end this process at once: something is to be removed or put back first.
#[derive(Debug)]
pub struct Unwinding {
    before: Option<i32>,
    _waiting: Waiting,
}

impl Unwinding {
    /// From now on.
    #[must_use]
    pub fn begin() -> Unwinding {
        Unwinding {
            before: Signals::first(),
            _waiting: Signals::while_waiting(),
        }
    }

    /// Unwinds with [`Interrupted`] if a signal came since, and would have ended this process.
    pub fn check(&self) {
        if self.is_signalled() && Signals::ends_at_once() {
            panic::resume_unwind(Box::new(Interrupted));
        }
    }

    /// Whether a first signal came since.
    fn is_signalled(&self) -> bool {
        self.before.is_none() && Signals::first().is_some()
    }
}

/// A program and its words.
///
/// Words of this code are `&'static str`. A value that comes from elsewhere (a command line, a file, a record, a
/// repository) stands in one word with its flag, or among the operands, after a word that ends the flags.
///
/// Invariant: what a program is given is added here, and not through the [`Command`] inside. A test of the workspace
/// goes through all places that start programs.
#[derive(Debug)]
pub struct Invocation {
    command: Command,
}

/// A flag in one word with its value, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    start: &'static str,
    value: OsString,
}

impl Flag {
    /// A flag without a value.
    #[must_use]
    pub fn switch(flag: &'static str) -> Flag {
        let value = OsString::new();
        Flag { start: flag, value }
    }

    /// A flag and its value. `start` is all that comes before the value: `--package=`.
    pub fn new(start: &'static str, value: impl Into<OsString>) -> Flag {
        Flag {
            start,
            value: value.into(),
        }
    }

    /// The flag without the value.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.start.trim_end_matches('=')
    }

    /// Its value; empty without one.
    #[must_use]
    pub fn value(&self) -> &OsStr {
        &self.value
    }

    /// Whether it has a value, which may be empty.
    #[must_use]
    pub fn has_value(&self) -> bool {
        self.start.ends_with('=')
    }

    /// The whole word.
    #[must_use]
    pub fn word(&self) -> OsString {
        let mut word = OsString::from(self.start);
        word.push(&self.value);
        word
    }
}

/// A value that is no flag wherever it stands: letters, digits and `._+-`, a letter or a digit first.
///
/// For programs that take neither the value in one word with a flag nor a word that ends the flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainWord(String);

impl PlainWord {
    /// `None` for every other text.
    pub(crate) fn new(text: &str) -> Option<PlainWord> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        (begins && text.chars().all(is_plain)).then(|| PlainWord(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Invocation {
    /// A program by its name, which the system looks for, or by its path.
    pub fn new(program: impl AsRef<OsStr>) -> Invocation {
        Invocation {
            command: Command::new(program),
        }
    }

    /// A program that others run, such as an emulator: those words, then its path.
    pub fn through(runner: &[String], program: &Path) -> Invocation {
        let Some((first, rest)) = runner.split_first() else {
            return Invocation::new(program);
        };
        let mut invocation = Invocation::new(first);
        invocation.verbatim(rest).path(program);
        invocation
    }

    /// Adds words of this code.
    pub fn words(&mut self, words: &[&'static str]) -> &mut Invocation {
        self.command.args(words);
        self
    }

    /// Adds flags.
    pub fn flags<'f>(&mut self, flags: impl IntoIterator<Item = &'f Flag>) -> &mut Invocation {
        self.command.args(flags.into_iter().map(Flag::word));
        self
    }

    /// Adds a value that is no flag.
    pub(crate) fn plain(&mut self, word: &PlainWord) -> &mut Invocation {
        self.command.arg(&word.0);
        self
    }

    /// Adds a path; a relative one begins with `./`, so that it is neither a flag nor a response file.
    pub(crate) fn path(&mut self, path: &Path) -> &mut Invocation {
        if path.is_absolute() {
            self.command.arg(path)
        } else {
            self.command.arg(Path::new(".").join(path))
        };
        self
    }

    /// Ends the flags, by `--` or what the program has for that, and adds values.
    pub(crate) fn operands<V: AsRef<OsStr>>(
        &mut self,
        end: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Invocation {
        self.command.arg(end).args(values);
        self
    }

    /// Adds words that are meant for this program with all flags among them: those that the user typed for it, or
    /// those of the command that is repeated.
    pub fn verbatim<W: AsRef<OsStr>>(
        &mut self,
        words: impl IntoIterator<Item = W>,
    ) -> &mut Invocation {
        self.command.args(words);
        self
    }

    /// Runs the program to its end, with an input that is empty, and gives what it printed. A signal meanwhile ends it.
    ///
    /// # Errors
    ///
    /// That it cannot be started, or was interrupted.
    pub fn output(&mut self) -> io::Result<Output> {
        self.process().stdin(Stdio::null()).stderr(Stdio::piped());
        ended(&mut self.command, &[], Errors::Kept, || ())
    }

    /// The same of a program whose errors are shown, of which the end is kept; `printed` is called when it has printed
    /// something.
    pub(crate) fn stdout(&mut self, printed: impl FnOnce() + Send + 'static) -> io::Result<Output> {
        self.process().stdin(Stdio::null()).stderr(Stdio::piped());
        ended(&mut self.command, &[], Errors::Shown, printed)
    }

    /// The same with an input.
    pub(crate) fn output_of(&mut self, input: &[u8]) -> io::Result<Output> {
        self.process().stdin(Stdio::piped()).stderr(Stdio::piped());
        ended(&mut self.command, input, Errors::Kept, || ())
    }

    /// For everything but words: the folder, variables and streams.
    pub fn process(&mut self) -> &mut Command {
        &mut self.command
    }
}

/// What becomes of what a program says on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    Kept,
    Shown,
}

/// Runs a program to its end. A signal that arrives meanwhile is for it, too.
fn ended(
    process: &mut Command,
    input: &[u8],
    errors: Errors,
    printed: impl FnOnce() + Send + 'static,
) -> io::Result<Output> {
    let unwinding = Unwinding::begin();
    let mut guarded = Guarded::start(process.stdout(Stdio::piped()))?;
    let program = guarded.child();
    let (sender, ends) = mpsc::channel::<()>();
    let shown = program.stderr.take_if(|_| errors == Errors::Shown);
    let relay = ErrorRelay::of(shown);
    let stdout = read(program.stdout.take(), sender.clone(), printed);
    let stderr = read(program.stderr.take(), sender, || ());
    if let Some(mut pipe) = program.stdin.take() {
        // The program says why it does not read it.
        let _ = pipe.write_all(input);
    }
    let start = Stopwatch::start();
    let mut is_late = false;
    while ends.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        is_late = unwinding.before.is_some() && u128::from(start.elapsed_ns()) > LEFT.as_nanos();
        if unwinding.is_signalled() || is_late {
            guarded.ask_to_end()?;
            break;
        }
    }
    let status = guarded.child().wait()?;
    let said = relay.finish();
    unwinding.check();
    if unwinding.is_signalled() || is_late {
        return Err(io::ErrorKind::Interrupted.into());
    }
    Ok(Output {
        status,
        stdout: joined(stdout)?,
        stderr: [said, joined(stderr)?].concat(),
    })
}

/// Reads a pipe to its end, and drops `end` then; `begun` is called after the first byte.
fn read<P: Read + Send + 'static>(
    pipe: Option<P>,
    end: Sender<()>,
    begun: impl FnOnce() + Send + 'static,
) -> JoinHandle<io::Result<Vec<u8>>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.by_ref().take(1).read_to_end(&mut bytes)?;
            if !bytes.is_empty() {
                begun();
            }
            pipe.read_to_end(&mut bytes)?;
        }
        drop(end);
        Ok(bytes)
    })
}

fn joined(reader: JoinHandle<io::Result<Vec<u8>>>) -> io::Result<Vec<u8>> {
    let read = reader.join();
    read.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Values that are flags, ends of flags, response files and more to some program.
#[cfg(test)]
pub(crate) const HOSTILE: [&str; 12] = [
    "--config=build.rustc-wrapper=\"./x.sh\"",
    "-p=..",
    "--upload-pack=touch x",
    "--output=x",
    "--manifest-path",
    "-",
    "--",
    "@file",
    "+nightly",
    "",
    "a\nb",
    "-Wl,-o,x",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(invocation: &mut Invocation) -> Vec<String> {
        let words = invocation.process().get_args();
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_value_is_never_a_word_before_the_end_of_flags() {
        for value in HOSTILE {
            let mut invocation = Invocation::new("program");
            invocation
                .words(&["verb"])
                .flags(&[Flag::switch("--all"), Flag::new("--name=", value)])
                .operands("--", [value]);
            let expected = ["verb", "--all", &format!("--name={value}"), "--", value];
            assert_eq!(words(&mut invocation), expected);
        }
    }

    #[test]
    fn a_path_is_no_flag() {
        for (path, expected) in [
            ("-x", "./-x"),
            ("@x", "./@x"),
            ("x/y", "./x/y"),
            ("/a,-b", "/a,-b"),
        ] {
            let mut invocation = Invocation::new("program");
            invocation.path(Path::new(path));
            let expected = expected.replace('/', std::path::MAIN_SEPARATOR_STR);
            let [word] = &words(&mut invocation)[..] else {
                panic!("one word");
            };
            assert!(cfg!(windows) || *word == expected, "{path}: {word}");
        }
    }

    #[test]
    fn plain_words_are_few() {
        for text in ["nightly-2026-01-01", "1.89", "stable", "0123abc", "a+b_c"] {
            assert!(PlainWord::new(text).is_some(), "{text}");
        }
        for text in HOSTILE.iter().chain(&["a b", "a=b", "a/b", "é", "a,b"]) {
            assert_eq!(PlainWord::new(text), None, "{text}");
        }
    }
}
