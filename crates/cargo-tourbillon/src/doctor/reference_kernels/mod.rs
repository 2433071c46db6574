//! Reference kernels: code of known cost, measured like a benchmark.

mod judge;
mod kernel;
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "no_kernels.rs"
)]
mod kernels;
mod measure;
mod truth;

use tourbillon_analysis::contended_share;
use tourbillon_clock::Clock;
use tourbillon_record::Visit;

use super::finding::Finding;
use super::section;
use super::tree::{Known, Tree};

pub(super) use self::judge::{Row, Shown};

/// The measured kernels.
pub(super) struct Examined {
    /// A row for each.
    pub(super) rows: Vec<Row>,
    /// Their assessment, or why there is nothing to measure.
    pub(super) finding: Finding,
    /// Share of contended launches, if known.
    pub(super) contended: Option<f64>,
}

/// Measures them.
pub(super) fn examined(clock: &Clock, tree: &Tree) -> Examined {
    let known = known(clock, tree);
    let outcome = match &known {
        Ok((rows, _)) => judge::assess(rows),
        Err(reason) => Err(reason.clone()),
    };
    let (rows, visits) = known.unwrap_or_default();
    Examined {
        rows,
        finding: Finding {
            check: "reference kernels",
            guide: &section::REFERENCE_KERNELS,
            outcome,
        },
        contended: contended_share(&visits),
    }
}

fn known(clock: &Clock, tree: &Tree) -> Known<(Vec<Row>, Vec<Visit>)> {
    if cfg!(debug_assertions) {
        return Err(
            "this program was built without optimisation; build it with --release".to_owned(),
        );
    }
    if clock.reference_chain().is_none() {
        return Err("nothing counts cycles on this architecture".to_owned());
    }
    let cpuinfo = tree.read("/proc/cpuinfo").unwrap_or_default();
    Ok(measured(clock, &cpuinfo))
}

/// A row for each kernel whose cost is known on this processor, and all visits.
pub(super) fn measured(clock: &Clock, cpuinfo: &str) -> (Vec<Row>, Vec<Visit>) {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for kernel in kernels::all(truth::multiplier(cpuinfo)) {
        let (row, visits) = measure::row(kernel, clock);
        rows.push(row);
        all.extend(visits);
    }
    (rows, all)
}
