use tourbillon_analysis::Criteria;
use tourbillon_record::{CaseResult, Finding, Metric, Verdict};

use crate::coverage::Cell;
use crate::simulated_run::simulated_comparison;
use crate::{Claim, Proportion, Repeats, Table};

/// How many times as long the second case takes: the same, and changes of which the larger ones meet contention more
/// often, because their batches are longer.
const RATIOS: [f64; 4] = [1.0, 1.01, 1.1, 1.5];

/// Two cases of a run, compared by their launches: how often the verdict is wrong, and agrees with the table.
pub fn cases(cells: &[Cell], repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "Two cases of a run, compared by their launches",
        &[
            "machine",
            "ratio",
            "wrong direction, or different where the same",
            "found",
            "interval contains the ratio",
            "table and verdict exclude each other",
            "half decided with",
        ],
    );
    for (number, cell) in cells.iter().enumerate() {
        for (at, ratio) in RATIOS.into_iter().enumerate() {
            let own = repeats.for_cell(3_000 + 10 * number as u64 + at as u64);
            let tried = own.of(|seed| simulated_comparison(&cell.machine, ratio, seed));
            let tried: Vec<(Verdict, Vec<CaseResult>)> = tried.into_iter().flatten().collect();
            let count = |is: &dyn Fn(&Verdict, &[CaseResult]) -> bool| {
                Proportion::count(tried.iter().map(|(verdict, results)| is(verdict, results)))
            };
            let is_found = |verdict: &Verdict| match verdict.finding {
                Finding::Slower => ratio > 1.0,
                Finding::Same => ratio <= 1.0 + Criteria::CASES.margin,
                Finding::Faster | Finding::Unchanged | Finding::Undecided => false,
            };
            let wrong =
                count(&|verdict, _| verdict.finding != Finding::Undecided && !is_found(verdict));
            let contains = count(&|verdict, _| {
                let (lower, upper) = (verdict.lower, verdict.upper);
                lower.is_none_or(|lower| lower <= ratio) && upper.is_none_or(|upper| upper >= ratio)
            });
            let mut launches: Vec<u32> =
                tried.iter().map(|(verdict, _)| verdict.launches).collect();
            launches.sort_unstable();
            table.row(cell.name);
            table.text(format!("{ratio}"));
            table.share(wrong, Claim::AtMost(Criteria::CASES.error));
            table.share(
                count(&|verdict, _| is_found(verdict)),
                Claim::Shown { upper: false },
            );
            table.share(contains, Claim::AtLeast(1.0 - Criteria::CASES.error));
            table.share(
                count(&|verdict, results| is_apart(verdict, results)),
                Claim::AtMost(0.01),
            );
            let half = launches.get(launches.len() / 2).copied().unwrap_or(0);
            table.text(format!("{half} blocks"));
        }
    }
    table
}

/// Whether the ratio of the cycles in the table, as far as their intervals go, is outside of that of the verdict.
fn is_apart(verdict: &Verdict, results: &[CaseResult]) -> bool {
    let ends = |case: &str| {
        let is_own = |result: &&CaseResult| result.case == case && result.metric == Metric::Cycles;
        let result = results.iter().find(is_own)?;
        result.lower.zip(result.upper)
    };
    let sides = ends(&verdict.reference).zip(ends(&verdict.case));
    let interval = verdict.lower.zip(verdict.upper);
    sides
        .zip(interval)
        .is_some_and(|((reference, case), interval)| {
            case.1 / reference.0 < interval.0 || case.0 / reference.1 > interval.1
        })
}
