//! The summary of a job and the comment on a pull request, in GitHub's and GitLab's Markdown.
//!
//! Names and messages come from the code of a pull request. They are text in code spans, in which no service
//! looks for markup, mentions or links.

use tourbillon_present::markdown::{code, text};
use tourbillon_present::{Document, Table, line};
use tourbillon_report::{Outcome, Status, Style};

use super::report::Report;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::{table, tally};
use crate::results::notes::notes_of;

/// Most bytes of a summary; GitHub refuses more than 1 MiB in a step.
pub(super) const SUMMARY: usize = 900_000;
/// Most bytes of a comment; GitHub refuses more than 65 536 characters.
pub(super) const COMMENT: usize = 60_000;
/// The first line of a comment, by which a job finds the one that it replaces.
pub(super) const MARKER: &str = "<!-- tourbillon -->\n";

/// Bytes for what every page ends with.
const END: usize = 2_000;
/// Most characters of a name in the first line.
const SHORT: usize = 60;

/// A page of at most so many bytes. What does not fit is counted.
pub(super) fn page(report: &Report, first: &str, limit: usize) -> String {
    let named = match report.coverage.line(short) {
        none if none.is_empty() => none,
        named => format!("; {named}"),
    };
    let mut page = Limited {
        text: format!("{first}### Benchmarks: {}{named}\n", report.title()),
        limit: limit - END,
        omitted_notes: 0,
        omitted: Vec::new(),
        interval: interval(report),
    };
    if !report.rows.is_empty() {
        page.text += &format!("\n{}\n", report.tally());
    }
    if let Some(error) = &report.error {
        page.text += &format!("\n{}\n", code(error));
    }
    for (number, change) in report.changes.iter().enumerate() {
        let gap = if number == 0 { "\n" } else { "" };
        page.text += &format!("{gap}* {}\n", code(change));
    }
    for (number, names) in report.coverage.rest(code).into_iter().enumerate() {
        let gap = if number == 0 { "\n" } else { "" };
        if !page.push(&format!("{gap}* {names}\n")) {
            page.omitted_notes += 1;
        }
    }
    let mut rows: Vec<&CaseOutcome> = report.rows.iter().collect();
    rows.sort_by_key(|row| row.judged().order());
    let (same, others): (Vec<&CaseOutcome>, Vec<&CaseOutcome>) =
        rows.into_iter().partition(|row| {
            let is_calm = matches!(
                row.outcome,
                Outcome::Same | Outcome::Unchanged | Outcome::Holds
            );
            is_calm && row.status == Status::Passes
        });
    page.table(report, &others);
    let summary = format!(
        "\n<details><summary>{}</summary>\n",
        line(&tally(same.iter().copied()))
    );
    if !same.is_empty() && page.push(&summary) {
        page.table(report, &same);
        page.text += "\n</details>\n";
    } else {
        page.omitted.extend(&same);
    }
    page.notes(&[others, same].concat());
    page.why(report);
    page.end(report)
}

/// A page that does not grow beyond a limit.
struct Limited<'r> {
    text: String,
    limit: usize,
    omitted_notes: usize,
    omitted: Vec<&'r CaseOutcome>,
    /// The title of the column of intervals.
    interval: String,
}

/// The column of intervals.
const INTERVAL: &str = "interval";

fn of_rows(report: &Report, rows: &[&CaseOutcome]) -> Table {
    let labels = report
        .sides
        .clone()
        .unwrap_or_else(|| ["base", "head"].map(str::to_owned));
    table(&labels, rows, &Style::default(), true)
}

/// The title of the column of intervals in a table of all rows.
fn interval(report: &Report) -> String {
    let all = of_rows(report, &report.rows.iter().collect::<Vec<_>>());
    let mut columns = all.columns.into_iter();
    let found = columns.find(|column| column.key == INTERVAL);
    found.map_or_else(String::new, |column| column.title)
}

impl<'r> Limited<'r> {
    /// Adds a piece if it fits.
    fn push(&mut self, piece: &str) -> bool {
        let fits = self.text.len() + piece.len() <= self.limit;
        if fits {
            self.text += piece;
        }
        fits
    }

    fn table(&mut self, report: &Report, found: &[&'r CaseOutcome]) {
        let mut table = of_rows(report, found);
        // One confidence is that of all tables.
        for column in &mut table.columns {
            if column.key == INTERVAL {
                column.title.clone_from(&self.interval);
            }
        }
        let columns = table.markdown_columns();
        if found.is_empty() || !self.push(&format!("\n{}", table.markdown_heading(&columns))) {
            self.omitted.extend(found);
            return;
        }
        for (one, row) in found.iter().zip(&table.rows) {
            if !self.push(&columns.line(row)) {
                self.omitted.push(one);
            }
        }
    }

    fn notes(&mut self, rows: &[&'r CaseOutcome]) {
        let mut gap = "\n";
        for note in notes_of(rows) {
            if self.push(&format!("{gap}{}", note.markdown())) {
                gap = "";
            } else {
                self.omitted_notes += 1;
            }
        }
    }

    fn why(&mut self, report: &Report) {
        let document = Document::of(report.why.clone());
        let text = document.markdown();
        let piece = format!("\n<details><summary>why</summary>\n\n{text}\n</details>\n");
        if !text.is_empty() && !self.push(&piece) {
            self.omitted_notes += 1;
        }
    }

    fn end(mut self, report: &Report) -> String {
        let mut parts = Vec::new();
        if !self.omitted.is_empty() {
            let (count, tally) = (
                self.omitted.len(),
                line(&tally(self.omitted.iter().copied())),
            );
            parts.push(format!("{count} rows ({tally})"));
        }
        if self.omitted_notes > 0 {
            parts.push(format!("{} notes", self.omitted_notes));
        }
        if !parts.is_empty() {
            self.text += &format!(
                "\nNot shown for lack of space: {}. comparison.jsonl has all.\n",
                parts.join(" and ")
            );
        }
        let foot = report.foot();
        if !foot.is_empty() {
            self.text += &format!("\n{}\n", text(&foot));
        }
        self.text
    }
}

/// The beginning of a name as code.
fn short(name: &str) -> String {
    match name.char_indices().nth(SHORT) {
        Some((end, _)) => code(&format!("{}…", &name[..end])),
        None => code(name),
    }
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    use tourbillon_present::Explanation;
    use tourbillon_record::{Finding, Verdict};
    use tourbillon_report::escape;

    use super::super::report::tests::{exceeding, row};
    use super::*;
    use tourbillon_tool::exit::GATE;

    /// Names that are markup, mentions, links or controls.
    const HOSTILE: [&str; 12] = [
        "@all and @org/team",
        "<img src=x onerror=alert(1)>",
        "a|b \\| c",
        "`ls` ``x`` `",
        "line\nbreak\r\n| x | y |",
        "\u{202e}desrever\u{2066}",
        "**bold** _it_ [x](https://example.com) ![](y)",
        "#1 owner/repo#2 https://example.com www.example.com a@b.com",
        "</code></details><!-- ",
        " blanks ",
        "&#64;all &lt;",
        "\\",
    ];

    fn report(rows: Vec<CaseOutcome>) -> Report {
        Report {
            rows,
            sides: Some(["base 1a2b3c4".to_owned(), "head 5d6e7f8".to_owned()]),
            basis: "99.9 % confidence each".to_owned(),
            code: GATE,
            ..Report::default()
        }
    }

    fn events(page: &str) -> Vec<Event<'_>> {
        Parser::new_ext(page, Options::ENABLE_TABLES).collect()
    }

    /// The contents of code in a page, and all text outside of it.
    fn spans(page: &str) -> (Vec<String>, String) {
        let (mut spans, mut outside, mut open) = (Vec::new(), String::new(), None::<String>);
        for event in events(page) {
            match (event, &mut open) {
                (Event::Code(text), None) => spans.push(text.into_string()),
                (Event::InlineHtml(tag), _) if &*tag == "<code>" => open = Some(String::new()),
                (Event::InlineHtml(tag), _) if &*tag == "</code>" => spans.extend(open.take()),
                (Event::Text(text), Some(open)) => open.push_str(&text),
                (Event::Text(text), None) => outside.push_str(&text),
                (Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis), _) => {
                    panic!("markup in {page}")
                }
                (_, Some(open)) => panic!("markup after {open}"),
                _ => {}
            }
        }
        (spans, outside)
    }

    #[test]
    fn hostile_names_are_text() {
        for name in HOSTILE {
            let mut hostile = exceeding(name, Outcome::Slower);
            hostile.notes = vec![Explanation::Own(format!("failed: {name}"))];
            let mut report = report(vec![hostile]);
            report.basis = format!("measured: {name}");
            let page = page(&report, "", COMMENT);
            let (spans, outside) = spans(&page);
            // Nothing is between a sigil and what follows, where a page looks for names.
            let outside = outside.replace('\u{200b}', "");
            let shown = escape(name, true);
            assert_eq!(spans[..2], [shown.clone(), shown.clone()], "{page}");
            assert!(
                outside.contains(&format!("failed: {}", shown.trim_end())),
                "{outside}"
            );
            assert!(
                outside.ends_with(&format!("measured: {}", shown.trim_end())),
                "{outside}"
            );
            // One row of five cells after the heading.
            let cells = events(&page)
                .iter()
                .filter(|event| **event == Event::End(TagEnd::TableCell))
                .count();
            assert_eq!(cells, 10, "{page}");
        }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        for (limit, first) in [(SUMMARY, ""), (COMMENT, MARKER)] {
            let outcomes = [
                Outcome::Slower,
                Outcome::Undecided,
                Outcome::Missing,
                Outcome::Same,
            ];
            let rows = (0..2_000).map(|number| {
                let outcome = outcomes[number % outcomes.len()];
                let name = format!("{}/{number}", "|long@".repeat(number % 40));
                let mut row = row(&name, outcome);
                if outcome == Outcome::Slower {
                    row.exceed();
                }
                row.notes = vec![Explanation::Own("x|".repeat(number % 600))];
                row
            });
            let report = report(rows.collect());
            let page = page(&report, first, limit);
            assert!(
                page.len() <= limit && page.starts_with(first),
                "{}",
                page.len()
            );
            let shown = page
                .lines()
                .filter(|line| {
                    ["▲", "?", "−", "■"]
                        .iter()
                        .any(|mark| line.starts_with(&format!("| {mark}")))
                })
                .count();
            let omitted: usize = page
                .split_once(" rows (")
                .map_or("0", |(before, _)| {
                    before.rsplit(' ').next().unwrap_or_default()
                })
                .parse()
                .expect("a number");
            assert_eq!(shown + omitted, 2_000, "at {limit}");
            assert!(limit == SUMMARY || omitted > 0);
            // The tally counts all of them.
            assert!(page.contains("500 slower · 500 missing · 500 undecided · 500 same"));
            assert!(page.ends_with("\n99.9 % confidence each\n"));
        }
    }

    #[test]
    fn a_page_has_one_confidence_and_that_of_assertions_once() {
        let verdict = |finding, confidence, limit| Verdict {
            finding,
            confidence,
            limit,
            ratio: Some(1.1),
            lower: Some(1.05),
            upper: Some(1.2),
            margin: 0.01,
            ..Verdict::default()
        };
        let mut rows = ["slow", "calm", "holds"].map(|name| row(name, Outcome::Slower));
        rows[0].verdict = Some(verdict(Finding::Slower, 0.9998, None));
        rows[1].verdict = Some(verdict(Finding::Same, 0.9998, None));
        rows[1].outcome = Outcome::Same;
        rows[2].verdict = Some(verdict(Finding::Faster, 0.9995, Some(1.0)));
        rows[2].outcome = Outcome::Holds;
        for first in [0, 1] {
            rows.swap(first, 2);
            let mut report = report(rows.clone().into());
            report.basis = "99.98 % confidence each".to_owned();
            let page = page(&report, "", COMMENT);
            assert_eq!(page.matches("99.98 % interval").count(), 2, "{page}");
            let foot = "\n99.98 % confidence each · assertions 99.95 %\n";
            assert!(page.ends_with(foot), "{page}");
            assert_eq!(page.matches("99.95").count(), 1, "{page}");
        }
    }

    #[test]
    fn alike_notes_are_one_line() {
        let rows = ["a", "b", "c", "d", "e"].map(|name| {
            let mut row = row(name, Outcome::Undecided);
            row.notes = vec![Explanation::Common("conditions drifted".to_owned())];
            row
        });
        let page = page(&report(rows.into()), "", COMMENT);
        let line = "\n\n* `a`, `b`, `c` and 2 more: conditions drifted\n";
        assert!(page.contains(line), "{page}");
        assert_eq!(page.matches("\n* ").count(), 1, "{page}");
    }

    #[test]
    fn the_most_severe_come_first() {
        let rows = vec![
            row("d", Outcome::Faster),
            row("c", Outcome::Undecided),
            row("b", Outcome::Missing),
            row("a", Outcome::Failed),
            row("e", Outcome::Same),
        ];
        let page = page(&report(rows), "", COMMENT);
        let (mut names, _) = spans(&page);
        names.retain(|name| name.len() == 1);
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
        assert!(
            page.contains("| ✕ `a` | 100 ns | 120 ns | **failed** |"),
            "{page}"
        );
        let details = page
            .split_once("<details><summary>1 same</summary>")
            .expect(&page);
        assert!(
            details
                .1
                .contains("| ■ `e` | 100 ns | 120 ns | same within 1 % |"),
            "{page}"
        );
    }

    #[test]
    fn an_error_of_any_length_is_shown() {
        let report = Report {
            error: Some("no base @all ".repeat(100_000)),
            ..Report::default()
        };
        let page = page(&report, MARKER, COMMENT);
        assert!(page.len() <= COMMENT);
        assert!(
            page.starts_with("<!-- tourbillon -->\n### Benchmarks: not compared\n"),
            "{page}"
        );
    }
}
