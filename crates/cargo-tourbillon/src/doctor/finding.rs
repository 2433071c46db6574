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
    /// For programs.
    pub(super) fn name(self) -> &'static str {
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
            remedy: Some(remedy.into()),
            ..Assessment::fine(found)
        }
    }

    pub(super) fn matters(found: impl Into<String>, remedy: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Matters,
            ..Assessment::note(found, remedy)
        }
    }

    /// An assessment of a share, with the shares that are noted and that matter.
    pub(super) fn of(
        share: f64,
        [some, much]: [f64; 2],
        found: String,
        remedy: &str,
    ) -> Assessment {
        match share {
            _ if share >= much => Assessment::matters(found, remedy),
            _ if share >= some => Assessment::note(found, remedy),
            _ => Assessment::fine(found),
        }
    }
}

/// A check and its assessment, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) outcome: Known<Assessment>,
}

impl Finding {
    /// The section of the guide that explains it, as a fragment of a link, and why it matters.
    pub(super) fn section(&self) -> (&'static str, &'static str) {
        let mut sections = SECTIONS.lines().filter_map(|line| {
            let (section, rest) = line.split_once(": ")?;
            let (why, checks) = rest.split_once(": ")?;
            let is_here = checks.split(", ").any(|check| check == self.check);
            is_here.then_some((section, why))
        });
        sections.next().unwrap_or_default()
    }

    /// `None` if the check could not assess anything.
    pub(super) fn severity(&self) -> Option<Severity> {
        self.outcome.as_ref().ok().map(|outcome| outcome.severity)
    }
}

/// The sections of docs/reference/doctor.md, why each matters, and the checks that it explains.
const SECTIONS: &str = "\
frequency: the time of code depends on the frequency: governor, turbo, power profile, power plan, low-power mode
battery-and-heat: power saving and heat slow cores down during a run: battery, heat
two-threads-on-a-core: two hardware threads share the units of one core: SMT, contention
cores-of-two-kinds: the same code takes longer on an efficiency core: core kinds
translated-programs: another processor's instructions are not those that were compiled: translation
virtual-machines: time taken by other guests is included in the figures: hypervisor, steal
other-programs: other programs take processor time and evict caches: load, processes, priority
containers: a container that has used up its quota is paused while the clock runs: CPU quota, CPU set
isolated-processors: programs run there without interruptions: isolated CPUs
memory-that-is-short: reading memory back from a disk takes milliseconds: swap, memory pressure
huge-pages: large data is faster in launches that happen to get them: huge pages
the-allocator: benchmarks use another allocator than users: allocator
debuggers-and-tracers: a traced program stops at signals and system calls: debugger
random-addresses: an interval covers only what varies between launches: ASLR
the-systems-clock: a body that reads the time pays for this clock: clock source
hardware-counters: with them, cycles are counted rather than computed: counters
the-build: benchmarks should run the code that users run: bench profile
interruptions: samples include their time: interruptions
reference-kernels: if code of known cost is off, every benchmark is: reference kernels
";

#[cfg(test)]
mod tests {
    use crate::doctor::machines::{Machine, NOTHING};

    #[test]
    fn every_check_has_a_reason() {
        for finding in Machine::new(NOTHING).findings(&[]) {
            assert!(!finding.section().1.is_empty(), "{}", finding.check);
        }
    }
}
