//! Records of runs, from files and from the store.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use tourbillon_builds::{Workspace, cargo};
use tourbillon_index::sha256;
use tourbillon_record::store::{Store, file_name};
use tourbillon_record::{Case, Run, Throughput};
use tourbillon_report::{did_you_mean, is_selected, not_expressions};

use crate::bench_flags::is_filtered;
use crate::config_file::{ConfigFlag, store_variable};
use crate::exit::Stop;

/// The folder of the store in the target folder.
pub(crate) const FOLDER: &str = "tourbillon";

/// Most bytes of a file.
const LONGEST: u64 = 1 << 34;
/// Prefix of the first line of a run.
const HEADER: &[u8] = br#"{"type":"header","#;

/// The runs of one or several bench binaries in one file.
#[derive(Debug)]
pub(crate) struct Record {
    /// The file's name without its extension, or that of the baseline.
    pub(crate) name: String,
    pub(crate) runs: Vec<StoredRun>,
}

impl Record {
    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().map(|stored| &stored.run)
    }
}

/// A run that was read.
#[derive(Debug)]
pub(crate) struct StoredRun {
    pub(crate) run: Run,
    /// SHA-256 of its lines, in hexadecimal digits: that of its file, where it is alone in it.
    pub(crate) sha256: String,
}

/// The flag `--store`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StoreFlag {
    /// Folder of the store [tourbillon in the target folder]
    #[arg(long, value_name = "DIR", global = true)]
    store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) config: ConfigFlag,
}

/// A store, and the packages whose runs are wanted.
#[derive(Debug)]
pub(crate) struct Located {
    pub(crate) store: Store,
    /// Folders of packages in the store; `None`: of all packages.
    packages: Option<Vec<String>>,
}

impl StoreFlag {
    /// As if this folder had been named.
    pub(crate) fn of(store: Option<PathBuf>, config: ConfigFlag) -> StoreFlag {
        StoreFlag { store, config }
    }

    /// The folder that was named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// The store: `--store`, else `TOURBILLON_STORE`, else that of the file of defaults, else in the target
    /// directory of the workspace around the current directory. All but the first may be shared with other
    /// workspaces: only runs of the packages around the current directory are wanted.
    pub(crate) fn locate(&self) -> Result<Located, Stop> {
        if let Some(folder) = &self.store {
            let (store, packages) = (Store::open(folder), None);
            return Ok(Located { store, packages });
        }
        let named = match store_variable() {
            Some(named) => Some(named),
            None => self.config.store()?,
        };
        let workspace = workspace();
        let packages = workspace.as_ref().ok().map(|workspace| {
            let names = workspace.packages.iter();
            names.map(|name| file_name(name)).collect()
        });
        let folder = match (named, workspace) {
            (Some(named), _) => named,
            (None, Ok(workspace)) => workspace.target.join(FOLDER),
            (None, Err(why)) => {
                let advice = "name the store with --store DIR";
                let what = format!("the target directory is unknown: {why}; {advice}");
                return Err(Stop::Environment(what));
            }
        };
        let store = Store::open(folder);
        Ok(Located { store, packages })
    }
}

/// The workspace around the current directory; cargo is asked once.
pub(crate) fn workspace() -> Result<&'static Workspace, &'static str> {
    static WORKSPACE: OnceLock<Result<Workspace, String>> = OnceLock::new();
    let workspace = WORKSPACE.get_or_init(|| Workspace::of(cargo()));
    workspace.as_ref().map_err(String::as_str)
}

impl Located {
    /// The files of each wanted bench target, the newest first.
    fn targets(&self, store: &Store) -> Result<Vec<Vec<PathBuf>>, Stop> {
        let mut targets = store.targets()?;
        if let Some(packages) = &self.packages {
            let package = |file: &'_ Path| {
                file.ancestors()
                    .nth(2)?
                    .file_name()?
                    .to_str()
                    .map(str::to_owned)
            };
            targets.retain(|files| {
                let package = files.first().and_then(|file| package(file));
                package.is_some_and(|package| packages.contains(&package))
            });
        }
        Ok(targets)
    }

    /// The newest runs that together have a result of every case of the wanted packages: of each bench
    /// target from the newest run back to one that measured all cases. Each keeps the cases that no newer
    /// one has.
    pub(crate) fn newest_runs(&self) -> Result<Vec<StoredRun>, Stop> {
        let mut newest = Vec::new();
        for files in self.targets(&self.store)? {
            let mut seen = HashSet::new();
            for file in files {
                // A run that was killed at once has no results.
                let runs = read(&file).unwrap_or_default();
                let measured_all = runs.iter().any(|stored| measured_all(&stored.run));
                for mut stored in runs {
                    let found = measured(&stored.run);
                    let is_new = |id: &str| found.contains(id) && !seen.contains(id);
                    keep_cases(&mut stored.run, is_new);
                    seen.extend(found);
                    if !stored.run.cases.is_empty() {
                        newest.push(stored);
                    }
                }
                if measured_all {
                    break;
                }
            }
        }
        Ok(newest)
    }

    /// The stored comparisons of builds, the newest of each bench target first.
    pub(crate) fn comparisons(&self) -> Result<Vec<StoredRun>, Stop> {
        let store = comparisons(&self.store);
        let mut runs = Vec::new();
        for file in self.targets(&store)?.iter().flatten() {
            runs.append(&mut read(file)?);
        }
        Ok(runs)
    }
}

/// The ids of the cases with a result or a fault.
fn measured(run: &Run) -> HashSet<String> {
    let results = run.results.iter().map(|result| &result.case);
    let faults = run.faults.iter().map(|fault| &fault.case);
    results.chain(faults).cloned().collect()
}

/// Whether a run measured all cases of its target.
fn measured_all(run: &Run) -> bool {
    let ended = run.end.as_ref().is_some_and(|end| !end.interrupted);
    ended && !is_filtered(run.header.command.get(1..).unwrap_or_default())
}

/// Removes the other cases of a run, with their results and faults.
fn keep_cases(run: &mut Run, keep: impl Fn(&str) -> bool) {
    run.cases.retain(|case| keep(&case.id));
    run.results.retain(|result| keep(&result.case));
    run.faults.retain(|fault| keep(&fault.case));
}

/// Keeps the cases that one of the filters selects, all if there are none, and the runs that have any.
///
/// # Errors
///
/// That nothing is left.
pub(crate) fn select(records: &mut [Record], filters: &[String]) -> Result<(), Stop> {
    let cases = |record: &Record| record.runs().flat_map(|run| run.cases.clone()).collect();
    let all: Vec<Vec<Case>> = records.iter().map(cases).collect();
    for record in &mut *records {
        let runs = record.runs.iter_mut().map(|stored| &mut stored.run);
        for run in runs.filter(|_| !filters.is_empty()) {
            let selected = |case: &&Case| filters.iter().any(|typed| is_selected(case, typed));
            let selected = run.cases.iter().filter(selected);
            let selected: HashSet<String> = selected.map(|case| case.id.clone()).collect();
            run.verdicts
                .retain(|verdict| selected.contains(&verdict.case));
            keep_cases(run, |id| selected.contains(id));
        }
        record.runs.retain(|stored| !stored.run.cases.is_empty());
    }
    if records.iter().any(|record| !record.runs.is_empty()) {
        return Ok(());
    }
    let meant = did_you_mean(filters, all.iter().flatten());
    Err(Stop::Usage(match filters.is_empty() {
        true => "there is no case in the records".to_owned(),
        false => {
            let hint = not_expressions(filters);
            format!(
                "no case matches the filters; run without --filter to see all cases{hint}{meant}"
            )
        }
    }))
}

/// The named records: files, or baselines of the store; without names, the newest results.
pub(crate) fn named(names: &[PathBuf], flag: &StoreFlag) -> Result<Vec<Record>, Stop> {
    if names.is_empty() {
        let located = flag.locate()?;
        let runs = located.newest_runs()?;
        if runs.is_empty() {
            let what = match located.packages {
                Some(_) => "no run of this package is stored in",
                None => "no run is stored in",
            };
            let path = located.store.path();
            let what = format!("{what} {path:?}; cargo bench makes one");
            return Err(Stop::Environment(what));
        }
        let name = "last run".to_owned();
        return Ok(vec![Record { name, runs }]);
    }
    names.iter().map(|name| one(name, flag)).collect()
}

fn one(name: &Path, flag: &StoreFlag) -> Result<Record, Stop> {
    if name.exists() {
        let stem = name.file_stem().unwrap_or_default();
        return Ok(Record {
            name: stem.to_string_lossy().into_owned(),
            runs: read(name)?,
        });
    }
    let unknown = || {
        let what = format!("there is neither a file nor a baseline {name:?}");
        let advice = match tourbillon_builds::Cache::locate(crate::exit::say) {
            Ok(cache) if name.to_str().is_some_and(|name| cache.is_saved(name)) => {
                "it is a saved build; `cargo tourbillon compare` takes it"
            }
            _ => "`cargo tourbillon baselines` lists the baselines",
        };
        Stop::Usage(format!("{what}; {advice}"))
    };
    let baseline = name.to_str().ok_or_else(unknown)?;
    let store = flag.locate()?.store.baseline(baseline);
    if !store.exists() {
        return Err(unknown());
    }
    let mut runs = Vec::new();
    for file in store.targets()?.iter().flatten() {
        runs.append(&mut read(file)?);
    }
    Ok(Record {
        name: baseline.to_owned(),
        runs,
    })
}

/// The store of comparisons, inside the store of runs.
pub(crate) fn comparisons(store: &Store) -> Store {
    Store::open(store.path().join("comparisons"))
}

/// The runs in a file.
fn read(path: &Path) -> Result<Vec<StoredRun>, Stop> {
    bytes(path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| parse(&bytes))
        .map_err(|what| Stop::Environment(format!("{path:?} cannot be read: {what}")))
}

/// The runs in a text.
pub(crate) fn parse(text: &[u8]) -> Result<Vec<StoredRun>, String> {
    let runs = split(text).map(|lines| {
        let mut run = Run::parse_bytes(lines).map_err(|error| error.to_string())?;
        add_throughputs(&mut run);
        let sha256 = sha256(lines);
        Ok(StoredRun { run, sha256 })
    });
    runs.collect()
}

/// The lines of the runs in a text, each from its header to the next, as several bench binaries write them to one
/// stdout. A text without a header is one piece, which cannot be read.
pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = (1..text.len()).filter(|at| text[at - 1] == b'\n');
    let starts = starts.filter(|at| text[*at..].starts_with(HEADER));
    let mut ends: Vec<usize> = [0].into_iter().chain(starts).collect();
    ends.push(text.len());
    let starts = ends.clone();
    let ends = ends.into_iter().skip(1);
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| &text[start..end])
}

/// Adds what an op processes to results of older versions, which have it in the launches only.
fn add_throughputs(run: &mut Run) {
    let launches = run.launches.iter();
    let known: HashMap<&str, Throughput> = launches
        .filter_map(|launch| Some((&*launch.case, launch.throughput?)))
        .collect();
    for result in run
        .results
        .iter_mut()
        .filter(|result| result.metric.is_main())
    {
        let known = known.get(&*result.case).copied();
        result.throughput = result.throughput.or(known);
    }
}

/// The contents of a file that the user named. Pipes, devices and endless files are refused.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let about = fs::metadata(path)?;
    match about.is_file() || about.is_dir() {
        false => invalid("it is a pipe, a socket or a device; copy its contents to a file"),
        true if about.len() > LONGEST => invalid("it is too long for a record"),
        true => fs::read(path),
    }
}

/// The contents of such a file as text.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(bytes(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_hash_of_its_lines() {
        let golden = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tourbillon-record/tests/golden/schema-1-run.jsonl"
        );
        let one = fs::read(golden).expect("a record");
        let both = parse(&[one.as_slice(), &one].concat()).expect("two runs");
        let alone = parse(&one).expect("a run");
        assert_eq!((alone.len(), both.len()), (1, 2));
        // `sha256sum schema-1-run.jsonl`
        assert_eq!(
            alone[0].sha256,
            "0d946372995b2c92f8bf6b6b3727a1ae6d820e212d3b7eca820a8f5826f465ac"
        );
        assert!(both.iter().all(|stored| stored.sha256 == alone[0].sha256));
    }

    #[cfg(unix)]
    #[test]
    fn endless_files_are_refused() {
        for device in ["/dev/zero", "/dev/urandom", "/dev/null"] {
            let error = bytes(Path::new(device)).expect_err(device).to_string();
            assert!(error.contains("a device"), "{error}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert!(bytes(folder.path()).is_err());
        // A sparse file of a terabyte.
        let sparse = folder.path().join("sparse");
        let file = fs::File::create(&sparse).expect("a file");
        if file.set_len(1 << 40).is_ok() {
            let error = bytes(&sparse).expect_err("a terabyte").to_string();
            assert!(error.contains("too long"), "{error}");
        }
        fs::write(&sparse, "a\nb").expect("a file");
        assert_eq!(text(&sparse).expect("text"), "a\nb");
    }
}
