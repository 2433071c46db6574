//! A report in JUnit's XML, which GitLab, Jenkins and others read.
//!
//! A row that passes is a test that passes. What has no verdict is a skipped test, with the reason.

use std::collections::HashMap;

use tourbillon_present::Explanation;
use tourbillon_report::{Outcome, Status, escape};

use super::report::Report;
use crate::results::case_outcome::CaseOutcome;

/// The report as a document.
pub(super) fn junit(report: &Report) -> String {
    let failed = report.error.as_ref().map(|error| CaseOutcome {
        notes: vec![Explanation::Own(error.clone())],
        status: Status::Failed,
        ..CaseOutcome::new(
            "tourbillon",
            "comparison of base and head",
            Outcome::NotCompared,
        )
    });
    let rows: Vec<&CaseOutcome> = report.rows.iter().chain(&failed).collect();
    let mut suites: Vec<(&str, Vec<&CaseOutcome>)> = Vec::new();
    let mut known = HashMap::new();
    for row in &rows {
        let at = *known.entry(row.suite.as_str()).or_insert(suites.len());
        if at == suites.len() {
            suites.push((&row.suite, Vec::new()));
        }
        suites[at].1.push(row);
    }
    let counts = counts(rows.iter().copied());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tourbillon\"{counts}>\n"
    );
    for (suite, of_suite) in suites {
        let counts = self::counts(of_suite.iter().copied());
        text += &format!("<testsuite name=\"{}\"{counts}>\n", xml(suite));
        text.extend(of_suite.into_iter().map(test));
        text += "</testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// The numbers of tests as attributes.
fn counts<'r>(rows: impl Iterator<Item = &'r CaseOutcome>) -> String {
    let rows: Vec<&CaseOutcome> = rows.collect();
    let seconds: f64 = rows.iter().map(|row| row.seconds()).sum();
    let count = |element| {
        let of_element = rows
            .iter()
            .filter(|row| row.status.junit() == Some(element));
        of_element.count()
    };
    let [failures, errors, skipped] = ["failure", "error", "skipped"].map(count);
    let tests = rows.len();
    format!(
        " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{seconds:.3}\""
    )
}

fn test(row: &CaseOutcome) -> String {
    let (suite, name) = (xml(&row.suite), xml(&row.name));
    let place = row.place.as_ref().map_or_else(String::new, |(file, line)| {
        format!(" file=\"{}\" line=\"{line}\"", xml(file))
    });
    let seconds = row.seconds();
    let mut text =
        format!("<testcase classname=\"{suite}\" name=\"{name}\"{place} time=\"{seconds:.3}\">");
    let notes = row.sentences().join("\n");
    let details = row.judged().details();
    let (details, notes) = (xml(&details), xml(&notes));
    text += &match row.status.junit() {
        Some(element) => format!("<{element} message=\"{details}\">{notes}</{element}>"),
        None => format!("<system-out>{details}\n{notes}</system-out>"),
    };
    text + "</testcase>\n"
}

/// Text in an element or an attribute. XML 1.0 has no controls and two characters fewer than Unicode.
fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            safe.push('\n');
        }
        for c in escape(line, true).chars() {
            match c {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
                c => safe.push(c),
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::super::report::tests::{exceeding, row};
    use super::*;

    fn report(rows: Vec<CaseOutcome>) -> Report {
        Report {
            rows,
            ..Report::default()
        }
    }

    fn tests<'d>(document: &'d Document<'_>) -> Vec<Node<'d, 'd>> {
        let nodes = document.descendants();
        nodes.filter(|node| node.has_tag_name("testcase")).collect()
    }

    #[test]
    fn only_what_passes_is_a_test_that_passes() {
        let mut other = row("f", Outcome::Failed);
        other.suite = "shop/more".to_owned();
        let rows = vec![
            row("a", Outcome::Same),
            exceeding("b", Outcome::Slower),
            row("c", Outcome::Missing),
            row("d", Outcome::Undecided),
            other,
        ];
        let text = junit(&report(rows));
        let document = Document::parse(&text).expect(&text);
        let results = tests(&document).into_iter().map(|test| {
            let child = test.first_element_child().expect("a result");
            (
                test.attribute("name").expect("a name"),
                child.tag_name().name(),
            )
        });
        assert_eq!(
            results.collect::<Vec<_>>(),
            [
                ("a", "system-out"),
                ("b", "failure"),
                ("c", "skipped"),
                ("d", "skipped"),
                ("f", "error")
            ]
        );
        let root = document.root_element();
        let counts = ["tests", "failures", "errors", "skipped", "time"];
        assert_eq!(
            counts.map(|name| root.attribute(name).expect(name)),
            ["5", "1", "1", "2", "2.500"]
        );
        let suites = root
            .children()
            .filter(Node::is_element)
            .map(|suite| (suite.attribute("name"), suite.attribute("tests")));
        assert_eq!(
            suites.collect::<Vec<_>>(),
            [
                (Some("shop/speed"), Some("4")),
                (Some("shop/more"), Some("1"))
            ]
        );
    }

    #[test]
    fn any_text_is_read_back() {
        let name = "a\"<b>&'\u{1}\u{202e}]]>\u{ffff}\n\tc";
        let mut hostile = exceeding(name, Outcome::Slower);
        hostile.notes = ["one & two", "three"]
            .map(|text| Explanation::Own(text.to_owned()))
            .into();
        let text = junit(&report(vec![hostile]));
        let document = Document::parse(&text).expect(&text);
        let test = tests(&document)[0];
        // A parser reads a line break in an attribute as a blank.
        assert_eq!(
            test.attribute("name"),
            Some("a\"<b>&'\\u{1}\\u{202e}]]>\u{fffd} \\tc")
        );
        let failure = test.first_element_child().expect("a failure");
        assert_eq!(failure.text(), Some("one & two\nthree"));
    }

    #[test]
    fn an_error_is_a_test_that_fails() {
        let report = Report {
            error: Some("no base".to_owned()),
            ..Report::default()
        };
        let text = junit(&report);
        let document = Document::parse(&text).expect(&text);
        assert_eq!(document.root_element().attribute("errors"), Some("1"));
        let error = tests(&document)[0].first_element_child().expect("an error");
        assert_eq!(
            (error.tag_name().name(), error.text()),
            ("error", Some("no base"))
        );
    }
}
