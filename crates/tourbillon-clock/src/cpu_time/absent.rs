//! Systems that do not count processor time, such as WebAssembly.

use crate::Absence;

const WHY: Absence = Absence::OtherSystem("this system does not count processor time");

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    Err(WHY)
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    Err(WHY)
}

pub(super) fn thread_user_kernel_ns() -> Result<(u64, u64), Absence> {
    Err(WHY)
}

pub(super) fn process_user_kernel_ns() -> Result<(u64, u64), Absence> {
    Err(WHY)
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    None
}

pub(super) fn split_granularity_ns() -> Option<u64> {
    None
}
