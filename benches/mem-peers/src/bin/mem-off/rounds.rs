//! The rounds so far, in a file: measuring may stop and go on.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use crate::process::{Bench, Times};

/// What was found in one round of one bench: plain, again, metered.
pub(crate) type Round = [Times; 3];

/// A file of rounds: first which executables they are of, then a line for each.
pub(crate) struct Rounds {
    path: PathBuf,
    /// Of each bench, in the order of the arguments.
    pub(crate) of: Vec<Vec<Round>>,
}

impl Rounds {
    /// Reads what there is, or begins a file.
    ///
    /// # Errors
    /// When the file is of other executables, or damaged, or cannot be read or written.
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
            Err(error) => return Err(format!("{name} cannot be read: {error}")),
            Ok(text) => {
                // A line that was being written when something ended the process is no line.
                let whole = text.rfind('\n').map_or("", |end| &text[..end]);
                let mut lines = whole.lines();
                let parsed = |line: &str| serde_json::from_str::<Value>(line).ok();
                if lines.next().and_then(parsed) != Some(about) {
                    return Err(format!(
                        "{name} is of other executables; remove it or name another file"
                    ));
                }
                for line in lines {
                    let (bench, round) = parsed(line)
                        .and_then(|line| read(&line))
                        .ok_or_else(|| format!("{name} has a line that is no round: {line}"))?;
                    let of = rounds.of.get_mut(bench);
                    of.ok_or_else(|| format!("{name} has a round of no bench"))?
                        .push(round);
                }
                if whole.len() + 1 < text.len() {
                    fs::write(path, format!("{whole}\n"))
                        .map_err(|error| format!("{name} cannot be written: {error}"))?;
                }
            }
        }
        Ok(rounds)
    }

    /// How many rounds all benches have.
    pub(crate) fn whole(&self) -> usize {
        self.of.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// Adds a round of a bench.
    ///
    /// # Errors
    /// When it cannot be written.
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
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
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

/// Which executables: where they are, how long, and from when.
fn about(benches: &[Bench]) -> Result<Value, String> {
    let mut executables = BTreeMap::new();
    for path in benches
        .iter()
        .flat_map(|bench| [&bench.plain, &bench.metered])
    {
        let failed = |error| format!("{path} cannot be looked at: {error}");
        let file = fs::metadata(path).map_err(failed)?;
        let modified = file.modified().map_err(failed)?;
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        executables.insert(path.clone(), json!([file.len(), since.as_secs()]));
    }
    Ok(json!({"executables": executables}))
}
