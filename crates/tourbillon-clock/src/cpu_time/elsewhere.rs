//! Systems whose processor times are not known here.

use super::UserKernel;
use crate::Absence;

const UNKNOWN: Absence = Absence::OtherSystem("how this system tells processor times is not known");

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    Err(UNKNOWN)
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    Err(UNKNOWN)
}

pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    Err(UNKNOWN)
}

pub(super) fn process_user_kernel_ns() -> Result<UserKernel, Absence> {
    Err(UNKNOWN)
}

pub(super) fn split_granularity_ns() -> Option<u64> {
    None
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    None
}
