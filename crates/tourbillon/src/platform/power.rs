//! What decides the frequency of the cores.

use std::path::Path;

use tourbillon_record::Fact;

use super::fact;

pub(super) fn facts() -> Vec<Fact> {
    let cpu = Path::new("/sys/devices/system/cpu");
    let hidden = || "hidden, as usual in a virtual machine".to_owned();
    let governor = fact::read(&cpu.join("cpu0/cpufreq/scaling_governor")).map_err(|_| hidden());
    let boost = boost(
        fact::read(&cpu.join("cpufreq/boost")).ok().as_deref(),
        fact::read(&cpu.join("intel_pstate/no_turbo"))
            .ok()
            .as_deref(),
    );
    vec![
        fact::text("governor", governor),
        fact::flag("boost", boost.ok_or_else(hidden)),
        fact::flag("battery", on_battery(Path::new("/sys/class/power_supply"))),
    ]
}

/// Whether cores may run above their nominal frequency; Intel's driver has the question the other
/// way round.
fn boost(boost: Option<&str>, no_turbo: Option<&str>) -> Option<bool> {
    match (boost, no_turbo) {
        (Some("1"), _) | (_, Some("0")) => Some(true),
        (Some("0"), _) | (_, Some("1")) => Some(false),
        _ => None,
    }
}

/// Whether the machine runs on its battery: one is there and none of the other supplies is in use.
fn on_battery(folder: &Path) -> Result<bool, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|_| format!("this system has no {}", folder.display()))?;
    let mut batteries = 0;
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        match fact::read(&path.join("type")).as_deref() {
            // The battery of a mouse is no reason for a slow processor.
            Ok("Battery") if fact::read(&path.join("scope")).as_deref() != Ok("Device") => {
                batteries += 1;
            }
            Ok("Mains" | "USB") if fact::read(&path.join("online")).as_deref() == Ok("1") => {
                return Ok(false);
            }
            _ => {}
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
            ((Some("1"), None), Some(true)),
            ((Some("0"), None), Some(false)),
            ((None, Some("0")), Some(true)),
            ((None, Some("1")), Some(false)),
            ((None, None), None),
            ((Some("?"), None), None),
        ] {
            assert_eq!(boost(answers.0, answers.1), expected, "{answers:?}");
        }
    }
}
