//! Commands: how they start, how they end, and what the system counts.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::time::Duration;

use tourbillon_os::Ending;
use tourbillon_os::command::{
    CommandCounters, CommandEvent, CommandSpawner, CommandUsage, PreparedCommand, RunningCommand,
    in_small_copy, memory_file,
};

fn prepared(arguments: &[&str], folder: Option<&str>) -> PreparedCommand {
    let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
    let environment = ["A=1".into(), "PATH=/bin:/usr/bin".into()];
    let folder = folder.map(AsRef::as_ref);
    let prepared = PreparedCommand::new(&arguments[0], &arguments, &environment, folder);
    prepared.expect("no zero byte")
}

fn null() -> File {
    let null = File::options().read(true).write(true).open("/dev/null");
    null.expect("the system has one")
}

fn started(command: &PreparedCommand, output: &File) -> io::Result<RunningCommand> {
    let mut spawner = CommandSpawner::new()?;
    let null = null();
    spawner.start(command, [&null, output, &null], || 17)
}

fn ended(running: RunningCommand) -> (Ending, CommandUsage) {
    let (_, ending, usage) = running.reap(|| 18).expect("it is a child");
    (ending, usage)
}

fn run(line: &str) -> ((Ending, CommandUsage), String) {
    let mut output = memory_file().expect("a file");
    let command = prepared(&["/bin/sh", "-c", line], None);
    let running = started(&command, &output).expect("it starts");
    let ended = ended(running);
    let mut text = String::new();
    output.rewind().expect("a file");
    output.read_to_string(&mut text).expect("text");
    (ended, text)
}

#[test]
fn endings_are_those_of_the_process() {
    assert_eq!(run("exit 7").0.0, Ending::Exited(7));
    assert_eq!(run("kill -9 $$").0.0, Ending::Signalled(9));
}

#[test]
fn a_command_has_its_environment_its_group_and_the_usual_signals() {
    let ((ending, _), text) =
        run("echo $A $B; cut -d ' ' -f 5 /proc/$$/stat; echo $$; trap; head -1 /etc/passwd | true");
    assert_eq!(ending, Ending::Exited(0));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1");
    assert_eq!(lines[1], lines[2]);
    // SIGPIPE is bit 12 of what is ignored.
    let (_, ignored) = run("grep SigIgn /proc/self/status");
    let mask = ignored.split_whitespace().nth(1).expect("a mask");
    assert_eq!(
        u64::from_str_radix(mask, 16).expect("hexadecimal") >> 12 & 1,
        0
    );
}

#[test]
fn the_clock_is_read_by_the_command_and_after_its_end() {
    let reads = Cell::new(0);
    let mut spawner = CommandSpawner::new().expect("memory");
    let null = null();
    let command = prepared(&["/bin/true"], None);
    let now = || {
        reads.set(reads.get() + 1);
        40 + reads.get()
    };
    let running = spawner.start(&command, [&null, &null, &null], now);
    let running = running.expect("it starts");
    assert_eq!(running.started(), 41);
    assert!(running.id() > 0);
    let (ended, ending, _) = running.reap(|| 99).expect("it is a child");
    assert_eq!((ended, ending), (99, Ending::Exited(0)));
}

#[test]
fn a_process_of_several_threads_is_not_copied() {
    let (waits, ends) = std::sync::mpsc::channel::<()>();
    let other = std::thread::spawn(move || ends.recv());
    let error = in_small_copy(|| 0).expect_err("there are two threads");
    assert!(error.to_string().contains("threads"), "{error}");
    drop(waits);
    assert!(other.join().expect("it does not panic").is_err());
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let error = |arguments: &[&str], folder| {
        let started = started(&prepared(arguments, folder), &null());
        started.expect_err("it does not start").kind()
    };
    assert_eq!(error(&["/nowhere/at/all"], None), io::ErrorKind::NotFound);
    assert_eq!(
        error(&["/etc/passwd"], None),
        io::ErrorKind::PermissionDenied
    );
    assert_eq!(
        error(&["/bin/true"], Some("/nowhere")),
        io::ErrorKind::NotFound
    );
    let zero = PreparedCommand::new("a\0b".as_ref(), &[], &[], None);
    assert!(zero.is_err());
}

#[test]
fn memory_and_time_are_those_of_the_command_and_its_children() {
    let ((_, large), _) = run("dd if=/dev/zero of=/dev/null bs=64M count=1 2>&1");
    assert!((64..72).contains(&(large.peak_bytes >> 20)), "{large:?}");
    let ((_, small), _) = run("true");
    assert!(small.peak_bytes < 16 << 20, "{small:?}");
    assert!(small.minor_faults > 0 && !small.left_processes);
    let ((_, busy), _) = run("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done");
    assert!(busy.user_us + busy.kernel_us > 0, "{busy:?}");
}

#[test]
fn counters_have_the_command_and_what_it_starts() {
    let counted = |line| {
        let mut counters = CommandCounters::open(&[5, 5])?;
        let ((_, usage), _) = run(line);
        let counts = counters.read()?;
        assert_eq!(counts[0], counts[1]);
        // The kernel's own are among those of the process alone.
        let all = usage.minor_faults + usage.major_faults;
        assert!((1..=all).contains(&counts[0]), "{counts:?} of {all}");
        Ok::<u64, io::Error>(counts[0])
    };
    let one = match counted(":") {
        Ok(one) => one,
        // As `kernel.perf_event_paranoid` may have it.
        Err(error) => return assert_eq!(error.kind(), io::ErrorKind::PermissionDenied),
    };
    for _ in 0..3 {
        let five = counted("for i in 1 2 3 4; do sh -c :; done").expect("as before");
        assert!(five > 3 * one, "{five} against {one}");
    }
}

#[test]
fn a_wait_sees_the_end_the_other_descriptor_and_the_time() {
    let command = prepared(&["/bin/sleep", "1000"], None);
    let running = started(&command, &null()).expect("it starts");
    let (reader, writer) = io::pipe().expect("a pipe");
    let soon = Some(Duration::from_millis(1));
    let waited = |timeout| running.wait(&reader, timeout).expect("it polls");
    assert_eq!(waited(soon), CommandEvent::TimedOut);
    drop(writer);
    assert_eq!(waited(None), CommandEvent::Other);
    running.end_group(false);
    running.wait_end(Duration::from_secs(60)).expect("it polls");
    assert_eq!(waited(None), CommandEvent::Ended);
    assert_eq!(ended(running).0, Ending::Signalled(15));
}

#[test]
fn processes_that_a_command_leaves_are_noticed() {
    let command = prepared(&["/bin/sh", "-c", "sleep 1000 & exit 0"], None);
    let running = started(&command, &null()).expect("it starts");
    let id = running.id();
    let (_, usage) = ended(running);
    assert!(usage.left_processes);
    let group = format!("-{id}");
    let kill = std::process::Command::new("kill")
        .args(["-9", "--", &group])
        .status();
    assert!(kill.expect("it runs").success());
}
