//! The folder of records and summaries.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::json;
use tourbillon_record::Run;
use tourbillon_record::store::Draft;
use tourbillon_tool::sha256::sha256;
use tourbillon_values::limits::SUMMARY_BYTES;
use tourbillon_values::regular_file;

use crate::index::json;
use crate::index::{ComparisonSummary, Error, Failure, FileKind, RunSummary};

/// What is wrong with a file of another name.
const OTHER: &str = "its name is that of another file";
/// Digits of a hash.
const DIGITS: usize = 64;
/// Digits that name the folder of a file.
const FOLDER_DIGITS: usize = 2;

/// A folder of records and their summaries.
///
/// Files are `records/XX/HASH.jsonl` and `summaries/XX/HASH.json`, where HASH is the SHA-256 of the record in
/// hexadecimal digits and XX are the first two of them. Comparisons of commits have a summary in `comparisons`. Commits
/// that cannot be measured are in `failures`, under the hash of the file. Changes that a gate has reported are in
/// `reported`, under the hash of comparison and case. No file is changed after it was written.
#[derive(Clone, Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Number of records.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Archive {
    /// An archive in a folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>) -> Archive {
        Archive {
            folder: folder.into(),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Adds the record of a run: its bytes and its summary. `commit` takes the place of the commit in the record.
    /// Whether it was new is returned; adding a record again changes nothing.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, and when the record is there as that of another commit, or of none.
    pub fn add(&self, run: &Run, bytes: &[u8], commit: Option<&str>) -> Result<bool, Error> {
        let hash = sha256(bytes);
        let summary = self.summary_file(FileKind::Run, &hash);
        if is_whole(&summary) {
            return match (commit, self.summary(&hash)) {
                (Some(commit), Ok(known)) if known.commit.as_deref() != Some(commit) => {
                    let known = known.commit.unwrap_or_else(|| "no commit".to_owned());
                    Err(Error::new(
                        &summary,
                        format!(
                            "has this record as that of {known}: remove the file and the index, and add it again"
                        ),
                    ))
                }
                _ => Ok(false),
            };
        }
        self.write(&self.record(&hash), bytes)?;
        // Last: a record without a summary is no part of the archive.
        let text = RunSummary::of(run, &hash, commit).text();
        self.write(&summary, text.as_bytes())?;
        Ok(true)
    }

    /// Adds the record of a comparison: its bytes and its summary, which is returned, with whether it was new; `None`
    /// where it is no comparison of two commits, or has no verdict. Adding it again changes nothing.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn add_comparison(
        &self,
        run: &Run,
        bytes: &[u8],
    ) -> Result<Option<(ComparisonSummary, bool)>, Error> {
        let hash = sha256(bytes);
        let Some(comparison) = ComparisonSummary::of(run, &hash) else {
            return Ok(None);
        };
        let summary = self.summary_file(FileKind::Comparison, &hash);
        let is_new = !is_whole(&summary);
        if is_new {
            self.write(&self.record(&hash), bytes)?;
            self.write(&summary, json::text(&comparison).as_bytes())?;
        }
        Ok(Some((comparison, is_new)))
    }

    /// Fails where no record could be added: before hours are spent on measuring one.
    ///
    /// # Errors
    ///
    /// When no file can be written.
    pub(crate) fn check_writable(&self) -> Result<(), Error> {
        let trial = self.folder.join("records").join("trial");
        self.write(&trial, b"")?;
        // Another process may have removed it.
        let _ = fs::remove_file(&trial);
        Ok(())
    }

    /// Notes that a commit cannot be measured.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn add_failure(&self, failure: &Failure) -> Result<(), Error> {
        let file = self.summary_file(FileKind::Failure, &failure.hash());
        self.write(&file, failure.text().as_bytes())
    }

    /// Whether the archive has a comparison, and no gate has reported what it shows of a case.
    pub(crate) fn is_unreported(&self, comparison: &str, case: &str) -> bool {
        let has = |path: PathBuf| path.exists();
        has(self.summary_file(FileKind::Comparison, comparison))
            && !has(self.reported(comparison, case))
    }

    /// Notes that a gate has reported what a comparison shows of a case.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub(crate) fn note_reported(&self, comparison: &str, case: &str) -> Result<(), Error> {
        let text = json::text(&json!({ "comparison": comparison, "case": case }));
        self.write(&self.reported(comparison, case), text.as_bytes())
    }

    fn reported(&self, comparison: &str, case: &str) -> PathBuf {
        self.file("reported", &sha256(format!("{comparison} {case}")), "json")
    }

    /// The hashes of all files of a kind, in ascending order. Those of runs and comparisons are of their records.
    ///
    /// # Errors
    ///
    /// When a folder cannot be read; none is an empty archive.
    pub fn hashes(&self, of: FileKind) -> Result<Vec<String>, Error> {
        let mut hashes = self.names(of.folder(), "json")?;
        hashes.sort_unstable();
        Ok(hashes)
    }

    /// The summary of a run, by the hash of its record.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is of another record.
    pub fn summary(&self, hash: &str) -> Result<RunSummary, Error> {
        let of = |summary: &RunSummary| summary.record == hash;
        read(
            &self.summary_file(FileKind::Run, hash),
            RunSummary::parse,
            of,
        )
    }

    /// A comparison, by the hash of its record.
    ///
    /// # Errors
    ///
    /// As for [`Archive::summary`].
    pub fn comparison(&self, hash: &str) -> Result<ComparisonSummary, Error> {
        let of = |comparison: &ComparisonSummary| comparison.record == hash;
        let path = self.summary_file(FileKind::Comparison, hash);
        read(&path, ComparisonSummary::parse, of)
    }

    /// A commit that cannot be measured, by the hash of the file.
    ///
    /// # Errors
    ///
    /// As for [`Archive::summary`].
    pub fn failure(&self, hash: &str) -> Result<Failure, Error> {
        let of = |failure: &Failure| failure.hash() == hash;
        read(
            &self.summary_file(FileKind::Failure, hash),
            Failure::parse,
            of,
        )
    }

    /// The file of a record; it does not exist after it was pruned.
    pub fn record(&self, hash: &str) -> PathBuf {
        self.file("records", hash, "jsonl")
    }

    /// Removes the records with these hashes. Their summaries stay. With `dry_run` nothing is removed.
    ///
    /// # Errors
    ///
    /// When a folder cannot be read or a file cannot be removed.
    pub fn prune(&self, old: &HashSet<String>, dry_run: bool) -> Result<Pruned, Error> {
        let mut pruned = Pruned::default();
        for hash in self.names("records", "jsonl")? {
            if !old.contains(&hash) {
                continue;
            }
            let path = self.record(&hash);
            let failed =
                |error: io::Error| Error::new(&path, format!("cannot be removed: {error}"));
            let bytes = fs::metadata(&path).map(|about| about.len());
            let removed = bytes.and_then(|bytes| {
                if !dry_run {
                    fs::remove_file(&path)?;
                }
                Ok(bytes)
            });
            match removed {
                Ok(bytes) => {
                    pruned.bytes += bytes;
                    pruned.records += 1;
                }
                // Another program was first.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(pruned)
    }

    /// The file of a summary.
    pub(crate) fn summary_file(&self, of: FileKind, hash: &str) -> PathBuf {
        self.file(of.folder(), hash, "json")
    }

    fn file(&self, kind: &str, hash: &str, extension: &str) -> PathBuf {
        let folder = hash.get(..FOLDER_DIGITS).unwrap_or(hash);
        let folder = self.folder.join(kind).join(folder);
        folder.join(format!("{hash}.{extension}"))
    }

    /// The names of files that are hashes, without the extension.
    fn names(&self, kind: &str, extension: &str) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        let all = self.folder.join(kind);
        refuse_link(&all)?;
        for folder in entries(&all)? {
            if !folder.is_dir() {
                continue;
            }
            refuse_link(&folder)?;
            for file in entries(&folder)? {
                let is_ours = file.extension().is_some_and(|found| found == extension);
                let name = file.file_stem().and_then(|name| name.to_str());
                names.extend(
                    name.filter(|name| is_ours && is_hash(name))
                        .map(str::to_owned),
                );
            }
        }
        Ok(names)
    }

    /// Writes a file under its name at once: another process sees all of it or nothing.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error: io::Error| Error::new(path, format!("cannot be written: {error}"));
        if let Some(folder) = path.parent() {
            // Those that the archive makes, and not the one that the user names.
            folder.ancestors().take(2).try_for_each(refuse_link)?;
            fs::create_dir_all(folder).map_err(failed)?;
        }
        Draft::write(path, bytes).map_err(failed)
    }
}

/// Whether a file of JSON is there as it was written: a crash of the machine may leave an empty one.
fn is_whole(path: &Path) -> bool {
    let bytes = regular_file::read(path, SUMMARY_BYTES);
    bytes.is_ok_and(|bytes| serde_json::from_slice::<IgnoredAny>(&bytes).is_ok())
}

/// Reads a file of bounded size, whose contents are those that its name stands for.
fn read<T>(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<T, String>,
    is_named: impl Fn(&T) -> bool,
) -> Result<T, Error> {
    let failed = |error: io::Error| Error::new(path, format!("cannot be read: {error}"));
    let bytes = regular_file::read(path, SUMMARY_BYTES).map_err(failed)?;
    match parse(&bytes) {
        Ok(value) if is_named(&value) => Ok(value),
        Ok(_) => Err(Error::new(path, OTHER)),
        Err(what) => Err(Error::new(path, what)),
    }
}

fn is_hash(name: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.len() == DIGITS && name.bytes().all(is_digit)
}

/// Fails for a link: who may write to an archive could lead what is written or removed to any place.
fn refuse_link(folder: &Path) -> Result<(), Error> {
    let what = "is a link, which is not followed; put the folder in its place";
    if folder.is_symlink() {
        Err(Error::new(folder, what))
    } else {
        Ok(())
    }
}

/// The paths in a folder; none if it does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: io::Error| Error::new(folder, format!("cannot be read: {error}"));
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed));
    paths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_no_record_says_so_before_one_is_measured() {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = Archive::new(folder.path().join("history"));
        archive.check_writable().expect("a folder that is made");
        assert!(archive.names("records", "jsonl").expect("names").is_empty());
        let file = folder.path().join("history/records/trial");
        assert!(!file.exists());
        fs::remove_dir(folder.path().join("history/records")).expect("an empty folder");
        fs::write(folder.path().join("history/records"), "").expect("a file");
        let error = archive.check_writable().expect_err("no folder");
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }
}
