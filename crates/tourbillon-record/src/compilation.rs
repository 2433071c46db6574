//! How two programs were compiled, by the facts in their headers.

use std::fmt;

use crate::{Fact, FactValue, Header};

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

/// Facts about what a program runs on that is no part of it: the same program takes another time with others.
const BELOW: [&str; 2] = ["libc", "microcode"];

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

impl fmt::Display for CompiledOtherwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CompiledOtherwise { fact, then, now } = self;
        write!(f, "{fact} {then}, now {now}")
    }
}

/// The facts of how a program was compiled that are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compilation {
    facts: Vec<Fact>,
}

impl Compilation {
    /// Those of these facts that are about the compilation.
    #[must_use]
    pub fn of(facts: &[Fact]) -> Compilation {
        Compilation::among(facts, &[&FACTS])
    }

    /// Those of these facts that are about the compilation, and about the C library and the microcode, which change on
    /// a machine over time.
    #[must_use]
    pub fn over_time(facts: &[Fact]) -> Compilation {
        Compilation::among(facts, &[&FACTS, &BELOW])
    }

    fn among(facts: &[Fact], names: &[&[&str]]) -> Compilation {
        let is_known = |fact: &&Fact| {
            let is_named = names.iter().any(|names| names.contains(&&*fact.name));
            is_named && !matches!(fact.value, FactValue::Absent(_))
        };
        Compilation {
            facts: facts.iter().filter(is_known).cloned().collect(),
        }
    }

    /// All of them.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    fn value(&self, name: &str) -> Option<&FactValue> {
        let fact = self.facts.iter().find(|fact| fact.name == name)?;
        Some(&fact.value)
    }

    /// What differs from how another program was compiled. Facts that one of them does not know are no difference.
    #[must_use]
    pub fn otherwise(&self, then: &Compilation) -> Vec<CompiledOtherwise> {
        let differences = FACTS.iter().chain(&BELOW).filter_map(|name| {
            let [then, now] = shown(then.value(name)?, self.value(name)?)?;
            Some(CompiledOtherwise {
                fact: name,
                then,
                now,
            })
        });
        differences.collect()
    }

    /// Adds the facts of a program that was compiled equally, as far as they were not known.
    pub fn learn(&mut self, other: &Compilation) {
        for fact in &other.facts {
            if self.value(&fact.name).is_none() {
                self.facts.push(fact.clone());
            }
        }
    }
}

impl Header {
    /// What differs from how another program was compiled, as [`Compilation::otherwise`] has it.
    #[must_use]
    pub fn compiled_otherwise(&self, then: &Header) -> Vec<CompiledOtherwise> {
        let [then, now] = [then, self].map(|header| Compilation::of(&header.facts));
        now.otherwise(&then)
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
        let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "opt_level 3, now 1",
                "debug_assertions off, now on",
                "features simd, now none"
            ]
        );
        assert_eq!(now.compiled_otherwise(&now), []);
    }

    #[test]
    fn what_is_learned_is_compared() {
        let of = |facts: &[(&str, &str)]| {
            let facts = facts
                .iter()
                .map(|(name, text)| (*name, FactValue::Text((*text).to_owned())));
            Compilation::of(&header(&facts.collect::<Vec<_>>()).facts)
        };
        let (mut old, new) = (
            of(&[("lto", "off")]),
            of(&[("opt_level", "3"), ("lto", "fat")]),
        );
        let plain = of(&[("opt_level", "2"), ("lto", "off")]);
        assert_eq!((old.facts().len(), new.otherwise(&old).len()), (1, 1));
        old.learn(&plain);
        assert_eq!(new.otherwise(&old).len(), 2);
        assert_eq!(plain.otherwise(&old), []);
    }
}
