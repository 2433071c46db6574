//! The checks on Windows: from what its calls report to assessments.

use super::finding::{Assessment, Finding};
use super::tree::Known;

/// What Windows reports about the machine. Each value is missing with a reason.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) power_plan: Known<String>,
    pub(super) on_battery: Known<bool>,
    /// Cores of the fastest kind, of all others, and hardware threads.
    pub(super) cores: Known<[usize; 3]>,
    /// The hypervisor's name; empty on a real machine.
    pub(super) hypervisor: Known<String>,
    /// Share of the processors' time that other programs took while this ran.
    pub(super) others: Known<f64>,
    /// Processors that this process may run on, and those of its group.
    pub(super) processors: Known<[usize; 2]>,
    pub(super) debugger: Known<bool>,
    pub(super) random_addresses: Known<bool>,
    /// Whether the processor's counter may measure, and why.
    pub(super) counter: Result<String, String>,
}

/// Shares of other programs that are noted, and that matter.
const OTHERS: [f64; 2] = [0.05, 0.2];

/// What Windows does not show, with the section of the guide.
const ABSENT: [(&str, &str); 6] = [
    ("turbo", "frequency"),
    ("heat", "battery-and-heat"),
    ("steal", "virtual-machines"),
    ("swap", "memory-that-is-short"),
    ("huge pages", "huge-pages"),
    ("allocator", "the-allocator"),
];

/// The findings of all checks.
pub(super) fn all(facts: &Facts) -> Vec<Finding> {
    let checks = [
        ("power plan", "frequency", power_plan(facts)),
        ("battery", "battery-and-heat", battery(facts)),
        ("core kinds", "cores-of-two-kinds", core_kinds(facts)),
        ("SMT", "two-threads-on-a-core", threads(facts)),
        ("hypervisor", "virtual-machines", hypervisor(facts)),
        ("load", "other-programs", load(facts)),
        ("CPU set", "containers", set(facts)),
        ("debugger", "debuggers-and-tracers", debugger(facts)),
        ("ASLR", "random-addresses", randomised(facts)),
        ("clock source", "the-systems-clock", clock_source(facts)),
    ];
    let absent = ABSENT.map(|(check, section)| {
        let why = Err("Windows does not show it to programs".to_owned());
        (check, section, why)
    });
    let all = checks.into_iter().chain(absent);
    all.map(|(check, section, outcome)| Finding {
        check,
        section,
        outcome,
    })
    .collect()
}

fn power_plan(facts: &Facts) -> Known<Assessment> {
    let plan = facts.power_plan.clone()?;
    let remedy = "`powercfg /setactive SCHEME_MIN`, which is high performance";
    Ok(match plan.as_str() {
        "power saver" => Assessment::matters("power saver: cores stay at low frequencies", remedy),
        "balanced" => Assessment::note(
            "balanced: the frequency follows the load",
            format!("compare cycles rather than times, or {remedy}"),
        ),
        _ => Assessment::fine(plan),
    })
}

fn battery(facts: &Facts) -> Known<Assessment> {
    Ok(match facts.on_battery.clone()? {
        true => Assessment::matters(
            "the machine runs on its battery, and saves power",
            "plug it in",
        ),
        false => Assessment::fine("none, or on mains"),
    })
}

fn core_kinds(facts: &Facts) -> Known<Assessment> {
    let [fast, slow, _] = facts.cores.clone()?;
    Ok(match slow {
        0 => Assessment::fine("all cores are alike"),
        _ => Assessment::note(
            format!("{fast} performance cores and {slow} efficiency cores"),
            "keep workers on one kind with --cpus",
        ),
    })
}

fn threads(facts: &Facts) -> Known<Assessment> {
    let [fast, slow, threads] = facts.cores.clone()?;
    Ok(if threads == fast + slow {
        Assessment::fine("none: one thread on each core")
    } else {
        Assessment::note(
            format!("{threads} hardware threads on {} cores", fast + slow),
            "stop what else runs; launches in contention are found and discarded",
        )
    })
}

fn hypervisor(facts: &Facts) -> Known<Assessment> {
    let name = facts.hypervisor.clone()?;
    Ok(match name.as_str() {
        "" => Assessment::fine("none: a real machine"),
        name => Assessment::note(
            format!(
                "a virtual machine of {name}: other guests share the processor, the caches and the \
                 memory"
            ),
            "compare builds in one run; for absolute figures use a dedicated machine",
        ),
    })
}

fn load(facts: &Facts) -> Known<Assessment> {
    let share = facts.others.clone()?;
    let found = format!(
        "other programs took {:.0} % of the processors' time while this ran",
        100.0 * share
    );
    let remedy = "end them; Task Manager lists them by CPU";
    Ok(Assessment::of(share, OTHERS, found, remedy))
}

fn set(facts: &Facts) -> Known<Assessment> {
    let [allowed, all] = facts.processors.clone()?;
    Ok(Assessment::fine(match allowed == all {
        true => format!("all {all} processors"),
        false => format!("{allowed} of {all} processors"),
    }))
}

fn debugger(facts: &Facts) -> Known<Assessment> {
    Ok(match facts.debugger.clone()? {
        true => Assessment::matters("attached to this process", "detach it"),
        false => Assessment::fine("none attached"),
    })
}

fn randomised(facts: &Facts) -> Known<Assessment> {
    Ok(match facts.random_addresses.clone()? {
        true => Assessment::fine("on: every launch has other addresses"),
        false => Assessment::note(
            "off: all launches share one memory layout",
            "switch it on in Windows Security, Exploit protection",
        ),
    })
}

fn clock_source(facts: &Facts) -> Known<Assessment> {
    Ok(match &facts.counter {
        Ok(why) => Assessment::fine(format!("the processor's counter: {why}")),
        Err(why) => Assessment::note(
            why.clone(),
            "remove `useplatformclock` with `bcdedit /deletevalue useplatformclock`, if it is set",
        ),
    })
}

/// What this machine reports; `None` on other systems.
#[cfg(not(windows))]
pub(super) fn facts(_clock: &tourbillon_clock::Choice, _earlier: &Earlier) -> Option<Facts> {
    None
}

/// What is read before the other examinations.
#[derive(Debug)]
pub(super) struct Earlier {
    #[cfg_attr(not(windows), expect(dead_code, reason = "read on Windows only"))]
    counts: tourbillon_os::MachineCounts,
    #[cfg_attr(not(windows), expect(dead_code, reason = "read on Windows only"))]
    unix_ns: u64,
}

impl Earlier {
    pub(super) fn now() -> Earlier {
        Earlier {
            counts: tourbillon_os::machine_counts(),
            unix_ns: tourbillon_clock::wall::unix_ns(),
        }
    }
}

/// What this machine reports.
#[cfg(windows)]
pub(super) fn facts(clock: &tourbillon_clock::Choice, earlier: &Earlier) -> Option<Facts> {
    fn known<T>(result: std::io::Result<T>) -> Known<T> {
        result.map_err(|error| error.to_string())
    }
    let cores = known(tourbillon_os::processors()).map(|found| {
        let classes = found.cores.iter().map(|core| core.efficiency_class);
        let most = classes.clone().max();
        let fast = classes.filter(|class| Some(*class) == most).count();
        let threads = found.cores.iter().map(|core| core.threads as usize);
        [fast, found.cores.len() - fast, threads.sum()]
    });
    let allowed = known(tourbillon_os::affinity());
    let all = cores.clone().map(|[_, _, threads]| threads);
    let later = Earlier::now();
    let wanted = later.counts.wanted_ticks - earlier.counts.wanted_ticks;
    let own = later.counts.own_ticks - earlier.counts.own_ticks;
    // A hundred ticks are a second of a processor.
    let seconds = later.unix_ns.saturating_sub(earlier.unix_ns) as f64 * 1e-9;
    let others = all.clone().map(|all| {
        let share = wanted.saturating_sub(own) as f64 / 100.0 / seconds / all as f64;
        share.clamp(0.0, 1.0)
    });
    #[cfg(target_arch = "x86_64")]
    let hypervisor = {
        let name = tourbillon_os::processor_name().hypervisor;
        let known = |name: String| {
            let known = tourbillon_os::hypervisor_in(&name.replace(' ', ""));
            known.map_or(name, str::to_owned)
        };
        Ok(name.map_or_else(String::new, known))
    };
    #[cfg(not(target_arch = "x86_64"))]
    let hypervisor = Err("this processor does not report whether it is virtual".to_owned());
    Some(Facts {
        power_plan: known(tourbillon_os::power_plan()),
        on_battery: tourbillon_os::on_battery().ok_or_else(|| "Windows does not know".to_owned()),
        processors: allowed.and_then(|allowed| Ok([allowed.len(), all?])),
        cores,
        hypervisor,
        others,
        debugger: tourbillon_os::debugger_attached().ok_or_else(String::new),
        random_addresses: known(tourbillon_os::random_addresses()),
        counter: match clock.refused.is_empty() {
            true => Ok(clock.why.clone()),
            false => Err(clock.why.clone()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn laptop() -> Facts {
        Facts {
            power_plan: Ok("balanced".to_owned()),
            on_battery: Ok(true),
            cores: Ok([6, 8, 20]),
            hypervisor: Ok(String::new()),
            others: Ok(0.3),
            processors: Ok([20, 20]),
            debugger: Ok(false),
            random_addresses: Ok(true),
            counter: Ok("invariant, the source of QueryPerformanceCounter".to_owned()),
        }
    }

    fn severity(facts: &Facts, check: &str) -> Option<Severity> {
        let findings = all(facts);
        let mut of_check = findings.iter().filter(|finding| finding.check == check);
        of_check.next().unwrap().severity()
    }

    #[test]
    fn a_laptop_on_its_battery() {
        let laptop = laptop();
        for (check, expected) in [
            ("power plan", Some(Severity::Note)),
            ("battery", Some(Severity::Matters)),
            ("core kinds", Some(Severity::Note)),
            ("SMT", Some(Severity::Note)),
            ("hypervisor", Some(Severity::Fine)),
            ("load", Some(Severity::Matters)),
            ("CPU set", Some(Severity::Fine)),
            ("ASLR", Some(Severity::Fine)),
            ("clock source", Some(Severity::Fine)),
            ("heat", None),
        ] {
            assert_eq!(severity(&laptop, check), expected, "{check}");
        }
    }

    #[test]
    fn a_guest_with_a_slow_clock_that_reports_little() {
        let guest = Facts {
            power_plan: Err("no such key".to_owned()),
            on_battery: Ok(false),
            cores: Ok([4, 0, 4]),
            hypervisor: Ok("Hyper-V".to_owned()),
            others: Ok(0.0),
            debugger: Ok(true),
            random_addresses: Ok(false),
            counter: Err("Windows does not trust it, and uses the HPET".to_owned()),
            ..laptop()
        };
        for (check, expected) in [
            ("power plan", None),
            ("battery", Some(Severity::Fine)),
            ("core kinds", Some(Severity::Fine)),
            ("SMT", Some(Severity::Fine)),
            ("hypervisor", Some(Severity::Note)),
            ("load", Some(Severity::Fine)),
            ("debugger", Some(Severity::Matters)),
            ("ASLR", Some(Severity::Note)),
            ("clock source", Some(Severity::Note)),
        ] {
            assert_eq!(severity(&guest, check), expected, "{check}");
        }
    }

    #[test]
    fn every_check_has_a_reason() {
        for finding in all(&laptop()) {
            assert!(!finding.why().is_empty(), "{}", finding.check);
        }
    }
}
