//! Records of runs, from files and from the store.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tourbillon_builds::{Workspace, cargo};
use tourbillon_clock::wall;
use tourbillon_record::store::{Store, TargetRuns, file_name};
use tourbillon_record::{Case, Header, Run};
use tourbillon_report::{did_you_mean, first_names, is_selected, not_expressions};

use crate::bench_flags::is_filtered;
use crate::config_file::{ConfigPath, store_variable};
use crate::exit::{Stop, say};
use crate::output::refuse_tracked_link;
use crate::record_file::{StoredRun, read_named, read_stored, unreadable};
use crate::store::{comparisons, recency, warn};

/// The folder of the store in the target folder.
pub const FOLDER: &str = "tourbillon";
/// What the record of the newest comparison is called.
const LAST_COMPARISON: &str = "last comparison";

/// The runs of one or several bench binaries in one file.
#[derive(Debug)]
pub struct Record {
    /// The file's name without its extension, or that of the baseline.
    pub name: String,
    /// The runs.
    pub runs: Vec<StoredRun>,
}

impl Record {
    fn empty(name: &str) -> Record {
        Record {
            name: name.to_owned(),
            runs: Vec::new(),
        }
    }

    /// The runs without their hashes.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().map(|stored| &stored.run)
    }
}

/// Where the store is: the folder that the command line names, if any, and the file of defaults.
#[derive(Clone, Debug, Default)]
pub struct StorePath {
    typed: Option<PathBuf>,
    /// The file of defaults.
    pub config: ConfigPath,
}

/// A store, and the packages whose runs are wanted.
#[derive(Debug)]
pub struct Located {
    /// The store.
    pub store: Store,
    /// Folders of packages in the store; `None`: of all packages.
    packages: Option<Vec<String>>,
    /// Folders of packages in the workspace; none where runs of all projects are wanted.
    folders: Vec<PathBuf>,
}

impl StorePath {
    /// What was typed, if anything was.
    pub fn new(typed: Option<PathBuf>, config: ConfigPath) -> StorePath {
        StorePath { typed, config }
    }

    /// The folder that was named.
    pub fn folder(&self) -> Option<&Path> {
        self.typed.as_deref()
    }

    /// The store: `--store`, else `TOURBILLON_STORE`, else that of the file of defaults, else in the target
    /// directory of the workspace around the current directory. All but the first may be shared with other
    /// workspaces: only runs of the packages around the current directory are wanted.
    pub fn locate(&self) -> Result<Located, Stop> {
        if let Some(folder) = &self.typed {
            return Ok(Located {
                store: Store::open(untracked(folder.clone(), "--store DIR")?),
                packages: None,
                folders: Vec::new(),
            });
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
        let folders = workspace.as_ref().map_or(&[][..], |found| &found.folders);
        let folders = folders.to_vec();
        let folder = match (named, workspace) {
            (Some(named), _) => untracked(named, "--store DIR")?,
            // Where cargo builds executables, and they find it.
            (None, Ok(workspace)) => untracked(workspace.build.join(FOLDER), "--store DIR")?,
            (None, Err(why)) => {
                let advice = "name the store with --store DIR";
                let what = format!("the target directory is unknown: {why}; {advice}");
                return Err(Stop::Environment(what));
            }
        };
        let store = Store::open(folder);
        Ok(Located {
            store,
            packages,
            folders,
        })
    }
}

/// The workspace around the current directory; cargo is asked once.
pub fn workspace() -> Result<&'static Workspace, &'static str> {
    static WORKSPACE: OnceLock<Result<Workspace, String>> = OnceLock::new();
    let workspace = WORKSPACE.get_or_init(|| Workspace::of(cargo()));
    workspace.as_ref().map_err(String::as_str)
}

/// A folder in which files are written unless `flag` names another place.
///
/// # Errors
///
/// When a link leads there that is a file of the repository: a commit must not decide which files are replaced.
pub fn untracked(folder: PathBuf, flag: &str) -> Result<PathBuf, Stop> {
    refuse_tracked_link(&folder, Some(flag))?;
    Ok(folder)
}

/// A folder in the target folder, as [`untracked`] gives it.
///
/// # Errors
///
/// As for [`untracked`].
pub fn in_target(workspace: &Workspace, name: &str, flag: &str) -> Result<PathBuf, Stop> {
    untracked(workspace.target.join(name), flag)
}

impl Located {
    /// Whether a run is one of another project, which may have a package and a target of the same names. A folder that
    /// is gone is that of a checkout which was moved.
    fn is_elsewhere(&self, header: &Header) -> bool {
        let folder = header.fact_text("folder").map(Path::new);
        let is_other = |folder: &Path| {
            let mut own = self.folders.iter();
            !own.any(|own| own == folder) && folder.is_dir()
        };
        !self.folders.is_empty() && folder.is_some_and(is_other)
    }

    /// The files of each wanted bench target, the newest first. Those that began after now come last, with a warning.
    fn targets(&self, store: &Store) -> Result<Vec<TargetRuns>, Stop> {
        let mut targets = store.targets(wall::unix_ns())?;
        if let Some(packages) = &self.packages {
            let package = |file: &'_ Path| {
                file.ancestors()
                    .nth(2)?
                    .file_name()?
                    .to_str()
                    .map(str::to_owned)
            };
            targets.retain(|runs| {
                let package = runs.files().next().and_then(|file| package(file));
                package.is_some_and(|package| packages.contains(&package))
            });
        }
        warn(&targets);
        Ok(targets)
    }

    /// The newest runs that together have a result of every case of the wanted packages: of each bench
    /// target from the newest run back to one that measured all cases. Each keeps the cases that no newer
    /// one has.
    pub fn newest_runs(&self) -> Result<Record, Stop> {
        let mut newest = Record::empty("newest results");
        for target in self.targets(&self.store)? {
            let mut seen = HashSet::new();
            for file in target.files() {
                let runs = match read_stored(file) {
                    Ok(runs) => runs,
                    Err(why) => {
                        // A run that was killed at once has no results.
                        if !why.is_incomplete() {
                            say(&format!("skipped {file:?}: {why}\n"));
                        }
                        continue;
                    }
                };
                if runs
                    .iter()
                    .any(|stored| self.is_elsewhere(&stored.run.header))
                {
                    continue;
                }
                let measured_all = runs.iter().any(|stored| measured_all(&stored.run));
                for mut stored in runs {
                    let found = measured(&stored.run);
                    let is_new = |id: &str| found.contains(id) && !seen.contains(id);
                    keep_cases(&mut stored.run, is_new);
                    seen.extend(found);
                    if !stored.run.cases.is_empty() {
                        newest.runs.push(stored);
                    }
                }
                if measured_all {
                    break;
                }
            }
        }
        Ok(newest)
    }

    /// The newest stored comparison of builds; `None` where there is none that can be read.
    pub fn newest_comparison(&self) -> Result<Option<Record>, Stop> {
        let now = wall::unix_ns();
        let store = comparisons(&self.store);
        let targets = self.targets(&store)?;
        let newest = targets.iter().filter_map(|target| {
            let mut read = target.files().filter_map(|file| read_stored(file).ok());
            read.find_map(|runs| runs.into_iter().next())
        });
        let own = newest.filter(|stored| !self.is_elsewhere(&stored.run.header));
        let newest = own.max_by_key(|stored| recency(&stored.run.header, now));
        Ok(newest.map(|stored| Record {
            runs: vec![stored],
            ..Record::empty(LAST_COMPARISON)
        }))
    }

    /// The stored comparisons of builds, the newest of each bench target first.
    pub fn comparisons(&self) -> Result<Record, Stop> {
        let store = comparisons(&self.store);
        let mut record = Record::empty(LAST_COMPARISON);
        for file in self.targets(&store)?.iter().flat_map(TargetRuns::files) {
            match read_stored(file) {
                Ok(mut read) => record.runs.append(&mut read),
                // It was killed at once, or is being written.
                Err(why) if why.is_incomplete() => {}
                Err(why) => return Err(unreadable(file, &why)),
            }
        }
        Ok(record)
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
    run.header.cases = run.cases.len() as u64;
}

/// Keeps the cases that one of the filters selects, all if there are none, and the runs that have any.
///
/// # Errors
///
/// That nothing is left.
pub fn select(records: &mut [Record], filters: &[String]) -> Result<(), Stop> {
    let cases = |record: &Record| record.runs().flat_map(|run| run.cases.clone()).collect();
    let all: Vec<Vec<Case>> = records.iter().map(cases).collect();
    for record in &mut *records {
        let runs = record.runs.iter_mut().map(|stored| &mut stored.run);
        for run in runs.filter(|_| !filters.is_empty()) {
            let selected = |case: &&Case| filters.iter().any(|typed| is_selected(case, typed));
            let selected: HashSet<String> = run
                .cases
                .iter()
                .filter(selected)
                .map(|case| case.id.clone())
                .collect();
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
    Err(Stop::Usage(if filters.is_empty() {
        "there is no case in the records".to_owned()
    } else {
        let hint = not_expressions(filters);
        format!("no case matches the filters; run without --filter to see all cases{hint}{meant}")
    }))
}

/// The named records: files, or baselines of the store; without names, the newest results.
pub fn named(names: &[PathBuf], store: &StorePath) -> Result<Vec<Record>, Stop> {
    if names.is_empty() {
        let located = store.locate()?;
        let mut newest = located.newest_runs()?;
        if let (Some(_), Ok(workspace)) = (&located.packages, workspace()) {
            let gone = leave_gone(&mut newest, &workspace.targets);
            if !gone.is_empty() {
                let gone = first_names(&gone);
                let folder = located.store.path().join("runs");
                say(&format!(
                    "without {gone}, which Cargo.toml no longer has; the records are in {folder:?}\n"
                ));
            }
        }
        if newest.runs.is_empty() {
            let what = match located.packages {
                Some(_) => "no run of this package is stored in",
                None => "no run is stored in",
            };
            let path = located.store.path();
            let what = format!("{what} {path:?}; cargo bench makes one");
            return Err(Stop::Environment(what));
        }
        return Ok(vec![newest]);
    }
    names.iter().map(|name| one(name, store)).collect()
}

/// Removes the runs of targets that the workspace no longer has, unless all are; their names.
fn leave_gone(newest: &mut Record, targets: &[(String, String)]) -> Vec<String> {
    // The name of a crate has no hyphens.
    let crate_of = |name: &str| name.replace('-', "_");
    let is_gone = |run: &Run| {
        let (package, target) = (&run.header.package, crate_of(&run.header.target));
        !targets
            .iter()
            .any(|(of, name)| of == package && crate_of(name) == target)
    };
    let mut gone: Vec<String> = newest
        .runs()
        .filter(|run| is_gone(run))
        .map(|run| format!("{}/{}", run.header.package, run.header.target))
        .collect();
    gone.sort();
    gone.dedup();
    if newest.runs().all(is_gone) {
        return Vec::new();
    }
    newest.runs.retain(|stored| !is_gone(&stored.run));
    gone
}

fn one(name: &Path, store: &StorePath) -> Result<Record, Stop> {
    if name == "-" || name.exists() {
        let stem = name.file_stem().unwrap_or_default();
        return Ok(Record {
            name: stem.to_string_lossy().into_owned(),
            runs: read_named(name)?,
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
    let store = store.locate()?.store.baseline(baseline);
    if !store.exists() {
        return Err(unknown());
    }
    let targets = store.targets(wall::unix_ns())?;
    warn(&targets);
    let mut runs = Vec::new();
    for file in targets.iter().flat_map(TargetRuns::files) {
        runs.append(&mut read_stored(file).map_err(|why| unreadable(file, &why))?);
    }
    Ok(Record {
        name: baseline.to_owned(),
        runs,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tourbillon_record::{Fact, FactValue};

    use super::*;

    #[test]
    fn targets_that_are_gone_are_left_out_unless_all_are() {
        let stored = |target: &str| StoredRun {
            run: Run {
                header: Header {
                    package: "shop".to_owned(),
                    target: target.to_owned(),
                    ..Header::default()
                },
                ..Run::default()
            },
            sha256: String::new(),
        };
        let left = |targets: &[&str]| {
            let mut newest = Record::empty("newest results");
            newest.runs = ["old", "speed_test", "old"].map(stored).into();
            let own = |name: &&str| ("shop".to_owned(), (*name).to_owned());
            let targets: Vec<(String, String)> = targets.iter().map(own).collect();
            let gone = leave_gone(&mut newest, &targets);
            let kept = newest.runs().map(|run| run.header.target.clone());
            (gone, kept.collect::<Vec<String>>())
        };
        let all = ["old", "speed_test", "old"].map(str::to_owned).to_vec();
        let speed = vec!["speed_test".to_owned()];
        assert_eq!(left(&["speed-test"]), (vec!["shop/old".to_owned()], speed));
        assert_eq!(left(&["speed-test", "old"]), (vec![], all.clone()));
        assert_eq!(left(&["other"]), (vec![], all));
    }

    #[test]
    fn runs_of_another_project_are_none_of_this_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("other")).expect("a folder");
        let of = |folders: &[&str], name: Option<&str>| {
            let located = Located {
                store: Store::open(folder.path()),
                packages: None,
                folders: folders.iter().map(|name| at(name)).collect(),
            };
            let fact = |name: &str| Fact {
                name: "folder".to_owned(),
                value: FactValue::Text(at(name).to_string_lossy().into_owned()),
            };
            located.is_elsewhere(&Header {
                facts: name.into_iter().map(fact).collect(),
                ..Header::default()
            })
        };
        assert!(of(&["own"], Some("other")));
        for (folders, name) in [
            (&["own", "other"][..], Some("other")),
            (&["own"], Some("own")),
            // It was moved, or is of an earlier version, or all are wanted.
            (&["own"], Some("gone")),
            (&["own"], None),
            (&[], Some("other")),
        ] {
            assert!(!of(folders, name), "{folders:?} {name:?}");
        }
    }

    #[test]
    fn a_comparison_that_was_killed_at_once_is_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        let located = Located {
            store: Store::open(folder.path()),
            packages: None,
            folders: Vec::new(),
        };
        let begun = || {
            let store = comparisons(&located.store);
            let writer = store.begin(&Header::default()).expect("a file");
            writer.path().to_owned()
        };
        begun();
        for left in ["", "{\"type\":\"header\",\"sch", "\0\0\0"] {
            fs::write(begun(), left).expect("written");
            assert_eq!(located.comparisons().expect(left).runs.len(), 1);
        }
        fs::write(begun(), "{}\n").expect("written");
        let error = located.comparisons().expect_err("no record");
        assert!(format!("{error:?}").contains("not a header"), "{error:?}");
    }
}
