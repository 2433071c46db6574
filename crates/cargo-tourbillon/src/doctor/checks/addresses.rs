//! Randomisation of addresses.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

/// Bit of a process's personality that disables the randomisation of addresses; `setarch -R` and
/// debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

/// Whether each launch gets other addresses, so that its interval covers them.
pub(super) fn randomised(observed: &Observations) -> Known<Assessment> {
    let path = "/proc/sys/kernel/randomize_va_space";
    let setting = observed.tree.number(path)?;
    let personality = observed.tree.read("/proc/self/personality").unwrap_or_default();
    let bits = u64::from_str_radix(&personality, 16).unwrap_or(0);
    Ok(if setting == 0 {
        Assessment::matters(
            "off: every launch has the same addresses, so intervals are too narrow",
            format!("`echo 2 > {path}` as root"),
        )
    } else if bits & NO_RANDOMISATION != 0 {
        Assessment::matters(
            "off for programs started here: every launch has the same addresses, so intervals are too \
             narrow",
            "start benchmarks without `setarch -R` and outside debuggers",
        )
    } else {
        Assessment::fine("on: every launch has other addresses")
    })
}
