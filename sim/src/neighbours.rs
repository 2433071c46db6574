use tourbillon_record::{CaseResult, Empty, Metric, Note, Scope, Visit};

use crate::conducted::conducted;
use crate::coverage::{Cell, LAUNCHES, covers, figure, half_width, of, results, run, truth};
use crate::{Claim, Machine, Neighbour, Proportion, Repeats, Table, quantile};

/// How near to what a body costs without a neighbour an estimate is called near, as a fraction.
const NEAR: f64 = 0.02;

/// Repeats from which the negative control is held to failing everywhere.
const CONTROL_FROM: u32 = 1_000;

/// What a run says among neighbours.
struct Tried {
    covers: bool,
    cycles_cover: bool,
    half_width: f64,
    near: bool,
    across: bool,
    /// Launches of the result, and those that were left out.
    launches: u32,
    left_out: u32,
    /// All launches of twenty together, without looking who else was there.
    unseeing_near: bool,
    unseeing_width: f64,
}

/// Whole runs, with their replacements, while somebody else works on the other thread of the core now and
/// then: how often they find what the body costs without. Beside them the same without a look at
/// who else is there.
pub fn neighbours(cells: &[Cell], repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "A neighbour on the core, runs of one case at default settings: median process without it",
        &[
            "neighbour",
            "time: covered",
            "cycles: covered",
            "half-width",
            "9 of 10 within",
            "estimate within 2 %",
            "interval across processes",
            "launches, of which left out",
            "without looking: estimate within 2 %",
            "half-width",
        ],
    );
    for (number, cell) in cells.iter().enumerate() {
        let own = repeats.for_cell(2_000 + 10 * number as u64);
        let alone = Machine {
            neighbour: Neighbour::default(),
            ..cell.machine.clone()
        };
        let truth = truth(&alone, own.for_cell(0));
        let tried = own.of(|seed| {
            let (found, launches) = conducted(&cell.machine, None, seed);
            let time = of(&found, Metric::Time);
            let mut visits = run(&cell.machine, LAUNCHES, seed);
            visits.iter_mut().for_each(look_away);
            let unseeing = results(&visits);
            let near = |found: &[CaseResult]| {
                (figure(found, Metric::Time) / truth.time - 1.0).abs() <= NEAR
            };
            Tried {
                covers: covers(time, truth.time),
                cycles_cover: covers(of(&found, Metric::Cycles), truth.cycles),
                half_width: half_width(time, truth.time),
                near: near(&found),
                across: time.is_some_and(|time| time.scope == Scope::Processes),
                launches,
                left_out: time.map_or(0, left_out),
                unseeing_near: near(&unseeing),
                unseeing_width: half_width(of(&unseeing, Metric::Time), truth.time),
            }
        });
        let count = |of: fn(&Tried) -> bool| Proportion::count(tried.iter().map(of));
        let width = |of: fn(&Tried) -> f64, share| {
            format!("{:.3} %", 100.0 * quantile(tried.iter().map(of), share))
        };
        let average = |of: fn(&Tried) -> u32| {
            let sum: f64 = tried.iter().map(|tried| f64::from(of(tried))).sum();
            sum / tried.len().max(1) as f64
        };
        let held = Claim::AtLeast(0.99);
        let shown = Claim::Shown { upper: false };
        let share = cell.machine.neighbour.share;
        let is_clear = share > 0.5 || share > 0.0 && own.count >= CONTROL_FROM;
        table.row(cell.name);
        table.share(count(|tried| tried.covers), held);
        table.share(count(|tried| tried.cycles_cover), held);
        table.text(width(|tried| tried.half_width, 0.5));
        table.text(width(|tried| tried.half_width, 0.9));
        table.share(count(|tried| tried.near), held);
        table.share(count(|tried| tried.across), held);
        let made = average(|tried| tried.launches + tried.left_out);
        table.text(format!("{made:.1}, {:.1}", average(|tried| tried.left_out)));
        let control = if is_clear {
            Claim::FailsBelow(0.99)
        } else {
            shown
        };
        table.share(count(|tried| tried.unseeing_near), control);
        table.text(width(|tried| tried.unseeing_width, 0.5));
    }
    table
}

/// Forgets what tells of a neighbour.
fn look_away(visit: &mut Visit) {
    visit.empty = Empty::default();
    if let Some(chain) = &mut visit.chain {
        chain.additions = None;
    }
}

/// Launches of a run that were left out because of a neighbour.
fn left_out(result: &CaseResult) -> u32 {
    let of = |note: &Note| match note {
        Note::Crowded {
            launches,
            kept: false,
        } => Some(*launches),
        _ => None,
    };
    result.notes.iter().find_map(of).unwrap_or(0)
}
