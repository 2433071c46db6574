//! Whether a stretch of code was switched out, or moved to another processor.
//!
//! Two detectors. The [`Canary`] is in memory that the kernel changes when it takes the processor from the
//! thread: about a nanosecond at either end of a window. [`Switches`] are the kernel's own counts, read by a
//! system call outside of the window. Neither detects an interrupt that returns to the program, nor the
//! actions of a hypervisor, which make most outliers: a window without a label is not proven clean.

use std::fmt;

use area::Area;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
use crate::rseq as area;

/// A type without values, where there are no restartable sequences.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod area {
    #[derive(Debug)]
    pub(super) enum Area {}

    impl Area {
        pub(super) fn of_this_thread() -> Result<Area, &'static str> {
            Err("this system has no restartable sequences, which only Linux has")
        }

        pub(super) fn set(&self) {
            match *self {}
        }

        pub(super) fn is_set(&self) -> bool {
            match *self {}
        }

        pub(super) fn cpu(&self) -> u32 {
            match *self {}
        }
    }
}

/// Detects whether the calling thread lost its processor in a window.
///
/// Linux keeps an area for every thread that is registered for restartable sequences; glibc 2.35 and later
/// registers all. The kernel writes the number of the processor into it, and when it has interrupted the
/// thread in user mode it removes the pointer to a sequence that the thread is not in (`kernel/rseq.c`): a
/// pointer that was set at the start and is gone at the end was removed at a switch, a move or a signal.
///
/// If a thread has no such area, the number that Linux keeps in a register of x86-64 processors (`TSC_AUX`)
/// still shows moves; elsewhere nothing is detected.
///
/// # Accuracy
///
/// Kernels from about 6.19 on may leave the pointer if the thread gave the processor away by itself, inside a
/// call: [`Switches::voluntary`] counts those. Code that uses the pointer itself (allocators with caches per
/// processor) makes undisturbed windows look disturbed.
///
/// # Cost
///
/// A load and a store to begin, two loads to end: about 2 ns together, without a call. Begin before the clock
/// is started and end after it is stopped: then the canary is not in the timed region.
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
    detector: Detector,
    undetected: Option<Undetected>,
}

#[derive(Debug)]
enum Detector {
    /// The kernel's area: switches and moves.
    Area(Area),
    /// The [`processor_number`]: moves.
    Number,
    None,
}

/// A window that was begun with [`Canary`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a window that is not ended has no label"]
pub struct Begun {
    processor: u32,
}

/// What happened in a window of a [`Canary`]; `None` for what is not detected here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// The thread was switched out, moved, or handled a signal.
    pub switched: Option<bool>,
    /// It ended on another processor than it began on.
    pub migrated: Option<bool>,
}

impl Label {
    /// Whether anything was detected.
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
    /// The canary of the calling thread.
    #[must_use]
    pub fn of_this_thread() -> Canary {
        let (detector, undetected) = match Area::of_this_thread() {
            Ok(area) => (Detector::Area(area), None),
            Err(reason) if has_processor_number() => (Detector::Number, Some(Undetected(reason))),
            Err(reason) => (Detector::None, Some(Undetected(reason))),
        };
        Canary {
            detector,
            undetected,
        }
    }

    /// Why not everything is detected here; `None` if it is.
    #[must_use]
    pub fn undetected(&self) -> Option<&Undetected> {
        self.undetected.as_ref()
    }

    /// Begins a window.
    #[inline(always)]
    pub fn begin(&self) -> Begun {
        let processor = match &self.detector {
            Detector::Area(area) => {
                area.set();
                area.cpu()
            }
            Detector::Number => processor_number(),
            Detector::None => 0,
        };
        Begun { processor }
    }

    /// Ends the window.
    #[inline(always)]
    #[must_use]
    pub fn end(&self, begun: Begun) -> Label {
        match &self.detector {
            Detector::Area(area) => Label {
                switched: Some(!area.is_set()),
                migrated: Some(area.cpu() != begun.processor),
            },
            Detector::Number => Label {
                switched: None,
                migrated: Some(processor_number() != begun.processor),
            },
            Detector::None => Label::default(),
        }
    }
}

/// Why a [`Canary`] cannot detect switches here.
///
/// Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undetected(&'static str);

impl fmt::Display for Undetected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Undetected {}

/// Whether [`processor_number`] works here.
fn has_processor_number() -> bool {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    return tourbillon_clock::cpuid::has_rdpid();
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    false
}

/// Reads `TSC_AUX`, in which Linux keeps the numbers of the processor and of its node
/// (`arch/x86/include/asm/segment.h`), with `rdpid`: a few cycles, without ordering. `rdtscp`, which reads it
/// on older processors, would be most of the cost of a window.
#[inline(always)]
fn processor_number() -> u32 {
    let number: u64;
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    // SAFETY: the processor has the instruction, see above; it writes the register that is declared. Not
    // `nomem`, so that it is not moved.
    unsafe {
        std::arch::asm!("rdpid {}", out(reg) number, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    {
        number = 0;
    }
    number as u32
}

/// How often the calling thread gave its processor away, and how often it was taken from it.
///
/// # Cost
///
/// A system call: to be made outside of a window.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::Switches;
///
/// if let Some(switches) = Switches::of_this_thread() {
///     println!("{} voluntary, {} involuntary", switches.voluntary, switches.involuntary);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// The thread waited: for a lock, a file, the end of a sleep.
    pub voluntary: u64,
    /// The kernel ran another thread.
    pub involuntary: u64,
}

impl Switches {
    /// The counts of the calling thread since it began; `None` on systems other than Linux, which do not
    /// count for threads.
    #[must_use]
    pub fn of_this_thread() -> Option<Switches> {
        #[cfg(target_os = "linux")]
        {
            // SAFETY: a rusage is made of integers, for which zero is a value.
            let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
            // SAFETY: `usage` may be written for the length of the call.
            let result = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
            (result == 0).then_some(Switches {
                voluntary: usage.ru_nvcsw as u64,
                involuntary: usage.ru_nivcsw as u64,
            })
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// The switches since an earlier reading of the same thread.
    #[must_use]
    pub const fn since(self, earlier: Switches) -> Switches {
        Switches {
            voluntary: self.voluntary.wrapping_sub(earlier.voluntary),
            involuntary: self.involuntary.wrapping_sub(earlier.involuntary),
        }
    }

    /// Whether there was one.
    #[must_use]
    pub const fn any(self) -> bool {
        self.voluntary != 0 || self.involuntary != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_detected_is_not_called_clean() {
        let canary = Canary {
            detector: Detector::None,
            undetected: Some(Undetected("no detector")),
        };
        let label = canary.end(canary.begin());
        assert_eq!((label.switched, label.migrated), (None, None));
        assert!(!label.any());
        assert_eq!(
            label.to_string(),
            "switches: not detected, moves: not detected"
        );
        assert_eq!(canary.undetected().unwrap().to_string(), "no detector");
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_register_detects_moves_and_no_switches() {
        use tourbillon_os::{affinity, set_affinity};

        std::thread::spawn(|| {
            if !has_processor_number() {
                return;
            }
            let canary = Canary {
                detector: Detector::Number,
                undetected: None,
            };
            let [first, .., last] = affinity().unwrap()[..] else {
                return;
            };
            for (from, to) in [(first, last), (last, first), (first, first)] {
                set_affinity(&[from]).unwrap();
                let begun = canary.begin();
                set_affinity(&[to]).unwrap();
                let label = canary.end(begun);
                assert_eq!(label.migrated, Some(from != to));
                assert_eq!(label.switched, None);
            }
        })
        .join()
        .unwrap();
    }
}
