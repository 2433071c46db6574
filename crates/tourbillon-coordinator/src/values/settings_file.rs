//! `tourbillon.toml`: defaults of flags, for a workspace, its packages, targets and cases.

use std::path::{Path, PathBuf};

use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::nearest;
use tourbillon_values::regular_file::read_text;

use crate::values::toml::{TomlEntry, TomlValue, toml};

/// The name of the file.
const FILE: &str = "tourbillon.toml";
/// A file that a workspace has next to its manifest, and one of a checkout that is no submodule: no folder above them is
/// searched.
const ENDS: [&str; 2] = ["Cargo.lock", ".git/HEAD"];
/// In place of a path: no file.
const NO_FILE: &str = "none";
/// What the first tables are: flags of bench programs, thresholds, and flags of subcommands.
const SECTIONS: [&str; 7] = ["bench", "gate", "compare", "ci", "save", "show", "report"];

/// A file of settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it has, in its order.
    pub settings: Vec<Setting>,
    /// All of it.
    pub text: String,
}

/// A value of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it is for.
    pub scope: SettingScope,
    /// The name of a flag, without dashes.
    pub key: String,
    /// The names of its tables, and its key.
    pub path: Vec<String>,
    /// Its value.
    pub value: TomlValue,
    /// The line, from 1.
    pub line: usize,
}

/// What a setting is for. Of several, the last in this order counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingScope {
    /// A subcommand, or the thresholds of its gate.
    Command(String),
    /// All bench programs.
    Bench,
    /// Those of a package.
    Package(String),
    /// Those of a target, by its name or as `PACKAGE/TARGET`.
    Target(String),
    /// The cases that a pattern selects.
    Cases(String),
}

impl SettingScope {
    /// The table in the file.
    pub fn table(&self) -> String {
        match self {
            SettingScope::Command(name) => format!("[{name}]"),
            SettingScope::Bench => "[bench]".to_owned(),
            SettingScope::Package(name) => format!("[bench.packages.{name:?}]"),
            SettingScope::Target(name) => format!("[bench.targets.{name:?}]"),
            SettingScope::Cases(pattern) => format!("[bench.cases.{pattern:?}]"),
        }
    }

    /// What an entry of the file is for, and its key.
    fn of(entry: &TomlEntry) -> Result<(SettingScope, String), String> {
        let names: Vec<&str> = entry.path.iter().map(String::as_str).collect();
        let (scope, key) = match names.as_slice() {
            // Thresholds have tables in it.
            ["gate", ..] if names.len() > 1 || entry.value == TomlValue::Table => {
                return Ok((
                    SettingScope::Command("gate".to_owned()),
                    names[1..].join("."),
                ));
            }
            ["bench", "packages", name, key] => (SettingScope::Package((*name).to_owned()), key),
            ["bench", "targets", name, key] => (SettingScope::Target((*name).to_owned()), key),
            ["bench", "cases", pattern, key] => (SettingScope::Cases((*pattern).to_owned()), key),
            ["bench", inner @ ("packages" | "targets" | "cases"), ..] => {
                return Err(format!("write [bench.{inner}.NAME], and KEY = VALUE in it"));
            }
            ["bench", key] => (SettingScope::Bench, key),
            [command, key] if SECTIONS.contains(command) => {
                (SettingScope::Command((*command).to_owned()), key)
            }
            [first, ..] if SECTIONS.contains(first) => {
                return Err(format!("[{first}] has no such table: {}", names.join(".")));
            }
            [first, ..] => {
                let meant = nearest(first, SECTIONS).map_or_else(
                    || format!("known are [{}]", SECTIONS.join("], [")),
                    |meant| format!("did you mean [{meant}]?"),
                );
                return Err(format!("[{first}] is not known; {meant}"));
            }
            [] => return Err("a key is missing".to_owned()),
        };
        Ok((scope, (*key).to_owned()))
    }
}

impl SettingsFile {
    /// Longest file that is read, in bytes.
    pub const LONGEST: u64 = 1 << 20;

    /// The file that is named, or else the nearest one in a folder or above it, within its workspace. Its name
    /// may be `none`.
    ///
    /// # Errors
    ///
    /// When it cannot be read, and the first mistake in it with its line.
    pub fn locate(named: Option<&Path>, folder: &Path) -> Result<Option<SettingsFile>, String> {
        match named {
            Some(path) if path == NO_FILE => Ok(None),
            Some(path) => SettingsFile::read(path).map(Some),
            None => match SettingsFile::nearest(folder, |path| path.exists()) {
                // Of a commit, perhaps: messages quote lines of the file, which may be a user's own.
                Some(path) if path.is_symlink() => Err(format!(
                    "{path:?} is a link, which is not followed; name the file with --config"
                )),
                Some(path) => SettingsFile::read(&path).map(Some),
                None => Ok(None),
            },
        }
    }

    /// The path of the nearest file in a folder or above it, within its workspace.
    pub fn nearest(folder: &Path, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        for folder in folder.ancestors() {
            let file = folder.join(FILE);
            if exists(&file) {
                return Some(file);
            }
            if ENDS.iter().any(|end| exists(&folder.join(end))) {
                return None;
            }
        }
        None
    }

    /// Reads a file.
    fn read(path: &Path) -> Result<SettingsFile, String> {
        // Also where a user names it: every program of the run reads it again, and a pipe is empty by then.
        let text = read_text(path, SETTINGS_BYTES)
            .map_err(|error| format!("{path:?} cannot be read: {error}"))?;
        SettingsFile::parse(path, &text)
    }

    /// The file of a text that is somewhere else, such as in a commit.
    ///
    /// # Errors
    ///
    /// The first mistake in it with its line.
    pub fn parse(path: &Path, text: &str) -> Result<SettingsFile, String> {
        let mut file = SettingsFile {
            path: path.to_owned(),
            settings: Vec::new(),
            text: text.to_owned(),
        };
        let entries = toml(text).map_err(|error| file.at(error.line, &error.what))?;
        for entry in entries {
            // Without thresholds, `[gate]` still is a gate; other tables mean nothing without settings.
            if entry.value == TomlValue::Table && entry.path[0] != "gate" {
                continue;
            }
            let (scope, key) =
                SettingScope::of(&entry).map_err(|what| file.at(entry.line, &what))?;
            let TomlEntry { path, value, line } = entry;
            file.settings.push(Setting {
                scope,
                key,
                path,
                value,
                line,
            });
        }
        Ok(file)
    }

    /// A message about a line.
    pub fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path.display())
    }

    /// The folder of the file: paths in it are relative to that.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

impl Setting {
    /// The value as it would be typed, one text for each value of a list; empty for `false`. `takes_value` is
    /// whether the flag has one.
    ///
    /// # Errors
    ///
    /// When the value is none for the flag.
    pub fn typed(&self, takes_value: bool) -> Result<Vec<String>, String> {
        let key = &self.key;
        let one = |value: &TomlValue| match value {
            TomlValue::Text(text) | TomlValue::Number(text) => Ok(text.clone()),
            _ => Err(format!("{key} needs a value: a text in quotes or a number")),
        };
        match &self.value {
            TomlValue::Switch(false) if !takes_value => Ok(Vec::new()),
            TomlValue::Switch(true) if !takes_value => Ok(vec![String::new()]),
            _ if !takes_value => Err(format!("{key} is true or false")),
            TomlValue::List(values) => values.iter().map(one).collect(),
            value => Ok(vec![one(value)?]),
        }
    }
}

#[cfg(test)]
mod tests;
