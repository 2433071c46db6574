use tourbillon_record::{CaseResult, Empty, LaunchSamples, Metric, Note, Scope};

use crate::coverage::{Cell, LAUNCHES, covers, figure, half_width, of, results, run, truth};
use crate::simulated_run::simulated_run;
use crate::{Claim, Contention, Machine, Proportion, Repeats, Table, quantile};

/// Distance to the cost without contention at which an estimate is near, as a fraction.
const NEAR: f64 = 0.02;

/// Repeats from which the negative control must fail everywhere.
const CONTROL_FROM: u32 = 1_000;

/// What a run finds under contention.
struct Tried {
    covers: bool,
    cycles_cover: bool,
    half_width: f64,
    near: bool,
    across: bool,
    /// Launches of the result, and those that were discarded.
    launches: u32,
    discarded: u32,
    /// All of twenty launches together, without the detection of contention.
    undetected_near: bool,
    undetected_width: f64,
}

/// Whole runs, with their repeated launches, under contention now and then: how often they find the cost
/// without it. Next to them the same without the detection of contention.
pub fn contention(cells: &[Cell], repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "Contention on the core, runs of one case at default settings: median process without it",
        &[
            "contention",
            "time: covered",
            "cycles: covered",
            "half-width",
            "9 of 10 within",
            "estimate within 2 %",
            "interval across processes",
            "launches, of which discarded",
            "without detection: estimate within 2 %",
            "half-width",
        ],
    );
    for (number, cell) in cells.iter().enumerate() {
        let own = repeats.for_cell(2_000 + 10 * number as u64);
        let alone = Machine {
            contention: Contention::default(),
            ..cell.machine.clone()
        };
        let truth = truth(&alone, own.for_cell(0));
        let tried = own.of(|seed| {
            let (found, launches) = simulated_run(&cell.machine, None, seed);
            let time = of(&found, Metric::Time);
            let mut blinded = run(&cell.machine, LAUNCHES, seed);
            blinded.iter_mut().for_each(blind);
            let undetected = results(&blinded);
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
                discarded: time.map_or(0, discarded),
                undetected_near: near(&undetected),
                undetected_width: half_width(of(&undetected, Metric::Time), truth.time),
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
        let share = cell.machine.contention.share;
        let is_clear = share > 0.5 || share > 0.0 && own.count >= CONTROL_FROM;
        table.row(cell.name);
        table.share(count(|tried| tried.covers), held);
        table.share(count(|tried| tried.cycles_cover), held);
        table.text(width(|tried| tried.half_width, 0.5));
        table.text(width(|tried| tried.half_width, 0.9));
        table.share(count(|tried| tried.near), held);
        table.share(count(|tried| tried.across), held);
        let made = average(|tried| tried.launches + tried.discarded);
        table.text(format!(
            "{made:.1}, {:.1}",
            average(|tried| tried.discarded)
        ));
        let control = if is_clear {
            Claim::FailsBelow(0.99)
        } else {
            shown
        };
        table.share(count(|tried| tried.undetected_near), control);
        table.text(width(|tried| tried.undetected_width, 0.5));
    }
    table
}

/// Removes what shows contention.
fn blind(launch: &mut LaunchSamples) {
    launch.empty = Empty::default();
    if let Some(chain) = &mut launch.chain {
        chain.additions = None;
    }
}

/// Contended launches of a run.
fn discarded(result: &CaseResult) -> u32 {
    let of = |note: &Note| match note {
        Note::Contended {
            launches,
            in_figure: false,
        } => Some(*launches),
        _ => None,
    };
    result.notes.iter().find_map(of).unwrap_or(0)
}
