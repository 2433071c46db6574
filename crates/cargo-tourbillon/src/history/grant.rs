//! `history grant`: the SQL that gives a role rights.

use clap::{Args, ValueEnum};
use tourbillon_index::Rights;

use crate::exit::{Stop, print_data};

/// Print the SQL that gives a role rights on an index
///
/// For psql, as the owner of the tables. A role that appends can add runs, and change nothing that is there.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// read or append
    #[arg(value_name = "RIGHTS")]
    rights: Named,
    /// The role, which exists
    #[arg(value_name = "ROLE")]
    role: String,
}

/// Rights by the names that a command line has for them.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Named {
    Read,
    Append,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let rights = match arguments.rights {
        Named::Read => Rights::Read,
        Named::Append => Rights::Append,
    };
    print_data(&rights.grant(&arguments.role))
}
