//! How git writes the files of commits: filters, such as that of large files, and the ends of lines. The settings are those
//! of the user's repository, which a clone of it does not have.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::{env, fs, io};

use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use crate::error::{Result, refused};
use crate::invocation::Invocation;
use crate::key::Digest;
use crate::source::git::{Repository, git, query};

/// Where a git directory has attributes that no commit has.
const ATTRIBUTES: &str = "info/attributes";

/// The variable with the number of settings in variables.
const COUNT: &str = "GIT_CONFIG_COUNT";

/// The starts of the names of settings.
const SETTINGS: [&str; 5] = [
    "filter.",
    "lfs.",
    "core.autocrlf",
    "core.eol",
    "core.attributesfile",
];

/// How files are written.
#[derive(Debug, Default)]
pub(crate) struct Conversions {
    settings: Vec<(String, String)>,
    attributes: String,
}

impl Conversions {
    pub(crate) fn of(repository: &Repository) -> Conversions {
        let mut listed = git(&repository.root);
        listed.words(&["config", "--list", "-z"]);
        let listed = query(&mut listed).unwrap_or_default();
        let pairs = listed.split_terminator('\0');
        // A name without a value is one that is set.
        let pairs = pairs.map(|pair| pair.split_once('\n').unwrap_or((pair, "true")));
        let is_one = |name: &str| SETTINGS.iter().any(|start| name.starts_with(start));
        let settings = pairs.filter(|(name, _)| is_one(name));
        let attributes = repository.git.join(ATTRIBUTES);
        Conversions {
            settings: settings
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            attributes: regular_file::read_text(&attributes, SETTINGS_BYTES).unwrap_or_default(),
        }
    }

    /// A hash, to be a part of keys.
    pub(crate) fn key(&self) -> String {
        let parts = self.settings.iter().flat_map(|(name, value)| [name, value]);
        let digest = parts.fold(Digest::default(), Digest::part);
        digest.part(&self.attributes).key()
    }

    /// Has a git command use the settings.
    pub(crate) fn apply(&self, git: &mut Invocation) {
        let present = env::var(COUNT).ok().and_then(|count| count.parse().ok());
        let present: usize = present.unwrap_or(0);
        let process = git.process();
        for (number, (name, value)) in (present..).zip(&self.settings) {
            process.env(format!("GIT_CONFIG_KEY_{number}"), name);
            process.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        process.env(COUNT, (present + self.settings.len()).to_string());
    }

    /// Gives a git directory the attributes.
    pub(crate) fn set_attributes(&self, directory: &Path) -> Result<()> {
        let file = directory.join(ATTRIBUTES);
        let removed = fs::remove_file(&file);
        let written = match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ if self.attributes.is_empty() => Ok(()),
            _ => fs::create_dir_all(directory.join("info"))
                .and_then(|()| File::create_new(&file)?.write_all(self.attributes.as_bytes())),
        };
        written.map_err(|error| refused(&file, "written", &error))
    }
}
