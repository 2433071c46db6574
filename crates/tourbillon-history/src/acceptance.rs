//! `history accept`: changes that are meant, in a file of the repository.

use std::env;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tourbillon_builds::{checkout_root, commit_of, git_file};
use tourbillon_record::store::Draft;
use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use tourbillon_tool::exit::{Stop, print};
use tourbillon_tool::output::not_written;

/// The file, in the root of the checkout.
const FILE: &str = "tourbillon-accepted.toml";
/// Locked while a change is added, in the git directory.
const LOCK: &str = "tourbillon-accepted.lock";

/// Options of this subcommand: the change.
#[derive(Clone, Debug)]
pub struct Options {
    /// The commit.
    pub commit: String,
    /// Part of the ids or of the printed names of the cases.
    pub case: String,
    /// The reason.
    pub why: String,
}

/// A change that is meant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Accepted {
    /// In full.
    pub(crate) commit: String,
    /// Part of the ids or of the printed names of the cases.
    pub(crate) case: String,
    /// The reason.
    pub(crate) why: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    accepted: Vec<Accepted>,
}

/// Notes that a commit changes a case on purpose.
///
/// # Errors
///
/// What is wrong with the options or with the file.
pub fn run(options: &Options) -> Result<(), Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let commit = commit_of(&folder, &options.commit)
        .ok_or_else(|| Stop::Usage(format!("git knows no commit {:?}", options.commit)))?;
    for (text, what) in [(&options.case, "the case"), (&options.why, "the reason")] {
        if text.trim().is_empty() {
            return Err(Stop::Usage(format!("{what} is empty")));
        }
    }
    let path = path()?;
    let _alone = alone(&folder)?;
    let (text, mut expected) = read(&path)?;
    expected.push(Accepted {
        commit,
        case: options.case.clone(),
        why: options.why.clone(),
    });
    let text = text + &expected.last().map(entry).unwrap_or_default();
    if parse(&text).ok() != Some(expected) {
        return Err(Stop::Usage(format!(
            "{path:?} takes no table at its end; write each change as a table [[accepted]], without `accepted = `"
        )));
    }
    if text.len() as u64 > SETTINGS_BYTES {
        return Err(Stop::Usage(format!(
            "{path:?} would have more than {SETTINGS_BYTES} bytes, the limit for such a file; remove old changes"
        )));
    }
    Draft::write(&path, text).map_err(|error| not_written(&path, &error))?;
    print(&format!("accepted in {}\n", path.display()))
}

/// A lock until it is dropped: what another process adds meanwhile would be lost.
fn alone(folder: &Path) -> Result<fs::File, Stop> {
    let lock = git_file(folder, LOCK).unwrap_or_default();
    let mut options = OpenOptions::new();
    let opened = regular_file::open_with(options.append(true).create(true), &lock);
    let locked = opened.and_then(|file| {
        file.lock()?;
        Ok(file)
    });
    locked.map_err(|error| Stop::Environment(format!("{lock:?} cannot be locked: {error}")))
}

/// The changes that are meant, of the checkout around the current folder; none without a file.
pub(crate) fn accepted() -> Result<Vec<Accepted>, Stop> {
    let Ok(path) = path() else {
        return Ok(Vec::new());
    };
    Ok(read(&path)?.1)
}

/// The text of the file and the changes in it; nothing without a file. A branch may have a link of that name, and messages
/// quote lines.
fn read(path: &Path) -> Result<(String, Vec<Accepted>), Stop> {
    let read = if path.is_symlink() {
        Err(io::Error::other("it is a link, which is not followed"))
    } else {
        regular_file::read_text(path, SETTINGS_BYTES)
    };
    let text = match read {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let what = format!("{path:?} cannot be read: {error}");
            return Err(Stop::Environment(what));
        }
    };
    let accepted =
        parse(&text).map_err(|what| Stop::Usage(format!("{}: {what}", path.display())))?;
    Ok((text, accepted))
}

fn path() -> Result<PathBuf, Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let root = checkout_root(&folder).ok_or_else(|| {
        Stop::Usage(
            "accepted changes are in a file of a git repository; there is none here".to_owned(),
        )
    })?;
    Ok(root.join(FILE))
}

fn parse(text: &str) -> Result<Vec<Accepted>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    Ok(file.accepted)
}

/// A table of the file.
fn entry(accepted: &Accepted) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let Accepted { commit, case, why } = accepted;
    let [commit, case, why] = [commit, case, why].map(|text| quoted(text));
    format!("\n[[accepted]]\ncommit = {commit}\ncase = {case}\nwhy = {why}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let all = ["plain", "with \"quotes\" and \\", "two\nlines"].map(|why| Accepted {
            commit: "0123".to_owned(),
            case: "shop/sort::heap[n=\"a\"]".to_owned(),
            why: why.to_owned(),
        });
        let text: String = all.iter().map(entry).collect();
        assert_eq!(parse(&text).expect(&text), all);
        assert_eq!(parse(""), Ok(Vec::new()));
        assert!(parse("[[accepted]]\ncommit = \"a\"\n").is_err());
    }
}
