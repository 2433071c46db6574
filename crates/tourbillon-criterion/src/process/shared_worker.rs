//! Shared workers: which targets have a set-up so long that one worker measures all their benchmarks after each other.

use std::collections::HashMap;

use tourbillon_coordinator::runner::silence::timeout_of_set_up;
use tourbillon_criterion_files::UniqueNames;
use tourbillon_record::CaseOptions;

use super::SILENCE_NS;
use super::discovery::Discovered;

/// Set-up above which a target has a shared worker, in nanoseconds: the start of a process and a launch take about ten
/// milliseconds.
const LONG_NS: u64 = 25_000_000;
/// Time of set-ups for each benchmark that is spent on more launches than the needed ones, in nanoseconds.
const USUAL_NS: u64 = 500_000_000;
/// Launches that have an interval across processes, and those of an interval that is no wider than usual.
const NEEDED: u64 = 8;
const USUAL: u64 = 20;

/// A target whose benchmarks are measured by one worker, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedWorker {
    /// Its number.
    pub(super) group: u32,
    /// How many such workers it gets.
    pub(super) launches: u32,
}

/// The targets with a shared worker. `max_time_ns` is a limit that the command line sets for each benchmark.
pub(super) fn shared_workers(
    found: &[Discovered],
    max_time_ns: Option<u64>,
) -> HashMap<String, SharedWorker> {
    let mut targets: HashMap<&str, Vec<&Discovered>> = HashMap::new();
    for one in found.iter().filter(|one| one.selected) {
        targets.entry(&one.target).or_default().push(one);
    }
    let mut shared_workers = HashMap::new();
    for one in found {
        let Some(members) = targets.remove(one.target.as_str()) else {
            continue;
        };
        let set_up_ns = members.iter().map(|one| one.setup_ns).max().unwrap_or(0);
        if set_up_ns <= LONG_NS || !knows_its_ids(found, &one.target) {
            continue;
        }
        let shared_worker = SharedWorker {
            group: shared_workers.len() as u32,
            launches: launches(&members, set_up_ns, max_time_ns),
        };
        shared_workers.insert(one.target.clone(), shared_worker);
    }
    shared_workers
}

/// Launches of benchmarks with a set-up that takes so long: twenty where that is quick, eight where criterion would
/// take as long, else as many as fit into its time beside the process that listed the benchmarks.
pub(super) fn launches(members: &[&Discovered], set_up_ns: u64, max_time_ns: Option<u64>) -> u32 {
    let count = members.len() as u64;
    let fits = |time_ns: u64| time_ns / set_up_ns.max(1);
    let launches = match max_time_ns {
        Some(time_ns) => fits(count.saturating_mul(time_ns)).clamp(1, USUAL),
        None => {
            let time_ns = members.iter().map(|one| one.time_ns);
            // criterion executes the set-up once, as the process that listed the benchmarks did.
            let needed = fits(time_ns.fold(0, u64::saturating_add));
            fits(count * USUAL_NS).clamp(needed.clamp(1, NEEDED), USUAL)
        }
    };
    launches as u32
}

/// Settings of a benchmark: it may take what criterion would spend on it, where eight launches need that. `timeout_ns`
/// is a limit of silence that the command line sets.
pub(super) fn options(
    found: &Discovered,
    shared_worker: Option<SharedWorker>,
    timeout_ns: Option<u64>,
) -> CaseOptions {
    CaseOptions {
        interval_time_ns: Some(found.time_ns),
        timeout_ns: timeout_of_set_up(found.setup_ns, timeout_ns.or(Some(SILENCE_NS))),
        shared_worker: shared_worker
            .map(|shared_worker| (shared_worker.group, shared_worker.launches)),
        ..CaseOptions::default()
    }
}

/// Whether a worker that runs this target, and what is outside of targets, finds the ids of all targets: numbers of
/// repeated names may count those of other targets.
fn knows_its_ids(found: &[Discovered], target: &str) -> bool {
    let mut ids = UniqueNames::ids();
    let runs = |one: &&Discovered| one.target == target || one.target.is_empty();
    found
        .iter()
        .filter(runs)
        .all(|one| ids.next(&one.named.id()) == one.id || one.target != target)
}

#[cfg(test)]
mod tests {
    use tourbillon_criterion_files::BenchmarkName;

    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn of_target(target: &str, count: u64, set_up_ns: u64) -> Vec<Discovered> {
        let one = |number| Discovered {
            named: BenchmarkName {
                group: format!("{target} {number}"),
                ..BenchmarkName::default()
            },
            id: format!("{target} {number}"),
            target: target.to_owned(),
            selected: true,
            setup_ns: set_up_ns,
            time_ns: 8 * SECOND,
            ..Discovered::default()
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn launches_by_the_length_of_the_set_up() {
        for (count, set_up_ns, max_time_ns, expected) in [
            (20, LONG_NS, None, None),
            (20, LONG_NS + 1, None, Some(20)),
            (20, SECOND / 2, None, Some(20)),
            (20, SECOND, None, Some(10)),
            (20, 5 * SECOND, None, Some(8)),
            (20, 30 * SECOND, None, Some(5)),
            (1, SECOND, None, Some(8)),
            (1, 5 * SECOND, None, Some(1)),
            (13, 200 * SECOND, None, Some(1)),
            (20, 5 * SECOND, Some(SECOND), Some(4)),
            (1, 5 * SECOND, Some(SECOND), Some(1)),
        ] {
            let found = of_target("t", count, set_up_ns);
            let shared_workers = shared_workers(&found, max_time_ns);
            let launches = shared_workers
                .get("t")
                .map(|shared_worker| shared_worker.launches);
            assert_eq!(launches, expected, "{count} {set_up_ns} {max_time_ns:?}");
        }
    }

    #[test]
    fn only_targets_that_know_their_ids_have_shared_workers() {
        let mut found = of_target("a", 2, SECOND);
        found.extend(of_target("b", 2, SECOND));
        found.extend(of_target("quick", 2, 0));
        // Outside of targets, in a `main` of a suite's own.
        found.extend(of_target("", 2, SECOND));
        assert_eq!(shared_workers(&found, None).len(), 3);
        // A second "a 0", of the target b.
        found[2].named = found[0].named.clone();
        found[2].id = "a 0 #2".to_owned();
        let groups = shared_workers(&found, None);
        assert!(groups.len() == 2 && !groups.contains_key("b"), "{groups:?}");
        for one in &mut found {
            one.selected = false;
        }
        assert!(shared_workers(&found, None).is_empty());
    }

    #[test]
    fn a_long_set_up_is_not_a_hang() {
        for (set_up_ns, requested_ns, expected) in [
            (1_000, None, Some(300 * SECOND)),
            (29 * SECOND, None, Some(300 * SECOND)),
            (31 * SECOND, None, Some(310 * SECOND)),
            (1_000, Some(SECOND), Some(SECOND)),
            (31 * SECOND, Some(SECOND), Some(310 * SECOND)),
        ] {
            let found = Discovered {
                setup_ns: set_up_ns,
                time_ns: 8,
                ..Discovered::default()
            };
            let options = options(&found, None, requested_ns);
            assert_eq!(options.timeout_ns, expected, "{set_up_ns} {requested_ns:?}");
            assert_eq!(options.interval_time_ns, Some(8));
        }
    }
}
