//! `history confirm`.

use std::collections::{HashMap, HashSet};

use tourbillon_builds::Build;
use tourbillon_compare::{Demand, RevisionOptions};
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::kind::CONFIRMATIONS;
use tourbillon_present::{Document, Format, escape};
use tourbillon_report::{Outcome, counted};
use tourbillon_tool::exit::{GATE, Stop, print, print_document, report, say};
use tourbillon_tool::screen::style;

use crate::branch_runs::BranchRuns;
use crate::confirmations::{Comparisons, Status};
use crate::listing::{Listed, json_line, listed, tables};
use crate::location::{History, Location};
use crate::nominate::{Nomination, nominate};
use crate::revisions::{Attempt, Revisions};
use crate::scope::{Examined, HistoryScope};
use crate::short_names::short_commit;

/// Options of this subcommand: which changes are measured, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Smaller differences count as the same.
    pub margin: Option<f64>,
    /// Measure again what was undecided or not confirmed.
    pub again: bool,
    /// Print what would be measured, and measure nothing.
    pub dry_run: bool,
    /// Exit with 2 when a change to slower or worse is confirmed that no gate has reported.
    pub gate: bool,
    /// What is examined.
    pub scope: HistoryScope,
    /// How commits are built and compared.
    pub revisions: RevisionOptions,
    /// How they are printed.
    pub format: Format,
    /// When text has colour.
    pub color: ColorChoice,
}

/// Measures both ends of nominated ranges side by side, and prints what came of them.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let Examined {
        mut history,
        accepted,
        mut comparisons,
        runs,
        series,
    } = options.scope.read(location)?;
    let index = &mut *history.index;
    let nominations = nominate(index, &runs, series, options.scope.error)?;
    let mut all = listed(&nominations, &accepted, &comparisons);
    let is_wanted = |one: &&Listed<'_>| match one.status {
        _ if one.accepted.is_some() || !one.nomination.can_be_compared() => false,
        Status::Open => true,
        Status::Undecided(_) | Status::NotConfirmed(_) => options.again,
        Status::Confirmed(_) => false,
    };
    let wanted = all.iter().filter(is_wanted).map(|one| one.nomination);
    let groups = groups(wanted);
    if options.dry_run {
        return print(&plan(&groups));
    }
    if !groups.is_empty() {
        history.archive.check_writable()?;
    }
    let mut measuring = Measuring {
        options,
        location,
        history: &history,
        comparisons: &mut comparisons,
        machine: None,
        measured: Vec::new(),
        elsewhere: 0,
    };
    let ended = measuring.all(&groups);
    let (measured, elsewhere) = (measuring.measured, measuring.elsewhere);
    let alarm = |one: &Listed<'_>| {
        let record = one
            .confirmed_worse()
            .and_then(|verdict| comparisons.record_of(verdict));
        let case = &one.nomination.series.case;
        record.filter(|record| options.gate && history.archive.is_unreported(record, case))
    };
    for one in &mut all {
        one.status = comparisons.status(one.nomination);
    }
    let measured: HashSet<*const Nomination<'_>> =
        measured.into_iter().map(std::ptr::from_ref).collect();
    let is_measured = |one: &Listed<'_>| measured.contains(&std::ptr::from_ref(one.nomination));
    // Also after an interrupt, and what was stored before another one.
    all.retain(|one| is_measured(one) || alarm(one).is_some());
    let news = all;
    let style = style(options.color);
    let document = document(&news, elsewhere, &runs);
    let lines = || news.iter().map(json_line).collect();
    let printed = print_document(&document, options.format, &CONFIRMATIONS, &style, lines);
    let ended = ended.and(location.update());
    let alarms = || {
        news.iter()
            .filter_map(|one| Some((alarm(one)?, &one.nomination.series.case)))
    };
    if alarms().next().is_none() {
        return ended.and(printed);
    }
    // What could not be printed stays news.
    let noted = printed.and_then(|()| {
        for (record, case) in alarms() {
            history.archive.note_reported(record, case)?;
        }
        Ok(())
    });
    for stop in [ended, noted].into_iter().filter_map(Result::err) {
        report(stop);
    }
    Err(Stop::Code(GATE))
}

/// Nominations of one machine with the same commits on both sides, which need one comparison.
type Group<'n> = Vec<&'n Nomination<'n>>;

fn groups<'n>(nominations: impl Iterator<Item = &'n Nomination<'n>>) -> Vec<Group<'n>> {
    let mut groups: Vec<Group<'n>> = Vec::new();
    let mut places = HashMap::new();
    for nomination in nominations {
        let same = (&nomination.series.machine, &nomination.sides);
        let place = *places.entry(same).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(nomination);
    }
    groups
}

/// The ids of the cases of a group.
fn cases(group: &Group<'_>) -> Vec<String> {
    let cases = group.iter().map(|one| one.series.case.clone());
    cases.collect()
}

/// The ids in a line.
fn printed(cases: &[String]) -> String {
    let cases: Vec<String> = cases.iter().map(|case| escape(case, true)).collect();
    cases.join(" ")
}

fn plan(groups: &[Group<'_>]) -> String {
    let line = |group: &Group<'_>| {
        let [before, after] = ends(group[0]).map(short_commit);
        let machine = &group[0].series.machine;
        let cases = printed(&cases(group));
        format!("would compare {before} {after} on {machine}: {cases}\n")
    };
    match groups {
        [] => "nothing to measure\n".to_owned(),
        groups => groups.iter().map(line).collect(),
    }
}

/// The commits at both ends of a range.
fn ends<'n>(nomination: &Nomination<'n>) -> [&'n str; 2] {
    let [old, new] = &nomination.sides;
    [old, new].map(|side| side.first().copied().unwrap_or_default())
}

/// What is being measured.
struct Measuring<'m, 'n> {
    options: &'m Options,
    location: &'m Location,
    history: &'m History,
    comparisons: &'m mut Comparisons,
    /// The kind of this machine, once a build has been made.
    machine: Option<String>,
    /// Nominations that were measured.
    measured: Vec<&'n Nomination<'n>>,
    /// Nominations of other kinds of machines.
    elsewhere: usize,
}

impl<'n> Measuring<'_, 'n> {
    fn all(&mut self, groups: &[Group<'n>]) -> Result<(), Stop> {
        if groups.is_empty() {
            return Ok(());
        }
        let revisions = Revisions::new(self.options.revisions.selection.clone())?;
        for group in groups {
            self.group(&revisions, group)?;
        }
        revisions.prune();
        Ok(())
    }

    fn group(&mut self, revisions: &Revisions, group: &Group<'n>) -> Result<(), Stop> {
        let nomination = group[0];
        let [old, new] = &nomination.sides;
        let is_elsewhere = |machine: &Option<String>| {
            let key = &nomination.series.machine;
            machine.as_ref().is_some_and(|machine| machine != key)
        };
        if is_elsewhere(&self.machine) {
            self.elsewhere += group.len();
            return Ok(());
        }
        let Some(after) = self.first_that_builds(revisions, new)? else {
            return Ok(());
        };
        if is_elsewhere(&self.machine) {
            self.elsewhere += group.len();
            return Ok(());
        }
        let Some(before) = self.first_that_builds(revisions, old)? else {
            return Ok(());
        };
        let cases = cases(group);
        let ends = [&before, &after].map(|build| build.short_commit().unwrap_or_default());
        say(&format!(
            "comparing {}: {}\n",
            ends.join(" "),
            printed(&cases)
        ));
        let demand = Demand {
            margin: self.options.margin,
            ..Demand::default()
        };
        let revised = &self.options.revisions;
        let options =
            tourbillon_compare::Options::of_cases(revised, &self.location.store, &cases, demand)?;
        match revisions.compare(&[before, after], &options)? {
            Ok(record) => {
                let added = self.history.add_comparison(&record)?;
                added.into_iter().for_each(|one| self.comparisons.push(one));
                self.measured.extend(group);
            }
            Err(why) => say(&format!("not compared: {why}\n")),
        }
        Ok(())
    }

    /// The build of the first of several commits that builds, if one does.
    fn first_that_builds(
        &mut self,
        revisions: &Revisions,
        commits: &[&str],
    ) -> Result<Option<Build>, Stop> {
        let mut why = String::new();
        for commit in commits {
            let attempt: Attempt<Build> = revisions.build(commit)?;
            match attempt {
                Ok(build) => {
                    let machine = &mut self.machine;
                    machine.get_or_insert_with(|| revisions.machine(&build).key);
                    return Ok(Some(build));
                }
                Err(reason) => why = reason,
            }
        }
        let commits: Vec<&str> = commits.iter().map(|commit| short_commit(commit)).collect();
        say(&format!(
            "none of {} can be built: {why}\n",
            commits.join(", ")
        ));
        Ok(None)
    }
}

fn document(news: &[Listed<'_>], elsewhere: usize, runs: &BranchRuns) -> Document {
    let undecided = Outcome::Undecided.word();
    let [confirmed, not_confirmed, undecided] =
        ["confirmed", "not confirmed", undecided].map(|word| {
            let of_word = news.iter().filter(|one| one.status.words() == Some(word));
            (of_word.count(), word)
        });
    let (count, word) = confirmed;
    let mut answer = vec![format!("{} {word}", counted(count, "change")).into()];
    let others = [not_confirmed, undecided].map(|(count, word)| format!("{count} {word}").into());
    answer.extend(others);
    if elsewhere > 0 {
        let nominations = counted(elsewhere, "nomination");
        answer.push(format!("{nominations} of other kinds of machines").into());
    }
    Document {
        blocks: tables(news, runs),
        answer,
        ..Document::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_one_line() {
        let cases = ["p/b::one\nwould compare", "p/b::two"].map(str::to_owned);
        assert_eq!(printed(&cases), "p/b::one\\nwould compare p/b::two");
    }
}
