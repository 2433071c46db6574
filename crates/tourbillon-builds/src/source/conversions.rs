//! How git writes the files of commits: filters, such as that of large files, and the ends of lines. The settings are those
//! of the user's repository, which a clone of it does not have.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use crate::error::{Result, refused};
use crate::invocation::Invocation;
use crate::key::Digest;
use crate::source::git::{git_in, query};

/// Where a git directory has attributes that no commit has.
const ATTRIBUTES: &str = "info/attributes";

/// The starts of the names of settings.
const SETTINGS: [&str; 5] = [
    "filter.",
    "lfs.",
    "core.autocrlf",
    "core.eol",
    "core.attributesfile",
];

/// How the files of a repository, or of a submodule, are written.
#[derive(Debug, Default)]
pub(crate) struct Conversions {
    settings: Vec<(String, String)>,
    attributes: String,
}

impl Conversions {
    /// Those of a git directory, in which a command of git begins.
    pub(crate) fn of(git: Invocation, directory: &Path) -> Conversions {
        let attributes = directory.join(ATTRIBUTES);
        Conversions {
            settings: settings(git, &["config", "--list", "-z"]),
            attributes: regular_file::read_text(&attributes, SETTINGS_BYTES).unwrap_or_default(),
        }
    }

    /// Makes them a part of a hash.
    pub(crate) fn add_to(&self, digest: Digest) -> Digest {
        let parts = self.settings.iter().flat_map(|(name, value)| [name, value]);
        let digest = digest.part(self.settings.len().to_string());
        parts.fold(digest, Digest::part).part(&self.attributes)
    }

    /// Gives them to a git directory of the clone, in the place of those that it has.
    pub(crate) fn give(&self, own: &Path) -> Result<()> {
        let present = settings(git_in(own), &["config", "--local", "--list", "-z"]);
        if present != self.settings {
            for name in BTreeSet::from_iter(present.iter().map(|(name, _)| name)) {
                let mut unset = git_in(own);
                unset.words(&["config", "--local", "--unset-all"]);
                query(unset.operands("--", [name]))?;
            }
            for (name, value) in &self.settings {
                let mut added = git_in(own);
                added.words(&["config", "--local", "--add"]);
                query(added.operands("--", [name, value]))?;
            }
        }
        self.set_attributes(own)
    }

    fn set_attributes(&self, own: &Path) -> Result<()> {
        let file = own.join(ATTRIBUTES);
        let removed = fs::remove_file(&file);
        let written = match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ if self.attributes.is_empty() => Ok(()),
            _ => fs::create_dir_all(own.join("info"))
                .and_then(|()| File::create_new(&file)?.write_all(self.attributes.as_bytes())),
        };
        written.map_err(|error| refused(&file, "written", &error))
    }
}

/// The settings that convert files, of those that git lists.
fn settings(mut git: Invocation, words: &[&'static str]) -> Vec<(String, String)> {
    let listed = query(git.words(words)).unwrap_or_default();
    let pairs = listed.split_terminator('\0');
    // A name without a value is one that is set.
    let pairs = pairs.map(|pair| pair.split_once('\n').unwrap_or((pair, "true")));
    let is_one = |name: &str| SETTINGS.iter().any(|start| name.starts_with(start));
    pairs
        .filter(|(name, _)| is_one(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
