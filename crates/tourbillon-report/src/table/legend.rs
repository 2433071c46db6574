//! What the marks of a table mean.

use std::fmt;

use tourbillon_record::{Metric, Scope};

use super::columns::{COLUMNS, Column, Layout, NAMES};
use super::findings::{Found, compares, mixed};
use super::row::{LESS_CONFIDENT, OF_TIMES, ONE_PROCESS};
use crate::fill::{Items, Page};
use crate::number::{Confidence, append};
use crate::style::Ink;

/// Adds a line or more for each mark that stands in the table; `confidence` is the one of the
/// heading.
pub(crate) fn add_legend(
    page: &mut Page<'_>,
    found: &[Found<'_>],
    layout: &Layout,
    confidence: f64,
) {
    if found.iter().any(Found::is_bound) {
        let meaning = "an upper bound: not distinguishable from an empty loop; either the body is \
                       that small, or the compiler removed it";
        explain(page, "<", format_args!("{meaning}"));
    }
    if layout.shows(Column::HalfWidth) {
        explain_intervals(page, found, confidence);
    }
    if layout.shows(Column::Last) {
        let of_cycles = compares(found, Metric::Cycles);
        let what = if of_cycles { "cycles" } else { "times" };
        let meaning = format_args!("{what} of this run divided by those of the last one");
        page.sentence(Ink::Plain, "vs last run  ", meaning);
        if mixed(found) {
            explain(
                page,
                OF_TIMES,
                format_args!("ratio of wall times, not of cycles"),
            );
        }
    }
    let mut dropped = Items::default();
    for column in (0..COLUMNS).filter(|column| layout.dropped(*column)) {
        let before = if dropped.is_empty() {
            "no room for: "
        } else {
            ", "
        };
        dropped.append(format_args!("{before}{}", NAMES[column]));
    }
    if !dropped.is_empty() {
        page.fill(Ink::Plain, "", &dropped);
    }
}

fn explain_intervals(page: &mut Page<'_>, found: &[Found<'_>], confidence: f64) {
    let (mut one_process, mut short, mut lowest) = (false, false, confidence);
    for found in found {
        let Some(held) = found.confidence() else {
            continue;
        };
        one_process |= found.time.is_some_and(|time| time.scope == Scope::Process);
        if found.falls_short(confidence) {
            short = true;
            lowest = lowest.min(held.unwrap_or(confidence));
        }
    }
    if one_process {
        let meaning = "interval of one process, or of too few: another one may differ by more";
        explain(page, ONE_PROCESS, format_args!("{meaning}"));
    }
    let heading = Confidence(confidence);
    if short && lowest < confidence {
        let lowest = Confidence(lowest);
        explain(
            page,
            LESS_CONFIDENT,
            format_args!("confidence below {heading}, down to {lowest}"),
        );
    } else if short {
        explain(
            page,
            LESS_CONFIDENT,
            format_args!("not known to have a confidence of {heading}"),
        );
    }
}

fn explain(page: &mut Page<'_>, mark: &str, meaning: fmt::Arguments<'_>) {
    let mut lead = String::new();
    append(&mut lead, format_args!("{mark}  "));
    page.sentence(Ink::Plain, &lead, meaning);
}
