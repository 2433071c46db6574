//! What stands for each class of the WinSTL library on each system.
//!
//! The classes are those of M. Wilson, "Win32 Performance Measurement Options" (Dr. Dobb's, 2003),
//! where each has start, stop and the period's length in several units. Here the source and the way
//! to count with it are apart: any [`Source`](crate::Source) can be counted with by any of the
//! [`counters`](crate::counters).
//!
//! ```
//! use tourbillon_timers::winstl;
//!
//! let class = winstl::class("threadtimes_counter").ok_or("no such class")?;
//! for listed in class.sources_here() {
//!     println!("{}: {}", listed.name, listed.source.is_ok());
//! }
//! # Ok::<(), &str>(())
//! ```

use std::fmt;

use crate::{Listed, sources};

/// A system that the classes have counterparts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// Linux, Android too.
    Linux,
    /// Apple's systems.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// All of them.
    pub const ALL: [System; 3] = [System::Linux, System::MacOs, System::Windows];

    /// The one that this program was built for; `None` for any other.
    #[must_use]
    pub const fn here() -> Option<System> {
        if cfg!(any(target_os = "linux", target_os = "android")) {
            Some(System::Linux)
        } else if cfg!(target_vendor = "apple") {
            Some(System::MacOs)
        } else if cfg!(windows) {
            Some(System::Windows)
        } else {
            None
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            System::Linux => "Linux",
            System::MacOs => "macOS",
            System::Windows => "Windows",
        })
    }
}

/// A class of WinSTL and what stands for it.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Its name there.
    pub name: &'static str,
    /// What it counts, and what to know about it.
    pub counts: &'static str,
    /// What counts with it here: a type of this crate, as it is written.
    pub with: &'static str,
    /// Names of the sources, on Linux, macOS and Windows.
    sources: [&'static [&'static str]; 3],
}

impl Class {
    /// The sources that stand for it on a system, best first, by the names that
    /// [`sources`](crate::sources()) has there. Of processor times the user's, the kernel's, and
    /// what holds both.
    #[must_use]
    pub const fn sources(&self, system: System) -> &'static [&'static str] {
        match system {
            System::Linux => self.sources[0],
            System::MacOs => self.sources[1],
            System::Windows => self.sources[2],
        }
    }

    /// The sources that stand for it on this machine, best first, those that it lacks included;
    /// empty on other systems than those three.
    #[must_use]
    pub fn sources_here(&self) -> Vec<Listed> {
        let Some(system) = System::here() else {
            return Vec::new();
        };
        let mut all = sources();
        let mut here = Vec::new();
        for name in self.sources(system) {
            if let Some(at) = all.iter().position(|listed| listed.name == *name) {
                here.push(all.swap_remove(at));
            }
        }
        here
    }
}

/// All classes, in the order of the article.
#[must_use]
pub const fn classes() -> &'static [Class] {
    &CLASSES
}

/// The class of that name; `None` where WinSTL has no such class.
#[must_use]
pub fn class(name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.name == name)
}

/// What the best counter is made out of: the choice falls to the first that passes its tests.
const BEST: [&[&str]; 3] = [
    &["rdtsc", "cntvct", "monotonic"],
    &["cntvct", "rdtsc", "mach-absolute-time"],
    &["query-performance-counter", "get-tick-count-64"],
];

const CLASSES: [Class; 9] = [
    Class {
        name: "tick_counter",
        counts: "wall time in ticks of the system",
        with: "Counter",
        sources: [
            &["monotonic-coarse", "times-elapsed"],
            &["uptime-raw-approx"],
            &["get-tick-count-64"],
        ],
    },
    Class {
        name: "multimedia_counter",
        counts: "wall time in milliseconds; a source of its own on Windows only",
        with: "Counter",
        sources: [
            &["monotonic-coarse"],
            &["uptime-raw-approx"],
            &["time-get-time"],
        ],
    },
    Class {
        name: "systemtime_counter",
        counts: "the date, which may be stepped",
        with: "Counter",
        sources: [
            &["realtime", "realtime-coarse"],
            &["realtime"],
            &["system-time-precise", "system-time"],
        ],
    },
    Class {
        name: "highperformance_counter",
        counts: "wall time, as finely as the system has it",
        with: "Counter",
        sources: [
            &["monotonic", "monotonic-raw"],
            &["mach-absolute-time", "monotonic-raw"],
            &["query-performance-counter"],
        ],
    },
    Class {
        name: "performance_counter",
        counts: "wall time by the best that passes its tests",
        with: "Counter::new(Clock::choose().clock)",
        sources: BEST,
    },
    Class {
        name: "threadtimes_counter",
        counts: "processor time of this thread, user and kernel apart; the last source holds both",
        with: "CpuCounter::of(Scope::Thread)",
        sources: [
            &[
                "rusage-thread-user",
                "rusage-thread-kernel",
                "thread-cputime",
            ],
            &["thread-info-user", "thread-info-kernel", "thread-cputime"],
            &["thread-times-user", "thread-times-kernel", "thread-cycles"],
        ],
    },
    Class {
        name: "processtimes_counter",
        counts: "processor time of this process, user and kernel apart; the last source holds both",
        with: "CpuCounter::of(Scope::Process)",
        sources: [
            &[
                "rusage-process-user",
                "rusage-process-kernel",
                "process-cputime",
            ],
            &[
                "rusage-process-user",
                "rusage-process-kernel",
                "process-cputime",
            ],
            &[
                "process-times-user",
                "process-times-kernel",
                "process-cycles",
            ],
        ],
    },
    Class {
        name: "performance_counter_scope",
        counts: "what the counter in it counts, from its making to its end or an early stop",
        with: "counters::Scope",
        sources: BEST,
    },
    Class {
        name: "performance_counter_init",
        counts: "what the counter in it counts; a period that was not read cannot be asked for here",
        with: "Counter",
        sources: BEST,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;

    #[test]
    fn every_class_has_its_sources_on_this_machine() {
        let Some(system) = System::here() else { return };
        for class in classes() {
            let here = class.sources_here();
            let names: Vec<&str> = here.iter().map(|listed| listed.name).collect();
            assert_eq!(names, class.sources(system), "{}", class.name);
            // Each can be counted with, by at least one of them.
            assert!(
                here.iter().any(|listed| listed.source.is_ok()),
                "{}: {here:?}",
                class.name
            );
        }
    }

    #[test]
    fn processor_times_are_user_kernel_and_both() {
        for name in ["threadtimes_counter", "processtimes_counter"] {
            let here = class(name).unwrap().sources_here();
            let counts: Vec<Counts> = here.iter().map(|listed| listed.counts).collect();
            let [Counts::CpuUser, Counts::CpuKernel, both] = counts[..] else {
                assert!(System::here().is_none(), "{name}: {counts:?}");
                continue;
            };
            assert!(matches!(both, Counts::CpuTotal | Counts::Cycles));
        }
        assert!(class("fivethousand_counter").is_none());
    }

    /// Only one system's sources are built: the files of the others have to name theirs.
    #[test]
    fn every_system_has_the_sources_that_are_named_for_it() {
        let common = concat!(
            include_str!("sources/processor.rs"),
            include_str!("sources/clock_gettime.rs"),
            include_str!("sources/cpu_time.rs"),
        );
        for (system, files) in [
            (System::Linux, [common, ""]),
            (System::MacOs, [common, include_str!("sources/mach.rs")]),
            (
                System::Windows,
                [
                    include_str!("sources/processor.rs"),
                    include_str!("sources/windows.rs"),
                ],
            ),
        ] {
            for class in classes() {
                assert!(!class.sources(system).is_empty(), "{}", class.name);
                for name in class.sources(system) {
                    let written = format!("\"{name}\"");
                    assert!(
                        files.iter().any(|file| file.contains(&written)),
                        "{name} on {system}"
                    );
                }
            }
        }
    }
}
