//! Signals. One test for each process: they belong to it, and the second one would end it.

use std::io::ErrorKind;
use std::process::Command;
use std::time::Duration;

use tourbillon_os::{Ending, ErrorOutput, Executable, Launcher, Signals};

#[test]
fn the_first_signal_is_noted_and_ends_a_wait() {
    let signals = Signals::install().unwrap();
    assert_eq!(signals.noted(), None);
    let mut launcher = Launcher::new(&Executable::at("/bin/sh"));
    launcher.argument("-c");
    launcher.argument("read line");
    launcher.stderr(ErrorOutput::Inherit);
    let mut child = launcher.start().unwrap();
    let ready = child.wait_ready(true, Some(&signals), Duration::from_millis(1));
    assert!(!ready.unwrap().signal);

    let parent = "kill -TERM $PPID";
    let sent = Command::new("/bin/sh").args(["-c", parent]).status();
    assert!(sent.unwrap().success());
    // Waits until the signal has been delivered, however late that is.
    while !child
        .wait_ready(true, Some(&signals), Duration::from_secs(60))
        .unwrap()
        .signal
    {}
    assert_eq!(signals.noted(), Some(15));
    // A second installation reports it, too.
    let again = Signals::install().unwrap();
    assert_eq!(again.noted(), Some(15));
    let ready = child.wait_ready(false, Some(&again), Duration::from_secs(60));
    assert!(ready.unwrap().signal);
}

/// Part of the next test: writes more to a file than its limit.
#[test]
#[ignore = "it is a part of the next test"]
fn past_the_limit() {
    Signals::install().unwrap();
    let name = format!("tourbillon-limit-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let written = std::fs::write(&path, vec![b'x'; 1_000_000]);
    std::fs::remove_file(path).unwrap();
    assert_eq!(written.unwrap_err().kind(), ErrorKind::FileTooLarge);
    // In a worker the signal has its default action.
    tourbillon_os::take_protocol(true).unwrap();
    let mut own = Command::new("/bin/sh");
    let status = own.args(["-c", "kill -XFSZ $$"]).status();
    assert_eq!(Ending::from(status.unwrap()), Ending::Signalled(25));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_too_large_is_an_error() {
    let own = std::env::current_exe().unwrap();
    let output = Command::new("/bin/sh")
        .args(["-c", "ulimit -f 100; exec \"$0\" \"$@\""])
        .arg(own)
        .args(["--ignored", "--exact", "signals::past_the_limit"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}
