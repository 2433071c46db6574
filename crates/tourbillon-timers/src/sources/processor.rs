//! The processor's counter, read in every way there is.

use super::reading::Facts;
use crate::{Behind, Listed, Path};
use tourbillon_clock::{Absence, Clock, Frequency};

/// The rate of the processor's counter.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn rate() -> Option<Frequency> {
    Clock::by_name(tourbillon_clock::parts::Counter::NAME)
        .ok()
        .map(|clock| clock.frequency())
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn facts(name: &'static str, instructions: &'static str, caveat: Option<String>) -> Facts {
    Facts {
        frequency: rate,
        behind: Behind {
            path: Path::Instruction(instructions),
            hardware: Some(tourbillon_clock::parts::Counter::NAME.to_owned()),
            change: None,
        },
        caveat,
        ..Facts::wall(name)
    }
}

/// Why the counter is not fit to measure with, by the same tests that choose a clock.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn refusal() -> Option<String> {
    Clock::choose()
        .refused
        .into_iter()
        .next()
        .map(|refusal| refusal.reason)
}

/// The ways to read x86-64's time stamp counter.
#[cfg(target_arch = "x86_64")]
pub(super) fn list() -> Vec<Listed> {
    use tourbillon_clock::parts::cpuid;
    use tourbillon_clock::parts::forms;

    let refusal = refusal();
    let facts = |name, instructions| facts(name, instructions, refusal.clone());
    let forbidden = readable().err().map(Absence::Forbidden);
    let missing = |has: bool, instruction| {
        let lacks = || (!has).then_some(Absence::NoInstruction(instruction));
        forbidden.clone().or_else(lacks)
    };
    let tsc = cpuid::has_tsc();
    let rdtscp = tsc && cpuid::has_rdtscp();
    let serialize = tsc && cpuid::has_serialize();
    let mut leaving = facts("cpuid-rdtsc", "cpuid; rdtsc");
    leaving.caveat = Some(
        if cpuid::is_guest() {
            "unsuitable: cpuid leaves the virtual machine at every reading"
        } else {
            "unsuitable: cpuid takes long, and not always equally long"
        }
        .to_owned(),
    );
    // Every form is a function of its own: no call through a pointer is in its loop.
    macro_rules! row {
        ($facts:expr, $absence:expr, $form:path) => {
            match $absence {
                Some(absence) => $facts.absent(absence),
                None => $facts.read_by(|| $form()),
            }
        };
    }
    vec![
        row!(facts("rdtsc", "rdtsc"), missing(tsc, "rdtsc"), forms::plain),
        row!(
            facts("rdtscp", "rdtscp"),
            missing(rdtscp, "rdtscp"),
            forms::rdtscp
        ),
        row!(
            facts("lfence-rdtsc", "lfence; rdtsc"),
            missing(tsc, "rdtsc"),
            forms::fence_before
        ),
        row!(
            facts("lfence-rdtsc-lfence", "lfence; rdtsc; lfence"),
            missing(tsc, "rdtsc"),
            forms::fence_around
        ),
        row!(
            facts("rdtscp-lfence", "rdtscp; lfence"),
            missing(rdtscp, "rdtscp"),
            forms::rdtscp_fence
        ),
        row!(
            facts("mfence-lfence-rdtsc", "mfence; lfence; rdtsc"),
            missing(tsc, "rdtsc"),
            forms::stores_before
        ),
        row!(
            facts("serialize-rdtsc", "serialize; rdtsc"),
            missing(serialize, "serialize"),
            forms::serialize
        ),
        row!(leaving, missing(tsc, "rdtsc"), forms::cpuid),
        Facts::wall("cntvct").absent(Absence::OtherProcessor("64-bit Arm")),
    ]
}

/// The ways to read the virtual counter of 64-bit Arm.
#[cfg(target_arch = "aarch64")]
pub(super) fn list() -> Vec<Listed> {
    use tourbillon_clock::parts::Counter;

    let refusal = refusal();
    let mut rows = vec![Facts::wall("rdtsc").absent(Absence::OtherProcessor("x86-64"))];
    let plain = facts("cntvct", "mrs cntvct_el0", refusal.clone());
    let fenced = facts("isb-cntvct-isb", "isb; mrs cntvct_el0; isb", refusal);
    match (readable(), Counter::of_this_processor()) {
        (Ok(()), Some(counter)) => {
            rows.push(plain.read_by(move || counter.now()));
            rows.push(fenced.read_by(move || counter.start()));
        }
        (Err(reason), _) => {
            rows.push(plain.absent(Absence::Forbidden(reason.clone())));
            rows.push(fenced.absent(Absence::Forbidden(reason)));
        }
        (Ok(()), None) => {}
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

/// Whether a reading would not end the process.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn readable() -> Result<(), String> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return tourbillon_clock::parts::permission::check();
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Ok(())
}
