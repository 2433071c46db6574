use tourbillon_record::{Absence, Metric, Scope};

use super::columns::{COLUMNS, Column};
use super::findings::{Found, figure};
use crate::escape::Safe;
use crate::faults::What;
use crate::figure::{cycles_bound, time_bound};
use crate::number::{PercentAtMost, append};
use crate::style::Ink;
use crate::{Style, case_label};

/// The mark of an interval that covers one process only.
pub(crate) const ONE_PROCESS: &str = "p";
/// The mark of an interval that does not reach the confidence of the heading.
pub(crate) const LESS_CONFIDENT: &str = "c";
/// The mark of a ratio of times where others are of cycles.
pub(crate) const OF_TIMES: &str = "w";

/// One line of the table, without its branch.
pub(crate) struct Row {
    pub(crate) label: String,
    /// By column; empty where there is nothing.
    pub(crate) cells: [String; COLUMNS],
    /// Why there are no figures; empty where there are.
    pub(crate) instead: String,
    pub(crate) ink: Ink,
}

impl Row {
    /// `confidence` is the one of the heading; `mixed` tells ratios of times by a mark.
    pub(crate) fn new(found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) -> Row {
        let mut row = Row {
            label: case_label(found.case, style),
            cells: Default::default(),
            instead: String::new(),
            ink: Ink::Dim,
        };
        match (
            found.time.or(found.cycles).map(|result| result.estimate),
            &found.case.ignored,
        ) {
            (Some(Ok(_) | Err(Absence::BelowResolution)), _) => {
                row.fill(found, confidence, mixed, style);
            }
            (Some(Err(Absence::Failed)), _) => row.failed(found, style),
            (None, _) if found.fault.is_some() => row.failed(found, style),
            (None, Some(why)) => {
                let colon = if why.is_empty() { "" } else { ": " };
                let why = Safe(why, style.unicode);
                append(&mut row.instead, format_args!("ignored{colon}{why}"));
            }
            (Some(Err(Absence::NotReached)) | None, _) => row.instead.push_str("not reached"),
        }
        row
    }

    fn fill(&mut self, found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) {
        if let Some(time) = found.time {
            let figure = figure(time);
            if let Some(figure) = figure {
                self.cells[Column::Time as usize] = figure.time(style);
            } else if let Some(upper) = time.upper {
                self.cells[Column::Time as usize] = time_bound(upper, style);
            }
            if let Some(relative) = figure.and_then(|figure| figure.relative()) {
                let one_process = if time.scope == Scope::Process {
                    ONE_PROCESS
                } else {
                    ""
                };
                let short = if found.falls_short(confidence) {
                    LESS_CONFIDENT
                } else {
                    ""
                };
                let cell = &mut self.cells[Column::HalfWidth as usize];
                append(
                    cell,
                    format_args!("{} {one_process}{short}", PercentAtMost(relative)),
                );
            }
            if let (Some(figure), Some(throughput)) = (figure, found.throughput)
                && let Some(rate) = figure.rate(throughput)
            {
                self.cells[Column::Throughput as usize] = rate;
            }
        }
        if let Some(cycles) = found.cycles {
            if let Some(figure) = figure(cycles) {
                self.cells[Column::Cycles as usize] = figure.cycles();
            } else if let Some(upper) = cycles.upper {
                self.cells[Column::Cycles as usize] = cycles_bound(upper);
            }
        }
        if let Some(last) = found.last {
            let mark = if mixed && last.metric == Metric::Time {
                OF_TIMES
            } else {
                ""
            };
            let cell = &mut self.cells[Column::Last as usize];
            append(cell, format_args!("{} {mark}", last.text()));
        }
        for cell in &mut self.cells {
            // The space before a mark that is not there.
            cell.truncate(cell.trim_end_matches(' ').len());
        }
    }

    /// `failed: panicked: index out of bounds`; all of it is told by [`crate::faults`].
    fn failed(&mut self, found: &Found<'_>, style: &Style) {
        self.ink = Ink::Failure;
        self.instead.push_str("failed");
        let Some(fault) = found.fault else { return };
        append(&mut self.instead, format_args!(": {}", What(&fault.kind)));
        let line = fault
            .message
            .trim_start()
            .split('\n')
            .next()
            .unwrap_or_default()
            .trim_end();
        if !line.is_empty() {
            append(
                &mut self.instead,
                format_args!(": {}", Safe(line, style.unicode)),
            );
        }
    }
}
