//! The command line of `compare`: what is compared, and the format of the result.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use tourbillon_builds::{Build, Cache, Maker, Subject, Variation};
use tourbillon_report::is_selected;

use super::options::Options;
use crate::exit::{Stop, print, print_data};
use crate::record_file::StoredRun;

const USAGE: &str = "\
cargo tourbillon compare [OPTIONS] REV [REV2] [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] REV::CASE [REV]::CASE
       cargo tourbillon compare [OPTIONS] --with SETTING.. [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --bin OLD NEW [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --bundle FILE.. [-- BENCH FLAGS]";

const AFTER: &str = "\
Settings for --with: features=A,B  rustflags=FLAGS  profile=NAME
  toolchain=NAME  target-cpu=NAME  env=NAME=VALUE; several in one build with
  \"; \" between them.

Defaults of flags and thresholds of single cases are in tourbillon.toml:
  [compare]
  time = \"20s\"
  [gate]
  relative = \"2%\"
  absolute = \"5ns\"
  [gate.cases]
  \"sort::\" = { relative = \"5%\" }

Examples:
  cargo tourbillon compare main
  cargo tourbillon compare v1.0 v1.1 --time 20s -- sort
  cargo tourbillon compare main --gate 2% --format md
  cargo tourbillon compare --with features=simd --with target-cpu=native
  cargo tourbillon compare --bin old/sort new/sort";

/// Prefix of the names of saved builds that are also revisions.
const SAVED: &str = "saved:";

/// Compare two revisions, or several variations, side by side
///
/// Builds the bench targets of a revision in a clone in the user's cache folder, and those of the working
/// tree in place; lists the cases of both, and measures them in pairs of processes that take turns, every
/// pair with its functions in another order. The checkout, its index and uncommitted changes stay as they
/// are. With one REV the other side is the working tree; of two, the first is the reference. A REV may also
/// be the name of a saved build (saved:NAME if both exist).
///
/// Arguments after -- go to the bench binaries: filters, --exact, --skip, --tag.
#[derive(Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = AFTER,
    group = ArgGroup::new("what").args(["rev", "with", "bin", "bundle"]).required(true)
)]
pub(crate) struct Arguments {
    /// One or two revisions or saved builds, REV::CASE for one case of it
    #[arg(value_name = "REV", num_args = 0..=2)]
    rev: Vec<String>,
    /// The working tree built another way; repeatable
    #[arg(long, value_name = "SETTING", value_parser = Variation::parse)]
    with: Vec<Variation>,
    /// Two executables
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2)]
    bin: Vec<PathBuf>,
    /// The builds in the files that `bundle` made; builds nothing
    #[arg(long, value_name = "FILE", num_args = 1..)]
    bundle: Vec<PathBuf>,
    /// Prepare executables and placements, print them, measure nothing
    ///
    /// For example, a job of a CI can fill the cache for others.
    #[arg(long)]
    pub(super) build_only: bool,
    /// Format of the result: text, md or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) options: Options,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    #[value(alias = "markdown")]
    Md,
    #[value(alias = "json")]
    Jsonl,
}

impl Format {
    /// Prints what is in this format.
    pub(super) fn print(self, output: &str) -> Result<(), Stop> {
        match self {
            Format::Text | Format::Md => print(output),
            Format::Jsonl => print_data(output),
        }
    }
}

impl Arguments {
    /// Checks the flags and reads the gate.
    pub(super) fn complete(&mut self) -> Result<(), Stop> {
        if self.format == Format::Md && self.build_only {
            let what = "--format md is for verdicts, and --build-only has none";
            return Err(Stop::Usage(format!("{what}; use text or jsonl")));
        }
        self.options.complete()
    }

    /// Makes or finds the builds, the reference first.
    pub(super) fn builds(&self, cache: &Cache) -> Result<Vec<Build>, Stop> {
        if !self.bundle.is_empty() {
            // Machines without a toolchain have no target directory: before measuring takes minutes.
            if !self.build_only {
                self.options.store.locate()?;
            }
            return unpacked(&self.bundle, &self.options, cache);
        }
        let options = &self.options;
        let selection = options.selected.selection();
        let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
        let subjects = self.subjects(&maker, cache)?;
        // Before a build takes minutes.
        for subject in &subjects {
            let checked = maker.check(subject);
            checked.map_err(|error| self.unknown(subject, error.into()))?;
        }
        self.cases()?;
        let builds = subjects.iter().map(|subject| maker.make(subject));
        Ok(builds.collect::<Result<_, _>>()?)
    }

    /// What is built, the reference first.
    fn subjects(&self, maker: &Maker, cache: &Cache) -> Result<Vec<Subject>, Stop> {
        if !self.bin.is_empty() {
            return Ok(self.bin.iter().cloned().map(Subject::File).collect());
        }
        if !self.with.is_empty() {
            let variations = self.with.iter().cloned().map(Subject::With);
            let subjects = [Subject::WorkingTree].into_iter().chain(variations);
            return Ok(subjects.collect());
        }
        let named = |name: &String| match build_and_case(name) {
            ("", Some(_)) => Ok(Subject::WorkingTree),
            (name, _) => subject(name, maker, cache),
        };
        let mut subjects = self.rev.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        if let [Subject::Revision(name)] = subjects.as_slice()
            && maker.commit(name).is_none()
            && let Ok(located) = self.options.store.locate()
            && located.store.baseline(name).exists()
        {
            return Err(Stop::Usage(format!(
                "{name} is a baseline, which has results and no executables; `cargo tourbillon show \
                 {name}` shows it, and `cargo tourbillon save {name}` saves executables to compare with"
            )));
        }
        if subjects.len() == 1 {
            subjects.push(Subject::WorkingTree);
        }
        Ok(subjects)
    }

    /// The names of the two cases that are compared, the reference's first; `None` where all are.
    pub(super) fn cases(&self) -> Result<Option<[&str; 2]>, Stop> {
        let cases: Vec<Option<&str>> = self.rev.iter().map(|rev| build_and_case(rev).1).collect();
        match cases[..] {
            [Some(case)] => Ok(Some([case; 2])),
            [Some(old), Some(new)] => Ok(Some([old, new])),
            [None, Some(_)] | [Some(_), None] => Err(Stop::Usage(
                "one REV has a case and the other has none; write REV::CASE REV::CASE".to_owned(),
            )),
            _ => Ok(None),
        }
    }

    /// The mistake in a subject that does not exist. A filter may have been meant.
    fn unknown(&self, subject: &Subject, mistake: Stop) -> Stop {
        match (subject, mistake) {
            (Subject::Revision(name), Stop::Usage(text))
                if self.may_be_filter(name) || self.rev.iter().any(|rev| rev.contains("::")) =>
            {
                Stop::Usage(format!("a filter goes after `--`, and {text}"))
            }
            (_, mistake) => mistake,
        }
    }

    /// Whether a name looks like that of a case, or selects one that was measured.
    fn may_be_filter(&self, name: &str) -> bool {
        let selects = |stored: &StoredRun| {
            let mut cases = stored.run.cases.iter();
            cases.any(|case| is_selected(case, name))
        };
        let newest = || {
            self.options
                .store
                .locate()
                .and_then(|located| located.newest_runs())
        };
        name.contains(['/', '['])
            || name.contains("::")
            || newest().is_ok_and(|newest| newest.runs.iter().any(selects))
    }
}

/// The selected executables of the builds in bundles, at least two.
pub(crate) fn unpacked(
    files: &[PathBuf],
    options: &Options,
    cache: &Cache,
) -> Result<Vec<Build>, Stop> {
    let mut builds = Vec::new();
    for file in files {
        builds.extend(cache.unpack(file, options.has_placements())?);
    }
    for build in &mut builds {
        build.executables.retain(|one| options.selected.takes(one));
    }
    if builds.iter().all(|build| build.executables.is_empty()) {
        let what = "no bench target of the bundle is selected; `cargo tourbillon bundle FILE --list` lists them";
        return Err(Stop::Usage(what.to_owned()));
    }
    match (files, builds.len()) {
        ([only], 1) => Err(Stop::Usage(format!(
            "{only:?} has one build; `cargo tourbillon bundle FILE REV` makes a bundle of two, and --bundle takes \
             several files"
        ))),
        _ => Ok(builds),
    }
}

/// A name of a build, and that of a case after it. No revision contains a colon; the prefix of saved builds does.
fn build_and_case(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once("::") {
        Some((build, case)) if !case.is_empty() => (build, Some(case)),
        _ => (typed, None),
    }
}

/// What a name of a build means.
pub(crate) fn subject(name: &str, maker: &Maker, cache: &Cache) -> Result<Subject, Stop> {
    named(name, cache.is_saved(name), maker.commit(name).is_some())
}

/// The meaning of a name that may be a revision or a saved build.
fn named(name: &str, saved: bool, known: bool) -> Result<Subject, Stop> {
    if let Some(name) = name.strip_prefix(SAVED) {
        return Ok(Subject::Saved(name.to_owned()));
    }
    match (saved, known) {
        (true, true) => Err(Stop::Usage(format!(
            "{name} is a revision and a saved build; write refs/heads/{name} or {SAVED}{name}"
        ))),
        (true, false) => Ok(Subject::Saved(name.to_owned())),
        // Unknown revisions are reported later.
        (false, _) => Ok(Subject::Revision(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_follows_its_build() {
        for (typed, expected) in [
            ("main", ("main", None)),
            ("main::sort/100", ("main", Some("sort/100"))),
            ("::m::sort[t=a::b]", ("", Some("m::sort[t=a::b]"))),
            ("saved:old::sort", ("saved:old", Some("sort"))),
            ("main::", ("main::", None)),
        ] {
            assert_eq!(build_and_case(typed), expected);
        }
    }

    #[test]
    fn a_name_means_one_thing() {
        let revision = |name: &str| Subject::Revision(name.to_owned());
        let saved = |name: &str| Subject::Saved(name.to_owned());
        for (name, is_saved, known, expected) in [
            ("main", false, true, revision("main")),
            ("main", false, false, revision("main")),
            ("fast", true, false, saved("fast")),
            ("saved:main", true, true, saved("main")),
        ] {
            assert_eq!(named(name, is_saved, known).expect(name), expected);
        }
        let Err(Stop::Usage(text)) = named("main", true, true) else {
            panic!("it means two things");
        };
        assert!(
            text.contains("write refs/heads/main or saved:main"),
            "{text}"
        );
    }
}
