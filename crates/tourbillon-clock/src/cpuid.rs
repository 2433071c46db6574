//! What the processor and the hypervisor report about the time stamp counter.

use std::arch::x86_64::CpuidResult;

use crate::{Frequency, FrequencyFrom};

/// Reads a leaf. In a virtual machine this exits to the hypervisor: not to be called near a measurement.
#[expect(
    unused_unsafe,
    reason = "safe to call in newer compilers, unsafe in the oldest supported"
)]
fn leaf(number: u32) -> CpuidResult {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { std::arch::x86_64::__cpuid(number) }
}

/// Reads an extended leaf if the processor has it.
fn extended_leaf(number: u32) -> Option<CpuidResult> {
    (leaf(0x8000_0000).eax >= number).then(|| leaf(number))
}

/// CPUID 80000007h: EDX\[8\], the counter's rate is the same in all states of the processor.
#[must_use]
pub fn has_invariant_tsc() -> bool {
    extended_leaf(0x8000_0007).is_some_and(|leaf| leaf.edx >> 8 & 1 == 1)
}

/// CPUID 80000001h: EDX\[27\].
#[must_use]
pub fn has_rdtscp() -> bool {
    extended_leaf(0x8000_0001).is_some_and(|leaf| leaf.edx >> 27 & 1 == 1)
}

/// CPUID leaf 7: ECX\[22\], the instruction that reads the number of the processor.
#[must_use]
pub fn has_rdpid() -> bool {
    leaf(0).eax >= 7 && leaf(7).ecx >> 22 & 1 == 1
}

/// CPUID leaf 7: EDX\[14\], the instruction that serializes and does nothing else.
#[must_use]
pub fn has_serialize() -> bool {
    leaf(0).eax >= 7 && leaf(7).edx >> 14 & 1 == 1
}

/// CPUID leaf 1: EDX\[4\], there is a time stamp counter.
#[must_use]
pub fn has_tsc() -> bool {
    leaf(1).edx >> 4 & 1 == 1
}

/// CPUID leaf 1: ECX\[31\], there is a hypervisor.
#[must_use]
pub fn is_guest() -> bool {
    leaf(1).ecx >> 31 & 1 == 1
}

/// CPUID leaf 15h: crystal and ratio (Intel's Software Developer's Manual, volume 2A, CPUID).
pub(crate) fn crystal_frequency() -> Option<Frequency> {
    if leaf(0).eax < 0x15 {
        return None;
    }
    from_crystal(leaf(0x15))
}

/// The counter runs at `ecx * ebx / eax`. `None` for processors that state the ratio without the crystal.
fn from_crystal(leaf: CpuidResult) -> Option<Frequency> {
    let hz = u64::from(leaf.ecx) * u64::from(leaf.ebx);
    Frequency::new(hz, u64::from(leaf.eax), FrequencyFrom::CpuidLeaf15, None).ok()
}

/// CPUID leaf 40000010h: the rate in kHz, a convention that VMware began and others follow.
pub(crate) fn hypervisor_frequency() -> Option<Frequency> {
    if !is_guest() {
        return None;
    }
    let highest = leaf(0x4000_0000);
    // A leaf beyond the highest returns the contents of another leaf.
    if highest.eax < 0x4000_0010 || is_hyper_v(highest) {
        return None;
    }
    let khz = u64::from(leaf(0x4000_0010).eax);
    Frequency::from_khz(khz, FrequencyFrom::HypervisorLeaf)
}

/// Hyper-V numbers its leaves differently ("Microsoft Hv" in EBX, ECX, EDX).
fn is_hyper_v(highest: CpuidResult) -> bool {
    highest.ebx.to_le_bytes() == *b"Micr"
        && highest.ecx.to_le_bytes() == *b"osof"
        && highest.edx.to_le_bytes() == *b"t Hv"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crystal(eax: u32, ebx: u32, ecx: u32) -> Option<(u64, u64)> {
        from_crystal(CpuidResult {
            eax,
            ebx,
            ecx,
            edx: 0,
        })
        .map(|frequency| (frequency.numerator, frequency.denominator))
    }

    #[test]
    fn the_crystal_times_the_ratio_is_exact() {
        // 38.4 MHz * 83 / 2, and a ratio that does not divide: 24 MHz * 200 / 7.
        assert_eq!(crystal(2, 83, 38_400_000), Some((1_593_600_000, 1)));
        assert_eq!(crystal(7, 200, 24_000_000), Some((4_800_000_000, 7)));
        assert_eq!(
            crystal(1, u32::MAX, u32::MAX),
            Some((u64::from(u32::MAX) * u64::from(u32::MAX), 1))
        );
    }

    #[test]
    fn a_leaf_with_a_gap_states_nothing() {
        assert_eq!(crystal(0, 0, 0), None);
        assert_eq!(crystal(2, 216, 0), None);
        assert_eq!(crystal(0, 216, 24_000_000), None);
        assert_eq!(crystal(2, 0, 24_000_000), None);
    }
}
