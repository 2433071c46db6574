//! What is looked at, one check each: from the files of a machine to what is said about it.

mod addresses;
mod allocator;
mod attached;
mod battery;
mod clock_source;
mod counters;
mod frequency;
mod heat;
mod memory;
mod others;
mod processors;
mod siblings;
mod virtual_machine;

#[cfg(test)]
mod tests;

use super::finding::{Finding, Said};
use super::moment::Moment;
use super::tree::{Known, Tree};

/// A machine, as far as it was looked at: its files, and its counters at two moments.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) tree: Tree,
    pub(super) earlier: Moment,
    pub(super) later: Moment,
}

/// One check.
pub(super) struct Check {
    pub(super) name: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static str,
    look: fn(&Seen) -> Known<Said>,
}

/// Every check of the machine.
pub(super) const CHECKS: &[Check] = &[
    check("governor", "frequency", frequency::governor),
    check("turbo", "frequency", frequency::turbo),
    check("power profile", "frequency", frequency::power_profile),
    check("battery", "battery-and-heat", battery::battery),
    check("heat", "battery-and-heat", heat::heat),
    check("SMT", "two-threads-on-a-core", siblings::siblings),
    check(
        "hypervisor",
        "virtual-machines",
        virtual_machine::hypervisor,
    ),
    check("steal", "virtual-machines", virtual_machine::steal),
    check("load", "other-programs", others::load),
    check("processes", "other-programs", others::processes),
    check("CPU quota", "containers", processors::quota),
    check("CPU set", "containers", processors::set),
    check("isolated CPUs", "isolated-processors", processors::isolated),
    check("swap", "memory-that-is-short", memory::swap),
    check("memory pressure", "memory-that-is-short", memory::pressure),
    check("huge pages", "huge-pages", memory::huge_pages),
    check("allocator", "the-allocator", allocator::allocator),
    check("debugger", "debuggers-and-tracers", attached::debugger),
    check("ASLR", "random-addresses", addresses::randomised),
    check(
        "clock source",
        "the-systems-clock",
        clock_source::clock_source,
    ),
    check("counters", "hardware-counters", counters::counters),
];

const fn check(name: &'static str, guide: &'static str, look: fn(&Seen) -> Known<Said>) -> Check {
    Check { name, guide, look }
}

/// What every check found.
pub(super) fn all(seen: &Seen) -> Vec<Finding> {
    let one = |check: &Check| Finding {
        check: check.name,
        guide: check.guide,
        outcome: (check.look)(seen),
    };
    CHECKS.iter().map(one).collect()
}
