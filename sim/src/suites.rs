use tourbillon_coordinate::{Terms, evidence};
use tourbillon_record::Rounds;
use tourbillon_stats::{PValue, benjamini_hochberg, holm};

use crate::{Chance, Change, Claim, Contest, Machine, Order, Proportion, Repeats, Table};

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
                .map(|p| Alarms::of(&adjust(p), slower))
                .collect()
        };
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

/// The evidence of a gate of 2 % against each case of a suite, the first of which are slower by 3 %,
/// the others by 2 %.
fn suite(machine: &Machine, slower: usize, seed: u64) -> Vec<PValue> {
    let mut chance = Chance::new(seed);
    let terms = Terms {
        margin: 0.02,
        ..Terms::FUNCTIONS
    };
    (0..CASES)
        .map(|case| {
            let contest = Contest {
                machine,
                change: Change::Times(if case < slower { 1.03 } else { 1.02 }),
                order: Order::Coin,
            };
            let rounds: Rounds = contest.pair(0, [1.0; 2], ROUNDS, chance.seed());
            evidence(&rounds, 0, 1, terms)
        })
        .collect()
}

/// The cases of a suite that were called too slow.
struct Alarms {
    right: usize,
    wrong: usize,
}

impl Alarms {
    fn of(adjusted: &[PValue], slower: usize) -> Alarms {
        let count = |p: &[PValue]| p.iter().filter(|p| p.get() <= ERROR).count();
        let (right, wrong) = adjusted.split_at(slower);
        Alarms {
            right: count(right),
            wrong: count(wrong),
        }
    }

    /// Share of the alarms that are false, none of none.
    fn share_wrong(&self) -> f64 {
        self.wrong as f64 / (self.right + self.wrong).max(1) as f64
    }
}
