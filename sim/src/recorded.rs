//! Comparisons of code with itself that were really made, and what would have come of them had chance
//! decided otherwise.

use std::collections::BTreeMap;

use tourbillon_analysis::{BlockArm, Criteria, Rules, judge_blocks};
use tourbillon_record::{Finding, LaunchSamples, Line, Verdict};
use tourbillon_stats::Confidence;

use crate::functions::COUNTABLE;
use crate::launches::frequency;
use crate::verdicts::Tally;
use crate::{Chance, Claim, Repeats, Table};

/// A comparison of two cases of the same code.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The launches of the reference and of the other case.
    pub launches: [Vec<LaunchSamples>; 2],
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

    /// The verdict on the same launches, of which the two of a block exchange their sides or not.
    ///
    /// If the two are the same code, a launch takes the time that it takes at that moment, whatever it is called: only
    /// the names are drawn anew, as a coin did then.
    fn redrawn(&self, terms: Criteria, chance: &mut Chance) -> Verdict {
        let mut exchanged: BTreeMap<u32, bool> = BTreeMap::new();
        let mut sides: [Vec<LaunchSamples>; 2] = Default::default();
        for (side, launches) in self.launches.iter().enumerate() {
            for launch in launches {
                let other = *exchanged
                    .entry(launch.launch)
                    .or_insert_with(|| chance.coin());
                sides[side ^ usize::from(other)].push(launch.clone());
            }
        }
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        let [reference, case] = sides.map(|launches| BlockArm::new("", &launches, &rules));
        judge_blocks(&reference, &case, terms)
    }
}

/// The comparisons of a log of lines as in records: launches, then the verdict on them. Other lines are skipped, and so
/// are launches without a verdict: the script was stopped while they were written.
pub fn recorded(log: &str) -> Vec<Recorded> {
    let mut all = Vec::new();
    let mut launches: Vec<LaunchSamples> = Vec::new();
    for line in log.lines() {
        match Line::decode(line) {
            Ok(Line::Header(_)) => launches.clear(),
            Ok(Line::Launch(launch)) => launches.push(*launch),
            Ok(Line::Verdict(verdict)) => {
                let of = |case: &str| {
                    let own = launches.iter().filter(|launch| launch.case == case);
                    own.cloned().collect()
                };
                let launches = [of(&verdict.reference), of(&verdict.case)];
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
        "The same records, names of the sides redrawn",
        &[
            "work",
            "called different",
            "called the same",
            "no margin, error 5 %",
        ],
    );
    let no_margin = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        ..Criteria::FUNCTIONS
    };
    for (number, work) in works(all).into_iter().enumerate() {
        let of_work: Vec<&Recorded> = all.iter().filter(|one| one.work() == work).collect();
        let own = repeats.for_cell(900 + number as u64);
        let tally = |terms| {
            Tally::of(own, |seed| {
                let mut chance = Chance::new(seed);
                let at = (chance.uniform() * of_work.len() as f64) as usize;
                of_work[at.min(of_work.len() - 1)].redrawn(terms, &mut chance)
            })
        };
        let verdicts = tally(Criteria::CASES);
        table.row(work);
        table.share(verdicts.different(), Claim::AtMost(Criteria::CASES.error));
        table.share(verdicts.found(Finding::Same), Claim::Shown { upper: false });
        table.share(tally(no_margin).different(), Claim::AtMost(COUNTABLE));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comparison in which the second case is slower by a hundredth in every block, as no two of the same code are.
    fn unlike() -> Recorded {
        let launch = |side: u64, number: u32| {
            let mut launch = LaunchSamples {
                case: format!("p/t::work[side={side}]"),
                launch: number,
                ops_per_iteration: 1,
                terminal: "iter".to_owned(),
                ..LaunchSamples::default()
            };
            launch.batch_shape.windows = 1;
            launch.batch_shape.items = 100;
            launch.batch_shape.slope = true;
            for round in 0..8_u64 {
                for kind in 0..3_u64 {
                    launch.batches.kind.push(kind as u8);
                    let own = kind * (100_000 + 1_000 * side);
                    launch
                        .batches
                        .ticks
                        .push(10 + own + (round + u64::from(number)) * 37 % 100);
                }
            }
            launch
        };
        let launches = [0, 1].map(|side| (0..16).map(|number| launch(side, number)).collect());
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        let [reference, case] = [0, 1].map(|side: usize| {
            let launches: &Vec<LaunchSamples> = &launches[side];
            BlockArm::new(&launches[0].case, launches, &rules)
        });
        let verdict = judge_blocks(&reference, &case, Criteria::CASES);
        Recorded { launches, verdict }
    }

    fn log(all: &[Recorded]) -> String {
        let mut log = String::new();
        for one in all {
            log += "{\"type\":\"header\"}\n";
            for launch in one.launches.iter().flatten() {
                log += &Line::Launch(Box::new(launch.clone())).encode();
                log.push('\n');
            }
            log += &Line::Verdict(one.verdict.clone()).encode();
            log.push('\n');
        }
        log
    }

    #[test]
    fn whole_comparisons_come_back() {
        let text = log(&[unlike()]);
        assert!(recorded(&text) == [unlike()]);
        // The verdict is lost.
        let (before, _) = text.split_once("\"verdict\"").unwrap();
        assert_eq!(recorded(before).len(), 0);
    }

    #[test]
    fn names_are_drawn_anew() {
        let one = unlike();
        assert_eq!(one.verdict.finding, Finding::Slower);
        assert_eq!(one.work(), "work");
        let verdict = one.redrawn(Criteria::CASES, &mut Chance::new(3));
        assert_ne!(verdict.finding, Finding::Slower, "{verdict:?}");
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
