//! The power supply.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

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
                format!("the machine runs on its battery{left} and saves power"),
                "plug it in",
            )
        }
    })
}
