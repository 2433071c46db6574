//! `profile`: where the instructions of a case are.

use std::path::PathBuf;

use clap::Args;
use tourbillon_why::{ProfileRequest, profile};

use crate::build_flags::Selected;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::store_flags::ConfigFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon profile sort/heap
  cargo tourbillon profile sort/heap v1.2 --format md
  cargo tourbillon profile sort/heap --flamegraph heap.svg";

/// Count the instructions of a case by function and line
///
/// Executes one op instruction by instruction, and prints the functions and lines with the most instructions, and
/// the hottest loop. Counts are exact: those of a function are without those of functions that it calls or that
/// are inlined into it. Linux on x86-64.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The case's id or printed name, or a part that no other has
    case: String,
    /// Revision or saved build [the working tree]
    #[arg(value_name = "REV")]
    revision: Option<String>,
    /// Write stacks, one a line, for programs that draw them
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
    /// Write a flame graph, an SVG file
    #[arg(long, value_name = "FILE")]
    flamegraph: Option<PathBuf>,
    #[command(flatten)]
    selected: Selected,
    /// Exit with 5 while another program measures
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    config: ConfigFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    profile(&ProfileRequest {
        case: arguments.case,
        revision: arguments.revision,
        selection: arguments.selected.selection(),
        store: arguments.config.store_path(),
        folded: arguments.folded,
        flame_graph: arguments.flamegraph,
        no_wait: arguments.no_wait,
        format: arguments.format.format(),
        style: arguments.color.style(),
    })
}
