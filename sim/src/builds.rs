use tourbillon_analysis::{Criteria, Design, judge, settled};
use tourbillon_record::{Finding, Rounds, Verdict};

use crate::functions::COUNTABLE;
use crate::launches::frequency;
use crate::verdicts::{Tally, excludes, power};
use crate::{Chance, Change, Claim, Comparison, Machine, Order, Proportion, Repeats, Table, Turns};

/// Pairs of processes after which a comparison ends undecided: the fourth look.
pub(crate) const MOST_LAUNCHES: u32 = 54;
/// Rounds of a pair of processes: fewer than a real one makes, which only adds noise.
const ROUNDS: u64 = 32;

/// How the places of the code are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placement {
    /// Anew for each pair of processes.
    Fresh,
    /// Once: what others do.
    Once,
}

/// Which build of a pair of processes starts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// A coin decides.
    Coin,
    /// Always the reference.
    Reference,
}

/// How pairs of processes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    placement: Placement,
    start: Start,
}

/// That of real comparisons.
const REAL: Way = Way {
    placement: Placement::Fresh,
    start: Start::Coin,
};

/// The machines on which two builds are compared. What a process is off by is its placement.
pub(crate) fn machines() -> Vec<(&'static str, Machine)> {
    let machine = |noise, process| Machine {
        noise,
        process,
        interruptions: 650.0,
        ..Machine::default()
    };
    vec![
        ("placement sd 0.05 %, noise 0.2 %", machine(0.002, 0.000_5)),
        ("placement sd 0.2 %, noise 3 %", machine(0.03, 0.002)),
        ("placement sd 0.8 %, noise 1 %", machine(0.01, 0.008)),
        (
            "placement sd 0.8 %, one in twenty 3 % off",
            Machine {
                outlier_in: 20.0,
                ..machine(0.01, 0.008)
            },
        ),
        (
            "placement sd 0.8 %, one launch in eighty 39 to 161 % slow",
            Machine {
                slow_in: 80.0,
                ..machine(0.01, 0.008)
            },
        ),
        (
            "all of it",
            Machine {
                rho: 0.9,
                step: 0.2,
                dwell_ns: 5e5,
                comb_every_ns: 4e6,
                comb_takes_ns: 4_000.0,
                period_4: 0.01,
                second_of_round: 0.002,
                outlier_in: 20.0,
                slow_in: 80.0,
                ..machine(0.03, 0.008)
            },
        ),
    ]
}

/// What a comparison comes to that is made as real ones are and ends after so many pairs of processes at the latest.
pub(crate) fn compare_builds(
    comparison: &Comparison<'_>,
    terms: Criteria,
    most: u32,
    seed: u64,
) -> Verdict {
    run_until(comparison, REAL, terms, most, seed)
}

/// What pairs of processes come to that go on until they are settled.
fn run_comparison(comparison: &Comparison<'_>, way: Way, terms: Criteria, seed: u64) -> Verdict {
    run_until(comparison, way, terms, MOST_LAUNCHES, seed)
}

fn run_until(
    comparison: &Comparison<'_>,
    way: Way,
    terms: Criteria,
    most: u32,
    seed: u64,
) -> Verdict {
    let mut chance = Chance::new(seed);
    let mut launches: Vec<Rounds> = Vec::new();
    let mut offsets = [1.0; 2];
    for launch in 0..most {
        if launch == 0 || way.placement == Placement::Fresh {
            offsets = [(); 2].map(|()| comparison.machine.offset(&mut chance));
        }
        let mut own = offsets;
        let second = usize::from(way.start == Start::Reference || chance.coin());
        own[second] *= 1.0 + comparison.machine.second;
        launches.push(comparison.pair(launch, own, ROUNDS, chance.seed()));
        if settled(Design::Builds, &launches, terms) {
            break;
        }
    }
    judge(Design::Builds, &launches, 0, 1, terms, &frequency())
}

/// Compares a build with itself, or with one in which only the places differ.
pub fn same_builds(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A build compared with itself, another placement for every pair of processes",
        &[
            "machine",
            "called different",
            "interval without 1 (error 0.1 %)",
            "called the same",
            "half decided after pairs",
            "no margin, error 5 %: interval without 1",
        ],
    );
    let terms = Criteria::BUILDS;
    let open = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        limit: None,
        size: None,
    };
    for (number, (name, machine)) in machines().iter().enumerate() {
        let same = Comparison {
            machine,
            change: Change::Times(1.0),
            order: Order::Coin,
            turns: Turns::Longer,
        };
        let own = repeats.for_cell(300 + number as u64);
        let default = Tally::of(own, |seed| run_comparison(&same, REAL, terms, seed));
        let own = own.for_cell(1);
        let open = Tally::of(own, |seed| run_comparison(&same, REAL, open, seed));
        table.row(name);
        table.share(default.different(), Claim::AtMost(terms.error));
        table.share(default.missed(1.0), Claim::AtMost(terms.error));
        table.share(default.found(Finding::Same), Claim::Shown { upper: false });
        table.text(default.launches(0.5));
        table.share(open.missed(1.0), Claim::AtMost(COUNTABLE));
    }
    table
}

/// Compares builds that differ: a quarter of the repeats.
pub fn changed_builds(repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "A change, found between builds (margin 1 %, error 0.1 %)",
        &[
            "machine and change",
            "found",
            "called the same",
            "undecided after 54 pairs",
            "wrong direction",
            "interval without the change",
            "half decided after pairs",
            "95 % after",
        ],
    );
    let all = machines();
    let chosen = [0, 2, all.len() - 1];
    let terms = Criteria::BUILDS;
    for (number, index) in chosen.into_iter().enumerate() {
        let (name, machine) = &all[index];
        for (other, ratio) in [1.005, 1.01, 1.02, 0.98, 1.05].into_iter().enumerate() {
            let changed = Comparison {
                machine,
                change: Change::Times(ratio),
                order: Order::Coin,
                turns: Turns::Longer,
            };
            let own = repeats.for_cell(400 + 10 * number as u64 + other as u64);
            let tally = Tally::of(own, |seed| run_comparison(&changed, REAL, terms, seed));
            table.row(&format!("{name}: {:+.1} %", 100.0 * (ratio - 1.0)));
            power(&mut table, &tally, Some(ratio), terms.error);
            table.text(tally.launches(0.5));
            table.text(tally.launches(0.95));
        }
    }
    table
}

/// Error of a verdict about builds.
pub(crate) const ERROR: f64 = Criteria::BUILDS.error;

/// How often a build differs from itself if something that should be drawn for each pair of processes is not:
/// negative controls, and what makes one of them right. Each with what is done, whether it must fail, and how
/// often the interval excluded 1.
pub(crate) fn without_chance(repeats: Repeats) -> Vec<(&'static str, bool, Proportion)> {
    let all = machines();
    let (_, placed) = &all[2];
    let ordered = Machine {
        second: 0.005,
        ..all[1].1.clone()
    };
    let same = |machine| Comparison {
        machine,
        change: Change::Times(1.0),
        order: Order::Coin,
        turns: Turns::Longer,
    };
    let terms = Criteria::BUILDS;
    let one_process = repeats.for_cell(500).of(|seed| {
        let mut chance = Chance::new(seed);
        let offsets = [(); 2].map(|()| placed.offset(&mut chance));
        let rounds = same(placed).pair(0, offsets, 512, chance.seed());
        excludes(
            &judge(Design::Functions, &[rounds], 0, 1, terms, &frequency()),
            1.0,
        )
    });
    let missed = |cell, machine, way| {
        let tally = Tally::of(repeats.for_cell(cell), |seed| {
            run_comparison(&same(machine), way, terms, seed)
        });
        tally.missed(1.0)
    };
    let once = Way {
        placement: Placement::Once,
        ..REAL
    };
    let fixed = Way {
        start: Start::Reference,
        ..REAL
    };
    vec![
        (
            "two builds, one pair of processes (placement sd 0.8 %)",
            true,
            Proportion::count(one_process),
        ),
        (
            "two builds, one placement for all pairs of processes",
            true,
            missed(501, placed, once),
        ),
        (
            "two builds, the reference always starts first, the second process 0.5 % slower",
            true,
            missed(502, &ordered, fixed),
        ),
        (
            "the same, a coin for each pair of processes",
            false,
            missed(503, &ordered, REAL),
        ),
    ]
}
