//! The location of the store.

use std::env;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, value_parser};
use tourbillon_builds::cargo;
use tourbillon_builds::targets::Workspace;
use tourbillon_record::store::Store;

use crate::exit::Stop;

/// The value of `--store`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    flag: Option<PathBuf>,
}

/// The flag `--store`.
pub(crate) fn arguments() -> [Arg; 1] {
    [Arg::new("store")
        .long("store")
        .value_name("DIR")
        .help("Folder of the store [tourbillon in the target folder]")
        .value_parser(value_parser!(PathBuf))]
}

impl Place {
    pub(crate) fn of(matches: &ArgMatches) -> Place {
        Place {
            flag: matches.get_one::<PathBuf>("store").cloned(),
        }
    }

    pub(crate) fn at(flag: Option<PathBuf>) -> Place {
        Place { flag }
    }

    /// The store: `--store`, else `TOURBILLON_STORE`, else in the target directory of the workspace
    /// around the current directory.
    pub(crate) fn store(&self) -> Result<Store, Stop> {
        let environment = env::var_os("TOURBILLON_STORE").filter(|named| !named.is_empty());
        let named = self.flag.clone().or(environment.map(PathBuf::from));
        let folder = match named {
            Some(named) => named,
            None => {
                let workspace = Workspace::of(cargo()).map_err(|why| {
                    let what = format!("the target directory is unknown: {why}");
                    Stop::Environment(format!("{what}; name the store with --store DIR"))
                })?;
                workspace.target.join("tourbillon")
            }
        };
        Ok(Store::open(folder))
    }
}
