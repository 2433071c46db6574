//! What is known about the platform, as short phrases by topic.

use tourbillon_record::{Fact, FactValue};

use crate::Style;
use crate::escape::Safe;
use crate::fill::Items;
use crate::number::append;
use crate::warning::is_alarm;

/// Topics in the order of their lines, with the leads of these.
pub(crate) const TOPICS: [&str; 4] = ["cpu ", "os ", "build ", "also "];

/// Facts that have a topic, by its place in [`TOPICS`], and what stands before and after the value.
/// Others are put as their name and value, under the last topic.
const PHRASES: &[(&str, usize, &str, &str)] = &[
    ("cpu_vendor", 0, "", ""),
    ("cpu_model", 0, "", ""),
    ("cpu_family", 0, "family ", ""),
    ("cpu_model_number", 0, "model ", ""),
    ("cpu_stepping", 0, "stepping ", ""),
    ("cores_logical", 0, "", " logical cores"),
    ("cores_physical", 0, "", " physical"),
    ("cores_allowed", 0, "", " allowed"),
    ("cores_allocated", 0, "", " allowed"),
    ("caches", 0, "", ""),
    ("memory_bytes", 0, "", " memory"),
    ("hypervisor", 0, "hypervisor ", ""),
    ("governor", 0, "governor ", ""),
    ("boost", 0, "", ""),
    ("os", 1, "", ""),
    ("kernel", 1, "kernel ", ""),
    ("arch", 1, "", ""),
    ("aslr", 1, "", ""),
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
    ("panic", 2, "panic=", ""),
    ("allocator", 2, "allocator ", ""),
    ("features", 2, "features ", ""),
    ("linker", 2, "linker ", ""),
    ("revision", 2, "revision ", ""),
    ("dirty", 2, "", ""),
];

/// Adds the facts of one topic, given by its place in [`TOPICS`], in a few words each.
pub(crate) fn add_topic(items: &mut Items, facts: &[Fact], topic: usize, style: &Style) {
    for fact in facts {
        let phrase = PHRASES.iter().find(|phrase| phrase.0 == fact.name);
        if phrase.map_or(TOPICS.len() - 1, |phrase| phrase.1) != topic {
            continue;
        }
        let Some(value) = value(fact, style) else {
            continue;
        };
        let name = plain_name(&fact.name, style);
        match (&fact.value, phrase) {
            // "rustc 1.95.0" is not to become "rustc rustc 1.95.0".
            (FactValue::Text(_) | FactValue::Integer(_) | FactValue::List(_), Some(phrase)) => {
                let before = if value.starts_with(phrase.2) {
                    ""
                } else {
                    phrase.2
                };
                items.add(format_args!("{before}{value}{}", phrase.3));
            }
            (FactValue::Flag(_), _) => items.add(format_args!("{value}{name}")),
            _ => items.add(format_args!("{name} {value}")),
        }
    }
}

/// The value, escaped; `None` for what is absent, or told by a warning if at all. Of a flag that is
/// off, what stands before its name.
fn value(fact: &Fact, style: &Style) -> Option<String> {
    let mut text = String::new();
    match &fact.value {
        _ if is_alarm(&fact.name) => return None,
        FactValue::Text(value) => append(&mut text, format_args!("{}", Safe(value, style.unicode))),
        FactValue::Integer(bytes) if fact.name.ends_with("_bytes") => {
            append(
                &mut text,
                format_args!("{:.1} GiB", *bytes as f64 / 1_073_741_824.0),
            );
        }
        FactValue::Integer(n) => append(&mut text, format_args!("{n}")),
        FactValue::List(values) if values.is_empty() => text.push_str("none"),
        FactValue::List(values) => {
            for (i, value) in values.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                append(
                    &mut text,
                    format_args!("{comma}{}", Safe(value, style.unicode)),
                );
            }
        }
        FactValue::Flag(true) => {}
        FactValue::Flag(false) => text.push_str("no "),
        FactValue::Absent(_) => return None,
    }
    Some(text)
}

/// Adds the facts that could not be had, those with one reason together:
/// `linker (no way to ask)`.
pub(crate) fn add_absent(items: &mut Items, facts: &[Fact], style: &Style) {
    for (i, fact) in facts.iter().enumerate() {
        let FactValue::Absent(why) = &fact.value else {
            continue;
        };
        if facts[..i].iter().any(|earlier| earlier.value == fact.value) {
            continue;
        }
        items.add(format_args!("{}", plain_name(&fact.name, style)));
        for later in &facts[i + 1..] {
            if later.value == fact.value {
                items.append(format_args!(", {}", plain_name(&later.name, style)));
            }
        }
        if !why.is_empty() {
            items.append(format_args!(" ({})", Safe(why, style.unicode)));
        }
    }
}

fn plain_name(name: &str, style: &Style) -> String {
    let spaced: String = name
        .chars()
        .map(|c| if c == '_' { ' ' } else { c })
        .collect();
    crate::escape(&spaced, style.unicode)
}
