//! Targets whose set-up takes so long that one worker measures all of their benchmarks.

use std::collections::BTreeSet;
use std::path::Path;

use crate::suite::{Folder, HEAVY, measure_times, measure_twice};

#[test]
fn one_worker_measures_all_benchmarks_of_a_heavy_target() {
    let notes = Folder::new();
    let stored = measure_twice(HEAVY, &[], &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    let processes = |id: &str| -> BTreeSet<u32> {
        let launches = stored.launches(id);
        assert_eq!(launches.len(), 2, "{id}");
        launches.iter().map(|launch| launch.pid).collect()
    };
    let (first, second) = (processes("first"), processes("second"));
    assert_eq!(first.len(), 2);
    // Where both are measured before the one that fails, one process measures both.
    assert_eq!(first, second);
    // After a failure another process goes on.
    let third = processes("third");
    assert!(first.is_disjoint(&third));
    assert_eq!(stored.faults("fails").len(), 2);
    assert!(processes("light").is_disjoint(&first));
    // The discoverer, and for each pass a process before the failure and one after it.
    let processes = stored.processes(&["first", "second", "third"]);
    assert_eq!(notes.count("heavy"), 1 + processes);
    assert_eq!(notes.count("left"), 1 + processes);
}

#[test]
fn a_set_up_longer_than_the_timeout_is_not_a_hang() {
    let arguments = ["--timeout", "100ms", "^first$"];
    let stored = measure_twice(HEAVY, &arguments, &[("SUITE_SET_UP_MS", "700".as_ref())]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    // The timeout alone would end workers after 350 ms.
    assert_eq!(stored.launches("first").len(), 2);
    assert!(stored.faults("first").is_empty());
}

#[test]
fn the_set_up_of_a_shared_worker_is_shared() {
    let names = ["first", "second", "third", "light"];
    let stored = measure_twice(HEAVY, &names, &[("SUITE_SET_UP_MS", "400".as_ref())]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let hz = stored.run.header.clock.hz_numerator / stored.run.header.clock.hz_denominator;
    for id in ["first", "second", "third"] {
        let launches = stored.launches(id);
        let processes: BTreeSet<u32> = launches.iter().map(|launch| launch.pid).collect();
        assert_eq!((launches.len(), processes.len()), (2, 2), "{id}");
        // The target sleeps for 400 ms before them.
        let least = launches.iter().map(|launch| launch.setup_ticks).min();
        assert!(least < Some(hz / 1_000 * 400), "{id}");
    }
}

#[test]
fn a_shared_worker_finds_benchmarks_in_any_order() {
    let stored = measure_twice(HEAVY, &["^shuffled"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    for id in ["shuffled/one", "shuffled/two", "shuffled/three"] {
        let launches = stored.launches(id);
        let processes: BTreeSet<u32> = launches.iter().map(|launch| launch.pid).collect();
        assert_eq!((launches.len(), processes.len()), (2, 2), "{id}");
        assert!(stored.faults(id).is_empty(), "{id}");
    }
}

#[test]
fn the_process_that_lists_makes_the_first_launch() {
    let names = ["^first$", "^fails$", "^third$"];
    let set_up: &Path = "1100".as_ref();
    let notes = Folder::new();
    let environment = [("SUITE_SET_UP_MS", set_up), ("SUITE_NOTES", &notes.0)];
    let stored = measure_twice(HEAVY, &names, &environment);
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    let processes = |id: &str| -> Vec<u32> {
        let launches = stored.launches(id);
        launches.iter().map(|launch| launch.pid).collect()
    };
    let (first, third) = (processes("first"), processes("third"));
    assert_eq!((first.len(), third.len()), (2, 2));
    // One process came to both, and to the failure in between, which costs a worker of its own.
    assert_eq!(first[0], third[0]);
    assert_ne!(first[0], first[1]);
    assert_eq!(stored.faults("fails").len(), 2);
    assert!(notes.names().contains(&format!("heavy-{}", first[0])));
    // In launches, what bodies print is not shown.
    assert!(!stored.ended.stderr.contains("the body prints"));
    // One that ends its process ends no list.
    let environment = [("SUITE_SET_UP_MS", set_up), ("SUITE_EXITS", set_up)];
    let stored = measure_twice(HEAVY, &names, &environment);
    assert_eq!(stored.ids(), ["first", "fails", "third"], "{stored:?}");
    assert_eq!(stored.launches("third").len(), 2);
}

#[test]
fn one_set_up_of_a_second_is_enough_for_one_launch() {
    let notes = Folder::new();
    let environment = [
        ("SUITE_SET_UP_MS", "1100".as_ref()),
        ("SUITE_NOTES", &*notes.0),
    ];
    let stored = measure_times("1", HEAVY, &["^first$", "^second$"], &environment);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let [first, second] = ["first", "second"].map(|id| stored.launches(id)[0].pid);
    assert_eq!(first, second);
    // A machine that was busy has launches made again; each process that had a set-up has made one.
    let processes = stored.processes(&["first", "second"]);
    assert_eq!(notes.count("heavy"), processes);
}
