//! What a comparison found, for all files.

use tourbillon_present::number::trimmed_percent;
use tourbillon_present::{Block, Explanation, line};
use tourbillon_report::{Status, escape};
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, GATE, INTERRUPTED, Stop, USAGE};

use super::base::Revisions;
use super::coverage::Coverage;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::tally;

/// The result of a comparison, or why there is none.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The labels of base and head; `None` where they were not compared.
    pub(super) sides: Option<[String; 2]>,
    pub(super) rows: Vec<CaseOutcome>,
    /// What the verdicts are based on.
    pub(super) basis: String,
    /// Why cases are faster or slower.
    pub(super) why: Vec<Block>,
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
            if self.coverage.is_missing(row) && row.status >= Status::Missing {
                row.exceed();
                let note = "missing cases count as failed".to_owned();
                row.notes.push(Explanation::Common(note));
                self.code = self.code.max(GATE);
            }
        }
    }

    /// A case of the base for which nothing was found.
    pub(super) fn none_for(&mut self, row: CaseOutcome) {
        self.rows.push(row);
        self.code = self.code.max(FAILED);
    }

    /// How many rows have a status.
    fn count(&self, status: Status) -> usize {
        let of_status = self.rows.iter().filter(|row| row.status == status);
        of_status.count()
    }

    /// What the verdicts are based on, and the confidence of assertions where that is another one.
    pub(super) fn foot(&self) -> String {
        let verdicts = || self.rows.iter().filter_map(|row| row.verdict.as_ref());
        let least = |of_assertions: bool| {
            let own = verdicts().filter(|one| one.limit.is_some() == of_assertions);
            let held = own.map(|one| one.confidence);
            held.filter(|held| *held > 0.0 && *held < 1.0)
                .reduce(f64::min)
        };
        match (least(false), least(true)) {
            (Some(held), Some(of_assertions)) if held != of_assertions => format!(
                "{} · assertions {}",
                self.basis,
                trimmed_percent(of_assertions)
            ),
            _ => self.basis.clone(),
        }
    }

    /// The result in a few words.
    pub(super) fn title(&self) -> String {
        let open = self.count(Status::Missing) + self.count(Status::Undecided);
        let passed = self.count(Status::Passes);
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

    /// How many rows have each outcome: `1 slower, 2 undecided, 40 same`.
    pub(super) fn tally(&self) -> String {
        line(&tally(&self.rows))
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

#[cfg(test)]
pub(super) mod tests {
    use tourbillon_record::Verdict;
    use tourbillon_report::Outcome;

    use super::*;
    use crate::results::json_lines::tests::{documented, members};

    pub(crate) fn row(name: &str, outcome: Outcome) -> CaseOutcome {
        let id = format!("shop/speed::{name}");
        CaseOutcome {
            verdict: Some(Verdict {
                ratio: Some(1.2),
                lower: Some(1.1),
                upper: Some(1.3),
                reference_ns: Some(100.0),
                case_ns: Some(120.0),
                seconds: 0.5,
                margin: 0.01,
                ..Verdict::default()
            }),
            place: Some(("benches/speed.rs".to_owned(), 7)),
            ..CaseOutcome::new(&id, name, outcome)
        }
    }

    /// One that the gate does not allow.
    pub(crate) fn exceeding(name: &str, outcome: Outcome) -> CaseOutcome {
        let mut row = row(name, outcome);
        row.exceed();
        row
    }

    fn report(rows: Vec<CaseOutcome>, code: u8) -> Report {
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
        let same = || row("a", Outcome::Same);
        let title = |rows, code| report(rows, code).headline();
        assert_eq!(title(vec![same()], 0), "benchmarks: passed: 1 same");
        let worse = exceeding("hits", Outcome::Worse);
        assert_eq!(
            title(vec![worse, same()], GATE),
            "benchmarks: gate failed: 1 worse · 1 same"
        );
        let rows = vec![
            row("faster", Outcome::Faster),
            row("b", Outcome::Undecided),
            row("c", Outcome::NotComparable),
            row("d", Outcome::Missing),
            same(),
        ];
        assert_eq!(
            title(rows, 0),
            "benchmarks: passed, 3 of 5 without a verdict: 1 missing · 1 undecided · 1 not comparable · 1 faster \
             · 1 same"
        );
        let none = vec![row("b", Outcome::Missing)];
        assert_eq!(title(none, 0), "benchmarks: no verdict: 1 missing");
        assert_eq!(title(Vec::new(), 0), "benchmarks: no verdict");
        let slower = vec![exceeding("b", Outcome::Slower), same()];
        assert_eq!(
            title(slower, GATE),
            "benchmarks: gate failed: 1 slower · 1 same"
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
