//! The sections of the guide that explain findings, and why each finding matters.

/// A section of docs/GUIDE.md.
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

pub(super) static FREQUENCY: Section = section(
    "frequency",
    "the time of code depends on the frequency",
);
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
pub(super) static INTERRUPTIONS: Section =
    section("interruptions", "samples include their time");
pub(super) static REFERENCE_KERNELS: Section = section(
    "landmarks",
    "if code of known cost is off, every benchmark is",
);
