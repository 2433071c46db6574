//! The sections of the guide that findings belong to, and why each matters.

/// A section of docs/reference/doctor.md.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// What a link to it ends with.
    pub(super) anchor: &'static str,
    /// Why a reader cares, in a clause.
    pub(super) why: &'static str,
}

const fn section(anchor: &'static str, why: &'static str) -> Section {
    Section { anchor, why }
}

pub(super) static FREQUENCY: Section = section(
    "frequency",
    "the same code takes another time at another frequency",
);
pub(super) static BATTERY_AND_HEAT: Section = section(
    "battery-and-heat",
    "what saves power or cools slows cores down in the middle of a run",
);
pub(super) static SIBLINGS: Section = section(
    "two-threads-on-a-core",
    "of two processors that are one core each gets half when both work",
);
pub(super) static VIRTUAL_MACHINES: Section = section(
    "virtual-machines",
    "what the neighbours take is in the figures, and unseen",
);
pub(super) static OTHER_PROGRAMS: Section = section(
    "other-programs",
    "whatever else runs takes the processor and empties its caches",
);
pub(super) static CONTAINERS: Section = section(
    "containers",
    "a container without time left is stopped while the clock goes on",
);
pub(super) static ISOLATED: Section = section(
    "isolated-processors",
    "nothing but what is sent there interrupts what runs there",
);
pub(super) static SHORT_MEMORY: Section = section(
    "memory-that-is-short",
    "memory that comes back from a disk takes milliseconds",
);
pub(super) static HUGE_PAGES: Section = section(
    "huge-pages",
    "large data is faster in the launches that happen to get them",
);
pub(super) static ALLOCATOR: Section = section(
    "the-allocator",
    "another allocator is measured than users have",
);
pub(super) static TRACERS: Section = section(
    "debuggers-and-tracers",
    "what is traced stops at signals and system calls",
);
pub(super) static ADDRESSES: Section = section(
    "random-addresses",
    "an interval covers only what differs between launches",
);
pub(super) static SYSTEM_CLOCK: Section = section(
    "the-systems-clock",
    "a body that reads the time pays for this clock",
);
pub(super) static COUNTERS: Section = section("hardware-counters", "other tools count with them");
pub(super) static BUILD: Section =
    section("the-build", "what is measured should be what users run");
pub(super) static INTERRUPTIONS: Section =
    section("interruptions", "the time that they take is in the samples");
pub(super) static LANDMARKS: Section = section(
    "reference-kernels",
    "where code of known cost is off, every benchmark is",
);
