//! `--show-config`: the settings that hold, and where each comes from; or the header of a record.

use tourbillon_present::{Style, Table};
use tourbillon_record::{Case, CaseOptions, Entry};

use crate::args::{Chosen, Data, HighArgs, all_flags, origins};
use crate::run::{Home, header_of_settings};

/// The settings of a program and of the selected cases as text; with `--format jsonl` the header that a record would
/// have, with the facts of the machine.
pub fn settings_text(high: &HighArgs, home: &Home, chosen: &Chosen) -> String {
    if high.data == Data::Lines
        && let Some(header) = header_of_settings(high, home, chosen)
    {
        return Entry::Header(&header).encode() + "\n";
    }
    let mut text = format!("{}/{}\n", home.package, home.target);
    text += &aligned(origins(high));
    let mut rows = Vec::new();
    for case in &chosen.runs {
        let own = chosen.options.get(&case.id).copied().unwrap_or_default();
        rows.extend(rows_of(case, &own, high));
    }
    if !rows.is_empty() {
        text += "\ncases\n";
        text += &aligned(rows);
    }
    text
}

/// What a case has of its own: below the command line, its attribute counts, then the longest pattern.
fn rows_of(case: &Case, own: &CaseOptions, high: &HighArgs) -> Vec<Vec<String>> {
    let (_, name) = case.id.split_once("::").unwrap_or(("", &case.id));
    let mut rows: Vec<[String; 3]> = Vec::new();
    for flag in all_flags() {
        if let Some(value) = flag.value_in(own) {
            rows.push([flag.name.to_owned(), value, "attribute".to_owned()]);
        }
    }
    for origin in high.defaults.of_case(case) {
        if !rows.iter().any(|[flag, ..]| *flag == origin.flag) {
            rows.push([&origin.flag, &origin.value, &origin.place].map(String::clone));
        }
    }
    rows.retain(|[flag, ..]| !high.defaults.is_typed(flag));
    let named = rows
        .into_iter()
        .map(|row| [&[name.to_owned()], &row[..]].concat());
    named.collect()
}

/// Rows with their columns below each other.
fn aligned(rows: Vec<Vec<String>>) -> String {
    Table::without_titles(rows).text(&Style::FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows =
            [["a", "b", "c"], ["größer", "", "d"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(rows.into()), "  a       b  c\n  größer     d\n");
        assert_eq!(aligned(Vec::new()), "");
    }
}
