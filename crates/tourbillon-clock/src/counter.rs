//! The processor's own counter, with one implementation per architecture.
//!
//! Invariant: the instructions by which a [`Clock`](crate::Clock) reads a counter are in this file only.

pub(crate) use processor::Counter;

/// The time stamp counter of x86-64.
///
/// The fences are those of Intel's Software Developer's Manual, volume 2B, RDTSC and RDTSCP: `lfence` waits
/// until every earlier instruction has executed and keeps later ones from starting; `rdtscp` waits for the
/// earlier ones by itself but lets later ones start. AMD's `lfence` does the same since Linux and the other
/// systems make it serializing at boot. `cpuid` as a fence would exit the virtual machine at every reading.
#[cfg(target_arch = "x86_64")]
mod processor {
    use std::arch::asm;

    use crate::Ticks;

    /// Reads by instructions of which the last one that reads leaves the counter in `rax` and `rdx`.
    macro_rules! read {
        ($($instruction:literal),+; $($operands:tt)+) => {{
            let (low, high): (u64, u64);
            // SAFETY: reads a register and writes those that are declared. Not `nomem` where there is an
            // order, so that the compiler moves no access to memory across it.
            unsafe { asm!($($instruction,)+ out("rax") low, out("rdx") high, $($operands)+) };
            Ticks(high << 32 | low)
        }};
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Counter(());

    impl Counter {
        /// Name of the source.
        pub(crate) const NAME: &str = "tsc";

        /// The counter, untested: [`crate::Clock::choose`] decides whether it is fit to measure with.
        pub(crate) fn of_this_processor() -> Option<Counter> {
            Some(Counter(()))
        }

        /// Reads after everything before and before everything after.
        #[inline(always)]
        pub(crate) fn start(&self) -> Ticks {
            read!("lfence", "rdtsc", "lfence"; options(nostack, preserves_flags))
        }

        /// Reads after everything before and before everything after; `rdtscp` waits by itself, with one
        /// instruction less inside the region.
        #[inline(always)]
        pub(crate) fn stop(&self) -> Ticks {
            read!("rdtscp", "lfence"; out("rcx") _, options(nostack, preserves_flags))
        }

        /// Reads without order.
        #[inline(always)]
        pub(crate) fn now(&self) -> Ticks {
            read!("rdtsc"; options(nomem, nostack, preserves_flags))
        }
    }
}

/// The virtual counter of the generic timer on 64-bit Arm, `cntvct_el0`.
///
/// The counter may be read speculatively and out of order; `isb` before it makes the reading wait for
/// earlier instructions, `isb` after it makes later ones wait for the reading (Arm Architecture Reference
/// Manual for A-profile, DDI 0487, "The Generic Timer in AArch64 state").
#[cfg(target_arch = "aarch64")]
mod processor {
    use std::arch::asm;

    use crate::Ticks;

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Counter(());

    impl Counter {
        /// Name of the source.
        pub(crate) const NAME: &str = "cntvct";

        /// The counter, untested: [`crate::Clock::choose`] decides whether it is fit to measure with.
        pub(crate) fn of_this_processor() -> Option<Counter> {
            Some(Counter(()))
        }

        /// Ticks per second as the firmware states them in `cntfrq_el0`; 0 if it does not.
        pub(crate) fn stated_hz(&self) -> u64 {
            let hz: u64;
            // SAFETY: reads a register that user code may read on every system that lets it read the
            // counter itself.
            unsafe {
                asm!("mrs {}, cntfrq_el0", out(reg) hz, options(nomem, nostack, preserves_flags));
            }
            // The upper half is reserved (DDI 0487, CNTFRQ_EL0).
            hz & u64::from(u32::MAX)
        }

        /// Reads after everything before and before everything after.
        #[inline(always)]
        pub(crate) fn start(&self) -> Ticks {
            let ticks: u64;
            // SAFETY: reads a register and writes the one that is declared. Not `nomem`, so that the
            // compiler moves no access to memory across it.
            unsafe {
                asm!(
                    "isb",
                    "mrs {}, cntvct_el0",
                    "isb",
                    out(reg) ticks,
                    options(nostack, preserves_flags),
                );
            }
            Ticks(ticks)
        }

        /// The same instructions as at the start: before version 8.6, Arm has no reading that waits by
        /// itself.
        #[inline(always)]
        pub(crate) fn stop(&self) -> Ticks {
            self.start()
        }

        /// Reads without order.
        #[inline(always)]
        pub(crate) fn now(&self) -> Ticks {
            let ticks: u64;
            // SAFETY: reads a register and writes the one that is declared.
            unsafe {
                asm!(
                    "mrs {}, cntvct_el0",
                    out(reg) ticks,
                    options(nomem, nostack, preserves_flags),
                );
            }
            Ticks(ticks)
        }
    }
}

/// Processors whose counter is not supported.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod processor {
    use crate::Ticks;

    /// A type without values.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Counter {}

    impl Counter {
        pub(crate) const NAME: &str = "none";

        pub(crate) fn of_this_processor() -> Option<Counter> {
            None
        }

        pub(crate) fn start(&self) -> Ticks {
            match *self {}
        }

        pub(crate) fn stop(&self) -> Ticks {
            match *self {}
        }

        pub(crate) fn now(&self) -> Ticks {
            match *self {}
        }
    }
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_reading_moves_forwards() {
        let counter = Counter::of_this_processor().unwrap();
        for read in [Counter::start, Counter::stop, Counter::now] {
            let first = read(&counter);
            // A counter may tick more slowly than it is read.
            while read(&counter) == first {}
            assert!(read(&counter) > first);
        }
    }
}
