use tourbillon_record::{Absence, Metric, Scope};

use super::findings::{Found, figure};
use crate::Style;
use crate::faults::say_kind;
use crate::figure::{bound, push_cycles_bound};
use crate::measure;
use crate::pieces::nth;
use crate::style::Ink;
use crate::text::{Text, trimmed};
use crate::tree::say_label;

/// The mark of an interval that covers one process only.
pub(crate) const ONE_PROCESS: &str = "p";
/// The mark of an interval that does not reach the confidence of the heading.
pub(crate) const LESS_CONFIDENT: &str = "c";
/// The mark of a ratio of times where others are of cycles.
pub(crate) const OF_TIMES: &str = "w";

/// The mark of cycles that tell of memory more than of the core.
pub(crate) const WAITING: &str = "mem";

/// The mark of a throughput that is no latency. It stands beside the time, the one column that no
/// terminal is too narrow for.
pub(crate) const OVERLAPPING: &str = "t";

/// One line of the table, without its branch.
pub(crate) struct Row {
    /// The name, then why there are no figures, or nothing, then the columns' cells: a line each, empty
    /// where there is nothing.
    text: Text,
    pub(crate) ink: Ink,
}

impl Row {
    /// `confidence` is the one of the heading; `mixed` tells ratios of times by a mark.
    #[inline(never)]
    pub(crate) fn new(found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) -> Row {
        let mut row = Row {
            text: Text::new(style),
            ink: Ink::Dim,
        };
        say_label(&mut row.text, found.case, found.named);
        row.text.say("\n");
        let estimate = found.main.or(found.cycles).map(|result| result.estimate);
        match (estimate, &found.case.ignored) {
            (Some(Ok(_) | Err(Absence::BelowResolution | Absence::ClocksDisagree)), _) => {
                row.text.say("\n");
                fill(&mut row.text, found, confidence, mixed, style);
            }
            (Some(Err(Absence::MachineBusy)), _) => {
                row.text
                    .say("machine too busy: repeat later, or raise --max-time");
            }
            (Some(Err(Absence::TooScattered)), _) => row.too_scattered(found, style),
            (Some(Err(Absence::Failed)), _) => row.failed(found),
            (None, _) if found.fault.is_some() => row.failed(found),
            (None, Some(why)) => {
                let colon = if why.is_empty() { "" } else { ": " };
                row.text.say("ignored").say(colon).safe(why);
            }
            (Some(Err(Absence::NotReached)) | None, _) => {
                row.text.say("not reached");
            }
        }
        row
    }

    /// What the case is called below its heading.
    pub(crate) fn label(&self) -> &str {
        nth(&self.text.string, 0)
    }

    /// Why there are no figures; empty where there are.
    pub(crate) fn instead(&self) -> &str {
        nth(&self.text.string, 1)
    }

    /// What stands in a column; empty where there is nothing.
    #[inline(never)]
    pub(crate) fn cell(&self, column: usize) -> &str {
        // Without the space before a mark that is not there.
        trimmed(nth(&self.text.string, column + 2))
    }

    /// `too scattered for a figure: up to 11 ns`
    #[inline(never)]
    fn too_scattered(&mut self, found: &Found<'_>, style: &Style) {
        let text = self.text.say("too scattered for a figure");
        if let Some(result) = found.main.or(found.cycles)
            && let Some(upper) = result.upper
        {
            measure::say(text.say(": up to "), result, bound(upper), style);
        }
    }

    /// `failed: panicked: index out of bounds`; all of it is told by [`crate::faults`].
    #[inline(never)]
    fn failed(&mut self, found: &Found<'_>) {
        self.ink = Ink::Failure;
        let text = &mut self.text;
        text.say("failed");
        let Some(fault) = found.fault else { return };
        say_kind(text.say(": "), &fault.kind);
        let line = trimmed(nth(fault.message.trim_ascii_start(), 0));
        if !line.is_empty() {
            text.say(": ").safe(line);
        }
    }
}

/// Fills the cells in the order of the columns.
#[inline(never)]
fn fill(cells: &mut Text, found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) {
    let estimate = found.main.and_then(figure);
    if let Some(main) = found.main {
        if let Some(figure) = estimate {
            measure::say(cells, main, figure, style);
        } else if let Some(upper) = main.upper {
            measure::say(cells.say("< "), main, bound(upper), style);
        } else {
            cells.say("none");
        }
    }
    if found.overlaps {
        cells.say(" ").say(OVERLAPPING);
    }
    cells.say("\n");
    if let Some(figure) = estimate
        && let Some(relative) = figure.relative()
    {
        cells.percent_at_most(relative).say(" ");
        if found.main.is_some_and(|main| main.scope == Scope::Process) {
            cells.say(ONE_PROCESS);
        }
        if found.falls_short(confidence) {
            cells.say(LESS_CONFIDENT);
        }
    }
    cells.say("\n");
    if let Some(cycles) = found.cycles {
        if let Some(figure) = figure(cycles) {
            figure.push_cycles(&mut cells.string);
        } else if let Some(upper) = cycles.upper {
            push_cycles_bound(&mut cells.string, upper);
        }
        if cycles.waits_for_memory() {
            cells.say(" ").say(WAITING);
        }
    }
    cells.say("\n");
    if let (Some(figure), Some(throughput)) = (estimate, found.throughput)
        && found.measures(Metric::Time)
    {
        figure.push_rate(&mut cells.string, throughput);
    }
    cells.say("\n");
    if let Some(last) = &found.last {
        last.push(&mut cells.string);
        cells.say(" ");
        if mixed && last.metric == Metric::Time {
            cells.say(OF_TIMES);
        }
    }
    cells.say("\n");
}
