//! A batch that a worker has executed.

use std::collections::BTreeMap;

use tourbillon_record::Steps;

use super::system_calls::system_call_name;

/// The number that calls of the code of the system in the process get here.
pub(super) const VDSO: u64 = u64::MAX;

/// A batch that was executed.
pub(super) struct Batch {
    pub(super) is_op: bool,
    pub(super) iterations: u64,
    /// Parts of it that are timed.
    pub(super) regions: u64,
    pub(super) instructions: u64,
    /// Page faults without a read from a disk.
    pub(super) pages: u64,
    /// System calls by their numbers.
    pub(super) calls: BTreeMap<u64, u64>,
    /// How often the instruction at an address was executed, by the place in the tree of calls.
    pub(super) executed: BTreeMap<(usize, u64), u64>,
}

/// The counts of batches.
pub(super) fn counts(batches: &[Batch]) -> Steps {
    let mut steps = Steps::default();
    for batch in batches {
        if !batch.is_op {
            steps.empty.push(batch.instructions);
            continue;
        }
        if steps.iterations.is_empty() {
            for (number, count) in &batch.calls {
                let name = if *number == VDSO {
                    "vdso".to_owned()
                } else {
                    system_call_name(*number)
                };
                steps.system_calls.push(name);
                steps.system_call_counts.push(*count);
            }
        }
        steps.iterations.push(batch.iterations);
        steps.instructions.push(batch.instructions);
    }
    steps
}
