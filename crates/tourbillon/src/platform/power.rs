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
    let platform = fact::read_in("/sys/firmware/acpi", "platform_profile");
    let preference = fact::read_in(CPU, "cpu0/cpufreq/energy_performance_preference");
    if let Some(saving) = saving(&platform, &preference) {
        facts.known("power_profile", saving);
    }
}

/// What the firmware, or else the processor, was told to save; `None` where it was not: nothing to mention.
fn saving<'a>(platform: &'a str, preference: &'a str) -> Option<&'a str> {
    match (platform, preference) {
        ("low-power" | "quiet" | "cool", _) => Some(platform),
        (_, "power") => Some(preference),
        _ => None,
    }
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
    use super::{boost, saving};

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
