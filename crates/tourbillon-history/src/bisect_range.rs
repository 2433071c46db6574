//! Where `history bisect` looks for a change.

use std::path::Path;

use tourbillon_builds::{Cache, Flag, commit_of, lock_steps, main_line};
use tourbillon_tool::exit::{Stop, say};

use crate::short_names::short_commit;

/// Where a change is looked for.
#[derive(Clone, Debug)]
pub enum Range {
    /// Between two commits, that before the change first.
    Commits([String; 2]),
    /// Between two lock files of cargo, that before the change first: their paths, or revisions that have them.
    LockFiles([String; 2]),
}

/// What is searched: commits after one that is before the change.
pub(crate) struct Searchable {
    pub(crate) good: String,
    /// The oldest first.
    pub(crate) commits: Vec<String>,
    /// The names of both ends, for people.
    pub(crate) ends: [String; 2],
    /// What each commit changes, where they were made from lock files.
    pub(crate) updates: Option<Vec<String>>,
}

impl Searchable {
    /// Of a range, in the repository around a folder; with these flags commits are built.
    pub(crate) fn new(range: &Range, flags: &[Flag], folder: &Path) -> Result<Searchable, Stop> {
        match range {
            Range::Commits(names) => Searchable::of_commits(folder, names),
            Range::LockFiles([old, new]) => {
                let is_offline = flags.iter().any(|flag| flag.name() == "--offline");
                let made = lock_steps(folder, [old, new], is_offline, &Cache::locate(say)?)?;
                let (commits, updates) = made.steps.into_iter().unzip();
                Ok(Searchable {
                    good: made.start,
                    commits,
                    ends: [old.clone(), new.clone()],
                    updates: Some(updates),
                })
            }
        }
    }

    fn of_commits(folder: &Path, names: &[String; 2]) -> Result<Searchable, Stop> {
        let [good, bad] = names.each_ref().map(|name| {
            commit_of(folder, name)
                .ok_or_else(|| Stop::Usage(format!("git knows no commit {name:?}")))
        });
        let (good, bad) = (good?, bad?);
        Ok(Searchable {
            commits: commits_between(folder, &good, &bad)?,
            ends: [&good, &bad].map(|commit| short_commit(commit).to_owned()),
            updates: None,
            good,
        })
    }

    /// The one after the change.
    pub(crate) fn bad(&self) -> &String {
        self.commits.last().unwrap_or(&self.good)
    }
}

/// The first parents of a commit after another one, the oldest first.
fn commits_between(folder: &Path, good: &String, bad: &str) -> Result<Vec<String>, Stop> {
    let mut commits = main_line(folder, bad)?;
    let place = commits.iter().position(|commit| commit == good);
    let [good, bad] = [good, bad].map(short_commit);
    let place = place.filter(|place| place + 1 < commits.len()).ok_or_else(|| {
        Stop::Usage(format!(
            "{good} is not before {bad} among the first parents of {bad}; `git log --first-parent {bad}` lists them"
        ))
    })?;
    Ok(commits.split_off(place + 1))
}
