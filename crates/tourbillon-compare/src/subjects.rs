//! What is compared: revisions, saved builds, variations, executables, or bundles.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tourbillon_builds::{Build, Cache, Executable, Maker, Selection, Subject, Variation};
use tourbillon_report::is_selected;
use tourbillon_tool::exit::{Stop, say};
use tourbillon_tool::record_file::StoredRun;
use tourbillon_tool::records::StorePath;

use crate::options::Options;

/// Prefix of the names of saved builds that are also revisions.
const SAVED: &str = "saved:";

/// What is compared. One of the lists has something in it.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// One or two revisions or saved builds, each with a case after `::` if only that is compared.
    pub revisions: Vec<String>,
    /// The working tree built in other ways.
    pub variations: Vec<Variation>,
    /// Two executables.
    pub files: Vec<PathBuf>,
    /// Files that `bundle` made.
    pub bundles: Vec<PathBuf>,
}

impl Subjects {
    /// Whether nothing is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.revisions.is_empty()
            && self.variations.is_empty()
            && self.files.is_empty()
            && self.bundles.is_empty()
    }

    /// Makes or finds the builds, the reference first.
    ///
    /// # Errors
    ///
    /// What is wrong with a subject, or keeps it from being built.
    pub fn builds(
        &self,
        cache: &Cache,
        options: &Options,
        only_built: bool,
    ) -> Result<Vec<Build>, Stop> {
        if !self.bundles.is_empty() {
            // Machines without a toolchain have no target directory: before measuring takes minutes.
            if !only_built {
                options.store.locate()?;
            }
            return unpacked(&self.bundles, options, cache);
        }
        let selection = options.selection.clone();
        let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
        let subjects = self.named(&maker, cache, &options.store)?;
        // Before a build takes minutes.
        for subject in &subjects {
            let checked = maker.check(subject);
            checked.map_err(|error| self.unknown(subject, error.into(), &options.store))?;
        }
        self.cases()?;
        let builds = subjects.iter().map(|subject| maker.make(subject));
        let builds = builds.collect::<Result<Vec<_>, _>>()?;
        let executables = builds.iter().flat_map(|build| &build.executables);
        let runners: BTreeSet<String> = executables.map(|one| one.runner.join(" ")).collect();
        for runner in runners.iter().filter(|runner| !runner.is_empty()) {
            say(&format!(
                "warning: `cargo bench` starts programs through `{runner}`, a comparison does not\n"
            ));
        }
        Ok(builds)
    }

    /// What is built, the reference first.
    fn named(&self, maker: &Maker, cache: &Cache, store: &StorePath) -> Result<Vec<Subject>, Stop> {
        if !self.files.is_empty() {
            return Ok(self.files.iter().cloned().map(Subject::File).collect());
        }
        if !self.variations.is_empty() {
            let variations = self.variations.iter().cloned().map(Subject::With);
            let subjects = [Subject::WorkingTree].into_iter().chain(variations);
            return Ok(subjects.collect());
        }
        let named = |name: &String| match build_and_case(name) {
            ("", Some(_)) => Ok(Subject::WorkingTree),
            (name, _) => subject(name, maker, cache),
        };
        let mut subjects = self
            .revisions
            .iter()
            .map(named)
            .collect::<Result<Vec<_>, _>>()?;
        if let [Subject::Revision(name)] = subjects.as_slice()
            && maker.commit(name).is_none()
            && let Ok(located) = store.locate()
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
    ///
    /// # Errors
    ///
    /// When one of two subjects has a case and the other has none.
    pub fn cases(&self) -> Result<Option<[&str; 2]>, Stop> {
        let cases: Vec<Option<&str>> = self
            .revisions
            .iter()
            .map(|rev| build_and_case(rev).1)
            .collect();
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
    fn unknown(&self, subject: &Subject, mistake: Stop, store: &StorePath) -> Stop {
        match (subject, mistake) {
            (Subject::Revision(name), Stop::Usage(text))
                if may_be_filter(name, store)
                    || self.revisions.iter().any(|rev| rev.contains("::")) =>
            {
                Stop::Usage(format!("a filter goes after `--`, and {text}"))
            }
            (_, mistake) => mistake,
        }
    }
}

/// Whether a name looks like that of a case, or selects one that was measured.
fn may_be_filter(name: &str, store: &StorePath) -> bool {
    let selects = |stored: &StoredRun| {
        let mut cases = stored.run.cases.iter();
        cases.any(|case| is_selected(case, name))
    };
    let newest = || store.locate().and_then(|located| located.newest_runs());
    name.contains(['/', '['])
        || name.contains("::")
        || newest().is_ok_and(|newest| newest.runs.iter().any(selects))
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
        build
            .executables
            .retain(|one| takes(&options.selection, one));
        build.greet()?;
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

/// Whether an executable that was built elsewhere is of a selected target.
fn takes(selection: &Selection, executable: &Executable) -> bool {
    let takes = |names: &[String], name: &String| names.is_empty() || names.contains(name);
    takes(&selection.packages, &executable.package) && takes(&selection.benches, &executable.target)
}

/// A name of a build, and that of a case after it. No revision contains a colon; the prefix of saved builds does.
fn build_and_case(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once("::") {
        Some((build, case)) if !case.is_empty() => (build, Some(case)),
        _ => (typed, None),
    }
}

/// What a name of a build means.
///
/// # Errors
///
/// When it means two things.
pub fn subject(name: &str, maker: &Maker, cache: &Cache) -> Result<Subject, Stop> {
    named(name, cache.is_saved(name), maker.full_name(name))
}

/// The meaning of a name that may be a saved build or a revision, which has this full name.
fn named(name: &str, saved: bool, revision: Option<String>) -> Result<Subject, Stop> {
    if let Some(name) = name.strip_prefix(SAVED) {
        return Ok(Subject::Saved(name.to_owned()));
    }
    match (saved, revision) {
        (true, Some(full)) => Err(Stop::Usage(format!(
            "{name} is a revision and a saved build; write {full} or {SAVED}{name}"
        ))),
        (true, None) => Ok(Subject::Saved(name.to_owned())),
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
            let revision = known.then(|| format!("refs/tags/{name}"));
            assert_eq!(named(name, is_saved, revision).expect(name), expected);
        }
        let Err(Stop::Usage(text)) = named("v1", true, Some("refs/tags/v1".to_owned())) else {
            panic!("it means two things");
        };
        assert!(text.contains("write refs/tags/v1 or saved:v1"), "{text}");
    }
}
