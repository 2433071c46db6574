//! The processor's counter, read in every possible way.

use tourbillon_clock::Absence;

use super::reading::Facts;
use crate::Listed;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use {
    crate::{Behind, Path},
    tourbillon_clock::{Clock, counter_permission},
};

#[cfg(target_arch = "x86_64")]
const NAME: &str = "tsc";
#[cfg(target_arch = "aarch64")]
const NAME: &str = "cntvct";

/// The counter, read by these instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn facts(name: &'static str, instructions: &'static str, caveat: Option<&str>) -> Facts {
    Facts {
        frequency: || Some(Clock::by_name(NAME).ok()?.frequency()),
        behind: Behind::of(Path::Instruction(instructions), NAME),
        caveat: caveat.map(str::to_owned),
        ..Facts::wall(name)
    }
}

/// Why the counter is unfit to measure with, by the tests that choose a clock.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn refusal() -> Option<String> {
    let refused = Clock::choose().refused.into_iter().next();
    refused.map(|refusal| refusal.reason)
}

/// Whether a reading would end the process.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn forbidden() -> Option<Absence> {
    counter_permission().err().map(Absence::Forbidden)
}

/// The ways to read the time stamp counter of x86-64.
#[cfg(target_arch = "x86_64")]
pub(super) fn list() -> Vec<Listed> {
    use tourbillon_clock::{Ticks, cpuid};

    /// A row with its own function to read, so that no loop contains a call through a pointer. The last
    /// instructions leave the counter in `rax` and `rdx`.
    macro_rules! row {
        ($name:literal, $shown:literal, $caveat:expr, $absence:expr) => {
            row!($name, $shown, $caveat, $absence, $shown)
        };
        ($name:literal, $shown:literal, $caveat:expr, $absence:expr, $instructions:literal) => {
            facts($name, $shown, $caveat).row($absence.clone(), || {
                let (low, high): (u64, u64);
                // SAFETY: reads registers and writes those that are declared; `rbx`, which `cpuid` writes
                // and the compiler reserves, is saved in its sequence. Not `nomem`, so that the compiler
                // moves no access to memory across it. The row is absent without the instructions.
                unsafe {
                    std::arch::asm!(
                        $instructions,
                        out("rax") low,
                        out("rdx") high,
                        out("rcx") _,
                        out("rsi") _,
                        options(nostack, preserves_flags),
                    );
                }
                Ticks(high << 32 | low)
            })
        };
    }
    let refusal = refusal();
    let caveat = refusal.as_deref();
    let slow = Some(if cpuid::is_guest() {
        "unsuitable: cpuid leaves the virtual machine at every reading"
    } else {
        "unsuitable: cpuid takes long, and not always equally long"
    });
    let forbidden = forbidden();
    let without = |has: bool, instruction| {
        let lacks = (!has).then_some(Absence::NoInstruction(instruction));
        forbidden.clone().or(lacks)
    };
    let tsc = without(cpuid::has_tsc(), "rdtsc");
    let tscp = without(cpuid::has_tsc() && cpuid::has_rdtscp(), "rdtscp");
    let serialize = without(cpuid::has_tsc() && cpuid::has_serialize(), "serialize");
    vec![
        row!("rdtsc", "rdtsc", caveat, tsc),
        row!("rdtscp", "rdtscp", caveat, tscp),
        row!("lfence-rdtsc", "lfence; rdtsc", caveat, tsc),
        row!("lfence-rdtsc-lfence", "lfence; rdtsc; lfence", caveat, tsc),
        row!("rdtscp-lfence", "rdtscp; lfence", caveat, tscp),
        row!("mfence-lfence-rdtsc", "mfence; lfence; rdtsc", caveat, tsc),
        row!(
            "serialize-rdtsc",
            "serialize; rdtsc",
            caveat,
            serialize,
            ".byte 0x0f, 0x01, 0xe8; rdtsc"
        ),
        // As in Intel's white paper 324264 (2010).
        row!(
            "cpuid-rdtsc",
            "cpuid; rdtsc",
            slow,
            tsc,
            "mov rsi, rbx; mov eax, 0; cpuid; mov rbx, rsi; rdtsc"
        ),
        Facts::wall("cntvct").absent(Absence::OtherProcessor("64-bit Arm")),
    ]
}

/// The ways to read the virtual counter of 64-bit Arm.
#[cfg(target_arch = "aarch64")]
pub(super) fn list() -> Vec<Listed> {
    let mut rows = vec![Facts::wall("rdtsc").absent(Absence::OtherProcessor("x86-64"))];
    if let Ok(clock) = Clock::by_name(NAME) {
        let (fenced, forbidden, refusal) = (clock.clone(), forbidden(), refusal());
        let facts = |name, instructions| facts(name, instructions, refusal.as_deref());
        rows.extend([
            facts("cntvct", "mrs cntvct_el0").row(forbidden.clone(), move || clock.now()),
            facts("isb-cntvct-isb", "isb; mrs cntvct_el0; isb")
                .row(forbidden, move || fenced.start()),
        ]);
    }
    rows
}

/// No counter of this processor is known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn list() -> Vec<Listed> {
    [("rdtsc", "x86-64"), ("cntvct", "64-bit Arm")]
        .map(|(name, whose)| Facts::wall(name).absent(Absence::OtherProcessor(whose)))
        .into()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    #[test]
    fn all_ways_read_the_same_counter() {
        let all: Vec<_> = super::list()
            .into_iter()
            .filter_map(|row| row.source.ok())
            .collect();
        for source in &all {
            // An unordered reading may be early by the instructions in flight, not by a millisecond.
            let before = all[0].read().0;
            let reading = source.read().0;
            let after = all[0].read().0;
            let name = source.name();
            assert!(before < reading + 10_000_000, "{name}");
            assert!(reading < after + 10_000_000, "{name}");
        }
    }
}
