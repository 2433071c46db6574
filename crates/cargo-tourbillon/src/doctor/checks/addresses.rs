//! Where programs lie in memory.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

/// Bit of a process's personality that switches off the randomisation of addresses, as
/// `setarch -R` and debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

/// Whether each launch gets other addresses, which is what makes its interval cover them.
pub(super) fn randomised(seen: &Seen) -> Known<Said> {
    let path = "/proc/sys/kernel/randomize_va_space";
    let setting = seen.tree.number(path)?;
    let personality = seen.tree.read("/proc/self/personality").unwrap_or_default();
    let bits = u64::from_str_radix(&personality, 16).unwrap_or(0);
    Ok(if setting == 0 {
        Said::matters(
            "off for all: every launch lies at the same addresses, and intervals are too narrow",
            format!("`echo 2 > {path}` as root"),
        )
    } else if bits & NO_RANDOMISATION != 0 {
        Said::matters(
            "off for what is started here: every launch lies at the same addresses, and intervals are \
             too narrow",
            "start benchmarks outside of `setarch -R`, and of debuggers",
        )
    } else {
        Said::fine("on: every launch lies at other addresses")
    })
}
