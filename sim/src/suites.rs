use std::slice::from_ref;

use tourbillon_analysis::{Criteria, Design, evidence, judge};
use tourbillon_record::{Finding, Rounds};
use tourbillon_stats::{PValue, benjamini_hochberg, holm, step_down};

use crate::launches::frequency;
use crate::{Chance, Change, Claim, Comparison, Machine, Order, Proportion, Repeats, Table, Turns};

/// Cases of a suite.
const CASES: usize = 10;
/// Those of them that are slower in a suite in which some are.
const SLOWER: usize = 3;
/// Rounds of a case: three looks.
const ROUNDS: u64 = 256;
/// What a gate may be wrong, and what share of a list may be.
const ERROR: f64 = 0.01;

/// A gate of 2 % over suites of ten cases, of which each is slower by just that: the hardest case
/// that must pass; and lists of suites in which three are slower by more.
pub fn suites(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A gate of 2 % over a suite of ten cases, error 1 %",
        &[
            "suite",
            "what is done",
            "any false alarm",
            "share of alarms that are false",
            "slower cases found",
        ],
    );
    let machine = Machine {
        noise: 0.02,
        interruptions: 650.0,
        ..Machine::default()
    };
    for (number, (name, slower)) in [
        ("all just at the gate", 0),
        ("three slower by 1 % more", SLOWER),
    ]
    .into_iter()
    .enumerate()
    {
        let own = repeats.for_cell(700 + number as u64);
        let suites = own.of(|seed| suite(&machine, slower, seed));
        let adjusted = |adjust: fn(&[PValue]) -> Vec<PValue>| -> Vec<Alarms> {
            suites
                .iter()
                .map(|suite| Alarms::of_adjusted(&adjust(&suite.p), slower))
                .collect()
        };
        let stepped = suites
            .iter()
            .map(|suite| Alarms::of(&suite.stepped, slower))
            .collect();
        // Where some are slower there are fewer others to be wrong about.
        let unadjusted = if slower == 0 {
            Claim::FailsAbove(ERROR)
        } else {
            Claim::Shown { upper: false }
        };
        let plain = adjusted(<[PValue]>::to_vec);
        let gate = adjusted(holm);
        let list = adjusted(benjamini_hochberg);
        for (done, alarms, claim) in [
            ("nothing", plain, unadjusted),
            ("Holm", gate, Claim::AtMost(ERROR)),
            ("the gate: Holm, by verdicts", stepped, Claim::AtMost(ERROR)),
            ("Benjamini-Hochberg", list, Claim::Shown { upper: true }),
        ] {
            table.row(name);
            table.text(done);
            table.share(Proportion::count(alarms.iter().map(|a| a.wrong > 0)), claim);
            let share: f64 = alarms.iter().map(Alarms::share_wrong).sum();
            table.text(format!(
                "{:.2} %",
                100.0 * share / alarms.len().max(1) as f64
            ));
            let found: usize = alarms.iter().map(|alarms| alarms.right).sum();
            let of = slower * alarms.len();
            table.text(if of == 0 {
                "–".to_owned()
            } else {
                format!("{:.1} %", 100.0 * found as f64 / of as f64)
            });
        }
    }
    table
}

/// The result of a suite.
struct Suite {
    /// The evidence against each case.
    p: Vec<PValue>,
    /// The cases that the gate calls too slow.
    stepped: Vec<usize>,
}

/// Holds a suite against a gate of 2 %, the first cases of which are slower by 3 %, the others by 2 %.
fn suite(machine: &Machine, slower: usize, seed: u64) -> Suite {
    let mut chance = Chance::new(seed);
    let terms = |error| Criteria {
        margin: 0.02,
        error,
        limit: None,
        size: None,
    };
    let cases: Vec<Rounds> = (0..CASES)
        .map(|case| {
            let comparison = Comparison {
                machine,
                change: Change::Times(if case < slower { 1.03 } else { 1.02 }),
                order: Order::Coin,
                turns: Turns::Longer,
            };
            comparison.pair(0, [1.0; 2], ROUNDS, chance.seed())
        })
        .collect();
    let p = cases
        .iter()
        .map(|rounds| evidence(Design::Functions, from_ref(rounds), 0, 1, terms(ERROR)))
        .collect();
    let stepped = step_down((CASES, 0), ERROR, |case, error| {
        let verdict = judge(
            Design::Functions,
            &cases[case..=case],
            0,
            1,
            terms(error),
            &frequency(),
        );
        verdict.finding == Finding::Slower
    });
    Suite { p, stepped }
}

/// The cases of a suite that were called too slow.
struct Alarms {
    right: usize,
    wrong: usize,
}

impl Alarms {
    fn of(cases: &[usize], slower: usize) -> Alarms {
        let right = cases.iter().filter(|&&case| case < slower).count();
        Alarms {
            right,
            wrong: cases.len() - right,
        }
    }

    fn of_adjusted(adjusted: &[PValue], slower: usize) -> Alarms {
        let small = |&case: &usize| adjusted[case].get() <= ERROR;
        let cases: Vec<usize> = (0..adjusted.len()).filter(small).collect();
        Alarms::of(&cases, slower)
    }

    /// Share of the alarms that are false, none of none.
    fn share_wrong(&self) -> f64 {
        self.wrong as f64 / (self.right + self.wrong).max(1) as f64
    }
}
