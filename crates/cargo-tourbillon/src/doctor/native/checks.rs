//! From what a system reports to assessments.

use tourbillon_present::advice::{System, Trouble};
use tourbillon_present::number::percent;

use super::facts::Facts;
use crate::doctor::finding::{Assessment, Finding};
use crate::doctor::tree::Known;

/// Shares of other programs that are noted, and that matter.
const OTHERS: [f64; 2] = [0.05, 0.2];

/// What neither system shows.
const ABSENT: [&str; 5] = ["turbo", "heat", "steal", "huge pages", "allocator"];

/// The findings of all checks.
pub(crate) fn all(facts: &Facts) -> Vec<Finding> {
    let power = match facts.system {
        System::Windows => ("power plan", power_plan(facts)),
        System::MacOs | System::Linux => ("low-power mode", low_power(facts)),
    };
    let checks = [
        power,
        ("battery", battery(facts)),
        ("priority", priority(facts)),
        ("core kinds", core_kinds(facts)),
        ("SMT", threads(facts)),
        ("hypervisor", hypervisor(facts)),
        ("translation", translated(facts)),
        ("load", load(facts)),
        ("CPU set", set(facts)),
        ("swap", swapped(facts)),
        ("debugger", debugger(facts)),
        ("ASLR", randomised(facts)),
        ("clock source", clock_source(facts)),
    ];
    let why = match facts.system {
        System::Windows => "Windows does not show it to programs",
        System::MacOs | System::Linux => "macOS does not show it to programs",
    };
    let absent = ABSENT.map(|check| (check, Err(why.to_owned())));
    let all = checks.into_iter().chain(absent);
    all.map(|(check, outcome)| Finding { check, outcome })
        .collect()
}

fn power_plan(facts: &Facts) -> Known<Assessment> {
    let plan = facts.power_plan.clone()?;
    let remedy = Trouble::PowerPlan.remedy();
    Ok(match plan.as_str() {
        "power saver" => Assessment::matters("power saver: cores stay at low frequencies", remedy),
        "balanced" => Assessment::note("balanced: the frequency follows the load", remedy),
        _ => Assessment::fine(plan),
    })
}

fn low_power(facts: &Facts) -> Known<Assessment> {
    Ok(if facts.low_power.clone()? {
        Assessment::matters(
            "on: cores stay at low frequencies",
            Trouble::LowPowerMode.remedy(),
        )
    } else {
        Assessment::fine("off")
    })
}

fn battery(facts: &Facts) -> Known<Assessment> {
    Ok(if facts.on_battery.clone()? {
        Assessment::matters(
            "the machine runs on its battery, and saves power",
            Trouble::Battery.remedy(),
        )
    } else {
        Assessment::fine("none, or on mains")
    })
}

fn priority(facts: &Facts) -> Known<Assessment> {
    let priority = facts.priority.clone()?;
    Ok(match priority.as_str() {
        "idle" | "below normal" | "background" => Assessment::matters(
            format!("{priority}: other programs run first, and cores stay slow"),
            "start it from a shell of normal priority",
        ),
        _ => Assessment::fine(priority),
    })
}

fn core_kinds(facts: &Facts) -> Known<Assessment> {
    let [fast, slow, _] = facts.cores.clone()?;
    let remedy = Trouble::CoreKinds(facts.system).remedy();
    Ok(match slow {
        0 => Assessment::fine("all cores are alike"),
        _ => Assessment::note(
            format!("{fast} performance cores and {slow} efficiency cores"),
            remedy,
        ),
    })
}

fn threads(facts: &Facts) -> Known<Assessment> {
    let [fast, slow, threads] = facts.cores.clone()?;
    let is_guest = facts.hypervisor.as_ref().is_ok_and(|name| !name.is_empty());
    Ok(if threads == fast + slow && is_guest {
        Assessment::fine("none that this virtual machine sees: the host may share its cores")
    } else if threads == fast + slow {
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
            Trouble::VirtualMachine.remedy(),
        ),
    })
}

fn translated(facts: &Facts) -> Known<Assessment> {
    Ok(if facts.translated.clone()? {
        Assessment::matters(
            "this program is made for another processor and translated",
            "install Rust for this processor (`rustup set default-host`), and build again",
        )
    } else {
        Assessment::fine("none: made for this processor")
    })
}

fn load(facts: &Facts) -> Known<Assessment> {
    let share = facts.others.clone()?;
    let found = format!(
        "other programs took {} of the processors' time while this ran",
        percent(share)
    );
    let remedy = match facts.system {
        System::Windows => "end them; Task Manager lists them by CPU",
        System::MacOs | System::Linux => "end them; Activity Monitor lists them by CPU",
    };
    Ok(Assessment::of(share, OTHERS, found, remedy))
}

fn set(facts: &Facts) -> Known<Assessment> {
    let [allowed, all] = facts.processors.clone()?;
    Ok(Assessment::fine(if allowed == all {
        format!("all {all} processors")
    } else {
        format!("{allowed} of {all} processors")
    }))
}

fn swapped(facts: &Facts) -> Known<Assessment> {
    Ok(match facts.swapped.clone()? {
        0 => Assessment::fine("no pages were read from it while this ran"),
        pages => Assessment::matters(
            format!("{pages} pages were read from it while this ran"),
            "end programs that use much memory",
        ),
    })
}

fn debugger(facts: &Facts) -> Known<Assessment> {
    Ok(if facts.debugger.clone()? {
        Assessment::matters("attached to this process", Trouble::Debugger.remedy())
    } else {
        Assessment::fine("none attached")
    })
}

fn randomised(facts: &Facts) -> Known<Assessment> {
    Ok(if facts.random_addresses.clone()? {
        Assessment::fine("on: every launch has other addresses")
    } else {
        Assessment::note(
            "off: all launches share one memory layout",
            Trouble::FixedAddresses(facts.system).remedy(),
        )
    })
}

fn clock_source(facts: &Facts) -> Known<Assessment> {
    let remedy = match facts.system {
        System::Windows => {
            "remove `useplatformclock` with `bcdedit /deletevalue useplatformclock`, if it is set"
        }
        System::MacOs | System::Linux => {
            "compare builds in one run, and trust cycles only where they are shown"
        }
    };
    Ok(match &facts.counter {
        Ok(why) => Assessment::fine(format!("the processor's counter: {why}")),
        Err(why) => Assessment::note(why.clone(), remedy),
    })
}

#[cfg(test)]
mod tests {
    use crate::doctor::finding::Severity;

    use super::*;

    fn laptop() -> Facts {
        Facts {
            system: System::Windows,
            power_plan: Ok("balanced".to_owned()),
            low_power: Err("not here".to_owned()),
            on_battery: Ok(true),
            priority: Ok("normal".to_owned()),
            cores: Ok([6, 8, 20]),
            hypervisor: Ok(String::new()),
            others: Ok(0.3),
            processors: Ok([20, 20]),
            swapped: Err("not here".to_owned()),
            debugger: Ok(false),
            random_addresses: Ok(true),
            counter: Ok("invariant, the source of QueryPerformanceCounter".to_owned()),
            translated: Ok(false),
        }
    }

    fn finding(facts: &Facts, check: &str) -> Finding {
        let findings = all(facts);
        let mut of_check = findings
            .into_iter()
            .filter(|finding| finding.check == check);
        of_check
            .next()
            .unwrap_or_else(|| panic!("no check {check}"))
    }

    fn severity(facts: &Facts, check: &str) -> Option<Severity> {
        finding(facts, check).severity()
    }

    #[test]
    fn a_laptop_on_its_battery() {
        let laptop = laptop();
        for (check, expected) in [
            ("power plan", Some(Severity::Note)),
            ("battery", Some(Severity::Matters)),
            ("priority", Some(Severity::Fine)),
            ("core kinds", Some(Severity::Note)),
            ("SMT", Some(Severity::Note)),
            ("hypervisor", Some(Severity::Fine)),
            ("translation", Some(Severity::Fine)),
            ("load", Some(Severity::Matters)),
            ("CPU set", Some(Severity::Fine)),
            ("ASLR", Some(Severity::Fine)),
            ("clock source", Some(Severity::Fine)),
            ("swap", None),
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
            priority: Ok("below normal".to_owned()),
            cores: Ok([4, 0, 4]),
            hypervisor: Ok("Hyper-V".to_owned()),
            others: Ok(0.0),
            debugger: Ok(true),
            random_addresses: Ok(false),
            counter: Err("Windows does not trust it, and uses the HPET".to_owned()),
            translated: Ok(true),
            ..laptop()
        };
        for (check, expected) in [
            ("power plan", None),
            ("battery", Some(Severity::Fine)),
            ("priority", Some(Severity::Matters)),
            ("core kinds", Some(Severity::Fine)),
            ("SMT", Some(Severity::Fine)),
            ("hypervisor", Some(Severity::Note)),
            ("translation", Some(Severity::Matters)),
            ("load", Some(Severity::Fine)),
            ("debugger", Some(Severity::Matters)),
            ("ASLR", Some(Severity::Note)),
            ("clock source", Some(Severity::Note)),
        ] {
            assert_eq!(severity(&guest, check), expected, "{check}");
        }
    }

    #[test]
    fn a_mac_in_low_power_mode() {
        let mac = Facts {
            system: System::MacOs,
            power_plan: Err("not here".to_owned()),
            low_power: Ok(true),
            swapped: Ok(7),
            processors: Err("not here".to_owned()),
            ..laptop()
        };
        for (check, expected) in [
            ("low-power mode", Some(Severity::Matters)),
            ("swap", Some(Severity::Matters)),
            ("CPU set", None),
        ] {
            assert_eq!(severity(&mac, check), expected, "{check}");
        }
        assert!(
            !all(&mac)
                .iter()
                .any(|finding| finding.check == "power plan")
        );
        // No remedy of another system.
        for finding in all(&mac) {
            let text = finding.outcome.map_or_else(
                |why| why,
                |assessment| format!("{} {:?}", assessment.found, assessment.remedy),
            );
            for other in [
                "--cpus",
                "powercfg",
                "Task Manager",
                "bcdedit",
                "/proc",
                "/sys",
            ] {
                assert!(!text.contains(other), "{text}");
            }
        }
    }

    #[test]
    fn every_check_has_a_reason() {
        for system in [System::Windows, System::MacOs] {
            for finding in all(&Facts { system, ..laptop() }) {
                assert!(!finding.section().1.is_empty(), "{}", finding.check);
            }
        }
    }
}
