//! What each processor of a hybrid x86 machine states about its kind.

use std::arch::x86_64::{__cpuid, __cpuid_count};

use crate::affinity::{affinity, set_affinity};

/// The type in leaf 1Ah of CPUID of each processor that this thread may run on, asked there; empty on a processor that
/// is not hybrid (Intel SDM volume 2A, CPUID: leaf 7, bit 15 of EDX).
///
/// # Errors
///
/// When the thread cannot be moved.
#[expect(
    unused_unsafe,
    reason = "safe to call in newer compilers, unsafe in the oldest supported"
)]
pub fn core_types() -> std::io::Result<Vec<(u32, u8)>> {
    // SAFETY: every x86-64 processor has the instruction.
    let leaf = |number: u32| unsafe { __cpuid(number) };
    // SAFETY: as above.
    let is_hybrid = || unsafe { __cpuid_count(7, 0) }.edx >> 15 & 1 == 1;
    let mut types = Vec::new();
    if leaf(0).eax < 0x1A || !is_hybrid() {
        return Ok(types);
    }
    let own = affinity()?;
    for &cpu in &own {
        if set_affinity(&[cpu]).is_ok() {
            types.push((cpu, leaf(0x1A).eax.to_be_bytes()[0]));
        }
    }
    set_affinity(&own)?;
    Ok(types)
}
