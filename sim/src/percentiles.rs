use tourbillon_record::{Calls, LaunchSamples, Metric};

use crate::coverage::{LAUNCHES, covers, of, results};
use crate::launches::frequency;
use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Ticks of a usual call.
const USUAL: f64 = 30_000.0;
/// Calls of a launch: as many as p99.9 needs.
const CALLS: usize = 10_000;
/// Processes differ by so much either way, in cells where they do.
const SPREAD: f64 = 0.02;
/// The 99.5th percentile of the standard normal distribution.
const Z_99_5: f64 = 2.575_829;

/// What a call takes, in ticks, and the percentiles of that: p50, p90, p99 and p99.9.
struct Body {
    name: &'static str,
    draw: fn(&mut Chance) -> f64,
    truth: [f64; 4],
    /// By how much processes differ, as a share.
    spread: f64,
}

/// Bodies with a light tail, with heavy ones, with two modes, and with processes that differ.
///
/// Normal quantiles: 1.281552, 2.326348 and 3.090232 for 0.9, 0.99 and 0.999; for the mixture those of 0.5 / 0.95,
/// 0.9 / 0.95, 0.8 and 0.98.
fn bodies() -> [Body; 5] {
    let log_normal = |z: f64| USUAL * (0.3 * z).exp();
    let normals = [0.0, 1.281_552, 2.326_348, 3.090_232];
    let pareto = |beyond: f64| USUAL * beyond.powf(-1.0 / 1.5);
    let stall = |beyond: f64| 5.0 * USUAL * beyond.powf(-1.0 / 1.2);
    let stalls = |spread| Body {
        name: if spread > 0.0 {
            "stalls, processes differ by up to 2 %"
        } else {
            "1.5 % of the calls stall, by a Pareto law of shape 1.2"
        },
        draw: |chance| {
            if chance.happens(0.015) {
                chance.pareto(5.0 * USUAL, 1.2)
            } else {
                USUAL * (1.0 + 0.02 * chance.uniform())
            }
        },
        truth: [
            USUAL * (1.0 + 0.02 * 0.5 / 0.985),
            USUAL * (1.0 + 0.02 * 0.9 / 0.985),
            stall(0.01 / 0.015),
            stall(0.001 / 0.015),
        ],
        spread,
    };
    [
        Body {
            name: "log-normal",
            draw: |chance| USUAL * (0.3 * chance.normal()).exp(),
            truth: normals.map(log_normal),
            spread: 0.0,
        },
        Body {
            name: "Pareto of shape 1.5: no variance",
            draw: |chance| chance.pareto(USUAL, 1.5),
            truth: [0.5, 0.1, 0.01, 0.001].map(pareto),
            spread: 0.0,
        },
        Body {
            name: "95 % short calls, 5 % three times as long",
            draw: |chance| {
                let (mode, width) = if chance.happens(0.05) {
                    (3.0 * USUAL, 0.05)
                } else {
                    (USUAL, 0.01)
                };
                mode * (width * chance.normal()).exp()
            },
            truth: [
                USUAL * (0.01_f64 * 0.066_012).exp(),
                USUAL * (0.01_f64 * 1.619_856).exp(),
                3.0 * USUAL * (0.05_f64 * 0.841_621).exp(),
                3.0 * USUAL * (0.05_f64 * 2.053_749).exp(),
            ],
            spread: 0.0,
        },
        stalls(0.0),
        stalls(SPREAD),
    ]
}

/// How often the intervals of percentiles cover them: a tenth of the repeats in each cell. The control takes the
/// calls of all launches as independent.
pub fn percentiles(repeats: Repeats) -> Vec<Table> {
    let repeats = Repeats {
        count: repeats.count.div_ceil(10),
        ..repeats
    };
    let mut table = Table::new(
        "Percentiles of 20 launches of 10,000 calls, intervals of 99 %",
        &[
            "calls",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "p50, all calls as one sample",
        ],
    );
    for (cell, body) in bodies().into_iter().enumerate() {
        let all = repeats
            .for_cell(11_000 + cell as u64)
            .of(|seed| try_one(&body, seed));
        table.row(body.name);
        for percentile in 0..4 {
            let covered = all.iter().map(|tried| tried.0[percentile]);
            table.share(Proportion::count(covered), Claim::AtLeast(0.99));
        }
        let control = if body.spread > 0.0 {
            Claim::FailsBelow(0.99)
        } else {
            Claim::Shown { upper: false }
        };
        table.share(Proportion::count(all.iter().map(|tried| tried.1)), control);
    }
    vec![table]
}

/// Whether each percentile's interval covers it, and whether the control's interval covers p50.
fn try_one(body: &Body, seed: u64) -> ([bool; 4], bool) {
    let mut chance = Chance::new(seed);
    let mut together = Vec::new();
    let launches: Vec<LaunchSamples> = (0..LAUNCHES)
        .map(|launch| {
            let factor = 1.0 + body.spread * (2.0 * chance.uniform() - 1.0);
            let mut ticks: Vec<u64> = (0..CALLS)
                .map(|_| ((body.draw)(&mut chance) * factor) as u64)
                .collect();
            ticks.sort_unstable();
            together.extend_from_slice(&ticks);
            LaunchSamples {
                launch,
                calls: Some(Box::new(histogram(&ticks))),
                ..LaunchSamples::default()
            }
        })
        .collect();
    let found = results(&launches);
    let nanos_per_tick = frequency().nanos(1 << 40) as f64 / (1_u64 << 40) as f64;
    let mut covered = [false; 4];
    for (index, metric) in Metric::PERCENTILES.into_iter().enumerate() {
        // A reading is the whole number of ticks below the time.
        let truth = (body.truth[index] - 0.5) * nanos_per_tick;
        covered[index] = covers(of(&found, metric), truth);
    }
    (covered, covers_as_one(&mut together, 0.5, body.truth[0]))
}

/// Durations in ascending order, as a record has them.
fn histogram(ticks: &[u64]) -> Calls {
    let mut calls = Calls {
        longest_ticks: ticks.last().copied().unwrap_or(0),
        reading_ticks: vec![60],
        step_ticks: 1,
        ..Calls::default()
    };
    for bucket in ticks.chunk_by(|one, next| Calls::bucket(*one) == Calls::bucket(*next)) {
        calls.ticks.push(Calls::bucket(bucket[0]));
        calls.count.push(bucket.len() as u64);
    }
    calls
}

/// Whether the interval between two ranks of all calls, as if they were independent, covers a percentile.
fn covers_as_one(ticks: &mut [u64], share: f64, truth: f64) -> bool {
    let count = ticks.len() as f64;
    let half = Z_99_5 * (count * share * (1.0 - share)).sqrt();
    let last = ticks.len().saturating_sub(1);
    let mut at = |rank: f64| *ticks.select_nth_unstable((rank as usize).min(last)).1 as f64;
    at((count * share - half).max(0.0)) <= truth && truth <= at((count * share + half).ceil()) + 1.0
}
