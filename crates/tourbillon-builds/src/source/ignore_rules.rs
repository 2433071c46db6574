//! What git ignores in a checkout, asked of git itself: its rules are in several files, and some are not in the checkout.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use tourbillon_record::store::is_of_run;

use crate::error::Result;
use crate::source::git::{Repository, git, in_git, path_of, query_bytes};

/// The rules of one checkout.
#[derive(Clone, Debug)]
pub struct IgnoreRules {
    root: PathBuf,
}

impl IgnoreRules {
    /// Those of the checkout around a folder; `None` without a repository.
    #[must_use]
    pub fn around(folder: &Path) -> Option<IgnoreRules> {
        let root = Repository::around(folder)?.root;
        Some(IgnoreRules { root })
    }

    /// The root of the checkout.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files that git tracks, and those that it neither tracks nor ignores, without records of runs. A repository
    /// inside of this one is one path.
    ///
    /// # Errors
    ///
    /// Git's message.
    pub fn files(&self) -> Result<BTreeSet<PathBuf>> {
        let listed = |which: &'static [&'static str]| {
            let mut listed = git(&self.root);
            query_bytes(listed.words(&["ls-files", "-z"]).words(which))
        };
        let tracked = listed(&["--cached"])?;
        let others = listed(&["--others", "--exclude-standard"])?;
        let whole = |path: PathBuf| self.root.join(path);
        let others = paths(&others).map(whole).filter(|path| !is_of_run(path));
        Ok(paths(&tracked).map(whole).chain(others).collect())
    }

    /// Which of these paths git ignores; none where git cannot tell. Those of a repository inside of this one are
    /// ignored by its own rules.
    pub fn ignored<'p>(&self, asked: impl IntoIterator<Item = &'p Path>) -> HashSet<PathBuf> {
        let mut of_repositories: BTreeMap<PathBuf, Vec<&Path>> = BTreeMap::new();
        let mut repositories = HashMap::new();
        for path in asked {
            let folder = path.parent().unwrap_or(&self.root);
            let repository = repositories
                .entry(folder)
                .or_insert_with(|| self.repository(folder));
            of_repositories
                .entry(repository.clone())
                .or_default()
                .push(path);
        }
        let ignored = of_repositories
            .iter()
            .flat_map(|(repository, paths)| ignored_in(repository, paths));
        ignored.collect()
    }

    /// The root of the repository that a folder of the checkout belongs to.
    fn repository(&self, folder: &Path) -> PathBuf {
        let above = folder.ancestors();
        let mut inside =
            above.take_while(|above| *above != self.root && above.starts_with(&self.root));
        let nested = inside.find(|above| above.join(".git").exists());
        nested.unwrap_or(&self.root).to_owned()
    }
}

/// Those of the paths that the rules of the repository at `root` ignore.
fn ignored_in(root: &Path, asked: &[&Path]) -> Vec<PathBuf> {
    let mut list = Vec::new();
    for path in asked {
        list.extend_from_slice(in_git(path).as_encoded_bytes());
        list.push(0);
    }
    let mut check = git(root);
    check.words(&["check-ignore", "-z", "--stdin"]);
    // Git also exits with an error if it ignores none.
    let found = check.output_of(&list).map(|output| output.stdout);
    paths(&found.unwrap_or_default())
        .map(|path| root.join(path))
        .collect()
}

/// Paths as git prints them with `-z`.
fn paths(printed: &[u8]) -> impl Iterator<Item = PathBuf> {
    let parts = printed.split(|byte| *byte == 0);
    parts.filter(|part| !part.is_empty()).map(path_of)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn git_says_what_it_ignores() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query_bytes(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        fs::create_dir_all(root.join("a/target")).expect("a folder");
        let names = [".gitignore", "a/new.rs", "a/kept.o", "a/target/x", "b.o"];
        for name in names {
            fs::write(root.join(name), "*.o\ntarget/\n").expect("a file");
        }
        fs::create_dir_all(root.join("s/runs/p/t")).expect("a folder");
        let tracked = "s/runs/p/t/20260101T000000.000000000Z-2.jsonl";
        for record in ["s/runs/p/t/20260101T000000.000000000Z-1.jsonl", tracked] {
            fs::write(root.join(record), "{\"type\":\"header\",").expect("a file");
        }
        let mut add = git(root);
        add.words(&["add", "--force", "a/kept.o", tracked]);
        query_bytes(&mut add).expect("git adds");
        let rules = IgnoreRules::around(&root.join("a")).expect("a repository");
        let root = rules.root().to_owned();
        let below = |names: &[&str]| -> Vec<PathBuf> {
            let paths = names.iter().map(|name| root.join(name));
            paths.collect()
        };
        let files: Vec<PathBuf> = rules.files().expect("git lists").into_iter().collect();
        let expected = [".gitignore", "a/kept.o", "a/new.rs", tracked];
        assert_eq!(files, below(&expected));
        // More than a pipe holds.
        let mut asked = below(&names);
        asked.extend((0..20_000).map(|number| root.join(format!("{number}.rs"))));
        asked.push(root.join("-x.o"));
        let mut ignored: Vec<PathBuf> = rules
            .ignored(asked.iter().map(PathBuf::as_path))
            .into_iter()
            .collect();
        ignored.sort();
        assert_eq!(ignored, below(&["-x.o", "a/target/x", "b.o"]));
        assert!(rules.ignored([root.join("a/new.rs").as_path()]).is_empty());
    }

    #[test]
    fn a_repository_inside_has_its_own_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let inside = root.join("inside");
        fs::create_dir_all(inside.join("src")).expect("a folder");
        for repository in [".", "inside"] {
            if query_bytes(git(root).words(&["init", "--quiet", repository])).is_err() {
                return;
            }
        }
        fs::write(root.join(".gitignore"), "*.tmp\n").expect("a file");
        fs::write(inside.join(".gitignore"), "*.log\n").expect("a file");
        let rules = IgnoreRules::around(root).expect("a repository");
        let root = rules.root();
        let asked = ["a.tmp", "a.log", "inside/src/a.log", "inside/src/a.tmp"];
        let asked = asked.map(|name| root.join(name));
        let ignored = rules.ignored(asked.iter().map(PathBuf::as_path));
        assert_eq!(ignored, HashSet::from([asked[0].clone(), asked[2].clone()]));
    }
}
