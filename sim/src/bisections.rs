use std::ops::RangeInclusive;

use tourbillon_analysis::Criteria;
use tourbillon_history::{Bisection, Probed};
use tourbillon_record::{Finding, Verdict};

use crate::builds::{self, compare_builds, machines};
use crate::{Chance, Change, Claim, Comparison, Machine, Order, Proportion, Repeats, Table, Turns};

/// The error of the comparison of both ends, and that of a whole search.
const ERROR: f64 = 1e-3;
/// Pairs of processes after which a step ends undecided: three times as many as of the comparison of both ends, rounded
/// down to a look.
const MOST_LAUNCHES: u32 = 121;
/// Share of the commits that do not build, in the cells that have some.
const BROKEN: f64 = 0.1;

/// What is searched, and where.
#[derive(Clone, Copy)]
struct Cell<'m> {
    machine: &'m Machine,
    commits: usize,
    /// By how much the time changes.
    step: f64,
    /// Share of the commits that do not build.
    broken: f64,
}

/// What came of a search.
struct Found {
    range: RangeInclusive<usize>,
    /// The commit that changes the time.
    first: usize,
    comparisons: usize,
}

impl Found {
    fn is_right(&self) -> bool {
        self.range == (self.first..=self.first)
    }

    fn is_wrong(&self) -> bool {
        !self.range.contains(&self.first)
    }
}

/// The search of `history bisect` for a commit that is known, with real verdicts on simulated comparisons.
pub fn bisections(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A commit that changes a time, found by bisecting",
        &[
            "machine",
            "commits, change",
            "ends differ",
            "right commit",
            "a range with it",
            "wrong",
            "comparisons",
        ],
    );
    let machines = machines();
    for (number, (machine, commits, step, broken)) in [
        (1, 16, 0.02, 0.0),
        (1, 200, 0.02, 0.0),
        (1, 200, 0.02, BROKEN),
        (1, 200, -0.05, 0.0),
        (2, 200, 0.02, 0.0),
        (5, 200, 0.05, 0.0),
    ]
    .into_iter()
    .enumerate()
    {
        let (name, machine) = &machines[machine];
        let cell = Cell {
            machine,
            commits,
            step,
            broken,
        };
        let own = repeats.for_cell(1_330 + number as u64);
        let outcomes: Vec<Option<Found>> = own.of(|seed| cell.search(seed));
        let confirmed = outcomes.iter().map(Option::is_some);
        let found: Vec<&Found> = outcomes.iter().flatten().collect();
        let share = |is: fn(&Found) -> bool| Proportion::count(found.iter().map(|one| is(one)));
        table.row(name);
        let some = match broken {
            0.0 => String::new(),
            share => format!(", {} % do not build", 100.0 * share),
        };
        table.text(format!("{commits}, {:+} %{some}", 100.0 * step));
        table.share(Proportion::count(confirmed), Claim::Shown { upper: false });
        // The machine and the change that the figure is required for.
        let right = match (number, broken) {
            (0 | 1, 0.0) => Claim::AtLeast(0.99),
            _ => Claim::Shown { upper: false },
        };
        table.share(share(Found::is_right), right);
        table.share(
            share(|one| !one.is_right() && !one.is_wrong()),
            Claim::Shown { upper: true },
        );
        table.share(share(Found::is_wrong), Claim::AtMost(ERROR));
        let all: usize = found.iter().map(|one| one.comparisons).sum();
        table.text(format!("{:.1}", all as f64 / found.len().max(1) as f64));
    }
    table
}

impl Cell<'_> {
    /// Searches; `None` where the ends do not differ.
    fn search(&self, seed: u64) -> Option<Found> {
        let mut chance = Chance::new(seed);
        let first = 1 + (chance.uniform() * self.commits as f64) as usize;
        let first = first.min(self.commits);
        // The ends build.
        let broken: Vec<bool> = (0..=self.commits)
            .map(|commit| chance.happens(self.broken) && commit < self.commits)
            .collect();
        let mut compare = |commit: usize, limit: Option<f64>, error: f64| {
            let times = if commit < first { 1.0 } else { 1.0 + self.step };
            self.compare(times, limit, error, chance.seed())
        };
        let ends = compare(self.commits, None, ERROR);
        let change = match ends.finding {
            Finding::Slower | Finding::Faster => ends.finding,
            Finding::Same | Finding::Unchanged | Finding::Undecided => return None,
        };
        let limit = Some(ends.ratio?.sqrt());
        let mut bisection = Bisection::new(self.commits, ERROR);
        let mut comparisons = 1;
        while let Some(probe) = bisection.probe() {
            if broken[probe.place] {
                bisection.answer(probe, Probed::Impossible);
                continue;
            }
            comparisons += 1;
            let finding = compare(probe.place, limit, probe.error).finding;
            let answer = match finding {
                Finding::Same | Finding::Unchanged | Finding::Undecided => Probed::Undecided,
                finding if finding == change => Probed::After,
                _ => Probed::Before,
            };
            bisection.answer(probe, answer);
        }
        Some(Found {
            range: bisection.range(),
            first,
            comparisons,
        })
    }

    fn compare(&self, times: f64, limit: Option<f64>, error: f64, seed: u64) -> Verdict {
        let comparison = Comparison {
            machine: self.machine,
            change: Change::Times(times),
            order: Order::Coin,
            turns: Turns::Longer,
        };
        let criteria = Criteria {
            error,
            limit,
            ..Criteria::BUILDS
        };
        let most = match limit {
            Some(_) => MOST_LAUNCHES,
            None => builds::MOST_LAUNCHES,
        };
        compare_builds(&comparison, criteria, most, seed)
    }
}
