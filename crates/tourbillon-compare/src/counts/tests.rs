//! Counts of builds that are made up.

use tourbillon_record::{Counted, EventCounts, Steps};
use tourbillon_stepper::PAIRS;

use super::*;

/// A memory launch whose rows have one iteration and this many requests of 8 bytes.
pub(crate) fn memory(requests: &[u64]) -> Memory {
    let column = |times: u64| requests.iter().map(|count| count * times).collect();
    Memory {
        case: "c".to_owned(),
        launch: 0,
        seed: 0,
        pid: 0,
        started_unix_ns: 0,
        arm: None,
        terminal: "iter".to_owned(),
        drop_inside: false,
        ops_per_iteration: 1,
        iterations: vec![1; requests.len()],
        counts: Ok(Counted {
            allocs: column(1),
            frees: column(1),
            reallocs_in_place: column(0),
            reallocs_moved: column(0),
            allocated_bytes: column(8),
            freed_bytes: column(8),
            copied_bytes: column(0),
            peak_bytes: column(8),
            requests_elsewhere: column(0),
        }),
        resident: Err("unknown".to_owned()),
        launch_ns: 1,
        unknown: String::new(),
    }
}

/// Two launches of each build with this many requests in the rows.
pub(crate) fn counts(then: [&[u64]; 2], now: [&[u64]; 2]) -> Counts {
    let launches = |of: [&[u64]; 2]| Tally::Counted(of.map(memory).into());
    Counts {
        sides: [launches(then), launches(now)],
        ..Counts::default()
    }
}

fn allocs(counts: &Counts) -> (String, &'static str) {
    let pairs = counts.pairs("c");
    let pair = pairs.first().expect("a count");
    assert_eq!(pair.metric, Metric::Allocs);
    (pair.change(), pair.finding())
}

#[test]
fn exact_counts_are_equal_or_not() {
    let three: [&[u64]; 2] = [&[9, 3, 3], &[9, 3, 3]];
    let four: [&[u64]; 2] = [&[9, 4, 4], &[9, 4, 4]];
    assert_eq!(
        allocs(&counts(three, three)),
        ("3 allocs instead of 3".to_owned(), "same")
    );
    assert_eq!(
        allocs(&counts(three, four)),
        ("4 allocs instead of 3".to_owned(), "more")
    );
    assert_eq!(
        allocs(&counts(four, three)),
        ("3 allocs instead of 4".to_owned(), "fewer")
    );
    let pairs = counts(three, four).pairs("c");
    let bytes = pairs.iter().find(|pair| pair.metric == Metric::Bytes);
    assert_eq!(
        bytes.map(Pair::change),
        Some("32 B instead of 24 B".to_owned())
    );
}

#[test]
fn counts_that_vary_differ_by_more_than_they_vary() {
    let varying: [&[u64]; 2] = [&[9, 3, 5], &[9, 4, 3]];
    let within: [&[u64]; 2] = [&[9, 5, 5], &[9, 5, 5]];
    let beyond: [&[u64]; 2] = [&[9, 6, 8], &[9, 7, 7]];
    assert_eq!(
        allocs(&counts(varying, within)),
        ("5 allocs instead of 3 to 5".to_owned(), "same")
    );
    assert_eq!(
        allocs(&counts(varying, beyond)),
        ("6 to 8 allocs instead of 3 to 5".to_owned(), "more")
    );
}

#[test]
fn instructions_are_compared_by_equality() {
    let launch = |instructions: [u64; 3]| Stepped {
        counts: Ok(Steps {
            iterations: vec![1, 2, 1],
            instructions: instructions.to_vec(),
            empty: vec![36, 38],
            ..Steps::default()
        }),
        ..Stepped::default()
    };
    let absent = Stepped {
        counts: Err("threads".to_owned()),
        ..Stepped::default()
    };
    let [hundred, more] = [[136, 238, 136], [140, 246, 140]].map(launch);
    let of = |then: &Stepped, now: &Stepped| Counts {
        stepped: [then, now].map(|launch| vec![launch.clone()]),
        ..Counts::default()
    };
    let text = |counts: &Counts| {
        let pairs = counts.pairs("c");
        let pair = pairs.first().expect("a count");
        assert_eq!(CountKind::of(pair.metric), CountKind::Instructions);
        (pair.change(), pair.finding())
    };
    let grown = of(&hundred, &more);
    let expected = ("104 instructions instead of 100".to_owned(), "more");
    assert_eq!(text(&grown), expected);
    assert!(!grown.are_unknown(CountKind::Instructions));
    assert_eq!(text(&of(&more, &more)).1, "same");
    let gap = of(&hundred, &absent);
    assert_eq!(gap.gap(CountKind::Instructions), Some((1, "threads")));
    assert!(gap.are_unknown(CountKind::Instructions));
    assert!(Counts::default().are_unknown(CountKind::Instructions));
    assert_eq!(gap.gap(CountKind::Allocations), None);
}

/// Rounds of an event that comes so often in an op.
pub(crate) fn events(metric: Metric, each: [u64; PAIRS as usize]) -> Stepped {
    let mut event = EventCounts {
        name: metric.name().to_owned(),
        ..EventCounts::default()
    };
    for (launch, each) in (0..).zip(each) {
        for iterations in [10, 20] {
            event.launch.push(launch);
            event.iterations.push(iterations);
            event.counts.push(iterations * each + 1_000);
        }
    }
    Stepped {
        counts: Ok(Steps::default()),
        events: Some(vec![event]),
        ..Stepped::default()
    }
}

#[test]
fn events_are_compared_by_pairs_of_launches() {
    let mut then = [1_000; PAIRS as usize];
    then[1..5].copy_from_slice(&[1_500, 1_200, 1_100, 1_300]);
    let of = |now: [u64; PAIRS as usize], metric| Counts {
        events: [then, now].map(|each| Some(events(metric, each))),
        ..Counts::default()
    };
    let misses = of(then.map(|count| count + 20), Metric::BranchMisses);
    let pairs = misses.pairs("c");
    let pair = pairs.first().expect("a count");
    // Launches differ by much more than the builds.
    assert!(pair.differs() && pair.is_more());
    assert_eq!(pair.finding(), "more");
    let limits = [
        (AllocLimits::Share(0.01), true),
        (AllocLimits::More(19.0), true),
        (AllocLimits::Share(0.03), false),
        (AllocLimits::Any, false),
    ];
    for (limit, exceeds) in limits {
        assert_eq!(pair.exceeds(limit), Some(exceeds), "{limit:?}");
    }
    assert!(
        pair.change().contains(" branch_misses instead of "),
        "{}",
        pair.change()
    );
    let kind = CountKind::of(pair.metric);
    assert_eq!(kind.outcome(pair.is_more()), Outcome::Worse);
    let same = of(then, Metric::BranchMisses).pairs("c");
    assert_eq!(same[0].finding(), "same");
    let absent = Counts {
        events: [None, Some(events(Metric::Branches, then))],
        ..Counts::default()
    };
    assert!(absent.pairs("c").is_empty());
}

/// Counts of both builds, of which so many launches are there.
pub(crate) fn few_events(count: usize, each: [u64; 2]) -> Counts {
    let launch = |each| {
        let mut launch = events(Metric::BranchMisses, [each; PAIRS as usize]);
        for event in launch.events.iter_mut().flatten() {
            event.launch.truncate(2 * count);
            event.iterations.truncate(2 * count);
            event.counts.truncate(2 * count);
        }
        Some(launch)
    };
    Counts {
        events: each.map(launch),
        ..Counts::default()
    }
}

#[test]
fn events_of_too_few_launches_are_undecided() {
    let of = |count, each, limit| {
        let pairs = few_events(count, each).pairs("c");
        (pairs[0].finding(), pairs[0].exceeds(limit))
    };
    let twentieth = AllocLimits::Share(0.05);
    assert_eq!(of(20, [100, 110], twentieth), ("more", Some(true)));
    assert_eq!(of(19, [100, 110], twentieth), ("undecided", None));
    // More of it is not excluded, more than is allowed is.
    assert_eq!(of(19, [100, 104], twentieth), ("undecided", Some(false)));
    assert_eq!(of(2, [100, 100], twentieth), ("same", Some(false)));
}

#[test]
fn more_instructions_in_a_cycle_are_better() {
    let launch = |cycles: u64| {
        let mut both = events(Metric::CpuCycles, [cycles; PAIRS as usize]);
        let instructions = events(Metric::CpuInstructions, [300; PAIRS as usize]);
        both.events
            .as_mut()
            .unwrap()
            .extend(instructions.events.unwrap());
        Some(both)
    };
    let counts = Counts {
        events: [launch(150), launch(100)],
        ..Counts::default()
    };
    let pairs = counts.pairs("c");
    let ipc = pairs
        .iter()
        .find(|pair| pair.metric == Metric::Ipc)
        .expect("a quotient");
    assert_eq!((ipc.finding(), ipc.is_more()), ("more", false));
}

#[test]
fn missing_counts_of_one_side_are_reported() {
    let unable = || Tally::Unable("no meter".to_owned());
    let gap = |sides| {
        let counts = Counts {
            sides,
            ..Counts::default()
        };
        counts
            .gap(CountKind::Allocations)
            .map(|(side, why)| (side, why.to_owned()))
    };
    let counted = || Tally::Counted(vec![memory(&[1, 1])]);
    assert_eq!(gap([unable(), unable()]), None);
    assert_eq!(gap([Tally::NotRequested, Tally::NotRequested]), None);
    assert_eq!(gap([counted(), counted()]), None);
    assert_eq!(gap([counted(), unable()]), Some((1, "no meter".to_owned())));
    let failed = Tally::Failed("panic".to_owned());
    assert_eq!(
        gap([failed, Tally::NotRequested]),
        Some((0, "panic".to_owned()))
    );
    let alone = Counts {
        sides: [counted(), unable()],
        ..Counts::default()
    };
    assert!(alone.pairs("c").is_empty());
}
