//! Suites whose targets start servers, take places that one process can have, or wait for ever.

#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::thread::sleep;
#[cfg(target_os = "linux")]
use std::time::Duration;

use tourbillon_record::FaultKind;

use crate::suite::{Folder, SERVERS, measure, measure_twice};

#[test]
fn servers_of_a_target_end_with_its_processes() {
    let notes = Folder::new();
    let names = ["^child$", "^left behind$", "^connected$"];
    let stored = measure(SERVERS, &names, &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let processes = stored.processes(&["child", "left behind"]);
    stored.launches("connected");
    // Those of the discoverer, which executes both targets, and one of each worker.
    assert_eq!(notes.count("server-"), 2 + processes);
    #[cfg(target_os = "linux")]
    for name in notes.names() {
        let Some(process) = name.strip_prefix("server-") else {
            continue;
        };
        // What is ended may take a while until it is gone.
        let is_there = || Path::new("/proc").join(process).join("exe").exists();
        let is_gone = (0..1_000).any(|_| {
            let is_there = is_there();
            if is_there {
                sleep(Duration::from_millis(10));
            }
            !is_there
        });
        assert!(is_gone, "{name} runs after the suite has ended");
    }
}

#[test]
fn a_place_is_taken_by_one_process_at_a_time() {
    let notes = Folder::new();
    let stored = measure_twice(SERVERS, &["^placed"], &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    for id in ["placed", "placed as well"] {
        assert_eq!(stored.launches(id).len(), 2, "{id}");
    }
    assert_eq!(notes.count("place"), 0);
}

#[test]
fn what_waits_for_ever_costs_its_own_benchmark() {
    let notes = Folder::new();
    let arguments = ["--timeout", "100ms", "hangs$"];
    let stored = measure(SERVERS, &arguments, &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    for id in ["body hangs", "prelude hangs"] {
        let kinds = stored.faults(id).into_iter().map(|fault| &fault.kind);
        let kinds: Vec<&FaultKind> = kinds.collect();
        let is_hang = |kind: &&FaultKind| matches!(kind, FaultKind::Hang(ms) if *ms >= 100);
        assert!(!kinds.is_empty() && kinds.iter().all(is_hang), "{kinds:?}");
    }
}
