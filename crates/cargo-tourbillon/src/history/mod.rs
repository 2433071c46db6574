//! `cargo tourbillon history`: results over time.

mod scope_flags;
mod subcommands;

use std::ffi::OsString;
use std::path::PathBuf;

#[cfg(feature = "postgres")]
use clap::ValueEnum;
use clap::{Args, Subcommand};
#[cfg(feature = "postgres")]
use tourbillon_history::index::Rights;
use tourbillon_history::{
    Location, acceptance, add, backfill, bisect, changes, confirm, log, prune, report,
};

use self::subcommands::{Accept, Add, Backfill, Bisect, Changes, Confirm, Log, Prune, Report};
use crate::exit::Stop;
#[cfg(feature = "postgres")]
use crate::exit::print_data;
use crate::report::open;
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Examples:
  cargo bench -- --format jsonl > run.jsonl
  cargo tourbillon history add run.jsonl
  cargo tourbillon history backfill v1.0..main
  cargo tourbillon history log sort/100
  cargo tourbillon history changes
  cargo tourbillon history confirm
  cargo tourbillon history bisect sort 1a2b3c4 main
  cargo tourbillon history accept 1a2b3c4 sort \"exact rounding costs that\"";

/// Keep results over time, and find where they change
///
/// The history is a folder of records, which are never changed, and an index that can be deleted. Figures are
/// compared within one kind of machine, one engine and one method only.
#[derive(Debug, Args)]
#[command(after_help = AFTER, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    flags: LocationFlags,
}

#[derive(Debug, Subcommand)]
enum Task {
    Add(Add),
    Backfill(Backfill),
    Log(Log),
    Changes(Changes),
    Confirm(Box<Confirm>),
    Bisect(Box<Bisect>),
    Report(Report),
    Accept(Accept),
    Prune(Prune),
    #[cfg(feature = "postgres")]
    Grant(Grant),
}

/// Where the history is.
#[derive(Clone, Debug, Args)]
struct LocationFlags {
    /// Folder of the history [TOURBILLON_HISTORY, else history in the store]
    #[arg(long, value_name = "DIR", global = true)]
    history: Option<PathBuf>,
    /// Index: a file, or postgres://USER@HOST/DATABASE [TOURBILLON_INDEX, else index.sqlite in the folder]
    #[arg(long, value_name = "FILE|URL", global = true)]
    index: Option<OsString>,
    #[command(flatten)]
    store: StoreFlag,
}

/// Print the SQL that gives a role rights on an index
///
/// For psql, as the owner of the tables. A role that appends can add runs, and change nothing that is there.
#[cfg(feature = "postgres")]
#[derive(Debug, Args)]
struct Grant {
    /// read or append
    #[arg(value_name = "RIGHTS")]
    rights: NamedRights,
    /// The role, which exists
    #[arg(value_name = "ROLE")]
    role: String,
}

/// Rights by the names that a command line has for them.
#[cfg(feature = "postgres")]
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NamedRights {
    Read,
    Append,
}

#[cfg(feature = "postgres")]
impl From<NamedRights> for Rights {
    fn from(named: NamedRights) -> Rights {
        match named {
            NamedRights::Read => Rights::Read,
            NamedRights::Append => Rights::Append,
        }
    }
}

impl From<LocationFlags> for Location {
    fn from(flags: LocationFlags) -> Location {
        Location {
            history: flags.history,
            index: flags.index,
            store: flags.store.path(),
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    let location = arguments.flags.into();
    match arguments.task {
        Task::Add(own) => add::run(&own.into(), &location),
        Task::Backfill(own) => backfill::run(&own.into(), &location),
        Task::Log(own) => log::run(&own.into(), &location),
        Task::Changes(own) => changes::run(&own.into(), &location),
        Task::Confirm(own) => confirm::run(&(*own).into(), &location),
        Task::Bisect(own) => bisect::run(&(*own).into(), &location),
        Task::Report(own) => {
            let is_shown = own.open;
            let path = report::run(&own.into(), &location)?;
            if is_shown { open(&path) } else { Ok(()) }
        }
        Task::Accept(own) => acceptance::run(&own.into()),
        Task::Prune(own) => prune::run(&own.into(), &location),
        #[cfg(feature = "postgres")]
        Task::Grant(own) => print_data(&Rights::from(own.rights).grant(&own.role)),
    }
}
