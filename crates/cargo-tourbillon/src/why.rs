//! `why`: the cause of the verdicts of the newest comparison.

use clap::Args;
use tourbillon_why::{WhyRequest, why};

use crate::build_flags::Selected;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon why
  cargo tourbillon why sort/heap --format md
  cargo tourbillon compare main --why";

/// Explain why cases of the newest comparison are slower or faster
///
/// Executes one op of each case in both builds instruction by instruction, outside of all timing: at most five
/// cases and 20 s. Prints the cause in one sentence with its figures, the functions that differ, the lines of the
/// diff that were executed, and the hottest code of both builds. The builds come from the cache; one that it no
/// longer has is built again from its commit. Linux on x86-64.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// A part of the names of the cases [all that are slower or faster]
    case: Option<String>,
    #[command(flatten)]
    selected: Selected,
    /// Exit with 5 while another program measures
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    why(&WhyRequest {
        case: arguments.case,
        selection: arguments.selected.selection(),
        store: arguments.store.path(),
        no_wait: arguments.no_wait,
        format: arguments.format.format(),
        style: arguments.color.style(),
    })
}
