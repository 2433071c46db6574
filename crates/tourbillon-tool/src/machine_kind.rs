//! Which runs are of one kind of machine.

use serde::{Deserialize, Serialize};
use tourbillon_record::{FactValue, Header};

use crate::sha256::sha256;

/// The fact with the caches.
const CACHES: &str = "caches";

/// The kind of a machine: processor, numbers of cores, caches and hypervisor. Times of two kinds are never
/// compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Machine {
    /// Twelve hexadecimal digits; the same for machines of one kind.
    pub key: String,
    /// For readers: the processor, and the hypervisor if there is one.
    pub name: String,
}

impl Machine {
    /// Facts that make a machine: none of them changes while it runs, or when it is restarted, and none names the
    /// machine itself.
    pub const FACTS: [&str; 6] = [
        "arch",
        "cpu_model",
        "cores_physical",
        "cores_logical",
        "hypervisor",
        CACHES,
    ];

    /// The machine of a run.
    pub fn of(header: &Header) -> Machine {
        let fact = |name: &str| {
            let fact = header.fact(name);
            fact.map_or_else(String::new, text)
        };
        let facts = Machine::FACTS.map(|name| {
            let value = match name {
                CACHES => sizes(&fact(name)),
                _ => fact(name),
            };
            format!("{name}={value}\n")
        });
        // Ticks of the processor's counter or of the kernel's clock: figures have another resolution.
        let clock = &header.clock.source;
        let mut kind = format!("{}clock={clock}\n", facts.concat());
        // The usual kind of core has the key of machines whose cores are alike.
        let cores = header.settings.core_kinds.as_deref().unwrap_or_default();
        let cores = cores.join(" and ");
        let on = match cores.as_str() {
            "" | "performance" => String::new(),
            other => format!(", {other} cores"),
        };
        kind += &on;
        let hypervisor = match fact("hypervisor").as_str() {
            "" | "false" => String::new(),
            "true" => ", virtual".to_owned(),
            hypervisor => format!(", {hypervisor}"),
        };
        let model = match fact("cpu_model") {
            model if model.is_empty() => "unknown processor".to_owned(),
            model => model,
        };
        Machine {
            key: sha256(kind)[..12].to_owned(),
            name: format!("{model}{hypervisor}{on}"),
        }
    }
}

/// A fact as text; empty if it is not known.
fn text(value: &FactValue) -> String {
    match value {
        FactValue::Text(text) => text.clone(),
        FactValue::Integer(whole) => whole.to_string(),
        FactValue::Flag(flag) => flag.to_string(),
        FactValue::List(texts) => texts.join(","),
        FactValue::Absent(_) => String::new(),
    }
}

/// Caches without the processors that share them, which a container may number in another way.
fn sizes(caches: &str) -> String {
    let mut depth = 0;
    let kept = caches.chars().filter(|letter| {
        depth += i32::from(*letter == '(');
        let is_kept = depth == 0;
        depth -= i32::from(*letter == ')');
        is_kept
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Fact;

    use super::*;

    fn machine(facts: &[(&str, FactValue)]) -> Machine {
        let fact = |(name, value): &(&str, FactValue)| Fact {
            name: (*name).to_owned(),
            value: value.clone(),
        };
        Machine::of(&Header {
            facts: facts.iter().map(fact).collect(),
            ..Header::default()
        })
    }

    #[test]
    fn a_machine_is_known_by_its_hardware() {
        let text = |text: &str| FactValue::Text(text.to_owned());
        let list = |text: &str| FactValue::List(vec![text.to_owned()]);
        let base = [
            ("cpu_model", text("Example 9000")),
            ("cores_logical", FactValue::Integer(8)),
            ("caches", list("L2 1 MiB (shared by 0,4)")),
            ("hypervisor", text("kvm")),
        ];
        let own = machine(&base);
        assert_eq!(own.name, "Example 9000, kvm");
        assert_eq!(own.key.len(), 12);
        let with = |name: &str, value: FactValue| {
            let mut facts = base.to_vec();
            match facts.iter_mut().find(|(other, _)| *other == name) {
                Some(fact) => fact.1 = value,
                None => facts.push(("load", value)),
            }
            machine(&facts)
        };
        // What changes from run to run.
        assert_eq!(with("load", text("3.1")), own);
        assert_eq!(with("caches", list("L2 1 MiB (shared by 1,5)")), own);
        // What makes another machine.
        for (name, value) in [
            ("cpu_model", text("Example 9001")),
            ("cores_logical", FactValue::Integer(16)),
            ("caches", list("L2 2 MiB (shared by 0,4)")),
            ("hypervisor", FactValue::Flag(false)),
        ] {
            assert_ne!(with(name, value).key, own.key, "{name}");
        }
    }

    #[test]
    fn another_kind_of_core_is_another_machine() {
        let on = |kind: &str| {
            let mut header = Header::default();
            header.settings.core_kinds = Some(vec![kind.to_owned()]);
            Machine::of(&header)
        };
        assert_eq!(on("performance"), machine(&[]));
        assert_ne!(on("efficiency").key, machine(&[]).key);
        assert_eq!(on("efficiency").name, "unknown processor, efficiency cores");
    }
}
