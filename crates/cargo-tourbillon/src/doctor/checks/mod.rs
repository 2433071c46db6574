//! The checks: from the files of a machine to an assessment.

mod counters;
mod memory;
mod power;
mod processors;
mod programs;
mod virtual_machine;

#[cfg(test)]
mod tests;

use self::counters::{clock_source, counters};
use self::memory::{allocator, huge_pages, pressure, randomised, swap};
use self::power::{battery, governor, heat, power_profile, turbo};
use self::processors::{core_kinds, isolated, quota, set, siblings};
use self::programs::{debugger, load, processes};
use self::virtual_machine::{hypervisor, steal, translation};
use super::finding::{Assessment, Finding};
use super::moment::Observations;
use super::tree::Known;

/// The name of a check, the section of the guide that explains it, and the check.
type Check = (
    &'static str,
    &'static str,
    fn(&Observations) -> Known<Assessment>,
);

/// All checks of the machine.
const CHECKS: &[Check] = &[
    ("governor", "frequency", governor),
    ("turbo", "frequency", turbo),
    ("power profile", "frequency", power_profile),
    ("battery", "battery-and-heat", battery),
    ("heat", "battery-and-heat", heat),
    ("core kinds", "cores-of-two-kinds", core_kinds),
    ("SMT", "two-threads-on-a-core", siblings),
    ("hypervisor", "virtual-machines", hypervisor),
    ("steal", "virtual-machines", steal),
    ("translation", "translated-programs", translation),
    ("load", "other-programs", load),
    ("processes", "other-programs", processes),
    ("CPU quota", "containers", quota),
    ("CPU set", "containers", set),
    ("isolated CPUs", "isolated-processors", isolated),
    ("swap", "memory-that-is-short", swap),
    ("memory pressure", "memory-that-is-short", pressure),
    ("huge pages", "huge-pages", huge_pages),
    ("allocator", "the-allocator", allocator),
    ("debugger", "debuggers-and-tracers", debugger),
    ("ASLR", "random-addresses", randomised),
    ("clock source", "the-systems-clock", clock_source),
    ("counters", "hardware-counters", counters),
];

/// The findings of all checks.
pub(super) fn all(observed: &Observations) -> Vec<Finding> {
    let checks = CHECKS.iter();
    let findings = checks.map(|(check, section, look)| Finding {
        check,
        section,
        outcome: look(observed),
    });
    findings.collect()
}
