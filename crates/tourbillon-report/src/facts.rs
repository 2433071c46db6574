//! Facts about the platform: as short phrases by topic, and as warnings about what makes figures worse.

use std::collections::HashMap;

use tourbillon_present::Style;
use tourbillon_present::advice::{System, Trouble};
use tourbillon_record::{Fact, FactValue, Header};

/// Topics in the order of their lines, with the leads of these.
pub(crate) const TOPICS: [&str; 4] = ["cpu ", "os ", "build ", "also "];

/// Facts that have a topic, by its place in [`TOPICS`], and the words before and after the value.
/// Others are shown with their name and value, under the last topic.
const PHRASES: &[(&str, usize, &str, &str)] = &[
    ("cpu_vendor", 0, "", ""),
    ("cpu_model", 0, "", ""),
    ("cpu_family", 0, "family ", ""),
    ("cpu_model_number", 0, "model ", ""),
    ("cpu_stepping", 0, "stepping ", ""),
    ("microcode", 0, "microcode ", ""),
    ("cores_logical", 0, "", " logical cores"),
    ("cores_physical", 0, "", " physical"),
    ("cores_performance", 0, "", " performance cores"),
    ("cores_middle", 0, "", " middle cores"),
    ("cores_efficiency", 0, "", " efficiency cores"),
    ("cores_low_power", 0, "", " low-power cores"),
    ("cores_allowed", 0, "", " allowed"),
    ("cores_allocated", 0, "", " allowed"),
    ("cpu_quota", 0, "quota ", ""),
    ("caches", 0, "", ""),
    ("memory_bytes", 0, "", " memory"),
    ("hypervisor", 0, "hypervisor ", ""),
    ("machine", 0, "machine ", ""),
    ("emulator", 0, "emulator ", ""),
    ("governor", 0, "governor ", ""),
    ("boost", 0, "", ""),
    ("power_profile", 0, "power profile ", ""),
    ("power_plan", 0, "power plan ", ""),
    ("os", 1, "", ""),
    ("kernel", 1, "kernel ", ""),
    ("libc", 1, "", ""),
    ("arch", 1, "", ""),
    ("aslr", 1, "", ""),
    ("clock_source", 1, "its clock ", ""),
    ("load", 1, "load ", ""),
    ("steal", 1, "steal ", ""),
    ("rustc", 2, "rustc ", ""),
    ("target", 2, "", ""),
    ("target_cpu", 2, "target-cpu ", ""),
    ("target_features", 2, "cpu features ", ""),
    ("profile", 2, "profile ", ""),
    ("opt_level", 2, "opt-level ", ""),
    ("debug_assertions", 2, "", ""),
    ("rustflags", 2, "flags ", ""),
    ("lto", 2, "lto ", ""),
    ("codegen_units", 2, "codegen-units ", ""),
    ("panic", 2, "panic=", ""),
    ("allocator", 2, "allocator ", ""),
    ("features", 2, "features ", ""),
    ("linker", 2, "linker ", ""),
    ("revision", 2, "revision ", ""),
    ("dirty", 2, "", ""),
];

/// Facts that are a warning when they are true, and not mentioned when they are not.
fn is_alarm(fact: &str) -> bool {
    matches!(
        fact,
        "debug_assertions" | "debugger" | "battery" | "low_power_mode"
    )
}

/// The facts of one topic, given by its place in [`TOPICS`], in a few words each.
pub(crate) fn of_topic(facts: &[Fact], topic: usize, style: &Style) -> Vec<String> {
    let phrases = facts.iter().filter(|fact| !is_alarm(&fact.name));
    phrases
        .filter_map(|fact| phrase(fact, topic, style))
        .collect()
}

fn phrase(fact: &Fact, topic: usize, style: &Style) -> Option<String> {
    let known = PHRASES.iter().find(|phrase| phrase.0 == fact.name);
    if known.map_or(TOPICS.len() - 1, |phrase| phrase.1) != topic {
        return None;
    }
    let name = in_words(&fact.name, style);
    let value = match &fact.value {
        FactValue::Absent(_) => return None,
        FactValue::Flag(true) => return Some(name),
        FactValue::Flag(false) => return Some(format!("no {name}")),
        FactValue::Text(value) => style.safe(value),
        FactValue::Integer(bytes) if fact.name.ends_with("_bytes") => {
            tourbillon_present::bytes(*bytes as f64)
        }
        FactValue::Integer(n) => n.to_string(),
        FactValue::List(values) if values.is_empty() => "none".to_owned(),
        FactValue::List(values) => style.safe(&values.join(", ")),
    };
    Some(match known {
        None => format!("{name} {value}"),
        // "rustc 1.95.0" is not to become "rustc rustc 1.95.0".
        Some((_, _, before, after)) => {
            let before = if value.starts_with(before) {
                ""
            } else {
                before
            };
            format!("{before}{value}{after}")
        }
    })
}

/// The facts that are not known, those with one reason together: `linker (no way to ask)`.
pub(crate) fn absent(facts: &[Fact], style: &Style) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    let mut known = HashMap::new();
    for fact in facts {
        let FactValue::Absent(why) = &fact.value else {
            continue;
        };
        let name = in_words(&fact.name, style);
        let at = *known.entry(why.as_str()).or_insert(reasons.len());
        if at == reasons.len() {
            reasons.push((why, Vec::new()));
        }
        reasons[at].1.push(name);
    }
    let with_reason = |(why, names): (&str, Vec<String>)| match why {
        "" => names.join(", "),
        why => format!("{} ({})", names.join(", "), style.safe(why)),
    };
    reasons.into_iter().map(with_reason).collect()
}

/// A fact's name in words.
fn in_words(name: &str, style: &Style) -> String {
    style.safe(&name.replace('_', " "))
}

/// The text of a fact; empty where there is none.
pub(crate) fn text<'h>(header: &'h Header, name: &str) -> &'h str {
    header.fact_text(name).unwrap_or_default()
}

/// The system on which a run was measured.
fn system_of(header: &Header) -> System {
    match text(header, "kernel").split(' ').next() {
        Some("NT") => System::Windows,
        Some("Darwin") => System::MacOs,
        _ => System::Linux,
    }
}

/// The warnings that the facts of a header give reason for, the most serious first; with `all`, those
/// too that call for no action.
pub(crate) fn warnings(header: &Header, style: &Style, all: bool) -> Vec<String> {
    let is = |name, on| header.fact(name) == Some(&FactValue::Flag(on));
    let text = |name| style.safe(text(header, name));
    let system = system_of(header);
    let mut found = Vec::new();
    let mut add = |trouble: Trouble, detail: &str| found.push(trouble.text(detail));
    let (level, profile) = (text("opt_level"), text("profile"));
    if is("debug_assertions", true) || matches!(&*profile, "debug" | "dev") {
        add(Trouble::DebugBuild, "");
    } else if matches!(&*level, "0" | "1") {
        add(Trouble::HardlyOptimised, &level);
    }
    match text("debugger") {
        none if none.is_empty() && is("debugger", true) => add(Trouble::Debugger, ""),
        none if none.is_empty() => {}
        name => add(Trouble::Debugger, &format!(" ({name})")),
    }
    if is("aslr", false) {
        add(Trouble::FixedAddresses(system), "");
    }
    for (trouble, fact) in [
        (Trouble::Emulator, "emulator"),
        (Trouble::Quota, "cpu_quota"),
        (Trouble::Governor, "governor"),
        (Trouble::PowerProfile, "power_profile"),
        (Trouble::PowerPlan, "power_plan"),
        (Trouble::ClockSource, "clock_source"),
    ] {
        let value = text(fact);
        let is_fine = match trouble {
            Trouble::Governor => value == "performance",
            Trouble::PowerPlan => value != "power saver",
            _ => false,
        };
        if !value.is_empty() && !is_fine {
            add(trouble, &value);
        }
    }
    let kinds = header.settings.core_kinds.as_ref();
    let is_mixed = kinds.is_some_and(|kinds| kinds.len() > 1);
    if let Some(FactValue::Integer(slow)) = header.fact("cores_efficiency")
        && (header.settings.cpus.is_empty() || is_mixed)
    {
        add(Trouble::CoreKinds(system), &slow.to_string());
    }
    if is("low_power_mode", true) {
        add(Trouble::LowPowerMode, "");
    }
    if is("battery", true) {
        add(Trouble::Battery, "");
    }
    let hypervisor = text("hypervisor");
    if all && !hypervisor.is_empty() {
        add(Trouble::VirtualMachine, &hypervisor);
    }
    found
}
