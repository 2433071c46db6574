//! Notes that ask for nothing, and those that a busy machine alone may bring about.

use tourbillon_present::number;
use tourbillon_record::{CaseResult, Note};
use tourbillon_report::{Figure, measured};

use crate::screen::Page;

/// What a note adds to the line of a figure; `None` for what the page has elsewhere, or the table.
pub(super) fn explained(page: &Page<'_>, result: &CaseResult, note: &Note) -> Option<String> {
    let shown = |value| measured(result, Figure::exact(value), page.style);
    let text = match *note {
        Note::Overlaps { alone } => {
            let alone = shown(alone);
            format!(", of overlapping calls; a call takes {alone} when the previous one has ended")
        }
        Note::Curvature { fraction } => format!(
            "; short and long batches differ by {}: the cost of a call depends on the calls before it, or what else ran \
             took more from one of them",
            percent(fraction)
        ),
        Note::SlowLaunches { count, excess } => {
            let way = if excess < 0.0 { "faster" } else { "slower" };
            let most = percent(excess);
            format!(
                "; launches that were {way} than most: {count}, by {most} at most; they are in the interval"
            )
        }
        Note::Skewed => match result.mean {
            Some(mean) => {
                let mean = shown(mean);
                format!("; skewed: the mean, {mean}, lies outside the interval")
            }
            None => "; skewed: the mean lies outside the interval".to_owned(),
        },
        Note::UnevenThreads { fraction } => {
            let longer = percent(fraction);
            format!("; the slowest thread takes {longer} longer than the fastest")
        }
        Note::FixedItem { fraction } => {
            let way = if fraction < 0.0 { "less" } else { "more" };
            let apart = percent(fraction);
            format!(
                "; an op on one item alone takes {apart} {way} time than on the stream of items, which is shown"
            )
        }
        Note::NotWarm { launches } => {
            format!("; launches whose warm-up had not settled: {launches}")
        }
        Note::FewLaunches { .. } => {
            "; too few launches for an interval across processes".to_owned()
        }
        Note::Shortened { requested } => {
            format!("; the budget had no time for the {requested} launches that were asked for")
        }
        _ => return None,
    };
    Some(text)
}

fn percent(fraction: f64) -> String {
    number::percent(fraction.abs())
}
