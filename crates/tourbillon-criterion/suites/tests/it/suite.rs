//! Runs of suites, and what they stored.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use tourbillon_record::{CaseResult, Fault, LaunchSamples, Run};

/// A program of this package.
pub(crate) const PLAIN: &str = env!("CARGO_BIN_EXE_suite-plain");
/// Every form of the API.
pub(crate) const FORMS: &str = env!("CARGO_BIN_EXE_suite-forms");
/// Benchmarks and targets that fail.
pub(crate) const FAULTS: &str = env!("CARGO_BIN_EXE_suite-faults");
/// Benchmarks without a figure.
pub(crate) const ENDLESS: &str = env!("CARGO_BIN_EXE_suite-endless");
/// Targets that all panic.
pub(crate) const BROKEN: &str = env!("CARGO_BIN_EXE_suite-broken");
/// A suite with a `main` of its own.
pub(crate) const OWN_MAIN: &str = env!("CARGO_BIN_EXE_suite-own-main");
/// Criterion in a program that is no bench program.
pub(crate) const LIBRARY: &str = env!("CARGO_BIN_EXE_suite-library");
/// Targets whose preludes others need.
pub(crate) const PRELUDES: &str = env!("CARGO_BIN_EXE_suite-preludes");
/// Targets whose set-up takes longer than a launch.
pub(crate) const HEAVY: &str = env!("CARGO_BIN_EXE_suite-heavy");
/// What suites rely on besides the API.
pub(crate) const TRAPS: &str = env!("CARGO_BIN_EXE_suite-traps");
/// Targets that start servers, or wait for ever.
pub(crate) const SERVERS: &str = env!("CARGO_BIN_EXE_suite-servers");
/// A suite that looks at what its benchmarks did.
pub(crate) const CHECKS: &str = env!("CARGO_BIN_EXE_suite-checks");

/// What a process left.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// Runs a suite with arguments that spaces separate.
pub(crate) fn run(program: &str, arguments: &str) -> Ended {
    with(program, arguments.split_whitespace(), &[])
}

/// Runs a suite with variables in its environment.
pub(crate) fn with<'a>(
    program: &str,
    arguments: impl IntoIterator<Item = &'a str>,
    environment: &[(&str, &Path)],
) -> Ended {
    let mut command = Command::new(program);
    command.args(arguments).env_remove("RUST_BACKTRACE");
    // Tests do not wait for each other, nor for what else measures.
    command.env("TOURBILLON_LOCK", "none");
    // Suites that run at the same time share no files.
    let files = Folder::new();
    command.env("CRITERION_HOME", &files.0);
    for (name, value) in environment {
        command.env(name, value);
    }
    let output = command.output().expect("the suite starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        code: output.status.code(),
    }
}

/// An empty folder, which is removed with the value.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("criterion-suites-{}-{next}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The names of the files in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries
            .map(|entry| name(entry.expect("an entry")))
            .collect()
    }

    /// How many files of it have names that begin so.
    pub(crate) fn count(&self, start: &str) -> usize {
        let names = self.names();
        names.iter().filter(|name| name.starts_with(start)).count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A run that was measured and stored.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) ended: Ended,
    pub(crate) run: Run,
}

impl Stored {
    /// The ids of the cases, in their order.
    pub(crate) fn ids(&self) -> Vec<&str> {
        self.run.cases.iter().map(|case| case.id.as_str()).collect()
    }

    /// The launches of a case.
    pub(crate) fn launches(&self, id: &str) -> Vec<&LaunchSamples> {
        let launches = self.run.launches.iter();
        let launches: Vec<&LaunchSamples> = launches.filter(|launch| launch.case == id).collect();
        assert!(
            !launches.is_empty(),
            "no launch of {id}: {:?}",
            self.run.faults
        );
        launches
    }

    /// How many processes measured some cases, or counted their memory: they do that where another package of
    /// the build asks for it.
    pub(crate) fn processes(&self, ids: &[&str]) -> usize {
        let launches = self
            .run
            .launches
            .iter()
            .map(|launch| (&launch.case, launch.pid));
        let memory = self
            .run
            .memory
            .iter()
            .map(|memory| (&memory.case, memory.pid));
        let of_cases = launches
            .chain(memory)
            .filter(|(case, _)| ids.contains(&case.as_str()));
        let pids: BTreeSet<u32> = of_cases.map(|(_, pid)| pid).collect();
        pids.len()
    }

    /// The failed launches of a case.
    pub(crate) fn faults(&self, id: &str) -> Vec<&Fault> {
        let faults = self.run.faults.iter();
        faults.filter(|fault| fault.case == id).collect()
    }

    /// The main result of a case.
    pub(crate) fn result(&self, id: &str) -> &CaseResult {
        let mut results = self.run.results.iter();
        results
            .find(|result| result.case == id && result.metric.is_main())
            .expect(id)
    }
}

/// Measures a suite with two short launches of each benchmark, and reads the record. Where the first launch takes longer
/// than its share, as on a busy machine, it is the only one.
pub(crate) fn measure(program: &str, filters: &[&str], environment: &[(&str, &Path)]) -> Stored {
    let short = ["--max-time", "10ms"];
    measure_twice(program, &[&short, filters].concat(), environment)
}

/// Measures a suite with two launches of each benchmark, however long they take, and reads the record.
pub(crate) fn measure_twice(
    program: &str,
    filters: &[&str],
    environment: &[(&str, &Path)],
) -> Stored {
    measure_times("2", program, filters, environment)
}

/// Measures a suite with so many launches of each benchmark, and reads the record.
pub(crate) fn measure_times(
    launches: &str,
    program: &str,
    filters: &[&str],
    environment: &[(&str, &Path)],
) -> Stored {
    let store = Folder::new();
    let folder = store.0.to_str().expect("text");
    let settings = ["--bench", "--launches", launches, "--store", folder];
    let arguments = settings.into_iter().chain(filters.iter().copied());
    let ended = with(program, arguments, environment);
    let record = record_in(&store.0);
    let record = record.unwrap_or_else(|| panic!("no record: {ended:?}"));
    let bytes = fs::read(record).expect("the record");
    Stored {
        run: Run::parse_bytes(&bytes).expect("a record"),
        ended,
    }
}

/// The record in a store, in whatever folder of it.
fn record_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?;
    entries.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return record_in(&path);
        }
        path.extension()
            .is_some_and(|end| end == "jsonl")
            .then_some(path)
    })
}
