//! What the record of a comparison tells of the builds and of the machine.

use tourbillon_builds::Build;
use tourbillon_coordinator::platform::machine_name::{VARIABLE, named};
use tourbillon_record::{Fact, FactValue, Header, Run};
use tourbillon_tool::machine_facts::{machine, name_until_restart};
use tourbillon_tool::machine_kind::Machine;

use crate::pairing::Comparison;
use crate::pairing::listing::header_of;

/// The name of the machine. That of a comparison is one that no other machine has, also in containers, until the machine is
/// started again: a machine counts once.
pub(crate) use tourbillon_coordinator::platform::machine_name::MACHINE;

/// Facts of a build: its commit, if that describes it, its flags and its toolchain.
pub(crate) const REFERENCE: [&str; 3] =
    ["reference_commit", "reference_flags", "reference_toolchain"];
pub(crate) const CANDIDATE: [&str; 3] =
    ["candidate_commit", "candidate_flags", "candidate_toolchain"];
/// The names of the folders of both builds in the cache.
const KEPT: [&str; 2] = ["reference_build", "candidate_build"];

/// Why cases are measured that have the same code in both builds.
pub const MEASURED_WHY: &str = "measured_why";

/// Why each case is measured whose program differs: identities, and the reasons after them.
const CASES_MEASURED_WHY: &str = "cases_measured_why";
const BECAUSE: &str = " is measured: ";

/// Why a case was measured, where its program differs between the builds of a comparison: what it reaches that does.
pub fn case_measured_why<'r>(run: &'r Run, case: &str) -> Option<&'r str> {
    let Some(FactValue::List(all)) = run.header.fact(CASES_MEASURED_WHY) else {
        return None;
    };
    let mut own = all.iter().filter_map(|text| text.strip_prefix(case));
    own.find_map(|rest| rest.strip_prefix(BECAUSE))
}

/// What was compared: of either side its commit, its flags and its toolchain, and where no commit describes its files,
/// its executables.
pub(crate) fn built(header: &Header) -> Vec<Option<&str>> {
    let text = |name: &str| header.fact_text(name);
    let mut built = Vec::new();
    for ([commit, flags, toolchain], kept) in [(REFERENCE, KEPT[0]), (CANDIDATE, KEPT[1])] {
        let files = text(commit).or_else(|| text(kept));
        built.extend([files, text(flags), text(toolchain)]);
    }
    built
}

/// Whether a record is that of a comparison, which names both of its builds.
pub fn is_comparison(run: &Run) -> bool {
    let mut builds = ["reference", "candidate"].iter();
    builds.all(|build| run.header.fact(build).is_some())
}

/// The builds of a comparison as its record has them, the reference first: the name that each had, its folder in the
/// cache, and its commit if it was built from one.
pub fn kept_builds(run: &Run) -> [KeptBuild<'_>; 2] {
    let text = |name: &str| run.header.fact_text(name);
    let builds = [
        ("reference", KEPT[0], REFERENCE[0]),
        ("candidate", KEPT[1], CANDIDATE[0]),
    ];
    builds.map(|(label, key, commit)| KeptBuild {
        label: text(label).unwrap_or_default(),
        key: text(key),
        commit: text(commit),
    })
}

/// A build that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptBuild<'r> {
    /// The name that is shown.
    pub label: &'r str,
    /// The name of its folder in the cache.
    pub key: Option<&'r str>,
    /// The commit whose files it has.
    pub commit: Option<&'r str>,
}

/// All facts.
pub(crate) fn of(comparison: &Comparison) -> Vec<Fact> {
    let (old, new) = (&comparison.old, &comparison.new);
    let mut facts = vec![fact("reference", &old.label), fact("candidate", &new.label)];
    for ([commit, flags, toolchain], build) in [(REFERENCE, old), (CANDIDATE, new)] {
        facts.push(Fact {
            name: commit.to_owned(),
            value: described(build),
        });
        facts.push(fact(flags, &build.flags));
        facts.push(fact(toolchain, &build.toolchain));
    }
    for (name, build) in KEPT.iter().zip(comparison.builds()) {
        facts.extend(build.key().map(|key| fact(name, key)));
    }
    facts.extend(comparison.doubts().map(|why| fact(MEASURED_WHY, &why)));
    let reasons = Vec::from_iter(
        comparison
            .differences()
            .map(|(case, why)| format!("{case}{BECAUSE}{why}")),
    );
    if !reasons.is_empty() {
        facts.push(Fact {
            name: CASES_MEASURED_WHY.to_owned(),
            value: FactValue::List(reasons),
        });
    }
    let seen = of_executable(comparison);
    let is_seen = |fact: &Fact| seen.iter().any(|one| one.name == fact.name);
    facts.extend(machine().into_iter().filter(|fact| !is_seen(fact)));
    facts.extend(seen);
    let name = named().map_or_else(name_until_restart, Ok);
    facts.push(Fact {
        name: MACHINE.to_owned(),
        value: name.map_or_else(
            |why| FactValue::Absent(format!("{why}; {VARIABLE} names it")),
            FactValue::Text,
        ),
    });
    facts
}

/// What makes the kind of the machine, as records of runs have it.
fn of_executable(comparison: &Comparison) -> Vec<Fact> {
    let new = &comparison.new;
    let first = comparison.pairs.first();
    let header = first.and_then(|[_, at]| header_of(new, &new.executables[*at]));
    let facts = header.into_iter().flat_map(|header| header.facts);
    facts
        .filter(|fact| Machine::FACTS.contains(&fact.name.as_str()))
        .collect()
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
