//! Which time source a run uses, and why.

#[cfg(all(
    any(target_arch = "x86_64", feature = "parts"),
    any(target_os = "linux", target_os = "android")
))]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "only the tour of x86-64 asks where it is")
)]
pub(crate) mod affinity;
mod counter;
#[cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    any(target_os = "linux", target_os = "android")
))]
pub(crate) mod permission;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
pub(crate) mod trust;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod warp;

use crate::Clock;

/// A clock and the reasons for it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The clock to measure with.
    pub clock: Clock,
    /// What speaks for it, in a sentence without a full stop.
    pub why: String,
    /// The sources that would have been better had they passed, best first.
    pub refused: Vec<Refusal>,
}

/// A time source that exists here but is not fit to measure with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the source, as [`Clock::name`] has it.
    pub source: &'static str,
    /// What was found, in a sentence without a full stop.
    pub reason: String,
}

impl Clock {
    /// The best clock of this machine.
    ///
    /// The processor's counter where it passes every test, else the operating system's monotonic
    /// clock. The time stamp counter of x86-64 has to be invariant, to be trusted by the kernel, to
    /// be readable by this process, and to agree between the processors that the calling thread
    /// may run on. The counter of 64-bit Arm is uniform by architecture; its rate has to be stated.
    ///
    /// # Cost
    ///
    /// Less than two milliseconds on an idle machine. On x86-64 Linux the calling thread visits all
    /// its processors and comes back to its own set of them; each visit may wait for whoever is
    /// running there.
    #[must_use]
    pub fn choose() -> Choice {
        let mut refused = Vec::new();
        let (clock, why) = match counter::examine() {
            None => (
                Clock::os(),
                "no counter of this processor is known".to_owned(),
            ),
            Some((clock, Ok(why))) => (clock, why),
            Some((clock, Err(reason))) => {
                let source = clock.name();
                let why = format!("{source} is not fit to measure with: {reason}");
                refused.push(Refusal { source, reason });
                (Clock::os(), why)
            }
        };
        Choice {
            clock,
            why,
            refused,
        }
    }
}
