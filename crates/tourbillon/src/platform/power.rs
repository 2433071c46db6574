//! What decides the frequency of the cores.

use super::fact::{self, Facts, Known};

/// Why a fact about the processor's driver is missing.
const HIDDEN: &str = "hidden, as usual in a virtual machine";

const CPU: &str = "/sys/devices/system/cpu";

#[inline(never)]
pub(super) fn add(facts: &mut Facts) {
    let governor = fact::read_in(CPU, "cpu0/cpufreq/scaling_governor");
    if governor.is_empty() {
        facts.absent("governor", HIDDEN);
    } else {
        facts.known("governor", &governor);
    }
    let one_way = fact::read_in(CPU, "cpufreq/boost");
    let other_way = fact::read_in(CPU, "intel_pstate/no_turbo");
    match boost(&one_way, &other_way) {
        Some(on) => facts.flag("boost", Ok(on)),
        None => facts.absent("boost", HIDDEN),
    }
    facts.flag("battery", on_battery("/sys/class/power_supply"));
}

/// Whether cores may run above their nominal frequency; Intel's driver has the question the other
/// way round.
fn boost(boost: &str, no_turbo: &str) -> Option<bool> {
    match (boost, no_turbo) {
        ("1", _) | (_, "0") => Some(true),
        ("0", _) | (_, "1") => Some(false),
        _ => None,
    }
}

/// Whether the machine runs on its battery: one is there and none of the other supplies is in use.
fn on_battery(folder: &str) -> Known<bool> {
    let mut batteries = 0;
    for path in &fact::entries(folder)? {
        if fact::says(path, "type", "Battery") {
            // The battery of a mouse is no reason for a slow processor.
            batteries += u64::from(!fact::says(path, "scope", "Device"));
        } else if (fact::says(path, "type", "Mains") || fact::says(path, "type", "USB"))
            && fact::says(path, "online", "1")
        {
            return Ok(false);
        }
    }
    Ok(batteries > 0)
}

#[cfg(test)]
mod tests {
    use super::boost;

    #[test]
    fn two_drivers_say_it_in_two_ways() {
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
