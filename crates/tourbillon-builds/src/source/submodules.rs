//! The submodules of the clone that revisions are built in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::error::{Error, Result, refused};
use crate::invocation::Invocation;
use crate::source::commits::git_file;
use crate::source::conversions::Conversions;
use crate::source::git::{Repository, git, git_in, git_of, query};

/// What git states about the files of a checkout.
pub(crate) const INDEX: &str = "index";

/// Where a git directory has those of its submodules.
const MODULES: &str = "modules";

/// The setting with the address that relative ones of submodules begin at.
const ORIGIN: &str = "remote.origin.url";

/// How the files of submodules are written, by the paths of their git directories from that of all.
pub(crate) type OfSubmodules = BTreeMap<PathBuf, Conversions>;

/// How the files of submodules are written in the user's checkout.
pub(crate) fn conversions(repository: &Repository) -> Result<OfSubmodules> {
    in_checkout(repository)
        .map(|(below, module)| Ok((below, Conversions::of(git_in(&module), &module)?)))
        .collect()
}

/// Checks out the submodules of what the clone has checked out. Their addresses are those that they have in the
/// repository, and what was fetched there is not fetched again.
///
/// `clone` starts git in the clone, and the files are written as `conversions` says.
pub(crate) fn check_out(
    repository: &Repository,
    path: &Path,
    conversions: &OfSubmodules,
    clone: impl Fn() -> Result<Invocation>,
) -> Result<()> {
    let to = path.join(".git").join(MODULES);
    for (below, module) in in_checkout(repository) {
        // What cannot be borrowed is fetched.
        let _ = borrow(&module, &to.join(below));
    }
    forget_settings(&clone)?;
    let plain = Conversions::default();
    for module in git_directories(&to) {
        forget_settings(&|| Ok(git_in(&module)))?;
        let own = conversions.get(below(&to, &module)).unwrap_or(&plain);
        own.give(&module)?;
    }
    set_origin(clone()?, &origin(repository))?;
    query(clone()?.words(&["submodule", "--quiet", "sync", "--recursive"]))?;
    for (setting, address) in configured_addresses(&repository.root) {
        set(clone()?, &setting, &address)?;
    }
    query(clone()?.words(&[
        "submodule",
        "--quiet",
        "update",
        "--init",
        "--recursive",
        "--force",
    ]))
    .map(drop)
    .map_err(without_passwords)
}

/// The git directories of the submodules of the user's checkout, and their paths from that of all.
fn in_checkout(repository: &Repository) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    // A linked worktree has those of its own checkout.
    let own = git_file(&repository.root, MODULES);
    let froms = [Some(repository.git.join(MODULES)), own];
    let froms = BTreeSet::from_iter(froms.into_iter().flatten());
    froms.into_iter().flat_map(|from| {
        let modules = git_directories(&from).into_iter();
        modules.map(move |module| (below(&from, &module).to_owned(), module))
    })
}

fn below<'m>(folder: &Path, module: &'m Path) -> &'m Path {
    module.strip_prefix(folder).unwrap_or(module)
}

/// The git directories below a folder: those of submodules, and of their submodules.
fn git_directories(folder: &Path) -> Vec<PathBuf> {
    let is_git = |path: &Path| path.join("HEAD").is_file() && path.join("objects").is_dir();
    let mut found = Vec::new();
    let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let Some(entry) = entry.ok().filter(|entry| entry.file_type().is_dir()) else {
            continue;
        };
        if entry.path().parent().is_some_and(is_git) && entry.file_name() != MODULES {
            entries.skip_current_dir();
        } else if is_git(entry.path()) {
            found.push(entry.into_path());
        }
    }
    found
}

/// Removes what git states about the files of submodules, of which a git directory has theirs.
pub(crate) fn remove_indexes(git: &Path) -> Result<()> {
    for module in git_directories(&git.join(MODULES)) {
        let index = module.join(INDEX);
        match fs::remove_file(&index) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(refused(&index, "removed", &error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes or updates a git directory that borrows the objects of another one and has all its commits.
fn borrow(from: &Path, own: &Path) -> Result<()> {
    // Where the submodule was checked out anew, those of before may be nowhere.
    if !own.exists() || fetch(from, own).is_err() {
        let around = own.parent().unwrap_or(own);
        let failed = |error| Error::Environment(format!("{around:?}: {error}"));
        fs::create_dir_all(around).map_err(failed)?;
        let draft = tempfile::tempdir_in(around).map_err(failed)?;
        let mut cloned = git(around);
        cloned
            .words(&["clone", "--quiet", "--shared", "--no-checkout"])
            .operands("--", [from, draft.path()]);
        query(&mut cloned)?;
        if own.exists() {
            fs::remove_dir_all(own).map_err(failed)?;
        }
        fs::rename(draft.path().join(".git"), own).map_err(failed)?;
        fetch(from, own)?;
    }
    let address = query(git_of(from).words(&["config", ORIGIN]))?;
    set_origin(git_in(own), &address)
}

/// Fetches the commits of a git directory into one that borrows its objects.
fn fetch(from: &Path, own: &Path) -> Result<()> {
    let mut fetched = git_in(own);
    fetched
        .words(&[
            "fetch",
            "--quiet",
            "--no-tags",
            "--prune",
            "--update-shallow",
        ])
        .operands("--", [from])
        .words(&["+HEAD:refs/borrowed/HEAD", "+refs/*:refs/borrowed/all/*"]);
    query(&mut fetched).map(drop)
}

/// Removes the settings of submodules, which git has copied from the files of another revision.
fn forget_settings(git: &dyn Fn() -> Result<Invocation>) -> Result<()> {
    let mut kept = git()?;
    kept.words(&["config", "--local", "-z", "--name-only"])
        .words(&["--get-regexp", r"^submodule\."]);
    let kept = query(&mut kept).unwrap_or_default();
    for setting in BTreeSet::from_iter(kept.split_terminator('\0')) {
        let mut unset = git()?;
        unset
            .words(&["config", "--local", "--unset-all"])
            .operands("--", [setting]);
        query(&mut unset)?;
    }
    Ok(())
}

fn set_origin(git: Invocation, address: &str) -> Result<()> {
    set(git, ORIGIN, address)
}

fn set(mut git: Invocation, setting: &str, address: &str) -> Result<()> {
    git.words(&["config"]).operands("--", [setting, address]);
    query(&mut git).map(drop)
}

/// The settings with the addresses of submodules that the repository uses, whatever is relative in `.gitmodules`, and
/// their values.
fn configured_addresses(root: &Path) -> Vec<(String, String)> {
    let mut listed = git(root);
    listed.words(&[
        "config",
        "--local",
        "-z",
        "--get-regexp",
        r"^submodule\..*\.url$",
    ]);
    let listed = query(&mut listed).unwrap_or_default();
    let pairs = listed.split_terminator('\0');
    pairs
        .filter_map(|pair| pair.split_once('\n'))
        .map(|(setting, address)| (setting.to_owned(), address.to_owned()))
        .collect()
}

/// The address that git resolves those of submodules against: that of `origin`, or the path.
fn origin(repository: &Repository) -> String {
    let path = || repository.root.to_string_lossy().into_owned();
    match query(git(&repository.root).words(&["config", ORIGIN])) {
        Ok(address) if address.contains(':') || Path::new(&address).is_absolute() => address,
        Ok(address) => format!("{}/{address}", path()),
        Err(_) => path(),
    }
}

/// An error of git, which may name the address of a remote.
pub(crate) fn without_passwords(error: Error) -> Error {
    let Error::Environment(text) = error else {
        return error;
    };
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let host = part
            .split(['/', '\'', ' ', '\n'])
            .next()
            .unwrap_or_default();
        let from = host.rfind('@').map_or(0, |at| at + 1);
        shown.push_str("://");
        shown.push_str(&part[from..]);
    }
    Error::Environment(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::checkout::Checkout;

    fn done(folder: &Path, words: &[&'static str]) {
        let mut git = git(folder);
        git.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["-c", "protocol.file.allow=always"])
            .words(words);
        query(&mut git).expect("git does it");
    }

    /// Saves a file in the repository in a folder, which is made.
    fn save(folder: &Path, text: &str) {
        fs::create_dir_all(folder).expect("a folder");
        done(folder, &["init", "--quiet"]);
        fs::write(folder.join("a.txt"), text).expect("a file");
        done(folder, &["add", "--", "."]);
        done(folder, &["commit", "--quiet", "--message=a"]);
    }

    /// A repository with a submodule in a folder beside it, which has another one.
    fn nested(folder: &Path) -> PathBuf {
        let at = |name: &str| folder.join(name);
        save(&at("deep"), "deep");
        save(&at("core"), "core");
        done(&at("core"), &["submodule", "--quiet", "add", "../deep"]);
        save(&at("core"), "one");
        save(&at("app"), "app");
        done(
            &at("app"),
            &["submodule", "--quiet", "add", "../core", "libs/core"],
        );
        done(
            &at("app"),
            &["submodule", "--quiet", "update", "--init", "--recursive"],
        );
        save(&at("app"), "one");
        at("app")
    }

    fn checked_out(app: &Path, cached: &Path) -> Result<PathBuf> {
        let repository = Repository::around(app).expect("a repository");
        let commit = repository.commit("HEAD").expect("a commit");
        Checkout::at(cached, &repository, &commit, |_| ()).map(|clone| clone.path)
    }

    #[test]
    fn submodules_with_relative_addresses_come_from_the_checkout() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        let cached = folder.path().join("cached");
        let read = |clone: &Path, name| fs::read_to_string(clone.join("libs/core").join(name));
        let clone = checked_out(&app, &cached).expect("a clone");
        assert_eq!(read(&clone, "a.txt").expect("a file"), "one");
        assert_eq!(read(&clone, "deep/a.txt").expect("a file"), "deep");
        // What code leaves that is built there.
        let left = [
            "libs/core/built.h",
            "libs/core/deep/built.h",
            "libs/core/new/a.h",
        ];
        fs::create_dir(clone.join("libs/core/new")).expect("a folder");
        for name in left {
            fs::write(clone.join(name), "").expect("a file");
        }
        // Another commit of the submodule, which is nowhere else.
        save(&app.join("libs/core"), "two");
        save(&app, "two");
        for name in ["core", "deep"] {
            fs::remove_dir_all(folder.path().join(name)).expect("removed");
        }
        let clone = checked_out(&app, &cached).expect("a clone");
        assert_eq!(read(&clone, "a.txt").expect("a file"), "two");
        assert_eq!(read(&clone, "deep/a.txt").expect("a file"), "deep");
        for name in left {
            assert!(!clone.join(name).exists(), "{name}");
        }
    }

    /// As by `git lfs install --local` in one of them.
    #[test]
    fn each_has_the_conversions_of_its_own_settings() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        let read = || {
            let clone = checked_out(&app, &folder.path().join("cached")).expect("a clone");
            ["a.txt", "libs/core/a.txt", "libs/core/deep/a.txt"]
                .map(|name| fs::read_to_string(clone.join(name)).expect("a file"))
        };
        assert_eq!(read(), ["one", "one", "deep"]);
        for (module, smudge, expected) in [
            (
                "modules/libs/core",
                "sed s/one/core/",
                ["one", "core", "deep"],
            ),
            ("", "sed s/one/app/", ["app", "core", "deep"]),
            (
                "modules/libs/core/modules/deep",
                "sed s/deep/last/",
                ["app", "core", "last"],
            ),
        ] {
            let own = app.join(".git").join(module);
            fs::create_dir_all(own.join("info")).expect("a folder");
            fs::write(own.join("info/attributes"), "a.txt filter=x\n").expect("a file");
            let mut set = git_in(&own);
            set.words(&["config", "filter.x.smudge", smudge]);
            query(&mut set).expect("a setting");
            assert_eq!(read(), expected);
        }
        let own = app.join(".git/modules/libs/core");
        query(git_in(&own).words(&["config", "--remove-section", "filter.x"])).expect("removed");
        assert_eq!(read(), ["app", "one", "last"]);
    }

    /// As in a job that makes its checkout anew and keeps the cache. The clone may fetch nothing from there.
    #[test]
    fn a_submodule_that_was_checked_out_anew_is_borrowed_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        let cached = folder.path().join("cached");
        checked_out(&app, &cached).expect("a clone");
        let core = folder.path().join("core");
        let mut address = git(&app);
        let url = format!("file://{}", core.display());
        address
            .words(&["config"])
            .operands("--", ["submodule.libs/core.url", &url]);
        query(&mut address).expect("an address");
        // The first time that of a whole repository becomes a shallow one.
        for text in ["two", "three"] {
            save(&core, text);
            done(
                &app.join("libs/core"),
                &["pull", "--quiet", "origin", "HEAD"],
            );
            save(&app, text);
            for name in [".git/modules", "libs"] {
                fs::remove_dir_all(app.join(name)).expect("removed");
            }
            let words = ["submodule", "--quiet", "update", "--init", "--recursive"];
            done(&app, &[&words[..], &["--depth=1"]].concat());
            let clone = checked_out(&app, &cached).expect("a clone");
            let read = |name| fs::read_to_string(clone.join("libs/core").join(name));
            assert_eq!(read("a.txt").expect("a file"), text);
            assert_eq!(read("deep/a.txt").expect("a file"), "deep");
        }
    }

    /// Git copies `update` from the file of a commit to the settings of the clone, and of submodules.
    #[test]
    fn what_one_commit_says_of_submodules_does_not_hold_for_another() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        let refuse = |within: &str, setting: &'static str| {
            let within = app.join(within);
            let words = ["config", "--file", ".gitmodules", setting, "none"];
            query(git(&within).words(&words)).expect("a setting");
            save(&within, "without");
        };
        let cached = folder.path().join("cached");
        let has = |revision: &str| {
            let repository = Repository::around(&app).expect("a repository");
            let commit = repository.commit(revision).expect("a commit");
            let clone = Checkout::at(&cached, &repository, &commit, |_| ()).expect("a clone");
            let within = clone.path.join("libs/core");
            ["a.txt", "deep/a.txt"].map(|name| within.join(name).is_file())
        };
        assert_eq!(has("HEAD"), [true, true]);
        refuse("libs/core", "submodule.deep.update");
        save(&app, "inner");
        refuse("", "submodule.libs/core.update");
        assert_eq!(has("HEAD"), [false, false]);
        assert_eq!(has("HEAD~"), [true, false]);
        assert_eq!(has("HEAD~2"), [true, true]);
    }

    /// There, relative addresses would begin at the folder of the worktree.
    #[test]
    fn submodules_of_a_linked_worktree_are_those_of_the_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        done(&app, &["worktree", "add", "--quiet", "../far/linked"]);
        let linked = folder.path().join("far/linked");
        let read = |cached: &str| {
            let clone = checked_out(&linked, &folder.path().join(cached)).expect("a clone");
            fs::read_to_string(clone.join("libs/core/deep/a.txt")).expect("a file")
        };
        assert_eq!(read("borrowed"), "deep");
        fs::remove_dir_all(app.join(".git/modules")).expect("removed");
        // From the address that the repository has: git fetches no other one of a file.
        let fetched = checked_out(&linked, &folder.path().join("fetched"));
        let error = fetched
            .expect_err("git fetches no submodule of a file")
            .to_string();
        assert!(!error.contains("does not exist"), "{error}");
    }

    #[test]
    fn addresses_are_relative_to_the_origin_and_passwords_are_not_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        if query(git(folder.path()).words(&["version"])).is_err() {
            return;
        }
        let app = nested(folder.path());
        fs::remove_dir_all(app.join(".git/modules")).expect("removed");
        done(&app, &["config", "--remove-section", "submodule.libs/core"]);
        for (origin, expected) in [
            (
                "http://me:secret@127.0.0.1:1/x/app.git",
                "http://127.0.0.1:1/x/core",
            ),
            ("../elsewhere/app.git", "elsewhere/core"),
        ] {
            done(&app, &["config", "remote.origin.url", origin]);
            let cached = checked_out(&app, &folder.path().join("cached"));
            let error = cached.expect_err("no server").to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
