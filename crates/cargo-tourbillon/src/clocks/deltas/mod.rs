//! `--deltas`: the differences of consecutive readings, and interruptions.

mod picture;

use serde_json::{Value, json};
use tourbillon_present::figure::known_time;
use tourbillon_present::number;
use tourbillon_present::{Document, Table};
use tourbillon_report::Style;
use tourbillon_timers::characterise::{Deltas, Interruptions};

use self::picture::rows;
use crate::screen::Page;

pub(super) use self::picture::SourceDeltas;

/// The table, the histogram, the empty pairs, the interruptions.
pub(super) fn document(measured: &SourceDeltas, style: &Style) -> Document {
    let tick = match measured.frequency {
        Some(frequency) => known_time(Some(1e9 / frequency.hz()), style),
        None => "of no fixed length".to_owned(),
    };
    let total = number::count(measured.reads.total());
    let what = format!("{total} differences of consecutive readings, a tick is {tick}");
    let mut page = Page::new(style);
    page.say(&format!("{}: ", measured.source), &what);
    page.line("");
    page.table(table(measured, style));
    page.line("");
    page.lines(&picture::render(measured, style));
    page.gap();
    let negatives = measured.reads.negatives();
    if negatives.count > 0 {
        let count = number::count(negatives.count);
        let worst = measured.shown(-measured.size(negatives.worst), style);
        let text = format!("went back {count} of {total} times, at worst by {worst}");
        page.say("! ", &text);
    }
    page.say("empty pairs     ", &pairs(measured, style));
    let interruptions = match &measured.interruptions {
        Some(interruptions) => interruptions_text(interruptions, &measured.watched_with, style),
        None => format!(
            "{} went backwards while it was watched",
            measured.watched_with
        ),
    };
    page.say("interruptions   ", &interruptions);
    page.document()
}

fn table(measured: &SourceDeltas, style: &Style) -> Table {
    let total = measured.reads.total();
    let mut sheet = Table::new("ticks").right(["time", "count", "share"]);
    let to = if style.unicode { "–" } else { " to " };
    for row in rows(&measured.reads) {
        let time = |ticks| measured.shown(measured.size(ticks), style);
        let (mut ticks, mut times) = (row.first.to_string(), time(row.first));
        if row.first != row.last {
            ticks += &format!("{to}{}", row.last);
            times += &format!("{to}{}", time(row.last));
        }
        let share = number::percent(row.count as f64 / total as f64);
        sheet.push([ticks, times, number::count(row.count), share]);
    }
    sheet
}

fn pairs(measured: &SourceDeltas, style: &Style) -> String {
    let pairs = &measured.pairs;
    let figures = [pairs.quantile(0.5), pairs.quantile(0.9999), pairs.largest()];
    let [Some(median), Some(high), Some(worst)] =
        figures.map(|ticks| Some(measured.shown(measured.size(ticks?), style)))
    else {
        return "none".to_owned();
    };
    let total = number::count(pairs.total());
    let mut text = format!(
        "the worst of {total} took {worst}; the median {median}, all but one in 10,000 at most {high}"
    );
    let negative = pairs.negatives().count;
    if negative > 0 {
        text += &format!("; {} were negative", number::count(negative));
    }
    text
}

fn interruptions_text(seen: &Interruptions, watched_with: &str, style: &Style) -> String {
    let time = |ns: Option<f64>| known_time(ns, style);
    let watched = format!(
        "of {} or more, watched for {} with {watched_with}",
        time(Some(seen.threshold_ns)),
        number::duration(seen.watched_ns as u64)
    );
    if seen.count == 0 {
        return format!("none {watched}");
    }
    let beat = match seen.periodicity {
        Some(beat) => format!(
            "with a period of {} (sharpness {} of 1)",
            time(Some(beat.period_ns)),
            number::fixed(beat.sharpness, 2)
        ),
        None => "not periodic".to_owned(),
    };
    format!(
        "{} a second, typically {}, at worst {}, {} of the time, {beat}; {watched}",
        number::fixed(seen.per_second, 0),
        time(seen.typical_ns),
        time(seen.worst_ns),
        number::percent(seen.share)
    )
}

/// Every difference in ticks with its count, for each source.
pub(super) fn encode(all: &[SourceDeltas]) -> String {
    let sources = all.iter().map(|measured| {
        json!({
            "name": measured.source,
            "hz": measured.frequency.map(|frequency| frequency.hz()),
            "differences": counts(&measured.reads),
            "pairs": counts(&measured.pairs),
            "watched_with": measured.watched_with,
            "interruptions": measured.interruptions.as_ref().map(interruptions),
        })
    });
    format!("{}\n", json!({ "sources": sources.collect::<Vec<_>>() }))
}

/// Pairs of ticks and count. A difference that does not fit into 64 bits is a text.
fn counts(deltas: &Deltas) -> Vec<Value> {
    let row = |(ticks, count): (i128, u64)| match i64::try_from(ticks) {
        Ok(ticks) => json!([ticks, count]),
        Err(_) => json!([ticks.to_string(), count]),
    };
    deltas.rows().map(row).collect()
}

fn interruptions(seen: &Interruptions) -> Value {
    json!({
        "count": seen.count,
        "watched_ns": seen.watched_ns,
        "threshold_ns": seen.threshold_ns,
        "per_second": seen.per_second,
        "share": seen.share,
        "typical_ns": seen.typical_ns,
        "worst_ns": seen.worst_ns,
        "period_ns": seen.periodicity.map(|beat| beat.period_ns),
        "sharpness": seen.periodicity.map(|beat| beat.sharpness),
    })
}

#[cfg(test)]
mod tests {
    use super::picture::scripted;
    use super::*;

    #[test]
    fn all_of_it_on_a_usual_terminal() {
        let text = document(&scripted::source_deltas(), &Style::default()).text(&Style::default());
        assert_eq!(text, include_str!("../snapshots/deltas-80.txt"));
    }

    #[test]
    fn a_narrow_terminal_without_unicode() {
        let style = Style {
            width: 44,
            unicode: false,
            color: false,
            wide_tables: false,
        };
        let text = document(&scripted::source_deltas(), &style).text(&style);
        assert_eq!(text, include_str!("../snapshots/deltas-44.txt"));
        assert!(text.is_ascii());
    }

    #[test]
    fn a_quiet_machine_and_a_clock_that_went_backwards() {
        let mut measured = scripted::source_deltas();
        measured.interruptions = None;
        measured.pairs = Deltas::of_counts(&[(-1, 1), (2, 9)]);
        let text = document(&measured, &Style::default()).text(&Style::default());
        assert!(
            text.contains("tsc went backwards while it was watched"),
            "{text}"
        );
        assert!(text.contains("1 were negative"), "{text}");
        let quiet = Interruptions::of(
            &[],
            tourbillon_clock::Ticks(100_000_000),
            tourbillon_clock::Ticks(100),
            &measured.frequency.unwrap(),
        );
        measured.interruptions = quiet;
        let text = document(&measured, &Style::default()).text(&Style::default());
        assert!(
            text.contains("none of 1.00 µs or more, watched for 1.0 s with"),
            "{text}"
        );
    }

    #[test]
    fn every_difference_is_in_it() {
        let measured = scripted::source_deltas();
        let value: Value = serde_json::from_str(&encode(&[scripted::source_deltas()])).unwrap();
        let source = &value["sources"][0];
        assert_eq!(source["differences"][0], json!([-3, 1]));
        let rows = source["differences"].as_array().unwrap().len();
        assert_eq!(rows, measured.reads.rows().count());
        assert_eq!(source["pairs"][0], json!([2, 9_999_000]));
        assert_eq!(source["interruptions"]["count"], 500);
        let wide = Deltas::of_counts(&[(i128::from(u64::MAX), 2)]);
        assert_eq!(counts(&wide), [json!(["18446744073709551615", 2])]);
    }
}
