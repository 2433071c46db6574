//! Pairs the cases of two builds.

pub(crate) mod builds;
pub(crate) mod conditions;
mod doubts;
pub(crate) mod file_pattern;
pub(crate) mod files_read;
pub(crate) mod listing;
pub(crate) mod marks;
mod sharding;

use tourbillon_builds::{Build, Equality, Executable};
use tourbillon_coordinator::runner::PROTOCOL;
use tourbillon_record::{Case, Shard};
use tourbillon_report::Names;
use tourbillon_tool::exit::Stop;

use crate::pairing::conditions::Conditions;
use crate::pairing::listing::{arguments, by_arguments, by_id, lacking, named, repeated, unpaired};

/// How to find the names of cases.
pub(crate) const LIST: &str =
    "`cargo tourbillon run -- --list` lists the cases of the working tree";

/// Two builds and the cases that both have.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The reference.
    pub(crate) old: Build,
    pub(crate) new: Build,
    /// The indices of executables that are compared, in the reference and in the other build.
    pub(crate) pairs: Vec<[usize; 2]>,
    pub(crate) cases: Vec<PairedCase>,
    /// Cases of the reference only.
    pub(crate) only_old: Vec<Case>,
    /// Cases of the other build only.
    pub(crate) only_new: Vec<Case>,
    /// Cases of both that are not measured, because the other build ignores them.
    pub(crate) ignored: Vec<LeftOut>,
    /// The part of the cases that is compared; `None` for all of them.
    pub(crate) shard: Option<Shard>,
    /// What the set-up of an executable takes at most, in nanoseconds.
    pub(crate) set_up_ns: u64,
    /// Cases of executables that are not compared.
    pub(crate) refused_cases: Vec<Case>,
    /// Why executables are not compared.
    pub(crate) refused: Vec<String>,
    /// What differs in how both were built.
    pub(crate) conditions: Conditions,
    /// Whether the executables of each pair are one program; empty where all cases are measured.
    pub(crate) equality: Vec<Equality>,
}

/// A case of both builds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairedCase {
    /// As the other build has it.
    pub(crate) case: Case,
    /// The id of the reference's case: the same, unless the command line names two.
    pub(crate) reference: String,
    /// The index of its executables in the pairs of the comparison.
    pub(crate) pair: usize,
}

/// A case that is not measured, because the newer build marks it to be ignored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LeftOut {
    pub(crate) case: Case,
    /// Whether the reference does not ignore it.
    pub(crate) is_new: bool,
}

impl PairedCase {
    fn is_itself(&self) -> bool {
        self.reference == self.case.id
    }
}

impl Comparison {
    /// Pairs the cases of two builds, each with the lists of its executables.
    ///
    /// # Errors
    ///
    /// When nothing can be compared, or two targets have a case of one id: their results could not be told apart.
    pub(crate) fn of(
        (old, old_lists): (&Build, &[Vec<Case>]),
        (new, new_lists): (&Build, &[Vec<Case>]),
    ) -> Result<Comparison, Stop> {
        let mut comparison = Comparison::between(old, new);
        let mut unpaired: Vec<usize> = (0..new.executables.len()).collect();
        for (at, executable) in old.executables.iter().enumerate() {
            let mut others = unpaired.iter();
            let is_same = |&other: &usize| same(old, executable, new, &new.executables[other]);
            let Some(place) = others.position(is_same) else {
                comparison.only_old.extend_from_slice(&old_lists[at]);
                continue;
            };
            let other = unpaired.remove(place);
            match comparison.refusal(at, other) {
                Some(why) => comparison.refuse(why, &old_lists[at], &new_lists[other]),
                None => comparison.pair([at, other], &old_lists[at], &new_lists[other]),
            }
        }
        for other in unpaired {
            comparison.only_new.extend_from_slice(&new_lists[other]);
        }
        if comparison.cases.is_empty() {
            return Err(comparison.nothing());
        }
        if let Some(case) = repeated(comparison.cases.iter().map(|paired| &paired.case)) {
            return Err(Stop::Usage(format!(
                "two targets have the case {:?}; compare them one at a time, with --bench",
                case.id
            )));
        }
        Ok(comparison)
    }

    /// Pairs cases of two names, that of the reference first; of two functions, those with the same arguments.
    ///
    /// # Errors
    ///
    /// When a build has no such case, several functions have a name, or they cannot be compared.
    pub(crate) fn of_named(
        (old, old_lists): (&Build, &[Vec<Case>]),
        (new, new_lists): (&Build, &[Vec<Case>]),
        [old_name, new_name]: [&str; 2],
    ) -> Result<Comparison, Stop> {
        let mut comparison = Comparison::between(old, new);
        let (olds, old_is_case) = named(old, old_lists, old_name)?;
        let (news, new_is_case) = named(new, new_lists, new_name)?;
        let peers = by_arguments(&news);
        for (at, one) in &olds {
            let own = || peers.get(&arguments(one)).copied();
            let peer = news
                .first()
                .filter(|_| old_is_case && new_is_case)
                .or_else(own);
            let Some((other, case)) = peer else {
                comparison.only_old.push((*one).clone());
                continue;
            };
            if let Some(refused) = comparison.refusal(*at, *other) {
                return Err(Stop::Usage(refused));
            }
            let executables = [*at, *other];
            let mut pairs = comparison.pairs.iter();
            let known = pairs.position(|pair| *pair == executables);
            let pair = known.unwrap_or_else(|| {
                comparison.pairs.push(executables);
                comparison.pairs.len() - 1
            });
            comparison.cases.push(PairedCase {
                case: (*case).clone(),
                reference: one.id.clone(),
                pair,
            });
        }
        let paired = comparison.cases.iter().map(|one| &one.case);
        comparison.only_new = unpaired(&news, paired);
        if comparison.cases.is_empty() {
            return Err(Stop::Usage(format!(
                "no case of {old_name} has the arguments of one of {new_name}; write the arguments of both"
            )));
        }
        Ok(comparison)
    }

    fn between(old: &Build, new: &Build) -> Comparison {
        Comparison {
            old: old.clone(),
            new: new.clone(),
            ..Comparison::default()
        }
    }

    /// The builds, the reference first.
    pub(crate) fn builds(&self) -> [&Build; 2] {
        [&self.old, &self.new]
    }

    /// The executables of a pair, that of the reference first.
    pub(crate) fn executables(&self, pair: usize) -> [&Executable; 2] {
        let [old, new] = self.pairs[pair];
        [&self.old.executables[old], &self.new.executables[new]]
    }

    /// The identities of the cases of a pair that are compared with themselves.
    pub(crate) fn cases_of(&self, pair: usize) -> Vec<&str> {
        let own = self.cases.iter().filter(|case| case.pair == pair);
        own.filter(|case| case.is_itself())
            .map(|case| case.case.id.as_str())
            .collect()
    }

    /// Whether a case has the same code in both builds, and is not measured.
    pub(crate) fn is_unchanged(&self, case: &PairedCase) -> bool {
        let is_same = match self.equality.get(case.pair) {
            Some(Equality::Equal) => true,
            Some(Equality::OfCases(cases)) => cases.get(&case.case.id) == Some(&None),
            _ => false,
        };
        case.is_itself() && is_same
    }

    /// How many cases are measured.
    pub(crate) fn measured_cases(&self) -> usize {
        let cases = self.cases.iter();
        cases.filter(|case| !self.is_unchanged(case)).count()
    }

    fn pair(&mut self, executables: [usize; 2], olds: &[Case], news: &[Case]) {
        let pair = self.pairs.len();
        let before = self.cases.len();
        let of_ids = by_id(news);
        for old in olds {
            match of_ids.get(old.id.as_str()).copied() {
                Some(new) => self.cases.push(PairedCase {
                    case: new.clone(),
                    reference: old.id.clone(),
                    pair,
                }),
                None => self.only_old.push(old.clone()),
            }
        }
        self.only_new.extend(lacking(olds, news).cloned());
        if self.cases.len() > before {
            self.pairs.push(executables);
        }
    }

    fn refuse(&mut self, why: String, olds: &[Case], news: &[Case]) {
        self.refused.push(why);
        self.refused_cases.extend_from_slice(olds);
        self.refused_cases.extend(lacking(olds, news).cloned());
    }

    /// Why two executables cannot be compared, and the remedy.
    fn refusal(&self, old: usize, new: usize) -> Option<String> {
        let (one, other) = (&self.old.executables[old], &self.new.executables[new]);
        let name = one.name();
        let (old, new) = (&self.old.label, &self.new.label);
        for (label, executable) in [(old, one), (new, other)] {
            if executable.protocol != PROTOCOL {
                return Some(format!(
                    "{} of {label} has another protocol version than this cargo tourbillon; install the \
                     version of cargo-tourbillon that matches tourbillon in its Cargo.lock",
                    executable.name()
                ));
            }
        }
        for (build, executable) in [(&self.old, one), (&self.new, other)] {
            if build.is_built_over() {
                return Some(format!(
                    "{} of {} names its target directory, and would start or read what another build left there; \
                     compare revisions, which have others",
                    executable.name(),
                    build.label
                ));
            }
        }
        (one.engine != other.engine).then(|| {
            format!(
                "{name} of {old} and of {new} use different versions of tourbillon; build the older one \
                 with the newer version, on a branch"
            )
        })
    }

    /// The printed names of the cases of both builds.
    pub(crate) fn names(&self) -> Names {
        let common = self.cases.iter().map(|paired| &paired.case);
        let ignored = self.ignored.iter().map(|left| &left.case);
        let only = self.only_old.iter().chain(&self.only_new);
        let others = only.chain(&self.refused_cases);
        Names::of(common.chain(ignored).chain(others))
    }

    /// Cases on one side only, and executables that are not compared.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let names = self.names();
        let sides = [(&self.only_old, &self.old), (&self.only_new, &self.new)];
        let mut remarks = Vec::new();
        for (only, build) in sides {
            if !only.is_empty() {
                let only = Vec::from_iter(only.iter().map(|case| names.name(&case.id)));
                remarks.push(format!("only in {}: {}", build.label, only.join(", ")));
            }
        }
        remarks.extend(self.ignored_line());
        for refused in &self.refused {
            remarks.push(format!("not compared: {refused}"));
        }
        remarks
    }

    fn nothing(&self) -> Stop {
        let (old, new) = (&self.old.label, &self.new.label);
        if let Some(refused) = self.refused.first() {
            return Stop::Usage(refused.clone());
        }
        Stop::Usage(format!("{old} and {new} have no case in common; {LIST}"))
    }
}

/// Whether two executables are one target. Files and variations need not have the same name: single
/// executables match.
fn same(old: &Build, one: &Executable, new: &Build, other: &Executable) -> bool {
    let only = old.executables.len() == 1 && new.executables.len() == 1;
    only || (&one.package, &one.target) == (&other.package, &other.target)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use tourbillon_record::Argument;

    pub(super) fn build(label: &str, targets: &[&str]) -> Build {
        let executable = |target: &&str| Executable {
            package: "shop".to_owned(),
            target: (*target).to_owned(),
            path: PathBuf::from(target),
            engine: "e".to_owned(),
            protocol: PROTOCOL,
            ..Executable::default()
        };
        Build {
            label: label.to_owned(),
            executables: targets.iter().map(executable).collect(),
            ..Build::default()
        }
    }

    fn case(id: &str) -> Case {
        Case {
            id: id.to_owned(),
            name: id.to_owned(),
            ..Case::default()
        }
    }

    pub(super) fn lists(of: &[&[&str]]) -> Vec<Vec<Case>> {
        let one = |list: &&[&str]| list.iter().map(|id| case(id)).collect();
        of.iter().map(one).collect()
    }

    fn usage(result: Result<Comparison, Stop>) -> String {
        match result {
            Err(Stop::Usage(text)) => text,
            other => panic!("no mistake: {other:?}"),
        }
    }

    #[test]
    fn cases_are_paired_and_those_of_one_side_named() {
        let (old, new) = (
            build("main", &["map", "sort"]),
            build("tree", &["sort", "text"]),
        );
        let olds = lists(&[&["m"], &["a", "b"]]);
        let mut news = lists(&[&["c", "b"], &["t"]]);
        news[0][1].at_most = Some("n".to_owned());
        let comparison = Comparison::of((&old, &olds), (&new, &news)).expect("a pair");
        let paired = PairedCase {
            case: news[0][1].clone(),
            reference: "b".to_owned(),
            pair: 0,
        };
        assert_eq!(comparison.cases, [paired]);
        assert_eq!(comparison.pairs, [[1, 0]]);
        assert_eq!(
            comparison.remarks(),
            ["only in main: m, a", "only in tree: c, t"]
        );
    }

    #[test]
    fn single_executables_need_no_common_name() {
        let (old, new) = (build("old", &["x"]), build("new", &["y"]));
        let list = lists(&[&["a"]]);
        let comparison = Comparison::of((&old, &list), (&new, &list)).expect("a pair");
        assert_eq!(comparison.cases.len(), 1);
        assert!(comparison.remarks().is_empty());
    }

    #[test]
    fn two_targets_with_one_id_are_not_compared() {
        let (old, new) = (
            build("main", &["map", "sort"]),
            build("tree", &["map", "sort"]),
        );
        let both = lists(&[&["a"], &["a"]]);
        let text = usage(Comparison::of((&old, &both), (&new, &both)));
        assert!(
            text.starts_with("two targets have the case \"a\""),
            "{text}"
        );
    }

    #[test]
    fn another_engine_is_reported() {
        let (old, mut new) = (build("v1", &["sort"]), build("tree", &["sort"]));
        new.executables[0].engine = "f".to_owned();
        let list = lists(&[&["a"]]);
        let text = usage(Comparison::of((&old, &list), (&new, &list)));
        assert!(
            text.starts_with("shop/sort of v1 and of tree use different versions"),
            "{text}"
        );
        new.executables[0].protocol = PROTOCOL + 1;
        let text = usage(Comparison::of((&old, &list), (&new, &list)));
        assert!(
            text.starts_with("shop/sort of tree has another protocol version"),
            "{text}"
        );
    }

    #[test]
    fn cases_that_are_not_compared_are_known() {
        let (old, mut new) = (build("v1", &["m", "s"]), build("tree", &["m", "s"]));
        new.executables[0].engine = "f".to_owned();
        let (olds, news) = (lists(&[&["a"], &["b"]]), lists(&[&["a", "c"], &["b"]]));
        let comparison = Comparison::of((&old, &olds), (&new, &news)).expect("a pair");
        assert_eq!(comparison.refused_cases, ["a", "c"].map(case));
        assert_eq!(comparison.cases[0].case, case("b"));
    }

    #[test]
    fn nothing_in_common_is_reported() {
        let (old, new) = (build("v1", &["sort"]), build("tree", &["sort"]));
        let (one, other) = (lists(&[&["a"]]), lists(&[&["b"]]));
        let text = usage(Comparison::of((&old, &one), (&new, &other)));
        assert!(
            text.starts_with("v1 and tree have no case in common"),
            "{text}"
        );
    }

    #[test]
    fn cases_of_two_names_are_compared() {
        let (old, new) = (build("v1", &["sort"]), build("tree", &["map", "sort"]));
        let sized = |name: &str, n: &str| Case {
            arguments: vec![Argument {
                axis: "n".to_owned(),
                value: n.to_owned(),
            }],
            id: format!("shop/sort::{name}[n={n}]"),
            name: name.to_owned(),
            ..Case::default()
        };
        let olds = vec![vec![sized("scalar", "1"), sized("scalar", "2")]];
        let news = vec![
            vec![case("shop/map::m")],
            vec![sized("simd", "2"), sized("simd", "3")],
        ];
        let of = |names| Comparison::of_named((&old, &olds), (&new, &news), names);
        let both = of(["scalar", "simd"]).expect("a pair");
        let paired = |case: &Case, reference: &Case| PairedCase {
            case: case.clone(),
            reference: reference.id.clone(),
            pair: 0,
        };
        assert_eq!(both.cases, [paired(&news[1][0], &olds[0][1])]);
        assert_eq!(both.pairs, [[0, 1]]);
        assert_eq!(
            both.remarks(),
            ["only in v1: scalar/1", "only in tree: simd/3"]
        );
        // Of two cases, the arguments need not be the same.
        let two = of(["scalar[n=1]", "simd[n=3]"]).expect("a pair");
        assert_eq!(two.cases, [paired(&news[1][1], &olds[0][0])]);
        let text = usage(of(["scalar", "m"]));
        assert!(
            text.starts_with("no case of scalar has the arguments of one of m"),
            "{text}"
        );
        let text = usage(of(["scalar", "vector"]));
        assert!(
            text.starts_with("in tree, no case has the name \"vector\""),
            "{text}"
        );
    }
}
