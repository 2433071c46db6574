//! `history bisect`.

use std::{env, slice};

use tourbillon_builds::Build;
use tourbillon_clock::wall;
use tourbillon_compare::{Demand, Explain, RevisionOptions, why_line};
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::kind::BISECTION;
use tourbillon_present::{Block, Format, Style};
use tourbillon_record::{Finding, Verdict};
use tourbillon_report::counted;
use tourbillon_tool::exit::{Stop, print_document, say};
use tourbillon_tool::screen::style;

use crate::bisect_range::Searchable;
use crate::bisect_result::BisectResult;
use crate::case_pattern::is_meant;
use crate::confirmations::Comparisons;
use crate::index::{CommitVerdict, Failure};
use crate::location::{History, Location};
use crate::revisions::{ENDED, Revisions};
use crate::search::{Ask, Reply, search};
use crate::short_names::short_commit;

pub use crate::bisect_range::Range;

/// Options of this subcommand: the case, the commits, and how they are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Id or printed name of the case, or a part that no other has.
    pub case: String,
    /// Where the change is looked for.
    pub range: Range,
    /// Smaller differences of GOOD and BAD count as the same.
    pub margin: Option<f64>,
    /// Confidence of the verdict on GOOD and BAD, and of the search.
    pub confidence: f64,
    /// Try again what was undecided or did not build.
    pub again: bool,
    /// Print what is known and what would be compared next, and measure nothing.
    pub dry_run: bool,
    /// How commits are built and compared.
    pub revisions: RevisionOptions,
    /// What explains the change that is found; `None` if nothing is asked.
    pub explain: Option<Explain>,
    /// How it is printed.
    pub format: Format,
    /// When text has colour.
    pub color: ColorChoice,
}

/// Finds the commit that changes a case, or the dependency, and prints it.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let place = Searchable::new(&options.range, &options.revisions.selection.flags, &folder)?;
    let mut history = location.open()?;
    let mut measured = Measured::new(options, location, &mut history, &place)?;
    let demand = Demand {
        margin: options.margin,
        limit: None,
        confidence: options.confidence,
    };
    let searched = search(&place.commits, demand, &mut measured);
    // Also after an interrupt.
    let updated = if options.dry_run {
        Ok(())
    } else {
        location.update()
    };
    let searched = searched?;
    let case = measured.case.clone();
    let found = BisectResult {
        case: &case,
        place: &place,
        searched: &searched,
    };
    let style = style(options.color);
    let mut document = found.document(&folder, &style);
    let why = measured.explained(&found, &style)?;
    let lines = || found.json_line() + &why_line(&why);
    document.insert_before_notes(why.clone());
    print_document(&document, options.format, &BISECTION, &style, lines)?;
    updated?;
    found.mistake().map_or(Ok(()), Err)
}

/// The case that is meant among some: the one with this id, else the only one that the text selects; `None` where it
/// selects none.
fn meant(mut cases: Vec<String>, text: &str) -> Result<Option<String>, Stop> {
    if cases.iter().any(|case| case == text) {
        return Ok(Some(text.to_owned()));
    }
    cases.retain(|case| is_meant(case, text));
    cases.dedup();
    match &cases[..] {
        [] => Ok(None),
        [case] => Ok(Some(case.clone())),
        several => Err(Stop::Usage(format!(
            "{text:?} selects {}: {}; write one of them",
            counted(several.len(), "case"),
            several.join(", ")
        ))),
    }
}

/// Compares commits, or finds in the history what came of it.
struct Measured<'m> {
    options: &'m Options,
    location: &'m Location,
    history: &'m History,
    comparisons: Comparisons,
    failures: Vec<Failure>,
    /// The id of the case.
    case: String,
    good: &'m String,
    /// The kind of this machine; without a measurement, that of the known comparison of both ends.
    machine: Option<String>,
    /// What builds commits, and the build of the commit before the change; `None` if nothing is measured.
    builder: Option<(Revisions, Build)>,
}

impl<'m> Measured<'m> {
    fn new(
        options: &'m Options,
        location: &'m Location,
        history: &'m mut History,
        place: &'m Searchable,
    ) -> Result<Measured<'m>, Stop> {
        let good = &place.good;
        let series = history.index.series()?.into_iter();
        let known = meant(series.map(|one| one.case).collect(), &options.case)?;
        let comparisons = Comparisons::read(&mut *history.index)?;
        let failures = history.index.failures()?;
        let builder = if options.dry_run {
            None
        } else {
            history.archive.check_writable()?;
            let revisions = Revisions::new(options.revisions.selection.clone())?;
            let build = revisions.build(good)?.map_err(|why| {
                Stop::Usage(format!("{} cannot be measured: {why}", place.ends[0]))
            })?;
            Some((revisions, build))
        };
        let case = match (known, &builder) {
            (Some(known), _) => known,
            (None, Some((revisions, build))) => {
                let cases = revisions.cases(build, &options.revisions, &location.store)?;
                let missing = || format!("{} has no case {:?}", place.ends[0], options.case);
                meant(cases, &options.case)?.ok_or_else(|| Stop::Usage(missing()))?
            }
            // Nothing else tells which one it is.
            (None, None) => options.case.clone(),
        };
        let machine = match &builder {
            Some((revisions, build)) => Some(revisions.machine(build).key),
            None => comparisons.machine(&case, [good, place.bad()]),
        };
        Ok(Measured {
            options,
            location,
            history,
            comparisons,
            failures,
            case,
            good,
            machine,
            builder,
        })
    }

    /// The verdict of an earlier comparison that meets the demand.
    fn known(&self, commit: &str, demand: Demand) -> Option<&CommitVerdict> {
        let is_of = |[old, new]: &[String; 2]| old == self.good && new == commit;
        let meets = |verdict: &CommitVerdict| {
            let is_of_margin = demand.limit.is_some() || demand.has_margin(verdict.margin);
            // Numbers are compared without a limit, and exact ones without a margin.
            let is_as_asked = verdict.limit == demand.limit && is_of_margin;
            (is_as_asked || verdict.number.is_some()) && demand.is_met_by(verdict.confidence)
        };
        let machine = self.machine.as_deref();
        let known = self
            .comparisons
            .verdict(machine, &self.case, is_of, meets)?;
        let is_decided = known.finding != Finding::Undecided;
        (is_decided || !self.options.again).then_some(known)
    }

    /// Why a commit is known not to build.
    fn failure(&self, commit: &str) -> Option<String> {
        let is_same = |failure: &&Failure| {
            let machine = self.machine.as_deref();
            failure.commit == commit && machine.is_none_or(|key| failure.machine == key)
        };
        let failure = self.failures.iter().find(is_same)?;
        (!self.options.again).then(|| failure.why.clone())
    }
}

impl Measured<'_> {
    /// What explains the change that was found: the commits around it are built. Nothing if that is not asked.
    fn explained(&self, found: &BisectResult<'_>, style: &Style) -> Result<Vec<Block>, Stop> {
        let asked = self.options.explain.zip(self.builder.as_ref());
        let (Some((explain, (revisions, _))), Some((change, commits))) = (asked, found.found())
        else {
            return Ok(Vec::new());
        };
        let mut builds = Vec::new();
        for commit in commits {
            match revisions.build(commit)? {
                Ok(build) => builds.push(build),
                Err(why) => {
                    let short = short_commit(commit);
                    return Ok(vec![Block::text(format!(
                        "not explained: {short} cannot be built: {why}"
                    ))]);
                }
            }
        }
        let verdict = Verdict {
            case: change.case.clone(),
            finding: change.finding,
            ratio: change.ratio,
            lower: change.lower,
            upper: change.upper,
            ..Verdict::default()
        };
        let demand = Demand {
            margin: None,
            limit: None,
            confidence: change.confidence,
        };
        let (revised, store) = (&self.options.revisions, &self.location.store);
        let cases = slice::from_ref(&self.case);
        let options = tourbillon_compare::Options::of_cases(revised, store, cases, demand)?;
        revisions.explained(&builds, &options, &verdict, |cases| explain(cases, style))
    }
}

impl Ask for Measured<'_> {
    fn ask(&mut self, commit: &str, demand: Demand) -> Result<Reply, Stop> {
        if let Some(verdict) = self.known(commit, demand) {
            return Ok(Reply::Verdict(verdict.clone()));
        }
        if let Some(why) = self.failure(commit) {
            return Ok(Reply::Impossible(why));
        }
        let Some((revisions, good)) = &self.builder else {
            return Ok(Reply::Missing);
        };
        let build = match revisions.build(commit)? {
            Ok(build) => build,
            Err(why) if why == ENDED => {
                let short = short_commit(commit);
                return Err(Stop::Environment(format!("{short}: {why}; try again")));
            }
            Err(why) => {
                let machine = self.machine.as_deref().unwrap_or_default();
                let failure = Failure::new(commit, machine, &why, wall::unix_ns());
                self.history.archive.add_failure(&failure)?;
                return Ok(Reply::Impossible(why));
            }
        };
        let ends = [self.good, commit].map(short_commit);
        say(&format!("comparing {}\n", ends.join(" with ")));
        let cases = [self.case.clone()];
        let revised = &self.options.revisions;
        let options =
            tourbillon_compare::Options::of_cases(revised, &self.location.store, &cases, demand)?;
        let record = match revisions.compare(&[good.clone(), build], &options)? {
            Ok(record) => record,
            Err(why) => return Ok(Reply::Impossible(why)),
        };
        let added = self.history.add_comparison(&record)?;
        let verdict = added
            .as_ref()
            .and_then(|one| one.verdict(&self.case))
            .cloned();
        Ok(match verdict {
            Some(verdict) => Reply::Verdict(verdict),
            None => Reply::Impossible(format!("it has no verdict on {}", self.case)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_meant_by_its_id_or_by_a_part_that_no_other_has() {
        let cases = ["p/b::sort", "p/b::sort_all", "p/b::map"].map(str::to_owned);
        let of = |text: &str| meant(cases.to_vec(), text);
        let found = |text: &str| of(text).ok().flatten();
        assert_eq!(found("p/b::sort").as_deref(), Some("p/b::sort"));
        assert_eq!(found("map").as_deref(), Some("p/b::map"));
        assert_eq!(found("nothing"), None);
        assert!(matches!(of("sort"), Err(Stop::Usage(_))));
    }
}
