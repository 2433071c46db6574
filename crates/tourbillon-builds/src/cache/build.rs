//! Builds, and how they are stored.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::WalkDir;

use crate::cache::lock::{Lock, USED};
use crate::cache::programs::around;
use crate::cache::{BUILDS, Cache, used_of};
use crate::compile::program_variables::variables_of_program;
use crate::compile::shared_libraries::library_path;
use crate::compile::surroundings::Surroundings;
use crate::compile::target_directory::stamp_of;
use crate::compile::targets::Target;
use crate::error::{Error, Log, Result, refused};
use crate::invocation::Invocation;
use crate::key::Digest;
use crate::placement::Placements;
use crate::placement::relink::NotRelinkable;
use crate::source::revision_files::{HeldFiles, RevisionFiles};

/// The file that describes a build in its folder.
pub(crate) const FILE: &str = "build.json";
/// The folder of an executable's objects, beside it: a target may have any name without a dot.
pub(crate) const OBJECTS: &str = "objects.d";
/// The folder of its placements.
pub(crate) const PLACED: &str = "placed.d";
/// The folder of the shared libraries of its build that it needs.
pub(crate) const LIBRARIES: &str = "libraries.d";

/// The version of the file; builds of other versions are made again.
const SCHEMA: u32 = 9;

/// The executables of one side of a comparison.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Build {
    /// The name that is shown: `main (1a2b3c4)`, `working tree`, `features=simd`.
    pub label: String,
    /// The commit that was built, or that the working tree is based on.
    pub commit: Option<String>,
    /// Whether the files differ from the commit.
    pub dirty: bool,
    /// How it differs from the plain build; empty if it does not.
    pub flags: String,
    /// The compiler; empty if unknown.
    pub toolchain: String,
    /// Variables that its programs are started with.
    pub environment: Vec<(String, String)>,
    /// Folders of local packages outside of the workspace. Cargo passes a hash of their paths to the compiler,
    /// so that the same code in another folder may be inlined differently.
    pub outside: Vec<PathBuf>,
    /// The files of its checkout that decide how it is built, each with a hash of its contents; `None` where that is
    /// not known.
    #[serde(default)]
    pub decisive: Option<BTreeMap<PathBuf, String>>,
    /// A hash of what decides how it is built and is not of its checkout: flags, variables, and cargo's configuration of
    /// the machine. Empty where it is not known.
    #[serde(default)]
    pub way: String,
    /// What its code and its build scripts read besides the commit, where its key is that of its sources.
    #[serde(default)]
    pub surroundings: Surroundings,
    /// The files of its checkout that its programs may read when they run, which are no sources, each with a hash; `None`
    /// where they are not known.
    #[serde(default)]
    pub data: Option<BTreeMap<PathBuf, String>>,
    /// The target directories that it was built in; empty where they are not known.
    #[serde(default)]
    pub target_folders: Vec<PathBuf>,
    /// Which build in its target directories it is; `None` where its programs name nothing that is built there.
    #[serde(default)]
    pub stamp: Option<String>,
    /// When it was built, in nanoseconds since the Unix epoch.
    pub built_unix_ns: u64,
    /// Its executables.
    pub executables: Vec<Executable>,
    /// The folder of the file that it is a copy of; `None` where it was built here.
    #[serde(skip)]
    pub origin: Option<PathBuf>,
    /// The folder that it is stored in.
    #[serde(skip)]
    pub folder: PathBuf,
    /// While this is held, the build is not pruned.
    #[serde(skip)]
    pub hold: Option<Hold>,
    /// Where the files of its revision are checked out, among which its programs may run.
    #[serde(skip)]
    pub files: Option<RevisionFiles>,
}

impl Build {
    /// Whether its programs may start or read what was built in its target directories, and another build was made there
    /// since.
    #[must_use]
    pub fn is_built_over(&self) -> bool {
        self.stamp.is_some() && self.stamp != stamp_of(&self.target_folders)
    }

    /// Whether it may be measured where its target directories have another build, or are not there.
    ///
    /// # Errors
    ///
    /// When its programs may start or read what is built there.
    pub(crate) fn check_apart(&self) -> Result<()> {
        match self.target_folders.first().filter(|_| self.stamp.is_some()) {
            None => Ok(()),
            Some(folder) => Err(Error::Usage(format!(
                "the programs of {} name their target directory {folder:?}, as by OUT_DIR or CARGO_BIN_EXE_*; saved or \
                 elsewhere they would start or read what is there then; compare revisions, which are built when needed",
                self.label
            ))),
        }
    }

    /// The folders of its packages, each once.
    pub(crate) fn homes(&self) -> Vec<&Path> {
        let homes = self.executables.iter();
        let homes = homes.filter_map(|executable| executable.home.as_deref());
        homes.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Locks on a stored build, and on the clone whose files its programs read.
#[derive(Clone, Debug)]
pub struct Hold {
    _locks: Vec<Arc<Lock>>,
}

impl Hold {
    fn new(lock: Lock) -> Hold {
        Hold {
            _locks: vec![Arc::new(lock)],
        }
    }
}

/// A bench target that was built.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Executable {
    /// The name of its package; empty for a file.
    pub package: String,
    /// The name of the target, or of the file.
    pub target: String,
    /// A copy that no later build changes; relative to the build's folder in the file.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// Hash of its folder when it was stored.
    pub fingerprint: String,
    /// The folder of its package, in which cargo would run it; `None` for a file.
    pub home: Option<PathBuf>,
    /// Variables that cargo has for it.
    pub environment: Vec<(String, String)>,
    /// Those of them that its build script set.
    #[serde(default)]
    pub scripted: BTreeSet<String>,
    /// The files of the programs of its package, in the folder above `deps` with the executable.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The words of the program through which cargo would start it, and a comparison does not; mostly none.
    #[serde(default)]
    pub runner: Vec<String>,
    /// The identity of its measuring engine.
    pub engine: String,
    /// The version of its worker protocol.
    pub protocol: u32,
    /// Its placements, or why it has none.
    #[serde(skip, default = "not_requested")]
    pub placements: Result<Placements, NotRelinkable>,
}

impl Default for Executable {
    fn default() -> Executable {
        Executable::new(&Target::default(), PathBuf::new())
    }
}

fn not_requested() -> Result<Placements, NotRelinkable> {
    Err(NotRelinkable::NotRequested)
}

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct Stored<B> {
    schema: u32,
    #[serde(flatten)]
    build: B,
}

impl Build {
    /// The first digits of the commit.
    #[must_use]
    pub fn short_commit(&self) -> Option<&str> {
        let commit = self.commit.as_deref()?;
        Some(commit.get(..7).unwrap_or(commit))
    }

    /// The name of its folder in the cache; `None` for a build that is saved under a name of its own.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        let above = self.folder.parent()?.file_name()?;
        let name = self.folder.file_name()?.to_str()?;
        (above == BUILDS).then_some(name)
    }

    /// The same build, and the folder of its repository is not removed while it is held.
    pub(crate) fn holding(mut self, repository: &Path) -> Result<Build> {
        let Some(lock) = Lock::share(&used_of(repository))? else {
            return Ok(self);
        };
        match &mut self.hold {
            Some(hold) => hold._locks.push(Arc::new(lock)),
            None => self.hold = Some(Hold::new(lock)),
        }
        Ok(self)
    }

    /// Holds the files of the last revision among builds that were made in this order: their programs may read them.
    /// `None` where none is of a revision.
    ///
    /// # Errors
    ///
    /// When the files of that revision cannot be checked out again.
    pub fn hold_files(builds: &[Build], log: Log) -> Result<Option<HeldFiles>> {
        let last = builds.iter().rev().find_map(|build| build.files.as_ref());
        last.map(|files| files.hold(log)).transpose()
    }

    /// The first executable that changed since it was stored, or whose objects did: after a full disk, a
    /// power loss, or a write by another program.
    pub(crate) fn damaged(&self) -> Option<&Path> {
        let damaged = self.executables.iter().find(|executable| {
            let now = fingerprint(around(&executable.path));
            !matches!(now, Ok(now) if now == executable.fingerprint)
        });
        damaged.map(|executable| executable.path.as_path())
    }

    /// The same build in another folder, under another name.
    pub(crate) fn moved(&self, folder: &Path, label: &str) -> Build {
        let mut moved = self.clone();
        for executable in &mut moved.executables {
            if let Ok(within) = executable.path.strip_prefix(&self.folder) {
                executable.path = folder.join(within);
            }
        }
        label.clone_into(&mut moved.label);
        folder.clone_into(&mut moved.folder);
        moved
    }

    /// Writes the description of the build into its folder.
    pub(crate) fn write(&self) -> Result<()> {
        let file = self.folder.join(FILE);
        let stored = Stored {
            schema: SCHEMA,
            build: self.moved(Path::new(""), &self.label),
        };
        serde_json::to_vec(&stored)
            .map_err(io::Error::from)
            .and_then(|json| fs::write(&file, json))
            .map_err(|error| refused(&file, "written", &error))
    }

    /// The build in a folder, locked while it lives; `None` if there is none of this version, or if it is
    /// being removed.
    ///
    /// With `relink`, checks that its executables can be relinked.
    pub(crate) fn read(folder: &Path, relink: bool, log: Log) -> Result<Option<Build>> {
        // Checked before the lock is taken, because that creates the folder.
        if !folder.join(FILE).is_file() {
            return Ok(None);
        }
        let Some(hold) = Lock::share(&folder.join(USED))? else {
            return Ok(None);
        };
        // A program that removes the build begins with this file.
        let Ok(json) = regular_file::read(&folder.join(FILE), DESCRIPTION_BYTES) else {
            return Ok(None);
        };
        let mut build = match serde_json::from_slice::<Stored<Build>>(&json) {
            Ok(stored) if stored.schema == SCHEMA => stored.build,
            _ => return Ok(None),
        };
        for executable in &mut build.executables {
            executable.path = folder.join(&executable.path);
            if !executable.path.is_file() {
                return Ok(None);
            }
            if relink && let Some(around) = executable.path.parent() {
                let (objects, placed) = (around.join(OBJECTS), around.join(PLACED));
                let programs = Vec::from_iter(executable.programs());
                executable.placements =
                    Placements::open(&objects, &placed, &executable.target, programs, log);
            }
        }
        folder.clone_into(&mut build.folder);
        build.hold = Some(Hold::new(hold));
        Ok(Some(build))
    }
}

impl Cache {
    /// The build in a folder of this name; `None` where it is gone or damaged.
    ///
    /// # Errors
    ///
    /// When it cannot be locked.
    pub fn kept(&self, key: &str) -> Result<Option<Build>> {
        // Names come from records.
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        let build = Build::read(&self.builds().join(key), false, self.log)?;
        Ok(build.filter(|build| build.damaged().is_none()))
    }
}

/// The label of the build in a folder, whatever its version; for lists, which do not count as a use.
pub(crate) fn stored_label(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Labelled {
        label: String,
    }
    let json = regular_file::read(&folder.join(FILE), DESCRIPTION_BYTES).ok()?;
    let stored: Labelled = serde_json::from_slice(&json).ok()?;
    Some(stored.label)
}

impl Executable {
    /// A copy of a target, of which nothing else is known yet.
    pub(crate) fn new(target: &Target, path: PathBuf) -> Executable {
        Executable {
            package: target.package.clone(),
            target: target.name.clone(),
            path,
            fingerprint: String::new(),
            home: (!target.package.is_empty()).then(|| target.folder.clone()),
            environment: target.environment.clone(),
            scripted: target.scripted.clone(),
            programs: Vec::new(),
            runner: target.runner.clone(),
            engine: String::new(),
            protocol: 0,
            placements: not_requested(),
        }
    }

    /// The name that is shown.
    #[must_use]
    pub fn name(&self) -> String {
        match self.package.as_str() {
            "" => self.target.clone(),
            package => format!("{package}/{}", self.target),
        }
    }

    /// The folder of its package, if this machine has it: the clone may hold another revision by now, without this folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.home.as_deref().filter(|home| home.is_dir())
    }

    /// The programs of its package.
    pub(crate) fn programs(&self) -> impl Iterator<Item = PathBuf> {
        let folder = around(&self.path);
        self.programs.iter().map(|name| folder.join(name))
    }

    /// The folder of the shared libraries that were built with it; `None` if it needs none.
    pub(crate) fn libraries(&self) -> Option<PathBuf> {
        let folder = self.path.with_file_name(LIBRARIES);
        folder.is_dir().then_some(folder)
    }

    /// The variables that it is started with: those of its build, and cargo's.
    #[must_use]
    pub fn variables(&self, build: &Build) -> Vec<(OsString, OsString)> {
        let own = build.environment.iter();
        let mut variables: Vec<(OsString, OsString)> = own
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        variables.extend(variables_of_program(&self.environment, self.folder()));
        if let Some(path) = library_path(self.libraries().as_slice(), &variables) {
            variables.retain(|(name, _)| *name != path.0);
            variables.push(path);
        }
        variables
    }

    /// The program as cargo would start it: in the folder of its package, with cargo's variables.
    #[must_use]
    pub fn invocation(&self, build: &Build) -> Invocation {
        let mut invocation = Invocation::new(&self.path);
        let process = invocation.process();
        process.envs(self.variables(build));
        if let Some(folder) = self.folder() {
            process.current_dir(folder);
        }
        invocation
    }
}

/// A hash of the names and contents of the files in the folder of an executable: the executable, its libraries, what it is
/// linked from, and the programs of its package. Placements have their own, and links lead to files of the user.
pub(crate) fn fingerprint(folder: &Path) -> io::Result<String> {
    let mut digest = Digest::default();
    for entry in WalkDir::new(folder)
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_name() != PLACED && !entry.path_is_symlink())
    {
        let entry = entry?;
        digest = digest.part(entry.file_name().as_encoded_bytes());
        if !entry.file_type().is_dir() {
            digest = digest.file(entry.path())?;
        }
    }
    Ok(digest.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_of_a_record_leads_out_of_the_builds() {
        let cache = Cache::at(Path::new("/cache"));
        for key in ["", ".", "..", "../saved/a", "/tmp", "a b"] {
            assert!(cache.kept(key).expect("no error").is_none(), "{key:?}");
        }
    }

    #[test]
    fn a_build_is_read_back_from_where_it_was_moved() {
        let root = tempfile::tempdir().expect("a folder");
        let (first, then) = (root.path().join("first"), root.path().join("then"));
        fs::create_dir_all(first.join("0")).expect("a folder");
        fs::write(first.join("0/sort"), "").expect("a file");
        let build = Build {
            label: "main (1a2b3c4)".to_owned(),
            commit: Some("1a2b3c4".to_owned()),
            dirty: true,
            flags: "env=A=b".to_owned(),
            toolchain: "rustc 1".to_owned(),
            environment: vec![("A".to_owned(), "b".to_owned())],
            outside: vec![PathBuf::from("/w")],
            decisive: Some([(PathBuf::from("Cargo.toml"), "0".to_owned())].into()),
            way: "w".to_owned(),
            data: Some([(PathBuf::from("a b"), "1".to_owned())].into()),
            target_folders: vec![PathBuf::from("/w/target")],
            stamp: None,
            surroundings: Surroundings::of_another_path(),
            built_unix_ns: 1 << 60,
            executables: vec![Executable {
                package: "shop".to_owned(),
                target: "sort".to_owned(),
                path: first.join("0/sort"),
                home: Some(PathBuf::from("/w/shop")),
                environment: vec![("B".to_owned(), "c".to_owned())],
                scripted: ["B".to_owned()].into(),
                programs: Vec::new(),
                runner: vec!["nice".to_owned()],
                fingerprint: fingerprint(&first.join("0")).expect("a folder"),
                engine: "e".to_owned(),
                protocol: 1,
                placements: not_requested(),
            }],
            origin: None,
            folder: first.clone(),
            hold: None,
            files: None,
        };
        let read = |folder: &Path, relink| Build::read(folder, relink, |_| ()).expect("no error");
        build.write().expect("written");
        fs::rename(&first, &then).expect("moved");
        assert!(read(&first, true).is_none());
        let again = read(&then, false).expect("a build");
        assert_eq!(again.executables[0].path, then.join("0/sort"));
        let alone = Lock::alone(&then.join(USED)).expect("a lock");
        assert!(alone.is_none(), "it is in use");
        #[cfg(unix)]
        {
            let other = root.path().join("other");
            fs::write(&other, "kept").expect("a file");
            fs::remove_file(then.join(USED)).expect("a file");
            std::os::unix::fs::symlink(&other, then.join(USED)).expect("a link");
            read(&then, false).expect("a build");
            assert_eq!(fs::read_to_string(&other).expect("a file"), "kept");
        }
        let plain = |build: &Build| {
            let mut build = build.moved(Path::new(""), &build.label);
            build.hold = None;
            format!("{build:?}")
        };
        assert_eq!(plain(&again), plain(&build));
        assert_eq!(again.damaged(), None);
        fs::create_dir_all(then.join("0").join(PLACED)).expect("a folder");
        assert_eq!(again.damaged(), None);
        for damage in ["a", "b"] {
            fs::write(then.join("0/sort"), damage).expect("a file");
            assert_eq!(again.damaged(), Some(then.join("0/sort").as_path()));
        }
        let placed = read(&then, true).expect("a build");
        let reason = placed.executables[0].placements.as_ref().expect_err("none");
        assert_eq!(*reason, NotRelinkable::NoObjects);
        fs::remove_file(then.join("0/sort")).expect("removed");
        assert!(read(&then, true).is_none());
    }
}
