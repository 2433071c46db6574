//! `queue grant`.

use clap::{Args, ValueEnum};
use tourbillon_index::Rights;

use crate::exit::{Stop, print};

/// Print the SQL that gives a role rights on a queue
///
/// For psql, as the owner of the tables. No role of these can change a result.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// request or work
    #[arg(value_name = "RIGHTS")]
    rights: Named,
    /// The role, which exists
    #[arg(value_name = "ROLE")]
    role: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Named {
    Request,
    Work,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let rights = match arguments.rights {
        Named::Request => Rights::Request,
        Named::Work => Rights::Work,
    };
    print(&rights.grant(&arguments.role))
}
