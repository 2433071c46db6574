//! `--deltas` as text.

use tourbillon_report::Style;
use tourbillon_timers::characterise::{Deltas, Interruptions};

use super::rows::rows;
use super::{SourceDeltas, picture};
use crate::clocks::cells;
use crate::paragraph;
use crate::table::{Align, Sheet};

/// The table, the histogram, the empty pairs, the interruptions.
pub(in crate::clocks) fn render(apart: &SourceDeltas, style: &Style) -> String {
    let tick = match apart.frequency {
        Some(frequency) => cells::time(Some(1e9 / frequency.hz()), style),
        None => "of no fixed length".to_owned(),
    };
    let total = cells::count(apart.reads.total());
    let what = format!("{total} differences of consecutive readings, a tick is {tick}");
    let mut page = String::new();
    paragraph::push(&mut page, &format!("{}: ", apart.source), &what, style);
    page.push('\n');
    page.push_str(&table(apart, style).render(style));
    page.push('\n');
    page.push_str(&picture::render(apart, style));
    page.push('\n');
    let negatives = apart.reads.negatives();
    if negatives.count > 0 {
        let text = format!(
            "went back {} of {} times, at worst by {}",
            cells::count(negatives.count),
            cells::count(apart.reads.total()),
            apart.shown(-apart.size(negatives.worst), style)
        );
        paragraph::push(&mut page, "! ", &text, style);
    }
    paragraph::push(&mut page, "empty pairs     ", &pairs(apart, style), style);
    let interruptions = match &apart.interruptions {
        Some(interruptions) => interruptions_text(interruptions, &apart.watched_with, style),
        None => format!("{} went backwards while it was watched", apart.watched_with),
    };
    paragraph::push(&mut page, "interruptions   ", &interruptions, style);
    page
}

fn table(apart: &SourceDeltas, style: &Style) -> Sheet {
    let total = apart.reads.total();
    let mut sheet = Sheet::new("ticks")
        .column("time", Align::Right)
        .column("count", Align::Right)
        .column("share", Align::Right);
    let to = if style.unicode { "–" } else { " to " };
    for row in rows(&apart.reads) {
        let time = |ticks| apart.shown(apart.size(ticks), style);
        let (ticks, time) = if row.first == row.last {
            (row.first.to_string(), time(row.first))
        } else {
            (
                format!("{}{to}{}", row.first, row.last),
                format!("{}{to}{}", time(row.first), time(row.last)),
            )
        };
        let share = cells::percent(row.count as f64 / total as f64);
        sheet.row(vec![ticks, time, cells::count(row.count), share]);
    }
    sheet
}

fn pairs(apart: &SourceDeltas, style: &Style) -> String {
    let time = |ticks: i128| apart.shown(apart.size(ticks), style);
    let pairs: &Deltas = &apart.pairs;
    let (Some(median), Some(high), Some(worst)) =
        (pairs.quantile(0.5), pairs.quantile(0.9999), pairs.largest())
    else {
        return "none".to_owned();
    };
    let mut text = format!(
        "the worst of {} took {}; the median {}, all but one in 10,000 at most {}",
        cells::count(pairs.total()),
        time(worst),
        time(median),
        time(high)
    );
    let negative = pairs.negatives().count;
    if negative > 0 {
        text = format!("{text}; {} were negative", cells::count(negative));
    }
    text
}

fn interruptions_text(seen: &Interruptions, watched_with: &str, style: &Style) -> String {
    let time = |ns: Option<f64>| cells::time(ns, style);
    let watched = format!(
        "of {} or more, watched for {:.1} s with {watched_with}",
        time(Some(seen.threshold_ns)),
        seen.watched_ns * 1e-9
    );
    if seen.count == 0 {
        return format!("none {watched}");
    }
    let beat = match seen.periodicity {
        Some(beat) => format!(
            "with a period of {} (sharpness {:.2} of 1)",
            time(Some(beat.period_ns)),
            beat.sharpness
        ),
        None => "not periodic".to_owned(),
    };
    format!(
        "{:.0} a second, typically {}, at worst {}, {} of the time, {beat}; {watched}",
        seen.per_second,
        time(seen.typical_ns),
        time(seen.worst_ns),
        cells::percent(seen.share)
    )
}

#[cfg(test)]
mod tests {
    use super::super::scripted;
    use super::*;

    #[test]
    fn all_of_it_on_a_usual_terminal() {
        let text = render(&scripted::apart(), &Style::default());
        assert_eq!(text, include_str!("../snapshots/deltas-80.txt"));
    }

    #[test]
    fn a_narrow_terminal_without_unicode() {
        let style = Style {
            width: 44,
            unicode: false,
            color: false,
        };
        let text = render(&scripted::apart(), &style);
        assert_eq!(text, include_str!("../snapshots/deltas-44.txt"));
        assert!(text.is_ascii());
    }

    #[test]
    fn a_quiet_machine_and_a_clock_that_went_backwards() {
        let mut apart = scripted::apart();
        apart.interruptions = None;
        apart.pairs = Deltas::of_counts(&[(-1, 1), (2, 9)]);
        let text = render(&apart, &Style::default());
        assert!(
            text.contains("tsc went backwards while it was watched"),
            "{text}"
        );
        assert!(text.contains("1 were negative"), "{text}");
        let quiet = Interruptions::of(
            &[],
            tourbillon_clock::Ticks(100_000_000),
            tourbillon_clock::Ticks(100),
            &apart.frequency.unwrap(),
        );
        apart.interruptions = quiet;
        let text = render(&apart, &Style::default());
        assert!(
            text.contains("none of 1.00 µs and more, watched for 1.0 s with"),
            "{text}"
        );
    }
}
