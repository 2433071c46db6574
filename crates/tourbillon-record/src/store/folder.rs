//! The folder of the store, and how its files are written.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf, absolute};

use super::error::{Error, Kind};
use super::names::{file_name, run_name};
use super::runs::{TargetRuns, entries, runs_in};
use super::writer::RunWriter;
use crate::Header;

/// A folder in which runs are kept.
#[derive(Clone, Debug)]
pub struct Store {
    /// What a user named, or the target directory decides: it may be a link.
    root: PathBuf,
    path: PathBuf,
}

impl Store {
    /// The store at this path, which [`Store::locate`] finds. Nothing is read or created yet.
    pub fn open(path: impl Into<PathBuf>) -> Store {
        let root = path.into();
        let path = root.clone();
        Store { root, path }
    }

    /// The store in a folder of this one. Nothing is read or created yet.
    #[must_use]
    pub fn within(&self, folder: impl AsRef<Path>) -> Store {
        Store {
            root: self.root.clone(),
            path: self.path.join(folder),
        }
    }

    /// Where the store is, as an absolute path: the value of `--store`; else that of the variable
    /// `TOURBILLON_STORE`, where it is set and not empty; else `tourbillon` in the target directory of
    /// the executable. Nothing is created.
    ///
    /// The target directory is the nearest one above the executable with the `CACHEDIR.TAG` that cargo
    /// puts there. It puts one into the folder of a target triple, too, but its `.rustc_info.json` only
    /// into the target directory itself. Where there is no tag (a target directory that existed before
    /// cargo used it), the target directory is two levels above `deps`.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_place`] for an empty `--store`, and for an executable outside a target directory
    /// without `--store` and `TOURBILLON_STORE`.
    pub fn locate(
        flag: Option<&Path>,
        environment: Option<&OsStr>,
        executable: &Path,
    ) -> Result<PathBuf, Error> {
        let environment = environment.filter(|value| !value.is_empty());
        if let Some(named) = flag.or(environment.map(Path::new)) {
            if named.as_os_str().is_empty() {
                return Err(Error::new(Kind::EmptyFlag, named, None));
            }
            return absolute(named).map_err(|error| Error::new(Kind::Create, named, error));
        }
        let executable = absolute(executable).unwrap_or_else(|_| executable.to_owned());
        match target_directory(&executable) {
            Some(target) => Ok(target.join("tourbillon")),
            None => Err(Error::new(Kind::NoPlace, &executable, None)),
        }
    }

    /// Where the store is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file of a run and writes the header into it.
    ///
    /// Its name is the start of the run in UTC and this process's id, so that names sort by time. Two
    /// runs never share a file: when the name is taken, a number is added.
    ///
    /// # Errors
    ///
    /// When a folder or the file cannot be created or the header not be written; then only empty
    /// folders are left. The run itself need not stop.
    pub fn begin(&self, header: &Header) -> Result<RunWriter, Error> {
        let folder = self.folder(&header.package, &header.target);
        self.make(&folder)
            .map_err(|error| Error::new(Kind::Create, &folder, error))?;
        let mut number = 1;
        loop {
            let path = folder.join(run_name(header.started_unix_ns, number));
            match create_new(&path) {
                Ok(file) => return RunWriter::begin(file, path, folder, header),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::new(Kind::Create, &path, error)),
            }
        }
    }

    /// The files of the runs of a target at a time in nanoseconds since the Unix epoch; empty when there are none.
    ///
    /// Files whose names are not those of runs are ignored.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn runs(&self, package: &str, target: &str, now_unix_ns: u64) -> Result<TargetRuns, Error> {
        runs_in(&self.folder(package, target), now_unix_ns)
    }

    /// The files of the runs of every target that has any, in the order of the names of their folders.
    ///
    /// # Errors
    ///
    /// When a folder is there and cannot be read.
    pub fn targets(&self, now_unix_ns: u64) -> Result<Vec<TargetRuns>, Error> {
        let mut targets = Vec::new();
        for package in folders(&self.path.join("runs"))? {
            for target in folders(&package)? {
                targets.push(runs_in(&target, now_unix_ns)?);
            }
        }
        targets.retain(|runs| runs.files().next().is_some());
        Ok(targets)
    }

    /// Creates a folder below the root, which no link leads out of: a commit may hold one, and the oldest files of a
    /// folder are removed.
    pub(super) fn make(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let below = folder.strip_prefix(&self.root).unwrap_or(folder);
        let mut path = self.root.clone();
        for name in below {
            path.push(name);
            if path.is_symlink() {
                let what = format!("{path:?} is a link, and no records are kept where it leads");
                return Err(io::Error::new(ErrorKind::NotADirectory, what));
            }
            match fs::create_dir(&path) {
                Err(error) if !path.is_dir() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn folder(&self, package: &str, target: &str) -> PathBuf {
        let mut folder = self.path.join("runs");
        folder.extend([file_name(package), file_name(target)]);
        folder
    }
}

/// The folders in a folder, in the order of their names; none where it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = entries(folder)?;
    let mut folders: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

/// Creates a file that does not exist yet.
fn create_new(path: &Path) -> io::Result<File> {
    // Append mode: the system decides the place of a write in one step with the write. Windows needs
    // the right to read for the lock.
    let mut options = OpenOptions::new();
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        /// Others may read and write, and not remove or rename (`FILE_SHARE_READ`, `FILE_SHARE_WRITE`).
        const SHARED: u32 = 1 | 2;
        options.share_mode(SHARED);
    }
    options.read(true).append(true).create_new(true).open(path)
}

fn target_directory(executable: &Path) -> Option<&Path> {
    let folders = || executable.ancestors().skip(1);
    let is_tagged = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let is_root = |folder: &&Path| folder.join(".rustc_info.json").is_file();
    if let Some(tagged) = folders().find(is_tagged) {
        // The folder of a target triple is in the target directory.
        let outer = tagged.parent().filter(is_tagged).filter(is_root);
        return outer.filter(|_| !is_root(&tagged)).or(Some(tagged));
    }
    let deps = folders().find(|folder| folder.ends_with("deps"))?;
    deps.parent()?.parent()
}
