//! What becomes of cases that are marked to be ignored: as in a run of the newer build.

use std::collections::HashSet;

use tourbillon_record::Case;
use tourbillon_report::first_names;
use tourbillon_tool::bench_flags::ignored_flag;

use crate::pairing::{Comparison, LeftOut, PairedCase};

/// What flags of the bench programs ask for of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IgnoredCases {
    /// They are named, not measured.
    Leave,
    /// They are measured and no others are.
    Only,
    /// They are measured as all others.
    Include,
}

impl IgnoredCases {
    pub(crate) fn of(flags: &[String]) -> IgnoredCases {
        match ignored_flag(flags).map(|at| flags[at].as_str()) {
            None => IgnoredCases::Leave,
            Some("--ignored") => IgnoredCases::Only,
            Some(_) => IgnoredCases::Include,
        }
    }
}

/// The flags with which both sides list their cases: the newer one decides which are ignored, and the other one may not
/// ignore the same.
pub(crate) fn listing_flags(flags: &[String]) -> Vec<String> {
    let mut flags = flags.to_vec();
    if let Some(at) = ignored_flag(&flags) {
        "--include-ignored".clone_into(&mut flags[at]);
    }
    flags
}

impl Comparison {
    /// Keeps the cases that flags ask for. Those that the reference does not ignore, of which `olds` are all cases, are
    /// measured all the same where a head may not do without them.
    pub(crate) fn keep_asked(&mut self, asked: IgnoredCases, holds_head: bool, olds: &[Vec<Case>]) {
        let is_ignored = |case: &Case| case.ignored.is_some();
        if asked == IgnoredCases::Only {
            self.cases.retain(|paired| is_ignored(&paired.case));
            for cases in [
                &mut self.only_old,
                &mut self.only_new,
                &mut self.refused_cases,
            ] {
                cases.retain(is_ignored);
            }
        }
        if asked != IgnoredCases::Leave {
            return;
        }
        let olds = olds.iter().flatten().filter(|case| is_ignored(case));
        let olds: HashSet<&str> = olds.map(|case| case.id.as_str()).collect();
        let is_new = |paired: &PairedCase| !olds.contains(paired.reference.as_str());
        let is_left =
            |paired: &mut PairedCase| is_ignored(&paired.case) && !(holds_head && is_new(paired));
        let left = self.cases.extract_if(.., is_left).collect::<Vec<_>>();
        self.ignored.extend(left.into_iter().map(|paired| LeftOut {
            is_new: is_new(&paired),
            case: paired.case,
        }));
    }

    /// The ids of the cases that are not measured because they are ignored, for programs.
    pub(crate) fn ignored_ids(&self) -> Vec<&str> {
        let ids = self.ignored.iter().map(|left| left.case.id.as_str());
        ids.collect()
    }

    /// The cases that are not measured because they are ignored, in a line; `None` without any.
    pub(crate) fn ignored_line(&self) -> Option<String> {
        let names = self.names();
        let ignored = self.ignored.iter().map(|left| names.name(&left.case.id));
        let ignored: Vec<&str> = ignored.collect();
        let them = if ignored.len() == 1 { "it" } else { "them" };
        (!ignored.is_empty()).then(|| {
            let ignored = first_names(&ignored);
            format!("ignored {ignored}; -- --include-ignored measures {them}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, is_ignored: bool) -> Case {
        Case {
            id: format!("p/t::{name}"),
            name: name.to_owned(),
            ignored: is_ignored.then(String::new),
            ..Case::default()
        }
    }

    /// Cases that neither, either and both builds ignore, and one of each build alone.
    fn kept(flags: &str, holds_head: bool) -> (Vec<String>, Vec<(String, bool)>, Comparison) {
        let olds = [false, true, false, true];
        let news = [false, false, true, true];
        let names = ["neither", "old", "new", "both"];
        let cases = |sides: [bool; 4]| {
            let cases = names.into_iter().zip(sides);
            cases.map(|(name, is_ignored)| case(name, is_ignored))
        };
        let paired = |case: Case| PairedCase {
            reference: case.id.clone(),
            case,
            pair: 0,
        };
        let mut comparison = Comparison {
            cases: cases(news).map(paired).collect(),
            only_old: vec![case("gone", false)],
            only_new: vec![case("added", true)],
            ..Comparison::default()
        };
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let olds = [cases(olds).collect()];
        comparison.keep_asked(IgnoredCases::of(&flags), holds_head, &olds);
        let measured = comparison.cases.iter().map(|one| one.case.name.clone());
        let left = comparison.ignored.iter();
        (
            measured.collect(),
            left.map(|one| (one.case.name.clone(), one.is_new))
                .collect(),
            comparison,
        )
    }

    #[test]
    fn the_newer_build_decides_what_is_ignored() {
        let left = [("new".to_owned(), true), ("both".to_owned(), false)];
        for flags in ["", "t", "--skip --ignored", "-- --ignored"] {
            let (measured, ignored, comparison) = kept(flags, false);
            assert_eq!(measured, ["neither", "old"], "{flags}");
            assert_eq!(ignored, left, "{flags}");
            assert_eq!(
                comparison.ignored_line().as_deref(),
                Some("ignored new, both; -- --include-ignored measures them")
            );
        }
        let (measured, ignored, _) = kept("--include-ignored", false);
        assert_eq!(measured, ["neither", "old", "new", "both"]);
        assert_eq!(ignored, []);
        let (measured, ignored, comparison) = kept("t --ignored", false);
        assert_eq!(measured, ["new", "both"]);
        assert_eq!(ignored, []);
        assert_eq!(
            (comparison.only_old.len(), comparison.only_new.len()),
            (0, 1)
        );
        assert_eq!(comparison.ignored_line(), None);
    }

    #[test]
    fn a_head_cannot_do_without_a_case_of_its_base() {
        let (measured, ignored, comparison) = kept("", true);
        assert_eq!(measured, ["neither", "old", "new"]);
        assert_eq!(ignored, [("both".to_owned(), false)]);
        assert_eq!(
            comparison.ignored_line().as_deref(),
            Some("ignored both; -- --include-ignored measures it")
        );
    }

    #[test]
    fn both_sides_list_what_one_of_them_ignores() {
        for (typed, expected) in [
            ("a --ignored", "a --include-ignored"),
            ("--include-ignored a", "--include-ignored a"),
            ("--exact -- --ignored", "--exact -- --ignored"),
        ] {
            let typed: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            assert_eq!(listing_flags(&typed).join(" "), expected);
        }
    }
}
