//! The result of a comparison as a Markdown table for a pull request.

use tourbillon_report::{Style, escape};

use super::gate_result::GateResult;
use super::measure::Measured;
use super::pairing::Comparison;
use super::results::{COUNTS, changes, finding, notes, ratio, summary, time, unchanged};

/// A comparison as a table.
pub(super) fn of(
    comparison: &Comparison,
    measured: &Measured,
    gate_result: Option<(&GateResult, bool)>,
) -> String {
    let style = Style {
        width: usize::MAX,
        ..Style::default()
    };
    let (old, new) = (&comparison.old.label, &comparison.new.label);
    let mut page = format!("**{}** against **{}**\n\n", cell(new), cell(old));
    let changes: Vec<[String; 5]> = measured.cases.iter().map(changes).collect();
    let shown: Vec<usize> = (0..COUNTS.len())
        .filter(|&at| changes.iter().any(|cells| !cells[at].is_empty()))
        .collect();
    let titles: String = shown
        .iter()
        .map(|&at| format!(" {} |", COUNTS[at].1))
        .collect();
    page.push_str(&format!(
        "| case | verdict | ratio | interval | {} | {} |{titles}\n\
         |---|---|---:|---|---:|---:|{}\n",
        cell(old),
        cell(new),
        "---:|".repeat(shown.len())
    ));
    for (case, changes) in measured.cases.iter().zip(&changes) {
        let verdict = &case.verdict;
        let (ratio, interval) = ratio(verdict);
        let finding = match finding(verdict, case.fault.is_some()).as_str() {
            word @ ("slower" | "failed") => format!("**{word}**"),
            word => word.to_owned(),
        };
        page.push_str(&format!(
            "| {} | {finding} | {ratio} | {interval} | {} | {} |",
            cell(&verdict.case),
            time(verdict.reference_ns, &style),
            time(verdict.case_ns, &style)
        ));
        for &at in &shown {
            page.push_str(&format!(" {} |", cell(&changes[at])));
        }
        page.push('\n');
    }
    page.push('\n');
    for note in notes(comparison, measured) {
        page.push_str(&format!("* {}\n", cell(&note)));
    }
    if let Some((gate_result, undecided_fails)) = gate_result {
        for line in gate_result.lines(undecided_fails) {
            page.push_str(&format!("* gate: {}\n", cell(&line)));
        }
    }
    let unchanged = unchanged(comparison, measured);
    let unchanged = unchanged.map_or_else(String::new, |text| format!(" · {}", cell(&text)));
    page.push_str(&format!("\n{}{unchanged}\n", summary(measured)));
    page
}

/// Escapes text for Markdown.
fn cell(text: &str) -> String {
    let mut safe = String::new();
    for letter in escape(text, true).chars() {
        if matches!(letter, '|' | '*' | '_' | '<' | '>' | '`' | '[' | ']' | '\\') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_takes_text_as_text() {
        assert_eq!(cell("a|b<c>_*"), "a\\|b\\<c\\>\\_\\*");
    }
}
