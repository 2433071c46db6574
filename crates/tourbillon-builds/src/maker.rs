//! Makes builds.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::build::Build;
use super::build_error::{does_not_build, ours};
use super::cache::{Cache, lock_of, refused, target_of};
use super::clone::Clone;
use super::compile::Compile;
use super::git::Repository;
use super::inputs::{contents, digest};
use super::keep::{About, Keeper};
use super::key::Digest;
use super::lock::Lock;
use super::record;
use super::subject::{Selection, Subject};
use super::toolchain::Toolchain;
use super::users_lock::UsersLock;
use super::variation::Variation;
use crate::targets::{Kind, Target, Workspace, kind};
use crate::{Stop, say};

/// Digits of a commit in labels.
const SHORT: usize = 7;

/// Target directories in the folder of a repository: for revisions, for the working tree if the
/// user's is not used, and for variations.
const REVISIONS: &str = "target";
const TREE: &str = "tree";
const VARIATIONS: &str = "variations";

/// Makes builds of the package or workspace around the current folder.
#[derive(Debug)]
pub struct Maker {
    keeper: Keeper,
    selection: Selection,
    folder: PathBuf,
    repository: Option<Repository>,
}

impl Maker {
    /// With `place`, what executables are linked from is kept, so that they can be relinked.
    pub fn new(cache: Cache, selection: Selection, place: bool) -> Result<Maker, Stop> {
        let folder = env::current_dir().map_err(|error| {
            Stop::Environment(format!("the current folder is unknown: {error}"))
        })?;
        Ok(Maker {
            keeper: Keeper { cache, place },
            selection,
            repository: Repository::around(&folder),
            folder,
        })
    }

    /// Builds a subject, or finds it in the cache.
    pub fn make(&self, subject: &Subject) -> Result<Build, Stop> {
        match subject {
            Subject::Revision(name) => self.revision(name),
            Subject::WorkingTree => self.tree(&Variation::default()),
            Subject::With(variation) => self.tree(variation),
            Subject::File(path) => self.file(path),
            Subject::Saved(name) => self.saved(name),
        }
    }

    /// The commit that a name stands for, if there is a repository that knows it.
    pub fn commit(&self, name: &str) -> Option<String> {
        self.repository.as_ref()?.commit(name)
    }

    /// Whether a subject exists, as far as that is known before a build.
    pub fn check(&self, subject: &Subject) -> Result<(), Stop> {
        match subject {
            Subject::Revision(name) => self.known(name).map(|_| ()),
            Subject::WorkingTree => Ok(()),
            Subject::With(variation) => Toolchain::of(variation, &self.folder).map(|_| ()),
            Subject::File(path) => usable(path),
            Subject::Saved(name) => match self.keeper.cache.saved(name).is_dir() {
                true => Ok(()),
                false => Err(unsaved(name)),
            },
        }
    }

    /// The repository, and the commit that a name stands for.
    fn known(&self, name: &str) -> Result<(&Repository, String), Stop> {
        let Some(repository) = &self.repository else {
            let what = format!(
                "{name} cannot be built: {:?} is not in a git repository",
                self.folder
            );
            return Err(Stop::Usage(format!(
                "{what}; compare executables with --bin OLD NEW"
            )));
        };
        let commit = repository.commit(name).ok_or_else(|| {
            Stop::Usage(format!(
                "git does not know the revision {name:?}; fetch it with `git fetch`, or find one with \
                 `git log --oneline --all`"
            ))
        })?;
        Ok((repository, commit))
    }

    fn revision(&self, name: &str) -> Result<Build, Stop> {
        let (repository, commit) = self.known(name)?;
        let plain = Variation::default();
        let toolchain = Toolchain::of(&plain, &self.folder)?;
        let short = commit.get(..SHORT).unwrap_or(&commit);
        let about = About {
            label: match commit.starts_with(name) {
                true => short.to_owned(),
                false => format!("{name} ({short})"),
            },
            commit: Some(commit.clone()),
            toolchain: toolchain.short().to_owned(),
            ..About::default()
        };
        let place = self.keeper.cache.repository(&repository.git);
        let _alone = Lock::wait(&lock_of(&place), "this repository")?;
        // Also for a cached build: programs may read files of the checkout.
        let clone = Clone::at(&place, repository, &commit)?;
        let folder = clone.path().join(&repository.within);
        if !folder.is_dir() {
            let within = repository.within.display();
            return Err(Stop::Usage(format!(
                "{} has no folder {within}; run from the root of the repository",
                about.label
            )));
        }
        let locked = self.lend_lock(repository, clone.path())?;
        let key = self
            .digest(&plain, &toolchain)
            .part(repository.git.to_string_lossy().as_bytes())
            .part(repository.within.to_string_lossy().as_bytes())
            .part(&commit)
            .part(&locked);
        let base = key.clone().key();
        if let Some(build) = self.keeper.kept(&base, &about)? {
            return Ok(build);
        }
        say(&format!("building {}\n", about.label));
        let mut cargo = toolchain.cargo_elsewhere();
        cargo.current_dir(&folder);
        // If cargo finds no workspace, it reports the reason when it builds.
        let root = Workspace::of(cargo).map_or(folder.clone(), |workspace| workspace.root);
        let compile = Compile {
            selection: &self.selection,
            variation: &plain,
            toolchain: &toolchain,
            folder: &folder,
            target: Some(target_of(&place, REVISIONS, &root)),
            elsewhere: true,
        };
        let built = compile
            .targets()
            .map_err(|stop| does_not_build(stop, &about.label, Some(clone.path())))?;
        let targets = ours(built.targets, &about.label)?;
        // Code outside the revision may change without it; then the executables are the key.
        let outside = built
            .local
            .iter()
            .any(|local| !local.starts_with(clone.path()));
        let key = match outside {
            true => contents(key, &targets)?,
            false => base,
        };
        self.keeper.keep(&key, about, &targets, Some(&compile))
    }

    /// The working tree, in the user's target directory unless that would rebuild everything or
    /// another checkout is built in it.
    fn tree(&self, variation: &Variation) -> Result<Build, Stop> {
        let toolchain = Toolchain::of(variation, &self.folder)?;
        let repository = self.repository.as_ref();
        let about = About {
            label: match variation.text.as_str() {
                "" => "working tree".to_owned(),
                text => text.to_owned(),
            },
            commit: repository.and_then(|repository| repository.commit("HEAD")),
            dirty: repository.is_some_and(Repository::dirty),
            flags: variation.text.clone(),
            toolchain: toolchain.short().to_owned(),
            environment: variation.environment.clone(),
        };
        let place = self
            .keeper
            .cache
            .repository(repository.map_or(&self.folder, |repository| &repository.git));
        // Executables of two builds may have one path in the target directory.
        let _alone = Lock::wait(&lock_of(&place), "this repository")?;
        let mut cargo = toolchain.cargo();
        cargo.current_dir(&self.folder);
        let workspace = Workspace::of(cargo).ok();
        let root = workspace.as_ref().map_or(&self.folder, |found| &found.root);
        let shared = workspace.as_ref().is_some_and(Workspace::shares_its_builds);
        let kind = match (variation.rebuilds_all(), shared) {
            (true, _) => Some(VARIATIONS),
            (false, true) => Some(TREE),
            (false, false) => None,
        };
        let _as_it_was = UsersLock::of(root);
        say(&format!("building {}\n", about.label));
        let compile = Compile {
            selection: &self.selection,
            variation,
            toolchain: &toolchain,
            folder: &self.folder,
            target: kind.map(|kind| target_of(&place, kind, root)),
            elsewhere: false,
        };
        let built = compile
            .targets()
            .map_err(|stop| does_not_build(stop, &about.label, None))?;
        let targets = ours(built.targets, &about.label)?;
        let key = contents(self.digest(variation, &toolchain), &targets)?;
        self.keeper.keep(&key, about, &targets, Some(&compile))
    }

    fn file(&self, path: &Path) -> Result<Build, Stop> {
        usable(path)?;
        let name = path.file_name().unwrap_or_default();
        let target = Target {
            name: name.to_string_lossy().into_owned(),
            executable: path.to_owned(),
            ..Target::default()
        };
        let about = About {
            label: path.display().to_string(),
            ..About::default()
        };
        let targets = [target];
        let key = contents(Digest::new().part("file"), &targets)?;
        self.keeper.keep(&key, about, &targets, None)
    }

    fn saved(&self, name: &str) -> Result<Build, Stop> {
        let build = record::read(&self.keeper.cache.saved(name), self.keeper.place)?;
        let build = build.ok_or_else(|| unsaved(name))?;
        match build.damaged() {
            None => Ok(build),
            Some(path) => Err(Stop::Environment(format!(
                "{path:?}, saved as {name:?}, is damaged; save it again"
            ))),
        }
    }

    fn digest(&self, variation: &Variation, toolchain: &Toolchain) -> Digest {
        digest(&self.selection, variation, toolchain, self.keeper.place)
    }

    /// Copies the working tree's Cargo.lock to a revision without one, so that both sides use the
    /// same versions of their dependencies. Returns what was copied.
    fn lend_lock(&self, repository: &Repository, clone: &Path) -> Result<Vec<u8>, Stop> {
        let around = Path::new(&repository.within).ancestors();
        let file = around
            .map(|folder| folder.join("Cargo.lock"))
            .find(|file| repository.root.join(file).is_file());
        let Some(file) = file.filter(|file| !clone.join(file).exists()) else {
            return Ok(Vec::new());
        };
        let copied = fs::read(repository.root.join(&file)).and_then(|bytes| {
            fs::write(clone.join(&file), &bytes)?;
            Ok(bytes)
        });
        copied.map_err(|error| refused(&clone.join(&file), "written", &error))
    }
}

/// Whether a file is an executable that can be measured.
fn usable(path: &Path) -> Result<(), Stop> {
    let shown = path.display();
    if !path.is_file() {
        return Err(Stop::Usage(format!(
            "{shown} is not a file; --bin takes two executables"
        )));
    }
    if kind(path) != Kind::Ours {
        return Err(Stop::Usage(format!(
            "{shown} is not a bench target that uses tourbillon; `cargo bench --no-run` prints where \
             they are"
        )));
    }
    Ok(())
}

/// The error that no build was saved under a name.
pub fn unsaved(name: &str) -> Stop {
    Stop::Usage(format!(
        "no build is saved as {name:?}; `cargo tourbillon save --list` lists them"
    ))
}
