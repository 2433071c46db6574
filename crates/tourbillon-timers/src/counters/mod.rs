//! Counters: a source that is being used to time something.
//!
//! What a counter has not read yet cannot be asked for: [`Counter::start`] gives a [`Running`]
//! counter, [`Running::stop`] a [`Period`]; a [`Running`] one may be stopped as often as there are
//! stages. A source is asked for its frequency when a period is first converted, once, and never if
//! only ticks are wanted.
//!
//! | To time | use |
//! |---|---|
//! | a stretch of code, in stages | [`Counter`] |
//! | a block, however it is left | [`Scope`] |
//! | work with breaks | [`Stopwatch`] |
//! | what is left until a limit | [`Deadline`] |
//! | user and kernel time together | [`CpuCounter`] |

mod counter;
mod cpu;
mod deadline;
mod period;
mod scope;
mod stopwatch;

pub use counter::{Counter, Running};
pub use cpu::{CpuCounter, CpuPeriod, CpuRunning};
pub use deadline::Deadline;
pub use period::{Backwards, Period};
pub use scope::Scope;
pub use stopwatch::Stopwatch;

use crate::{Behind, Counts, Path, Source};
use tourbillon_clock::{Clock, Frequency, Ticks};

/// A clock is a source as well: it is read as it comes, without fences.
impl Source for Clock {
    fn name(&self) -> &'static str {
        Clock::name(self)
    }

    fn counts(&self) -> Counts {
        Counts::Wall
    }

    fn scope(&self) -> crate::Scope {
        crate::Scope::Machine
    }

    fn frequency(&self) -> Option<Frequency> {
        Some(Clock::frequency(self))
    }

    fn granularity_ns(&self) -> Option<f64> {
        None
    }

    fn behind(&self) -> Behind {
        let path = if self.is_counter() {
            Path::Instruction(if cfg!(target_arch = "x86_64") {
                "rdtsc"
            } else {
                "mrs cntvct_el0"
            })
        } else {
            Path::Library
        };
        Behind {
            path,
            hardware: None,
            change: None,
        }
    }

    fn caveat(&self) -> Option<String> {
        None
    }

    #[inline]
    fn read(&self) -> Ticks {
        self.now()
    }
}

/// A reference to a source is a source, a boxed one too.
macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn name(&self) -> &'static str {
                (**self).name()
            }

            fn counts(&self) -> Counts {
                (**self).counts()
            }

            fn scope(&self) -> crate::Scope {
                (**self).scope()
            }

            fn frequency(&self) -> Option<Frequency> {
                (**self).frequency()
            }

            fn granularity_ns(&self) -> Option<f64> {
                (**self).granularity_ns()
            }

            fn behind(&self) -> Behind {
                (**self).behind()
            }

            fn caveat(&self) -> Option<String> {
                (**self).caveat()
            }

            #[inline]
            fn read(&self) -> Ticks {
                (**self).read()
            }

            fn fill(&self, readings: &mut [Ticks]) {
                (**self).fill(readings);
            }
        }
    )+};
}

forward!(&S, Box<S>);

#[cfg(test)]
mod counted {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use tourbillon_clock::Script;

    /// A scripted source that counts how often it is asked for its frequency.
    #[derive(Clone, Debug)]
    pub(super) struct Counted {
        pub(super) clock: Clock,
        pub(super) asked: Rc<Cell<u32>>,
    }

    impl Counted {
        pub(super) fn new(script: &Script) -> Counted {
            Counted {
                clock: Clock::scripted(script),
                asked: Rc::default(),
            }
        }
    }

    impl Source for Counted {
        fn name(&self) -> &'static str {
            "counted"
        }

        fn counts(&self) -> Counts {
            Counts::Wall
        }

        fn scope(&self) -> crate::Scope {
            crate::Scope::Machine
        }

        fn frequency(&self) -> Option<Frequency> {
            self.asked.set(self.asked.get() + 1);
            Source::frequency(&self.clock)
        }

        fn granularity_ns(&self) -> Option<f64> {
            None
        }

        fn behind(&self) -> Behind {
            Source::behind(&self.clock)
        }

        fn caveat(&self) -> Option<String> {
            None
        }

        fn read(&self) -> Ticks {
            self.clock.now()
        }
    }
}
