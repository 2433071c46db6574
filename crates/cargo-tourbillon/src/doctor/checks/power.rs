//! Power: the frequency of the cores, the supply, heat.

use std::collections::BTreeMap;

use tourbillon_present::advice::Trouble;

use crate::doctor::finding::Assessment;
use crate::doctor::moment::Observations;
use crate::doctor::tree::{Known, Tree};

const CPU: &str = "/sys/devices/system/cpu";
/// Drivers for which `powersave` is not the lowest frequency, because the processor chooses it.
const CHOOSES_ITSELF: [&str; 2] = ["intel_pstate", "amd-pstate-epp"];

/// The policies for choosing frequencies.
pub(super) fn governor(observed: &Observations) -> Known<Assessment> {
    let governors = of_all(&observed.tree, "scaling_governor");
    let mut found = together(&governors).ok_or_else(|| {
        format!("the system shows no {CPU}/cpu*/cpufreq, as in most virtual machines")
    })?;
    let driver = format!("{CPU}/cpu0/cpufreq/scaling_driver");
    let driver = observed.tree.read(&driver).unwrap_or_default();
    if !driver.is_empty() {
        found += &format!(", driver {driver}");
    }
    if governors.iter().all(|governor| governor == "performance") {
        return Ok(Assessment::fine(found));
    }
    let remedy = Trouble::Governor.remedy();
    let saves = governors.iter().any(|governor| governor == "powersave");
    Ok(if saves && !CHOOSES_ITSELF.contains(&driver.as_str()) {
        let found = format!("{found}: cores stay at their lowest frequency");
        Assessment::matters(found, remedy)
    } else {
        Assessment::note(format!("{found}: the frequency follows the load"), remedy)
    })
}

/// Whether cores may exceed their nominal frequency; Intel's driver has the inverse setting.
pub(super) fn turbo(observed: &Observations) -> Known<Assessment> {
    let number = |file: &str| observed.tree.number(&format!("{CPU}/{file}"));
    let off = match (number("cpufreq/boost"), number("intel_pstate/no_turbo")) {
        (Ok(1), _) => format!("0 to {CPU}/cpufreq/boost"),
        (_, Ok(0)) => format!("1 to {CPU}/intel_pstate/no_turbo"),
        (Ok(0), _) | (_, Ok(1)) => {
            let found = "off: cores do not exceed their nominal frequency";
            return Ok(Assessment::fine(found));
        }
        _ => {
            return Err(format!(
                "the system shows neither {CPU}/cpufreq/boost nor intel_pstate/no_turbo there"
            ));
        }
    };
    Ok(Assessment::note(
        "on: the frequency depends on heat and on the load of the other cores",
        format!("compare cycles rather than times, or write {off} as root"),
    ))
}

/// The power profile of the firmware and the processor.
pub(super) fn power_profile(observed: &Observations) -> Known<Assessment> {
    let platform = observed.tree.read("/sys/firmware/acpi/platform_profile");
    let preferences = of_all(&observed.tree, "energy_performance_preference");
    let preference = together(&preferences);
    let saves = |word: &str| matches!(word, "power" | "low-power" | "quiet" | "cool");
    let found = match (&platform, preference) {
        (Ok(platform), Some(preference)) => format!("{platform}, preference {preference}"),
        (Ok(platform), None) => platform.clone(),
        (Err(_), Some(preference)) => format!("preference {preference}"),
        (Err(why), None) => return Err(why.clone()),
    };
    let mut all = platform.iter().chain(&preferences);
    if !all.any(|profile| saves(profile)) {
        return Ok(Assessment::fine(found));
    }
    Ok(Assessment::matters(
        format!("{found}: the machine saves power"),
        Trouble::PowerProfile.remedy(),
    ))
}

/// The text of a file of the frequency driver for each processor that has it.
fn of_all(tree: &Tree, file: &str) -> Vec<String> {
    let numbers = tree.processors().into_iter();
    let texts = numbers.map(|number| tree.read(&format!("{CPU}/cpu{number}/cpufreq/{file}")));
    texts.filter_map(Result::ok).collect()
}

/// `powersave`, or `powersave on 3 of 4 processors, performance on 1`; `None` for nothing.
fn together(texts: &[String]) -> Option<String> {
    let mut kinds: BTreeMap<&String, usize> = BTreeMap::new();
    for text in texts {
        *kinds.entry(text).or_default() += 1;
    }
    if kinds.len() < 2 {
        return texts.first().cloned();
    }
    let parts = kinds
        .iter()
        .map(|(kind, count)| format!("{kind} on {count}"));
    let all = parts.collect::<Vec<_>>().join(", ");
    Some(format!("{all} of {} processors", texts.len()))
}

const SUPPLIES: &str = "/sys/class/power_supply";

/// Runs on battery if there is one and no other supply is in use.
pub(super) fn battery(observed: &Observations) -> Known<Assessment> {
    let tree = &observed.tree;
    let (mut batteries, mut plugged) = (Vec::new(), false);
    for name in tree.names(SUPPLIES)? {
        let path = format!("{SUPPLIES}/{name}");
        let of = |file: &str| tree.read(&format!("{path}/{file}")).unwrap_or_default();
        match of("type").as_str() {
            // The battery of a device, such as a mouse, does not matter.
            "Battery" if of("scope") != "Device" => batteries.push(of("capacity")),
            "Mains" | "USB" | "Wireless" if of("online") == "1" => plugged = true,
            _ => {}
        }
    }
    Ok(match batteries.first() {
        None => Assessment::fine("none: the machine runs on mains"),
        Some(_) if plugged => Assessment::fine("on mains"),
        Some(capacity) => {
            let left = match capacity.as_str() {
                "" => String::new(),
                capacity => format!(", {capacity} % left"),
            };
            let found = format!("the machine runs on its battery{left}, and saves power");
            Assessment::matters(found, Trouble::Battery.remedy())
        }
    })
}

/// The processors' counters: since the start, and while this ran.
pub(super) fn heat(observed: &Observations) -> Known<Assessment> {
    let later = observed.later.heat.clone()?;
    let now = later.saturating_sub(observed.earlier.heat.clone()?);
    Ok(if now > 0 {
        Assessment::matters(
            format!("throttled because of heat {now} times while this ran"),
            Trouble::Heat.remedy(),
        )
    } else if later > 0 {
        Assessment::note(
            format!("throttled because of heat {later} times since the start, not now"),
            "watch this number; long runs may be throttled again",
        )
    } else {
        Assessment::fine("never throttled because of heat")
    })
}
