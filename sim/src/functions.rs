use tourbillon_analysis::Criteria;
use tourbillon_record::Finding;

use crate::verdicts::{Tally, power};
use crate::{Change, Claim, Comparison, Interruption, Machine, Order, Repeats, Table, Turns};

/// Rounds after which a comparison of a function with itself ends undecided: a quarter of a second.
const MOST_ROUNDS_OF_ONE: u64 = 1_024;
/// Rounds after which a comparison of functions that differ ends undecided: half a second.
const MOST_ROUNDS: u64 = 2_048;
/// The same where the margin is nothing, so that hardly any ends before.
const MOST_ROUNDS_WITHOUT_MARGIN: u64 = 256;
/// An error large enough to be counted: with its own it would take a million repeats.
pub(crate) const COUNTABLE: f64 = 0.05;

/// The machines on which two functions are compared.
fn machines() -> Vec<(&'static str, Machine)> {
    let noisy = Machine {
        noise: 0.03,
        ..Machine::default()
    };
    let interrupted = Machine {
        interruptions: 650.0,
        ..noisy.clone()
    };
    vec![
        (
            "noise 0.2 %, 650 interruptions a second",
            Machine {
                noise: 0.002,
                ..interrupted.clone()
            },
        ),
        ("noise 3 %", noisy.clone()),
        (
            "AR(1) noise 3 %, rho 0.9",
            Machine {
                rho: 0.9,
                ..noisy.clone()
            },
        ),
        (
            "AR(1) noise 3 %, rho 0.995",
            Machine {
                rho: 0.995,
                ..noisy.clone()
            },
        ),
        (
            "core 20 % slower now and then, for 0.5 ms",
            Machine {
                step: 0.2,
                dwell_ns: 5e5,
                ..noisy.clone()
            },
        ),
        (
            "core 20 % slower now and then, for 50 ms",
            Machine {
                step: 0.2,
                dwell_ns: 5e7,
                ..noisy.clone()
            },
        ),
        (
            "2000 interruptions a second, Pareto 1.5 from 5 us on",
            Machine {
                interruptions: 2_000.0,
                interruption: Interruption::Pareto(5_000.0),
                ..noisy.clone()
            },
        ),
        (
            "tick comb: 20 us every 1 ms",
            Machine {
                comb_every_ns: 1e6,
                comb_takes_ns: 20_000.0,
                ..noisy.clone()
            },
        ),
        (
            "two of four batches 5 % slower, in turn",
            Machine {
                period_4: 0.05,
                ..noisy.clone()
            },
        ),
        (
            "later batches of a round 1 % slower",
            Machine {
                second_of_round: 0.01,
                ..noisy.clone()
            },
        ),
        (
            "clock steps of 1 us",
            Machine {
                quantum_ns: 1e3,
                ..noisy
            },
        ),
        (
            "all of it",
            Machine {
                rho: 0.9,
                step: 0.05,
                dwell_ns: 5e5,
                comb_every_ns: 4e6,
                comb_takes_ns: 4_000.0,
                period_4: 0.01,
                second_of_round: 0.002,
                process: 0.007,
                slow_in: 80.0,
                ..interrupted
            },
        ),
    ]
}

/// Compares a function with itself, with the terms as they are and with an error that can be
/// counted.
pub fn same_functions(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A function compared with itself in one process",
        &[
            "machine",
            "called different",
            "interval without 1 (error 0.1 %)",
            "called the same in 0.25 s",
            "half decided in",
            "no margin, error 5 %: interval without 1",
        ],
    );
    for (number, (name, machine)) in machines().iter().enumerate() {
        let comparison = Comparison {
            machine,
            change: Change::Times(1.0),
            order: Order::Coin,
            turns: Turns::Longer,
        };
        let own = repeats.for_cell(100 + number as u64);
        let terms = Criteria::FUNCTIONS;
        let most = MOST_ROUNDS_OF_ONE;
        let default = Tally::of(own, |seed| comparison.functions(terms, most, seed).1);
        let open = without_margin(&comparison, own.for_cell(1));
        table.row(name);
        table.share(default.different(), Claim::AtMost(terms.error));
        table.share(default.missed(1.0), Claim::AtMost(terms.error));
        table.share(default.found(Finding::Same), Claim::Shown { upper: false });
        table.text(default.seconds(0.5));
        table.share(open.missed(1.0), Claim::AtMost(COUNTABLE));
    }
    table
}

/// Verdicts with no margin to speak of, at an error that can be counted.
pub(crate) fn without_margin(comparison: &Comparison<'_>, repeats: Repeats) -> Tally {
    let terms = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        limit: None,
        size: None,
    };
    let most = MOST_ROUNDS_WITHOUT_MARGIN;
    Tally::of(repeats, |seed| comparison.functions(terms, most, seed).1)
}

/// Compares functions that differ: a quarter of the repeats.
pub fn changed_functions(repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "A change, found in one process (margin 0.5 %, error 0.1 %)",
        &[
            "machine and change",
            "found",
            "called the same",
            "undecided after 0.5 s",
            "wrong direction",
            "interval without the change",
            "half decided in",
            "95 % in",
        ],
    );
    let all = machines();
    let chosen = [0, 1, all.len() - 1];
    let changes = [
        ("+0.5 %", Change::Times(1.005)),
        ("+1 %", Change::Times(1.01)),
        ("-1 %", Change::Times(0.99)),
        ("+2 %", Change::Times(1.02)),
        (
            "one batch in five 5 % slower",
            Change::Tail {
                share: 0.2,
                slower: 0.05,
            },
        ),
    ];
    let terms = Criteria::FUNCTIONS;
    for (number, index) in chosen.into_iter().enumerate() {
        let (name, machine) = &all[index];
        for (other, (change_name, change)) in changes.into_iter().enumerate() {
            let comparison = Comparison {
                machine,
                change,
                order: Order::Coin,
                turns: Turns::Longer,
            };
            let own = repeats.for_cell(200 + 10 * number as u64 + other as u64);
            let tally = Tally::of(own, |seed| comparison.functions(terms, MOST_ROUNDS, seed).1);
            let ratio = match change {
                Change::Times(ratio) => Some(ratio),
                Change::Tail { .. } => None,
            };
            table.row(&format!("{name}: {change_name}"));
            power(&mut table, &tally, ratio, terms.error);
            table.text(tally.seconds(0.5));
            table.text(tally.seconds(0.95));
        }
    }
    table
}
