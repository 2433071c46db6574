//! What makes comparisons on two machines the same.

use tourbillon_record::Header;

use crate::facts;

/// The two commits of a comparison, and how they were built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ComparisonIdentity {
    pub(super) package: String,
    pub(super) target: String,
    reference: Built,
    candidate: Built,
}

/// What makes two builds the same on two machines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Built {
    commit: String,
    flags: String,
    toolchain: String,
}

impl ComparisonIdentity {
    /// That of a run; `None` for other runs than comparisons, and where the builds or the machine have no name.
    pub(super) fn new(header: &Header) -> Option<ComparisonIdentity> {
        let built = |names: [&str; 3]| {
            let [commit, flags, toolchain] = names.map(|name| header.fact_text(name));
            Some(Built {
                commit: commit?.to_owned(),
                flags: flags.unwrap_or_default().to_owned(),
                toolchain: toolchain.unwrap_or_default().to_owned(),
            })
        };
        // Without a name, two machines are one.
        header.fact_text(facts::MACHINE)?;
        Some(ComparisonIdentity {
            package: header.package.clone(),
            target: header.target.clone(),
            reference: built(facts::REFERENCE)?,
            candidate: built(facts::CANDIDATE)?,
        })
    }

    /// `1a2b3c4 against 5d6e7f8`.
    pub(super) fn name(&self) -> String {
        let name = |built: &Built| {
            let commit = built.commit.get(..7).unwrap_or(&built.commit);
            match built.flags.as_str() {
                "" => commit.to_owned(),
                flags => format!("{commit} with {flags}"),
            }
        };
        format!(
            "{} against {}",
            name(&self.candidate),
            name(&self.reference)
        )
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{FactValue, Finding};

    use super::*;
    use crate::merge::machines::tests::on;
    use tourbillon_tool::record_file::StoredRun;

    #[test]
    fn two_commits_and_their_flags_are_one_comparison() {
        let of = |stored: &StoredRun| ComparisonIdentity::new(&stored.run.header);
        let one = on("a", "Ryzen", Finding::Same, 1.0);
        let other = on("b", "Xeon", Finding::Slower, 1.2);
        assert_eq!(of(&one), of(&other));
        let name = of(&one).map(|compared| compared.name());
        let expected = "7a8b9c0 with features=simd against 1a2b3c4";
        assert_eq!(name.as_deref(), Some(expected));
        for at in 0..6 {
            let mut changed = on("b", "Xeon", Finding::Slower, 1.2);
            changed.run.header.facts[at].value = FactValue::Text("x".to_owned());
            assert_ne!(of(&one), of(&changed), "{at}");
        }
        let mut dirty = on("b", "Xeon", Finding::Slower, 1.2);
        dirty.run.header.facts[3].value = FactValue::Absent("changed".to_owned());
        assert_eq!(of(&dirty), None);
    }
}
