//! Children: pipes, ends, groups, stderr.

use std::io::ErrorKind;
use std::time::Duration;

use tourbillon_os::{Child, Ending, ErrorOutput, Executable, Launcher, Ready};

/// Longer than any wait here that succeeds, on a busy machine, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A child with these arguments and a variable of the tests.
fn child(executable: &Executable, arguments: &[&str]) -> Child {
    let mut launcher = Launcher::new(executable);
    for argument in arguments {
        launcher.argument(argument);
    }
    launcher.variable("TOURBILLON_TEST".as_ref(), "here".as_ref());
    launcher.start().unwrap()
}

/// A shell that runs a script.
fn shell(script: &str) -> Child {
    child(&Executable::at("/bin/sh"), &["-c", script])
}

/// Everything that a child writes to its stdout, until it is closed.
fn read_all(child: &mut Child) -> String {
    let mut text = Vec::new();
    let mut chunk = [0; 100];
    loop {
        match child.read(&mut chunk).unwrap() {
            0 => return String::from_utf8(text).unwrap(),
            count => text.extend_from_slice(&chunk[..count]),
        }
    }
}

/// Waits until a child has ended, whatever it writes meanwhile.
fn until_ended(child: &mut Child) -> Ready {
    loop {
        let ready = child.wait_ready(false, None, PATIENCE).unwrap();
        if ready.ended {
            return ready;
        }
    }
}

#[test]
fn input_and_output_are_connected() {
    let mut child = shell("read line; echo \"$line $TOURBILLON_TEST\"");
    child.write(b"hello\n").unwrap();
    assert_eq!(read_all(&mut child), "hello here\n");
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
}

#[test]
fn endings_are_told_apart() {
    let ending = |script| shell(script).wait(PATIENCE).unwrap();
    assert_eq!(ending("exit 7"), Some(Ending::Exited(7)));
    assert_eq!(ending("kill -SEGV $$"), Some(Ending::Signalled(11)));
}

#[test]
fn an_end_is_seen_and_can_be_asked_for_again() {
    let mut child = shell("exit 3");
    assert!(until_ended(&mut child).ended);
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(3)));
    assert_eq!(child.wait(Duration::ZERO).unwrap(), Some(Ending::Exited(3)));
    assert!(child.wait_ready(false, None, PATIENCE).unwrap().ended);
}

#[test]
fn a_wait_ends_when_its_time_is_over() {
    let mut child = shell("read line");
    let nothing = Ready::default();
    assert_eq!(
        child
            .wait_ready(true, None, Duration::from_millis(1))
            .unwrap(),
        nothing
    );
    assert_eq!(child.wait(Duration::from_millis(2)).unwrap(), None);
}

#[test]
fn a_killed_group_leaves_nothing_that_holds_the_pipe() {
    // The shell ends; what it started has the pipe and would keep it for ten minutes.
    let mut child = shell("sleep 600 & echo started");
    assert!(until_ended(&mut child).ended);
    child.kill_group();
    // Ends only because no process holds the other end any more.
    assert_eq!(read_all(&mut child), "started\n");
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
    // Its id may be another process's now.
    child.kill_group();
}

#[test]
fn killing_is_seen_as_a_signal() {
    let mut child = shell("sleep 600; exit 1");
    child.kill_group();
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Signalled(9)));
}

#[test]
fn the_tail_of_stderr_is_kept() {
    let mut child = shell("echo first >&2; echo second >&2");
    child.wait(PATIENCE).unwrap();
    assert_eq!(child.stderr_tail(1_000), b"first\nsecond\n");
    assert_eq!(child.stderr_bytes(), Some(13));
    assert_eq!(child.stderr_tail(7), b"second\n");
    assert_eq!(child.stderr_tail(0), b"");
}

#[test]
fn much_is_written_without_waiting_for_the_child() {
    let much = vec![b'x'; 1_000_000];
    // One that does not read delays nothing.
    let mut child = shell("exec sleep 600");
    child.write(&much).unwrap();
    child.end(PATIENCE);
    let mut child = shell("head -c 1000000 | wc -c");
    child.write(&much).unwrap();
    assert_eq!(read_all(&mut child).trim(), "1000000");
}

#[test]
fn writing_to_a_child_that_is_gone_is_an_error() {
    let mut child = shell("exit 0");
    child.wait(PATIENCE).unwrap();
    // A process that another test is just starting has a copy of the pipe until it becomes its own
    // program.
    let error = loop {
        match child.write(b"hello\n") {
            Ok(()) => std::thread::yield_now(),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}

#[test]
fn a_launcher_starts_again_with_changed_variables() {
    let mut launcher = Launcher::new(&Executable::at("/bin/sh"));
    launcher.argument("-c");
    launcher.argument("echo $TOURBILLON_TEST; echo aside >&2");
    for value in ["first", "second"] {
        launcher.variable("TOURBILLON_TEST".as_ref(), value.as_ref());
        let mut child = launcher.start().unwrap();
        assert_eq!(read_all(&mut child), format!("{value}\n"));
        assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
        assert_eq!(child.stderr_tail(100), b"aside\n");
    }
}

#[test]
fn a_missing_program_cannot_be_started() {
    let mut launcher = Launcher::new(&Executable::at("/nonexistent/program"));
    launcher.stderr(ErrorOutput::Inherit);
    let error = launcher.start().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn the_own_executable_is_this_one() {
    let own = Executable::own().unwrap();
    let real = std::env::current_exe().unwrap();
    assert_eq!(own.shown(), real.as_os_str());
    assert_eq!(std::fs::canonicalize(own.path()).unwrap(), real);
}

/// A process that moves to the group of its parent and stays. Started by the next test.
#[test]
#[ignore = "it is a part of the next test, and does not end"]
fn in_another_group() {
    if std::env::var_os("TOURBILLON_TEST").is_none() {
        return;
    }
    // SAFETY: both take and return integers.
    let moved = unsafe { libc::setpgid(0, libc::getpgid(libc::getppid())) };
    println!("moved {moved}");
    loop {
        std::thread::park();
    }
}

#[test]
fn a_child_that_left_its_group_does_not_survive() {
    let own = Executable::own().unwrap();
    let test = "child::in_another_group";
    let mut child = child(&own, &["--ignored", "--exact", "--nocapture", test]);
    read_until(&mut child, "moved 0\n");
    assert_eq!(child.end(PATIENCE), Ending::Signalled(9));
}

/// Reads what a child writes up to a text, and returns all of it.
fn read_until(child: &mut Child, text: &str) -> String {
    let mut all = String::new();
    let mut chunk = [0; 100];
    while !all.contains(text) {
        let count = child.read(&mut chunk).unwrap();
        assert_ne!(count, 0, "{all:?}");
        all.push_str(std::str::from_utf8(&chunk[..count]).unwrap());
    }
    all
}

/// In a process of its own: which worker an orphan is of is not known where several end at once.
#[cfg(target_os = "linux")]
#[test]
fn what_left_the_group_is_ended_and_counted() {
    let own = std::env::current_exe().unwrap();
    let output = std::process::Command::new(own)
        .args(["--ignored", "--exact", "child::alone::what_left_the_group"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 passed"), "{text}");
}

#[cfg(target_os = "linux")]
mod alone {
    use super::*;

    #[test]
    #[ignore = "it is a part of the test before"]
    fn what_left_the_group() {
        let daemon = "setsid sh -c 'sleep 600 & echo $$; exec sleep 600' </dev/null &";
        for ending in ["", "wait"] {
            let mut child = shell(&format!("{daemon}\nread line\n{ending}"));
            let daemon = read_until(&mut child, "\n");
            if ending.is_empty() {
                child.write(b"go on\n").unwrap();
                until_ended(&mut child);
            }
            child.end(PATIENCE);
            // The daemon, and the process that it started.
            assert_eq!(child.left(), 2, "{ending}");
            let daemon: u32 = daemon.trim().parse().unwrap();
            assert!(!std::path::Path::new(&format!("/proc/{daemon}")).exists());
        }
        // Of a worker that has workers itself, and was killed.
        let mark = "TOURBILLON_STARTED_BY=$TOURBILLON_STARTED_BY,1";
        let mut child = shell(&format!("{mark} {daemon}\nread line"));
        let of_worker = read_until(&mut child, "\n");
        child.end(PATIENCE);
        assert_eq!(child.left(), 2);
        assert!(!std::path::Path::new(&format!("/proc/{}", of_worker.trim())).exists());
        let mut child = shell("sleep 600 & read line");
        child.end(PATIENCE);
        assert_eq!(child.left(), 0);
        // A process without variables does not say whose it is: it ends when its stdin does.
        let daemon = "setsid env -i sh -c 'echo $$; read line' <&3 &";
        let mut child = shell(&format!("exec 3<&0; {daemon} read line"));
        let daemon = read_until(&mut child, "\n");
        child.end(PATIENCE);
        assert_eq!(child.left(), 0);
        assert!(std::path::Path::new(&format!("/proc/{}", daemon.trim())).exists());
    }
}
