//! The checks: from the files of a machine to an assessment.

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

use super::finding::{Finding, Assessment};
use super::moment::Moment;
use super::section::{self, Section};
use super::tree::{Known, Tree};

/// A machine: its files, and its counters at two moments.
#[derive(Debug)]
pub(super) struct Observations {
    pub(super) tree: Tree,
    pub(super) earlier: Moment,
    pub(super) later: Moment,
}

/// One check.
pub(super) struct Check {
    pub(super) name: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static Section,
    look: fn(&Observations) -> Known<Assessment>,
}

/// All checks of the machine.
pub(super) static CHECKS: &[Check] = &[
    check("governor", &section::FREQUENCY, frequency::governor),
    check("turbo", &section::FREQUENCY, frequency::turbo),
    check(
        "power profile",
        &section::FREQUENCY,
        frequency::power_profile,
    ),
    check("battery", &section::BATTERY_AND_HEAT, battery::battery),
    check("heat", &section::BATTERY_AND_HEAT, heat::heat),
    check("SMT", &section::SIBLINGS, siblings::siblings),
    check(
        "hypervisor",
        &section::VIRTUAL_MACHINES,
        virtual_machine::hypervisor,
    ),
    check("steal", &section::VIRTUAL_MACHINES, virtual_machine::steal),
    check("load", &section::OTHER_PROGRAMS, others::load),
    check("processes", &section::OTHER_PROGRAMS, others::processes),
    check("CPU quota", &section::CONTAINERS, processors::quota),
    check("CPU set", &section::CONTAINERS, processors::set),
    check("isolated CPUs", &section::ISOLATED, processors::isolated),
    check("swap", &section::SHORT_MEMORY, memory::swap),
    check("memory pressure", &section::SHORT_MEMORY, memory::pressure),
    check("huge pages", &section::HUGE_PAGES, memory::huge_pages),
    check("allocator", &section::ALLOCATOR, allocator::allocator),
    check("debugger", &section::TRACERS, attached::debugger),
    check("ASLR", &section::ADDRESSES, addresses::randomised),
    check(
        "clock source",
        &section::SYSTEM_CLOCK,
        clock_source::clock_source,
    ),
    check("counters", &section::COUNTERS, counters::counters),
];

const fn check(
    name: &'static str,
    guide: &'static Section,
    look: fn(&Observations) -> Known<Assessment>,
) -> Check {
    Check { name, guide, look }
}

/// The findings of all checks.
pub(super) fn all(observed: &Observations) -> Vec<Finding> {
    let one = |check: &Check| Finding {
        check: check.name,
        guide: check.guide,
        outcome: (check.look)(observed),
    };
    CHECKS.iter().map(one).collect()
}
