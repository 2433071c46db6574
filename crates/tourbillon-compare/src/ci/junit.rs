//! A report in JUnit's XML, which GitLab, Jenkins and others read.
//!
//! A row that passes is a test that passes. What has no verdict is a skipped test, with the reason.

use std::time::Duration;

use indexmap::IndexMap;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
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
    let mut suites: IndexMap<&str, Vec<&CaseOutcome>> = IndexMap::new();
    for row in report.rows.iter().chain(&failed) {
        suites.entry(&row.suite).or_default().push(row);
    }
    let mut document = quick_junit::Report::new("tourbillon");
    document.set_time(time(report.rows.iter()));
    for (suite, rows) in suites {
        let mut of_suite = TestSuite::new(text(suite));
        of_suite.set_time(time(rows.iter().copied()));
        of_suite.add_test_cases(rows.into_iter().map(test));
        document.add_test_suite(of_suite);
    }
    // Memory cannot be written to in vain, and texts are XML's by their type.
    document.to_string().unwrap_or_default()
}

/// What measuring took.
fn time<'r>(rows: impl Iterator<Item = &'r CaseOutcome>) -> Duration {
    Duration::try_from_secs_f64(rows.map(CaseOutcome::seconds).sum()).unwrap_or_default()
}

fn test(row: &CaseOutcome) -> TestCase {
    let details = text(&row.judged().details());
    let notes = text(&row.sentences().join("\n"));
    let mut status = match row.status.junit() {
        None => TestCaseStatus::success(),
        Some("error") => TestCaseStatus::non_success(NonSuccessKind::Error),
        Some("failure") => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Some(_) => TestCaseStatus::skipped(),
    };
    // Of a test that passes these are ignored.
    status.set_message(&*details).set_description(&*notes);
    let mut test = TestCase::new(text(&row.name), status);
    test.set_classname(text(&row.suite));
    test.set_time(time(std::iter::once(row)));
    if let Some((file, line)) = &row.place {
        let place = [("file", text(file)), ("line", line.to_string())];
        test.extra
            .extend(place.map(|(name, value)| (name.into(), value.into())));
    }
    if row.status == Status::Passes {
        test.set_system_out(format!("{details}\n{notes}"));
    }
    test
}

/// Lines as they are shown. XML 1.0 has two characters fewer than Unicode.
fn text(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| escape(line, true)).collect();
    lines
        .join("\n")
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
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
        let counts = ["tests", "failures", "errors", "time"];
        assert_eq!(
            counts.map(|name| root.attribute(name).expect(name)),
            ["5", "1", "1", "2.500"]
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
