//! `cargo tourbillon merge`: the records of all shards as one file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_record::{Finding, Shard};
use tourbillon_report::counted;

use crate::exit::{FAILED, Stop, print, say};
use crate::records::{self, StoredRun};

const AFTER: &str = "\
Examples:
  cargo tourbillon merge shard-*/ -o all.jsonl
  cargo tourbillon show all.jsonl";

/// Extension of records.
const EXTENSION: &str = "jsonl";

/// Join the records of all shards
///
/// Takes the records of runs with --partition, from files and from folders with the folders in them, and
/// writes all of them to one file, one after the other, without a change. Merging a part again, or in another
/// order, gives the same file. Exits with 3 if a shard is missing or a case failed: the answer is undecided then.
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

/// A bench target or a comparison, whose shards belong together.
type Suite = (String, String, String);

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let mut parts: BTreeMap<(Suite, u64, u64, String), Part> = BTreeMap::new();
    let mut others = 0;
    for file in files(&arguments.paths)? {
        let failed = |what: String| Stop::Environment(format!("{file:?} cannot be read: {what}"));
        let bytes = records::bytes(&file).map_err(|error| failed(error.to_string()))?;
        for lines in records::split(&bytes) {
            for stored in records::parse(lines).map_err(failed)? {
                let header = &stored.run.header;
                let Some(shard) = &header.shard else {
                    others += 1;
                    continue;
                };
                let (number, started) = (shard.number, header.started_unix_ns);
                let key = (suite(&stored), number, started, stored.sha256.clone());
                let bytes = lines.to_vec();
                parts.insert(key, Part { stored, bytes });
            }
        }
    }
    if parts.is_empty() {
        let what =
            "there is no record of a shard; `run --partition` and `compare --partition` make them";
        return Err(Stop::Usage(what.to_owned()));
    }
    if others > 0 {
        say(&format!(
            "{} without a shard skipped\n",
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
        let answer = Answer::of(&runs);
        is_decided &= answer.is_decided();
        print(&format!("{}: {}\n", name(suite), answer.text()))?;
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

/// What a run is a shard of.
fn suite(stored: &StoredRun) -> Suite {
    let header = &stored.run.header;
    let build = |name| header.fact_text(name).unwrap_or_default();
    let (old, new) = (build("reference"), build("candidate"));
    let compared = match old.is_empty() && new.is_empty() {
        true => String::new(),
        false => format!("{new} against {old}"),
    };
    (header.package.clone(), header.target.clone(), compared)
}

fn name((package, target, compared): &Suite) -> String {
    // Executables that were built elsewhere have no package.
    let name = match package.as_str() {
        "" => target.clone(),
        package => format!("{package}/{target}"),
    };
    match compared.as_str() {
        "" => name,
        compared => format!("{name}, {compared}"),
    }
}

/// What the shards of a suite come to.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    cases: usize,
    shards: u64,
    slower: usize,
    undecided: usize,
    failed: usize,
    /// Why there is no answer for the whole suite.
    gaps: Vec<String>,
}

impl Answer {
    /// Of the runs of one suite.
    fn of(runs: &[&StoredRun]) -> Answer {
        let mut answer = Answer::default();
        let mut divisions = BTreeSet::new();
        let (mut complete, mut cases) = (BTreeMap::new(), BTreeSet::new());
        for stored in runs {
            let run = &stored.run;
            let Some(shard) = run.header.shard.as_deref() else {
                continue;
            };
            let Shard {
                method,
                number,
                of,
                cases,
            } = shard;
            divisions.insert((method, of, cases, &run.header.engine));
            // Of two runs of a shard, the later one counts.
            if run.end.as_ref().is_some_and(|end| !end.interrupted) {
                complete.insert(*number, run);
            }
        }
        if divisions.len() > 1 {
            let what = "the shards are of different suites: method, number of shards, cases or engine differ";
            answer.gaps.push(what.to_owned());
        }
        let Some(&(_, &of, &all, _)) = divisions.first() else {
            return answer;
        };
        answer.shards = of;
        // A damaged header may name any number.
        let missing: Vec<String> = (1..=of)
            .filter(|number| !complete.contains_key(number))
            .take(20)
            .map(|number| number.to_string())
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            answer
                .gaps
                .push(format!("missing or interrupted: shard {missing} of {of}"));
        }
        for run in complete.values() {
            cases.extend(run.cases.iter().map(|case| &case.id));
            let failed: BTreeSet<&str> =
                run.faults.iter().map(|fault| fault.case.as_str()).collect();
            answer.failed += failed.len();
            let found = |finding| {
                run.verdicts
                    .iter()
                    .filter(|one| one.finding == finding)
                    .count()
            };
            answer.slower += found(Finding::Slower);
            answer.undecided += found(Finding::Undecided);
        }
        answer.cases = cases.len();
        if answer.gaps.is_empty() && cases.len() as u64 != all {
            answer
                .gaps
                .push(format!("the shards have {} of {all} cases", cases.len()));
        }
        answer
    }

    /// Whether all cases were measured.
    fn is_decided(&self) -> bool {
        self.gaps.is_empty() && self.failed == 0
    }

    fn text(&self) -> String {
        let (cases, shards) = (counted(self.cases, "case"), counted(self.shards, "shard"));
        let mut parts = vec![format!("{cases} in {shards}")];
        for (count, what) in [
            (self.slower, "slower"),
            (self.undecided, "undecided"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        for gap in &self.gaps {
            parts.push(format!("undecided: {gap}"));
        }
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, End, Fault, Header, Run, Verdict};

    use super::*;

    /// A shard of two with one case each.
    fn shard(number: u64) -> StoredRun {
        let shard = Shard {
            method: "hash".to_owned(),
            number,
            of: 2,
            cases: 2,
        };
        let run = Run {
            header: Header {
                shard: Some(Box::new(shard)),
                ..Header::default()
            },
            cases: vec![Case {
                id: format!("a/b::c{number}"),
                ..Case::default()
            }],
            end: Some(End::default()),
            ..Run::default()
        };
        StoredRun {
            run,
            sha256: number.to_string(),
        }
    }

    #[test]
    fn all_shards_make_an_answer() {
        let (one, mut other) = (shard(1), shard(2));
        other.run.verdicts = vec![Verdict {
            finding: Finding::Slower,
            ..Verdict::default()
        }];
        let answer = Answer::of(&[&one, &other]);
        assert!(answer.is_decided());
        assert_eq!(answer.text(), "2 cases in 2 shards; 1 slower");
    }

    #[test]
    fn a_gap_leaves_it_undecided() {
        let one = shard(1);
        let undecided = |other: &StoredRun| {
            let answer = Answer::of(&[&one, other]);
            assert!(!answer.is_decided(), "{answer:?}");
            answer.text()
        };
        let missing = "1 case in 2 shards; undecided: missing or interrupted: shard 2 of 2";
        assert_eq!(Answer::of(&[&one]).text(), missing);
        let mut killed = shard(2);
        killed.run.end = None;
        assert_eq!(undecided(&killed), missing);
        let mut interrupted = shard(2);
        interrupted.run.end = Some(End {
            interrupted: true,
            ..End::default()
        });
        assert_eq!(undecided(&interrupted), missing);
        let mut failed = shard(2);
        failed.run.faults = vec![Fault::default(), Fault::default()];
        assert_eq!(undecided(&failed), "2 cases in 2 shards; 1 failed");
        let mut fewer = shard(2);
        fewer.run.cases.clear();
        let text = undecided(&fewer);
        assert!(text.ends_with("the shards have 1 of 2 cases"), "{text}");
        let mut foreign = shard(2);
        foreign.run.header.engine = "other".to_owned();
        assert!(undecided(&foreign).contains("are of different suites"));
    }

    #[test]
    fn a_shard_that_was_measured_again_counts() {
        let (one, other) = (shard(1), shard(2));
        let mut killed = shard(2);
        killed.run.end = None;
        for runs in [[&one, &killed, &other], [&one, &other, &killed]] {
            assert!(Answer::of(&runs).is_decided());
        }
    }
}
