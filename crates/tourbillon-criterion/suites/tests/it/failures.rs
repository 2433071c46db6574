//! Suites that misbehave.

use std::fs;

use tourbillon_record::FaultKind;

use crate::suite::{BROKEN, FAULTS, Folder, PRELUDES, measure, with};

#[test]
fn a_failure_costs_its_own_benchmark() {
    let stored = measure(FAULTS, &[], &[]);
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    let kind = |id: &str| stored.faults(id).first().map(|fault| fault.kind.clone());
    // How the system reports an abort.
    let aborted = if cfg!(windows) {
        FaultKind::Exit(0xC000_0409_u32.cast_signed())
    } else {
        FaultKind::Signal(6)
    };
    for (id, expected) in [
        ("panics", FaultKind::Panic),
        ("exits", FaultKind::Exit(7)),
        ("aborts", aborted),
        ("no iter", FaultKind::NoTerminal),
        ("panics in set-up", FaultKind::Panic),
    ] {
        assert_eq!(kind(id), Some(expected), "{id}");
    }
    for id in [
        "before",
        "after",
        "before the prelude fails",
        "g/last",
        "in a later target",
    ] {
        assert_eq!(kind(id), None, "{id}");
        stored.launches(id);
    }
    assert_eq!(stored.ids().len(), 11);
    for (id, message) in [
        ("panics", "the body is broken"),
        ("batches of nothing", "Batch size must not be zero."),
    ] {
        let panic = stored.faults(id)[0];
        assert_eq!(panic.message, message);
        let location = panic.location.as_ref().expect("a location");
        assert!(location.file.ends_with("faults.rs"), "{location:?}");
    }
    let stderr = &stored.ended.stderr;
    assert!(
        stderr.contains("prelude failed outside of its benchmarks: panicked at"),
        "{stderr}"
    );
}

#[test]
fn a_worker_runs_the_prelude_of_its_target_and_leaves_by_its_destructors() {
    let (notes, temporary) = (Folder::new(), Folder::new());
    let environment = [
        ("SUITE_NOTES", notes.0.as_path()),
        ("TMPDIR", temporary.0.as_path()),
    ];
    let stored = measure(PRELUDES, &["in a folder"], &environment);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let processes = stored.processes(&["in a folder"]);
    // The discoverer runs all of them.
    assert_eq!((notes.count("first"), notes.count("second")), (1, 1));
    assert_eq!(notes.count("third"), 1 + processes);
    let left = temporary.names();
    let left: Vec<_> = left
        .iter()
        .filter(|name| name.starts_with("suite-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // The output of the suite is shown once.
    assert_eq!(
        stored
            .ended
            .stderr
            .matches("the first prelude prints")
            .count(),
        1
    );
    assert!(!stored.ended.stdout.contains("prelude prints"));
}

#[test]
fn a_target_that_needs_another_one_gets_it() {
    let notes = Folder::new();
    let stored = measure(PRELUDES, &["needs"], &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let processes = stored.processes(&["needs the first"]);
    assert_eq!(notes.count("first"), 1 + processes);
    assert_eq!(notes.count("third"), 1);
}

#[test]
fn a_name_that_changes_is_a_fault() {
    let stored = measure(PRELUDES, &["process"], &[]);
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    let id = stored.ids()[0];
    assert_eq!(stored.faults(id)[0].kind, FaultKind::UnknownCase);
}

#[test]
fn a_filter_that_selects_nothing_is_no_failure() {
    let store = Folder::new();
    let folder = store.0.to_str().expect("text");
    let arguments = ["--bench", "--store", folder, "^nothing.*"];
    let ended = with(PRELUDES, arguments, &[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    // Not that it is plain text: here it is an expression.
    let text = "suite_preludes matches \"^nothing.*\" (4 available; see --list)\n";
    assert!(ended.stderr.ends_with(text), "{ended:?}");
    assert!(fs::read_dir(&store.0).expect("a folder").next().is_none());
}

#[test]
fn targets_that_all_panic_are_located_in_the_suite() {
    let ended = with(BROKEN, ["--bench", "--no-store"], &[]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let errors: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!(errors.len(), 4, "{ended:?}");
    for error in errors {
        let unified = error.replace('\\', "/");
        assert!(
            unified.contains("panicked at crates/tourbillon-criterion/suites/src/bin/broken.rs:"),
            "{error}"
        );
    }
    // It registers what cannot be known.
    assert!(!ended.stderr.contains("registers none"), "{ended:?}");
}
