//! Lists the cases of builds.

use std::collections::{HashMap, HashSet};
use std::path::{Path, absolute};
use std::process::{Command, Stdio};

use tourbillon_builds::{Build, Executable};
use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_record::{Case, Header, Line};
use tourbillon_report::cases_named;

use tourbillon_tool::config_file;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::program_lines::{decoded, listed_cases};
use tourbillon_tool::program_output::{Limits, code_of, not_run, printed, printed_of_commit};

/// The lists of a build.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The selected cases of each executable.
    pub(crate) cases: Vec<Vec<Case>>,
    /// The longest time that one of them took, in nanoseconds: suites of criterion execute what all of their targets
    /// set up.
    pub(crate) longest_ns: u64,
}

impl Listed {
    /// The cases of a build, each with its executable.
    pub fn numbered(self, build: &Build) -> Vec<(&Executable, Case)> {
        let lists = build.executables.iter().zip(self.cases);
        let cases = lists.flat_map(|(executable, cases)| {
            let own = cases.into_iter();
            own.map(move |case| (executable, case))
        });
        cases.collect()
    }
}

/// Lists the selected cases of each executable, with the defaults of a file.
pub(crate) fn listed(build: &Build, flags: &[String], file: Option<&Path>) -> Result<Listed, Stop> {
    let mut all = Listed {
        cases: Vec::new(),
        longest_ns: 0,
    };
    for executable in &build.executables {
        let mut program = executable.invocation(build);
        // First, because a filter may follow a `--`.
        program
            .words(&["--bench", "--list", "--format", "jsonl"])
            .verbatim(flags);
        let process = program.process();
        set_file(process, file);
        let stopwatch = Stopwatch::start();
        let listed = printed_of_commit(process, Limits::LIST, Signals::installed())
            .map_err(|error| not_run(&executable.path, &error))?;
        if !listed.status.success() {
            let (name, label) = (executable.name(), &build.label);
            let what = format!("{name} of {label} does not list its cases; its message is above");
            return Err(Stop::Failed(code_of(listed.status), what));
        }
        all.longest_ns = all.longest_ns.max(stopwatch.elapsed_ns());
        let named = |what: &str| format!("{} of {}: {what}", executable.name(), build.label);
        let cases = listed_cases(&listed.stdout).map_err(|why| Stop::Environment(named(&why)))?;
        if let Some(case) = repeated(cases.iter()) {
            let what = format!("lists two cases of the id {:?}", case.id);
            let advice = "give one of them another name";
            return Err(Stop::Usage(named(&format!("{what}; {advice}"))));
        }
        all.cases.push(cases);
    }
    Ok(all)
}

/// Has a bench program take its defaults from a file, or from none.
pub(crate) fn set_file(process: &mut Command, file: Option<&Path>) {
    match file.and_then(|file| absolute(file).ok()) {
        Some(file) => process.env(config_file::VARIABLE, file),
        None => process.env(config_file::VARIABLE, config_file::NO_FILE),
    };
}

/// The header that a record of an executable would have; `None` for an executable of an older version.
pub fn header_of(build: &Build, executable: &Executable) -> Option<Header> {
    let mut program = executable.invocation(build);
    let process = program
        .words(&["--bench", "--show-config", "--format", "jsonl"])
        .process();
    process
        .env(config_file::VARIABLE, config_file::NO_FILE)
        .stderr(Stdio::null());
    let shown = printed(process, Limits::LIST, Signals::installed()).ok()?;
    let lines = decoded(&shown.stdout).ok()?.into_iter();
    let mut headers = lines.filter_map(|line| match line {
        Line::Header(header) => Some(header),
        _ => None,
    });
    headers.next()
}

/// A case, and the index of its executable.
pub(crate) type Numbered<'l> = (usize, &'l Case);

/// The cases of a list that another one lacks.
pub(crate) fn lacking<'c>(olds: &[Case], news: &'c [Case]) -> impl Iterator<Item = &'c Case> {
    let known: HashSet<String> = olds.iter().map(|old| old.id.clone()).collect();
    news.iter().filter(move |new| !known.contains(&new.id))
}

/// Cases that are not paired.
pub(crate) fn unpaired<'c>(
    cases: &[Numbered<'_>],
    paired: impl Iterator<Item = &'c Case>,
) -> Vec<Case> {
    let ids: HashSet<&str> = paired.map(|case| case.id.as_str()).collect();
    let mut unpaired = Vec::new();
    for (_, case) in cases {
        if !ids.contains(case.id.as_str()) {
            unpaired.push((*case).clone());
        }
    }
    unpaired
}

/// A case whose id one before it has.
pub(crate) fn repeated<'c>(mut cases: impl Iterator<Item = &'c Case>) -> Option<&'c Case> {
    let mut known = HashSet::new();
    cases.find(|case| !known.insert(case.id.as_str()))
}

/// The cases of a list by their ids, which differ.
pub(crate) fn by_id(cases: &[Case]) -> HashMap<&str, &Case> {
    let mut found = HashMap::new();
    for case in cases {
        found.insert(case.id.as_str(), case);
    }
    found
}

/// Cases by their arguments: the first of each.
pub(crate) fn by_arguments<'n, 'l>(
    cases: &'n [Numbered<'l>],
) -> HashMap<Vec<(&'l str, &'l str)>, &'n Numbered<'l>> {
    let last_first = cases.iter().rev();
    last_first.map(|case| (arguments(case.1), case)).collect()
}

/// The arguments of a case, each with its axis.
pub(crate) fn arguments(case: &Case) -> Vec<(&str, &str)> {
    let arguments = case.arguments.iter();
    let pairs = arguments.map(|argument| (argument.axis.as_str(), argument.value.as_str()));
    pairs.collect()
}

/// The cases of a name in a build, each with the index of its executable; and whether it is one case, with its
/// arguments.
pub(crate) fn named<'l>(
    build: &Build,
    lists: &'l [Vec<Case>],
    name: &str,
) -> Result<(Vec<Numbered<'l>>, bool), Stop> {
    let all: Vec<Case> = lists.iter().flatten().cloned().collect();
    let (found, is_case) = cases_named(&all, name)
        .map_err(|what| Stop::Usage(format!("in {}, {what}", build.label)))?;
    let ids: HashSet<&str> = found.iter().map(|one| one.id.as_str()).collect();
    let is_found = |case: &Case| ids.contains(case.id.as_str());
    let mut cases: Vec<Numbered<'_>> = lists
        .iter()
        .enumerate()
        .flat_map(|(at, list)| list.iter().map(move |case| (at, case)))
        .filter(|(_, case)| is_found(case))
        .collect();
    if is_case {
        cases.truncate(1);
    }
    Ok((cases, is_case))
}

/// The ids of cases, for programs.
pub(crate) fn ids(cases: &[Case]) -> Vec<&str> {
    cases.iter().map(|case| case.id.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cases_of_one_id_are_found() {
        let of = |ids: &[&str]| {
            let case = |id: &&str| Case {
                id: (*id).to_owned(),
                ..Case::default()
            };
            let cases: Vec<Case> = ids.iter().map(case).collect();
            repeated(cases.iter()).map(|case| case.id.clone())
        };
        assert_eq!(of(&["a", "b", "c"]), None);
        assert_eq!(of(&["a", "b", "a"]).as_deref(), Some("a"));
    }
}
