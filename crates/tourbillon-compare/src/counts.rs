//! The allocations and the instructions of both builds of a case, compared by equality.

use tourbillon_analysis::{counted, stepped};
use tourbillon_record::{CaseResult, Memory, Metric, Stepped};
use tourbillon_report::{Outcome, counted_figure, is_exact, same_count};

/// The counts of a case; the reference comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) sides: [Tally; 2],
    /// Launches whose ops were executed one by one; empty where that was not asked for.
    pub(crate) stepped: [Vec<Stepped>; 2],
}

/// What is counted of a case besides its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountKind {
    Allocations,
    Instructions,
}

impl CountKind {
    pub(crate) const ALL: [CountKind; 2] = [CountKind::Allocations, CountKind::Instructions];

    /// That of a metric which is counted.
    pub(crate) fn of(metric: Metric) -> CountKind {
        match metric {
            Metric::Instructions => CountKind::Instructions,
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
        }
    }

    /// That of a case with this name, or this id.
    pub(crate) fn name(self, case: &str) -> String {
        match self {
            CountKind::Allocations => format!("{case} allocations"),
            CountKind::Instructions => format!("{case} instructions"),
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
    /// The counts that both builds have.
    pub(crate) fn pairs(&self, case: &str) -> Vec<Pair> {
        let [then, now] = [0, 1].map(|side| {
            let mut results = counted(case, self.sides[side].launches());
            results.extend(stepped(case, &self.stepped[side]));
            results
        });
        let pairs = then.into_iter().filter_map(|then| {
            let mut known = now.iter().filter(|now| now.estimate.is_ok());
            let now = known.find(|now| now.metric == then.metric)?.clone();
            let metric = then.metric;
            then.estimate.is_ok().then_some(Pair { metric, then, now })
        });
        pairs.collect()
    }

    /// Why one side's counts are missing, and which side; no allocations if both builds cannot count.
    pub(crate) fn gap(&self, kind: CountKind) -> Option<(usize, &str)> {
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

    /// Whether the counts of one build alone are known, or counting failed.
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
    /// Whether the counts differ as far as known, see [`same_count`].
    pub(crate) fn differs(&self) -> bool {
        !same_count(&self.then, &self.now)
    }

    /// `more`, `fewer` or `same`.
    pub(crate) fn finding(&self) -> &'static str {
        match (self.differs(), self.then.estimate, self.now.estimate) {
            (true, Ok(then), Ok(now)) if now > then => "more",
            (true, ..) => "fewer",
            _ => "same",
        }
    }

    /// Whether there is more of it now.
    pub(crate) fn is_more(&self) -> bool {
        self.now.estimate.ok() > self.then.estimate.ok()
    }

    /// `4 allocs instead of 3`, `33 B instead of 32 B`.
    pub(crate) fn change(&self) -> String {
        let (now, then) = (range(&self.now), range(&self.then));
        let what = match self.metric {
            Metric::Allocs if now == "1" => " alloc",
            Metric::Allocs => " allocs",
            // A number of bytes has a unit.
            Metric::Bytes => "",
            Metric::Peak => " at the peak",
            Metric::Kept => " kept",
            Metric::Instructions => " instructions",
            metric => metric.name(),
        };
        let gap = if what.starts_with(' ') || what.is_empty() {
            ""
        } else {
            " "
        };
        format!("{now}{gap}{what} instead of {then}")
    }

    /// `3 -> 4`, or `3 to 5 -> 7 to 9` of counts that vary.
    pub(crate) fn text(&self) -> String {
        format!("{} -> {}", range(&self.then), range(&self.now))
    }
}

/// A count, or its range if it varies.
fn range(result: &CaseResult) -> String {
    let (Some(lower), Some(upper)) = (result.lower, result.upper) else {
        return counted_figure(result);
    };
    if is_exact(result) {
        return counted_figure(result);
    }
    let [lower, upper] = [lower, upper].map(|end| {
        counted_figure(&CaseResult {
            estimate: Ok(end),
            lower: None,
            ..result.clone()
        })
    });
    format!("{lower} to {upper}")
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_record::{Counted, Steps};

    use super::*;

    /// A memory launch whose rows have one iteration and this many requests of 8 bytes.
    pub(crate) fn memory(requests: &[u64]) -> Memory {
        let column = |times: u64| requests.iter().map(|count| count * times).collect();
        Memory {
            case: "c".to_owned(),
            launch: 0,
            seed: 0,
            pid: 0,
            started_unix_ns: 0,
            arm: None,
            terminal: "iter".to_owned(),
            drop_inside: false,
            ops_per_iteration: 1,
            iterations: vec![1; requests.len()],
            counts: Ok(Counted {
                allocs: column(1),
                frees: column(1),
                reallocs_in_place: column(0),
                reallocs_moved: column(0),
                allocated_bytes: column(8),
                freed_bytes: column(8),
                copied_bytes: column(0),
                peak_bytes: column(8),
                requests_elsewhere: column(0),
            }),
            resident: Err("unknown".to_owned()),
            launch_ns: 1,
            unknown: String::new(),
        }
    }

    /// Two launches of each build with this many requests in the rows.
    pub(crate) fn counts(then: [&[u64]; 2], now: [&[u64]; 2]) -> Counts {
        let launches = |of: [&[u64]; 2]| Tally::Counted(of.map(memory).into());
        Counts {
            sides: [launches(then), launches(now)],
            ..Counts::default()
        }
    }

    fn allocs(counts: &Counts) -> (String, &'static str) {
        let pairs = counts.pairs("c");
        let pair = pairs.first().expect("a count");
        assert_eq!(pair.metric, Metric::Allocs);
        (pair.text(), pair.finding())
    }

    #[test]
    fn exact_counts_are_equal_or_not() {
        let three: [&[u64]; 2] = [&[9, 3, 3], &[9, 3, 3]];
        let four: [&[u64]; 2] = [&[9, 4, 4], &[9, 4, 4]];
        assert_eq!(allocs(&counts(three, three)), ("3 -> 3".to_owned(), "same"));
        assert_eq!(allocs(&counts(three, four)), ("3 -> 4".to_owned(), "more"));
        assert_eq!(allocs(&counts(four, three)), ("4 -> 3".to_owned(), "fewer"));
        let pairs = counts(three, four).pairs("c");
        let bytes = pairs.iter().find(|pair| pair.metric == Metric::Bytes);
        assert_eq!(bytes.map(Pair::text), Some("24 B -> 32 B".to_owned()));
    }

    #[test]
    fn counts_that_vary_differ_by_more_than_they_vary() {
        let varying: [&[u64]; 2] = [&[9, 3, 5], &[9, 4, 3]];
        let within: [&[u64]; 2] = [&[9, 5, 5], &[9, 5, 5]];
        let beyond: [&[u64]; 2] = [&[9, 6, 8], &[9, 7, 7]];
        assert_eq!(
            allocs(&counts(varying, within)),
            ("3 to 5 -> 5".to_owned(), "same")
        );
        assert_eq!(
            allocs(&counts(varying, beyond)),
            ("3 to 5 -> 6 to 8".to_owned(), "more")
        );
    }

    #[test]
    fn instructions_are_compared_by_equality() {
        let launch = |instructions: [u64; 3]| Stepped {
            counts: Ok(Steps {
                iterations: vec![1, 2, 1],
                instructions: instructions.to_vec(),
                empty: vec![36, 38],
                ..Steps::default()
            }),
            ..Stepped::default()
        };
        let absent = Stepped {
            counts: Err("threads".to_owned()),
            ..Stepped::default()
        };
        let [hundred, more] = [[136, 238, 136], [140, 246, 140]].map(launch);
        let of = |then: &Stepped, now: &Stepped| Counts {
            stepped: [then, now].map(|launch| vec![launch.clone()]),
            ..Counts::default()
        };
        let text = |counts: &Counts| {
            let pairs = counts.pairs("c");
            let pair = pairs.first().expect("a count");
            assert_eq!(CountKind::of(pair.metric), CountKind::Instructions);
            (pair.change(), pair.finding())
        };
        let grown = of(&hundred, &more);
        let expected = ("104 instructions instead of 100".to_owned(), "more");
        assert_eq!(text(&grown), expected);
        assert!(!grown.are_unknown(CountKind::Instructions));
        assert_eq!(text(&of(&more, &more)).1, "same");
        let gap = of(&hundred, &absent);
        assert_eq!(gap.gap(CountKind::Instructions), Some((1, "threads")));
        assert!(gap.are_unknown(CountKind::Instructions));
        assert!(Counts::default().are_unknown(CountKind::Instructions));
        assert_eq!(gap.gap(CountKind::Allocations), None);
    }

    #[test]
    fn missing_counts_of_one_side_are_reported() {
        let unable = || Tally::Unable("no meter".to_owned());
        let gap = |sides| {
            let counts = Counts {
                sides,
                ..Counts::default()
            };
            counts
                .gap(CountKind::Allocations)
                .map(|(side, why)| (side, why.to_owned()))
        };
        let counted = || Tally::Counted(vec![memory(&[1, 1])]);
        assert_eq!(gap([unable(), unable()]), None);
        assert_eq!(gap([Tally::NotRequested, Tally::NotRequested]), None);
        assert_eq!(gap([counted(), counted()]), None);
        assert_eq!(gap([counted(), unable()]), Some((1, "no meter".to_owned())));
        let failed = Tally::Failed("panic".to_owned());
        assert_eq!(
            gap([failed, Tally::NotRequested]),
            Some((0, "panic".to_owned()))
        );
        let alone = Counts {
            sides: [counted(), unable()],
            ..Counts::default()
        };
        assert!(alone.pairs("c").is_empty());
    }
}
