//! GitLab's code quality report: a list of findings with their places in the source.

use std::path::Path;

use serde_json::{Value, json};
use tourbillon_report::{Outcome, escape, escape_json};
use tourbillon_tool::sha256::sha256;

use super::report::Report;
use crate::results::case_outcome::CaseOutcome;

/// The place of what has none.
const NO_PLACE: (&str, u32) = ("Cargo.toml", 1);

/// The findings as a JSON text. `workspace` is the folder of the workspace in the repository.
pub(super) fn code_quality(report: &Report, workspace: &Path) -> String {
    let mut findings: Vec<Value> = report
        .rows
        .iter()
        .filter_map(|row| finding(row, workspace))
        .collect();
    if let Some(error) = &report.error {
        let text = format!("benchmarks were not compared: {error}");
        findings.push(entry(
            "comparison",
            "blocker",
            &text,
            NO_PLACE.0,
            NO_PLACE.1,
        ));
    }
    escape_json(format!("{}\n", Value::Array(findings)))
}

/// A row that does not pass; a new case is none.
fn finding(row: &CaseOutcome, workspace: &Path) -> Option<Value> {
    if row.outcome == Outcome::New {
        return None;
    }
    let severity = row.status.severity()?;
    let mut text = format!("{}: {}", row.name, row.judged().details());
    for sentence in row.sentences() {
        text += &format!("; {sentence}");
    }
    let (file, line) = match &row.place {
        Some((file, line)) => (in_repository(file, workspace), *line),
        None => (NO_PLACE.0.to_owned(), NO_PLACE.1),
    };
    Some(entry(&row.id, severity, &text, &file, line))
}

fn entry(id: &str, severity: &str, text: &str, file: &str, line: u32) -> Value {
    let fingerprint = sha256(format!("{severity} {id}"));
    json!({
        "description": escape(text, true),
        "check_name": "tourbillon",
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": file, "lines": {"begin": line.max(1)}},
    })
}

/// A source file as from the root of the repository; the compiler names it as from that of the workspace.
fn in_repository(file: &str, workspace: &Path) -> String {
    workspace.join(file).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{exceeding, row};
    use super::*;

    fn findings(report: &Report) -> Vec<Value> {
        let text = code_quality(report, Path::new(""));
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn what_does_not_pass_is_a_finding() {
        let rows = [
            row("failed", Outcome::Failed),
            exceeding("slower", Outcome::Slower),
            row("missing", Outcome::Missing),
            row("undecided", Outcome::Undecided),
            row("new", Outcome::New),
            row("same", Outcome::Same),
        ];
        let findings = findings(&Report {
            rows: rows.to_vec(),
            ..Report::default()
        });
        let severities: Vec<&str> = findings
            .iter()
            .map(|finding| finding["severity"].as_str().expect("a text"))
            .collect();
        assert_eq!(severities, ["critical", "major", "minor", "info"]);
        assert_eq!(
            findings[1]["description"],
            "slower: slower, +20 % (+10 … +30 %)"
        );
        assert_eq!(
            findings[1]["location"],
            json!({"path": "benches/speed.rs", "lines": {"begin": 7}})
        );
        let mut prints: Vec<&Value> = findings.iter().map(|one| &one["fingerprint"]).collect();
        prints.dedup();
        assert_eq!(prints.len(), 4);
    }

    #[test]
    fn an_error_is_a_finding() {
        let findings = findings(&Report {
            error: Some("no base".to_owned()),
            ..Report::default()
        });
        assert_eq!(findings[0]["severity"], "blocker");
        assert_eq!(findings[0]["location"]["path"], "Cargo.toml");
    }

    #[test]
    fn files_are_named_as_from_the_root() {
        let file = |workspace: &str| in_repository("benches\\b.rs", Path::new(workspace));
        assert_eq!(file(""), "benches/b.rs");
        assert_eq!(file("rust"), "rust/benches/b.rs");
    }
}
