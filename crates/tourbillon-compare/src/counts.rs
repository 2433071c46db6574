//! The allocations and the instructions of both builds of a case, compared by equality, and its events, by pairs of
//! launches.

use tourbillon_analysis::counted;
use tourbillon_present::Figure;
use tourbillon_record::{CaseResult, Memory, Metric, Stepped};
use tourbillon_report::{Outcome, counted_figures, is_exact, same_count};
use tourbillon_stepper::{EventChange, event_changes, event_results, stepped};

use crate::gate::limits::AllocLimits;

/// The counts of a case; the reference comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) sides: [Tally; 2],
    /// Launches whose ops were executed one by one; empty where that was not asked for.
    pub(crate) stepped: [Vec<Stepped>; 2],
    /// Launches in which events were counted, all in one; `None` where that was not asked for.
    pub(crate) events: [Option<Stepped>; 2],
}

/// What is counted of a case besides its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountKind {
    Allocations,
    Instructions,
    Events,
}

impl CountKind {
    pub(crate) const ALL: [CountKind; 3] = [
        CountKind::Allocations,
        CountKind::Instructions,
        CountKind::Events,
    ];

    /// That of a metric which is counted.
    pub(crate) fn of(metric: Metric) -> CountKind {
        match metric {
            Metric::Instructions => CountKind::Instructions,
            metric if metric.is_event() => CountKind::Events,
            _ => CountKind::Allocations,
        }
    }

    /// More of it, or less.
    pub(crate) fn outcome(self, is_more: bool) -> Outcome {
        match (self, is_more) {
            (CountKind::Allocations, true) => Outcome::AllocatesMore,
            (CountKind::Allocations, false) => Outcome::AllocatesLess,
            (CountKind::Instructions, true) => Outcome::ExecutesMore,
            (CountKind::Instructions, false) => Outcome::ExecutesLess,
            (CountKind::Events, true) => Outcome::Worse,
            (CountKind::Events, false) => Outcome::Better,
        }
    }

    /// That of a case with this name, or this id.
    pub(crate) fn name(self, case: &str) -> String {
        match self {
            CountKind::Allocations => format!("{case} allocations"),
            CountKind::Instructions => format!("{case} instructions"),
            CountKind::Events => format!("{case} counters"),
        }
    }
}

/// The counts of one build.
#[derive(Clone, Debug, Default)]
pub(crate) enum Tally {
    /// Not counted, because the case failed or there was no time.
    #[default]
    NotRequested,
    /// The executable cannot count, and why.
    Unable(String),
    /// Counting failed, and why.
    Failed(String),
    /// The memory launches.
    Counted(Vec<Memory>),
}

/// One count of both builds.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) metric: Metric,
    /// The count of the reference.
    pub(crate) then: CaseResult,
    pub(crate) now: CaseResult,
    /// What pairs of launches show, of events.
    pub(crate) change: Option<EventChange>,
}

impl Tally {
    /// The memory launches; empty if nothing was counted.
    pub(crate) fn launches(&self) -> &[Memory] {
        match self {
            Tally::Counted(launches) => launches,
            _ => &[],
        }
    }
}

impl Counts {
    /// Those that a record has of a case.
    pub(crate) fn recorded(memory: &[&Memory], followed: &[&Stepped]) -> Counts {
        let mut counts = Counts::default();
        for launch in memory {
            match launch
                .arm
                .and_then(|arm| counts.sides.get_mut(usize::from(arm)))
            {
                Some(Tally::Counted(launches)) => launches.push((*launch).clone()),
                Some(side) => *side = Tally::Counted(vec![(*launch).clone()]),
                None => {}
            }
        }
        for launch in followed {
            let Some(arm) = launch.arm.map(usize::from).filter(|arm| *arm < 2) else {
                continue;
            };
            if launch.events.is_some() {
                counts.events[arm] = Some((*launch).clone());
            } else {
                counts.stepped[arm].push((*launch).clone());
            }
        }
        counts
    }

    /// The counts that both builds have.
    pub(crate) fn pairs(&self, case: &str) -> Vec<Pair> {
        let [then, now] = [0, 1].map(|side| {
            let mut results = counted(case, self.sides[side].launches());
            results.extend(stepped(case, &self.stepped[side]));
            let events = self.events[side].as_ref();
            results.extend(events.map_or_else(Vec::new, |events| event_results(case, events)));
            results
        });
        let changes = match &self.events {
            [Some(then), Some(now)] => event_changes([then, now]),
            _ => Vec::new(),
        };
        let pairs = then.into_iter().filter_map(|then| {
            let mut known = now.iter().filter(|now| now.estimate.is_ok());
            let now = known.find(|now| now.metric == then.metric)?.clone();
            let metric = then.metric;
            let change = changes.iter().find(|change| change.metric == metric);
            then.estimate.is_ok().then_some(Pair {
                metric,
                then,
                now,
                change: change.copied(),
            })
        });
        pairs.collect()
    }

    /// Why one side's counts are missing, and which side; no allocations if both builds cannot count.
    pub(crate) fn gap(&self, kind: CountKind) -> Option<(usize, &str)> {
        if kind == CountKind::Events {
            return (0..2).find_map(|side| {
                let counts = &self.events[side].as_ref()?.counts;
                Some((side, counts.as_ref().err()?.as_str()))
            });
        }
        if kind == CountKind::Instructions {
            return (0..2).find_map(|side| {
                let first = self.stepped[side].first()?;
                Some((side, first.counts.as_ref().err()?.as_str()))
            });
        }
        let of = |side: usize| match &self.sides[side] {
            Tally::Failed(why) => Some((side, why.as_str())),
            Tally::Unable(why) if !self.sides[1 - side].launches().is_empty() => {
                Some((side, why.as_str()))
            }
            _ => None,
        };
        of(0).or_else(|| of(1))
    }

    /// Whether the counts of one build alone are known, or counting failed; not of events, some of which may be known.
    pub(crate) fn are_unknown(&self, kind: CountKind) -> bool {
        if kind == CountKind::Instructions {
            let is_counted =
                |side: &Vec<Stepped>| side.first().is_some_and(|one| one.counts.is_ok());
            return !self.stepped.iter().all(is_counted);
        }
        let [then, now] = self.sides.each_ref().map(|side| side.launches().is_empty());
        self.gap(kind).is_some() || then != now
    }
}

impl Pair {
    /// Whether the counts differ as far as known: those of events in all pairs of launches, others see [`same_count`].
    pub(crate) fn differs(&self) -> bool {
        match &self.change {
            Some(change) => change.differs(),
            None => !same_count(&self.then, &self.now),
        }
    }

    /// `more`, `fewer` or `same`; `undecided` of events that too few pairs of launches counted.
    pub(crate) fn finding(&self) -> &'static str {
        if !self.differs() {
            let is_undecided = self.change.is_some_and(|change| change.is_undecided());
            return if is_undecided { "undecided" } else { "same" };
        }
        let is_better_with_more = self.metric == Metric::Ipc;
        if self.is_more() != is_better_with_more {
            "more"
        } else {
            "fewer"
        }
    }

    /// Whether there is more of it now; of instructions in a cycle, which are better, whether there are fewer.
    pub(crate) fn is_more(&self) -> bool {
        let has_more = match &self.change {
            Some(change) => change.difference[1] > 0.0,
            None => self.now.estimate.ok() > self.then.estimate.ok(),
        };
        has_more != (self.metric == Metric::Ipc)
    }

    /// Whether there is more of it than a limit allows; `None` of events that too few pairs of launches counted.
    pub(crate) fn exceeds(&self, limit: AllocLimits) -> Option<bool> {
        match &self.change {
            Some(change) => match limit.allowed(change.before) {
                Some(allowed) => change.exceeds(allowed),
                None => Some(false),
            },
            None => Some(limit.is_exceeded(&self.then, &self.now)),
        }
    }

    /// `4 allocs instead of 3`, `33 B instead of 32 B`, `7 to 9 allocs instead of 3 to 5` of counts that vary.
    pub(crate) fn change(&self) -> String {
        let [then, now] = ranges([&self.then, &self.now]);
        let what = match self.metric {
            Metric::Allocs if now == "1" => " alloc",
            Metric::Allocs => " allocs",
            // A number of bytes has a unit.
            Metric::Bytes => "",
            Metric::Peak => " at the peak",
            Metric::Kept => " kept",
            Metric::Instructions => " instructions",
            metric => return format!("{now} {} instead of {then}", metric.name()),
        };
        format!("{now}{what} instead of {then}")
    }
}

/// The counts of both builds, or their ranges if they vary.
fn ranges(sides: [&CaseResult; 2]) -> [String; 2] {
    if sides[0].metric.is_event() {
        return sides.map(|result| {
            let estimate = result.estimate.unwrap_or_default();
            Figure::new(estimate, result.lower, result.upper).cycles()
        });
    }
    let [mut then, now] = sides.map(ends);
    let of_then = then.len();
    then.extend(now);
    let figures = counted_figures(&then);
    let (then, now) = figures.split_at(of_then);
    [then, now].map(|ends| ends.join(" to "))
}

/// A count, or the ends of its range if it varies.
fn ends(result: &CaseResult) -> Vec<CaseResult> {
    let (Some(lower), Some(upper)) = (result.lower, result.upper) else {
        return vec![result.clone()];
    };
    if is_exact(result) {
        return vec![result.clone()];
    }
    let end = |end| CaseResult {
        estimate: Ok(end),
        lower: None,
        ..result.clone()
    };
    vec![end(lower), end(upper)]
}

#[cfg(test)]
pub(crate) mod tests;
