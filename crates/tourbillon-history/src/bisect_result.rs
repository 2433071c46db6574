//! The result of `history bisect`, as a document and as a line.

use std::path::Path;

use serde_json::{Value, json};
use tourbillon_builds::subject_of;
use tourbillon_present::number::trimmed;
use tourbillon_present::{Block, Cell, Column, Document, Table};
use tourbillon_record::{Finding, Reach, Undecided, Verdict};
use tourbillon_report::{Outcome, Reason, Style, counted, escape, shell_operand};
use tourbillon_tool::exit::Stop;

use crate::bisect_range::Searchable;
use crate::bisection::Probed;
use crate::index::CommitVerdict;
use crate::listing::measured;
use crate::search::{Reply, Searched};
use crate::short_names::short_commit;

/// A search, for readers.
pub(crate) struct BisectResult<'f> {
    pub(crate) case: &'f str,
    pub(crate) place: &'f Searchable,
    pub(crate) searched: &'f Searched,
}

impl BisectResult<'_> {
    /// What a commit is called: by its name, or by the packages that it updates.
    fn label(&self, place: usize) -> &str {
        match &self.place.updates {
            Some(updates) => &updates[place],
            None => short_commit(&self.place.commits[place]),
        }
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
        let [good, bad] = &self.place.ends;
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
        &self.place.commits[self.searched.range.clone()]
    }

    /// The change, the first commit that is known to have it, and the last that is known not to, which comes first; no
    /// commit is between them unless it could not be measured. `None` while the search is not over.
    pub(crate) fn found(&self) -> Option<(&CommitVerdict, [&str; 2])> {
        let commit = self.range().last()?;
        let place = *self.searched.range.start();
        let Searchable { good, commits, .. } = self.place;
        let before = place.checked_sub(1).map(|before| &commits[before]);
        let commits = [before.unwrap_or(good).as_str(), commit.as_str()];
        let is_over = self.searched.next.is_none();
        self.change()
            .filter(|_| is_over)
            .map(|change| (change, commits))
    }

    pub(crate) fn document(&self, folder: &Path, style: &Style) -> Document {
        let mut document = Document::default();
        if let Some(change) = self.change() {
            let [good, bad] = &self.place.ends;
            let by = measured(change);
            document.title = format!("{}: {by} from {good} to {bad}", self.case);
            document.blocks.push(Block::Table(self.steps()));
            self.answer(&mut document, folder, style);
        }
        if let Some((index, demand)) = self.searched.next {
            let (good, next) = (&self.place.ends[0], self.label(index));
            let error = trimmed(100.0 * (1.0 - demand.confidence));
            let next = format!("next: {good} with {next}, error {error} %");
            document.answer.push(next.into());
        }
        document
    }

    fn steps(&self) -> Table {
        let mut table = Table::of([
            Column::left("commit", self.one()),
            Column::left("change", "the change is"),
            Column::right("ratio", "measured"),
            Column::left("note", "note"),
        ]);
        for step in &self.searched.steps {
            let (by, ratio, note) = match &step.reply {
                Reply::Verdict(verdict) => (measured(verdict), verdict.ratio, ""),
                Reply::Impossible(why) => (String::new(), None, why.as_str()),
                Reply::Missing => Default::default(),
            };
            table.push([
                Cell::text(self.label(step.place)),
                Cell::text(side(step.probed)),
                Cell::number(by, ratio),
                Cell::text(note),
            ]);
        }
        table
    }

    fn answer(&self, document: &mut Document, folder: &Path, style: &Style) {
        let commits = self.range();
        if self.searched.next.is_some() {
            let left = format!("{} left", counted(commits.len(), self.one()));
            document.answer.push(left.into());
            return;
        }
        if let Some(updates) = &self.place.updates {
            let updates = updates[self.searched.range.clone()].join(", ");
            document
                .answer
                .push(format!("the change is in {updates}").into());
            return;
        }
        if let [commit] = commits {
            let (short, subject) = (short_commit(commit), subject_of(folder, commit));
            let case = shell_operand(self.case, style.unicode);
            // On one line, so that it can be copied.
            document.blocks.push(Block::Lines(format!(
                "accept with  cargo tourbillon history accept {short} {case} \"why\"\n"
            )));
            let answer = format!("the change is in {short}: {subject}");
            document.answer.push(answer.into());
            return;
        }
        let mut table = Table::of([
            Column::left("commit", "commit"),
            Column::left("subject", "subject"),
        ])
        .named("commits");
        table.is_list = true;
        for commit in commits {
            table.push([short_commit(commit).to_owned(), subject_of(folder, commit)]);
        }
        document.blocks.push(Block::Table(table));
        let answer = format!("the change is in one of {} commits", commits.len());
        document.answer.push(answer.into());
    }

    /// What one of them is.
    fn one(&self) -> &'static str {
        match self.place.updates {
            Some(_) => "update",
            None => "commit",
        }
    }

    /// Adds what a commit updates, where it was made from a lock file.
    fn with_update(&self, mut of_commit: Value, place: usize) -> Value {
        if let Some(updates) = &self.place.updates {
            of_commit["update"] = updates[place].clone().into();
        }
        of_commit
    }

    pub(crate) fn json_line(&self) -> String {
        let steps = self.searched.steps.iter().map(|step| {
            let (ratio, why) = match &step.reply {
                Reply::Verdict(verdict) => (verdict.ratio, None),
                Reply::Impossible(why) => (None, Some(why)),
                Reply::Missing => (None, None),
            };
            let step_of = json!({
                "commit": self.place.commits[step.place],
                "change": side(step.probed),
                "ratio": ratio,
                "why": why,
            });
            self.with_update(step_of, step.place)
        });
        let range = self.range();
        let next = self.searched.next.map(|(index, demand)| {
            let next = json!({
                "commit": self.place.commits[index],
                "limit": demand.limit,
                "confidence": demand.confidence,
            });
            self.with_update(next, index)
        });
        let mut line = json!({
            "type": "bisection",
            "case": self.case,
            "good": self.place.good,
            "bad": self.place.commits.last(),
            "ratio": self.change().and_then(|change| change.ratio),
            "commit": match (range, &next) { ([commit], None) => Some(commit), _ => None },
            "range": range,
            "steps": steps.collect::<Vec<_>>(),
            "next": next,
        });
        if let Some(updates) = &self.place.updates {
            line["updates"] = updates[self.searched.range.clone()].into();
        }
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
