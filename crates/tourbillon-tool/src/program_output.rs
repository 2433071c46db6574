//! What programs print, within limits.

use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tourbillon_builds::ErrorRelay;
use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_os::command::Guarded;

use crate::exit::{ENVIRONMENT, FAILED, INTERRUPTED, PANICKED, Stop, USAGE};
use crate::patience::Patience;

/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// The same once it has closed its output, and is about to end.
const LAST_LOOK: Duration = Duration::from_millis(1);
/// How long output is awaited that comes after the end of a program, from one that it has left behind.
const LEFT_BEHIND_NS: u64 = 1_000_000_000;
/// How long a program may be silent that has nothing to measure yet.
const LONGEST: Duration = Duration::from_secs(600);
/// `ENOEXEC`, on all systems.
const OTHER_FORMAT: i32 = 8;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// What a program printed, and how it ended.
#[derive(Debug)]
pub struct Printed {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// Empty unless it was asked for.
    pub stderr: Vec<u8>,
}

/// How much a program may print, and how long it may be silent.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes.
    pub bytes: u64,
    /// Longest time without output.
    pub silence: Option<Duration>,
    /// Longest time until the first output.
    pub start: Option<Duration>,
}

impl Limits {
    /// Those of a list of cases. Suites of criterion set everything up for it.
    pub const LIST: Limits = Limits {
        bytes: tourbillon_values::limits::LIST_BYTES,
        silence: Some(LONGEST),
        start: None,
    };
    /// Those of a record. Its header comes before anything is measured, its end when all is.
    pub const RECORD: Limits = Limits {
        bytes: tourbillon_values::limits::RECORD_BYTES,
        silence: None,
        start: Some(LONGEST),
    };
}

/// Runs a program and gives what it prints to stdout, and to stderr where that is a pipe. A program that it leaves
/// behind is not waited for. With `signals` a signal ends it at once, else after time to print what it has.
///
/// # Errors
///
/// When it cannot be started, and when a limit or a signal ended it.
pub fn printed(
    process: &mut Command,
    limits: Limits,
    signals: Option<Signals>,
) -> io::Result<Printed> {
    run(process, limits, signals, false)
}

/// The same of code of a commit, whose stderr is shown, [made safe for a terminal](ErrorRelay).
///
/// # Errors
///
/// As for [`printed`].
pub fn printed_of_commit(
    process: &mut Command,
    limits: Limits,
    signals: Option<Signals>,
) -> io::Result<Printed> {
    run(process.stderr(Stdio::piped()), limits, signals, true)
}

fn run(
    process: &mut Command,
    limits: Limits,
    signals: Option<Signals>,
    is_shown: bool,
) -> io::Result<Printed> {
    let mut program = Guarded::start(process.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let child = program.child();
    let relay = ErrorRelay::of(child.stderr.take_if(|_| is_shown));
    let (sender, ends) = mpsc::channel();
    let stdout = Stream::of(child.stdout.take(), limits.bytes, sender.clone());
    let stderr = Stream::of(child.stderr.take(), limits.bytes, sender);
    let ended = ended(&mut program, [&stdout, &stderr], limits, signals, &ends);
    drop(program);
    relay.finish();
    Ok(Printed {
        status: ended?,
        stdout: stdout.taken(),
        stderr: stderr.taken(),
    })
}

/// That a program cannot be run to its end.
pub fn not_run(program: &Path, error: &io::Error) -> Stop {
    match error.kind() {
        ErrorKind::Interrupted => Stop::Code(INTERRUPTED),
        // Unix has no kind for it.
        _ if error.raw_os_error() == Some(OTHER_FORMAT) && cfg!(unix) => Stop::Environment(
            format!("{program:?} is for another machine; measure it there, with --runner"),
        ),
        _ => Stop::Environment(format!("{program:?} cannot be run: {error}")),
    }
}

/// The exit code for that of a bench program: its own, unless that has another meaning for this program, or none.
pub fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    let own = code.filter(|code| [0, USAGE, FAILED, ENVIRONMENT, PANICKED].contains(code));
    own.unwrap_or(ENVIRONMENT)
}

fn ended(
    program: &mut Guarded,
    streams: [&Stream; 2],
    limits: Limits,
    signals: Option<Signals>,
    ends: &Receiver<()>,
) -> io::Result<ExitStatus> {
    let mut end: Option<(ExitStatus, Stopwatch)> = None;
    let (mut silent, mut length) = (Stopwatch::start(), 0);
    let mut patience = Patience::default();
    loop {
        if end.is_none() {
            end = program
                .child()
                .try_wait()?
                .map(|status| (status, Stopwatch::start()));
        }
        let mut is_read = true;
        let mut now = 0;
        for stream in streams {
            let mut kept = stream.kept();
            if let Some(failure) = kept.failure.take() {
                return Err(failure);
            }
            is_read &= kept.is_whole;
            now += kept.bytes.len();
        }
        if now != length {
            (silent, length) = (Stopwatch::start(), now);
        }
        if let Some((status, since)) = &end
            && (is_read || since.elapsed_ns() > LEFT_BEHIND_NS)
        {
            return Ok(*status);
        }
        match signals {
            Some(signals) if signals.noted().is_some() => {
                return Err(ErrorKind::Interrupted.into());
            }
            Some(_) => {}
            None => patience.look(program)?,
        }
        let of_start = limits.start.filter(|_| length == 0);
        if let Some(longest) = limits.silence.or(of_start)
            && u128::from(silent.elapsed_ns()) > longest.as_nanos()
        {
            let seconds = longest.as_secs();
            let what = format!("it printed nothing for {seconds} s, and was ended");
            return Err(io::Error::new(ErrorKind::TimedOut, what));
        }
        if ends.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
            thread::sleep(LAST_LOOK);
        }
    }
}

/// An output of a program, which a thread reads.
struct Stream(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_whole: bool,
    failure: Option<io::Error>,
}

impl Stream {
    fn of(output: Option<impl Read + Send + 'static>, most: u64, end: Sender<()>) -> Stream {
        let stream = Stream(Arc::default());
        let Some(output) = output else {
            stream.kept().is_whole = true;
            return stream;
        };
        let filled = Stream(Arc::clone(&stream.0));
        thread::spawn(move || {
            let failure = filled.fill(output, most).err();
            let mut kept = filled.kept();
            (kept.is_whole, kept.failure) = (true, failure);
            drop(kept);
            // The output of a program that was left behind is not waited for.
            let _ = end.send(());
        });
        stream
    }

    fn fill(&self, mut output: impl Read, most: u64) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match output.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut kept = self.kept();
            if (kept.bytes.len() + count) as u64 > most {
                let megabytes = most >> 20;
                let what = format!("it printed more than {megabytes} MiB, and was ended");
                return Err(io::Error::new(ErrorKind::InvalidData, what));
            }
            kept.bytes.extend_from_slice(&chunk[..count]);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken(self) -> Vec<u8> {
        std::mem::take(&mut self.kept().bytes)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    const FEW: Limits = Limits {
        bytes: 1 << 20,
        silence: None,
        start: None,
    };

    fn shell(script: &str, limits: Limits) -> io::Result<Printed> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stderr(Stdio::piped());
        printed(&mut command, limits, None)
    }

    #[test]
    fn both_outputs_and_the_end_are_kept() {
        let printed = shell("echo one; echo two >&2; exit 7", FEW).expect("it runs");
        assert_eq!(printed.stdout, b"one\n");
        assert_eq!(printed.stderr, b"two\n");
        assert_eq!(printed.status.code(), Some(7));
        let long = shell("head -c 1000000 /dev/zero", FEW).expect("it runs");
        assert_eq!(long.stdout.len(), 1_000_000);
    }

    #[test]
    fn what_has_no_end_is_ended() {
        for script in ["cat /dev/zero", "cat /dev/zero >&2"] {
            let error = shell(script, FEW).expect_err(script);
            assert_eq!(
                error.to_string(),
                "it printed more than 1 MiB, and was ended"
            );
        }
        let none = Some(Duration::ZERO);
        let silent = Limits {
            silence: none,
            ..FEW
        };
        for limits in [silent, Limits { start: none, ..FEW }] {
            let error = shell("exec sleep 1000", limits).expect_err("it is silent");
            assert_eq!(error.kind(), ErrorKind::TimedOut);
        }
    }

    #[test]
    fn what_is_left_behind_is_not_waited_for() {
        let printed = shell("echo one; sleep 1000 & echo $!", FEW).expect("it runs");
        let text = String::from_utf8(printed.stdout).expect("text");
        let (one, left) = text.split_once('\n').expect("two lines");
        assert_eq!((one, printed.status.code()), ("one", Some(0)));
        let ended = Command::new("kill").arg(left.trim()).status();
        assert!(ended.expect("kill starts").success());
    }

    #[test]
    fn no_program_reports_a_gate_or_an_interrupt() {
        let of = |code: i32| code_of(ExitStatus::from_raw(code << 8));
        assert_eq!([0, 1, 3, 5, 101].map(of), [0, 1, 3, 5, 101]);
        assert_eq!([2, 4, 7, 130, 255].map(of), [5; 5]);
        assert_eq!(code_of(ExitStatus::from_raw(11)), 5);
    }
}
