//! The result of `history bisect`, as text and as a line.

use std::path::Path;

use crate::bisection::Probed;
use crate::index::CommitVerdict;
use serde_json::json;
use tourbillon_builds::subject_of;
use tourbillon_record::{Finding, Reach, Undecided, Verdict};
use tourbillon_report::{Outcome, Reason, Style, counted, escape};

use crate::listing::measured;
use crate::search::{Reply, Searched};
use crate::short_names::short_commit;
use tourbillon_present::Table;
use tourbillon_tool::cells::trimmed;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::screen::Page;

/// A search, for readers.
pub(crate) struct BisectResult<'f> {
    pub(crate) case: &'f str,
    pub(crate) good: &'f str,
    /// Those after it, the oldest first.
    pub(crate) commits: &'f [String],
    pub(crate) searched: &'f Searched,
}

impl BisectResult<'_> {
    fn newest(&self) -> &str {
        self.commits.last().map_or("", String::as_str)
    }

    /// The verdict on both ends, if they differ.
    fn change(&self) -> Option<&CommitVerdict> {
        match &self.searched.ends {
            Reply::Verdict(verdict) => {
                Some(verdict).filter(|one| matches!(one.finding, Finding::Slower | Finding::Faster))
            }
            _ => None,
        }
    }

    /// Why there is no answer.
    pub(crate) fn mistake(&self) -> Option<Stop> {
        let [good, bad] = [self.good, self.newest()].map(short_commit);
        let case = self.case;
        match &self.searched.ends {
            Reply::Impossible(why) => Some(Stop::Usage(format!(
                "{good} and {bad} cannot be compared: {why}"
            ))),
            Reply::Verdict(verdict) if verdict.finding == Finding::Same => {
                let margin = trimmed(100.0 * verdict.margin);
                let number = verdict.number.as_ref().map(|number| &number.name);
                let what = number.map_or_else(
                    || "takes the same time".to_owned(),
                    |name| format!("has the same {}", escape(name, true)),
                );
                Some(Stop::Usage(format!(
                    "{case} {what} at {good} and {bad}, within {margin} %: there is nothing to find"
                )))
            }
            Reply::Verdict(verdict) if verdict.finding == Finding::Undecided => {
                let word = Outcome::Undecided.word();
                let measured = measured(verdict);
                let remedy = remedy(verdict);
                Some(Stop::Environment(format!(
                    "it is {word} whether {case} differs between {good} and {bad} ({measured}); {remedy}"
                )))
            }
            _ => None,
        }
    }

    /// The commits of which one has the change.
    fn range(&self) -> &[String] {
        &self.commits[self.searched.range.clone()]
    }

    pub(crate) fn text(&self, folder: &Path, style: &Style) -> String {
        let mut page = Page::new(style);
        if let Some(change) = self.change() {
            let [good, bad] = [self.good, self.newest()].map(short_commit);
            let by = measured(change);
            page.quote("", &format!("{}: {by} from {good} to {bad}", self.case));
            self.steps(&mut page);
            self.answer(&mut page, folder);
        }
        if let Some((index, demand)) = self.searched.next {
            let [good, next] = [self.good, &self.commits[index]].map(short_commit);
            let error = trimmed(100.0 * (1.0 - demand.confidence));
            page.line(&format!("next: {good} with {next}, error {error} %"));
        }
        page.text
    }

    fn steps(&self, page: &mut Page<'_>) {
        let mut sheet = Table::new("commit")
            .left(["the change is"])
            .right(["measured"])
            .left(["note"]);
        for step in &self.searched.steps {
            let (by, note) = match &step.reply {
                Reply::Verdict(verdict) => (measured(verdict), String::new()),
                Reply::Impossible(why) => (String::new(), why.clone()),
                Reply::Missing => Default::default(),
            };
            let where_it_is = side(step.probed).to_owned();
            let commit = short_commit(&self.commits[step.place]).to_owned();
            sheet.push([commit, where_it_is, by, note]);
        }
        if !self.searched.steps.is_empty() {
            page.table(&sheet);
        }
    }

    fn answer(&self, page: &mut Page<'_>, folder: &Path) {
        let commits = self.range();
        if self.searched.next.is_some() {
            page.line(&format!("{} left", counted(commits.len(), "commit")));
            return;
        }
        if let [commit] = commits {
            let subject = subject_of(folder, commit);
            page.quote(
                "",
                &format!("the change is in {}: {subject}", short_commit(commit)),
            );
            let short = short_commit(commit);
            let case = page.shell_operand(self.case);
            // On one line, so that it can be copied.
            page.line(&format!(
                "accept with  cargo tourbillon history accept {short} {case} \"why\""
            ));
            return;
        }
        page.line(&format!(
            "the change is in one of {} commits:",
            commits.len()
        ));
        for commit in commits {
            page.quote(
                "  ",
                &format!("{}: {}", short_commit(commit), subject_of(folder, commit)),
            );
        }
    }

    pub(crate) fn json_line(&self) -> String {
        let steps = self.searched.steps.iter().map(|step| {
            let (ratio, why) = match &step.reply {
                Reply::Verdict(verdict) => (verdict.ratio, None),
                Reply::Impossible(why) => (None, Some(why)),
                Reply::Missing => (None, None),
            };
            json!({
                "commit": self.commits[step.place],
                "change": side(step.probed),
                "ratio": ratio,
                "why": why,
            })
        });
        let range = self.range();
        let next = self.searched.next.map(|(index, demand)| {
            json!({
                "commit": self.commits[index],
                "limit": demand.limit,
                "confidence": demand.confidence,
            })
        });
        let line = json!({
            "type": "bisection",
            "case": self.case,
            "good": self.good,
            "bad": self.newest(),
            "ratio": self.change().and_then(|change| change.ratio),
            "commit": match (range, &next) { ([commit], None) => Some(commit), _ => None },
            "range": range,
            "steps": steps.collect::<Vec<_>>(),
            "next": next,
        });
        format!("{line}\n")
    }
}

/// What to do about an undecided verdict: only some are decided by more time.
fn remedy(verdict: &CommitVerdict) -> String {
    let why = verdict.why.and_then(|why| {
        Reason::of(&Verdict {
            finding: verdict.finding,
            why: Some(why),
            scope: Reach::Processes,
            ..Verdict::default()
        })
    });
    match (verdict.why, why) {
        (Some(Undecided::BuiltOtherwise | Undecided::NotComparable), Some(reason)) => reason.text(),
        _ => "try --again with a longer --time".to_owned(),
    }
}

/// Where the change is, seen from a commit.
fn side(probed: Probed) -> &'static str {
    match probed {
        Probed::Before => "after it",
        Probed::After => "in it or before",
        Probed::Undecided => Outcome::Undecided.word(),
        Probed::Impossible => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_time_is_the_remedy_where_it_decides() {
        let of = |why| {
            remedy(&CommitVerdict {
                finding: Finding::Undecided,
                why,
                ..CommitVerdict::default()
            })
        };
        let time = "try --again with a longer --time";
        assert_eq!(of(None), time);
        assert_eq!(of(Some(Undecided::Time)), time);
        assert_eq!(
            of(Some(Undecided::BuiltOtherwise)),
            "both sides were built in different ways"
        );
    }
}
