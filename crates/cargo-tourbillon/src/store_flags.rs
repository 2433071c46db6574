//! The flags `--store` and `--config`.

use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_builds::Flag;
use tourbillon_commands::record;
use tourbillon_tool::config_file::ConfigPath;
use tourbillon_tool::records::StorePath;

use crate::exit::Stop;

/// The flag `--config`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConfigFlag {
    /// File of defaults, or none [tourbillon.toml]; where cargo builds, its KEY=VALUE, too
    #[arg(long, value_name = "FILE", global = true)]
    config: Vec<PathBuf>,
}

/// The file among the values of `--config`; others are cargo's.
pub(crate) fn file_among<'v>(values: impl Iterator<Item = &'v PathBuf>) -> Option<PathBuf> {
    values.filter(|value| !is_setting(value)).last().cloned()
}

fn is_setting(value: &Path) -> bool {
    value.as_os_str().as_encoded_bytes().contains(&b'=')
}

/// The flag `--store`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StoreFlag {
    /// Folder of the store [tourbillon in the target folder]
    #[arg(long, value_name = "DIR", global = true)]
    store: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigFlag,
}

impl ConfigFlag {
    pub(crate) fn path(&self) -> ConfigPath {
        ConfigPath::new(self.config.last().cloned())
    }

    /// The same of a command that builds.
    pub(crate) fn path_beside_settings(&self) -> ConfigPath {
        ConfigPath::new(file_among(self.config.iter()))
    }

    /// What is passed on to cargo, each value in one word with the flag.
    pub(crate) fn of_cargo(&self) -> impl Iterator<Item = Flag> {
        let settings = self.config.iter().filter(|value| is_setting(value));
        settings.map(|value| Flag::new("--config=", value))
    }

    /// Of a command that stores nothing.
    pub(crate) fn store_path(&self) -> StorePath {
        StorePath::new(None, self.path())
    }
}

impl StoreFlag {
    pub(crate) fn path(&self) -> StorePath {
        StorePath::new(self.store.clone(), self.config.path())
    }

    /// The same of a command that builds, and what that passes on to cargo.
    pub(crate) fn of_build(&self) -> (StorePath, Vec<Flag>) {
        let config = self.config.path_beside_settings();
        let path = StorePath::new(self.store.clone(), config);
        (path, self.config.of_cargo().collect())
    }

    /// The newest record of commands.
    pub(crate) fn newest_of_commands(&self) -> Result<PathBuf, Stop> {
        record::newest(&record::store_of(self.path().folder())?)
    }
}
