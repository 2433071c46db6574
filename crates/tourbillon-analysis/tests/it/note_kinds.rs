//! Of each kind of note an innocent case, on which it stays silent, and a guilty one, on which it speaks.

use std::num::NonZeroU64;

use tourbillon_analysis::synthetic::{Model, contend, frequency};
use tourbillon_analysis::{Rules, Tally, estimate, void_times};
use tourbillon_record::{ClockCheck, FixedItem, LaunchSamples, Metric, Note};
use tourbillon_stats::Confidence;

use crate::notes::on_threads;
use crate::{amounts, calls, overlap, waiting};

/// What a case was measured to be, on a machine that others may have used too.
struct Measured {
    launches: Vec<LaunchSamples>,
    tally: Tally,
    /// By how much the measuring clock deviated from the system's.
    clock_ppm: f64,
}

impl From<Vec<LaunchSamples>> for Measured {
    fn from(launches: Vec<LaunchSamples>) -> Measured {
        Measured {
            launches,
            tally: Tally::default(),
            clock_ppm: 900.0,
        }
    }
}

impl Measured {
    /// Whether a kind of note is in one of the results.
    fn has(&self, kind: &str) -> bool {
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::P99,
            core_cache_bytes: Some(waiting::CACHE),
        };
        let mut results = estimate("x", &self.launches, &self.tally, &rules);
        let check = ClockCheck {
            deviation_ppm: self.clock_ppm,
            bound_ppm: 1.0,
            baseline_ns: 1_000_000_000,
        };
        if let Some(ppm) = rules.frequency.disagreement(&check) {
            void_times(&mut results, ppm);
        }
        let mut notes = results.iter().flat_map(|result| &result.notes);
        notes.any(|note| note.name() == kind)
    }
}

/// Launches of a body that computes, whose processes differ a little.
fn pure() -> Vec<LaunchSamples> {
    let model = Model {
        process_spread: 0.002,
        ..Model::default()
    };
    model.launches("x", 20)
}

/// The same beside load: one batch in eight is interrupted.
fn beside_load() -> Vec<LaunchSamples> {
    let model = Model {
        process_spread: 0.002,
        interrupted: NonZeroU64::new(8),
        ..Model::default()
    };
    model.launches("x", 20)
}

/// Changes so many of the launches.
fn changed(count: usize, change: impl Fn(&mut LaunchSamples)) -> Measured {
    let mut launches = beside_load();
    launches[..count].iter_mut().for_each(change);
    launches.into()
}

fn tallied(tally: Tally) -> Measured {
    Measured {
        tally,
        ..pure().into()
    }
}

fn beside_one_slow_launch(cycles_per_op: f64) -> Measured {
    let mut launches = pure();
    launches[7] = Model {
        cycles_per_op,
        ..Model::default()
    }
    .launches("x", 8)
    .remove(7);
    launches.into()
}

/// Long batches take so many ticks more than twice a short one.
fn curved(ticks: u64) -> Measured {
    changed(20, |launch| {
        let batches = &mut launch.batches;
        for (kind, one) in batches.kind.iter().zip(&mut batches.ticks) {
            *one += if *kind == 2 { ticks } else { 0 };
        }
    })
}

/// A body that times itself, whose batches take this long besides what their ops take.
fn fixed(fixed_ticks: f64) -> Measured {
    let model = Model {
        cycles_per_op: 10.0,
        fixed_ticks,
        ..Model::default()
    };
    let mut launches = model.launches("x", 20);
    for batches in launches.iter_mut().map(|launch| &mut launch.batches) {
        let all = batches.kind.iter().zip(&batches.ticks);
        let kept = all.filter(|(kind, _)| **kind > 0);
        (batches.kind, batches.ticks) = kept.map(|(kind, ticks)| (*kind, *ticks)).unzip();
    }
    launches.into()
}

/// One item alone takes this share of an op.
fn fixed_item(share: f64) -> Measured {
    changed(20, |launch| {
        launch.fixed_item = Some(FixedItem {
            short_ticks: vec![(70_000.0 * share) as u64 + 40; 3],
            long_ticks: vec![(140_000.0 * share) as u64 + 40; 3],
        });
    })
}

/// Pauses that leave 55 ticks each; what was calibrated is so many times that.
fn paused(times: u64) -> Measured {
    let model = Model {
        pauses: Some((1_000, 55)),
        ..Model::default()
    };
    let mut launches = model.launches("x", 20);
    for pauses in launches.iter_mut().filter_map(|one| one.pauses.as_mut()) {
        pauses.residual_ticks.fill(times * 5_500);
    }
    launches.into()
}

/// Calls of 10 µs, the clock of which takes so many ticks to read; due so often, if at all.
fn timed_calls(reading: u64, per_second: Option<f64>) -> Measured {
    let mut launches = calls::launches(20, 1_000, 0, calls::mixture);
    for of in launches.iter_mut().filter_map(|one| one.calls.as_mut()) {
        of.reading_ticks = vec![reading];
        of.per_second = per_second;
    }
    launches.into()
}

fn cpu_time(step_ns: Option<u64>) -> Measured {
    let amount = |_, kind: u8, _| f64::from(kind) * 12_000.0 + 300.0;
    amounts::measured(pure(), Metric::CpuTime, step_ns, amount).into()
}

/// Something else had the processor for this share of the time.
fn waited(share: f64) -> Measured {
    changed(20, |launch| {
        let ticks: u64 = launch.batches.ticks.iter().sum();
        launch.counted.waited_ns = Some((share * ticks as f64 / 2.6) as u64);
    })
}

/// Most launches touch so many new pages.
fn touched(launches: usize) -> Measured {
    changed(launches, |launch| launch.counted.page_faults = Some(10_000))
}

/// A kind, an innocent case and a guilty one.
type Row = (&'static str, fn() -> Measured, fn() -> Measured);

const TABLE: &[Row] = &[
    (
        "slow_launches",
        || beside_load().into(),
        || beside_one_slow_launch(161.0),
    ),
    (
        "failed_launches",
        // Discarded ones have not failed.
        || changed(5, |launch| contend(launch, 1.9, 0.0)),
        || {
            tallied(Tally {
                failed: 1,
                ..Tally::default()
            })
        },
    ),
    ("curvature", || curved(0), || curved(14_000)),
    ("constant_time", || fixed(7_000.0), || fixed(1e6)),
    (
        "not_warm",
        || changed(5, |launch| launch.warmup.settled = false),
        || changed(6, |launch| launch.warmup.settled = false),
    ),
    (
        "threads_left",
        // A runtime whose threads go to sleep late.
        || changed(10, |launch| launch.working_threads = Some(4)),
        || changed(11, |launch| launch.working_threads = Some(2)),
    ),
    (
        "uneven_threads",
        || on_threads(2, 2, 140_000, 161_000).into(),
        || on_threads(2, 2, 70_000, 140_000).into(),
    ),
    (
        "oversubscribed",
        || on_threads(2, 2, 1_000, 1_000).into(),
        || on_threads(3, 2, 1_000, 1_000).into(),
    ),
    // A vector that grows now and then.
    ("pages_touched", || touched(10), || touched(11)),
    (
        "writes",
        || changed(10, |launch| launch.counted.written_bytes = Some(4_096)),
        || changed(11, |launch| launch.counted.written_bytes = Some(4_096)),
    ),
    (
        "contended",
        || beside_load().into(),
        || changed(5, |launch| contend(launch, 1.9, 0.0)),
    ),
    ("waited", || waited(0.04), || waited(0.2)),
    ("correction_too_large", || paused(1), || paused(3)),
    (
        "few_launches",
        || beside_load()[..8].to_vec().into(),
        || beside_load()[..7].to_vec().into(),
    ),
    (
        "shortened",
        || beside_load()[..8].to_vec().into(),
        || {
            tallied(Tally {
                shortened_from: Some(30),
                ..Tally::default()
            })
        },
    ),
    (
        "launches_requested",
        || beside_load().into(),
        || {
            tallied(Tally {
                took_ns: Some(3_000_000_000),
                ..Tally::default()
            })
        },
    ),
    ("fixed_item", || fixed_item(1.05), || fixed_item(0.5)),
    (
        "overlaps",
        || overlap::launches(116.0).into(),
        || overlap::launches(150.0).into(),
    ),
    (
        "skewed",
        || beside_load().into(),
        || beside_one_slow_launch(161.0),
    ),
    ("sampled", || cpu_time(None), || cpu_time(Some(4_000_000))),
    (
        "waits_for_memory",
        || waiting::launches(0.2, 0.001, true, Some(16 * waiting::CACHE)).into(),
        || waiting::launches(0.2, 0.001, false, Some(16 * waiting::CACHE)).into(),
    ),
    (
        "scheduled",
        || timed_calls(65, None),
        || timed_calls(65, Some(50_000.0)),
    ),
    (
        "rate_not_held",
        || timed_calls(65, Some(50_000.0)),
        || timed_calls(65, Some(101_000.0)),
    ),
    (
        "calls_too_short",
        || timed_calls(65, None),
        || timed_calls(500, None),
    ),
    (
        "clocks_disagree",
        // The system's clock is being corrected.
        || pure().into(),
        || Measured {
            clock_ppm: -47_619.0,
            ..pure().into()
        },
    ),
];

/// Those of processes and of a precision, which are made where workers are.
const OF_PROCESSES: [&str; 6] = [
    "imprecise",
    "processes_left",
    "not_counted",
    "not_stepped",
    "events_absent",
    "system_calls",
];

#[test]
fn notes_speak_of_the_guilty_only() {
    for (kind, innocent, guilty) in TABLE {
        assert!(!innocent().has(kind), "{kind}: innocent");
        assert!(guilty().has(kind), "{kind}: guilty");
    }
}

#[test]
fn every_kind_has_a_row() {
    let rows = TABLE.iter().map(|(kind, ..)| *kind);
    let mut covered: Vec<&str> = rows.chain(OF_PROCESSES).collect();
    let mut all = Note::NAMES.to_vec();
    covered.sort_unstable();
    all.sort_unstable();
    assert_eq!(covered, all);
}
