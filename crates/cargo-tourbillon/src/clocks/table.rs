//! The table of a machine's sources, and machines side by side.

use tourbillon_present::figure::known_time;
use tourbillon_present::{Document, Table, number};
use tourbillon_report::{Figure, Style, counted};

use super::machine::counter_text;
use super::report::{Machine, Named, Report, Row};
use crate::screen::Page;

const LEGEND: &str = "\
tick: the unit it counts in. step: by how much its readings advance. res: the difference between two \
different consecutive readings, as minimum, mean and median, each the median over several series; \
spread: of the mean over the series, from end to end. bound by resolution: the difference is a step \
of the source; by latency: it is the time of a reading, an upper bound of the resolution. read: one \
reading; pair: a start and a stop; p99: one in a hundred takes longer; cyc: cycles of the core.";

/// The report of one machine.
pub(super) fn document(report: &Report, style: &Style) -> Document {
    let mut page = Page::new(style);
    page.say("machine  ", &machine(&report.machine));
    counter_text(&mut page, report);
    page.line("");
    page.table(sheet(report, style));
    page.line("");
    page.say("", LEGEND);
    notes(&mut page, report);
    page.document()
}

/// A machine in one line.
pub(super) fn machine(machine: &Machine) -> String {
    let mut items = vec![machine.processor.clone()];
    items.push(counted(machine.processors, "processor"));
    items.push(format!("{} {}", machine.os, machine.arch));
    if machine.guest == Some(true) {
        items.push("virtual machine".to_owned());
    }
    if let Some(hz) = machine.core_hz {
        items.push(format!("core at {}", Figure::exact(hz).frequency()));
    }
    items.join(", ")
}

fn sheet(report: &Report, style: &Style) -> Table {
    let mut sheet = Table::new("source")
        .left(["counts"])
        .right([
            "tick",
            "step",
            "res min",
            "res mean",
            "res median",
            "spread",
        ])
        .left(["bound by"])
        .right([
            "read", "read p99", "read cyc", "pair", "pair p99", "pair cyc",
        ])
        .left(["safe", "behind"])
        .least(&[
            "res min", "res mean", "spread", "bound by", "read p99", "read cyc", "pair p99",
            "pair cyc", "safe", "behind",
        ]);
    for row in report.sources.iter().filter(|row| row.available) {
        let time = |ns| known_time(ns, style);
        let cycles = |ns: Option<f64>| {
            let cycles = ns
                .zip(report.machine.core_hz)
                .map(|(ns, hz)| ns * hz * 1e-9);
            cycles.map_or_else(String::new, |cycles| {
                Figure::new(cycles, None, None).cycles()
            })
        };
        sheet.push([
            row.name.clone(),
            row.counts.clone(),
            time(row.tick_ns),
            time(row.granularity_ns),
            time(row.resolution_min_ns),
            time(row.resolution_mean_ns),
            time(row.resolution_median_ns),
            row.resolution_spread.map_or(String::new(), number::percent),
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

fn notes(page: &mut Page<'_>, report: &Report) {
    let mut notes: Vec<(&str, String)> = Vec::new();
    let (present, absent): (Vec<&Row>, Vec<&Row>) =
        report.sources.iter().partition(|row| row.available);
    for row in present.iter().filter(|row| row.negative > 0) {
        let (name, times) = (&row.name, counted(row.negative, "time"));
        notes.push(("! ", format!("{name}: went back {times} while it was read")));
    }
    let (safe, unsafe_ones): (Vec<&Row>, Vec<&Row>) = present.iter().partition(|row| row.safe);
    for (lead, kind, rows) in [
        ("! ", "", unsafe_ones),
        ("  ", "", safe),
        ("- ", "absent: ", absent),
    ] {
        for (names, why) in by(&rows, |row| row.reason.as_ref()) {
            notes.push((lead, format!("{names}: {kind}{why}")));
        }
    }
    for (names, how) in by(&present, |row| row.change.as_ref()) {
        notes.push(("  ", format!("to change what is behind {names}: {how}")));
    }
    if !notes.is_empty() {
        page.line("");
    }
    for (lead, note) in notes {
        page.say(lead, &note);
    }
}

/// Texts about sources, each once, with the names of its sources.
fn by<'r>(
    rows: &[&'r Row],
    text_of: impl Fn(&'r Row) -> Option<&'r String>,
) -> Vec<(String, &'r str)> {
    let mut groups: Vec<(String, &str)> = Vec::new();
    for row in rows {
        let Some(text) = text_of(row) else { continue };
        match groups.iter_mut().find(|(_, known)| known == text) {
            Some((names, _)) => *names += &format!(", {}", row.name),
            None => groups.push((row.name.clone(), text)),
        }
    }
    groups
}

/// A compared figure: its title and value.
type Quantity = (&'static str, fn(&Row) -> Option<f64>);

const FIGURES: [Quantity; 5] = [
    ("tick", |row| row.tick_ns),
    ("step", |row| row.granularity_ns),
    ("res", |row| row.resolution_median_ns),
    ("read", |row| row.read_median_ns),
    ("pair", |row| row.pair_ns),
];

/// The reports, with letters in the columns; missing sources have empty cells.
pub(super) fn compare(machines: &[Named], style: &Style) -> Document {
    let mut page = Page::new(style);
    for (number, named) in machines.iter().enumerate() {
        let what = machine(&named.report.machine);
        let lead = format!("{}  ", letter(number));
        page.say(&lead, &format!("{}: {what}", named.file));
    }
    page.line("");
    page.table(side_by_side(machines, style));
    page.line("");
    page.say(
        "",
        "res: the median difference of two different readings in a row.",
    );
    page.document()
}

fn side_by_side(machines: &[Named], style: &Style) -> Table {
    let titles = |title: &str| -> Vec<String> {
        let letters = (0..machines.len()).map(letter);
        letters.map(|letter| format!("{title} {letter}")).collect()
    };
    let figures = FIGURES.iter().flat_map(|(title, _)| titles(title));
    let mut sheet = Table::new("source").right(figures).left(titles("behind"));
    // Every source that any machine has, in their order.
    let mut names: Vec<&str> = Vec::new();
    for row in machines.iter().flat_map(|machine| &machine.report.sources) {
        if row.available && !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    for name in names {
        let find = |machine: &'_ Named| {
            let mut rows = machine.report.sources.iter();
            rows.find(|row| row.available && row.name == name).cloned()
        };
        let rows: Vec<Option<Row>> = machines.iter().map(find).collect();
        let mut figures = Vec::new();
        for (_, figure) in FIGURES {
            let values = rows.iter().map(|row| row.as_ref().and_then(figure));
            figures.extend(values.map(|ns| known_time(ns, style)));
        }
        let behind = rows.iter().map(|row| match row {
            Some(row) => row.behind.clone(),
            None => "absent".to_owned(),
        });
        sheet.push([name.to_owned()].into_iter().chain(figures).chain(behind));
    }
    sheet
}

/// A, B, .. Z, AA, AB, ..
fn letter(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::fictitious;

    #[test]
    fn the_table_of_a_machine() {
        let text = document(&fictitious::report(), &Style::default()).text(&Style::default());
        assert_eq!(text, include_str!("snapshots/table-80.txt"));
    }

    #[test]
    fn a_wide_terminal_has_all_columns_in_one_table() {
        let style = Style::of_width(220);
        let text = document(&fictitious::report(), &style).text(&style);
        assert_eq!(text, include_str!("snapshots/table-220.txt"));
    }

    #[test]
    fn a_narrow_terminal_without_unicode() {
        let style = Style {
            width: 40,
            unicode: false,
            color: false,
            wide_tables: false,
        };
        let text = document(&fictitious::report(), &style).text(&style);
        assert_eq!(text, include_str!("snapshots/table-40.txt"));
        assert!(text.is_ascii());
    }

    #[test]
    fn colour_changes_nothing_else() {
        let style = Style {
            color: true,
            ..Style::default()
        };
        let text = document(&fictitious::report(), &style).text(&style);
        let plain = text.replace("\x1b[2m", "").replace("\x1b[0m", "");
        assert_ne!(text, plain);
        assert_eq!(
            plain,
            document(&fictitious::report(), &Style::default()).text(&Style::default())
        );
    }

    #[test]
    fn a_machine_that_says_nothing_has_a_table_all_the_same() {
        let text = document(&Report::default(), &Style::default()).text(&Style::default());
        assert!(text.contains("source"), "{text}");
    }

    fn two() -> [Named; 2] {
        let named = |file: &str, report| Named {
            file: file.to_owned(),
            report,
        };
        let mut other = fictitious::report();
        other.machine.processor = "Other 1".to_owned();
        other.sources[0].read_median_ns = Some(24.0);
        other.sources.remove(1);
        other.sources[2].available = true;
        [
            named("a.json", fictitious::report()),
            named("b.json", other),
        ]
    }

    #[test]
    fn two_machines_side_by_side() {
        let text = compare(&two(), &Style::default()).text(&Style::default());
        assert_eq!(text, include_str!("snapshots/compare-80.txt"));
    }

    #[test]
    fn letters_go_on_after_the_last() {
        let letters: Vec<_> = [0, 25, 26, 51, 52, 702].map(letter).to_vec();
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "AAA"]);
    }
}
