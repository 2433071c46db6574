//! What was asked for.

use std::path::PathBuf;
use std::process::Stdio;

use clap::ArgMatches;
use tourbillon_analysis::Criteria;
use tourbillon_stats::Rng;

use super::gate::Gate;
use crate::exit::Stop;
use crate::records::{Place, cargo};
use tourbillon_builds::{Cache, Maker, Selection, Subject, Variation};

/// Placements to begin with where nobody says how many: as many as the first look needs.
const LAYOUTS: u32 = 16;

/// What a name begins with that is that of a saved build, whatever git knows.
const SAVED: &str = "saved:";

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Markdown,
    Jsonl,
}

/// A comparison as it was asked for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) selection: Selection,
    /// For the bench binaries.
    pub(crate) bench: Vec<String>,
    pub(crate) format: Format,
    /// Time to measure, in nanoseconds.
    pub(crate) time_ns: Option<u64>,
    /// How long a worker may be silent, in nanoseconds.
    pub(crate) timeout_ns: Option<u64>,
    /// What is the same, as a share.
    pub(crate) margin: Option<f64>,
    pub(crate) confidence: Option<f64>,
    /// Placements of each executable to begin with, at least one.
    pub(crate) layouts: u32,
    /// Whether there may be no more of them than that.
    pub(crate) layouts_limited: bool,
    pub(crate) seed: Option<u64>,
    pub(crate) store: Option<PathBuf>,
    pub(crate) gate: Option<Gate>,
    /// Whether nothing is measured.
    pub(crate) build_only: bool,
    /// Whether a case that is not decided fails the gate.
    pub(crate) undecided_fails: bool,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Revisions, or saved builds.
    Names(Vec<String>),
    Files(Vec<PathBuf>),
    Variations(Vec<Variation>),
}

impl Options {
    pub(super) fn of(matches: &ArgMatches) -> Result<Options, Stop> {
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let share = |name: &str| matches.get_one::<f64>(name).copied();
        let format = match text("format") {
            Some("md") => Format::Markdown,
            Some("jsonl") => Format::Jsonl,
            _ => Format::Text,
        };
        let build_only = matches.get_flag("build-only");
        if format == Format::Markdown && build_only {
            let what = "--format md is for verdicts, and --build-only has none";
            return Err(Stop::Usage(format!("{what}; use text or jsonl")));
        }
        Ok(Options {
            selection: selection(matches),
            bench: words(matches, "bench-flags"),
            format,
            time_ns: matches.get_one("time").copied(),
            timeout_ns: matches.get_one("timeout").copied(),
            margin: share("margin"),
            confidence: share("confidence"),
            layouts: matches.get_one("layouts").copied().unwrap_or(LAYOUTS),
            layouts_limited: matches.contains_id("layouts"),
            seed: matches.get_one("seed").copied(),
            store: matches.get_one("store").cloned(),
            gate: Gate::read(share("gate"), &workspace()?)?,
            build_only,
            undecided_fails: text("undecided") == Some("fail"),
            what: What::of(matches),
        })
    }

    /// Where the store is.
    pub(super) fn place(&self) -> Place {
        Place::at(self.store.clone())
    }

    /// How often a verdict may be wrong.
    pub(crate) fn error(&self) -> f64 {
        self.confidence
            .map_or(Criteria::BUILDS.error, |confidence| 1.0 - confidence)
    }

    /// Whether executables are put into other placements.
    pub(super) fn places(&self) -> bool {
        self.layouts > 1
    }

    /// The seed of a placement, of the executables of all sides: what they have in common lies alike.
    ///
    /// Without `--seed` the placements are the same each time, so that they are found in the cache;
    /// what else is drawn is not.
    pub(crate) fn placement(&self, number: u32) -> u64 {
        Rng::new(self.seed.unwrap_or(0)).derive(number.into())
    }

    /// What is to be built, the reference first.
    pub(super) fn subjects(&self, maker: &Maker, cache: &Cache) -> Result<Vec<Subject>, Stop> {
        Ok(match &self.what {
            What::Names(names) => {
                let mut subjects = Vec::new();
                for name in names {
                    let saved = cache.saved(name).is_dir();
                    subjects.push(named(name, saved, maker.commit(name).is_some())?);
                }
                if subjects.len() == 1 {
                    subjects.push(Subject::WorkingTree);
                }
                subjects
            }
            What::Files(files) => files.iter().cloned().map(Subject::File).collect(),
            What::Variations(variations) => {
                let each = variations.iter().cloned().map(Subject::With);
                [Subject::WorkingTree].into_iter().chain(each).collect()
            }
        })
    }
}

impl What {
    fn of(matches: &ArgMatches) -> What {
        let files = matches.get_many::<PathBuf>("bin");
        let variations = matches.get_many::<Variation>("with");
        match (files, variations) {
            (Some(files), _) => What::Files(files.cloned().collect()),
            (_, Some(variations)) => What::Variations(variations.cloned().collect()),
            _ => What::Names(words(matches, "rev")),
        }
    }
}

/// What a name means that may be that of a revision and that of a saved build.
fn named(name: &str, saved: bool, known: bool) -> Result<Subject, Stop> {
    if let Some(name) = name.strip_prefix(SAVED) {
        return Ok(Subject::Saved(name.to_owned()));
    }
    match (saved, known) {
        (true, true) => Err(Stop::Usage(format!(
            "{name} is a revision and a saved build; write refs/heads/{name} or {SAVED}{name}"
        ))),
        (true, false) => Ok(Subject::Saved(name.to_owned())),
        // That git does not know it, it will say itself.
        (false, _) => Ok(Subject::Revision(name.to_owned())),
    }
}

/// What is built, as cargo names the flags.
pub(crate) fn selection(matches: &ArgMatches) -> Selection {
    let mut flags = Vec::new();
    for features in words(matches, "features") {
        flags.extend(["--features".to_owned(), features]);
    }
    for name in [
        "all-features",
        "no-default-features",
        "workspace",
        "locked",
        "offline",
    ] {
        if matches.get_flag(name) {
            flags.push(format!("--{name}"));
        }
    }
    Selection {
        packages: words(matches, "package"),
        benches: words(matches, "bench"),
        flags,
        profile: matches.get_one::<String>("profile").cloned(),
    }
}

fn words(matches: &ArgMatches, name: &str) -> Vec<String> {
    let words = matches.get_many::<String>(name);
    words.into_iter().flatten().cloned().collect()
}

/// The folder of the workspace around the current folder, or that itself where there is none: for
/// executables none is needed.
fn workspace() -> Result<PathBuf, Stop> {
    let output = cargo()
        .args(["locate-project", "--workspace", "--message-format", "plain"])
        .stderr(Stdio::null())
        .output()
        .map_err(|error| Stop::Environment(format!("cargo cannot be started: {error}")))?;
    let manifest = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(manifest.parent().map(PathBuf::from).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

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
