//! What the shards of a suite come to.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_record::{Run, Shard, Verdict};
use tourbillon_report::{Outcome, counted};
use tourbillon_tool::record_file::StoredRun;

use super::whole::gap;
use crate::facts;
use crate::results::record;

/// What the shards of a suite come to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Answer {
    cases: usize,
    shards: u64,
    /// How many verdicts have an outcome that a reader wants to know about.
    outcomes: BTreeMap<Outcome, usize>,
    failed: usize,
    /// Why there is no answer for the whole suite.
    gaps: Vec<String>,
}

/// The complete runs of a suite, by the number of the shard. Of two runs of a shard, the later one counts.
pub(super) fn complete<'r>(runs: &[&'r StoredRun]) -> BTreeMap<u64, &'r Run> {
    let is_complete = |run: &&Run| run.end.as_ref().is_some_and(|end| !end.interrupted);
    let number = |run: &'r Run| Some((run.header.shard.as_ref()?.number, run));
    runs.iter()
        .map(|&stored| &stored.run)
        .filter(is_complete)
        .filter_map(number)
        .collect()
}

impl Answer {
    /// Of the runs of one suite.
    pub(super) fn of(runs: &[&StoredRun]) -> Answer {
        let mut answer = Answer::default();
        let mut divisions = BTreeSet::new();
        let (complete, mut cases) = (complete(runs), BTreeSet::new());
        // Each shard lists those of all.
        let mut lost = BTreeSet::new();
        for stored in runs {
            let header = &stored.run.header;
            let Some(shard) = header.shard.as_deref() else {
                continue;
            };
            let Shard {
                method,
                of,
                cases,
                ids,
                ..
            } = shard;
            let built = facts::built(header);
            divisions.insert((method, of, cases, ids, &header.engine, built));
        }
        if divisions.len() > 1 {
            let what = "the shards are of different suites: method, number of shards, cases, engine or builds differ";
            answer.gaps.push(what.to_owned());
        }
        let Some(&(_, &of, &all, ..)) = divisions.first() else {
            return answer;
        };
        answer.shards = of;
        // A damaged header may name any number.
        let missing: Vec<String> = (1..=of)
            .filter(|number| !complete.contains_key(number))
            .take(20)
            .map(|number| number.to_string())
            .collect();
        if !missing.is_empty() {
            answer.gaps.push(format!(
                "missing or interrupted: shard {} of {of}",
                missing.join(", ")
            ));
        }
        for (number, run) in &complete {
            let gap = gap(run).map(|what| format!("shard {number} {what}"));
            answer.gaps.extend(gap);
            cases.extend(run.cases.iter().map(|case| &case.id));
            let failed: BTreeSet<&str> =
                run.faults.iter().map(|fault| fault.case.as_str()).collect();
            answer.failed += failed.len();
            lost.extend(record::missing(run));
            for outcome in run.verdicts.iter().filter_map(named) {
                *answer.outcomes.entry(outcome).or_default() += 1;
            }
        }
        if !lost.is_empty() {
            answer.outcomes.insert(Outcome::Missing, lost.len());
        }
        answer.cases = cases.len();
        if answer.gaps.is_empty() && cases.len() as u64 != all {
            answer
                .gaps
                .push(format!("the shards have {} of {all} cases", cases.len()));
        }
        answer
    }

    /// Whether the records of all shards are whole.
    pub(super) fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Whether all cases were measured.
    pub(super) fn is_decided(&self) -> bool {
        self.is_whole() && self.failed == 0
    }

    pub(super) fn text(&self) -> String {
        let (cases, shards) = (counted(self.cases, "case"), counted(self.shards, "shard"));
        let mut parts = vec![format!("{cases} in {shards}")];
        let failed = (self.failed > 0).then_some((&Outcome::Failed, &self.failed));
        for (outcome, count) in self.outcomes.iter().chain(failed) {
            parts.push(format!("{count} {}", outcome.word()));
        }
        for gap in &self.gaps {
            parts.push(format!("{}: {gap}", Outcome::Undecided.word()));
        }
        parts.join("; ")
    }
}

/// The outcome of a verdict, unless there is nothing to say about it. Of what differs in an undecided size, that.
fn named(verdict: &Verdict) -> Option<Outcome> {
    match Outcome::of(verdict) {
        Outcome::Faster | Outcome::Better | Outcome::Same | Outcome::Holds => None,
        Outcome::SizeUndecided => Some(Outcome::Undecided),
        outcome => Some(outcome),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{
        Case, CaseResult, ComparedNumber, End, Entry, Fact, FactValue, Fault, Finding, Header,
    };

    use super::*;

    /// A shard of two with one case each.
    fn shard(number: u64) -> StoredRun {
        let shard = Shard {
            method: "hash".to_owned(),
            number,
            of: 2,
            cases: 2,
            ids: None,
        };
        let id = format!("a/b::c{number}");
        let run = Run {
            header: Header {
                shard: Some(Box::new(shard)),
                ..Header::default()
            },
            results: vec![CaseResult {
                case: id.clone(),
                estimate: Ok(1.0),
                ..CaseResult::default()
            }],
            cases: vec![Case {
                id,
                ..Case::default()
            }],
            end: Some(End::default()),
            ..Run::default()
        };
        StoredRun {
            run,
            sha256: number.to_string(),
        }
    }

    #[test]
    fn all_shards_make_an_answer() {
        let (one, mut other) = (shard(1), shard(2));
        let verdict = |finding, number| Verdict {
            finding,
            number,
            ..Verdict::default()
        };
        other.run.verdicts = vec![
            verdict(Finding::Slower, None),
            verdict(Finding::Faster, None),
            verdict(Finding::Slower, Some(ComparedNumber::default())),
        ];
        let answer = Answer::of(&[&one, &other]);
        assert!(answer.is_decided());
        assert_eq!(answer.text(), "2 cases in 2 shards; 1 slower; 1 worse");
    }

    #[test]
    fn what_the_newer_build_lacks_is_counted_once() {
        let shards = [1, 2].map(|number| {
            let mut shard = shard(number);
            let rows = ["missing: gone", "new: came"].map(str::to_owned);
            shard.run.header.facts.push(Fact {
                name: "comparison_rows".to_owned(),
                value: FactValue::List(rows.to_vec()),
            });
            shard
        });
        let answer = Answer::of(&shards.each_ref());
        assert_eq!(answer.text(), "2 cases in 2 shards; 1 missing");
        assert!(answer.is_decided());
    }

    #[test]
    fn a_gap_leaves_it_undecided() {
        let one = shard(1);
        let undecided = |other: &StoredRun| {
            let answer = Answer::of(&[&one, other]);
            assert!(!answer.is_decided(), "{answer:?}");
            answer.text()
        };
        let missing = "1 case in 2 shards; undecided: missing or interrupted: shard 2 of 2";
        assert_eq!(Answer::of(&[&one]).text(), missing);
        let mut killed = shard(2);
        killed.run.end = None;
        assert_eq!(undecided(&killed), missing);
        let mut interrupted = shard(2);
        interrupted.run.end = Some(End {
            interrupted: true,
            ..End::default()
        });
        assert_eq!(undecided(&interrupted), missing);
        let mut failed = shard(2);
        failed.run.faults = vec![Fault::default(), Fault::default()];
        failed.run.end = Some(End {
            faults: 2,
            exit_code: 3,
            ..End::default()
        });
        assert_eq!(undecided(&failed), "2 cases in 2 shards; 1 failed");
        let mut foreign = shard(2);
        foreign.run.header.shard.as_mut().expect("a shard").ids = Some(7);
        assert!(undecided(&foreign).contains("are of different suites"));
        let mut fewer = shard(2);
        fewer.run.cases.clear();
        let text = undecided(&fewer);
        assert!(text.ends_with("the shards have 1 of 2 cases"), "{text}");
        let mut foreign = shard(2);
        foreign.run.header.engine = "other".to_owned();
        assert!(undecided(&foreign).contains("are of different suites"));
        let mut other = shard(2);
        other.run.header.facts = vec![Fact {
            name: "candidate_commit".to_owned(),
            value: FactValue::Text("1a2b3c4".to_owned()),
        }];
        assert!(undecided(&other).contains("are of different suites"));
        // No commit describes what was built.
        let mut built = shard(2);
        built.run.header.facts = vec![Fact {
            name: "candidate_build".to_owned(),
            value: FactValue::Text("f893228b".to_owned()),
        }];
        assert!(undecided(&built).contains("are of different suites"));
        let mut unanswered = shard(2);
        unanswered.run.results.clear();
        let text = undecided(&unanswered);
        assert!(
            text.ends_with("undecided: shard 2 has no answer for 1 case"),
            "{text}"
        );
    }

    #[test]
    fn a_damaged_shard_is_no_answer() {
        let (one, mut other) = (shard(1), shard(2));
        let header = Entry::Header(&Header::default()).encode();
        let lines = format!("{header}\n{{\"type\":\"case\",\"schema\":2}}\n");
        other.run.damaged = Run::parse(&lines).expect("a header").damaged;
        let answer = Answer::of(&[&one, &other]);
        assert!(!answer.is_decided());
        assert!(answer.text().contains("shard 2 is damaged: "), "{answer:?}");
    }

    #[test]
    fn a_shard_that_was_measured_again_counts() {
        let (one, other) = (shard(1), shard(2));
        let mut killed = shard(2);
        killed.run.end = None;
        for runs in [[&one, &killed, &other], [&one, &other, &killed]] {
            assert!(Answer::of(&runs).is_decided());
        }
    }
}
