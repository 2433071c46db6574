//! The working tree, which its user may edit while it is built.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tourbillon_clock::wall::unix_ns;

use super::{Maker, again, data};
use crate::cache::build::Build;
use crate::cache::lock::{Lock, UsersLock};
use crate::cache::lock_of;
use crate::compile::Compile;
use crate::compile::build_error::{does_not_build, with_tourbillon};
use crate::compile::cargo::Toolchain;
use crate::compile::manifests::packages;
use crate::compile::sources::{compiled_files, files_of_scripts};
use crate::compile::target_directory::{beginning, clear, set_stamp, target_of};
use crate::compile::targets::{Built, Workspace};
use crate::compile::whole_path::whole;
use crate::error::Result;
use crate::invocation::Unwinding;
use crate::key::{Digest, of_contents};
use crate::source::decisive_files::decisive_files;
use crate::source::git::Repository;
use crate::source::subject::Variation;

/// Target directories in the folder of a repository: for the working tree if the user's is not used, and for variations.
const TREE: &str = "tree";
const VARIATIONS: &str = "variations";

/// How often it is built while its files change. A program that writes other sources whenever it is built is built once
/// more than that it is seen to do so.
const ATTEMPTS: usize = 3;

impl Maker {
    /// The working tree, in the user's target directory unless that would rebuild everything or another checkout is
    /// built in it.
    ///
    /// It is built again when a file of it or the commit changed meanwhile: executables, what they are linked from and the
    /// commit would be of different moments, and would be found in the cache later.
    pub(super) fn tree(&self, variation: &Variation) -> Result<Build> {
        let mut known = None;
        let mut attempts = 1..=ATTEMPTS;
        loop {
            attempts.next();
            let edits = Edits {
                last: known.take(),
                are_final: attempts.is_empty(),
            };
            match self.tree_once(variation, edits)? {
                Attempt::Made(build) => return Ok(*build),
                Attempt::Edited(now) => known = Some(now),
            }
        }
    }

    fn tree_once(&self, variation: &Variation, edits: Edits) -> Result<Attempt> {
        let toolchain = Toolchain::of(variation, &self.folder)?;
        let repository = self.repository.as_ref();
        let mut about = Build {
            label: match variation.text.as_str() {
                "" => "working tree".to_owned(),
                text => text.to_owned(),
            },
            flags: variation.text.clone(),
            toolchain: toolchain.short().to_owned(),
            environment: variation.environment.clone(),
            way: self.way(variation),
            ..Build::default()
        };
        let cached = self
            .keeper
            .cache
            .repository(repository.map_or(&self.folder, |repository| &repository.git));
        // Executables of two builds may have one path in the target directory.
        let _alone = Lock::wait(&lock_of(&cached), "is building this repository", self.log())?;
        let before = Moment::of(repository);
        if let Some(repository) = repository {
            about.decisive = Some(decisive_files(&repository.root, &repository.within)?);
        }
        let mut cargo = toolchain.cargo();
        cargo.process().current_dir(&self.folder);
        let workspace = Workspace::of(cargo).ok();
        let root = workspace.as_ref().map_or(&self.folder, |found| &found.root);
        let shared = workspace.as_ref().is_some_and(Workspace::shares_its_builds);
        let kind = match (variation.rebuilds_all(), shared) {
            (true, _) => Some(of_variations(&variation.environment)),
            (false, true) => Some(TREE.to_owned()),
            (false, false) => None,
        };
        // What holds for a signal while cargo runs holds until its lock file is put back.
        let unwinding = Unwinding::begin();
        let users_lock = UsersLock::of(root);
        let target = kind.as_deref().map(|kind| target_of(&cached, kind, root));
        let why = match (&workspace, kind.as_deref()) {
            (Some(found), Some(TREE)) => {
                format!("other workspaces may be built in {:?}", found.build)
            }
            _ => "other flags have a target directory of their own".to_owned(),
        };
        self.log()(&beginning(&about.label, target.as_deref(), &why));
        about.target_folders = match (&target, &workspace) {
            (Some(target), _) => vec![target.clone()],
            (None, Some(found)) => vec![found.target.clone(), found.build.clone()],
            (None, None) => Vec::new(),
        };
        if let Some(target) = target.as_ref().filter(|_| variation.rebuilds_all()) {
            let own = repository.map(|repository| packages(&repository.root));
            clear(target, &own.transpose()?.unwrap_or_default())?;
        }
        set_stamp(&about.target_folders, None)?;
        let checkout = repository.map_or(root, |repository| &repository.root);
        let compile = Compile {
            selection: &self.selection,
            variation,
            toolchain: &toolchain,
            folder: &self.folder,
            root,
            checkout,
            target,
            elsewhere: false,
            users_lock: Some(&users_lock),
        };
        let built = compile
            .targets()
            .map_err(|error| does_not_build(error, &about.label, None))?;
        // Cargo may have changed a lock file that is tracked; what it did is undone later.
        let after = Moment::of(repository);
        let compiled = Contents::of(&built, root, &about.target_folders);
        if let Some(what) = edits.between(&before, &after, &compiled) {
            let label = &about.label;
            if !edits.are_final {
                self.log()(&format!(
                    "{what} while {label} was built; it is built again\n"
                ));
                return Ok(Attempt::Edited(compiled));
            }
            self.log()(&format!(
                "{what} whenever {label} is built: it counts as changed\n"
            ));
            about.dirty = true;
        } else if before.is_dirty != after.is_dirty {
            let label = &about.label;
            self.log()(&format!(
                "tracked files were changed while {label} was built, by cargo or others: it counts as changed\n"
            ));
        }
        about.commit.clone_from(&before.commit);
        about.dirty |= before.is_dirty || after.is_dirty;
        about.outside = built.outside(root);
        if let Some(repository) = repository {
            about.data = data(&built, root, &repository.root, false);
        }
        let label = about.label.clone();
        let targets = with_tourbillon(built.targets, &label)?;
        let digest = self.digest(variation, &toolchain, &self.folder);
        let key = of_contents(digest.clone(), &targets)?;
        // What executables are linked from is compiled after them. Cargo sees every edit; some programs it always builds.
        let is_current = || {
            let is_edited = || edits.between(&before, &Moment::of(repository), &compiled);
            let again = || again(&compile, &label, &digest, &key);
            edits.are_final || again().is_some_and(|is_fresh| is_fresh || is_edited().is_none())
        };
        let stored = if edits.are_final {
            // It may be of several moments, and is not found again.
            Digest::default()
                .part(&key)
                .part(unix_ns().to_le_bytes())
                .key()
        } else {
            key.clone()
        };
        let kept = self
            .keeper
            .keep_if(&stored, about, &targets, Some(&compile), &is_current)?;
        drop(users_lock);
        unwinding.check();
        match kept {
            Some(build) => Ok(Attempt::Made(Box::new(build.holding(&cached)?))),
            None => {
                let what = "a source was changed";
                self.log()(&format!(
                    "{what} while {label} was built; it is built again\n"
                ));
                Ok(Attempt::Edited(compiled.now()))
            }
        }
    }
}

/// The folder of the target directories of variations with these variables: cargo does not know all that build scripts
/// read.
fn of_variations(variables: &[(String, String)]) -> String {
    let parts = variables.iter().flat_map(|(name, value)| [name, value]);
    match variables {
        [] => VARIATIONS.to_owned(),
        _ => format!(
            "{VARIATIONS}-{}",
            parts.fold(Digest::default(), Digest::part).key()
        ),
    }
}

/// What came of a build.
enum Attempt {
    Made(Box<Build>),
    /// Files changed meanwhile: what is compiled as it is now.
    Edited(Contents),
}

/// What is known of edits when a build begins.
struct Edits {
    /// The files that the build before this one left.
    last: Option<Contents>,
    /// Whether this build is the last one.
    are_final: bool,
}

impl Edits {
    /// What changed between two moments; `None` where nothing did that executables are made of.
    ///
    /// Build scripts write sources, too: the same ones as in the build before.
    fn between(&self, before: &Moment, after: &Moment, compiled: &Contents) -> Option<String> {
        if before.commit != after.commit {
            return Some("another commit was checked out".to_owned());
        }
        let file = compiled.written_since(before.time)?;
        (self.last.as_ref() != Some(compiled)).then(|| format!("{file:?} was changed"))
    }
}

/// The checkout before or after a build.
struct Moment {
    time: SystemTime,
    commit: Option<String>,
    is_dirty: bool,
}

impl Moment {
    fn of(repository: Option<&Repository>) -> Moment {
        Moment {
            time: SystemTime::now(),
            commit: repository.and_then(|repository| repository.commit("HEAD")),
            is_dirty: repository.is_some_and(Repository::dirty),
        }
    }
}

/// The files of a build with their hashes; of a file that cannot be read, none.
#[derive(PartialEq)]
struct Contents(BTreeMap<PathBuf, Option<String>>);

impl Contents {
    /// Those that were compiled or that build scripts read, without what these wrote to folders of cargo.
    fn of(built: &Built, workspace: &Path, targets: &[PathBuf]) -> Contents {
        let mut files = compiled_files(&built.compiled, workspace).unwrap_or_default();
        files.extend(files_of_scripts(&built.scripts));
        let targets: Vec<PathBuf> = targets.iter().map(|target| whole(target)).collect();
        let is_own = |file: &PathBuf| !targets.iter().any(|target| file.starts_with(target));
        Contents::read(files.into_iter().filter(is_own))
    }

    fn read(files: impl IntoIterator<Item = PathBuf>) -> Contents {
        let hash = |file: &Path| Some(Digest::default().file(file).ok()?.key());
        let files = files.into_iter().map(|file| {
            let hash = hash(&file);
            (file, hash)
        });
        Contents(files.collect())
    }

    /// The same files as they are now.
    fn now(&self) -> Contents {
        Contents::read(self.0.keys().cloned())
    }

    /// A file that was written since, or is gone. One of a later time than now says nothing.
    fn written_since(&self, time: SystemTime) -> Option<&Path> {
        let now = SystemTime::now();
        let mut files = self.0.keys();
        let is_new = |file: &&PathBuf| {
            let written = file.metadata().and_then(|about| about.modified());
            written.map_or(true, |written| (time..=now).contains(&written))
        };
        files.find(is_new).map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::Duration;

    use super::*;

    #[test]
    fn variables_of_other_values_have_other_target_directories() {
        let of = |values: &[(&str, &str)]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            of_variations(&values.iter().map(own).collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), VARIATIONS);
        let [one, other] = ["100", "1000"].map(|value| of(&[("MODE", value)]));
        assert_eq!(one, of(&[("MODE", "100")]));
        assert!(one != other && one.starts_with("variations-"), "{one}");
    }

    #[test]
    fn files_of_another_time_or_other_contents_are_edited() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.rs");
        let write = |text: &str, written: SystemTime| {
            fs::write(&file, text).expect("a file");
            let opened = File::options().append(true).open(&file);
            opened
                .and_then(|file| file.set_modified(written))
                .expect("a date");
        };
        let began = SystemTime::now();
        let hour = Duration::from_secs(3600);
        let moment = |commit: &str| Moment {
            time: began,
            commit: Some(commit.to_owned()),
            is_dirty: false,
        };
        let edits = |last| Edits {
            last,
            are_final: false,
        };
        write("1", began - hour);
        let first = Contents::read([file.clone()]);
        let of = |last, after: &str, compiled: &Contents| {
            edits(last).between(&moment("1"), &moment(after), compiled)
        };
        assert_eq!(of(None, "1", &first), None);
        assert!(of(None, "2", &first).is_some_and(|what| what.contains("commit")));
        // The clock was ahead when it was written.
        write("1", began + hour);
        assert_eq!(of(None, "1", &first), None);
        write("2", SystemTime::now());
        let second = Contents::read([file.clone()]);
        assert!(of(None, "1", &second).is_some_and(|what| what.contains("a.rs")));
        assert!(first != second && first.now() == second);
        // A build script writes it whenever it runs.
        assert_eq!(of(Some(second), "1", &first.now()), None);
        assert!(of(Some(first), "1", &Contents::read([file.clone()])).is_some());
        fs::remove_file(&file).expect("removed");
        let gone = Contents::read([file.clone()]);
        assert!(of(None, "1", &gone).is_some_and(|what| what.contains("a.rs")));
    }
}
