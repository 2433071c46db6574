//! Makes builds.

mod file;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cache::build::Build;
use crate::cache::keep::Keeper;
use crate::cache::lock::Lock;
use crate::cache::owners::refuse_checkout;
use crate::cache::saved_build::unsaved;
use crate::cache::{Cache, lock_of};
use crate::compile::Compile;
use crate::compile::build_error::{does_not_build, with_tourbillon};
use crate::compile::cargo::Toolchain;
use crate::compile::configuration::lend;
use crate::compile::manifests::{own_packages, packages};
use crate::compile::manifests_elsewhere::manifests_elsewhere;
use crate::compile::sources::sources;
use crate::compile::surroundings::Surroundings;
use crate::compile::target_directory::{beginning, clear, forget, set_stamp, target_of_revision};
use crate::compile::targets::{Built, Target, TargetKind, Workspace, kind, workspace_manifest};
use crate::compile::toolchain_file::of_revision;
use crate::compile::way_of_others::way_of_others;
use crate::error::{Error, Log, Result};
use crate::invocation::Invocation;
use crate::key::{Digest, inputs, of_contents, variables_of_builds, way};
use crate::source::checkout::Checkout;
use crate::source::data_files::data_files;
use crate::source::decisive_files::decisive_files;
use crate::source::git::Repository;
use crate::source::lend::{chosen_lock, lend_lock};
use crate::source::names::{name_of, two_meanings};
use crate::source::revision_files::RevisionFiles;
use crate::source::subject::{Selection, Subject, Variation};
use crate::source::unknown::{no_repository, unknown};

/// Makes builds of the package or workspace around the current folder.
#[derive(Debug)]
pub struct Maker {
    keeper: Keeper,
    selection: Selection,
    folder: PathBuf,
    repository: Option<Repository>,
}

impl Maker {
    /// With `relink`, what executables are linked from is kept, so that they can be relinked.
    pub fn new(cache: Cache, selection: Selection, relink: bool) -> Result<Maker> {
        let folder = env::current_dir().map_err(|error| {
            Error::Environment(format!("the current folder is unknown: {error}"))
        })?;
        Ok(Maker {
            keeper: Keeper { cache, relink },
            selection,
            repository: Repository::around(&folder),
            folder,
        })
    }

    /// Builds a subject, or finds it in the cache.
    pub fn make(&self, subject: &Subject) -> Result<Build> {
        let made = match subject {
            Subject::Revision(name) => self.revision(name),
            Subject::WorkingTree => self.tree(&Variation::default()),
            Subject::With(variation) => self.tree(variation),
            Subject::File(path) => self.file(path),
            Subject::Saved(name) => self.saved(name),
        };
        if let Err(Error::Cargo(..)) = made {
            // That there is no room says nothing about code.
            self.keeper.cache.check_room()?;
        }
        made
    }

    /// The commit that a name stands for, if there is a repository that knows it.
    pub fn commit(&self, name: &str) -> Option<String> {
        self.repository.as_ref()?.commit(name)
    }

    /// What a revision can be called where nothing else has that name: its branch or tag in full, or its hash.
    #[must_use]
    pub fn full_name(&self, revision: &str) -> Option<String> {
        let repository = self.repository.as_ref()?;
        let commit = repository.commit(revision)?;
        let (name, steps) = name_of(revision);
        let meanings = repository.meanings(name);
        Some(
            meanings
                .first()
                .map_or(commit, |whole| format!("{whole}{steps}")),
        )
    }

    /// Whether a name is not both a branch and a tag, which are two commits.
    ///
    /// # Errors
    ///
    /// Where it is, with what to write.
    pub fn check_meaning(&self, name: &str) -> Result<()> {
        let both = self
            .repository
            .as_ref()
            .and_then(|one| two_meanings(one, name));
        both.map_or(Ok(()), |text| Err(Error::Usage(text)))
    }

    /// The best common ancestor of two commits; `None` without one in this clone.
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        self.repository.as_ref()?.merge_base(one, other)
    }

    /// The text of a file in a commit, at most so many bytes; `None` where the commit has no such file. Its path is as
    /// from the root of the repository.
    ///
    /// # Errors
    ///
    /// When it is no regular file, or longer.
    pub fn text(&self, commit: &str, path: &Path, longest: u64) -> Result<Option<String>> {
        match &self.repository {
            Some(repository) => repository.text(commit, path, longest),
            None => Ok(None),
        }
    }

    /// Whether a commit has a file, whose path is as from the root of the repository.
    pub fn has_file(&self, commit: &str, path: &Path) -> bool {
        let repository = self.repository.as_ref();
        repository.is_some_and(|repository| repository.has_file(commit, path))
    }

    /// The root of the checkout, and the current folder as from there; `None` without a repository.
    pub fn checkout(&self) -> Option<(&Path, &Path)> {
        let repository = self.repository.as_ref()?;
        Some((&repository.root, &repository.within))
    }

    /// Whether the repository lacks older commits.
    pub fn is_shallow(&self) -> bool {
        self.repository.as_ref().is_some_and(Repository::is_shallow)
    }

    /// Whether tracked files differ from the commit that is checked out.
    pub fn is_changed(&self) -> bool {
        self.repository.as_ref().is_some_and(Repository::dirty)
    }

    /// Whether a subject exists, as far as that is known before a build.
    pub fn check(&self, subject: &Subject) -> Result<()> {
        match subject {
            Subject::Revision(name) => self.known(name).map(|_| ()),
            Subject::WorkingTree => Ok(()),
            Subject::With(variation) => Toolchain::of(variation, &self.folder).map(|_| ()),
            Subject::File(path) => usable(path),
            Subject::Saved(name) if self.keeper.cache.is_saved(name) => Ok(()),
            Subject::Saved(name) => Err(unsaved(name)),
        }
    }

    /// The repository, and the commit that a name stands for.
    fn known(&self, name: &str) -> Result<(&Repository, String)> {
        let Some(repository) = &self.repository else {
            return Err(no_repository(name, &self.folder));
        };
        match repository.commit(name) {
            Some(commit) => Ok((repository, commit)),
            None => Err(Error::Usage(unknown(repository, name))),
        }
    }

    fn revision(&self, name: &str) -> Result<Build> {
        let (repository, commit) = self.known(name)?;
        let plain = Variation::default();
        let mut about = Build {
            commit: Some(commit.clone()),
            way: self.way(&plain),
            ..Build::default()
        };
        let short = about.short_commit().unwrap_or_default();
        about.label = if commit.starts_with(name) {
            short.to_owned()
        } else {
            format!("{name} ({short})")
        };
        let cached = self.keeper.cache.repository(&repository.git);
        let _alone = Lock::wait(&lock_of(&cached), "is building this repository", self.log())?;
        refuse_checkout(&repository.root, &self.keeper.cache.repositories())?;
        // Also for a cached build: programs may read files of the checkout.
        let clone = Checkout::at(&cached, repository, &commit, self.log())?;
        let folder = clone.path.join(&repository.within);
        if !folder.is_dir() {
            let within = repository.within.display();
            return Err(Error::Usage(format!(
                "{} has no folder {within}; run from the root of the repository",
                about.label
            )));
        }
        let mut decisive = decisive_files(&clone.path, &repository.within)?;
        let workspace = workspace_manifest()?.and_then(|path| path.canonicalize().ok());
        let workspace = workspace.as_deref().and_then(Path::parent);
        let (mut locked, is_untracked) = lend_lock(repository, &clone.path, workspace)?;
        if is_untracked {
            // Both sides have it.
            decisive = decisive_files(&clone.path, &repository.within)?;
        }
        about.decisive = Some(decisive);
        lend(repository, &cached, &clone.path)?;
        let of_tree = Toolchain::of(&plain, &self.folder)?;
        let toolchain = of_revision(&of_tree, repository, &clone.path)?;
        toolchain.short().clone_into(&mut about.toolchain);
        if locked.is_empty() {
            let own = workspace.and_then(|root| root.strip_prefix(&repository.root).ok());
            let own = own.unwrap_or(&repository.within);
            let make = || self.choose_versions(toolchain.cargo_elsewhere(), &folder);
            locked = chosen_lock(&clone.path, own, make)?;
        }
        let key = self
            .digest(&plain, &toolchain, &folder)
            .part(repository.git.to_string_lossy().as_bytes())
            .part(repository.within.to_string_lossy().as_bytes())
            .part(&commit)
            .part(&locked)
            .part(clone.conversions());
        let base = key.key();
        let files = RevisionFiles::new(&cached, repository, &commit);
        let in_clone = |build: Build| {
            let files = Some(files);
            Build { files, ..build }.holding(&cached)
        };
        if let Some(build) = self.keeper.kept_whole(&base, &about)? {
            return in_clone(build);
        }
        let mut cargo = toolchain.cargo_elsewhere();
        cargo.process().current_dir(&folder);
        // If cargo finds no workspace, it reports the reason when it builds.
        let root = Workspace::of(cargo).map_or(folder.clone(), |workspace| workspace.root);
        let way = way_of_others(
            &folder,
            &clone.path,
            &self.selection.for_bench(&plain),
            &variables_of_builds(),
        )?;
        let target = target_of_revision(&cached, &root, way.as_deref());
        let why = "its clone has a target directory of its own";
        self.log()(&beginning(&about.label, Some(&target), why));
        clear(&target, &packages(&clone.path)?)?;
        forget(&target, &own_packages(&clone.path)?)?;
        about.target_folders = vec![target.clone()];
        set_stamp(&about.target_folders, None)?;
        let compile = Compile {
            selection: &self.selection,
            variation: &plain,
            toolchain: &toolchain,
            folder: &folder,
            root: &root,
            checkout: &clone.path,
            target: Some(target),
            elsewhere: true,
            users_lock: None,
        };
        let began = SystemTime::now();
        let built = compile
            .targets()
            .map_err(|error| does_not_build(error, &about.label, Some(&clone.path)))?;
        about.outside = built.outside(&root);
        about.data = data(&built, &root, &clone.path, true);
        let elsewhere = built.outside(&clone.path);
        let targets = with_tourbillon(built.targets, &about.label)?;
        let read = Surroundings::of(
            &profiles(&targets, &about.target_folders),
            &built.units,
            &Vec::from_iter(built.local.into_iter().chain([root.clone()])),
            &cached,
            &elsewhere,
            manifests_elsewhere(&clone.path, &elsewhere)?,
        );
        // If it was written meanwhile, something else may have been compiled, and the executables are the key.
        let is_known = !read.are_written_since(began);
        let digest = key;
        let key = if is_known {
            about.surroundings = read.clone();
            base
        } else {
            of_contents(digest.clone(), &targets)?
        };
        let label = about.label.clone();
        let is_current = || {
            if is_known {
                read.changed().is_none()
            } else {
                again(&compile, &label, &digest, &key).is_some()
            }
        };
        let kept = self
            .keeper
            .keep_if(&key, about, &targets, Some(&compile), &is_current)?;
        let build = kept.ok_or_else(|| {
            let what = "files that are not of the repository were changed";
            Error::Environment(format!("{what} while {label} was built; try again"))
        })?;
        in_clone(build)
    }

    /// Has cargo choose the versions of dependencies, as for a build.
    fn choose_versions(&self, mut cargo: Invocation, folder: &Path) {
        const AS_TYPED: [&str; 4] = ["--offline", "--frozen", "--config", "-Z"];
        let flags = self.selection.flags.iter();
        cargo
            .words(&["generate-lockfile", "--quiet"])
            .flags(flags.filter(|flag| AS_TYPED.contains(&flag.name())));
        cargo.process().current_dir(folder);
        // The build reports what is wrong.
        let _ = cargo.output();
    }

    fn saved(&self, name: &str) -> Result<Build> {
        let folder = self.keeper.cache.saved(name);
        let Some(build) = Build::read(&folder, self.keeper.relink, self.log())? else {
            return Err(unsaved(name));
        };
        match build.damaged() {
            None => build.check_apart().map(|()| build),
            Some(path) => Err(Error::Environment(format!(
                "{path:?}, saved as {name:?}, is damaged; save it again"
            ))),
        }
    }

    fn log(&self) -> Log {
        self.keeper.cache.log
    }

    /// How all commits are built here.
    fn way(&self, variation: &Variation) -> String {
        let root = self.repository.as_ref().map(|found| found.root.as_path());
        let around = root.and_then(Path::parent).unwrap_or(&self.folder);
        let clones = self.keeper.cache.repositories();
        way(&self.selection, variation, [around, &clones]).key()
    }

    /// The inputs of a build in a folder.
    fn digest(&self, variation: &Variation, toolchain: &Toolchain, folder: &Path) -> Digest {
        let (relink, clones) = (self.keeper.relink, self.keeper.cache.repositories());
        let places = [folder, &clones];
        inputs(&self.selection, variation, toolchain, relink, places)
    }
}

/// Builds once more, as what executables are linked from was compiled after them: whether cargo had nothing to do. `None`
/// where the executables are not those of the key.
fn again(compile: &Compile<'_>, label: &str, digest: &Digest, key: &str) -> Option<bool> {
    let built = compile.targets_again()?;
    let targets = with_tourbillon(built.targets, label).ok()?;
    let is_same = of_contents(digest.clone(), &targets).is_ok_and(|now| now == key);
    is_same.then_some(built.is_fresh)
}

/// The files of a checkout that programs may read when they run; `None` where they are not known.
fn data(
    built: &Built,
    workspace: &Path,
    checkout: &Path,
    is_clean: bool,
) -> Option<BTreeMap<PathBuf, String>> {
    let sources = sources(&built.compiled, workspace, checkout)?;
    // Without them, nothing is known of equal programs.
    data_files(checkout, &sources, is_clean).ok()?
}

/// The folders of the profiles that were built: of programs, and of build scripts and macros, which are for the machine
/// that compiles.
fn profiles(targets: &[Target], folders: &[PathBuf]) -> BTreeSet<PathBuf> {
    let executables = targets.iter().map(|target| target.executable.as_path());
    // target/release/deps/sort-123, target/x86_64-unknown-linux-gnu/release/deps/sort-123
    let of_programs = executables.filter_map(|path| path.ancestors().nth(2));
    let both = of_programs.flat_map(|profile| {
        let name = profile.file_name().unwrap_or_default();
        let of_host = folders.iter().map(move |folder| folder.join(name));
        of_host.chain([profile.to_owned()])
    });
    both.collect()
}

/// Whether a file is an executable that can be measured.
fn usable(path: &Path) -> Result<()> {
    let shown = path.display();
    if !path.is_file() {
        return Err(Error::Usage(format!(
            "{shown} is not a file; --bin takes two executables"
        )));
    }
    if kind(path) != TargetKind::Tourbillon {
        return Err(Error::Usage(format!(
            "{shown} is not a bench target that uses tourbillon; `cargo bench --no-run` prints where \
             they are"
        )));
    }
    Ok(())
}
