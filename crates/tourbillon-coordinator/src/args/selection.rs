//! Which cases a command line selects.

use std::collections::HashMap;

use tourbillon_engine::{Suite, each};
use tourbillon_record::{Case, CaseOptions};
use tourbillon_report::{did_you_mean, is_named, is_selected, not_expressions};
use tourbillon_values::editor_path;

use crate::values::{Partition, ShardFilter};

/// What selects cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub(super) filters: Vec<String>,
    /// Whether filters are regular expressions, which the caller applies. Here they are plain text.
    pub are_expressions: bool,
    pub(super) exact: bool,
    pub(super) skip: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) ignored: IgnoredCases,
    pub(super) partition: Option<Partition>,
}

/// What becomes of cases that are marked to be ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IgnoredCases {
    /// They are named, not run.
    #[default]
    Leave,
    /// They are run and no others are.
    Only,
    /// They are run as all others.
    Include,
}

impl Selection {
    /// The shard that is meant, of a partition of the cases that [`matches`](Selection::matches) selects.
    pub fn partition(&self) -> Option<Partition> {
        self.partition
    }

    /// Goes through cases in the order of the suite and takes those that are meant, ignored or not.
    pub fn picker(&self) -> Picker<'_> {
        Picker {
            selection: self,
            shard: ShardFilter::new(self.partition),
        }
    }

    /// Whether the case is meant, in this shard or another one, ignored or not.
    pub fn matches(&self, case: &Case) -> bool {
        (self.filters.is_empty() || self.hits(&self.filters, case))
            && !self.hits(&self.skip, case)
            && (self.tags.is_empty() || case.tags.iter().any(|tag| self.tags.contains(tag)))
            && (self.ignored != IgnoredCases::Only || case.ignored.is_some())
    }

    /// Whether one of the patterns means the case.
    fn hits(&self, patterns: &[String], case: &Case) -> bool {
        let hits = |typed: &String| {
            if self.exact {
                is_named(case, typed) || is_named_by_editor(case, typed)
            } else {
                is_selected(case, typed)
            }
        };
        patterns.iter().any(hits)
    }

    /// Whether a case that is meant is run, not merely named.
    pub fn runs(&self, case: &Case) -> bool {
        self.ignored != IgnoredCases::Leave || case.ignored.is_none()
    }

    /// The end of the message that the filters match nothing; see [`did_you_mean`] and [`not_expressions`].
    pub fn advice(&self, cases: &[Case]) -> String {
        let not_expressions = if self.are_expressions {
            ""
        } else {
            not_expressions(&self.filters)
        };
        not_expressions.to_owned() + &did_you_mean(&self.filters, cases)
    }

    /// What a case has to match, as a part of a sentence; `None` where all cases do.
    pub fn describe(&self) -> Option<String> {
        let listed = |what: &str, patterns: &[String]| {
            let quoted: Vec<String> = patterns.iter().map(|text| format!("{text:?}")).collect();
            (!quoted.is_empty()).then(|| format!("{what}{}", quoted.join(" or ")))
        };
        let only = self.ignored == IgnoredCases::Only;
        let parts: Vec<String> = [
            listed(if self.exact { "exactly " } else { "" }, &self.filters),
            listed("without ", &self.skip),
            listed("the tag ", &self.tags),
            only.then(|| "the mark to be ignored".to_owned()),
            self.partition
                .map(|partition| format!("the shard {partition}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The cases of a selection, one after the other.
#[derive(Debug)]
pub struct Picker<'s> {
    selection: &'s Selection,
    shard: ShardFilter,
}

/// What becomes of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// It is run.
    Run,
    /// It is meant, marked to be ignored, and named only.
    Ignored,
    /// It is meant, and another shard has it.
    OtherShard,
    /// The filters do not select it.
    No,
}

impl Picker<'_> {
    /// What becomes of the next case of the suite.
    pub fn pick(&mut self, case: &Case) -> Pick {
        if !self.selection.matches(case) {
            return Pick::No;
        }
        match (self.shard.takes_next(&case.id), self.selection.runs(case)) {
            (true, true) => Pick::Run,
            (true, false) => Pick::Ignored,
            (false, true) => Pick::OtherShard,
            (false, false) => Pick::No,
        }
    }
}

/// Whether `typed` is what an editor calls the function of a case.
fn is_named_by_editor(case: &Case, typed: &str) -> bool {
    let Some((_, path)) = case.id.split_once("::") else {
        return false;
    };
    // Arguments are in brackets.
    let function = path.split('[').next();
    editor_path(typed).is_some_and(|typed| function == Some(&typed))
}

/// What a selection makes of the cases of a suite.
#[derive(Debug, Default)]
pub struct Chosen {
    /// Cases to run.
    pub runs: Vec<Case>,
    /// The options of those that have any, by their ids.
    pub options: HashMap<String, CaseOptions>,
    /// Cases that are meant and marked to be ignored: named, not run.
    pub ignored: Vec<Case>,
    /// How many others there are.
    pub filtered_out: usize,
    /// The ids of those of them that other shards run.
    pub other_shards: Vec<String>,
}

impl Chosen {
    /// Applies a selection to all cases of a suite.
    pub fn of(suite: &dyn Suite, selection: &Selection) -> Chosen {
        let mut chosen = Chosen::default();
        let mut picker = selection.picker();
        each(suite, &mut |case, options| {
            if *options != CaseOptions::default() {
                chosen.options.insert(case.id.clone(), *options);
            }
            match picker.pick(case) {
                Pick::Run => chosen.runs.push(case.clone()),
                Pick::Ignored => chosen.ignored.push(case.clone()),
                Pick::No => chosen.filtered_out += 1,
                Pick::OtherShard => {
                    chosen.filtered_out += 1;
                    chosen.other_shards.push(case.id.clone());
                }
            }
        });
        chosen
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use tourbillon_record::Argument;

    use super::super::{Environment, HighArgs, LowArgs};
    use super::*;

    fn selection(line: &str) -> Selection {
        typed(line.split_whitespace())
    }

    fn typed<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Selection {
        let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
        let low = LowArgs::parse(&arguments).expect("flags");
        let high = HighArgs::new(low, &Environment::default()).expect("no contradiction");
        high.selection
    }

    fn case(id: &str, tags: &[&str], ignored: bool) -> Case {
        Case {
            id: id.to_owned(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ignored: ignored.then(String::new),
            ..Case::default()
        }
    }

    #[test]
    fn selections() {
        let cases = [
            case("p/t::a", &[], false),
            case("p/t::ab", &["slow"], false),
            case("p/t::b[n=1]", &["slow", "net"], true),
        ];
        for (line, matched, run) in [
            ("", "a ab b[n=1]", "a ab"),
            ("a", "a ab", "a ab"),
            ("p/t::a --exact", "a", "a"),
            ("b --exact", "", ""),
            ("::ab n=1", "ab b[n=1]", "ab"),
            ("--skip ab", "a b[n=1]", "a"),
            ("--skip p/t::a --exact", "ab b[n=1]", "ab"),
            ("--tag slow", "ab b[n=1]", "ab"),
            ("--tag net --tag none", "b[n=1]", ""),
            ("--ignored", "b[n=1]", "b[n=1]"),
            ("--include-ignored", "a ab b[n=1]", "a ab b[n=1]"),
            ("nothing", "", ""),
        ] {
            let selection = selection(line);
            let names = |cases: &[&Case]| {
                let names = cases.iter().map(|case| &case.id["p/t::".len()..]);
                names.collect::<Vec<_>>().join(" ")
            };
            let hits: Vec<&Case> = cases
                .iter()
                .filter(|case| selection.matches(case))
                .collect();
            let runs: Vec<&Case> = hits.iter().copied().filter(|c| selection.runs(c)).collect();
            assert_eq!(
                (names(&hits).as_str(), names(&runs).as_str()),
                (matched, run),
                "{line}"
            );
        }
    }

    #[test]
    fn shards_divide_what_the_filters_select() {
        let ids: Vec<String> = (0..40).map(|number| format!("p/t::a{number}")).collect();
        let picked = |line: &str| -> Vec<(usize, Pick)> {
            let selection = selection(line);
            let mut picker = selection.picker();
            let cases = ids.iter().map(|id| case(id, &[], id.ends_with('7')));
            let picks = cases.map(|case| picker.pick(&case)).enumerate();
            picks.filter(|(_, pick)| *pick != Pick::No).collect()
        };
        let all = picked("a1");
        // a1 and a10 to a19.
        assert_eq!((all.len(), all[1]), (11, (10, Pick::Run)));
        for method in ["hash", "slice"] {
            let shards =
                (1..=3).flat_map(|shard| picked(&format!("a1 --partition {method}:{shard}/3")));
            let mut here: Vec<_> = shards
                .filter(|(_, pick)| *pick != Pick::OtherShard)
                .collect();
            here.sort_by_key(|(at, _)| *at);
            assert_eq!(here, all);
        }
        let runs = |line| {
            picked(line)
                .into_iter()
                .filter(|(_, pick)| *pick == Pick::Run)
        };
        let second: Vec<usize> = runs("a1 --partition slice:2/3").map(|(at, _)| at).collect();
        // The ignored one has its turn, too.
        assert_eq!(second, [10, 13, 16, 19]);
        assert_eq!(picked("a1 --partition slice:1/1"), all);
    }

    #[test]
    fn what_is_printed_can_be_typed() {
        let named = |id: &str, group: &str, name: &str, values: &[&str]| Case {
            id: format!("pack/target::{id}"),
            group: group.to_owned(),
            name: name.to_owned(),
            arguments: values
                .iter()
                .map(|&value| Argument {
                    axis: "n".to_owned(),
                    value: value.to_owned(),
                })
                .collect(),
            ..Case::default()
        };
        let cases = [
            named("sort[n=100]", "", "sort", &["100"]),
            named("sort[n=1000]", "", "sort", &["1000"]),
            named("inner::deeper::one", "inner::deeper", "one", &[]),
            named("heap[n=100,kind=up]", "sort", "heap", &["100", "up"]),
            named("bin::sort[n=7]", "sort", "sort", &["7"]),
        ];
        for (typed, expected) in [
            ("sort/100", &[0][..]),
            ("sort[n=100]", &[0]),
            ("inner::deeper/one", &[2]),
            ("inner::deeper::one", &[2]),
            ("sort/heap/100/up", &[3]),
            ("sort/7", &[4]),
        ] {
            for exact in [false, true] {
                let selection = Selection {
                    filters: vec![typed.to_owned()],
                    exact,
                    ..Selection::default()
                };
                let found: Vec<usize> = (0..cases.len())
                    .filter(|&at| selection.matches(&cases[at]))
                    .collect();
                assert_eq!(found, expected, "{typed} {exact}");
            }
        }
        assert_eq!(selection("heap/100").filters, ["heap/100"]);
        assert!(selection("heap/100").matches(&cases[3]));
        assert!(!selection("heap/100 --exact").matches(&cases[3]));
    }

    #[test]
    fn an_editor_selects_all_cases_of_a_function_and_no_others() {
        let ids = [
            "p/t::sort[n=1]",
            "p/t::sort[n=2]",
            "p/t::sorted",
            "p/t::a::sort",
            "p/t::a::sort[s=__tourbillon_sort::sort]",
        ];
        for (path, expected) in [
            ("__tourbillon_sort::sort", &[0, 1][..]),
            ("a::__tourbillon_sort::sort", &[3, 4]),
            ("__tourbillon_sorted::sorted", &[2]),
            ("__tourbillon_sor::sor", &[]),
        ] {
            let selection = typed(["--bench", path, "--exact"]);
            let found: Vec<usize> = (0..ids.len())
                .filter(|&at| selection.matches(&case(ids[at], &[], false)))
                .collect();
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn an_id_is_found_as_it_is_and_as_it_is_shown() {
        let hostile = case("p/t::a[s=\u{1b}]", &[], false);
        let exact = |pattern| typed(["--exact", pattern]);
        assert!(exact("p/t::a[s=\u{1b}]").matches(&hostile));
        assert!(exact(r"p/t::a[s=\u{1b}]").matches(&hostile));
        assert!(!exact("p/t::a[s=]").matches(&hostile));
    }

    #[test]
    fn a_selection_describes_itself() {
        assert_eq!(selection("").describe(), None);
        let describe = |line| selection(line).describe();
        assert_eq!(
            describe("a b --skip c --tag d --ignored").as_deref(),
            Some("\"a\" or \"b\", without \"c\", the tag \"d\", the mark to be ignored")
        );
        assert_eq!(describe("a --exact").as_deref(), Some("exactly \"a\""));
        assert_eq!(
            describe("--partition slice:1/4").as_deref(),
            Some("the shard slice:1/4")
        );
    }
}
