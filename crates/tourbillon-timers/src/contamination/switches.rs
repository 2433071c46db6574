//! The kernel's counts of switches.

/// How often the calling thread gave its processor away, and how often it was taken from it.
///
/// # Cost
///
/// A call of the kernel: outside of a window, not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// It waited for something: a lock, a file, the end of a sleep.
    pub voluntary: u64,
    /// Another one had its turn.
    pub involuntary: u64,
}

impl Switches {
    /// The counts of the calling thread since it began; `None` where the system keeps none for a
    /// thread.
    #[must_use]
    pub fn of_this_thread() -> Option<Switches> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            // SAFETY: a rusage is made of integers, for which zero is a value.
            let mut usage: tourbillon_clock::parts::sys::rusage = unsafe { std::mem::zeroed() };
            // SAFETY: `usage` may be written for the length of the call.
            let answer = unsafe {
                tourbillon_clock::parts::sys::getrusage(
                    tourbillon_clock::parts::sys::RUSAGE_THREAD,
                    &raw mut usage,
                )
            };
            (answer == 0).then_some(Switches {
                voluntary: usage.ru_nvcsw as u64,
                involuntary: usage.ru_nivcsw as u64,
            })
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        None
    }

    /// What was added since an earlier reading of the same thread.
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
