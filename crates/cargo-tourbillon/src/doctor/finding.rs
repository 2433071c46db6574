//! Findings of checks, and the sections of the guide that explain them.

use super::tree::Known;

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// As it should be.
    Fine,
    /// Worth knowing when figures are surprising.
    Note,
    /// It makes figures worse.
    Matters,
}

impl Severity {
    /// Name in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Severity::Fine => "fine",
            Severity::Note => "note",
            Severity::Matters => "matters",
        }
    }
}

/// What a check reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assessment {
    pub(super) severity: Severity,
    pub(super) found: String,
    /// What to do; `None` if nothing.
    pub(super) remedy: Option<String>,
}

impl Assessment {
    pub(super) fn fine(found: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Fine,
            found: found.into(),
            remedy: None,
        }
    }

    pub(super) fn note(found: impl Into<String>, remedy: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Note,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }

    pub(super) fn matters(found: impl Into<String>, remedy: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Matters,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }
}

/// A check and its assessment, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static Section,
    pub(super) outcome: Known<Assessment>,
}

impl Finding {
    /// The link to that section.
    pub(super) fn link(&self) -> String {
        format!("docs/reference/doctor.md#{}", self.guide.anchor)
    }

    /// `None` if the check could not assess anything.
    pub(super) fn severity(&self) -> Option<Severity> {
        self.outcome.as_ref().ok().map(|outcome| outcome.severity)
    }
}
/// A section of docs/reference/doctor.md.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The fragment of a link to it.
    pub(super) anchor: &'static str,
    /// Why it matters.
    pub(super) why: &'static str,
}

const fn section(anchor: &'static str, why: &'static str) -> Section {
    Section { anchor, why }
}

pub(super) static FREQUENCY: Section =
    section("frequency", "the time of code depends on the frequency");
pub(super) static BATTERY_AND_HEAT: Section = section(
    "battery-and-heat",
    "power saving and heat slow cores down during a run",
);
pub(super) static SIBLINGS: Section = section(
    "two-threads-on-a-core",
    "two hardware threads share the units of one core",
);
pub(super) static VIRTUAL_MACHINES: Section = section(
    "virtual-machines",
    "time taken by other guests is included in the figures",
);
pub(super) static OTHER_PROGRAMS: Section = section(
    "other-programs",
    "other programs take processor time and evict caches",
);
pub(super) static CONTAINERS: Section = section(
    "containers",
    "a container that has used up its quota is paused while the clock runs",
);
pub(super) static ISOLATED: Section = section(
    "isolated-processors",
    "programs run there without interruptions",
);
pub(super) static SHORT_MEMORY: Section = section(
    "memory-that-is-short",
    "reading memory back from a disk takes milliseconds",
);
pub(super) static HUGE_PAGES: Section = section(
    "huge-pages",
    "large data is faster in launches that happen to get them",
);
pub(super) static ALLOCATOR: Section = section(
    "the-allocator",
    "benchmarks use another allocator than users",
);
pub(super) static TRACERS: Section = section(
    "debuggers-and-tracers",
    "a traced program stops at signals and system calls",
);
pub(super) static ADDRESSES: Section = section(
    "random-addresses",
    "an interval covers only what varies between launches",
);
pub(super) static SYSTEM_CLOCK: Section = section(
    "the-systems-clock",
    "a body that reads the time pays for this clock",
);
pub(super) static COUNTERS: Section = section("hardware-counters", "other tools use them");
pub(super) static BUILD: Section =
    section("the-build", "benchmarks should run the code that users run");
pub(super) static INTERRUPTIONS: Section = section("interruptions", "samples include their time");
pub(super) static REFERENCE_KERNELS: Section = section(
    "reference-kernels",
    "if code of known cost is off, every benchmark is",
);
