//! What is known about the platform, as short phrases by topic.

use tourbillon_record::{Fact, FactValue};

use crate::pieces::Pieces;
use crate::text::{Text, same};
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
    ("cpu_quota", 0, "quota ", ""),
    ("caches", 0, "", ""),
    ("memory_bytes", 0, "", " memory"),
    ("hypervisor", 0, "hypervisor ", ""),
    ("governor", 0, "governor ", ""),
    ("boost", 0, "", ""),
    ("power_profile", 0, "power profile ", ""),
    ("os", 1, "", ""),
    ("kernel", 1, "kernel ", ""),
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

/// Adds the facts of one topic, given by its place in [`TOPICS`], in a few words each.
pub(crate) fn add_topic(text: &mut Text, facts: &[Fact], topic: usize) {
    for fact in facts {
        let (its_topic, before, after) = phrase(&fact.name);
        if its_topic != topic || is_alarm(&fact.name) {
            continue;
        }
        match &fact.value {
            FactValue::Absent(_) => continue,
            FactValue::Flag(on) => {
                text.item().say(if *on { "" } else { "no " });
                say_name(text, &fact.name);
                continue;
            }
            _ => text.item(),
        };
        match before {
            None => {
                say_name(text, &fact.name);
                text.say(" ");
            }
            // "rustc 1.95.0" is not to become "rustc rustc 1.95.0".
            Some(before) => match &fact.value {
                FactValue::Text(value) if value.as_bytes().starts_with(before.as_bytes()) => {}
                _ => {
                    text.say(before);
                }
            },
        }
        say_value(text, fact);
        text.say(after);
    }
}

/// The topic of a fact, and what stands before and after its value: before one without a topic of
/// its own, `None` for its name.
fn phrase(name: &str) -> (usize, Option<&'static str>, &'static str) {
    for (fact, topic, before, after) in PHRASES {
        if same(fact, name) {
            return (*topic, Some(before), after);
        }
    }
    (TOPICS.len() - 1, None, "")
}

fn say_value(text: &mut Text, fact: &Fact) {
    match &fact.value {
        FactValue::Text(value) => {
            text.safe(value);
        }
        FactValue::Integer(bytes) if fact.name.as_bytes().ends_with(b"_bytes") => {
            text.decimal(*bytes as f64 / 1_073_741_824.0, 1).say(" GiB");
        }
        FactValue::Integer(n) => {
            text.number(*n);
        }
        FactValue::List(values) => {
            if values.is_empty() {
                text.say("none");
            }
            let mut between = "";
            for value in values {
                text.say(between).safe(value);
                between = ", ";
            }
        }
        FactValue::Flag(_) | FactValue::Absent(_) => {}
    }
}

/// Adds the facts that could not be had, those with one reason together:
/// `linker (no way to ask)`.
pub(crate) fn add_absent(text: &mut Text, facts: &[Fact]) {
    for fact in facts {
        if let FactValue::Absent(why) = &fact.value {
            add_reason(text, facts, fact, why);
        }
    }
}

/// Adds the facts with a reason, if this fact is the first of them.
#[inline(never)]
fn add_reason(text: &mut Text, facts: &[Fact], first: &Fact, why: &str) {
    let mut told = false;
    for fact in facts {
        if !is_absent(fact, why) {
            continue;
        }
        if !told && !std::ptr::eq(fact, first) {
            return;
        }
        say_name(if told { text.say(", ") } else { text.item() }, &fact.name);
        told = true;
    }
    if !why.is_empty() {
        text.say(" (").safe(why).say(")");
    }
}

/// Whether a fact could not be had for this reason.
#[inline(never)]
fn is_absent(fact: &Fact, why: &str) -> bool {
    matches!(&fact.value, FactValue::Absent(own) if own == why)
}

/// A fact's name in words.
fn say_name(text: &mut Text, name: &str) {
    let mut space = "";
    for word in Pieces::divided(name, b'_') {
        text.say(space).safe(word);
        space = " ";
    }
}
