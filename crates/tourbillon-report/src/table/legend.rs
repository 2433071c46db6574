//! What the marks of a table mean.

use tourbillon_record::{Metric, Scope};

use super::columns::{Column, Layout, NAMES};
use super::findings::{Found, mixed};
use super::row::{LESS_CONFIDENT, OF_TIMES, ONE_PROCESS, OVERLAPPING};
use crate::fill::Page;
#[cfg(feature = "amounts")]
use crate::measure::word;
use crate::style::Ink;

/// What the words behind times of processors mean.
#[cfg(feature = "amounts")]
const PROCESSORS: [(Metric, &str); 3] = [
    (
        Metric::CpuTime,
        "time that processors spent, on all threads of the process; no wall time",
    ),
    (
        Metric::UserTime,
        "time that processors spent in the program's own code; no wall time",
    ),
    (
        Metric::KernelTime,
        "time that processors spent in the kernel for the program; no wall time",
    ),
];

/// Adds a line or more for each mark that stands in the table; `confidence` is the one of the
/// heading.
pub(crate) fn add_legend(
    page: &mut Page<'_>,
    found: &[Found<'_>],
    layout: &Layout,
    confidence: f64,
    baseline: Option<&str>,
) {
    #[cfg(feature = "amounts")]
    explain_measures(page, found);
    if found.iter().any(Found::is_bound) {
        page.line.say(
            "an upper bound: not distinguishable from an empty loop; either the body is that \
             small, or the compiler removed it",
        );
        explain(page, "<");
    }
    if found.iter().any(|found| found.overlaps) {
        page.line
            .say("calls overlap: throughput, not latency, which stands beside it");
        explain(page, OVERLAPPING);
    }
    if layout.shows(Column::HalfWidth as usize) {
        explain_intervals(page, found, confidence);
    }
    if layout.shows(Column::Last as usize) {
        page.line.say(match compared(found) {
            (true, false) => "cycles",
            (true, true) => "cycles, or what no wall time is,",
            (false, false) => "times",
            (false, true) => "figures",
        });
        page.line.say(" of this run divided by those of ");
        match baseline {
            Some(name) => page.line.safe(name),
            None => page.line.say("the last one"),
        };
        page.line
            .say("; the two were not measured together, so this is no verdict");
        let lead = format!("{}  ", layout.title(Column::Last as usize));
        page.fill(Ink::Plain, &lead);
        if mixed(found) {
            page.line.say("ratio of wall times, not of cycles");
            explain(page, OF_TIMES);
        }
    }
    let mut before = "no room for: ";
    for (column, name) in NAMES.iter().enumerate() {
        if layout.dropped(column) {
            let last = column == Column::Last as usize;
            let name = if last { layout.title(column) } else { name };
            page.line.say(before).say(name);
            before = ", ";
        }
    }
    if !page.line.string.is_empty() {
        page.fill(Ink::Plain, "");
    }
}

/// Whether ratios are of cycles, and whether some are of what no wall time is.
fn compared(found: &[Found<'_>]) -> (bool, bool) {
    let (mut cycles, mut others) = (false, false);
    for found in found {
        if let Some(last) = &found.last {
            cycles |= last.metric == Metric::Cycles;
            others |= !matches!(last.metric, Metric::Cycles | Metric::Time);
        }
    }
    (cycles, others)
}

/// Explains the words behind figures that are no wall time.
#[cfg(feature = "amounts")]
fn explain_measures(page: &mut Page<'_>, found: &[Found<'_>]) {
    for (metric, meaning) in PROCESSORS {
        if found.iter().any(|found| found.measures(metric)) {
            page.line.say(meaning);
            explain(page, word(metric));
        }
    }
    if found.iter().any(Found::is_bound_of_samples) {
        page.line
            .say("an upper bound: the system hardly ever found it when it looked whose time it is");
        explain(page, "<");
    }
}

fn explain_intervals(page: &mut Page<'_>, found: &[Found<'_>], confidence: f64) {
    let (mut one_process, mut short, mut lowest) = (false, false, confidence);
    for found in found {
        let Some(held) = found.confidence() else {
            continue;
        };
        one_process |= found.main.is_some_and(|main| main.scope == Scope::Process);
        if found.falls_short(confidence) {
            short = true;
            lowest = lowest.min(held.unwrap_or(confidence));
        }
    }
    if one_process {
        let meaning = "interval of one process, or of too few: another one may differ by more";
        page.line.say(meaning);
        explain(page, ONE_PROCESS);
    }
    if !short {
        return;
    }
    if lowest < confidence {
        page.line.say("confidence below ").confidence(confidence);
        page.line.say(", down to ").confidence(lowest);
    } else {
        page.line.say("not known to have a confidence of ");
        page.line.confidence(confidence);
    }
    explain(page, LESS_CONFIDENT);
}

/// Adds what [`Page::line`] says as the meaning of a mark.
fn explain(page: &mut Page<'_>, mark: &str) {
    let mut lead = mark.to_owned();
    lead.push_str("  ");
    page.fill(Ink::Plain, &lead);
}
