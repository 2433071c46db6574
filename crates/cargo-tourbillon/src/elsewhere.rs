//! `--runner`: builds of this machine are sent to another one and measured there, and the records come back.

mod script;

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IsTerminal, PipeWriter, Read};
use std::path::PathBuf;
use std::process::{self, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use tourbillon_builds::{Build, Bundle, Parcel, Runner, is_record, received};
use tourbillon_clock::wall;
use tourbillon_os::Signals;
use tourbillon_os::command::Guarded;
use tourbillon_present::EscapedStream;
use tourbillon_record::Run;
use tourbillon_record::store::Store;
use tourbillon_tool::patience::{Patience, status};
use tourbillon_tool::program_output::{Limits, printed};
use tourbillon_tool::records::StorePath;
use tourbillon_tool::store::{announce, comparisons};
use tourbillon_values::limits::shown;

use self::script::{CHECKOUT, ENDED, RESULTS, TOOL, script};
use crate::exit::{ENVIRONMENT, INTERRUPTED, Stop, print_page, say};

/// The script and the file of defaults, in the folder that is sent.
const SCRIPT: &str = "measure";
const SETTINGS: &str = "tourbillon.toml";

/// How records in the store of comparisons begin.
const COMPARISONS: &str = "results/comparisons/";

/// Greatest exit code of a subcommand but those of a panic and of an interrupt.
const LARGEST: i32 = 6;

/// How long what comes after the end of the other machine's program is awaited.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// Bytes of what the other machine says that are shown at once.
const LONGEST_LINE: u64 = 1 << 16;

/// How often the other machine's program is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The program that reaches another machine, as it is typed.
///
/// # Errors
///
/// A quotation mark without its pair, and no word at all.
pub(crate) fn runner(typed: &str) -> Result<Runner, String> {
    let words = shell_words::split(typed)
        .map_err(|_| format!("{typed:?} has a quotation mark without its pair"))?;
    Runner::new(words).ok_or_else(|| "it is empty; write a program, such as 'ssh pi'".to_owned())
}

/// What is measured elsewhere.
pub(crate) enum Sent<'b> {
    Builds(&'b [Build]),
    Bundles(&'b [PathBuf]),
}

/// Measures on another machine: `words` are those of a subcommand, without where builds, records and defaults are.
///
/// # Errors
///
/// What keeps it from being measured, and the exit code of the subcommand.
pub(crate) fn measure(
    runner: &Runner,
    sent: &Sent<'_>,
    subcommand: &str,
    words: Vec<OsString>,
    store: &StorePath,
) -> Result<(), Stop> {
    // What is packed is removed also where a signal comes.
    let signals = Signals::install()
        .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
    // Before it takes minutes.
    let kept = store.locate()?.store;
    let mut parcel = Parcel::new()?;
    let folder = parcel.folder();
    let mut all: Vec<OsString> = vec![subcommand.into()];
    for name in add(&mut parcel, sent)? {
        all.push(format!("--bundle={folder}/{name}").into());
    }
    all.push(format!("--store={folder}/{RESULTS}").into());
    all.push(match store.config.file()? {
        Some(file) => {
            parcel.add_file(SETTINGS, &file.path);
            format!("--config={folder}/{SETTINGS}").into()
        }
        None => "--config=none".into(),
    });
    all.extend(words);
    parcel.add_text(SCRIPT, script(&folder, &all));
    if signals.noted().is_some() {
        return Err(Stop::Code(INTERRUPTED));
    }
    if let Err(stop) = send(runner, &parcel) {
        // What came before it failed.
        if !removed(runner, &folder) {
            let name = runner.name();
            say(&format!("{folder} may stay on the machine of `{name}`\n"));
        }
        return Err(stop);
    }
    // What its output is for: to be read, or for a program.
    let is_page = !all
        .iter()
        .any(|word| word.as_encoded_bytes().starts_with(b"--format"));
    let code = watched(runner, &folder, is_page);
    if signals.noted().is_some() {
        // The other end removes the folder, too.
        return Err(Stop::Code(INTERRUPTED));
    }
    let fetched = match code {
        Ok(_) => fetch(runner, &folder, &kept),
        Err(_) => Ok(Fetched::default()),
    };
    let name = runner.name();
    if matches!(fetched, Ok(Fetched { refused: 0, .. })) {
        // A machine that cannot be reached any more keeps it.
        removed(runner, &folder);
    } else {
        say(&format!(
            "the records stay in {folder}/{RESULTS} on the machine of `{name}`\n"
        ));
    }
    let (code, fetched) = (code?, fetched?);
    if code == 0 && fetched.ended.is_none() {
        return Err(Stop::Environment(format!(
            "`{name}` ended before what it started; nothing was measured"
        )));
    }
    match code.max(fetched.refused).max(fetched.ended.unwrap_or(0)) {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Adds the builds, and this program where it may run there. Gives the names of the bundles.
fn add(parcel: &mut Parcel, sent: &Sent<'_>) -> Result<Vec<String>, Stop> {
    let (mut names, mut are_own) = (Vec::new(), true);
    let is_own = |bundle: &Bundle| {
        bundle.architecture == env::consts::ARCH && bundle.system == env::consts::OS
    };
    let mut next = || {
        names.push(format!("builds-{}.tar.gz", names.len()));
        names[names.len() - 1].clone()
    };
    match sent {
        Sent::Builds(builds) => {
            are_own = is_own(&parcel.add_builds(&next(), builds)?);
            // Of the last one: the working tree, or the newer commit.
            let last = builds.last();
            for package in last.map_or(Vec::new(), |last| parcel.add_packages(CHECKOUT, last)) {
                say(&format!(
                    "warning: the files of {package:?} have more than {} and are not sent; benchmarks that read them fail\n",
                    shown(Parcel::PACKAGE_BYTES)
                ));
            }
        }
        Sent::Bundles(files) => {
            for file in *files {
                are_own &= is_own(&Bundle::read(file)?);
                parcel.add_file(&next(), file);
            }
        }
    }
    if are_own {
        let own = env::current_exe()
            .map_err(|error| Stop::Environment(format!("this program has no path: {error}")))?;
        parcel.add_program(TOOL, &own);
    }
    Ok(names)
}

fn send(runner: &Runner, parcel: &Parcel) -> Result<(), Stop> {
    let packed = parcel.packed()?;
    let mut tar = runner.invocation(&["tar", "-xf", "-", "-C"], parcel.place());
    let ended = status(tar.process().stdin(Stdio::from(packed)));
    succeeded(runner, "unpack what was sent", ended)
}

/// Removes what was sent; whether it is gone.
fn removed(runner: &Runner, folder: &str) -> bool {
    let mut remove = runner.invocation(&["rm", "-rf"], folder);
    let ended = status(remove.process().stdin(Stdio::null()).stderr(Stdio::null()));
    ended.is_ok_and(|status| status.success())
}

/// Whether a program of the runner did its work.
fn succeeded(runner: &Runner, what: &str, ended: io::Result<ExitStatus>) -> Result<(), Stop> {
    let why = match ended {
        _ if Signals::first().is_some() => return Err(Stop::Code(INTERRUPTED)),
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    let name = runner.name();
    Err(Stop::Environment(format!(
        "`{name}` could not {what}: {why}; it has to pass the words after its own to a machine with sh and tar"
    )))
}

/// Runs the script to its end, and gives the exit code of the subcommand.
fn watched(runner: &Runner, folder: &str, is_page: bool) -> Result<u8, Stop> {
    let path = format!("{folder}/{SCRIPT}");
    let mut shell = runner.invocation(&["sh"], &path);
    let ended = run(shell.process(), is_page);
    let code = ended.as_ref().ok().and_then(ExitStatus::code);
    match code {
        Some(code @ (0..=LARGEST | 101 | 130)) => Ok(u8::try_from(code).unwrap_or(ENVIRONMENT)),
        _ => succeeded(runner, "measure", ended).map(|()| 0),
    }
}

/// Runs a program whose input ends with this process, or with the first signal.
fn run(process: &mut process::Command, is_page: bool) -> io::Result<ExitStatus> {
    let (input, lifeline) = io::pipe()?;
    process.stdin(Stdio::from(input)).stderr(Stdio::piped());
    if is_page || io::stdout().is_terminal() {
        // Code of a commit runs there, as a user who can write to it.
        process.stdout(Stdio::piped());
    }
    let mut program = Guarded::start(process)?;
    let child = program.child();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (sender, shown) = mpsc::sync_channel::<()>(1);
    let of_stdout = sender.clone();
    thread::spawn(move || {
        stderr.into_iter().for_each(|stderr| {
            pass_on(stderr, |line| {
                say(line);
                let _ = sender.try_send(());
            });
        });
    });
    thread::spawn(move || {
        stdout.into_iter().for_each(|stdout| {
            pass_on_page(stdout, |page| {
                let is_printed = print_page(page).is_ok();
                let _ = of_stdout.try_send(());
                is_printed
            });
        });
    });
    let mut lifeline: Option<PipeWriter> = Some(lifeline);
    let mut patience = Patience::default();
    let status = loop {
        if let Some(status) = program.child().try_wait()? {
            break status;
        }
        if Signals::first().is_some() {
            lifeline = None;
        }
        patience.look(&mut program)?;
        thread::sleep(LOOK);
    };
    drop(lifeline);
    // A connection that others share, as `ssh` can leave one, may hold both open: they are read while something comes.
    while shown.recv_timeout(LEFT_BEHIND).is_ok() {}
    Ok(status)
}

/// Prints what the other machine does, without where its records are, which do not stay there.
fn pass_on(stderr: impl Read, mut say: impl FnMut(&str)) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        // What has no end is shown in pieces.
        let mut piece = stderr.by_ref().take(LONGEST_LINE);
        let read = piece.read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            break;
        }
        if !line.starts_with(b"stored in ") {
            say(&String::from_utf8_lossy(&line));
        }
    }
}

/// Prints a page that the other machine makes, [made safe for a terminal](EscapedStream), while there is one who reads it.
fn pass_on_page(mut stdout: impl Read, mut print: impl FnMut(&str) -> bool) {
    let mut page = EscapedStream::default();
    let mut chunk = vec![0; 1 << 13];
    while let Ok(count @ 1..) = stdout.read(&mut chunk) {
        if !print(&page.add(&chunk[..count])) {
            return;
        }
    }
    print(&page.rest());
}

/// What came back.
#[derive(Default)]
struct Fetched {
    /// The exit code of the subcommand; `None` where it has not ended.
    ended: Option<u8>,
    /// The exit code that a record which cannot be kept deserves.
    refused: u8,
}

/// Brings the records back to the store.
fn fetch(runner: &Runner, folder: &str, store: &Store) -> Result<Fetched, Stop> {
    let mut tar = runner.invocation(&["tar", "-cf", "-", "-C"], folder);
    tar.words(&[RESULTS]);
    let process = tar.process().stderr(Stdio::null());
    let why = match printed(process, Limits::RECORD, None) {
        Ok(fetched) if fetched.status.success() => return keep_all(runner, &fetched.stdout, store),
        Ok(fetched) => fetched.status.to_string(),
        Err(error) => error.to_string(),
    };
    let name = runner.name();
    Err(Stop::Environment(format!(
        "`{name}` could not send the records back: {why}; it has to wait for the end of what it starts"
    )))
}

/// Stores what was sent back; without a record, as for help and a list, nothing.
fn keep_all(runner: &Runner, tar: &[u8], store: &Store) -> Result<Fetched, Stop> {
    let damaged = |why: &dyn std::fmt::Display| {
        Stop::Environment(format!(
            "`{}` sent back what is no record: {why}",
            runner.name()
        ))
    };
    let mut kept = Fetched::default();
    let mut records = Vec::new();
    for (path, bytes) in received(tar).map_err(|error| damaged(&error))? {
        if path == format!("{RESULTS}/{ENDED}") {
            kept.ended = String::from_utf8_lossy(&bytes).trim().parse().ok();
        } else if is_record(&path) {
            records.push((path, bytes));
        }
    }
    for (path, bytes) in records {
        let run = Run::parse_bytes(&bytes).map_err(|error| damaged(&error))?;
        if kept.ended != Some(INTERRUPTED) && run.end.is_none() {
            return Err(damaged(&"it has no end"));
        }
        let place = if path.starts_with(COMPARISONS) {
            comparisons(store)
        } else {
            store.clone()
        };
        kept.refused = kept.refused.max(announce(keep(&place, &run, &bytes))?);
    }
    Ok(kept)
}

/// Stores a record as it came.
fn keep(store: &Store, run: &Run, bytes: &[u8]) -> Result<PathBuf, Stop> {
    let mut writer = store.begin(&run.header)?;
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    // The header is written by the store.
    lines.next();
    for line in lines {
        writer.append_line(line)?;
    }
    let path = writer.path().to_owned();
    if let Err(error) = writer.finish(wall::unix_ns()) {
        say(&format!("warning: {error}\n"));
    }
    Ok(path)
}

/// The flags of a subcommand that were typed, without some, as words for the same subcommand elsewhere; what follows
/// `--` comes last.
pub(crate) fn typed_flags(
    subcommand: &Command,
    matches: &ArgMatches,
    without: &[&str],
) -> Vec<OsString> {
    let (mut words, mut last) = (Vec::new(), Vec::new());
    for argument in subcommand.get_arguments() {
        let id = argument.get_id().as_str();
        if without.contains(&id) || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        match (argument.get_long(), argument.get_action()) {
            (Some(long), ArgAction::SetTrue) => words.push(format!("--{long}").into()),
            (Some(long), _) => {
                for value in values(matches, id) {
                    let mut word = OsString::from(format!("--{long}="));
                    word.push(value);
                    words.push(word);
                }
            }
            (None, _) => last = values(matches, id),
        }
    }
    if !last.is_empty() {
        words.push("--".into());
        words.extend(last);
    }
    words
}

fn values(matches: &ArgMatches, id: &str) -> Vec<OsString> {
    let values = matches.get_raw(id).into_iter().flatten();
    values.map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_is_words() {
        let name = |typed| runner(typed).map(|runner| runner.name());
        assert_eq!(name("ssh -p 22 'a pi'").as_deref(), Ok("ssh -p 22 a pi"));
        assert!(name("").is_err_and(|why| why.contains("it is empty")));
        assert!(name("ssh 'pi").is_err_and(|why| why.contains("quotation mark")));
    }
}
