//! Names of cases: as all texts print them, and as users type them.
//!
//! The name is the group, the function and the values of its arguments, with slashes between them: `sort/heap/100`.
//! What is printed selects its case. Ids, such as `shop/speed::sort::heap[n=100]`, are for programs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tourbillon_present::escape;
use tourbillon_record::Case;
use tourbillon_values::nearest_name;

/// The name of a case, not escaped: `sort/heap/10000`. A function with the name of its group is named once; a case of
/// which only the id is known is called by that, and so is a command.
///
/// # Examples
///
/// ```
/// use tourbillon_record::Case;
/// use tourbillon_report::printed_name;
///
/// let case = |group: &str| Case {
///     group: group.to_owned(),
///     name: "sort".to_owned(),
///     ..Case::default()
/// };
/// assert_eq!(printed_name(&case("speed")), "speed/sort");
/// assert_eq!(printed_name(&case("sort")), "sort");
/// ```
pub fn printed_name(case: &Case) -> String {
    if is_called_by_id(case) {
        return case.id.clone();
    }
    let values = case.arguments.iter().map(|argument| &*argument.value);
    let parts = named_group(case).into_iter().chain([&*case.name]);
    parts.chain(values).collect::<Vec<_>>().join("/")
}

fn is_called_by_id(case: &Case) -> bool {
    case.name.is_empty() || case.command.is_some()
}

/// The group, where the name begins with it.
fn named_group(case: &Case) -> Option<&str> {
    let group = Some(&*case.group).filter(|group| !group.is_empty() && **group != case.name);
    group.filter(|_| !is_called_by_id(case))
}

/// The names of some cases, by their ids.
///
/// A case is called by its id where another one would have the same name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    of_ids: HashMap<String, Named>,
}

#[derive(Clone, Debug)]
struct Named {
    name: String,
    /// Bytes of the name up to the end of the group and the slash after it; `None` for an id.
    group: Option<usize>,
}

impl Names {
    /// The names of these cases. One case may be there several times.
    pub fn of<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Names {
        let mut of_ids = HashMap::new();
        let mut ids: HashMap<String, String> = HashMap::new();
        for case in cases {
            let name = printed_name(case);
            match ids.entry(name.clone()) {
                Entry::Occupied(other) if *other.get() != case.id => {
                    for id in [other.get(), &case.id] {
                        let (name, group) = (id.clone(), None);
                        of_ids.insert(id.clone(), Named { name, group });
                    }
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(vacant) => {
                    vacant.insert(case.id.clone());
                    let group = Some(named_group(case).map_or(0, |group| group.len() + 1));
                    of_ids.insert(case.id.clone(), Named { name, group });
                }
            }
        }
        Names { of_ids }
    }

    /// The name of the case with this id, not escaped; the id itself where the case is unknown.
    pub fn name<'n>(&'n self, id: &'n str) -> &'n str {
        self.of_ids.get(id).map_or(id, |named| &named.name)
    }

    /// The names of two cases, without the group that both have, as below its heading.
    pub fn pair<'n>(&'n self, one: &'n str, other: &'n str) -> [&'n str; 2] {
        let names = [self.name(one), self.name(other)];
        let group = |id: &str| self.of_ids.get(id)?.group;
        match (group(one), group(other)) {
            (Some(own), Some(its)) if names[0][..own] == names[1][..its] => {
                [&names[0][own..], &names[1][its..]]
            }
            _ => names,
        }
    }
}

/// Whether `typed` selects a case: a part of its id, or one or several whole parts of its name in
/// tables.
///
/// # Examples
///
/// ```
/// use tourbillon_record::{Argument, Case};
/// use tourbillon_report::{is_named, is_selected};
///
/// let n = Argument { axis: "n".to_owned(), value: "100".to_owned() };
/// let case = Case {
///     id: "shop/speed::sort[n=100]".to_owned(),
///     name: "sort".to_owned(),
///     arguments: vec![n],
///     ..Case::default()
/// };
/// assert!(is_selected(&case, "sort") && !is_named(&case, "sort"));
/// assert!(is_named(&case, "sort/100") && is_named(&case, "sort[n=100]"));
/// ```
pub fn is_selected(case: &Case, typed: &str) -> bool {
    Selectable::of(case).is_selected(typed)
}

/// What [`is_selected`] looks for a text in, for cases that are compared with many.
#[derive(Clone, Debug)]
pub struct Selectable {
    /// The id as it is, and as it is shown: an id with control characters is typed so, and test runners read it so.
    ids: [String; 2],
    /// The printed name, between slashes.
    printed: String,
}

impl Selectable {
    /// Of a case.
    pub fn of(case: &Case) -> Selectable {
        Selectable {
            ids: [case.id.clone(), escape(&case.id, true)],
            printed: format!("/{}/", escape(&printed_name(case), true)),
        }
    }

    /// Whether a text selects it.
    pub fn is_selected(&self, typed: &str) -> bool {
        self.ids.iter().any(|id| id.contains(typed)) || self.printed.contains(&format!("/{typed}/"))
    }
}

/// Whether `typed` is the whole name of a case: its id, its id without package and target, or its name
/// in tables.
pub fn is_named(case: &Case, typed: &str) -> bool {
    let is_id = |id: &str| {
        let below_target = id.split_once("::").map(|(_, below)| below);
        id == typed || below_target == Some(typed)
    };
    is_id(&case.id) || is_id(&escape(&case.id, true)) || escape(&printed_name(case), true) == typed
}

/// The cases of a function, or the one case, that `typed` names; and whether it is one case, with its arguments.
/// There is at least one.
///
/// # Errors
///
/// That there is none, or that several functions have the name.
pub fn cases_named<'c>(all: &'c [Case], typed: &str) -> Result<(Vec<&'c Case>, bool), String> {
    let among: Vec<&Case> = all.iter().collect();
    named_among(&among, typed)?.ok_or_else(|| {
        let meant = did_you_mean(&[typed], among);
        format!("no case has the name {typed:?}; --list shows the ids of the cases{meant}")
    })
}

/// The end of the message that names select nothing: the printed name, or the part of one, that is nearest to the
/// first of them which is near to any. Empty if none is.
///
/// # Examples
///
/// ```
/// use tourbillon_record::Case;
/// use tourbillon_report::did_you_mean;
///
/// let case = Case {
///     group: "sort".to_owned(),
///     name: "heap".to_owned(),
///     ..Case::default()
/// };
/// assert_eq!(did_you_mean(&["sort/haep"], [&case]), "; did you mean sort/heap?");
/// assert_eq!(did_you_mean(&["map"], [&case]), "");
/// ```
pub fn did_you_mean<'c, T: AsRef<str>>(
    typed: &[T],
    cases: impl IntoIterator<Item = &'c Case>,
) -> String {
    let names: Vec<String> = cases.into_iter().map(printed_name).collect();
    let names = || names.iter().map(String::as_str);
    let nearest = typed
        .iter()
        .find_map(|typed| nearest_name(typed.as_ref(), names()));
    nearest.map_or_else(String::new, |name| {
        format!("; did you mean {}?", escape(&name, true))
    })
}

/// The part of the message that filters select nothing which is for those that look like regular expressions. Empty
/// if none does.
///
/// # Examples
///
/// ```
/// use tourbillon_report::not_expressions;
///
/// let hint = "; filters are plain text, not regular expressions";
/// assert_eq!(not_expressions(&["map", "^sort/.*"]), hint);
/// assert_eq!(not_expressions(&["sort[n=100]"]), "");
/// ```
pub fn not_expressions<T: AsRef<str>>(typed: &[T]) -> &'static str {
    let has_sign = |typed: &T| {
        // Control characters are shown, and typed, as `\u{1b}`.
        let plain = typed.as_ref().replace("\\u{", "");
        plain.contains(['*', '+', '?', '^', '$', '|', '\\'])
    };
    if typed.iter().any(has_sign) {
        "; filters are plain text, not regular expressions"
    } else {
        ""
    }
}

/// As [`cases_named`], and nothing if there is none.
fn named_among<'c>(
    among: &[&'c Case],
    typed: &str,
) -> Result<Option<(Vec<&'c Case>, bool)>, String> {
    let is_case = |case: &Case| is_end(&case.id, typed) || is_named(case, typed);
    let is_meant = |case: &&&Case| is_case(case) || is_end(function(&case.id), typed);
    let meant: Vec<&Case> = among.iter().filter(is_meant).copied().collect();
    let Some(first) = meant.first() else {
        return Ok(None);
    };
    let name = function(&first.id);
    if let Some(other) = meant.iter().find(|case| function(&case.id) != name) {
        return Err(format!(
            "{typed:?} is {name} or {}; write more of the one that you mean",
            function(&other.id)
        ));
    }
    let is_whole = is_case(first);
    Ok(Some((meant, is_whole)))
}

/// The pairs of cases that two names mean in the module of the case with the id `from`, or else in the whole program:
/// of two functions, those with the same arguments.
///
/// # Errors
///
/// As those of [`cases_named`], and that no two cases have the same arguments.
pub(crate) fn case_pairs<'c>(
    all: &'c [Case],
    from: &str,
    case: &str,
    reference: &str,
) -> Result<Vec<[&'c Case; 2]>, String> {
    let near: Vec<&Case> = all
        .iter()
        .filter(|case| module(&case.id) == module(from))
        .collect();
    let named = |typed| match named_among(&near, typed)? {
        Some(found) => Ok(found),
        None => cases_named(all, typed),
    };
    let (cases, is_case) = named(case)?;
    let (references, is_reference) = named(reference)?;
    let are_two_cases = is_case && is_reference;
    let cases = if is_case { &cases[..1] } else { &cases[..] };
    let references = if is_reference {
        &references[..1]
    } else {
        &references[..]
    };
    let mut pairs = Vec::new();
    for one in cases {
        let others = references.iter().filter(|other| {
            one.id != other.id && (are_two_cases || one.arguments == other.arguments)
        });
        pairs.extend(others.map(|other| [*one, *other]));
    }
    if pairs.is_empty() {
        return Err(format!(
            "no case of {case} has the arguments of one of {reference}; write the arguments of both"
        ));
    }
    Ok(pairs)
}

/// Whether `typed` is the name, or the end of it from the start of one of its parts.
fn is_end(name: &str, typed: &str) -> bool {
    name.strip_suffix(typed)
        .is_some_and(|before| before.is_empty() || before.ends_with("::") || before.ends_with('/'))
}

/// The identity of a case without its arguments.
pub fn function(id: &str) -> &str {
    id.split('[').next().unwrap_or(id)
}

/// What is before the name of the function.
pub(crate) fn module(id: &str) -> &str {
    function(id)
        .rsplit_once("::")
        .map_or("", |(module, _)| module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_that_would_have_one_name_are_called_by_their_ids() {
        let case = |id: &str, name: &str| Case {
            id: id.to_owned(),
            name: name.to_owned(),
            ..Case::default()
        };
        let cases = [
            case("p/t::a::f", "f"),
            case("p/t::g", "g"),
            case("p/t::b::f", "f"),
            case("p/t::g", "g"),
            case("p/t::c::f", "f"),
        ];
        let names = Names::of(&cases);
        let named = cases.each_ref().map(|case| names.name(&case.id));
        assert_eq!(named, ["p/t::a::f", "g", "p/t::b::f", "g", "p/t::c::f"]);
        assert_eq!(names.name("unknown"), "unknown");
        assert_eq!(names.pair("p/t::a::f", "p/t::g"), ["p/t::a::f", "g"]);
    }

    #[test]
    fn a_name_that_selects_nothing_has_a_near_one() {
        let cases = ["heap", "quick"].map(|name| Case {
            group: "sort".to_owned(),
            name: name.to_owned(),
            ..Case::default()
        });
        for (typed, expected) in [
            (&["srot"][..], "; did you mean sort?"),
            (&["sort/qiuck"], "; did you mean sort/quick?"),
            (&["Heap"], "; did you mean sort/heap?"),
            (&["nothing", "haep"], "; did you mean heap?"),
            (&["nothing"], ""),
            (&[""], ""),
            (&[], ""),
        ] {
            assert_eq!(did_you_mean(typed, &cases), expected, "{typed:?}");
        }
    }

    #[test]
    fn two_cases_of_a_group_are_named_as_below_its_heading() {
        let case = |group: &str, name: &str| Case {
            id: format!("p/t::{group}::{name}"),
            group: group.to_owned(),
            name: name.to_owned(),
            ..Case::default()
        };
        let names = Names::of(&[
            case("sort", "heap"),
            case("sort", "sort"),
            case("map", "get"),
        ]);
        let pair = |other| names.pair("p/t::sort::heap", other);
        assert_eq!(pair("p/t::map::get"), ["sort/heap", "map/get"]);
        assert_eq!(pair("p/t::sort::heap"), ["heap", "heap"]);
        assert_eq!(pair("main"), ["sort/heap", "main"]);
        // A record may have a group where none is in the name.
        let command = Case {
            command: Some(Box::default()),
            ..case("a group that is longer than the id", "sleep 1")
        };
        let nameless = case("\u{e9}\u{e9}", "");
        let other = Case {
            id: "\u{e9}".to_owned(),
            ..nameless.clone()
        };
        let cases = [command, nameless, other];
        let names = Names::of(&cases);
        for [one, other] in [[0, 1], [1, 2], [2, 0]] {
            let ids = [&*cases[one].id, &*cases[other].id];
            assert_eq!(names.pair(ids[0], ids[1]), ids);
        }
    }
}
