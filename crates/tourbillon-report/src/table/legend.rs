//! What the marks of a table mean.

use tourbillon_record::Metric;
use tourbillon_record::{CaseResult, Scope};

use super::columns::{COLUMNS, Column, Layout};
use super::findings::{Compared, Found};
use super::row::{LESS_CONFIDENT, OF_TIMES, ONE_PROCESS, OVERLAPPING, WAITING};
use crate::measure::word;
use crate::style::Ink;
use crate::text::push;
use crate::wrap::Page;

/// What the words behind times of processors mean.
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

/// What the marks are of.
pub(crate) struct Legend<'a> {
    pub(crate) found: &'a [Found<'a>],
    pub(crate) compared: Compared,
    pub(crate) layout: &'a Layout,
    /// The one of the heading.
    pub(crate) confidence: f64,
    pub(crate) baseline: Option<&'a str>,
}

impl Legend<'_> {
    /// Adds a line or more for each mark that stands in the table.
    pub(crate) fn add(&self, page: &mut Page<'_>) {
        explain_measures(page, self.found);
        self.explain_times(page);
        if self.layout.shows(Column::Cycles as usize) {
            self.explain_cycles(page);
        }
        if self.layout.shows(Column::HalfWidth as usize) {
            self.explain_intervals(page);
        }
        if self.layout.shows(Column::Last as usize) {
            self.explain_ratios(page);
        }
        self.name_dropped(page);
    }

    #[inline(never)]
    fn explain_times(&self, page: &mut Page<'_>) {
        let (mut bound, mut overlaps) = (false, false);
        for found in self.found {
            bound |= found.is_bound();
            overlaps |= found.overlaps;
        }
        if bound {
            page.line
                .say("an upper bound: not distinguishable from an empty loop");
            explain(page, "<");
        }
        if overlaps {
            page.line
                .say("calls overlap: throughput, not latency; a call alone takes longer");
            explain(page, OVERLAPPING);
        }
    }

    #[inline(never)]
    fn explain_cycles(&self, page: &mut Page<'_>) {
        for found in self.found {
            if found.cycles.is_some_and(CaseResult::waits_for_memory) {
                page.line.say(
                    "waits for memory, not the core: touches no less than a core's second cache \
                     holds, and its launches do not show that it follows the core's clock",
                );
                explain(page, WAITING);
                return;
            }
        }
    }

    #[inline(never)]
    fn explain_intervals(&self, page: &mut Page<'_>) {
        let asked = self.confidence;
        let (mut one_process, mut short, mut lowest) = (false, false, asked);
        for found in self.found {
            let Some(held) = found.confidence() else {
                continue;
            };
            one_process |= found.main.is_some_and(|main| main.scope == Scope::Process);
            if found.falls_short(asked) {
                short = true;
                lowest = lowest.min(held.unwrap_or(asked));
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
        if lowest < asked {
            page.line.say("confidence below ").confidence(asked);
            page.line.say(", down to ").confidence(lowest);
        } else {
            page.line.say("not known to have a confidence of ");
            page.line.confidence(asked);
        }
        explain(page, LESS_CONFIDENT);
    }

    #[inline(never)]
    fn explain_ratios(&self, page: &mut Page<'_>) {
        page.line
            .say(match (self.compared.cycles, self.compared.others) {
                (true, false) => "cycles",
                (true, true) => "cycles, or what no wall time is,",
                (false, false) => "times",
                (false, true) => "figures",
            });
        page.line.say(" of this run divided by those of ");
        match self.baseline {
            Some(name) => page.line.safe(name),
            None => page.line.say("the last one"),
        };
        page.line
            .say("; the two were not measured together, so this is no verdict");
        explain(page, self.layout.title(Column::Last as usize));
        if self.compared.mixed() {
            page.line.say("ratio of wall times, not of cycles");
            explain(page, OF_TIMES);
        }
    }

    /// Names the columns that there was no room for.
    #[inline(never)]
    fn name_dropped(&self, page: &mut Page<'_>) {
        let mut before = "no room for: ";
        for column in 0..COLUMNS {
            if self.layout.dropped(column) {
                page.line.say(before).say(self.layout.called(column));
                before = ", ";
            }
        }
        if !page.line.string.is_empty() {
            page.fill(Ink::Plain, "");
        }
    }
}

/// Explains the words behind figures that are no wall time.
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

/// Adds what [`Page::line`] says as the meaning of a mark.
#[inline(never)]
fn explain(page: &mut Page<'_>, mark: &str) {
    let mut lead = String::new();
    push(&mut lead, mark);
    push(&mut lead, "  ");
    page.fill(Ink::Plain, &lead);
}
