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

/// The name of a check, and the check.
type Check = (&'static str, fn(&Observations) -> Known<Assessment>);

/// All checks of the machine.
const CHECKS: &[Check] = &[
    ("governor", governor),
    ("turbo", turbo),
    ("power profile", power_profile),
    ("battery", battery),
    ("heat", heat),
    ("core kinds", core_kinds),
    ("SMT", siblings),
    ("hypervisor", hypervisor),
    ("steal", steal),
    ("translation", translation),
    ("load", load),
    ("processes", processes),
    ("CPU quota", quota),
    ("CPU set", set),
    ("isolated CPUs", isolated),
    ("swap", swap),
    ("memory pressure", pressure),
    ("huge pages", huge_pages),
    ("allocator", allocator),
    ("debugger", debugger),
    ("ASLR", randomised),
    ("clock source", clock_source),
    ("counters", counters),
];

/// The findings of all checks.
pub(super) fn all(observed: &Observations) -> Vec<Finding> {
    let checks = CHECKS.iter();
    let findings = checks.map(|(check, look)| Finding {
        check,
        outcome: look(observed),
    });
    findings.collect()
}
