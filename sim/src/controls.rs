use tourbillon_record::Rounds;
use tourbillon_stats::{Sample, Tail, mean, signed_rank_test, stddev};

use crate::builds::{ERROR, without_chance};
use crate::functions::{COUNTABLE, without_margin};
use crate::{Change, Claim, Comparison, Machine, Order, Proportion, Repeats, Table, Turns};

/// Pairs that are looked at one by one.
const PEEKED: std::ops::RangeInclusive<usize> = 61..=256;
/// The standard normal quantile of an error of 5 %.
const Z: f64 = 1.959_964;

/// What must fail, each followed by what makes it right.
pub fn controls(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Negative controls: how often code differs from itself",
        &["what is done", "error that it claims", "error"],
    );
    let noisy = Machine {
        noise: 0.03,
        ..Machine::default()
    };
    let biased = Machine {
        second_of_round: 0.01,
        ..noisy.clone()
    };
    let periodic = Machine {
        period_4: 0.05,
        ..noisy.clone()
    };
    let comparison = |machine, order| Comparison {
        machine,
        change: Change::Times(1.0),
        order,
        turns: Turns::Longer,
    };
    let mut row = |name: &str, claimed: f64, fails: bool, found: Proportion| {
        table.row(name);
        table.text(format!("{:.1} %", 100.0 * claimed));
        let claim = if fails {
            Claim::FailsAbove(claimed)
        } else {
            Claim::AtMost(claimed)
        };
        table.share(found, claim);
    };
    for (number, (name, machine, order)) in [
        (
            "reference always first, later batches 1 % slower",
            &biased,
            Order::Fixed,
        ),
        ("the same, a coin for each round", &biased, Order::Coin),
        ("ABBA, noise of period 4", &periodic, Order::Abba),
        ("the same, a coin for each round", &periodic, Order::Coin),
    ]
    .into_iter()
    .enumerate()
    {
        let own = repeats.for_cell(600 + number as u64);
        let found = without_margin(&comparison(machine, order), own).missed(1.0);
        row(name, COUNTABLE, order != Order::Coin, found);
    }
    let coin = comparison(&noisy, Order::Coin);
    let looked = repeats
        .for_cell(610)
        .of(|seed| peeks(&pairs(&coin, 256, seed)));
    let once = looked.iter().map(|&(_, at_the_end)| at_the_end);
    row(
        "a look after each of 256 pairs, each at 5 %",
        COUNTABLE,
        true,
        Proportion::count(looked.iter().map(|&(ever, _)| ever)),
    );
    row(
        "the same, one look at the end",
        COUNTABLE,
        false,
        Proportion::count(once),
    );
    let trimmed = repeats
        .for_cell(611)
        .of(|seed| trims(pairs(&coin, 256, seed)));
    row(
        "a tenth trimmed at either end, then a standard error",
        COUNTABLE,
        true,
        Proportion::count(trimmed.iter().map(|&(trimmed, _)| trimmed)),
    );
    row(
        "the same, nothing trimmed",
        COUNTABLE,
        false,
        Proportion::count(trimmed.iter().map(|&(_, whole)| whole)),
    );
    for (name, fails, found) in without_chance(repeats) {
        row(name, ERROR, fails, found);
    }
    table
}

/// The log ratios of so many rounds, in their order.
fn pairs(comparison: &Comparison<'_>, count: u64, seed: u64) -> Vec<f64> {
    let rounds: Rounds = comparison.pair(0, [1.0; 2], count, seed);
    let mut pairs = vec![[0.0; 2]; count as usize];
    for ((round, arm), ticks) in rounds.round.iter().zip(&rounds.arm).zip(&rounds.ticks) {
        if let Some(log) = pairs[*round as usize].get_mut(usize::from(*arm)) {
            *log = (*ticks as f64).ln();
        }
    }
    pairs
        .iter()
        .map(|[reference, candidate]| candidate - reference)
        .collect()
}

/// Whether a test at 5 % fires at any look, and at the last one.
fn peeks(pairs: &[f64]) -> (bool, bool) {
    let fires = |count: usize| {
        let p = Sample::new(pairs[..count].to_vec())
            .map(|sample| signed_rank_test(&sample, 0.0, Tail::Either).get());
        p.is_ok_and(|p| p <= COUNTABLE)
    };
    (PEEKED.into_iter().any(fires), fires(*PEEKED.end()))
}

/// Whether the mean is further than a standard error allows from 0, with and without trimming.
fn trims(mut pairs: Vec<f64>) -> (bool, bool) {
    pairs.sort_by(f64::total_cmp);
    let tenth = pairs.len() / 10;
    let fires = |values: &[f64]| {
        Sample::new(values.to_vec()).is_ok_and(|sample| {
            let error = stddev(&sample).unwrap_or(0.0) / (sample.len() as f64).sqrt();
            mean(&sample).abs() > Z * error
        })
    };
    (fires(&pairs[tenth..pairs.len() - tenth]), fires(&pairs))
}
