//! The flags `--store` and `--config`.

use std::path::PathBuf;

use clap::Args;
use tourbillon_tool::config_file::ConfigPath;
use tourbillon_tool::records::StorePath;

/// The flag `--config`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConfigFlag {
    /// File of defaults, or none [tourbillon.toml]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
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
        ConfigPath::new(self.config.clone())
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
}
