//! What a comparison found, for all files.

use tourbillon_report::escape;

use super::base::Revisions;
use super::coverage::Coverage;
use crate::results::reason::Reason;
use crate::results::rows::{Outcome, Row};
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, GATE, INTERRUPTED, Stop, USAGE};

/// The result of a comparison, or why there is none.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The labels of base and head; `None` where they were not compared.
    pub(super) sides: Option<[String; 2]>,
    pub(super) rows: Vec<Row>,
    /// What the verdicts are based on.
    pub(super) basis: String,
    /// Lines of JSON.
    pub(super) json: String,
    /// The exit code.
    pub(super) code: u8,
    /// The exit code that the store deserves; it is no result of the comparison.
    pub(super) stored: u8,
    /// Why nothing was compared.
    pub(super) error: Option<String>,
    /// Both commits; `None` where they were not compared.
    pub(super) revisions: Option<Revisions>,
    /// Cases of the base that need a look.
    pub(super) coverage: Coverage,
    /// What the head changes of how it is judged, in sentences.
    pub(super) changes: Vec<String>,
}

impl Report {
    /// The report of a comparison that ended before it began.
    pub(super) fn without_result(stop: &Stop) -> Report {
        let (code, text) = match stop {
            Stop::Answered(text) => (0, text.as_str()),
            Stop::Usage(text) => (USAGE, text.as_str()),
            Stop::Environment(text) => (ENVIRONMENT, text.as_str()),
            Stop::Failed(code, text) => (*code, text.as_str()),
            Stop::Code(INTERRUPTED) => (INTERRUPTED, "interrupted"),
            Stop::Code(code) => (*code, "a program failed; its message is in the log"),
        };
        let line = serde_json::json!({"type": "error", "exit_code": code, "message": text});
        Report {
            json: format!("{line}\n"),
            code,
            error: Some(text.to_owned()),
            ..Report::default()
        }
    }

    /// Cases that only the base has, those that the head ignores, and those that cannot be compared, fail.
    pub(super) fn fail_missing(&mut self) {
        for row in &mut self.rows {
            if self.coverage.is_missing(row) && row.outcome >= Outcome::Missing {
                row.outcome = Outcome::Exceeds;
                let note = "missing cases count as failed".to_owned();
                row.notes.push(Reason::Common(note));
                self.code = self.code.max(GATE);
            }
        }
    }

    /// A case of the base for which nothing was found.
    pub(super) fn none_for(&mut self, row: Row) {
        self.rows.push(row);
        self.code = self.code.max(FAILED);
    }

    /// The rows with an outcome.
    pub(super) fn with(&self, outcome: Outcome) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.outcome == outcome)
    }

    /// The result in a few words.
    pub(super) fn title(&self) -> String {
        let open = self.with(Outcome::Missing).count() + self.with(Outcome::Undecided).count();
        let passed = self.with(Outcome::Passes).count();
        match self.code {
            _ if self.error.is_some() => "not compared".to_owned(),
            0 if passed == 0 => "no verdict".to_owned(),
            0 if open == 0 => "passed".to_owned(),
            0 => format!("passed, {open} of {} without a verdict", self.rows.len()),
            GATE => "gate failed".to_owned(),
            FAILED => "failed".to_owned(),
            INTERRUPTED => "interrupted".to_owned(),
            code => format!("exit code {code}"),
        }
    }

    /// How many rows have each result: `1 over the limit, 2 undecided, 40 same`.
    pub(super) fn tally(&self) -> String {
        tally(&self.rows.iter().collect::<Vec<_>>())
    }

    /// One line about the result.
    pub(super) fn headline(&self) -> String {
        let mut line = format!("benchmarks: {}", self.title());
        match self.tally() {
            none if none.is_empty() => {}
            tally => line += &format!(": {tally}"),
        }
        match self.coverage.line(|name| escape(name, true)) {
            none if none.is_empty() => {}
            named => line += &format!("; {named}"),
        }
        line
    }
}

/// The word for an outcome; `None` where that of the finding describes it.
pub(super) fn outcome_word(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Failed => Some("failed"),
        Outcome::Exceeds => Some("over the limit"),
        Outcome::Undecided => Some("undecided"),
        Outcome::Missing | Outcome::Passes => None,
    }
}

/// How many of some rows have each result, the most severe first.
pub(super) fn tally(rows: &[&Row]) -> String {
    let mut counts: Vec<(Outcome, &str, usize)> = Vec::new();
    for row in rows {
        let word = outcome_word(row.outcome).unwrap_or(row.finding);
        match counts
            .iter_mut()
            .find(|(outcome, known, _)| (*outcome, *known) == (row.outcome, word))
        {
            Some((.., count)) => *count += 1,
            None => counts.push((row.outcome, word, 1)),
        }
    }
    counts.sort_by_key(|(outcome, word, _)| (*outcome, *word));
    let parts = counts
        .iter()
        .map(|(_, word, count)| format!("{count} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::results::json_lines::tests::{documented, members};

    pub(crate) fn row(name: &str, outcome: Outcome, finding: &'static str) -> Row {
        let id = format!("shop/speed::{name}");
        Row {
            ratio: "1.02".to_owned(),
            interval: "[1.01, 1.03]".to_owned(),
            times: ["100 ns".to_owned(), "102 ns".to_owned()],
            seconds: 0.5,
            place: Some(("benches/speed.rs".to_owned(), 7)),
            ..Row::new(&id, name, outcome, finding)
        }
    }

    fn report(rows: Vec<Row>, code: u8) -> Report {
        Report {
            rows,
            code,
            ..Report::default()
        }
    }

    #[test]
    fn the_page_has_every_member_of_an_error() {
        let report = Report::without_result(&Stop::Usage("no base".to_owned()));
        assert_eq!(members(&report.json), documented("### Members of an error"));
    }

    #[test]
    fn what_has_no_verdict_is_not_counted_as_fine() {
        let same = || row("a", Outcome::Passes, "same");
        let title = |rows, code| report(rows, code).headline();
        assert_eq!(title(vec![same()], 0), "benchmarks: passed: 1 same");
        let rows = vec![
            row("faster", Outcome::Passes, "faster"),
            row("b", Outcome::Undecided, "undecided"),
            row("c", Outcome::Undecided, "same"),
            row("d", Outcome::Missing, "missing"),
            same(),
        ];
        assert_eq!(
            title(rows, 0),
            "benchmarks: passed, 3 of 5 without a verdict: 1 missing, 2 undecided, 1 faster, 1 same"
        );
        let none = vec![row("b", Outcome::Missing, "missing")];
        assert_eq!(title(none, 0), "benchmarks: no verdict: 1 missing");
        assert_eq!(title(Vec::new(), 0), "benchmarks: no verdict");
        let slower = vec![row("b", Outcome::Exceeds, "slower"), same()];
        assert_eq!(
            title(slower, GATE),
            "benchmarks: gate failed: 1 over the limit, 1 same"
        );
    }

    #[test]
    fn an_error_is_a_report() {
        let stop = Stop::Failed(101, "base does not build".to_owned());
        let report = Report::without_result(&stop);
        assert_eq!(report.headline(), "benchmarks: not compared");
        assert_eq!(
            report.json,
            "{\"type\":\"error\",\"exit_code\":101,\"message\":\"base does not build\"}\n"
        );
    }
}
