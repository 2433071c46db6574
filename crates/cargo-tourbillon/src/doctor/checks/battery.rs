//! Where the machine's power comes from.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

const SUPPLIES: &str = "/sys/class/power_supply";

/// On its battery: one is there, and no other supply is in use.
pub(super) fn battery(seen: &Seen) -> Known<Said> {
    let tree = &seen.tree;
    let (mut batteries, mut plugged) = (Vec::new(), false);
    for name in tree.names(SUPPLIES)? {
        let of = |file: &str| {
            tree.read(&format!("{SUPPLIES}/{name}/{file}"))
                .unwrap_or_default()
        };
        match of("type").as_str() {
            // The battery of a mouse is no reason for a slow processor.
            "Battery" if of("scope") != "Device" => batteries.push(of("capacity")),
            "Mains" | "USB" | "Wireless" if of("online") == "1" => plugged = true,
            _ => {}
        }
    }
    Ok(match batteries.first() {
        None => Said::fine("none: the machine runs on mains"),
        Some(_) if plugged => Said::fine("on mains"),
        Some(capacity) => {
            let left = if capacity.is_empty() {
                String::new()
            } else {
                format!(", {capacity} % left")
            };
            Said::matters(
                format!("the machine runs on its battery{left}, and saves power where it can"),
                "plug it in",
            )
        }
    })
}
