//! How git writes the files of commits: filters, such as that of large files, and the ends of lines. The settings are those
//! of the user's repository, which a clone of it does not have.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use crate::error::{Result, refused};
use crate::invocation::Invocation;
use crate::key::Digest;
use crate::source::git::{git_in, path_of, query, query_bytes};

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
    settings: Vec<[OsString; 2]>,
    attributes: Vec<u8>,
}

impl Conversions {
    /// Those of a git directory, in which a command of git begins.
    ///
    /// # Errors
    ///
    /// Attributes that are there and cannot be read.
    pub(crate) fn of(git: Invocation, directory: &Path) -> Result<Conversions> {
        let file = directory.join(ATTRIBUTES);
        let attributes = match regular_file::read(&file, SETTINGS_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| refused(&file, "read", &error)),
        };
        Ok(Conversions {
            settings: settings(git, &["config", "--list", "-z"]),
            attributes: attributes?,
        })
    }

    /// Makes them a part of a hash.
    pub(crate) fn add_to(&self, digest: Digest) -> Digest {
        let parts = self.settings.iter().flatten();
        let parts: Vec<&[u8]> = parts.map(|part| part.as_encoded_bytes()).collect();
        digest.parts(&parts).part(&self.attributes)
    }

    /// Gives them to a git directory of the clone, in the place of those that it has.
    pub(crate) fn give(&self, own: &Path) -> Result<()> {
        let present = settings(git_in(own), &["config", "--local", "--list", "-z"]);
        if present != self.settings {
            for name in BTreeSet::from_iter(present.iter().map(|[name, _]| name)) {
                let mut unset = git_in(own);
                unset.words(&["config", "--local", "--unset-all"]);
                query(unset.operands("--", [name]))?;
            }
            for setting in &self.settings {
                let mut added = git_in(own);
                added.words(&["config", "--local", "--add"]);
                query(added.operands("--", setting))?;
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
                .and_then(|()| File::create_new(&file)?.write_all(&self.attributes)),
        };
        written.map_err(|error| refused(&file, "written", &error))
    }
}

/// The settings that convert files, of those that git lists, and their values.
fn settings(mut git: Invocation, words: &[&'static str]) -> Vec<[OsString; 2]> {
    let listed = query_bytes(git.words(words)).unwrap_or_default();
    let pairs = listed.split(|byte| *byte == 0);
    let is_one = |pair: &&[u8]| {
        SETTINGS
            .iter()
            .any(|start| pair.starts_with(start.as_bytes()))
    };
    pairs
        .filter(is_one)
        .map(|pair| {
            let end = pair.iter().position(|byte| *byte == b'\n');
            // A name without a value is one that is set.
            let [name, value] = end.map_or([pair, b"true"], |end| [&pair[..end], &pair[end + 1..]]);
            [name, value].map(|part| path_of(part).into_os_string())
        })
        .collect()
}
