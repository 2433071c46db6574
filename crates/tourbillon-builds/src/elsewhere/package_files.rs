//! The files of packages, which their benchmarks may read.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use tourbillon_values::regular_file;

use crate::source::commits::checkout_of_all;
use crate::source::ignore_rules::IgnoreRules;

/// What is sent of packages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PackageFiles {
    /// Files by their paths from the root of the checkout, and whether they are programs.
    pub(super) files: BTreeMap<PathBuf, (PathBuf, bool)>,
    /// The folders of those with too many bytes, of which nothing is sent.
    pub(super) too_large: Vec<PathBuf>,
}

impl PackageFiles {
    /// Regular files that git tracks, or neither tracks nor ignores, in the folders of packages; at most so many bytes of
    /// each. No links: a commit would choose where they lead.
    pub(super) fn of(homes: &[&Path], most: u64) -> PackageFiles {
        let mut found = PackageFiles::default();
        let Some(checkout) = checkout_of_all(homes) else {
            return found;
        };
        for home in homes {
            let (mut files, mut bytes) = (BTreeMap::new(), 0);
            for (within, path, about) in listed(home, &checkout).unwrap_or_default() {
                bytes += about.len();
                files.insert(within, (path, is_program(&about)));
            }
            if bytes > most {
                found.too_large.push(home.to_path_buf());
            } else {
                found.files.append(&mut files);
            }
        }
        found
    }
}

/// The files below a folder, with their paths from the root of a checkout; `None` where it is not in it.
fn listed(home: &Path, checkout: &Path) -> Option<Vec<(PathBuf, PathBuf, Metadata)>> {
    let rules = IgnoreRules::around(home)?;
    let (root, home) = (rules.root().canonicalize().ok()?, home.canonicalize().ok()?);
    let mut listed = Vec::new();
    for path in rules.files().ok()? {
        let whole = root.join(path.strip_prefix(rules.root()).ok()?);
        let within = whole.strip_prefix(checkout).ok()?;
        // What cannot be read here is read by no benchmark here.
        let is_sent =
            whole.starts_with(&home) && path.symlink_metadata().is_ok_and(|about| about.is_file());
        if let Some(file) = is_sent.then(|| regular_file::open(&path).ok()).flatten() {
            listed.push((within.to_owned(), path.clone(), file.metadata().ok()?));
        }
    }
    Some(listed)
}

#[cfg(unix)]
fn is_program(about: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_program(_: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::source::git::{git, query};

    #[test]
    fn files_of_a_package_are_those_that_git_lists() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let write = |file: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, "12345").expect("a file");
            path
        };
        fs::write(root.join(".gitignore"), "target/\n").expect("a file");
        let program = write("a/b c/run");
        fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).expect("a mode");
        let [text, other] = ["a/benches/text", "b/other"].map(write);
        write("a/target/ignored");
        symlink("/etc/passwd", root.join("a/link")).expect("a link");
        let found = PackageFiles::of(&[&root.join("a")], 100);
        let expected = [
            ("a/b c/run", program, true),
            ("a/benches/text", text, false),
        ];
        let files =
            expected.map(|(within, path, is_program)| (PathBuf::from(within), (path, is_program)));
        assert_eq!(found.files, BTreeMap::from(files));
        assert_eq!(found.too_large, Vec::<PathBuf>::new());
        // Ten bytes, and five.
        let homes = ["a", "b"].map(|name| root.join(name));
        let found = PackageFiles::of(&homes.each_ref().map(PathBuf::as_path), 9);
        assert_eq!(found.too_large, [root.join("a")]);
        let files = [(PathBuf::from("b/other"), (other.clone(), false))];
        assert_eq!(found.files, BTreeMap::from(files));
        // A submodule is a part of the checkout, alone too.
        let sub = root.join("b");
        query(git(&sub).words(&["init", "--quiet"])).expect("a repository");
        for (folder, words) in [
            (&sub, &["add", "."][..]),
            (
                &sub,
                &[
                    "-c",
                    "user.name=a",
                    "-c",
                    "user.email=a@b",
                    "commit",
                    "-qm1",
                ],
            ),
            (&root, &["-c", "advice.addEmbeddedRepo=false", "add", "b"]),
        ] {
            query(git(folder).words(words)).expect("git");
        }
        for homes in [&[sub.as_path()][..], &[&root, &sub]] {
            let found = PackageFiles::of(homes, 100);
            let own = found.files.get(Path::new("b/other"));
            assert_eq!(own, Some(&(other.clone(), false)));
        }
    }

    #[test]
    fn without_a_checkout_nothing_is_sent() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("text"), "").expect("a file");
        let found = PackageFiles::of(&[folder.path()], 100);
        assert_eq!(found, PackageFiles::default());
    }
}
