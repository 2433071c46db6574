//! Which `tourbillon.toml` is read.

use std::env;
use std::path::PathBuf;

use clap::Args;
use tourbillon_values::{Scope, Setting, SettingsFile, TomlValue, inputs};

use crate::exit::Stop;

/// The variable that names the file.
pub(crate) const VARIABLE: &str = "TOURBILLON_CONFIG";
/// In place of a path: no file.
pub(crate) const NO_FILE: &str = "none";

/// The flag `--config`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct ConfigFlag {
    /// File of defaults, or none [tourbillon.toml]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl ConfigFlag {
    /// As if this file had been named.
    pub(crate) fn of(config: Option<PathBuf>) -> ConfigFlag {
        ConfigFlag { config }
    }

    /// As if no file had been asked for.
    pub(crate) fn none() -> ConfigFlag {
        ConfigFlag::of(Some(NO_FILE.into()))
    }

    /// The path that was named by the flag, or else by the variable.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        self.config.clone().or(variable.map(PathBuf::from))
    }

    /// The file: the flag's, else the variable's, else the nearest one.
    pub(crate) fn file(&self) -> Result<Option<SettingsFile>, Stop> {
        let folder = env::current_dir().unwrap_or_default();
        SettingsFile::locate(self.named().as_deref(), &folder).map_err(Stop::Usage)
    }

    /// Has no output replace the file, also that of a command that does not read it.
    pub(crate) fn note(&self) {
        let folder = env::current_dir().unwrap_or_default();
        let file = self.named();
        let file = file.or_else(|| SettingsFile::nearest(&folder, |path| path.exists()));
        file.iter().for_each(|file| inputs::note(file));
    }

    /// The folder of the store in the file.
    pub(crate) fn store(&self) -> Result<Option<PathBuf>, Stop> {
        Ok(self.file()?.as_ref().and_then(store_of))
    }
}

/// The folder of the store that the variable names.
pub(crate) fn store_variable() -> Option<PathBuf> {
    let named = env::var_os("TOURBILLON_STORE").filter(|named| !named.is_empty());
    named.map(PathBuf::from)
}

/// The folder of the store in a file.
pub(crate) fn store_of(file: &SettingsFile) -> Option<PathBuf> {
    let is_store = |one: &&Setting| one.scope == Scope::Bench && one.key == "store";
    match &file.settings.iter().find(is_store)?.value {
        TomlValue::Text(folder) => Some(file.folder().join(folder)),
        _ => None,
    }
}
