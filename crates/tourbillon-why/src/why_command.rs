//! The command `why`: explains the newest comparison from the builds that are kept.

use std::collections::HashSet;

use tourbillon_builds::{Build, Cache, Maker, Selection, Subject};
use tourbillon_clock::wall;
use tourbillon_compare::{
    Confirmed, KeptBuild, Options, all_listed, is_comparison, kept_builds, paired,
};
use tourbillon_present::kind::WHY;
use tourbillon_present::{Block, Document, Format, Outcome, Style, escape};
use tourbillon_record::{Run, Verdict};
use tourbillon_report::{did_you_mean, is_selected};
use tourbillon_stepper::Limits;
use tourbillon_tool::exit::{Stop, print_document, say};
use tourbillon_tool::machine_lock::machine_lock;
use tourbillon_tool::records::StorePath;
use tourbillon_tool::store::recency;

use crate::explain::explained;

/// What is explained.
#[derive(Clone, Debug)]
pub struct WhyRequest {
    /// A part of the names of cases; all without one.
    pub case: Option<String>,
    /// What is built again where the cache no longer has it.
    pub selection: Selection,
    /// Where the comparison is stored.
    pub store: StorePath,
    /// Whether it fails while another program measures.
    pub no_wait: bool,
    /// How it is printed.
    pub format: Format,
    /// What the terminal can show.
    pub style: Style,
}

/// Explains the cases of the newest comparison that are faster or slower.
///
/// # Errors
///
/// When there is no such comparison or case, and when a build is gone and cannot be made again.
pub fn why(request: &WhyRequest) -> Result<(), Stop> {
    let record = request.store.locate()?.comparisons()?;
    let now = wall::unix_ns();
    let mut runs: Vec<&Run> = record.runs().filter(|run| is_comparison(run)).collect();
    runs.sort_by_key(|run| recency(&run.header, now));
    let is_wanted = |run: &&&Run| !wanted(run, request.case.as_deref()).is_empty();
    let Some(run) = runs.iter().rev().find(is_wanted) else {
        return Err(nothing(request.case.as_deref(), &runs));
    };
    let verdicts = wanted(run, request.case.as_deref());
    let cache = Cache::locate(say)?;
    let maker = Maker::new(cache.clone(), request.selection.clone(), false)?;
    let [old, new] = kept_builds(run);
    let builds = [build(&old, &cache, &maker)?, build(&new, &cache, &maker)?];
    let ids: Vec<String> = verdicts
        .iter()
        .map(|verdict| verdict.case.clone())
        .collect();
    let options = Options {
        // Their figures are in the record.
        measure_unchanged: true,
        bench_flags: ["--include-ignored", "--exact", "--"]
            .map(str::to_owned)
            .into_iter()
            .chain(ids)
            .collect(),
        store: request.store.clone(),
        ..Options::default()
    };
    let lists = all_listed(&builds, &options)?;
    let comparisons = paired(&builds, &lists, &options, None)?;
    let lock = machine_lock("cargo tourbillon why", request.no_wait)?;
    let cases: Vec<Confirmed<'_>> = comparisons
        .iter()
        .flat_map(|comparison| comparison.confirmed(verdicts.iter().copied()))
        .collect();
    let (mut blocks, answer) = explained(&cases, &request.style, Limits::of_one_case());
    if let (1, Some(Block::Table(cause))) = (cases.len(), blocks.first_mut()) {
        // It is the answer.
        cause.only_of_programs();
    }
    drop(lock);
    cache.prune();
    let document = Document {
        title: format!("why · {} → {}", old.label, new.label),
        blocks,
        answer,
        ..Document::default()
    };
    print_document(&document, request.format, &WHY, &request.style, String::new)
}

/// The verdicts of a run on times that are faster or slower, of the cases that are named.
fn wanted<'r>(run: &'r Run, case: Option<&str>) -> Vec<&'r Verdict> {
    let is_clear = |one: &&Verdict| matches!(Outcome::of(one), Outcome::Slower | Outcome::Faster);
    of_times(run, case).filter(is_clear).collect()
}

/// The verdicts of a run on times, of the cases that are named.
fn of_times<'r>(run: &'r Run, case: Option<&str>) -> impl Iterator<Item = &'r Verdict> {
    let cases = run.cases.iter();
    let named: HashSet<&str> = cases
        .filter(|one| case.is_none_or(|typed| is_selected(one, typed)))
        .map(|one| one.id.as_str())
        .collect();
    let verdicts = run.verdicts.iter();
    verdicts.filter(move |one| one.metric.is_none() && named.contains(one.case.as_str()))
}

fn nothing(case: Option<&str>, runs: &[&Run]) -> Stop {
    let advice = "`cargo tourbillon compare REV` compares builds";
    match case {
        _ if runs.is_empty() => Stop::Environment(format!("no comparison is stored; {advice}")),
        None => Stop::Usage(format!(
            "no stored comparison has a case that is faster or slower; {advice}"
        )),
        Some(typed) => {
            let newest = runs.iter().rev();
            let verdict = newest.flat_map(|run| of_times(run, case)).next();
            let outcome = verdict.map_or_else(String::new, |verdict| {
                format!(": in the newest it is {}", Outcome::of(verdict).word())
            });
            let cases = runs.iter().rev().flat_map(|run| &run.cases);
            let meant = if verdict.is_none() {
                did_you_mean(&[typed], cases)
            } else {
                String::new()
            };
            Stop::Usage(format!(
                "no stored comparison has a case {} that is faster or slower{outcome}; `cargo tourbillon why` explains all \
                 that are{meant}",
                escape(typed, true)
            ))
        }
    }
}

/// A build of a comparison from the cache, or made again.
fn build(kept: &KeptBuild<'_>, cache: &Cache, maker: &Maker) -> Result<Build, Stop> {
    if let Some(build) = kept.key.map(|key| cache.kept(key)).transpose()?.flatten() {
        return Ok(Build {
            label: kept.label.to_owned(),
            ..build
        });
    }
    let label = escape(kept.label, true);
    if cache.is_saved(kept.label) {
        return Ok(maker.make(&Subject::Saved(kept.label.to_owned()))?);
    }
    let Some(commit) = kept.commit else {
        return Err(Stop::Environment(format!(
            "the cache no longer has {label}, whose files were those of no commit; compare again, with --why"
        )));
    };
    let build = maker.make(&Subject::Revision(commit.to_owned()))?;
    Ok(Build {
        label: kept.label.to_owned(),
        ..build
    })
}
