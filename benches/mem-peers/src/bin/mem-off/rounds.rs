//! Processes of executables, and a file of the rounds so far, from which an interrupted measurement goes on.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

/// Nanoseconds of each case with a figure.
pub(crate) type Times = BTreeMap<String, f64>;

/// The two executables of a bench target.
pub(crate) struct Bench {
    pub(crate) plain: String,
    pub(crate) metered: String,
}

impl Bench {
    /// Measures each case in one launch: many short processes find more than a few long ones.
    pub(crate) fn run(&self, metered: bool) -> Result<Times, String> {
        let program = if metered { &self.metered } else { &self.plain };
        let output = Command::new(program)
            .args(["--bench", "--launches", "1", "--max-time", "10ms"])
            .args(["--no-store", "--quiet", "--format", "jsonl"])
            .output()
            .map_err(|error| format!("cannot start {program}: {error}"))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program} failed: {why}"));
        }
        let mut times = Times::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let line: Value = serde_json::from_str(line)
                .map_err(|error| format!("{program} printed something other than JSON: {error}"))?;
            if line["type"] != "result" || line["metric"] != "time" {
                continue;
            }
            if let (Some(case), Some(ns)) = (line["case"].as_str(), line["estimate"].as_f64()) {
                times.insert(case.to_owned(), ns);
            }
        }
        Ok(times)
    }
}

/// The figures of one round of one bench: plain, again, metered.
pub(crate) type Round = [Times; 3];

/// A file of rounds: a line with the executables, then one for each round of a bench.
pub(crate) struct Rounds {
    path: PathBuf,
    /// The rounds of each bench, in the order of the arguments.
    pub(crate) of: Vec<Vec<Round>>,
}

impl Rounds {
    /// Reads the file, or creates it.
    ///
    /// # Errors
    /// If the file is of other executables, damaged, or cannot be read or written.
    pub(crate) fn open(path: &Path, benches: &[Bench]) -> Result<Self, String> {
        let mut rounds = Self {
            path: path.to_owned(),
            of: vec![Vec::new(); benches.len()],
        };
        let about = about(benches)?;
        let name = path.display();
        match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                rounds.write(&about)?;
            }
            Err(error) => return Err(format!("cannot read {name}: {error}")),
            Ok(text) => {
                // An unfinished last line, of a process that was ended, is discarded.
                let whole = text.rfind('\n').map_or("", |end| &text[..end]);
                let mut lines = whole.lines();
                let parsed = |line: &str| serde_json::from_str::<Value>(line).ok();
                if lines.next().and_then(parsed) != Some(about) {
                    return Err(format!(
                        "{name} has rounds of other executables; remove it or name another file"
                    ));
                }
                for line in lines {
                    let (bench, round) = parsed(line)
                        .and_then(|line| read(&line))
                        .ok_or_else(|| format!("{name} has an invalid line: {line}"))?;
                    let of = rounds.of.get_mut(bench);
                    of.ok_or_else(|| format!("{name} has a round of an unknown bench"))?
                        .push(round);
                }
                if whole.len() + 1 < text.len() {
                    fs::write(path, format!("{whole}\n"))
                        .map_err(|error| format!("cannot write {name}: {error}"))?;
                }
            }
        }
        Ok(rounds)
    }

    /// Number of rounds that all benches have.
    pub(crate) fn whole(&self) -> usize {
        self.of.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// Adds a round of a bench.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn add(&mut self, bench: usize, round: Round) -> Result<(), String> {
        self.write(&json!({"bench": bench, "round": round}))?;
        self.of[bench].push(round);
        Ok(())
    }

    fn write(&self, line: &Value) -> Result<(), String> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path);
        file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

fn read(line: &Value) -> Option<(usize, Round)> {
    let bench = usize::try_from(line["bench"].as_u64()?).ok()?;
    let arms = line["round"].as_array()?;
    let mut round: Round = [Times::new(), Times::new(), Times::new()];
    if arms.len() != round.len() {
        return None;
    }
    for (times, arm) in round.iter_mut().zip(arms) {
        for (case, ns) in arm.as_object()? {
            times.insert(case.clone(), ns.as_f64()?);
        }
    }
    Some((bench, round))
}

/// The executables: paths, sizes and dates.
fn about(benches: &[Bench]) -> Result<Value, String> {
    let mut executables = BTreeMap::new();
    for path in benches
        .iter()
        .flat_map(|bench| [&bench.plain, &bench.metered])
    {
        let failed = |error| format!("cannot read the size and date of {path}: {error}");
        let file = fs::metadata(path).map_err(failed)?;
        let modified = file.modified().map_err(failed)?;
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        executables.insert(path.clone(), json!([file.len(), since.as_secs()]));
    }
    Ok(json!({"executables": executables}))
}
