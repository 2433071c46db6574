//! The package and target of a case.

use tourbillon_builds::Executable;

use crate::pairing::Comparison;

/// The package and target of a case whose id has neither, as those of criterion; `None` of another case, and where it is
/// not known.
pub(crate) fn suite_without_path(comparison: &Comparison, id: &str) -> Option<String> {
    let builds = comparison.builds().into_iter();
    let mut executables = builds.flat_map(|build| &build.executables);
    let is_of_id = |executable: &Executable| {
        let rest = id.strip_prefix(&executable.name());
        let is_file = executable.package.is_empty() && id.contains("::");
        is_file || rest.is_some_and(|rest| rest.starts_with("::"))
    };
    if executables.any(is_of_id) {
        return None;
    }
    // The rows of a case that are not of its time have a word after its id.
    let is_of = |case: &str| {
        let rest = id.strip_prefix(case);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let mut own = comparison.cases.iter();
    let pair = match (
        own.find(|paired| is_of(&paired.case.id)),
        &*comparison.pairs,
    ) {
        (Some(paired), _) => comparison.pairs.get(paired.pair)?,
        (None, [only]) => only,
        _ => return None,
    };
    Some(comparison.new.executables.get(pair[1])?.name())
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_record::Case;

    use super::*;
    use crate::results::rows::tests::comparison;

    /// One without anything but its name.
    pub(crate) fn executable() -> Executable {
        Executable {
            package: "p".to_owned(),
            target: "t".to_owned(),
            path: "t".into(),
            engine: String::new(),
            protocol: 1,
            ..Executable::default()
        }
    }

    #[test]
    fn a_case_without_a_path_is_of_its_executable() {
        let mut comparison = comparison();
        for build in [&mut comparison.old, &mut comparison.new] {
            build.executables = vec![executable()];
        }
        comparison.pairs = vec![[0, 0]];
        comparison.cases[0].case = Case {
            id: "parse/Vec::new".to_owned(),
            ..Case::default()
        };
        let of = |comparison: &Comparison, id| suite_without_path(comparison, id);
        let own = Some("p/t".to_owned());
        for id in ["parse/Vec::new", "parse/Vec::new p99", "added"] {
            assert_eq!(of(&comparison, id), own, "{id}");
        }
        assert_eq!(of(&comparison, "p/t::c"), None);
        // Of two, one has the case.
        comparison.new.executables.push(executable());
        comparison.pairs.push([0, 1]);
        assert_eq!(of(&comparison, "parse/Vec::new"), own);
        assert_eq!(of(&comparison, "added"), None);
    }
}
