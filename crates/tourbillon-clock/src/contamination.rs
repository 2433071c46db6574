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
mod switches;

use std::fmt;

use area::Area;
pub use switches::Switches;

/// Tells whether the calling thread lost its processor in a window.
///
/// Linux keeps an area for every thread that has asked for restartable sequences, and glibc 2.35 and
/// later asks for all. The kernel writes the number of the processor into it, and when it has
/// interrupted the thread in user mode it takes out the pointer to a sequence that the thread is not
/// in (`kernel/rseq.c`): a pointer that is put in at the start and is gone at the end was taken out
/// by a switch, a move or a signal.
///
/// # Accuracy
///
/// Kernels from about 6.19 on may leave the pointer where the thread gave the processor away by
/// itself, inside a call: [`Switches::voluntary`] counts those. Code that uses the pointer for
/// itself (allocators with caches per processor) makes windows look disturbed that were not.
///
/// # Cost
///
/// A load and a store to arm, two loads to check: 1 to 2 ns together, without a call.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Canary;
///
/// match Canary::of_this_thread() {
///     Ok(canary) => {
///         let armed = canary.arm();
///         let disturbance = canary.check(armed);
///         println!("{disturbance:?}");
///     }
///     Err(undetected) => println!("not detected: {undetected}"),
/// }
/// ```
#[derive(Debug)]
pub struct Canary {
    area: Area,
}

/// A canary in its place.
#[derive(Clone, Copy, Debug)]
#[must_use = "a canary that is not checked tells nothing"]
pub struct Armed {
    cpu: u32,
}

/// What happened in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Disturbance {
    /// The thread was switched out, moved, or handled a signal.
    pub switched: bool,
    /// It ended on another processor than it began on.
    pub migrated: bool,
}

impl Disturbance {
    /// Whether anything happened that can be seen.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.switched || self.migrated
    }
}

impl Canary {
    /// The canary of the calling thread, which it stays with.
    ///
    /// # Errors
    ///
    /// Where the system has no such area, or does not give one to this thread.
    pub fn of_this_thread() -> Result<Canary, Undetected> {
        Ok(Canary {
            area: Area::of_this_thread()?,
        })
    }

    /// Begins a window.
    #[inline(always)]
    pub fn arm(&self) -> Armed {
        self.area.place();
        Armed {
            cpu: self.area.cpu(),
        }
    }

    /// Ends the window and tells what happened in it.
    #[inline(always)]
    #[must_use]
    pub fn check(&self, armed: Armed) -> Disturbance {
        Disturbance {
            switched: !self.area.is_in_place(),
            migrated: self.area.cpu() != armed.cpu,
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
