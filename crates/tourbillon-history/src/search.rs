//! The search for the commit of a change, by comparisons with a commit before it.

use std::ops::RangeInclusive;

use tourbillon_compare::Demand;
use tourbillon_record::Finding;
use tourbillon_tool::exit::Stop;

use crate::bisection::{Bisection, Probe, Probed};
use crate::index::CommitVerdict;

/// What came of comparing the commit before the change with another one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// A comparison was made, now or earlier.
    Verdict(CommitVerdict),
    /// The commit cannot be compared, because of this.
    Impossible(String),
    /// No comparison was made, and none is to be made.
    Missing,
}

/// Compares the commit before the change with others.
pub(crate) trait Ask {
    /// The comparison with a commit, which meets a demand.
    fn ask(&mut self, commit: &str, demand: Demand) -> Result<Reply, Stop>;
}

/// A commit that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// Its index.
    pub(crate) place: usize,
    pub(crate) probed: Probed,
    pub(crate) reply: Reply,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Searched {
    /// What came of the newest commit.
    pub(crate) ends: Reply,
    pub(crate) steps: Vec<Step>,
    /// Indices of the commits of which one has the change.
    pub(crate) range: RangeInclusive<usize>,
    /// The comparison that is missing: the index of the commit, and what it has to meet.
    pub(crate) next: Option<(usize, Demand)>,
}

/// Searches `commits`, the oldest first, for the one that changes a case. The newest is compared with the demand;
/// if it differs, the error of the demand is divided over the comparisons of the search. These decide on which side of
/// half the change a commit lies.
pub(crate) fn search(
    commits: &[String],
    demand: Demand,
    asked: &mut dyn Ask,
) -> Result<Searched, Stop> {
    // Place 0 is the commit before all of these.
    let mut bisection = Bisection::new(commits.len(), 1.0 - demand.confidence);
    let newest = commits.len() - 1;
    let ends = asked.ask(&commits[newest], demand)?;
    let mut searched = Searched {
        ends: ends.clone(),
        steps: Vec::new(),
        range: indices(&bisection),
        next: (ends == Reply::Missing).then_some((newest, demand)),
    };
    let Reply::Verdict(ends) = ends else {
        return Ok(searched);
    };
    let ratio = ends.ratio.filter(|ratio| *ratio > 0.0);
    let (Some(ratio), Finding::Slower | Finding::Faster) = (ratio, ends.finding) else {
        return Ok(searched);
    };
    while let Some(probe) = bisection.probe() {
        let demand = Demand {
            limit: Some(ratio.sqrt()),
            confidence: 1.0 - probe.error,
            ..demand
        };
        let index = probe.place - 1;
        let reply = asked.ask(&commits[index], demand)?;
        let probed = match &reply {
            Reply::Verdict(verdict) => side(verdict, ends.finding),
            Reply::Impossible(_) => Probed::Impossible,
            Reply::Missing => {
                searched.next = Some((index, demand));
                break;
            }
        };
        answer(&mut bisection, &mut searched, probe, probed, reply);
    }
    searched.range = indices(&bisection);
    Ok(searched)
}

fn answer(
    bisection: &mut Bisection,
    searched: &mut Searched,
    probe: Probe,
    probed: Probed,
    reply: Reply,
) {
    bisection.answer(probe, probed);
    searched.steps.push(Step {
        place: probe.place - 1,
        probed,
        reply,
    });
}

/// On which side of the change a commit lies whose time was compared with half the change. Numbers are compared without
/// a limit: those that are the same are before it.
fn side(verdict: &CommitVerdict, change: Finding) -> Probed {
    match verdict.finding {
        Finding::Same if verdict.limit.is_none() => Probed::Before,
        Finding::Undecided | Finding::Same => Probed::Undecided,
        finding if finding == change => Probed::After,
        _ => Probed::Before,
    }
}

fn indices(bisection: &Bisection) -> RangeInclusive<usize> {
    let range = bisection.range();
    range.start() - 1..=range.end() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers from a list of ratios, one for each commit; `None` for one that does not build.
    struct Script {
        ratios: Vec<Option<f64>>,
        /// Commits whose comparisons do not decide.
        undecided: Vec<usize>,
        /// How many comparisons are made.
        left: usize,
        demands: Vec<(usize, Demand)>,
    }

    impl Ask for Script {
        fn ask(&mut self, commit: &str, demand: Demand) -> Result<Reply, Stop> {
            if self.left == 0 {
                return Ok(Reply::Missing);
            }
            self.left -= 1;
            let index: usize = commit.parse().expect("a number");
            self.demands.push((index, demand));
            let Some(ratio) = self.ratios[index] else {
                return Ok(Reply::Impossible("it does not build".to_owned()));
            };
            let (limit, margin) = match demand.limit {
                Some(limit) => (limit, 0.0),
                None => (1.0, 0.01),
            };
            let finding = match ratio / limit - 1.0 {
                _ if self.undecided.contains(&index) => Finding::Undecided,
                more if more > margin => Finding::Slower,
                more if more < -margin => Finding::Faster,
                _ => Finding::Same,
            };
            Ok(Reply::Verdict(CommitVerdict {
                case: "c".to_owned(),
                finding,
                ratio: Some(ratio),
                lower: None,
                upper: None,
                limit: demand.limit,
                margin,
                confidence: demand.confidence,
                ..CommitVerdict::default()
            }))
        }
    }

    const DEMAND: Demand = Demand {
        margin: None,
        limit: None,
        confidence: 0.999,
    };

    fn script(ratios: impl IntoIterator<Item = Option<f64>>) -> Script {
        Script {
            ratios: ratios.into_iter().collect(),
            undecided: Vec::new(),
            left: usize::MAX,
            demands: Vec::new(),
        }
    }

    fn searched(script: &mut Script) -> Searched {
        let commits: Vec<String> = (0..script.ratios.len())
            .map(|index| index.to_string())
            .collect();
        search(&commits, DEMAND, script).expect("no mistake")
    }

    #[test]
    fn the_commit_of_a_change_is_found_in_both_directions() {
        for ratio in [1.03, 0.97, 2.0] {
            for first in 0..20 {
                // A smaller change before it.
                let at = |index| Some(if index < first { 1.002 } else { ratio });
                let mut script = script((0..20).map(at));
                let found = searched(&mut script);
                assert_eq!(found.range, first..=first, "{ratio}");
                assert_eq!(found.next, None);
                assert!(found.steps.len() <= 5);
                // The ends, then each with a fifth of the error, against half the change.
                let (newest, ends) = script.demands[0];
                assert_eq!((newest, ends), (19, DEMAND));
                for (_, demand) in &script.demands[1..] {
                    assert_eq!(demand.limit, Some(ratio.sqrt()));
                }
                let error = 1.0 - script.demands[1].1.confidence;
                assert!((error - 0.0002).abs() < 1e-12, "{error}");
            }
        }
    }

    #[test]
    fn commits_that_do_not_build_stay_in_the_range() {
        let at = |index| match index {
            8..12 => None,
            0..8 => Some(1.0),
            _ => Some(1.05),
        };
        let found = searched(&mut script((0..20).map(at)));
        assert_eq!(found.range, 8..=12);
        let broken = found
            .steps
            .iter()
            .filter(|step| step.probed == Probed::Impossible);
        assert_eq!(broken.count(), 4);
    }

    #[test]
    fn undecided_commits_are_passed_over() {
        let mut script = script((0..16).map(|index| Some(if index < 3 { 1.0 } else { 1.05 })));
        script.undecided = vec![7];
        assert_eq!(searched(&mut script).range, 3..=3);
        script.undecided = (0..15).collect();
        assert_eq!(searched(&mut script).range, 0..=15);
    }

    #[test]
    fn a_number_that_is_the_same_is_before_the_change() {
        let verdict = |finding, limit| CommitVerdict {
            finding,
            limit,
            ..CommitVerdict::default()
        };
        let of = |finding, limit| side(&verdict(finding, limit), Finding::Slower);
        assert_eq!(of(Finding::Same, None), Probed::Before);
        assert_eq!(of(Finding::Same, Some(1.02)), Probed::Undecided);
        assert_eq!(of(Finding::Slower, None), Probed::After);
    }

    #[test]
    fn without_a_change_nothing_is_searched() {
        let mut same = script([Some(1.0), Some(1.0), Some(1.001)]);
        let found = searched(&mut same);
        assert!(matches!(&found.ends, Reply::Verdict(one) if one.finding == Finding::Same));
        assert_eq!((found.steps.len(), same.demands.len()), (0, 1));
        let found = searched(&mut script([Some(1.0), None]));
        assert!(matches!(found.ends, Reply::Impossible(_)));
    }

    #[test]
    fn a_search_goes_on_where_it_ended() {
        let ratios = (0..20).map(|index| Some(if index < 11 { 1.0 } else { 1.05 }));
        let mut interrupted = script(ratios);
        for left in 0..6 {
            interrupted.left = left;
            interrupted.demands.clear();
            let found = searched(&mut interrupted);
            let Some((next, demand)) = found.next else {
                assert_eq!((left, found.range), (5, 11..=11));
                break;
            };
            // The comparison that is missing is the next one that a search asks for.
            interrupted.left = left + 1;
            searched(&mut interrupted);
            assert_eq!(interrupted.demands.last(), Some(&(next, demand)));
        }
    }

    #[test]
    fn one_commit_needs_no_search() {
        let found = searched(&mut script([Some(1.05)]));
        assert_eq!((found.range, found.steps.len()), (0..=0, 0));
    }
}
