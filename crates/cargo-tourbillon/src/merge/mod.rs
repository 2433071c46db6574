//! `cargo tourbillon merge`: the records of all shards, and of all machines, as one file.

mod answer;
mod compared;
mod machines;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_record::Header;
use tourbillon_report::escape;

use self::answer::{Answer, counted};
use self::compared::Compared;
use self::machines::Machines;
use crate::compare::facts;
use crate::exit::{FAILED, Stop, print, say};
use crate::records::{self, StoredRun};

const AFTER: &str = "\
Examples:
  cargo tourbillon merge shard-*/ -o all.jsonl
  cargo tourbillon show all.jsonl";

/// Extension of records.
const EXTENSION: &str = "jsonl";

/// Join the records of all shards, or of all machines
///
/// Takes the records of runs with --partition, and of comparisons of two commits that several machines made, from files
/// and from folders with the folders in them, and writes all of them to one file, one after the other, without a change.
/// Merging a part again, or in another order, gives the same file. Exits with 3 if a shard is missing or a case failed:
/// the answer is undecided then.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Records, and folders of them
    #[arg(value_name = "DIR", required = true)]
    paths: Vec<PathBuf>,
    /// The file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// A run, and the bytes of its record.
struct Part {
    stored: StoredRun,
    bytes: Vec<u8>,
}

/// What belongs together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Suite {
    /// Shards of a bench target or of a comparison: the package, the target, and what is compared.
    Shards(String, String, String),
    /// One comparison on several machines.
    Machines(Compared),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let mut parts: BTreeMap<(Suite, u64, u64, String), Part> = BTreeMap::new();
    let mut others = 0;
    for file in files(&arguments.paths)? {
        let failed = |what: String| Stop::Environment(format!("{file:?} cannot be read: {what}"));
        let bytes = records::bytes(&file).map_err(|error| failed(error.to_string()))?;
        for lines in records::split(&bytes) {
            for stored in records::parse(lines).map_err(failed)? {
                let header = &stored.run.header;
                let Some(suite) = suite(header) else {
                    others += 1;
                    continue;
                };
                let number = header.shard.as_ref().map_or(0, |shard| shard.number);
                let key = (suite, number, header.started_unix_ns, stored.sha256.clone());
                let bytes = lines.to_vec();
                parts.insert(key, Part { stored, bytes });
            }
        }
    }
    if parts.is_empty() {
        let what = "there is no record of a shard, and none of a comparison of two commits; `run --partition` and \
                    `compare` make them";
        return Err(Stop::Usage(what.to_owned()));
    }
    if others > 0 {
        say(&format!(
            "{} skipped: neither a shard nor a comparison of two commits\n",
            counted(others, "run")
        ));
    }
    let mut text = Vec::new();
    for part in parts.values() {
        text.extend_from_slice(&part.bytes);
    }
    let output = &arguments.output;
    fs::write(output, text)
        .map_err(|error| Stop::Environment(format!("{output:?} cannot be written: {error}")))?;
    let mut suites: BTreeMap<&Suite, Vec<&StoredRun>> = BTreeMap::new();
    for ((suite, ..), part) in &parts {
        suites.entry(suite).or_default().push(&part.stored);
    }
    let mut is_decided = true;
    for (suite, runs) in suites {
        let (is_answered, text) = match suite {
            Suite::Shards(..) => {
                let answer = Answer::of(&runs);
                let text = format!("{}: {}\n", name(suite), answer.text());
                (answer.is_decided(), text)
            }
            Suite::Machines(_) => {
                let machines = Machines::of(&runs);
                let text = format!("{}: {}", name(suite), machines.text());
                (machines.is_decided(), text)
            }
        };
        is_decided &= is_answered;
        print(&text)?;
    }
    match is_decided {
        true => Ok(()),
        false => Err(Stop::Code(FAILED)),
    }
}

/// The records in files and folders, each once.
fn files(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Stop> {
    let mut files = BTreeSet::new();
    let mut open: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.insert(path);
            continue;
        }
        let failed =
            |error: std::io::Error| Stop::Environment(format!("{path:?} cannot be read: {error}"));
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Links could lead out of the folder, or in a circle.
            let kind = entry.file_type().map_err(failed)?;
            let path = entry.path();
            if kind.is_dir() || kind.is_file() && is_record(&path) {
                open.push(path);
            }
        }
    }
    Ok(files)
}

fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|found| found == EXTENSION)
}

/// What a run is a part of; `None` if it stands alone.
fn suite(header: &Header) -> Option<Suite> {
    if header.shard.is_none() {
        return Compared::of(header).map(Suite::Machines);
    }
    let [old, new] =
        ["reference", "candidate"].map(|name| facts::text(header, name).unwrap_or_default());
    let compared = match old.is_empty() && new.is_empty() {
        true => String::new(),
        false => format!("{new} against {old}"),
    };
    Some(Suite::Shards(
        header.package.clone(),
        header.target.clone(),
        compared,
    ))
}

fn name(suite: &Suite) -> String {
    let (package, target, compared) = match suite {
        Suite::Shards(package, target, compared) => (package, target, compared.clone()),
        Suite::Machines(of) => (&of.package, &of.target, of.name()),
    };
    // Executables that were built elsewhere have no package.
    let name = match package.as_str() {
        "" => target.clone(),
        package => format!("{package}/{target}"),
    };
    let name = match compared.as_str() {
        "" => name,
        compared => format!("{name}, {compared}"),
    };
    escape(&name, true)
}
