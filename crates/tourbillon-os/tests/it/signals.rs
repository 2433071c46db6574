//! Signals. One test: they belong to the process, and the second one would end it.

use std::process::Command;
use std::time::Duration;

use tourbillon_os::{Child, ErrorOutput, Executable, Launch, Signals};

#[test]
fn the_first_signal_is_noted_and_ends_a_wait() {
    let signals = Signals::install().unwrap();
    assert_eq!(signals.noted(), None);
    let executable = Executable::at("/bin/sh");
    let launch = Launch {
        executable: &executable,
        arguments: &["-c", "read line"],
        environment: &[],
        stderr: ErrorOutput::Inherit,
    };
    let mut child = Child::spawn(launch).unwrap();
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
    // It stays so, also for whoever asks again.
    let again = Signals::install().unwrap();
    assert_eq!(again.noted(), Some(15));
    let ready = child.wait_ready(false, Some(&again), Duration::from_secs(60));
    assert!(ready.unwrap().signal);
}
