//! Machines side by side.

use tourbillon_report::Style;

use super::cells;
use super::report::{Report, Row};
use super::table;
use crate::paragraph;
use crate::table::{Align, Sheet};

/// A compared figure: its title and value.
type Figure = (&'static str, fn(&Row) -> Option<f64>);

const FIGURES: [Figure; 5] = [
    ("tick", |row| row.tick_ns),
    ("step", |row| row.granularity_ns),
    ("res", |row| row.resolution.map(|seen| seen.median_ns)),
    ("read", |row| row.read_median_ns),
    ("pair", |row| row.pair_ns),
];

/// A report and its file.
pub(super) struct Named {
    pub(super) file: String,
    pub(super) report: Report,
}

/// The reports, with letters in the columns; missing sources have empty cells.
pub(super) fn render(machines: &[Named], style: &Style) -> String {
    let mut page = String::new();
    for (number, machine) in machines.iter().enumerate() {
        let lead = format!("{}  ", letter(number));
        let what = table::machine(&machine.report.machine);
        paragraph::push(
            &mut page,
            &lead,
            &format!("{}: {what}", machine.file),
            style,
        );
    }
    page.push('\n');
    page.push_str(&sheet(machines, style).render(style));
    page.push('\n');
    let legend = "res: the median difference of two different readings in a row.";
    paragraph::push(&mut page, "", legend, style);
    page
}

fn sheet(machines: &[Named], style: &Style) -> Sheet {
    let mut sheet = Sheet::new("source");
    for (title, _) in FIGURES {
        for number in 0..machines.len() {
            sheet = sheet.column(&format!("{title} {}", letter(number)), Align::Right);
        }
    }
    for number in 0..machines.len() {
        sheet = sheet.column(&format!("behind {}", letter(number)), Align::Left);
    }
    for name in names(machines) {
        let rows: Vec<Option<&Row>> = machines.iter().map(|machine| find(machine, name)).collect();
        let mut cells = vec![name.to_owned()];
        for (_, figure) in FIGURES {
            cells.extend(
                rows.iter()
                    .map(|row| cells::time(row.and_then(figure), style)),
            );
        }
        cells.extend(rows.iter().map(|row| match row {
            Some(row) => row.behind.clone(),
            None => "absent".to_owned(),
        }));
        sheet.row(cells);
    }
    sheet
}

fn find<'a>(machine: &'a Named, name: &str) -> Option<&'a Row> {
    let mut rows = machine.report.sources.iter();
    rows.find(|row| row.available && row.name == name)
}

/// Every source that any machine has, in their order.
fn names(machines: &[Named]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let rows = machines.iter().flat_map(|machine| &machine.report.sources);
    for row in rows.filter(|row| row.available) {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    names
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
    use crate::clocks::scripted;

    fn two() -> [Named; 2] {
        let named = |file: &str, report| Named {
            file: file.to_owned(),
            report,
        };
        let mut other = scripted::report();
        other.machine.processor = "Other 1".to_owned();
        other.sources[0].read_median_ns = Some(24.0);
        other.sources.remove(1);
        other.sources[2].available = true;
        [named("a.json", scripted::report()), named("b.json", other)]
    }

    #[test]
    fn two_machines_side_by_side() {
        let text = render(&two(), &Style::default());
        assert_eq!(text, include_str!("snapshots/compare-80.txt"));
    }

    #[test]
    fn letters_go_on_after_the_last() {
        let letters: Vec<_> = [0, 25, 26, 51, 52, 702].map(letter).to_vec();
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "AAA"]);
    }
}
