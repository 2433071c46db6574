//! Which `tourbillon.toml` is read.

use std::env;
use std::path::PathBuf;

use tourbillon_coordinator::values::{Setting, SettingScope, SettingsFile, TomlValue};
use tourbillon_values::inputs;

use crate::exit::Stop;

/// The variable that names the file.
pub const VARIABLE: &str = "TOURBILLON_CONFIG";
/// In place of a path: no file.
pub const NO_FILE: &str = "none";

/// The file that the command line names, if any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigPath {
    typed: Option<PathBuf>,
}

impl ConfigPath {
    /// What was typed, if anything was.
    pub fn new(typed: Option<PathBuf>) -> ConfigPath {
        ConfigPath { typed }
    }

    /// As if no file had been asked for.
    pub fn none() -> ConfigPath {
        ConfigPath::new(Some(NO_FILE.into()))
    }

    /// The path that was named by the flag, or else by the variable.
    pub fn named(&self) -> Option<PathBuf> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        self.typed.clone().or(variable.map(PathBuf::from))
    }

    /// The file: the flag's, else the variable's, else the nearest one.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or has a mistake.
    pub fn file(&self) -> Result<Option<SettingsFile>, Stop> {
        let folder = env::current_dir().unwrap_or_default();
        SettingsFile::locate(self.named().as_deref(), &folder).map_err(Stop::Usage)
    }

    /// Has no output replace the file, also that of a command that does not read it.
    pub fn note(&self) {
        let folder = env::current_dir().unwrap_or_default();
        let file = self
            .named()
            .or_else(|| SettingsFile::nearest(&folder, |path| path.exists()));
        file.iter().for_each(|file| inputs::note(file));
    }

    /// The folder of the store in the file.
    ///
    /// # Errors
    ///
    /// Those of [`ConfigPath::file`].
    pub fn store(&self) -> Result<Option<PathBuf>, Stop> {
        Ok(self.file()?.as_ref().and_then(store_of))
    }
}

/// The folder of the store that the variable names.
pub fn store_variable() -> Option<PathBuf> {
    let named = env::var_os("TOURBILLON_STORE").filter(|named| !named.is_empty());
    named.map(PathBuf::from)
}

/// The folder of the store in a file.
pub fn store_of(file: &SettingsFile) -> Option<PathBuf> {
    let is_store = |one: &&Setting| one.scope == SettingScope::Bench && one.key == "store";
    match &file.settings.iter().find(is_store)?.value {
        TomlValue::Text(folder) => Some(file.folder().join(folder)),
        _ => None,
    }
}
