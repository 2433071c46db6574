//! The folder of a benchmark: its results, and those that were saved under names.

use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use tourbillon_criterion_files::{Batch, Estimates, Files, folder_name};
use tourbillon_record::store::{Draft, Found};
use tourbillon_record::{Case, CaseResult, Entry, Header, Results};
use tourbillon_values::{own_folder, regular_file};

use super::contents;
use crate::amount::Amount;
use crate::baseline::LAST;
use crate::change::Change;
use crate::process::BenchmarkName;

/// The results of the last run.
const NEW: &str = "new";
/// A record of the benchmark without its samples, which later runs are compared with.
pub(crate) const RECORD: &str = "tourbillon.jsonl";

/// The folder of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Folder {
    /// The folder of all benchmarks.
    pub(crate) root: PathBuf,
    /// The path below it.
    pub(crate) directory: PathBuf,
}

/// What is written into the folder of a benchmark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'w> {
    pub(crate) named: &'w BenchmarkName,
    pub(crate) case: &'w Case,
    pub(crate) throughput: Option<Amount>,
    pub(crate) header: &'w Header,
    /// For every metric.
    pub(crate) results: &'w [CaseResult],
    pub(crate) batches: &'w [Batch],
    pub(crate) change: Option<&'w Change>,
    /// The name under which the results are saved.
    pub(crate) save: Option<&'w str>,
}

impl Folder {
    /// Writes the files of a benchmark. Without a figure, these are a record that says so and nothing else; the last
    /// figure stays in [`LAST`].
    ///
    /// # Errors
    ///
    /// The first file that could not be written.
    pub(crate) fn write(&self, written: &Written<'_>) -> Result<(), String> {
        let new = written.files(&self.directory);
        let change = written.change.map(contents::change);
        self.write_all(NEW, &new)?;
        self.write_all("change", &[("estimates.json", change)])?;
        match written.save {
            Some(LAST) if !written.has_figure() => Ok(()),
            Some(name) => self.write_all(saved(name), &new),
            None => Ok(()),
        }
    }

    fn write_all(
        &self,
        folder: impl AsRef<Path>,
        files: &[(&str, Option<String>)],
    ) -> Result<(), String> {
        let below = self.directory.join(folder);
        let folder = own_folder::below(&self.root, &below).map_err(|error| error.to_string())?;
        for (name, content) in files {
            let path = folder.join(name);
            let done = match content {
                Some(content) => {
                    fs::create_dir_all(&folder).and_then(|()| Draft::write(&path, content))
                }
                None => remove(&path),
            };
            done.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// The results that were saved under a name; `None` where there are none.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub(crate) fn read(&self, case: &str, name: &str) -> Result<Option<Found>, String> {
        let path = self.path().join(saved(name)).join(RECORD);
        let file = match regular_file::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let results = match Results::read(&mut BufReader::new(file)) {
            Ok(Ok(results)) => results,
            Ok(Err(error)) => return Err(format!("{}: {error}", path.display())),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let (header, mut results) = (results.header, results.results);
        results.retain(|result| result.case == case);
        Ok((!results.is_empty()).then_some(Found {
            path,
            header,
            results,
        }))
    }

    /// The names under which results were saved.
    pub(crate) fn baselines(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().flatten();
        let saved = entries.filter(|entry| entry.path().join(RECORD).is_file());
        let names = saved.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name != NEW).collect();
        names.sort();
        names
    }

    fn path(&self) -> PathBuf {
        self.root.join(&self.directory)
    }
}

impl Written<'_> {
    fn main(&self) -> Option<&CaseResult> {
        self.results.iter().find(|result| result.metric.is_main())
    }

    fn has_figure(&self) -> bool {
        self.main().and_then(Estimates::of).is_some()
    }

    /// The files with their contents; a file without content is removed.
    fn files(&self, directory: &Path) -> Vec<(&'static str, Option<String>)> {
        let main = self.main();
        let estimates = main.and_then(Estimates::of);
        let of_criterion = Files {
            named: self.named,
            id: &self.case.id,
            throughput: self.throughput,
            // On every system, as criterion writes it.
            directory: &directory.to_string_lossy().replace('\\', "/"),
            estimates: estimates.as_ref(),
            batches: self.batches,
        };
        let mut files = vec![(RECORD, Some(self.record()))];
        if cfg!(feature = "csv_output") {
            let unit = main.map_or("", CaseResult::unit);
            let csv = contents::raw_csv(self.named, self.throughput, unit, self.batches);
            files.push(("raw.csv", estimates.is_some().then_some(csv)));
        }
        files.extend(of_criterion.contents());
        files
    }

    /// The lines of the benchmark in the record of the run, without samples.
    fn record(&self) -> String {
        let entries = [Entry::Header(self.header), Entry::Case(self.case)].into_iter();
        let lines = entries.chain(self.results.iter().map(Entry::Result));
        lines.map(|entry| entry.encode() + "\n").collect()
    }
}

/// The folder of results that are saved under a name, below that of the benchmark; with slashes in the name, folders
/// in each other. The code of a suite may name any.
fn saved(name: &str) -> PathBuf {
    let parts = name.split('/').map(|part| match part {
        "" => "_".to_owned(),
        part => folder_name(part),
    });
    parts.collect()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Absence;

    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for (name, expected) in [
            ("base", "base"),
            ("pull/17", "pull/17"),
            ("../../x", "__/__/x"),
            ("/etc/x", "_/etc/x"),
            (".", "_"),
            ("", "_"),
            ("a\\..\\b:c", "a_.._b_c"),
        ] {
            assert_eq!(saved(name), Path::new(expected), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_folder_is_not_followed() {
        let root = std::env::temp_dir().join(format!("tourbillon-link-{}", std::process::id()));
        let folder = Folder {
            root: root.join("criterion"),
            directory: PathBuf::from("a"),
        };
        fs::create_dir_all(root.join("away")).expect("a folder");
        fs::create_dir_all(folder.path()).expect("a folder");
        std::os::unix::fs::symlink("../../away", folder.path().join(NEW)).expect("a link");
        let kept = root.join("away/estimates.json");
        fs::write(&kept, "kept").expect("a file");
        // Neither are files removed there.
        for content in [Some("new".to_owned()), None] {
            let written = folder.write_all(NEW, &[("estimates.json", content)]);
            assert!(written.is_err_and(|why| why.contains("new is a link")));
            assert_eq!(fs::read_to_string(&kept).expect("a file"), "kept");
        }
        fs::remove_dir_all(root).expect("the folder");
    }

    #[test]
    fn a_benchmark_without_figure_has_a_record_of_that() {
        let root = std::env::temp_dir().join(format!("tourbillon-folder-{}", std::process::id()));
        let folder = Folder {
            root: root.clone(),
            directory: PathBuf::from("a"),
        };
        let case = Case {
            id: "a".to_owned(),
            ..Case::default()
        };
        let header = Header::default();
        let write = |estimate, save| {
            let result = CaseResult {
                case: "a".to_owned(),
                estimate,
                ..CaseResult::default()
            };
            folder.write(&Written {
                named: &BenchmarkName::default(),
                case: &case,
                throughput: None,
                header: &header,
                results: &[result],
                batches: &[],
                change: None,
                save: Some(save),
            })
        };
        let found = |name| {
            let found = folder.read("a", name).expect("a record");
            found.map(|found| found.results[0].estimate)
        };
        let busy = Err(Absence::MachineBusy);
        for (estimate, base, named) in [
            (busy, None, Some(busy)),
            (Ok(7.0), Some(Ok(7.0)), Some(Ok(7.0))),
            // The last figure stays; results under a name are those of one run.
            (busy, Some(Ok(7.0)), Some(busy)),
            (Ok(8.0), Some(Ok(8.0)), Some(Ok(8.0))),
        ] {
            write(estimate, "base").expect("files");
            write(estimate, "named").expect("files");
            let all = (found("new"), found("base"), found("named"));
            assert_eq!(all, (Some(estimate), base, named), "{estimate:?}");
            let has_estimates = folder.path().join("named/estimates.json").exists();
            assert_eq!(has_estimates, estimate.is_ok());
        }
        assert_eq!(folder.baselines(), ["base", "named"]);
        assert_eq!(
            folder
                .read("b", "new")
                .expect("no record")
                .map(|found| found.path),
            None
        );
        fs::remove_dir_all(root).expect("the folder");
    }
}
