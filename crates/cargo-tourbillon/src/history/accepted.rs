//! `history accept`: changes that are meant, in a file of the repository.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use tourbillon_builds::{checkout_root, commit_of};
use tourbillon_os::open_plain;
use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use crate::exit::{Stop, print};

/// The file, in the root of the checkout.
const FILE: &str = "tourbillon-accepted.toml";

/// Note that a commit changes a case on purpose
///
/// Appends to tourbillon-accepted.toml in the root of the checkout, which is reviewed like code. `changes` does
/// not list changes whose range has the commit.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The commit
    #[arg(value_name = "COMMIT")]
    commit: String,
    /// Part of the ids or of the printed names of the cases
    #[arg(value_name = "CASE")]
    case: String,
    /// The reason
    #[arg(value_name = "WHY")]
    why: String,
}

/// A change that is meant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Accepted {
    /// In full.
    pub(super) commit: String,
    /// Part of the ids or of the printed names of the cases.
    pub(super) case: String,
    /// The reason.
    pub(super) why: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    accepted: Vec<Accepted>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let commit = commit_of(&folder, &arguments.commit);
    let commit =
        commit.ok_or_else(|| Stop::Usage(format!("git knows no commit {:?}", arguments.commit)))?;
    for (text, what) in [
        (&arguments.case, "the case"),
        (&arguments.why, "the reason"),
    ] {
        if text.trim().is_empty() {
            return Err(Stop::Usage(format!("{what} is empty")));
        }
    }
    let path = path()?;
    let entry = entry(&Accepted {
        commit,
        case: arguments.case.clone(),
        why: arguments.why.clone(),
    });
    // A branch may have a link of that name.
    let file = open_plain(OpenOptions::new().append(true).create(true), &path);
    let written = file.and_then(|mut file| file.write_all(entry.as_bytes()));
    written.map_err(|error| Stop::Environment(format!("{path:?} cannot be written: {error}")))?;
    print(&format!("accepted in {}\n", path.display()))
}

/// The changes that are meant, of the checkout around the current folder; none without a file.
pub(super) fn accepted() -> Result<Vec<Accepted>, Stop> {
    let Ok(path) = path() else {
        return Ok(Vec::new());
    };
    match regular_file::read_text(&path, SETTINGS_BYTES) {
        Ok(text) => parse(&text).map_err(|what| Stop::Usage(format!("{}: {what}", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Stop::Environment(format!(
            "{path:?} cannot be read: {error}"
        ))),
    }
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
