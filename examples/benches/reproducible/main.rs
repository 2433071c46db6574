//! Short pieces of ordinary code, to see whether each run gives the same answer.
//!
//! Every input is the same in every process: what differs from run to run is not the code. The classes
//! are those of the modules; what waits for memory is in `memory` alone. `scripts/reproducible.sh` runs
//! them again and again. Most of them are short and branchy: branch predictors, the place of the code and
//! what ran before matter most there.

use std::process::ExitCode;

mod allocation;
mod branchy;
mod formatting;
mod hashing;
mod iterators;
mod memory;
mod numeric;
mod parsing;
mod plain;
mod sorting;
mod strings;

fn main() -> ExitCode {
    tourbillon::main()
}
