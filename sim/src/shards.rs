use tourbillon_analysis::{Criteria, Design, judge};
use tourbillon_coordinator::values::{Partition, PartitionMethod};
use tourbillon_record::{Finding, Rounds};
use tourbillon_stats::step_down;

use crate::launches::frequency;
use crate::{Chance, Change, Claim, Comparison, Machine, Order, Proportion, Repeats, Table, Turns};

/// Cases of a suite, and shards that measure them.
const CASES: usize = 400;
const SHARDS: u64 = 4;
/// Rounds of a case: three looks.
const ROUNDS: u64 = 256;
/// What a gate may be wrong, over the whole suite.
const ERROR: f64 = 0.01;
/// One suite for so many repeats of other tables: it has many cases.
const FEWER: u32 = 100;

/// A gate over a suite that four machines measure, each of whose cases is slower by just what the gate allows: any
/// alarm is false.
pub fn shards(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A gate of 2 % over 400 cases in four shards, each case slower by just 2 %, error 1 %",
        &["what the shards do", "any false alarm"],
    );
    let machine = Machine {
        noise: 0.02,
        interruptions: 650.0,
        ..Machine::default()
    };
    let repeats = Repeats {
        count: repeats.count.div_ceil(FEWER),
        ..repeats.for_cell(720)
    };
    let alarms = repeats.of(|seed| suite(&machine, seed));
    for (number, name) in [
        "the error of the suite, divided by all cases",
        "the error of the suite each",
    ]
    .into_iter()
    .enumerate()
    {
        let claim = match number {
            0 => Claim::AtMost(ERROR),
            _ => Claim::Shown { upper: true },
        };
        table.row(name);
        table.share(
            Proportion::count(alarms.iter().map(|alarms| alarms[number])),
            claim,
        );
    }
    table
}

/// Whether any shard has an alarm: as the subcommand holds the gate, and with the error of the suite in each shard.
fn suite(machine: &Machine, seed: u64) -> [bool; 2] {
    let mut chance = Chance::new(seed);
    let comparison = Comparison {
        machine,
        change: Change::Times(1.02),
        order: Order::Coin,
        turns: Turns::Longer,
    };
    let cases: Vec<Rounds> = (0..CASES)
        .map(|_| comparison.pair(0, [1.0; 2], ROUNDS, chance.seed()))
        .collect();
    let is_slower = |case: usize, error| {
        let criteria = Criteria {
            margin: 0.02,
            error,
            limit: None,
            size: None,
        };
        let rounds = &cases[case..=case];
        let verdict = judge(Design::Functions, rounds, 0, 1, criteria, &frequency());
        verdict.finding == Finding::Slower
    };
    let mut alarms = [false; 2];
    for shard in 1..=SHARDS {
        let partition = Partition {
            method: PartitionMethod::Hash,
            shard,
            shards: SHARDS,
        };
        let own: Vec<usize> = (0..CASES)
            .filter(|case| partition.takes(&format!("shop/suite::case_{case}"), 0))
            .collect();
        for (alarm, elsewhere) in alarms.iter_mut().zip([CASES - own.len(), 0]) {
            let slower = step_down((own.len(), elsewhere), ERROR, |number, error| {
                is_slower(own[number], error)
            });
            *alarm |= !slower.is_empty();
        }
    }
    alarms
}
