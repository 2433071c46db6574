//! What else the machine does, and what decides the frequency of its cores.

use std::fs;

use tourbillon_present::number::fixed;

use super::fact::{Facts, Known, read, read_in, whole};

/// Why a fact about the processor's driver is missing.
const HIDDEN: &str = "hidden, as usual in a virtual machine";

const CPU: &str = "/sys/devices/system/cpu";

pub(super) fn add(facts: &mut Facts) {
    facts.text("load", read("/proc/loadavg").and_then(|text| load(&text)));
    facts.text("steal", read("/proc/stat").and_then(|text| steal(&text)));
}

/// Runnable tasks on average over 1, 5 and 15 minutes.
fn load(loadavg: &str) -> Known<String> {
    match loadavg.split(' ').collect::<Vec<_>>()[..] {
        [one, five, fifteen, ..] => {
            Ok(format!("{one} (1 min), {five} (5 min), {fifteen} (15 min)"))
        }
        _ => Err(format!("/proc/loadavg {loadavg:?} is not understood")),
    }
}

/// The share of the time since the start of the system in which a virtual processor was ready and
/// the hypervisor ran something else.
fn steal(stat: &str) -> Known<String> {
    let (stolen, total) = times(stat).ok_or("/proc/stat is not understood")?;
    if total == 0 {
        return Err("the system has only just started".to_owned());
    }
    let percent = 100.0 * stolen as f64 / total as f64;
    Ok(fixed(percent, 2) + " % since the system started")
}

/// Stolen and whole time by the line `cpu`: user, nice, system, idle, iowait, irq, softirq,
/// steal; what follows is counted in user already (proc(5)).
fn times(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let mut times = Vec::new();
    let mut total: u64 = 0;
    for word in line.split_whitespace().take(8) {
        let time = whole(word)?;
        times.push(time);
        total = total.saturating_add(time);
    }
    Some((*times.get(7)?, total))
}

pub(super) fn add_power(facts: &mut Facts) {
    let governor = read_in(CPU, "cpu0/cpufreq/scaling_governor");
    if governor.is_empty() {
        facts.absent("governor", HIDDEN);
    } else {
        facts.known("governor", &governor);
    }
    let boost = boost(
        &read_in(CPU, "cpufreq/boost"),
        &read_in(CPU, "intel_pstate/no_turbo"),
    );
    facts.flag("boost", boost.ok_or_else(|| HIDDEN.to_owned()));
    facts.flag("battery", on_battery("/sys/class/power_supply"));
    let platform = read_in("/sys/firmware/acpi", "platform_profile");
    let preference = read_in(CPU, "cpu0/cpufreq/energy_performance_preference");
    if let Some(saving) = saving(&platform, &preference) {
        facts.known("power_profile", saving);
    }
}

/// The setting of the firmware, or else of the processor, if it saves power.
fn saving<'a>(platform: &'a str, preference: &'a str) -> Option<&'a str> {
    match (platform, preference) {
        ("low-power" | "quiet" | "cool", _) => Some(platform),
        (_, "power") => Some(preference),
        _ => None,
    }
}

/// Whether cores may run above their nominal frequency; Intel's driver asks for the opposite.
fn boost(boost: &str, no_turbo: &str) -> Option<bool> {
    match (boost, no_turbo) {
        ("1", _) | (_, "0") => Some(true),
        ("0", _) | (_, "1") => Some(false),
        _ => None,
    }
}

/// Whether the machine runs on its battery: it has one, and no other supply is in use.
fn on_battery(folder: &str) -> Known<bool> {
    let supplies = fs::read_dir(folder).map_err(|_| format!("this system has no {folder}"))?;
    let mut has_battery = false;
    for supply in supplies.flatten() {
        let read = |name| read_in(supply.path(), name);
        match read("type").as_str() {
            // The battery of a mouse does not feed the processor.
            "Battery" => has_battery |= read("scope") != "Device",
            "Mains" | "USB" if read("online") == "1" => return Ok(false),
            _ => {}
        }
    }
    Ok(has_battery)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads() {
        assert_eq!(
            load("0.09 0.03 0.01 2/92 5891").as_deref(),
            Ok("0.09 (1 min), 0.03 (5 min), 0.01 (15 min)")
        );
        assert!(load("0.09").is_err());
    }

    #[test]
    fn stolen_time() {
        let ok = |text: &str| Ok(text.to_owned());
        for (stat, expected) in [
            (
                "cpu  50 0 20 900 10 5 5 10 7 0\ncpu0 1",
                ok("1.00 % since the system started"),
            ),
            (
                "cpu  993 0 1548 157787 312 0 20 0 0 0",
                ok("0.00 % since the system started"),
            ),
            (
                "cpu 1 2 3 4",
                Err("/proc/stat is not understood".to_owned()),
            ),
            (
                "cpu a b c d e f g h",
                Err("/proc/stat is not understood".to_owned()),
            ),
            (
                "cpu 0 0 0 0 0 0 0 0",
                Err("the system has only just started".to_owned()),
            ),
            ("", Err("/proc/stat is not understood".to_owned())),
        ] {
            assert_eq!(steal(stat), expected, "{stat}");
        }
    }

    #[test]
    fn a_profile_that_saves_power_is_mentioned() {
        for (platform, preference, expected) in [
            ("low-power", "performance", Some("low-power")),
            ("balanced", "power", Some("power")),
            ("balanced", "balance_power", None),
            ("performance", "", None),
            ("", "", None),
        ] {
            assert_eq!(
                saving(platform, preference),
                expected,
                "{platform} {preference}"
            );
        }
    }

    #[test]
    fn two_drivers_answer_in_two_ways() {
        for (answers, expected) in [
            (("1", ""), Some(true)),
            (("0", ""), Some(false)),
            (("", "0"), Some(true)),
            (("", "1"), Some(false)),
            (("", ""), None),
            (("?", ""), None),
        ] {
            assert_eq!(boost(answers.0, answers.1), expected, "{answers:?}");
        }
    }
}
