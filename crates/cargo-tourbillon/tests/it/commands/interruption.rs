//! Runs that end early: by a limit, and by an interrupt.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::compare::interrupt;
use crate::program::Ran;

use super::Place;

#[test]
fn a_run_that_takes_too_long_is_ended_with_its_children() {
    let place = Place::new();
    let line = "sh -c 'sleep 1001 & echo $! > child; wait'";
    let ran = place.run(&["commands", "--timeout", "300ms", line]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert!(ran.stderr.contains("and was ended"), "{}", ran.stderr);
    assert!(ran.stderr.contains("raise --timeout"), "{}", ran.stderr);
    assert!(is_gone(&place.path("child")));
}

/// Whether the process whose id is in a file has ended, or ends within ten seconds.
pub(super) fn is_gone(file: &Path) -> bool {
    let pid = fs::read_to_string(file).expect("an id");
    let process = Path::new("/proc").join(pid.trim()).join("stat");
    for _ in 0..1_000 {
        // A zombie has ended: its new parent has not waited for it yet.
        let state = fs::read_to_string(&process).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn an_interrupt_keeps_what_was_measured() {
    let place = Place::new();
    // The twenty-third run waits for the interrupt.
    let line = "sh -c 'echo $$ > child; echo run >> log; \
                if [ $(wc -l < log) -gt 22 ]; then touch waits; exec sleep 1002; fi'";
    let mut command = place.command(&["commands", "--time", "1h", "--min-runs", "1000", line]);
    let mut child = command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    for _ in 0..3_000 {
        if place.path("waits").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(place.path("waits").exists());
    interrupt(&mut child);
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(!ran.stderr.contains("error"), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("interrupted: the figures are of what was measured")
    );
    let run = place.records().pop().expect("a record");
    assert_eq!(run.rounds[0].ticks.len(), 22);
    assert!(
        run.end
            .is_some_and(|end| end.interrupted && end.exit_code == 130)
    );
    assert!(is_gone(&place.path("child")));
}
