//! `cargo tourbillon explain`: what was found in a run, and how the figures of a case were computed, from its record.

mod answer;
mod comparison;
mod findings;
mod instructions;
mod launches;
mod memory;
mod processes;
mod steps;
mod text;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_clock::wall;
use tourbillon_compare::is_comparison;
use tourbillon_present::kind::EXPLANATION;
use tourbillon_present::{Block, Document, Phrase};
use tourbillon_record::{Case, Run};
use tourbillon_report::{
    Names, Style, did_you_mean, duration, escape, is_named, is_selected, not_expressions,
};

use crate::alone::program;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::records::{self, Record};
use crate::store::recency;
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon explain
  cargo tourbillon explain here.jsonl
  cargo tourbillon explain sort::heap
  cargo tourbillon explain sort/100 here.jsonl";

/// Explain what was found, or how the figures of a case came about
///
/// Without a case, all that was found in the newest results. Of a case: how the batch length was found, the figures that the estimate uses of each launch or why the launch does
/// not count, and whether the figures recomputed from the samples are those that were shown. Of a comparison: its pairs
/// and their order, discarded pairs, the control, the drift, and the recomputed verdict.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The case's id or printed name, or a part that no other has; a record alone [all that was found]
    case: Option<String>,
    /// A file or the name of a baseline [the newest results]
    record: Option<PathBuf>,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl Arguments {
    /// Without a record, the newest one of commands.
    pub(crate) fn of_commands(mut self) -> Result<Arguments, Stop> {
        if self.selected().1.is_none() {
            self.record = Some(self.store.newest_of_commands()?);
        }
        Ok(self)
    }

    /// The case and the record: a single word may be either.
    fn selected(&self) -> (Option<String>, Option<PathBuf>) {
        match (&self.case, &self.record) {
            (Some(file), None) if Path::new(file).is_file() => (None, Some(PathBuf::from(file))),
            (case, record) => (case.clone(), record.clone()),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let style = arguments.color.style();
    let (case, record) = arguments.selected();
    let records = records::named(record.as_slice(), &arguments.store.path());
    // Builds may have been compared without any other run.
    let compared = match &record {
        None => arguments.store.path().locate()?.comparisons()?.runs,
        Some(_) => Vec::new(),
    };
    let records = match records {
        Err(Stop::Environment(_)) if !compared.is_empty() => Vec::new(),
        records => records?,
    };
    let runs = || records.iter().flat_map(Record::runs);
    let compared = || compared.iter().map(|stored| &stored.run);
    let now = wall::unix_ns();
    let Some(case) = &case else {
        let newest = compared().max_by_key(|run| recency(&run.header, now));
        let document = findings::document(runs().chain(newest), &style);
        return arguments.format.print(&document, &EXPLANATION, &style);
    };
    let id = chosen(case, runs().chain(compared()))?;
    let has = |run: &&Run| run.cases.iter().any(|case| case.id == id);
    // The newest run comes first.
    let own = runs().find(has);
    let newest = compared().filter(has);
    let newest = newest.max_by_key(|run| recency(&run.header, now));
    let mut both: Vec<&Run> = own.into_iter().chain(newest).collect();
    both.sort_by_key(|run| Reverse(recency(&run.header, now)));
    arguments
        .format
        .print(&by_age(&both, &id, &style), &EXPLANATION, &style)
}

/// What runs have about a case, the newest first; of each other one, how much older it is.
fn by_age(runs: &[&Run], id: &str, style: &Style) -> Document {
    let mut document = Document::default();
    for run in runs {
        let began = |run: &Run| run.header.started_unix_ns;
        let older = began(runs[0]).saturating_sub(began(run));
        let age = (older > 0).then(|| format!("older by {}", duration(older)));
        if let Some(age) = &age {
            let line = format!("Of a run that is {age}:");
            document.blocks.push(Block::text(line));
        }
        document.blocks.extend(rendered(run, id, style).blocks);
        let answers = answer::answer(run, id, style).into_iter();
        document.answer.extend(answers.map(|phrase| match &age {
            Some(age) => Phrase::from(format!("{} ({age})", phrase.text)),
            None => phrase,
        }));
    }
    document
}

/// What a run has about a case.
pub(crate) fn rendered(run: &Run, id: &str, style: &Style) -> Document {
    if is_comparison(run) {
        text::compared(run, id, style)
    } else {
        text::render(run, id, style)
    }
}

/// The one case with the name that was typed, or else the one that it selects.
fn chosen<'r>(typed: &str, runs: impl Iterator<Item = &'r Run>) -> Result<String, Stop> {
    let all: Vec<&Case> = runs.flat_map(|run| &run.cases).collect();
    let names = Names::of(all.iter().copied());
    let selected = all.iter().copied().filter(|case| is_selected(case, typed));
    let cases: Vec<&Case> = selected.collect();
    let ids = |cases: &mut dyn Iterator<Item = &&'r Case>| {
        let ids: BTreeSet<&str> = cases.map(|case| case.id.as_str()).collect();
        Vec::from_iter(ids)
    };
    let named = ids(&mut cases.iter().filter(|case| is_named(case, typed)));
    let selected = ids(&mut cases.iter());
    let (hint, meant) = (not_expressions(&[typed]), did_you_mean(&[typed], all));
    let (typed, program) = (escape(typed, true), program());
    Err(Stop::Usage(match (named.as_slice(), selected.as_slice()) {
        ([only], _) | ([], [only]) => return Ok((*only).to_owned()),
        ([], []) => format!(
            "no measured case matches {typed}; `{program} show` lists the cases{hint}{meant}"
        ),
        ([], several) | (several, _) => {
            let names = several
                .iter()
                .map(|id| format!("\n  {}", escape(names.name(id), true)));
            let (count, names) = (several.len(), names.collect::<String>());
            format!("{typed} matches {count} cases; name one:{names}")
        }
    }))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{CaseResult, Metric};

    use super::*;

    #[test]
    fn an_older_run_says_so() {
        let id = "p/t::add";
        let run = |began: u64, ns: f64| {
            let mut run = Run::default();
            run.header.started_unix_ns = began * 1_000_000_000;
            run.cases.push(Case {
                id: id.to_owned(),
                name: "add".to_owned(),
                ..Case::default()
            });
            run.results.push(CaseResult {
                estimate: Ok(ns),
                ..CaseResult::without_figures(id, Metric::Time, "")
            });
            run
        };
        let (new, old) = (run(100, 2.0), run(40, 1.0));
        let document = by_age(&[&new, &old], id, &Style::default());
        let text = document.text(&Style::default());
        assert!(text.contains("Of a run that is older by 60 s"), "{text}");
        let last: Vec<&str> = document.answer.iter().map(|one| &*one.text).collect();
        assert_eq!(last.len(), 2);
        assert!(
            !last[0].contains("older") && last[1].contains("(older by 60 s"),
            "{last:?}"
        );
    }
}
