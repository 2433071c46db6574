//! Was this stretch of code switched out, or moved to another processor?
//!
//! Two witnesses. The [`Canary`] sits in memory that the kernel changes when it takes the processor
//! away: about a nanosecond at either end of a window. [`Switches`] are the kernel's own counts,
//! read by a call outside of the window. Neither sees an interrupt that returns to the program, nor
//! what a hypervisor does: most outliers are those. No word of theirs means "clean".

#[cfg_attr(
    all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ),
    path = "contamination/rseq.rs"
)]
#[cfg_attr(
    not(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )),
    path = "contamination/absent.rs"
)]
mod area;
mod number;
mod switches;

use std::fmt;

use area::Area;
use number::Number;
pub use switches::Switches;

/// Tells whether the calling thread lost its processor in a window.
///
/// Linux keeps an area for every thread that has asked for restartable sequences, and glibc 2.35 and
/// later asks for all. The kernel writes the number of the processor into it, and when it has
/// interrupted the thread in user mode it takes out the pointer to a sequence that the thread is not
/// in (`kernel/rseq.c`): a pointer that is put in at the start and is gone at the end was taken out
/// by a switch, a move or a signal.
///
/// Where a thread has no such area, the number that Linux keeps in a register of x86-64 processors
/// (`TSC_AUX`) still tells whether it was moved; elsewhere nothing is detected, and [`Label`] says so.
///
/// # Accuracy
///
/// Kernels from about 6.19 on may leave the pointer where the thread gave the processor away by
/// itself, inside a call: [`Switches::voluntary`] counts those. Code that uses the pointer for
/// itself (allocators with caches per processor) makes windows look disturbed that were not.
///
/// # Cost
///
/// A load and a store to begin, two loads to end: about 2 ns together, without a call. A measuring
/// loop begins before it starts its clock and ends after it has stopped it: then nothing of it is in
/// what is timed.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Clock;
/// use tourbillon_timers::Canary;
///
/// let clock = Clock::choose().clock;
/// let canary = Canary::of_this_thread();
/// let begun = canary.begin();
/// let start = clock.start();
/// let ticks = clock.stop().since(start);
/// let label = canary.end(begun);
/// println!("{ticks:?}, {label}");
/// if let Some(undetected) = canary.undetected() {
///     println!("{undetected}");
/// }
/// ```
#[derive(Debug)]
pub struct Canary {
    witness: Witness,
    undetected: Option<Undetected>,
}

/// Who tells.
#[derive(Debug)]
enum Witness {
    /// The kernel, of switches and moves.
    Area(Area),
    /// A register, of moves.
    Number(Number),
    Nobody,
}

/// A window that was begun.
#[derive(Clone, Copy, Debug)]
#[must_use = "a window that is not ended tells nothing"]
pub struct Begun {
    processor: u32,
}

/// What happened in a window, as far as it can be seen here; `None` where it is not detected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// The thread was switched out, moved, or handled a signal.
    pub switched: Option<bool>,
    /// It ended on another processor than it began on.
    pub migrated: Option<bool>,
}

impl Label {
    /// Whether anything was seen to happen.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        matches!(self.switched, Some(true)) || matches!(self.migrated, Some(true))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |seen, yes, no| match seen {
            Some(true) => yes,
            Some(false) => no,
            None => "not detected",
        };
        write!(
            f,
            "switches: {}, moves: {}",
            word(self.switched, "switched out", "none seen"),
            word(self.migrated, "moved", "none seen")
        )
    }
}

impl Canary {
    /// The canary of the calling thread, which it stays with.
    #[must_use]
    pub fn of_this_thread() -> Canary {
        let undetected = match Area::of_this_thread() {
            Ok(area) => {
                return Canary {
                    witness: Witness::Area(area),
                    undetected: None,
                };
            }
            Err(undetected) => undetected,
        };
        Canary {
            witness: Number::of_this_processor().map_or(Witness::Nobody, Witness::Number),
            undetected: Some(undetected),
        }
    }

    /// Why not everything is detected here; `None` where it is.
    #[must_use]
    pub fn undetected(&self) -> Option<&Undetected> {
        self.undetected.as_ref()
    }

    /// Begins a window.
    #[inline(always)]
    pub fn begin(&self) -> Begun {
        let processor = match &self.witness {
            Witness::Area(area) => {
                area.place();
                area.cpu()
            }
            Witness::Number(number) => number.read(),
            Witness::Nobody => 0,
        };
        Begun { processor }
    }

    /// Ends the window and tells what happened in it.
    #[inline(always)]
    #[must_use]
    pub fn end(&self, begun: Begun) -> Label {
        match &self.witness {
            Witness::Area(area) => Label {
                switched: Some(!area.is_in_place()),
                migrated: Some(area.cpu() != begun.processor),
            },
            Witness::Number(number) => Label {
                switched: None,
                migrated: Some(number.read() != begun.processor),
            },
            Witness::Nobody => Label::default(),
        }
    }
}

/// Why switches cannot be detected here.
///
/// Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undetected {
    reason: &'static str,
}

impl Undetected {
    pub(crate) const fn because(reason: &'static str) -> Undetected {
        Undetected { reason }
    }
}

impl fmt::Display for Undetected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

impl std::error::Error for Undetected {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_detected_is_not_called_clean() {
        let canary = Canary {
            witness: Witness::Nobody,
            undetected: Some(Undetected::because("nobody looks")),
        };
        let label = canary.end(canary.begin());
        assert_eq!((label.switched, label.migrated), (None, None));
        assert!(!label.any());
        assert_eq!(
            label.to_string(),
            "switches: not detected, moves: not detected"
        );
        assert_eq!(canary.undetected().unwrap().to_string(), "nobody looks");
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_register_sees_moves_and_says_that_it_sees_no_switches() {
        use tourbillon_clock::parts::{Affinity, pin};

        std::thread::spawn(|| {
            let Some(number) = Number::of_this_processor() else {
                return;
            };
            let canary = Canary {
                witness: Witness::Number(number),
                undetected: None,
            };
            let Ok(processors) = Affinity::of_this_thread().map(|all| all.processors()) else {
                return;
            };
            let [first, .., last] = processors[..] else {
                return;
            };
            for (from, to) in [(first, last), (last, first), (first, first)] {
                pin(from).unwrap();
                let begun = canary.begin();
                pin(to).unwrap();
                let label = canary.end(begun);
                assert_eq!(label.migrated, Some(from != to));
                assert_eq!(label.switched, None);
            }
        })
        .join()
        .unwrap();
    }
}
