//! Cases that are compared: their launches are made in blocks, and go on until the verdicts are decided or time is up.

use std::collections::HashMap;

use tourbillon_analysis::{BlockArm, Criteria, Rules, blocks_left, fastest_arms, judge_blocks};
use tourbillon_record::Verdict;

use crate::runner::case_progress::CaseProgress;
use crate::runner::schedule::Set;

/// Time for blocks beyond the launches that the table of results needs.
const BEYOND_NS: u64 = 2_000_000_000;
/// The same as a share of the time of those launches, where that is more: with many cases, a comparison takes at most
/// 1.4 times the time of its table, give or take a launch of each.
const BEYOND: (u64, u64) = (2, 5);
/// The same until the first look, for cases whose set-up takes most of the time.
const LONGEST_NS: u64 = 8_000_000_000;

/// Cases that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What the others are compared with.
    pub reference: String,
    /// The others, at least one.
    pub candidates: Vec<String>,
    /// Of an assertion, how many times the time of the reference the only candidate may take.
    pub limit: Option<f64>,
}

/// A comparison in a run.
pub(crate) struct BlockComparison {
    /// Indices of its cases, the reference first.
    cases: Vec<usize>,
    limit: Option<f64>,
    /// Time of their launches before there were others for this comparison.
    table_ns: Option<u64>,
}

/// The comparisons of a run; none of a case that is not run.
pub(crate) fn block_comparisons(
    comparisons: &[Comparison],
    cases: &[CaseProgress<'_>],
) -> Vec<BlockComparison> {
    let indices: HashMap<&str, usize> = cases
        .iter()
        .enumerate()
        .map(|(index, case)| (case.case.id.as_str(), index))
        .collect();
    let mut found = Vec::new();
    for comparison in comparisons {
        let ids = [&comparison.reference]
            .into_iter()
            .chain(&comparison.candidates);
        let own: Option<Vec<usize>> = ids.map(|id| indices.get(id.as_str()).copied()).collect();
        found.extend(own.map(|cases| BlockComparison {
            cases,
            limit: comparison.limit,
            table_ns: None,
        }));
    }
    found
}

/// What holds the launches of each case together with those of others: its shared worker, or that they are compared,
/// also with a third one.
pub(crate) fn sets(comparisons: &[BlockComparison], cases: &[CaseProgress<'_>]) -> Vec<Set> {
    let mut first: Vec<usize> = (0..cases.len()).collect();
    for comparison in comparisons {
        let of_cases: Vec<usize> = comparison.cases.iter().map(|case| first[*case]).collect();
        let Some(least) = of_cases.iter().min() else {
            continue;
        };
        for own in &mut first {
            if of_cases.contains(own) {
                *own = *least;
            }
        }
    }
    let mut members = vec![0; cases.len()];
    for own in &first {
        members[*own] += 1;
    }
    let set = |(index, case): (usize, &CaseProgress<'_>)| match case.settings.shared_worker {
        Some(worker) => Set::Pass(worker),
        None if members[first[index]] > 1 => Set::Block(first[index]),
        None => Set::Alone(index),
    };
    cases.iter().enumerate().map(set).collect()
}

impl BlockComparison {
    /// Which cases get how many more launches: those of comparisons that are open, and the reference with them, until
    /// the next look, as far as they fit into the time.
    pub(crate) fn more(&mut self, cases: &[CaseProgress<'_>], rules: &Rules) -> Vec<(usize, u32)> {
        let spent_ns: u64 = self.cases.iter().map(|case| cases[*case].spent_ns).sum();
        let table_ns = *self.table_ns.get_or_insert(spent_ns);
        let arms = self.arms(cases, rules);
        let (mut open_arms, mut blocks, mut is_looked_at) = (Vec::new(), 0, true);
        for (reference, candidate) in pairs(&arms) {
            let criteria = self.criteria(arms.len(), (reference, candidate));
            let left = blocks_left(&arms[reference].1, &arms[candidate].1, criteria);
            if let Some(missing) = left.blocks {
                open_arms.extend([0, reference, candidate]);
                blocks = blocks.max(missing);
                is_looked_at &= left.is_looked_at;
            }
        }
        open_arms.sort_unstable();
        open_arms.dedup();
        let most_ns = if is_looked_at {
            BEYOND_NS.max(table_ns / BEYOND.1 * BEYOND.0)
        } else {
            LONGEST_NS
        };
        let left_ns = (table_ns + most_ns).saturating_sub(spent_ns);
        let open: Vec<usize> = open_arms.into_iter().map(|arm| arms[arm].0).collect();
        let launch_ns =
            |case: &usize| cases[*case].spent_ns / u64::from(cases[*case].ended().max(1));
        let block_ns: u64 = open.iter().map(launch_ns).sum();
        let fitting = u32::try_from(left_ns / block_ns.max(1)).unwrap_or(u32::MAX);
        match blocks.min(fitting) {
            0 => Vec::new(),
            blocks => open.into_iter().map(|case| (case, blocks)).collect(),
        }
    }

    /// Each candidate against the reference, and, where there are several, the fastest arm against the next one,
    /// unless that is among them.
    pub(crate) fn verdicts(&self, cases: &[CaseProgress<'_>], rules: &Rules) -> Vec<Verdict> {
        let arms = self.arms(cases, rules);
        let verdict = |(first, second): (usize, usize)| {
            let criteria = self.criteria(arms.len(), (first, second));
            judge_blocks(&arms[first].1, &arms[second].1, criteria)
        };
        pairs(&arms).into_iter().map(verdict).collect()
    }

    /// The candidates that are measured in another metric than the reference; the reference, where its own cannot be
    /// compared.
    pub(crate) fn not_comparable(&self, cases: &[CaseProgress<'_>], rules: &Rules) -> Vec<usize> {
        let usable = self.usable(cases, rules);
        let Some(((_, reference), candidates)) = usable.split_first() else {
            return Vec::new();
        };
        if !reference.is_comparable(reference) {
            return vec![usable[0].0];
        }
        let mut others = Vec::new();
        for (case, arm) in candidates {
            if !arm.is_comparable(reference) {
                others.push(*case);
            }
        }
        others
    }

    /// Whether it is of an assertion.
    pub(crate) fn is_assertion(&self) -> bool {
        self.limit.is_some()
    }

    fn criteria(&self, arms: usize, pair: (usize, usize)) -> Criteria {
        let limit = self.limit;
        Criteria {
            limit,
            ..Criteria::CASES
        }
        .of_pair(arms, pair)
    }

    /// The launches of the cases that have no failed one, with their indices; none where the reference has.
    fn usable(&self, cases: &[CaseProgress<'_>], rules: &Rules) -> Vec<(usize, BlockArm)> {
        if self
            .cases
            .first()
            .is_none_or(|case| cases[*case].failed > 0)
        {
            return Vec::new();
        }
        let usable = self.cases.iter().filter(|case| cases[**case].failed == 0);
        usable
            .map(|case| {
                let progress = &cases[*case];
                (
                    *case,
                    BlockArm::new(&progress.case.id, &progress.made, rules),
                )
            })
            .collect()
    }

    /// Those that are compared; none where there is no pair.
    fn arms(&self, cases: &[CaseProgress<'_>], rules: &Rules) -> Vec<(usize, BlockArm)> {
        let mut arms = self.usable(cases, rules);
        if let Some((_, reference)) = arms.first().cloned() {
            arms.retain(|(_, arm)| arm.is_comparable(&reference));
        }
        if arms.len() < 2 { Vec::new() } else { arms }
    }
}

/// The pairs of arms that are compared, the reference of each first.
fn pairs(arms: &[(usize, BlockArm)]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = (1..arms.len()).map(|arm| (0, arm)).collect();
    if let Some((fastest, next)) = fastest_arms(arms.iter().map(|(_, arm)| arm))
        && fastest != 0
        && next != 0
    {
        pairs.push((next, fastest));
    }
    pairs
}
