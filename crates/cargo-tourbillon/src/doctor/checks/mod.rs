//! The checks: from the files of a machine to an assessment.

mod counters;
mod memory;
mod power;
mod processors;
mod programs;
mod virtual_machine;

#[cfg(test)]
#[path = "../../../tests/unit/doctor_checks.rs"]
mod tests;

use super::finding::{self, Assessment, Finding, Section};
use super::moment::Observations;
use super::tree::Known;

/// One check.
pub(super) struct Check {
    pub(super) name: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static Section,
    look: fn(&Observations) -> Known<Assessment>,
}

/// All checks of the machine.
pub(super) static CHECKS: &[Check] = &[
    check("governor", &finding::FREQUENCY, power::governor),
    check("turbo", &finding::FREQUENCY, power::turbo),
    check("power profile", &finding::FREQUENCY, power::power_profile),
    check("battery", &finding::BATTERY_AND_HEAT, power::battery),
    check("heat", &finding::BATTERY_AND_HEAT, power::heat),
    check("SMT", &finding::SIBLINGS, processors::siblings),
    check(
        "hypervisor",
        &finding::VIRTUAL_MACHINES,
        virtual_machine::hypervisor,
    ),
    check("steal", &finding::VIRTUAL_MACHINES, virtual_machine::steal),
    check("load", &finding::OTHER_PROGRAMS, programs::load),
    check("processes", &finding::OTHER_PROGRAMS, programs::processes),
    check("CPU quota", &finding::CONTAINERS, processors::quota),
    check("CPU set", &finding::CONTAINERS, processors::set),
    check("isolated CPUs", &finding::ISOLATED, processors::isolated),
    check("swap", &finding::SHORT_MEMORY, memory::swap),
    check("memory pressure", &finding::SHORT_MEMORY, memory::pressure),
    check("huge pages", &finding::HUGE_PAGES, memory::huge_pages),
    check("allocator", &finding::ALLOCATOR, memory::allocator),
    check("debugger", &finding::TRACERS, programs::debugger),
    check("ASLR", &finding::ADDRESSES, memory::randomised),
    check(
        "clock source",
        &finding::SYSTEM_CLOCK,
        counters::clock_source,
    ),
    check("counters", &finding::COUNTERS, counters::counters),
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
