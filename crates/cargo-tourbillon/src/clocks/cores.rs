//! `--cores`: whether the counters of the processors agree.

use serde_json::json;
use tourbillon_clock::{Clock, Frequency, Ticks};
use tourbillon_present::figure::known_time;
use tourbillon_present::number;
use tourbillon_present::{Document, Table};
use tourbillon_report::Style;
use tourbillon_timers::TscReport;
use tourbillon_timers::cores::{Agreement, compare};

use super::measure::EXAMINED_NS;
use crate::exit::Stop;
use crate::screen::Page;

const LEGEND: &str = "\
Ahead by: how far the second processor's counter is ahead of the first's, at least and at most. Journeys: \
of a cache line from one to the other; backwards: those that arrived before they began, according to the \
counters.";

/// The result of `--cores`.
#[derive(Debug)]
pub(super) struct CoreComparison {
    clock: String,
    why: String,
    frequency: Frequency,
    agreement: Agreement,
}

/// Compares the counters of all processors that this program may run on.
///
/// # Errors
///
/// When there is nothing to compare.
pub(super) fn run() -> Result<CoreComparison, Stop> {
    let choice = Clock::choose();
    // A refused counter is compared, if reading it is allowed.
    let readable = TscReport::examine(EXAMINED_NS).frequency.is_some();
    let clock = match choice.refused.first().filter(|_| readable) {
        Some(refusal) => Clock::by_name(refusal.source).unwrap_or(choice.clock),
        None => choice.clock,
    };
    let agreement = compare(clock.name())
        .map_err(|why| Stop::Environment(format!("the processors cannot be compared: {why}")))?;
    Ok(CoreComparison {
        clock: clock.name().to_owned(),
        why: choice.why,
        frequency: clock.frequency(),
        agreement,
    })
}

impl CoreComparison {
    /// Ticks in nanoseconds, with sign.
    fn ns(&self, ticks: i128) -> f64 {
        let size = u64::try_from(ticks.unsigned_abs()).unwrap_or(u64::MAX);
        let ns = self.frequency.nanos(Ticks(size));
        if ticks < 0 { -ns } else { ns }
    }
}

/// One row for each pair of processors, and the conclusion.
pub(super) fn document(comparison: &CoreComparison, style: &Style) -> Document {
    let mut page = Page::new(style);
    page.say(&format!("{}: ", comparison.clock), &comparison.why);
    page.line("");
    let mut sheet = Table::new("processors")
        .right(["ahead by", "to", "journeys", "backwards", "worst"])
        .left(["may be equal"]);
    let time = |ticks| known_time(Some(comparison.ns(ticks)), style);
    for pair in &comparison.agreement.pairs {
        sheet.push([
            format!("{} and {}", pair.first, pair.second),
            time(pair.lowest),
            time(pair.highest),
            number::count(pair.journeys),
            number::count(pair.negative),
            match pair.negative {
                0 => String::new(),
                _ => time(pair.worst),
            },
            if pair.may_agree() { "yes" } else { "no" }.to_owned(),
        ]);
    }
    page.table(sheet);
    page.line("");
    page.say("", LEGEND);
    // What all processors saw of each other.
    let warp = &comparison.agreement.warp;
    let lower = match warp.negative {
        0 => "none".to_owned(),
        some => format!(
            "{} of them, the worst {},",
            number::count(some),
            time(warp.worst)
        ),
    };
    let (processors, readings) = (warp.processors.len(), number::count(warp.readings));
    let at_once = format!(
        "All at once: {processors} processors took {readings} readings, {lower} below one that another \
         processor had published before."
    );
    page.say("", &at_once);
    for (first, second) in &comparison.agreement.given_up {
        let text = "not compared: one of the two was busy or went offline";
        page.say(&format!("! {first} and {second}: "), text);
    }
    let conclusion = if comparison.agreement.holds() {
        "No difference between counters was found."
    } else {
        "The counters differ: time can run backwards when a program moves to another processor."
    };
    page.say("", conclusion);
    page.document()
}

/// The result as JSON, in ticks and nanoseconds.
pub(super) fn encode(comparison: &CoreComparison) -> String {
    let pairs = comparison.agreement.pairs.iter().map(|pair| {
        json!({
            "first": pair.first,
            "second": pair.second,
            "offset_lowest_ns": comparison.ns(pair.lowest),
            "offset_highest_ns": comparison.ns(pair.highest),
            "journeys": pair.journeys,
            "negative": pair.negative,
            "worst_ns": comparison.ns(pair.worst),
            "may_be_equal": pair.may_agree(),
        })
    });
    let warp = &comparison.agreement.warp;
    let value = json!({
        "clock": comparison.clock,
        "why": comparison.why,
        "pairs": pairs.collect::<Vec<_>>(),
        "not_compared": comparison.agreement.given_up,
        "warp": {
            "processors": warp.processors,
            "readings": warp.readings,
            "negative": warp.negative,
            "worst_ns": comparison.ns(warp.worst),
        },
        "holds": comparison.agreement.holds(),
    });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::FrequencyFrom;
    use tourbillon_timers::cores::Warp;

    use super::*;

    fn comparison(lowest: i128, negative: u64) -> CoreComparison {
        let pair = tourbillon_timers::cores::Pair {
            first: 0,
            second: 1,
            lowest,
            highest: 120,
            journeys: 4_000,
            negative,
            worst: if negative > 0 { -3_000 } else { 0 },
        };
        CoreComparison {
            clock: "tsc".to_owned(),
            why: "invariant".to_owned(),
            frequency: Frequency::new(2_000_000_000, 1, FrequencyFrom::Script, None).unwrap(),
            agreement: Agreement {
                pairs: vec![pair],
                given_up: vec![(0, 2)],
                warp: Warp {
                    processors: vec![0, 1],
                    readings: 1_234_567,
                    negative,
                    worst: if negative > 0 { -4_000 } else { 0 },
                },
            },
        }
    }

    #[test]
    fn counters_that_agree() {
        assert_eq!(
            document(&comparison(-100, 0), &Style::default()).text(&Style::default()),
            include_str!("snapshots/cores-80.txt")
        );
    }

    #[test]
    fn counters_that_differ() {
        let comparison = comparison(80, 7);
        let text = document(&comparison, &Style::default()).text(&Style::default());
        assert!(text.contains("time can run backwards"), "{text}");
        assert!(text.contains("-1.50 µs"), "{text}");
        let value: serde_json::Value = serde_json::from_str(&encode(&comparison)).unwrap();
        assert_eq!(value["holds"], false);
        assert_eq!(value["pairs"][0]["offset_lowest_ns"], 40.0);
        assert_eq!(value["pairs"][0]["negative"], 7);
        assert_eq!(value["warp"]["negative"], 7);
        assert_eq!(value["warp"]["worst_ns"], -2_000.0);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains("7 of them, the worst -2.00 µs,"), "{text}");
    }
}
