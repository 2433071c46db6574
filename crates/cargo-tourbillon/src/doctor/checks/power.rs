//! Power: the frequency of the cores, the supply, heat.

use crate::doctor::finding::Assessment;
use crate::doctor::moment::Observations;
use crate::doctor::tree::{Known, Tree};

const CPU: &str = "/sys/devices/system/cpu";
/// Drivers for which `powersave` is not the lowest frequency, because the processor chooses it.
const CHOOSES_ITSELF: [&str; 2] = ["intel_pstate", "amd-pstate-epp"];
const TO_PERFORMANCE: &str =
    "`cpupower frequency-set -g performance` as root, until the next start";

/// The policies for choosing frequencies.
pub(super) fn governor(observed: &Observations) -> Known<Assessment> {
    let governors = of_all(&observed.tree, "scaling_governor");
    let Some(found) = together(&governors) else {
        let missing =
            format!("the system shows no {CPU}/cpu*/cpufreq, as in most virtual machines");
        return Err(missing);
    };
    let driver = observed
        .tree
        .read(&format!("{CPU}/cpu0/cpufreq/scaling_driver"));
    let driver = driver.unwrap_or_default();
    let found = if driver.is_empty() {
        found
    } else {
        format!("{found}, driver {driver}")
    };
    if governors
        .iter()
        .all(|(_, governor)| governor == "performance")
    {
        return Ok(Assessment::fine(found));
    }
    let slowest = governors
        .iter()
        .any(|(_, governor)| governor == "powersave")
        && !CHOOSES_ITSELF.contains(&driver.as_str());
    Ok(if slowest {
        Assessment::matters(
            format!("{found}: cores stay at their lowest frequency"),
            TO_PERFORMANCE,
        )
    } else {
        Assessment::note(
            format!("{found}: the frequency follows the load"),
            format!("compare cycles rather than times, or {TO_PERFORMANCE}"),
        )
    })
}

/// Whether cores may exceed their nominal frequency; Intel's driver has the inverse setting.
pub(super) fn turbo(observed: &Observations) -> Known<Assessment> {
    let boost = observed.tree.number(&format!("{CPU}/cpufreq/boost"));
    let no_turbo = observed
        .tree
        .number(&format!("{CPU}/intel_pstate/no_turbo"));
    match (boost, no_turbo) {
        (Ok(1), _) => Ok(boosted("cpufreq/boost")),
        (_, Ok(0)) => Ok(boosted("intel_pstate/no_turbo")),
        (Ok(0), _) | (_, Ok(1)) => Ok(Assessment::fine(
            "off: cores do not exceed their nominal frequency",
        )),
        _ => Err(format!(
            "the system shows neither {CPU}/cpufreq/boost nor intel_pstate/no_turbo there"
        )),
    }
}

fn boosted(file: &str) -> Assessment {
    let off = if file.ends_with("boost") { 0 } else { 1 };
    Assessment::note(
        "on: the frequency depends on heat and on the load of the other cores",
        format!("compare cycles rather than times, or write {off} to {CPU}/{file} as root"),
    )
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
    let low = platform.is_ok_and(|platform| saves(&platform))
        || preferences.iter().any(|(_, preference)| saves(preference));
    Ok(if low {
        Assessment::matters(
            format!("{found}: the machine saves power"),
            "`powerprofilesctl set performance`, or the system's settings",
        )
    } else {
        Assessment::fine(found)
    })
}

/// The text of a file of the frequency driver for each processor that has it.
fn of_all(tree: &Tree, file: &str) -> Vec<(u32, String)> {
    let numbers = tree.processors().into_iter();
    numbers
        .filter_map(|number| {
            let text = tree
                .read(&format!("{CPU}/cpu{number}/cpufreq/{file}"))
                .ok()?;
            Some((number, text))
        })
        .collect()
}

/// `powersave`, or `powersave on 3 of 4 processors, performance on 1`; `None` for nothing.
fn together(texts: &[(u32, String)]) -> Option<String> {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for (_, word) in texts {
        match kinds.iter_mut().find(|(kind, _)| kind == word) {
            Some((_, count)) => *count += 1,
            None => kinds.push((word, 1)),
        }
    }
    match kinds.as_slice() {
        [] => None,
        [(kind, _)] => Some((*kind).to_owned()),
        several => {
            let parts = several
                .iter()
                .map(|(kind, count)| format!("{kind} on {count}"));
            let all = parts.collect::<Vec<_>>().join(", ");
            Some(format!("{all} of {} processors", texts.len()))
        }
    }
}

const SUPPLIES: &str = "/sys/class/power_supply";

/// Runs on battery if there is one and no other supply is in use.
pub(super) fn battery(observed: &Observations) -> Known<Assessment> {
    let tree = &observed.tree;
    let (mut batteries, mut plugged) = (Vec::new(), false);
    for name in tree.names(SUPPLIES)? {
        let of = |file: &str| {
            tree.read(&format!("{SUPPLIES}/{name}/{file}"))
                .unwrap_or_default()
        };
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
            let left = if capacity.is_empty() {
                String::new()
            } else {
                format!(", {capacity} % left")
            };
            Assessment::matters(
                format!("the machine runs on its battery{left}, and saves power"),
                "plug it in",
            )
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
            "let it cool, clean the fans, and switch turbo off",
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
