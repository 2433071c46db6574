//! Comparisons of code with itself that were really made, and what would have come of them had chance
//! decided otherwise.

use tourbillon_analysis::{Criteria, Design, judge};
use tourbillon_record::{Finding, Line, Rounds, Verdict};

use crate::functions::COUNTABLE;
use crate::launches::frequency;
use crate::verdicts::Tally;
use crate::{Chance, Claim, Repeats, Table};

/// A comparison of two arms of the same code.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What was measured, a process each.
    pub launches: Vec<Rounds>,
    /// What came of it.
    pub verdict: Verdict,
}

impl Recorded {
    /// The name of the work: that of the case without its side and its program.
    fn work(&self) -> &str {
        let id = &self.verdict.case;
        let name = &id[..id.find('[').unwrap_or(id.len())];
        name.rsplit("::").next().unwrap_or(name)
    }

    /// The same with another order in every round, and the sides of each process exchanged or not.
    ///
    /// If the two are the same code, a batch takes the time that it takes at that moment in that
    /// process, whatever it is called: only the names are drawn anew, as a coin did then.
    fn redrawn(&self, chance: &mut Chance) -> Vec<Rounds> {
        let mut launches = self.launches.clone();
        for rounds in &mut launches {
            let exchanged = chance.coin();
            for arm in &mut rounds.arm {
                if exchanged && *arm < 2 {
                    *arm = 1 - *arm;
                }
            }
            redraw_orders(rounds, chance);
        }
        launches
    }
}

/// Draws the order of the arms in every round anew.
pub(crate) fn redraw_orders(rounds: &mut Rounds, chance: &mut Chance) {
    let mut from = 0;
    while from < rounds.round.len() {
        let same = |round: &&u64| **round == rounds.round[from];
        let to = from + rounds.round[from..].iter().take_while(same).count();
        chance.shuffle(&mut rounds.arm[from..to]);
        from = to;
    }
}

/// The comparisons of a log of lines as in records: the rounds, then the verdict on them. Other lines are
/// skipped, and so are comparisons without a verdict: the script was stopped while they were written.
pub fn recorded(log: &str) -> Vec<Recorded> {
    let mut all = Vec::new();
    let mut launches: Vec<Rounds> = Vec::new();
    for line in log.lines() {
        match Line::decode(line) {
            Ok(Line::Rounds(rounds)) => {
                // Another comparison begins, and the one before had no end.
                if rounds.launch == 0 {
                    launches.clear();
                }
                launches.push(rounds);
            }
            Ok(Line::Verdict(verdict)) if launches.len() == verdict.launches as usize => {
                let launches = std::mem::take(&mut launches);
                all.push(Recorded { launches, verdict });
            }
            _ => {}
        }
    }
    all
}

/// The works of a log, in the order of the alphabet.
fn works(all: &[Recorded]) -> Vec<&str> {
    let mut works: Vec<&str> = all.iter().map(Recorded::work).collect();
    works.sort_unstable();
    works.dedup();
    works
}

/// What came of the comparisons.
pub fn tried(all: &[Recorded]) -> Table {
    let mut table = Table::new(
        "Cases compared with themselves, really",
        &[
            "work",
            "comparisons",
            "called different",
            "called the same",
            "half decided in",
            "processes",
        ],
    );
    let mut row = |name: &str, of: &dyn Fn(&Recorded) -> bool| {
        let verdicts = all.iter().filter(|one| of(one));
        let tally = Tally::from_verdicts(verdicts.map(|one| one.verdict.clone()).collect());
        table.row(name);
        table.text(tally.len().to_string());
        table.share(tally.different(), Claim::Shown { upper: true });
        table.share(tally.found(Finding::Same), Claim::Shown { upper: false });
        table.text(tally.seconds(0.5));
        table.text(tally.launches(0.5));
    };
    for work in works(all) {
        row(work, &|one| one.work() == work);
    }
    row("all", &|_| true);
    table
}

/// What comes of recorded comparisons, each taken by chance and redrawn.
pub fn redrawn(all: &[Recorded], repeats: Repeats) -> Table {
    let mut table = Table::new(
        "The same records, orders and names of the sides redrawn",
        &[
            "work",
            "over processes: called different",
            "called the same",
            "no margin, error 5 %",
            "the batches of one process: called different",
            "no margin, error 5 %",
        ],
    );
    let no_margin = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        limit: None,
    };
    for (number, work) in works(all).into_iter().enumerate() {
        let of_work: Vec<&Recorded> = all.iter().filter(|one| one.work() == work).collect();
        let own = repeats.for_cell(900 + number as u64);
        let drawn = |seed| {
            let mut chance = Chance::new(seed);
            let at = (chance.uniform() * of_work.len() as f64) as usize;
            of_work[at.min(of_work.len() - 1)].redrawn(&mut chance)
        };
        let over_processes = |terms| {
            Tally::of(own, |seed| {
                judge(Design::Processes, &drawn(seed), 0, 1, terms, &frequency())
            })
        };
        let in_one = |terms| {
            Tally::of(own, |seed| {
                judge(
                    Design::Functions,
                    &[as_one(&drawn(seed))],
                    0,
                    1,
                    terms,
                    &frequency(),
                )
            })
        };
        let processes = over_processes(Criteria::FUNCTIONS);
        table.row(work);
        table.share(
            processes.different(),
            Claim::AtMost(Criteria::FUNCTIONS.error),
        );
        table.share(
            processes.found(Finding::Same),
            Claim::Shown { upper: false },
        );
        table.share(
            over_processes(no_margin).different(),
            Claim::AtMost(COUNTABLE),
        );
        table.share(
            in_one(Criteria::FUNCTIONS).different(),
            Claim::AtMost(Criteria::FUNCTIONS.error),
        );
        table.share(in_one(no_margin).different(), Claim::AtMost(COUNTABLE));
    }
    table
}

/// The rounds of all processes as if they had been of one, in which the times change now and then: both
/// arms of a round are of one process.
fn as_one(launches: &[Rounds]) -> Rounds {
    let Some(first) = launches.first() else {
        return Rounds::default();
    };
    let mut one = Rounds {
        ops: vec![1; first.cases.len()],
        fixed_ticks: vec![0; first.cases.len()],
        round: Vec::new(),
        arm: Vec::new(),
        ticks: Vec::new(),
        ..first.clone()
    };
    let mut begun = 0;
    for rounds in launches {
        for (index, round) in rounds.round.iter().enumerate() {
            one.round.push(begun + round);
            one.arm.push(rounds.arm[index]);
            // Their batches may have other lengths: per op, in small parts of a tick.
            let ops = rounds.ops.first().copied().unwrap_or(1).max(1);
            let inside = rounds.ticks[index].saturating_sub(fixed_of(rounds));
            one.ticks
                .push((u128::from(inside) * 1_000_000 / u128::from(ops)) as u64);
        }
        begun += rounds.round.last().map_or(0, |last| last + 1);
    }
    one
}

/// The fixed cost of both arms, which are the same code.
fn fixed_of(rounds: &Rounds) -> u64 {
    rounds.fixed_ticks.iter().copied().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comparison in which the second arm is slower by a hundredth in every process, as no two of
    /// the same code are.
    fn unlike() -> Recorded {
        let launch = |launch: u32| {
            let mut rounds = Rounds {
                cases: vec!["p/t::work[side=a]".into(), "p/t::work[side=b]".into()],
                launch,
                pids: vec![launch; 2],
                ops: vec![100; 2],
                first_call_ticks: vec![900; 2],
                fixed_ticks: vec![10; 2],
                lead_in: 1,
                ..Rounds::default()
            };
            for round in 0..16 {
                for arm in 0..2 {
                    rounds.round.push(round);
                    rounds.arm.push(arm);
                    let own = 100_000 + 1_000 * u64::from(arm);
                    rounds
                        .ticks
                        .push(own + (round + u64::from(launch)) * 37 % 100);
                }
            }
            rounds
        };
        let launches: Vec<Rounds> = (0..16).map(launch).collect();
        let verdict = judge(
            Design::Processes,
            &launches,
            0,
            1,
            Criteria::FUNCTIONS,
            &frequency(),
        );
        Recorded { launches, verdict }
    }

    fn log(all: &[Recorded]) -> String {
        let mut log = String::new();
        for one in all {
            for rounds in &one.launches {
                log += &Line::Rounds(rounds.clone()).encode();
                log.push('\n');
            }
            log += &Line::Verdict(one.verdict.clone()).encode();
            log.push('\n');
        }
        log
    }

    #[test]
    fn whole_comparisons_come_back() {
        let all = [unlike(), unlike()];
        let text = log(&all);
        assert!(recorded(&text) == all);
        // The first has lost its end.
        let (before, after) = text.split_once("\"verdict\"").unwrap();
        assert_eq!(recorded(&format!("{before}\n{after}")).len(), 1);
    }

    #[test]
    fn names_are_drawn_anew_and_times_stay() {
        let one = unlike();
        assert_eq!(one.verdict.finding, Finding::Slower);
        assert_eq!(one.work(), "work");
        let other = one.redrawn(&mut Chance::new(3));
        assert_ne!(one.launches[0].arm, other[0].arm);
        assert_eq!(one.launches[0].ticks, other[0].ticks);
        let joined = as_one(&other);
        assert_eq!(joined.ticks.len(), 16 * 32);
        assert_eq!(joined.round.last(), Some(&255));
        let criteria = Criteria::FUNCTIONS;
        let verdict = judge(Design::Functions, &[joined], 0, 1, criteria, &frequency());
        assert_eq!(verdict.finding, Finding::Same, "{verdict:?}");
    }

    #[test]
    fn what_is_redrawn_is_hardly_ever_called_different() {
        let repeats = Repeats {
            count: 300,
            threads: 2,
            seed: 4,
        };
        let table = redrawn(&[unlike()], repeats);
        assert!(table.wrong().is_empty(), "{table}");
        assert!(
            tried(&[unlike()])
                .to_string()
                .contains("| work | 1 | 100.00 %")
        );
    }
}
