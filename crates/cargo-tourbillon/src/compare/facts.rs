//! What the record of a comparison tells of the builds and of the machine.

use std::env;

use tourbillon_builds::Build;
use tourbillon_record::{Fact, FactValue};

use crate::machine_facts::{machine, machine_name};

/// Facts of a build: its commit, if that describes it, its flags and its toolchain.
pub(crate) const REFERENCE: [&str; 3] =
    ["reference_commit", "reference_flags", "reference_toolchain"];
pub(crate) const CANDIDATE: [&str; 3] =
    ["candidate_commit", "candidate_flags", "candidate_toolchain"];
/// The name of the machine: the same for all records that one machine writes until it is started again.
pub(crate) const MACHINE: &str = "machine";

/// The variable that names the machine.
const VARIABLE: &str = "TOURBILLON_MACHINE";

/// All facts.
pub(super) fn of(old: &Build, new: &Build) -> Vec<Fact> {
    let mut facts = vec![fact("reference", &old.label), fact("candidate", &new.label)];
    for ([commit, flags, toolchain], build) in [(REFERENCE, old), (CANDIDATE, new)] {
        facts.push(Fact {
            name: commit.to_owned(),
            value: described(build),
        });
        facts.push(fact(flags, &build.flags));
        facts.push(fact(toolchain, &build.toolchain));
    }
    facts.extend(machine());
    let named = env::var(VARIABLE).ok().filter(|name| !name.is_empty());
    let name = named.map_or_else(machine_name, Ok);
    facts.push(Fact {
        name: MACHINE.to_owned(),
        value: name.map_or_else(
            |why| FactValue::Absent(format!("{why}; {VARIABLE} names it")),
            FactValue::Text,
        ),
    });
    facts
}

fn fact(name: &str, value: &str) -> Fact {
    Fact {
        name: name.to_owned(),
        value: FactValue::Text(value.to_owned()),
    }
}

/// The commit of a build, if its files are those of the commit.
fn described(build: &Build) -> FactValue {
    match (&build.commit, build.dirty) {
        (Some(commit), false) => FactValue::Text(commit.clone()),
        (Some(_), true) => FactValue::Absent("the files differ from the commit".to_owned()),
        (None, _) => FactValue::Absent("it was not built from a commit".to_owned()),
    }
}
