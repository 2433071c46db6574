//! The counterparts of the WinSTL library's classes on each system.
//!
//! The classes are those of M. Wilson, "Win32 Performance Measurement Options" (Dr. Dobb's, 2003), each with a
//! start, a stop and the period's length in several units. Here sources and counters are separate: all
//! [`counters`](crate::counters) work on any [`Source`](crate::Source).
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

/// A system with counterparts of the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// Linux.
    Linux,
    /// Apple's systems.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// All systems.
    pub const ALL: [System; 3] = [System::Linux, System::MacOs, System::Windows];

    /// The one that this program was built for; `None` for any other.
    #[must_use]
    pub const fn here() -> Option<System> {
        if cfg!(target_os = "linux") {
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

/// A class of WinSTL and its counterparts.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Its name in WinSTL.
    pub name: &'static str,
    /// What it counts.
    pub counts: &'static str,
    /// The type of this crate that counts so, as Rust code.
    pub with: &'static str,
    /// Names of the sources on Linux, macOS and Windows.
    sources: [&'static [&'static str]; 3],
}

impl Class {
    /// Its sources on a system, best first, by their names in [`sources`](crate::sources()). Of processor
    /// times: user, kernel, and both.
    #[must_use]
    pub const fn sources(&self, system: System) -> &'static [&'static str] {
        self.sources[system as usize]
    }

    /// Its sources on this machine, best first, including those that the machine lacks; empty on systems
    /// other than those three.
    #[must_use]
    pub fn sources_here(&self) -> Vec<Listed> {
        let names = System::here().map_or(&[][..], |system| self.sources(system));
        let place = |listed: &Listed| names.iter().position(|name| *name == listed.name);
        let mut here = sources();
        here.retain(|listed| place(listed).is_some());
        here.sort_by_key(place);
        here
    }
}

/// All classes, in the order of the article.
#[must_use]
pub const fn classes() -> &'static [Class] {
    &CLASSES
}

/// The class of that name; `None` if WinSTL has none.
#[must_use]
pub fn class(name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.name == name)
}

/// What the best counter is made of: the first that passes the tests is chosen.
const BEST: [&[&str]; 3] = [
    &["rdtsc", "cntvct", "monotonic"],
    &["cntvct", "rdtsc", "mach-absolute-time"],
    &["query-performance-counter", "get-tick-count-64"],
];

const UNIX_PROCESS: &[&str] = &[
    "rusage-process-user",
    "rusage-process-kernel",
    "process-cputime",
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
        counts: "wall time in milliseconds; a separate source only on Windows",
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
        counts: "wall time, as finely as the system counts it",
        with: "Counter",
        sources: [
            &["monotonic", "monotonic-raw"],
            &["mach-absolute-time", "monotonic-raw"],
            &["query-performance-counter"],
        ],
    },
    Class {
        name: "performance_counter",
        counts: "wall time by the best source that passes the tests",
        with: "Counter::new(Clock::choose().clock)",
        sources: BEST,
    },
    Class {
        name: "threadtimes_counter",
        counts: "processor time of this thread, split into user and kernel; the last source counts both",
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
        counts: "processor time of this process, split into user and kernel; the last source counts both",
        with: "CpuCounter::of(Scope::Process)",
        sources: [
            UNIX_PROCESS,
            UNIX_PROCESS,
            &[
                "process-times-user",
                "process-times-kernel",
                "process-cycles",
            ],
        ],
    },
    Class {
        name: "performance_counter_scope",
        counts: "time of the counter in it, from its creation to its drop or an early stop",
        with: "counters::Scope",
        sources: BEST,
    },
    Class {
        name: "performance_counter_init",
        counts: "time of the counter in it; here a period exists only after both readings",
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
            // At least one of them is present.
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

    /// Only the sources of one system are compiled: the names of the others are looked up in their files.
    #[test]
    fn every_system_has_the_named_sources() {
        let unix = include_str!("sources/unix.rs");
        for (system, files) in [
            (System::Linux, [unix, ""]),
            (System::MacOs, [unix, include_str!("sources/mach.rs")]),
            (System::Windows, [include_str!("sources/windows.rs"), ""]),
        ] {
            let files = [include_str!("sources/processor.rs"), files[0], files[1]];
            for class in classes() {
                assert!(!class.sources(system).is_empty(), "{}", class.name);
                for name in class.sources(system) {
                    let literal = format!("\"{name}\"");
                    assert!(
                        files.iter().any(|file| file.contains(&literal)),
                        "{name} on {system}"
                    );
                }
            }
        }
    }
}
