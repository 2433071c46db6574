//! What a head does to the cases of its base other than change their times: loses, renames or ignores them, and takes
//! back what the base demands of them.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use strsim::jaro;
use tourbillon_present::Explanation;
use tourbillon_record::Case;
use tourbillon_report::{Names, Outcome, first_names, printed_name};

use crate::pairing::Comparison;
use crate::results::case_outcome::CaseOutcome;

/// From this on, two names are alike.
const ALIKE: f64 = 0.8;
/// Most lost cases, and most new ones, whose names are compared with each other.
const FEW: usize = 200;
/// Most bytes of such a name: what is compared grows with the product of both lengths.
const LONGEST: usize = 200;

/// The cases of the base that need a look, by their printed names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Coverage {
    /// Cases that the head lacks.
    lost: Vec<String>,
    /// Lost cases, each with a new one that has probably taken its place; and cases whose group or name changed.
    renamed: Vec<[String; 2]>,
    /// Cases that the head marks to be ignored; their ids are in `ignored_ids`.
    ignored: Vec<String>,
    ignored_ids: HashSet<String>,
    /// Cases whose executables cannot be compared.
    uncompared: Vec<String>,
    /// Cases whose `at_most` or `verify` the head takes back or changes.
    undemanded: Vec<String>,
    /// Cases of which no numbers can be compared, such as those whose metric or direction the head changes.
    not_comparable: Vec<String>,
}

impl Coverage {
    /// The cases of a comparison; `bases` are all that the base lists.
    pub(super) fn new(comparison: &Comparison, bases: &[Case]) -> Coverage {
        let names = comparison.names();
        let name = |case: &Case| names.name(&case.id).to_owned();
        let of_ids: HashMap<&str, &Case> = bases.iter().map(|case| (&*case.id, case)).collect();
        let mut coverage = Coverage {
            uncompared: comparison.refused_cases.iter().map(&name).collect(),
            ..Coverage::default()
        };
        for paired in &comparison.cases {
            let (head, Some(base)) = (&paired.case, of_ids.get(&*paired.reference)) else {
                continue;
            };
            if head.ignored.is_some() && base.ignored.is_none() {
                coverage.ignored.push(name(head));
                coverage.ignored_ids.insert(head.id.clone());
            }
            let printed = [*base, head].map(printed_name);
            if printed[0] != printed[1] {
                coverage.renamed.push(printed);
            }
            if takes_back(base, head) {
                coverage.undemanded.push(name(head));
            }
        }
        coverage.unpaired(&comparison.only_old, &comparison.only_new, &names);
        coverage
    }

    /// A lost case is renamed if a new one has its target and its arguments, and its place or, of a few, a name like its
    /// own.
    fn unpaired(&mut self, olds: &[Case], news: &[Case], names: &Names) {
        let mut at_place: HashMap<String, &Case> = HashMap::new();
        for new in news.iter().filter(|new| !new.file.is_empty()) {
            at_place.insert(place(new), new);
        }
        let mut taken = HashSet::new();
        let mut open = Vec::new();
        for old in olds {
            match at_place.remove(&place(old)) {
                Some(new) => {
                    taken.insert(&new.id);
                    self.rename(old, new, names);
                }
                None => open.push(old),
            }
        }
        let mut rest: Vec<&Case> = news.iter().filter(|new| !taken.contains(&new.id)).collect();
        if rest.len() > FEW || open.len() > FEW {
            rest.clear();
        }
        for old in open {
            let alike = rest
                .iter()
                .enumerate()
                .filter_map(|(at, new)| Some((at, likeness(old, new)?)));
            match alike.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
                Some((at, _)) => self.rename(old, rest.swap_remove(at), names),
                None => self.lost.push(names.name(&old.id).to_owned()),
            }
        }
    }

    fn rename(&mut self, old: &Case, new: &Case, names: &Names) {
        let pair = [old, new].map(|case| names.name(&case.id).to_owned());
        self.renamed.push(pair);
    }

    /// What was done to which cases, each name as `code` makes it.
    fn parts(&self, code: impl Fn(&str) -> String) -> Vec<(&'static str, Vec<String>)> {
        let all =
            |names: &[String]| -> Vec<String> { names.iter().map(|name| code(name)).collect() };
        let renamed = self
            .renamed
            .iter()
            .map(|[old, new]| format!("{} to {}", code(old), code(new)));
        let mut parts = vec![
            ("lost", all(&self.lost)),
            ("renamed", renamed.collect()),
            ("ignored", all(&self.ignored)),
            ("not compared", all(&self.uncompared)),
            ("at_most or verify changed of", all(&self.undemanded)),
            ("not comparable", all(&self.not_comparable)),
        ];
        parts.retain(|(_, names)| !names.is_empty());
        parts
    }

    /// The first names of each kind in one line; empty where there is nothing to look at.
    pub(super) fn line(&self, code: impl Fn(&str) -> String) -> String {
        self.parts(code)
            .into_iter()
            .map(|(what, names)| format!("{what} {}", first_names(&names)))
            .collect::<Vec<String>>()
            .join("; ")
    }

    /// What [`Coverage::line`] cuts, with all names.
    pub(super) fn rest(&self, code: impl Fn(&str) -> String) -> Vec<String> {
        let parts = self.parts(code).into_iter();
        let all = parts.map(|(what, names)| (first_names(&names), what, names.join(", ")));
        let cut = all.filter(|(first, _, all)| first != all);
        cut.map(|(_, what, all)| format!("{what} {all}")).collect()
    }

    /// All of it, for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "lost": self.lost,
            "renamed": self.renamed,
            "ignored": self.ignored,
            "not_compared": self.uncompared,
            "undemanded": self.undemanded,
            "not_comparable": self.not_comparable,
        })
    }

    /// Whether a row is about a case of the base that the head lacks or ignores, or that cannot be compared.
    pub(super) fn is_missing(&self, row: &CaseOutcome) -> bool {
        let is_lost = matches!(row.outcome, Outcome::Missing | Outcome::NotCompared);
        is_lost || self.ignored_ids.contains(&row.id)
    }

    /// Adds the cases that turned out not to be comparable, and notes on the rows of ignored ones, which are measured all
    /// the same.
    pub(super) fn note(&mut self, rows: &mut [CaseOutcome]) {
        for row in rows {
            if row.outcome == Outcome::NotComparable {
                self.not_comparable.push(row.name.clone());
            }
            if self.ignored_ids.contains(&row.id) {
                let note = "ignored by the head, measured all the same";
                row.notes.push(Explanation::Common(note.to_owned()));
            }
        }
    }
}

/// What the base demands of a case holds in the head, too: `at_most` of the base is that of both. A case has the name
/// and the arguments of the base, by which its thresholds are found.
pub(super) fn keep_demands(comparison: &mut Comparison, bases: &[Case]) {
    let of_ids: HashMap<&str, &Case> = bases.iter().map(|base| (&*base.id, base)).collect();
    for paired in &mut comparison.cases {
        let Some(base) = of_ids.get(&*paired.reference) else {
            continue;
        };
        let head = &mut paired.case;
        head.group.clone_from(&base.group);
        head.name.clone_from(&base.name);
        head.arguments.clone_from(&base.arguments);
        if base.at_most.is_some() {
            head.at_most.clone_from(&base.at_most);
        }
    }
}

/// Whether the head has not all that the base demands.
fn takes_back(base: &Case, head: &Case) -> bool {
    let demands = |case: &Case| case.verify.clone().unwrap_or_default();
    let heads = demands(head);
    let lacks = |demand: &String| !heads.contains(demand);
    base.at_most.is_some() && base.at_most != head.at_most || demands(base).iter().any(lacks)
}

/// The package and target of a case; empty for one of criterion, whose id has neither.
fn target(case: &Case) -> &str {
    case.id.split_once("::").map_or("", |(target, _)| target)
}

/// The place of a case in its target and in the source, with its arguments.
fn place(case: &Case) -> String {
    let (target, file, line) = (target(case), &case.file, case.line);
    format!("{target} {file}:{line} {:?}", case.arguments)
}

/// How like the name of a lost case that of a new one is; `None` if it is another case.
fn likeness(old: &Case, new: &Case) -> Option<f64> {
    if target(old) != target(new) || old.arguments != new.arguments {
        return None;
    }
    let paths = [old, new].map(|case| format!("{}/{}", case.group, case.name));
    if paths.iter().any(|path| path.len() > LONGEST) {
        return None;
    }
    let alike = jaro(&paths[0], &paths[1]);
    (alike > ALIKE).then_some(alike)
}

/// The cases of the base that have neither a row nor a place in another shard, and that are not ignored by both.
pub(super) fn without_outcome<'b>(
    comparison: &Comparison,
    bases: &'b [Case],
    heads: &[Case],
    rows: &[CaseOutcome],
) -> Vec<&'b Case> {
    let with_row: HashSet<&str> = rows.iter().map(|row| &*row.id).collect();
    let in_head: HashSet<&str> = heads.iter().map(|case| &*case.id).collect();
    let here: HashSet<&str> = comparison
        .cases
        .iter()
        .map(|paired| &*paired.reference)
        .collect();
    let ignored: HashSet<&str> = comparison
        .ignored
        .iter()
        .map(|left| &*left.case.id)
        .collect();
    let elsewhere = |case: &Case| {
        comparison.shard.is_some() && in_head.contains(&*case.id) && !here.contains(&*case.id)
    };
    bases
        .iter()
        .filter(|case| {
            let id = &*case.id;
            !with_row.contains(id) && !ignored.contains(id) && !elsewhere(case)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::pairing::{LeftOut, PairedCase};

    use super::*;

    fn case(name: &str, line: u32) -> Case {
        Case {
            id: format!("shop/speed::{name}"),
            name: name.to_owned(),
            file: "benches/speed.rs".to_owned(),
            line,
            ..Case::default()
        }
    }

    fn comparison(pairs: &[(&Case, &Case)], only_old: &[Case], only_new: &[Case]) -> Comparison {
        let paired = |(base, head): &(&Case, &Case)| PairedCase {
            case: (*head).clone(),
            reference: base.id.clone(),
            pair: 0,
        };
        Comparison {
            cases: pairs.iter().map(paired).collect(),
            only_old: only_old.to_vec(),
            only_new: only_new.to_vec(),
            ..Comparison::default()
        }
    }

    fn line(comparison: &Comparison, bases: &[Case]) -> String {
        Coverage::new(comparison, bases).line(|name| format!("`{name}`"))
    }

    #[test]
    fn lost_and_renamed_cases_are_told_apart() {
        for (old, new, expected) in [
            // A name like the other, elsewhere.
            (
                case("sort_up", 3),
                case("sort_ups", 90),
                "renamed `sort_up` to `sort_ups`",
            ),
            // The same place.
            (case("sort", 3), case("heap", 3), "renamed `sort` to `heap`"),
            (case("sort", 3), case("heap", 4), "lost `sort`"),
        ] {
            let comparison = comparison(&[], std::slice::from_ref(&old), &[new]);
            assert_eq!(line(&comparison, &[old]), expected);
        }
        // Names that are too long to be compared are other names.
        let [old, new] = ["a", "b"].map(|end| case(&("x".repeat(30_000) + end), 3));
        let moved = Case { line: 4, ..new };
        let comparison_of_long = comparison(&[], std::slice::from_ref(&old), &[moved]);
        assert!(line(&comparison_of_long, &[old]).starts_with("lost "));
        let mut other = case("sort", 3);
        other.id = "shop/more::sort".to_owned();
        let comparison = comparison(&[], &[case("sort", 3)], &[other]);
        assert!(line(&comparison, &[case("sort", 3)]).starts_with("lost "));
    }

    #[test]
    fn one_new_case_takes_the_place_of_one() {
        let olds = [
            case("sort_a", 1),
            case("sort_b", 2),
            case("c", 3),
            case("d", 4),
            case("e", 5),
        ];
        let comparison = comparison(&[], &olds, &[case("sort_c", 9)]);
        assert_eq!(
            line(&comparison, &olds),
            "lost `sort_b`, `c`, `d` and 1 more; renamed `sort_a` to `sort_c`"
        );
        // What the line cuts is elsewhere.
        let coverage = Coverage::new(&comparison, &olds);
        assert_eq!(coverage.rest(str::to_owned), ["lost sort_b, c, d, e"]);
        let json = coverage.json();
        assert_eq!(json["lost"], json!(["sort_b", "c", "d", "e"]));
        assert_eq!(json["renamed"], json!([["sort_a", "sort_c"]]));
    }

    #[test]
    fn what_the_head_ignores_or_takes_back_is_named() {
        let mut bases = ["a", "b", "c", "d"].map(|name| case(name, 1));
        let mut heads = bases.clone();
        heads[0].ignored = Some("slow".to_owned());
        // Ignored already.
        bases[1].ignored = Some(String::new());
        heads[1].ignored = Some(String::new());
        bases[2].at_most = Some("n".to_owned());
        heads[2].at_most = Some("n^2".to_owned());
        bases[3].verify = Some(vec!["d <= a".to_owned()]);
        let pairs: Vec<(&Case, &Case)> = bases.iter().zip(&heads).collect();
        let mut comparison = comparison(&pairs, &[], &[]);
        assert_eq!(
            line(&comparison, &bases),
            "ignored `a`; at_most or verify changed of `c`, `d`"
        );
        keep_demands(&mut comparison, &bases);
        assert_eq!(comparison.cases[2].case.at_most.as_deref(), Some("n"));
        assert_eq!(comparison.cases[3].case.at_most, None);
    }

    #[test]
    fn a_case_keeps_the_name_by_which_its_thresholds_are_found() {
        let argument = |value: &str| tourbillon_record::Argument {
            axis: "n".to_owned(),
            value: value.to_owned(),
        };
        let bases = ["a", "b", "c"].map(|name| Case {
            group: "strict".to_owned(),
            arguments: vec![argument("1")],
            ..case(name, 1)
        });
        let mut heads = bases.clone();
        heads[0].group = "noisy".to_owned();
        heads[1].name = "noisy".to_owned();
        heads[2].arguments = vec![argument("100")];
        let pairs: Vec<(&Case, &Case)> = bases.iter().zip(&heads).collect();
        let mut comparison = comparison(&pairs, &[], &[]);
        assert_eq!(
            line(&comparison, &bases),
            "renamed `strict/a/1` to `noisy/a/1`, `strict/b/1` to `strict/noisy/1`, `strict/c/1` to `strict/c/100`"
        );
        keep_demands(&mut comparison, &bases);
        let kept = comparison.cases.iter().map(|paired| &paired.case);
        assert!(kept.eq(&bases), "{comparison:?}");
    }

    #[test]
    fn an_ignored_case_is_missing_and_a_new_one_is_not() {
        let base = case("a", 1);
        let head = Case {
            ignored: Some(String::new()),
            ..base.clone()
        };
        let comparison = comparison(&[(&base, &head)], &[], &[]);
        let mut coverage = Coverage::new(&comparison, std::slice::from_ref(&base));
        let row = |outcome| CaseOutcome::new(&base.id, "a", outcome);
        let mut rows = [row(Outcome::Same), row(Outcome::NotComparable)];
        assert!(coverage.is_missing(&rows[0]));
        coverage.note(&mut rows);
        assert_eq!(
            rows[0].sentences(),
            ["ignored by the head, measured all the same"]
        );
        let line = coverage.line(str::to_owned);
        assert_eq!(line, "ignored a; not comparable a");
        let none = Coverage::default();
        assert!(!none.is_missing(&row(Outcome::Same)));
        assert!(!none.is_missing(&row(Outcome::New)));
        assert!(none.is_missing(&row(Outcome::Missing)));
        assert!(none.is_missing(&row(Outcome::NotCompared)));
    }

    #[test]
    fn every_case_of_the_base_has_an_outcome_or_another_shard() {
        let all = ["a", "b", "c"].map(|name| case(name, 1));
        let [a, ..] = &all;
        let mut comparison = comparison(&[(a, a)], &[all[2].clone()], &[]);
        let row = |case: &Case| CaseOutcome::new(&case.id, &case.name, Outcome::Same);
        let rows = [row(a)];
        let ids = |comparison: &Comparison| -> Vec<String> {
            let cases = without_outcome(comparison, &all, &all[..2], &rows);
            cases.iter().map(|case| case.name.clone()).collect()
        };
        assert_eq!(ids(&comparison), ["b", "c"]);
        comparison.ignored.push(LeftOut {
            case: all[2].clone(),
            is_new: false,
        });
        assert_eq!(ids(&comparison), ["b"]);
        comparison.ignored.clear();
        // Both builds have `b`, and this shard does not.
        comparison.shard = Some(tourbillon_record::Shard::default());
        assert_eq!(ids(&comparison), ["c"]);
    }
}
