//! How two programs were compiled, by the facts in their headers.

use crate::{FactValue, Header};

/// Facts about the compilation.
const FACTS: [&str; 13] = [
    "rustc",
    "target",
    "profile",
    "opt_level",
    "lto",
    "codegen_units",
    "target_cpu",
    "target_features",
    "debug_assertions",
    "panic",
    "features",
    "rustflags",
    "linker",
];

/// A flag for the linker, which may have a path of the build's own folders.
const OF_LINKER: &str = "-Clink-arg";

/// Most letters of a value.
const LONGEST: usize = 200;

/// A fact that two programs do not have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledOtherwise {
    /// The name of the fact.
    pub fact: &'static str,
    /// Its value in the earlier program; of a list, what only that has.
    pub then: String,
    /// That in the other one.
    pub now: String,
}

impl Header {
    /// What differs from how another program was compiled. Facts that one of them does not know are no difference.
    #[must_use]
    pub fn compiled_otherwise(&self, then: &Header) -> Vec<CompiledOtherwise> {
        let differences = FACTS.iter().filter_map(|name| {
            let values = [then, self].map(|header| header.fact(name));
            let [Some(then), Some(now)] = values else {
                return None;
            };
            let [then, now] = shown(then, now)?;
            Some(CompiledOtherwise {
                fact: name,
                then,
                now,
            })
        });
        differences.collect()
    }
}

/// Two values that differ, as text; of lists, what only one of them has.
fn shown(then: &FactValue, now: &FactValue) -> Option<[String; 2]> {
    let text = |value: &FactValue| match value {
        FactValue::Text(text) => Some(text.clone()),
        FactValue::Integer(whole) => Some(whole.to_string()),
        FactValue::Flag(flag) => Some(if *flag { "on" } else { "off" }.to_owned()),
        FactValue::List(_) | FactValue::Absent(_) => None,
    };
    let pair = match (then, now) {
        (FactValue::List(then), FactValue::List(now)) => [only(then, now), only(now, then)],
        _ => [text(then)?, text(now)?],
    };
    (pair[0] != pair[1]).then(|| pair.map(first_letters))
}

/// The beginning of a text, which programs of others may have written.
fn first_letters(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What one list has and the other has not.
fn only(one: &[String], other: &[String]) -> String {
    let is_path = |text: &str| text.starts_with(OF_LINKER) && text.contains(['/', '\\']);
    let own = one
        .iter()
        .filter(|text| !other.contains(text) && !is_path(text));
    let own: Vec<&str> = own.map(String::as_str).collect();
    if own.is_empty() {
        "none".to_owned()
    } else {
        own.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fact;

    fn header(facts: &[(&str, FactValue)]) -> Header {
        let fact = |(name, value): &(&str, FactValue)| Fact {
            name: (*name).to_owned(),
            value: value.clone(),
        };
        Header {
            facts: facts.iter().map(fact).collect(),
            ..Header::default()
        }
    }

    #[test]
    fn known_facts_of_the_compilation_are_compared() {
        let text = |text: &str| FactValue::Text(text.to_owned());
        let list =
            |texts: &[&str]| FactValue::List(texts.iter().map(|text| (*text).to_owned()).collect());
        let then = header(&[
            ("opt_level", text("3")),
            ("lto", text("off")),
            ("rustc", FactValue::Absent("unsigned".to_owned())),
            ("cpu_model", text("a")),
            ("features", list(&["simd", "std"])),
            ("rustflags", list(&["-Clink-arg=/one/x.a"])),
            ("debug_assertions", FactValue::Flag(false)),
        ]);
        let now = header(&[
            ("opt_level", text("1")),
            ("lto", text("off")),
            ("rustc", text("rustc 1")),
            ("cpu_model", text("b")),
            ("features", list(&["std"])),
            ("rustflags", list(&["-Clink-arg=/other/x.a"])),
            ("debug_assertions", FactValue::Flag(true)),
        ]);
        let found = now.compiled_otherwise(&then);
        let shown: Vec<String> = found
            .iter()
            .map(|one| format!("{} {} {}", one.fact, one.then, one.now))
            .collect();
        assert_eq!(
            shown,
            [
                "opt_level 3 1",
                "debug_assertions off on",
                "features simd none"
            ]
        );
        assert_eq!(now.compiled_otherwise(&now), []);
    }
}
