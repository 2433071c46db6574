//! What names of revisions stand for.

use crate::source::git::{Repository, commit, git, query};

/// Where branches are, the first one first, and tags.
const PLACES: [&str; 4] = [
    "refs/remotes/",
    "refs/heads/",
    "refs/remotes/origin/",
    "refs/tags/",
];

impl Repository {
    /// The commit that a revision names; `None` when git does not know the revision, or it has two
    /// [meanings](Repository::meanings).
    pub(crate) fn commit(&self, revision: &str) -> Option<String> {
        let (name, steps) = name_of(revision);
        let meanings = self.meanings(name);
        let whole = match &meanings[..] {
            // Git would look for a tag that has this whole name.
            [] if name.starts_with("refs/") => return None,
            [] => name,
            [only] => only,
            _ => return None,
        };
        let peeled = format!("{whole}{steps}^{{commit}}");
        let mut git = git(&self.root);
        git.words(&["rev-parse", "--verify", "--quiet"])
            .operands("--end-of-options", [peeled]);
        query(&mut git).ok().filter(|text| commit(text).is_some())
    }

    /// The whole names of the branch and of the tag with a name; of one of them where both are one commit. In a clone,
    /// both are those of everyone who pushes. The whole hash of a commit is that commit, as for git, whatever has its name.
    pub(crate) fn meanings(&self, name: &str) -> Vec<String> {
        if is_head(name) || is_whole_hash(name) {
            return Vec::new();
        }
        let places: &[&str] = if name.starts_with("refs/") {
            &[""]
        } else {
            &PLACES
        };
        let whole: Vec<String> = places
            .iter()
            .map(|place| format!("{place}{name}"))
            .collect();
        let mut git = git(&self.root);
        git.words(&[
            "for-each-ref",
            "--format=%(refname) %(objectname) %(*objectname)",
        ])
        .operands("--", &whole);
        let known = query(&mut git).unwrap_or_default();
        // A tag with a message has the commit in the last column.
        let commit = |name: &String| {
            let mut all = known.lines().filter_map(|line| line.split_once(' '));
            let (_, hashes) = all.find(|(known, _)| known == name)?;
            hashes.split_whitespace().last()
        };
        let [branches @ .., tag] = &whole[..] else {
            return Vec::new();
        };
        let branch = branches.iter().find(|branch| commit(branch).is_some());
        let same = branch.is_some_and(|branch| commit(branch) == commit(tag));
        let tag = Some(tag).filter(|tag| commit(tag).is_some() && !same);
        branch.into_iter().chain(tag).cloned().collect()
    }
}

/// That a name is both a branch and a tag, if it is.
pub(crate) fn two_meanings(repository: &Repository, name: &str) -> Option<String> {
    match &repository.meanings(name_of(name).0)[..] {
        [branch, tag] => Some(format!(
            "{name:?} is {branch} and {tag}, which are two commits; name one of them in full"
        )),
        _ => None,
    }
}

/// The name that a revision begins with, and the steps from there: `main` and `~2`.
pub(crate) fn name_of(revision: &str) -> (&str, &str) {
    let steps = ["~", "^", ":", "@{"];
    let end = steps.iter().filter_map(|step| revision.find(step)).min();
    revision.split_at(end.unwrap_or(revision.len()))
}

/// Whether a name has the digits of a whole hash, of either kind.
fn is_whole_hash(name: &str) -> bool {
    [40, 64].contains(&name.len()) && name.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Whether git has a name for itself: `HEAD`, `FETCH_HEAD`, `@`.
fn is_head(name: &str) -> bool {
    name == "@" || name.ends_with("HEAD") && !name.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_and_a_tag_of_one_name_are_one_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let done = |words: &[&'static str]| {
            let mut git = git(root);
            git.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
                .words(words);
            query(&mut git)
        };
        if done(&["init", "--quiet", "-b", "main"]).is_err() {
            return;
        }
        let [old, new] = [(); 2].map(|()| {
            let commit = ["commit", "--quiet", "--allow-empty", "--message=a"];
            done(&commit).expect("a commit");
            done(&["rev-parse", "HEAD"]).expect("a commit")
        });
        for branch in ["main", "v2", "HEAD"] {
            let mut git = git(root);
            git.words(&["update-ref"]).operands(
                "--end-of-options",
                [&format!("refs/remotes/origin/{branch}"), &new],
            );
            query(&mut git).expect("a branch of a remote");
        }
        done(&["branch", "own"]).expect("a branch");
        for tag in ["origin/main", "own", "refs/heads/x", "v1", "v2", "HEAD"] {
            let mut git = git(root);
            git.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
                .words(&["tag", "--message=a"])
                .operands("--", [tag, &old]);
            query(&mut git).expect("a tag");
        }
        done(&["tag", "main", "HEAD"]).expect("a tag");
        for place in PLACES {
            let mut git = git(root);
            let named = format!("{place}{old}");
            git.words(&["update-ref"])
                .operands("--end-of-options", [&named, &new]);
            query(&mut git).expect("a name");
        }
        let repository = Repository::around(root).expect("a repository");
        for (name, expected) in [
            ("main", Some(&new)),
            ("main~1", Some(&old)),
            ("main@{0}", Some(&new)),
            ("HEAD", Some(&new)),
            ("HEAD^", Some(&old)),
            (&old[..9], Some(&old)),
            (&old, Some(&old)),
            (&old.to_uppercase(), Some(&old)),
            ("v1", Some(&old)),
            ("tags/own", Some(&old)),
            ("refs/tags/own", Some(&old)),
            ("heads/own", Some(&new)),
            ("refs/remotes/origin/main", Some(&new)),
            // Two commits.
            ("origin/main", None),
            ("origin/main~1", None),
            ("own", None),
            ("v2", None),
            // None.
            ("refs/heads/x", None),
            ("refs/heads", None),
            ("x", None),
        ] {
            assert_eq!(repository.commit(name).as_ref(), expected, "{name}");
        }
        let two = ["refs/heads/own", "refs/tags/own"];
        assert_eq!(repository.meanings("own"), two);
    }
}
