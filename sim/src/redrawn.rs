//! What was measured of one code, judged again and again with what chance decides drawn anew.

use std::collections::BTreeMap;

use tourbillon_analysis::{Criteria, Design, judge, settled};
use tourbillon_record::{Finding, Line, Rounds, Verdict};
use tourbillon_stats::{Sample, hodges_lehmann};

use crate::builds::ERROR;
use crate::functions::COUNTABLE;
use crate::launches::frequency;
use crate::verdicts::Tally;
use crate::{Chance, Claim, Repeats, Table};

/// Pairs of processes after which a comparison ends undecided: about as many as ten seconds hold.
const MOST_LAUNCHES: usize = 273;
/// Fewer pairs of processes than these are no trace.
const LEAST_LAUNCHES: usize = 16;
/// Ticks of a batch in which a ratio is put down: its last digit is one in a thousand million.
const TICKS: f64 = 1e9;

/// The centres of pairs of processes, by case, in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    cases: BTreeMap<String, Vec<f64>>,
}

impl Trace {
    /// Adds the rounds of a record of a comparison of one code with itself; lines of other kinds, and those that
    /// cannot be read, are skipped.
    pub fn add(&mut self, record: &str) {
        for line in record.lines() {
            let Ok(Line::Rounds(rounds)) = Line::decode(line) else {
                continue;
            };
            let Some(case) = rounds.cases.first() else {
                continue;
            };
            if let Some(centre) = centre(&rounds) {
                self.cases.entry(case.clone()).or_default().push(centre);
            }
        }
    }
}

/// The centre of the log ratios of a pair of processes.
fn centre(rounds: &Rounds) -> Option<f64> {
    let inside = |at: usize| {
        let arm = usize::from(*rounds.arm.get(at)?);
        let ticks = *rounds.ticks.get(at)? as f64 - *rounds.fixed_ticks.get(arm)? as f64;
        let ops = *rounds.ops.get(arm)? as f64;
        (ticks > 0.0).then_some((arm, ticks / ops))
    };
    let mut ratios = Vec::with_capacity(rounds.round.len() / 2);
    for (at, both) in rounds.round.windows(2).enumerate() {
        if both[0] != both[1] {
            continue;
        }
        if let (Some((first, a)), Some((_, b))) = (inside(at), inside(at + 1)) {
            ratios.push(if first == 0 {
                (b / a).ln()
            } else {
                (a / b).ln()
            });
        }
    }
    Some(hodges_lehmann(&Sample::new(ratios).ok()?))
}

/// Two batches whose ratio is this, as the rounds of a pair of processes.
pub(crate) fn rounds(launch: usize, log_ratio: f64) -> Rounds {
    Rounds {
        cases: vec!["reference".to_owned(), "candidate".to_owned()],
        launch: launch as u32,
        placement: Some(launch as u64),
        pids: vec![1, 2],
        ops: vec![1; 2],
        first_call_ticks: vec![0; 2],
        fixed_ticks: vec![0; 2],
        round: vec![0; 2],
        arm: vec![0, 1],
        ticks: vec![TICKS as u64, (TICKS * log_ratio.exp()) as u64],
        ..Rounds::default()
    }
}

/// A comparison over successive pairs of processes from a random one on, in each of which a coin
/// decides which build is which.
fn run_comparison(trace: &[f64], terms: Criteria, seed: u64) -> Verdict {
    let mut chance = Chance::new(seed);
    let start = (chance.uniform() * trace.len() as f64) as usize;
    let mut launches = Vec::new();
    for launch in 0..MOST_LAUNCHES.min(trace.len()) {
        let centre = trace[(start + launch) % trace.len()];
        let drawn = if chance.coin() { centre } else { -centre };
        launches.push(rounds(launch, drawn));
        if settled(Design::Builds, &launches, terms) {
            break;
        }
    }
    judge(Design::Builds, &launches, 0, 1, terms, &frequency())
}

/// How often builds that are the same are called different, with real measurements, in which it is drawn anew
/// which build is which.
pub fn redrawn(trace: &Trace, repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Pairs of processes of one code, measured; which build is which drawn anew",
        &[
            "case (pairs of processes measured)",
            "called different",
            "interval without 1 (error 0.1 %)",
            "called the same",
            "half decided after pairs",
            "no margin, error 5 %: interval without 1",
        ],
    );
    let open = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        limit: None,
        size: None,
    };
    for (number, (case, centres)) in trace.cases.iter().enumerate() {
        if centres.len() < LEAST_LAUNCHES {
            continue;
        }
        let own = repeats.for_cell(700 + number as u64);
        let default = Tally::of(own, |seed| run_comparison(centres, Criteria::BUILDS, seed));
        let open = Tally::of(own.for_cell(1).quarter(), |seed| {
            run_comparison(centres, open, seed)
        });
        let name = case.rsplit("::").next().unwrap_or(case);
        table.row(&format!("{name} ({})", centres.len()));
        table.share(default.different(), Claim::AtMost(ERROR));
        table.share(default.missed(1.0), Claim::AtMost(ERROR));
        table.share(default.found(Finding::Same), Claim::Shown { upper: false });
        table.text(default.launches(0.5));
        table.share(open.missed(1.0), Claim::AtMost(COUNTABLE));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats() -> Repeats {
        Repeats {
            count: 300,
            threads: 2,
            seed: 1,
        }
    }

    fn trace(centre: impl Fn(&mut Chance) -> f64) -> Trace {
        let mut chance = Chance::new(3);
        let mut record = String::new();
        for launch in 0..64 {
            record += &Line::Rounds(rounds(launch, centre(&mut chance))).encode();
            record.push('\n');
        }
        let mut trace = Trace::default();
        trace.add(&record);
        trace.add("no record\n");
        trace
    }

    #[test]
    fn what_was_measured_is_read_again() {
        let found = trace(|_| 0.02);
        let centres = &found.cases["reference"];
        assert_eq!(centres.len(), 64);
        assert!((centres[5] - 0.02).abs() < 1e-8);
        let swapped = Rounds {
            arm: vec![1, 0],
            ..rounds(0, 0.02)
        };
        assert!((centre(&swapped).expect("a centre") + 0.02).abs() < 1e-8);
    }

    #[test]
    fn the_same_code_does_not_differ_from_itself() {
        // A process that is always 3 % slower for being the second, and pairs that are far off.
        let odd = trace(|chance| 0.03 + 0.01 * chance.normal());
        let table = redrawn(&odd, repeats());
        assert!(table.wrong().is_empty(), "{table}");
        let wide = trace(|chance| {
            if chance.happens(0.1) {
                0.5
            } else {
                0.002 * chance.normal()
            }
        });
        let table = redrawn(&wide, repeats());
        assert!(table.wrong().is_empty(), "{table}");
        assert!(table.to_string().contains("reference (64)"), "{table}");
    }
}
