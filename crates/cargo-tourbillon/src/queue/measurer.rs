//! Measures jobs: each one by a process that runs `compare`.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tourbillon_builds::commit_of;
use tourbillon_index::queue::{Job, Measure, Outcome};
use tourbillon_os::Signals;

use super::comparison::QueuedComparison;
use crate::exit::{FAILED, GATE, INTERRUPTED};

/// Lines of stderr that are kept of a process that fails.
const KEPT_LINES: usize = 30;
/// Between two looks for a signal, while there is nothing to do.
const NAP: Duration = Duration::from_millis(250);
/// Variables that are not for the code that is measured.
const SECRETS: [&str; 4] = [
    "TOURBILLON_QUEUE",
    "TOURBILLON_INDEX",
    "PGPASSWORD",
    "PGPASSFILE",
];
/// Most bytes of a record: what a server takes in one value, with room to spare.
const LONGEST: u64 = 1 << 29;

/// Runs `compare` in the current folder.
pub(super) struct Measurer {
    signals: Signals,
    /// The folder for records.
    folder: PathBuf,
    running: Mutex<Running>,
}

/// The process, and the last claim that was cancelled.
#[derive(Default)]
struct Running {
    child: Option<Child>,
    cancelled: Option<(i64, i64)>,
}

fn claim(job: &Job) -> (i64, i64) {
    (job.number, job.attempt)
}

impl Measurer {
    pub(super) fn new(signals: Signals, folder: PathBuf) -> Measurer {
        Measurer {
            signals,
            folder,
            running: Mutex::default(),
        }
    }

    fn record(&self, job: &Job) -> Result<Outcome, String> {
        let comparison = QueuedComparison::parse(&job.comparison)?;
        fetch(&comparison)?;
        if self.signals.noted().is_some() {
            return Ok(Outcome::Interrupted);
        }
        // What an earlier attempt left.
        let store = self.folder.join("store");
        let _ = fs::remove_dir_all(&store);
        let arguments = comparison.arguments(job);
        let (code, lines) = self.compare(job, &store, &arguments)?;
        match code {
            Some(INTERRUPTED) => Ok(Outcome::Interrupted),
            Some(code @ (0 | GATE | FAILED)) => {
                let bytes = record(&store)?;
                Ok(Outcome::Record {
                    exit_code: code,
                    bytes,
                })
            }
            Some(code) => Err(format!("compare ended with {code}: {lines}")),
            None => Err(format!("a signal ended compare: {lines}")),
        }
    }

    /// Runs `compare` to its end; gives its exit code and the last lines of its stderr.
    fn compare(
        &self,
        job: &Job,
        store: &Path,
        arguments: &[String],
    ) -> Result<(Option<u8>, String), String> {
        let failed = |error: io::Error| format!("compare cannot be started: {error}");
        let mut command = Command::new(env::current_exe().map_err(failed)?);
        // As cargo starts it. A subcommand's flags may come after its arguments, but not after `--`.
        let (name, rest) = arguments.split_first().ok_or("there is nothing to do")?;
        command.arg("tourbillon").arg(name);
        command.arg("--store").arg(store);
        command.args(["--color", "never", "--format", "jsonl"]);
        command.args(rest);
        for secret in SECRETS {
            command.env_remove(secret);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::piped());
        let stderr = {
            let mut running = self.lock();
            if running.cancelled == Some(claim(job)) {
                return Err("cancelled".to_owned());
            }
            let mut child = command.spawn().map_err(failed)?;
            let stderr = child.stderr.take();
            running.child = Some(child);
            stderr
        };
        let mut lines: Vec<String> = Vec::new();
        let split = |stderr| BufReader::new(stderr).split(b'\n');
        for line in stderr.into_iter().flat_map(split) {
            let Ok(line) = line else {
                break;
            };
            if lines.len() == KEPT_LINES {
                lines.remove(0);
            }
            lines.push(String::from_utf8_lossy(&line).into_owned());
        }
        let ended = self.lock().child.take().map(|mut child| child.wait());
        let status = ended.transpose().map_err(failed)?;
        let code = status.and_then(|status| status.code());
        let code = code.and_then(|code| u8::try_from(code).ok());
        Ok((code, lines.join("\n")))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Running> {
        self.running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Measure for Measurer {
    fn measure(&self, job: &Job) -> Outcome {
        match self.record(job) {
            Ok(outcome) => outcome,
            // The signal reaches programs that this one runs, at any point.
            Err(_) if self.signals.noted().is_some() => Outcome::Interrupted,
            Err(reason) => Outcome::Failed(reason),
        }
    }

    fn cancel(&self, job: &Job) {
        let mut running = self.lock();
        running.cancelled = Some(claim(job));
        if let Some(child) = &mut running.child {
            // Its workers end with it.
            let _ = child.kill();
        }
    }

    fn wait(&self, time: Duration) -> bool {
        let mut left = time;
        while self.signals.noted().is_none() && !left.is_zero() {
            let nap = left.min(NAP);
            thread::sleep(nap);
            left -= nap;
        }
        self.signals.noted().is_some()
    }
}

/// Fetches the commits of a comparison if one is missing.
fn fetch(comparison: &QueuedComparison) -> Result<(), String> {
    let folder = env::current_dir().unwrap_or_default();
    let missing = || {
        let commits = [&comparison.reference, &comparison.candidate];
        commits
            .into_iter()
            .find(|commit| commit_of(&folder, commit).is_none())
    };
    if missing().is_none() {
        return Ok(());
    }
    let fetched = Command::new("git").args(["fetch", "--quiet"]).output();
    let fetched = fetched.map_err(|error| format!("git cannot be started: {error}"))?;
    match missing() {
        None => Ok(()),
        Some(commit) => Err(format!(
            "commit {commit} is not in the repository after git fetch; push it\n{}",
            String::from_utf8_lossy(&fetched.stderr)
        )),
    }
}

/// The record in a store of one comparison.
fn record(store: &Path) -> Result<Vec<u8>, String> {
    let mut files = Vec::new();
    let mut open = vec![store.to_owned()];
    while let Some(folder) = open.pop() {
        let failed = |error: io::Error| format!("{folder:?} cannot be read: {error}");
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let is_record = path.extension().is_some_and(|found| found == "jsonl");
            if path.is_dir() {
                open.push(path);
            } else if is_record {
                files.push(path);
            }
        }
    }
    let [file] = files.as_slice() else {
        return Err(format!("compare left {} records in its store", files.len()));
    };
    let failed = |error: io::Error| format!("{file:?} cannot be read: {error}");
    if fs::metadata(file).map_err(failed)?.len() > LONGEST {
        return Err("the record is too long for the queue; use more shards".to_owned());
    }
    fs::read(file).map_err(failed)
}
