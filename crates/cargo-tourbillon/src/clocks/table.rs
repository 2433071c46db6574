//! The table of a machine's sources.

use tourbillon_report::Style;

use super::cells;
use super::counter;
use super::report::{Machine, Report, Row};
use crate::paragraph;
use crate::table::{Align, Sheet};

const LEGEND: &str = "\
tick: the unit it counts in. step: by how much its readings advance. res: the difference between two \
different consecutive readings, as minimum, mean and median, each the median over several series; \
spread: of the mean over the series, from end to end. bound by resolution: the difference is a step \
of the source; by latency: it is the time of a reading, an upper bound of the resolution. read: one \
reading; pair: a start and a stop; p99: one in a hundred takes longer; cyc: cycles of the core.";

/// The report of one machine.
pub(super) fn render(report: &Report, style: &Style) -> String {
    let mut page = String::new();
    paragraph::push(&mut page, "machine  ", &machine(&report.machine), style);
    counter::push(&mut page, report, style);
    page.push('\n');
    page.push_str(&sheet(report, style).render(style));
    page.push('\n');
    paragraph::push(&mut page, "", LEGEND, style);
    notes(&mut page, report, style);
    page
}

/// A machine in one line.
pub(super) fn machine(machine: &Machine) -> String {
    let mut items = vec![machine.processor.clone()];
    let plural = if machine.processors == 1 { "" } else { "s" };
    items.push(format!("{} processor{plural}", machine.processors));
    items.push(format!("{} {}", machine.os, machine.arch));
    if machine.guest == Some(true) {
        items.push("virtual machine".to_owned());
    }
    if let Some(hz) = machine.core_hz {
        items.push(format!("core at {}", cells::frequency(hz)));
    }
    items.join(", ")
}

fn sheet(report: &Report, style: &Style) -> Sheet {
    let mut sheet = Sheet::new("source")
        .column("counts", Align::Left)
        .column("tick", Align::Right)
        .column("step", Align::Right)
        .column("res min", Align::Right)
        .column("res mean", Align::Right)
        .column("res median", Align::Right)
        .column("spread", Align::Right)
        .column("bound by", Align::Left)
        .column("read", Align::Right)
        .column("read p99", Align::Right)
        .column("read cyc", Align::Right)
        .column("pair", Align::Right)
        .column("pair p99", Align::Right)
        .column("pair cyc", Align::Right)
        .column("safe", Align::Left)
        .column("behind", Align::Left);
    for row in report.sources.iter().filter(|row| row.available) {
        let time = |ns| cells::time(ns, style);
        let cycles = |ns| cells::cycles(ns, report.machine.core_hz);
        let seen = row.resolution;
        sheet.row(vec![
            row.name.clone(),
            row.counts.clone(),
            time(row.tick_ns),
            time(row.granularity_ns),
            time(seen.map(|seen| seen.minimum_ns)),
            time(seen.map(|seen| seen.mean_ns)),
            time(seen.map(|seen| seen.median_ns)),
            seen.and_then(|seen| seen.spread)
                .map_or(String::new(), cells::percent),
            row.regime.clone().unwrap_or_default(),
            time(row.read_median_ns),
            time(row.read_p99_ns),
            cycles(row.read_median_ns),
            time(row.pair_ns),
            time(row.pair_p99_ns),
            cycles(row.pair_ns),
            if row.safe { "yes" } else { "no" }.to_owned(),
            row.behind.clone(),
        ]);
    }
    sheet
}

fn notes(page: &mut String, report: &Report, style: &Style) {
    let (present, absent): (Vec<&Row>, Vec<&Row>) =
        report.sources.iter().partition(|row| row.available);
    let mut notes = String::new();
    for row in present.iter().filter(|row| row.negative > 0) {
        let times = if row.negative == 1 { "time" } else { "times" };
        let count = cells::count(row.negative);
        let went = format!("went back {count} {times} while it was read");
        paragraph::push(&mut notes, "! ", &format!("{}: {went}", row.name), style);
    }
    let unsafe_ones = |row: &&&Row| !row.safe;
    let grouped = [
        (
            "! ",
            by(present.iter().filter(unsafe_ones), |row| {
                row.reason.as_ref()
            }),
        ),
        (
            "  ",
            by(present.iter().filter(|row| row.safe), |row| {
                row.reason.as_ref()
            }),
        ),
        ("- ", by(absent.iter(), |row| row.reason.as_ref())),
    ];
    for (lead, groups) in grouped {
        for (names, reason) in groups {
            let absent = if lead == "- " { "absent: " } else { "" };
            paragraph::push(
                &mut notes,
                lead,
                &format!("{names}: {absent}{reason}"),
                style,
            );
        }
    }
    for (names, how) in by(present.iter(), |row| row.change.as_ref()) {
        let text = format!("to change what is behind {names}: {how}");
        paragraph::push(&mut notes, "  ", &text, style);
    }
    if !notes.is_empty() {
        page.push('\n');
        page.push_str(&notes);
    }
}

/// Texts about sources, each once, with the names of its sources.
fn by<'r>(
    rows: impl Iterator<Item = &'r &'r Row>,
    text_of: impl Fn(&'r Row) -> Option<&'r String>,
) -> Vec<(String, &'r str)> {
    let mut groups: Vec<(String, &str)> = Vec::new();
    for row in rows {
        if let Some(text) = text_of(row) {
            match groups.iter_mut().find(|(_, known)| known == text) {
                Some((names, _)) => *names = format!("{names}, {}", row.name),
                None => groups.push((row.name.clone(), text)),
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::scripted;

    #[test]
    fn the_table_of_a_machine() {
        let text = render(&scripted::report(), &Style::default());
        assert_eq!(text, include_str!("snapshots/table-80.txt"));
    }

    #[test]
    fn a_wide_terminal_has_all_columns_in_one_table() {
        let style = Style {
            width: 220,
            ..Style::default()
        };
        let text = render(&scripted::report(), &style);
        assert_eq!(text, include_str!("snapshots/table-220.txt"));
    }

    #[test]
    fn a_narrow_terminal_without_unicode() {
        let style = Style {
            width: 40,
            unicode: false,
            color: false,
        };
        let text = render(&scripted::report(), &style);
        assert_eq!(text, include_str!("snapshots/table-40.txt"));
        assert!(text.is_ascii());
    }

    #[test]
    fn colour_changes_nothing_else() {
        let style = Style {
            color: true,
            ..Style::default()
        };
        let text = render(&scripted::report(), &style);
        let plain = text.replace("\x1b[1m", "").replace("\x1b[0m", "");
        assert_ne!(text, plain);
        assert_eq!(plain, render(&scripted::report(), &Style::default()));
    }

    #[test]
    fn a_machine_that_says_nothing_has_a_table_all_the_same() {
        let text = render(&Report::default(), &Style::default());
        assert!(text.contains("source"), "{text}");
    }
}
