//! Code whose cost is known, measured as a benchmark would be.

mod judge;
mod kernel;
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "no_kernels.rs"
)]
mod kernels;
mod measure;
mod truth;

use tourbillon_clock::Clock;

use super::finding::Finding;
use super::section;
use super::tree::{Known, Tree};

pub(super) use self::judge::{Row, Shown};

/// The rows of all kernels, and what is said about them; the reason where there is nothing to
/// measure.
pub(super) fn examined(clock: &Clock, tree: &Tree) -> (Vec<Row>, Finding) {
    let rows = rows(clock, tree);
    let finding = Finding {
        check: "landmarks",
        guide: &section::LANDMARKS,
        outcome: rows
            .as_ref()
            .map_err(String::clone)
            .and_then(|rows| judge::judged(rows)),
    };
    (rows.unwrap_or_default(), finding)
}

fn rows(clock: &Clock, tree: &Tree) -> Known<Vec<Row>> {
    if cfg!(debug_assertions) {
        return Err(
            "this program was built without optimisation; build it with --release".to_owned(),
        );
    }
    if clock.reference_chain().is_none() {
        return Err("nothing counts cycles on this architecture".to_owned());
    }
    Ok(measured(
        clock,
        &tree.read("/proc/cpuinfo").unwrap_or_default(),
    ))
}

/// A row for each kernel whose cost is known on this processor.
pub(super) fn measured(clock: &Clock, cpuinfo: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for kernel in kernels::all(truth::multiplier(cpuinfo)) {
        rows.push(measure::row(kernel, clock));
    }
    rows
}
