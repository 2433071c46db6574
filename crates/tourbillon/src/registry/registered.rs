//! All registered functions together.

use std::cmp::Ordering;
use std::mem::take;
use std::ops::ControlFlow;

use tourbillon_engine::{CaseOptions, Drive, Suite, Visitor};
use tourbillon_record::Case;

use super::cases::Cases;
use super::entry::Origin;
use super::problem::{Place, Problem};
use super::{Entry, list};
use crate::command::Comparing;
use crate::contains::is_hexadecimal;
use crate::lasting::{Handed, Lasting};
use crate::numbered::Numbered;
use crate::panics;
use crate::text::{owned, said};

/// The registered functions in the order of their places: by package, target, file, line and
/// column; the cases of each in the order of its values, the first axis slowest.
#[derive(Debug)]
pub struct Registered {
    entries: Lasting<Vec<&'static Entry>>,
}

impl Registered {
    /// The functions that the attribute registered in this program.
    pub fn new() -> Self {
        Self::of(&Lasting::new(list::entries()))
    }

    #[inline(never)]
    fn of(entries: &[&'static Entry]) -> Self {
        let mut sorted = Lasting::new(Vec::with_capacity(entries.len()));
        // By insertion, from the last: there are few, the list has them backwards, and the standard
        // library's sort would be compiled into every bench binary.
        for entry in entries.iter().rev() {
            let mut at = sorted.len();
            sorted.push(*entry);
            while at > 0 && order(sorted[at], sorted[at - 1]).is_lt() {
                sorted.swap(at, at - 1);
                at -= 1;
            }
        }
        Self { entries: sorted }
    }

    /// Where the functions come from: those of the crate with this name, if it has any, else the
    /// first; `None` when there are no functions. `executable` is the file name of the
    /// program, which a package manager makes of the target's name and a hash.
    ///
    /// Functions of other crates can be there too: a library may register some.
    pub fn home(&self, executable: &str) -> Option<&'static Origin> {
        let stem = executable.strip_suffix(".exe").unwrap_or(executable);
        let target = without_hash(stem).unwrap_or(stem);
        let mut home = &self.entries.first()?.origin;
        for entry in self.entries.iter().rev() {
            if is_named(entry.origin.target(), target) {
                home = &entry.origin;
            }
        }
        Some(home)
    }

    /// The code that compares cases, if a function or the feature asks for it.
    pub(crate) fn versus(&self) -> Option<Comparing> {
        let mut versus = Some(Comparing::new());
        for entry in &*self.entries {
            versus = versus.or(entry.settings.reference);
        }
        versus
    }

    /// Mistakes in the functions as a whole: identities that come twice, axes without values, values
    /// that cannot be had. All values are evaluated for this.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Handed::new(Vec::new());
        let mut ids = Ids {
            known: Lasting::new(Numbered::default()),
            entry: 0,
            repeated: Lasting::new(Vec::new()),
        };
        panics::quietly(&mut || {
            for entry in &*self.entries {
                self.look_at(entry, &mut ids, &mut problems);
                ids.entry += 1;
            }
        });
        Handed::into_inner(problems)
    }

    fn look_at(&self, entry: &'static Entry, ids: &mut Ids, problems: &mut Vec<Problem>) {
        let mut offered = ControlFlow::Break(());
        if let Err(panicked) = panics::caught(&mut || offered = Cases::of(entry, ids)) {
            problems.push(Problem::ValuesPanicked {
                function: entry.path(),
                place: entry.place(),
                panicked: said(&panicked),
            });
        }
        if let ControlFlow::Continue(Some(axis)) = offered {
            problems.push(Problem::NoValues {
                function: entry.path(),
                axis,
                place: entry.place(),
            });
        }
        for (id, first) in &*take(&mut ids.repeated) {
            problems.push(self.repeated(owned(id), *first, ids.entry));
        }
    }

    fn repeated(&self, id: String, first: usize, second: usize) -> Problem {
        let place = |index: usize| -> Place { self.entries[index].place() };
        if first == second {
            Problem::RepeatedId {
                id,
                place: place(first),
            }
        } else {
            Problem::SharedId {
                id,
                first: place(first),
                second: place(second),
            }
        }
    }
}

impl Default for Registered {
    fn default() -> Self {
        Self::new()
    }
}

impl Suite for Registered {
    fn visit(&self, visitor: &mut dyn Visitor) {
        for entry in &*self.entries {
            if Cases::of(entry, visitor).is_break() {
                return;
            }
        }
    }
}

/// The name of a target out of that of its executable: without the dash and the sixteen hexadecimal
/// digits that a package manager puts behind it.
fn without_hash(stem: &str) -> Option<&str> {
    let dash = stem.len().checked_sub(17)?;
    let (target, hash) = (stem.get(..dash)?, stem.get(dash + 1..)?);
    (stem.as_bytes()[dash] == b'-' && is_hexadecimal(hash)).then_some(target)
}

/// Whether a crate, which has `_` for `-`, is that of a target.
fn is_named(name: &str, target: &str) -> bool {
    let (name, target) = (name.as_bytes(), target.as_bytes());
    if name.len() != target.len() {
        return false;
    }
    for at in 0..name.len() {
        if name[at] != target[at] && (name[at], target[at]) != (b'_', b'-') {
            return false;
        }
    }
    true
}

/// By package, target and place; those at one place, which a macro made, by name.
fn order(one: &Entry, other: &Entry) -> Ordering {
    let (a, b) = (&one.origin, &other.origin);
    let name = |entry: &Entry| entry.settings.name.unwrap_or(entry.origin.function);
    let (package, target) = ((a.package(), b.package()), (a.target(), b.target()));
    order_of_texts(&[package, target, (a.file, b.file)])
        .then(a.line.cmp(&b.line))
        .then(a.column.cmp(&b.column))
        .then(order_of_texts(&[
            (a.module, b.module),
            (name(one), name(other)),
        ]))
}

/// The order of the first two that differ.
#[inline(never)]
fn order_of_texts(pairs: &[(&str, &str)]) -> Ordering {
    for (one, other) in pairs {
        if one != other {
            return one.cmp(other);
        }
    }
    Ordering::Equal
}

/// Remembers which entry had each identity first, and reports those that come again.
struct Ids {
    known: Lasting<Numbered>,
    entry: usize,
    repeated: Lasting<Vec<(String, usize)>>,
}

impl Visitor for Ids {
    #[inline(never)]
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if let Some(first) = self.known.add(&case.id, self.entry) {
            self.repeated.push((case.id.clone(), first));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_engine::each;

    use super::super::cases::Flow;
    use super::super::entry::Origin;
    use super::super::settings::Settings;
    use super::{Cases, Entry, Place, Problem, Registered};

    const fn entry(
        module: &'static str,
        function: &'static str,
        line: u32,
        cases: fn(&mut Cases<'_>) -> Flow,
    ) -> Entry {
        let file = "benches/it.rs";
        let origin = Origin {
            package: Some("pack"),
            module,
            function,
            file,
            line,
            column: 4,
            compiler: "",
        };
        Entry::new(origin, Settings::new(), &["n"], cases)
    }

    fn one(cases: &mut Cases<'_>) -> Flow {
        cases.label("1".to_owned());
        cases.offer(&mut |_| Ok(()))
    }

    fn twice(cases: &mut Cases<'_>) -> Flow {
        one(cases)?;
        one(cases)
    }

    fn none(cases: &mut Cases<'_>) -> Flow {
        let values = cases.values(0, [""; 0]);
        assert!(values.is_empty());
        Flow::Continue(())
    }

    fn broken(_: &mut Cases<'_>) -> Flow {
        panic!("no file of sizes")
    }

    static A: Entry = entry("it::sort", "a", 9, one);
    static B: Entry = entry("it::sort", "a", 10, one);
    static C: Entry = entry("it", "c", 11, twice);
    static D: Entry = entry("it", "d", 12, none);
    static E: Entry = entry("other_target", "a", 2, one);
    static F: Entry = entry("it", "f", 13, broken);

    fn texts(entries: &[&'static Entry]) -> Vec<String> {
        let problems = Registered::of(entries).problems();
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn entries_are_sorted_by_target_and_place_whatever_the_linker_did() {
        let ids = |entries: &[&'static Entry]| -> Vec<(String, u32)> {
            let mut ids = Vec::new();
            each(&Registered::of(entries), &mut |case, _| {
                ids.push((case.id.clone(), case.line));
            });
            ids
        };
        let sorted = ids(&[&E, &C, &B, &A]);
        assert_eq!(ids(&[&A, &B, &C, &E]), sorted);
        assert_eq!(
            sorted,
            [
                ("pack/it::sort::a[n=1]".to_owned(), 9),
                ("pack/it::sort::a[n=1]".to_owned(), 10),
                ("pack/it::c[n=1]".to_owned(), 11),
                ("pack/it::c[n=1]".to_owned(), 11),
                ("pack/other_target::a[n=1]".to_owned(), 2),
            ]
        );
    }

    #[test]
    fn functions_with_cases_of_their_own_have_no_problems() {
        assert_eq!(Registered::of(&[&A, &E]).problems(), []);
    }

    #[test]
    fn two_functions_with_one_identity_are_both_named() {
        assert_eq!(
            texts(&[&B, &A]),
            [
                "two cases are called `pack/it::sort::a[n=1]`: one at benches/it.rs:9, one at \
              benches/it.rs:10; give one of the functions another name, as in \
              #[bench(name = \"..\")]"
            ]
        );
    }

    #[test]
    fn a_value_that_comes_twice_is_told_from_a_name_that_does() {
        assert_eq!(
            texts(&[&C]),
            [
                "two cases at benches/it.rs:11 are called `pack/it::c[n=1]`; remove the value that \
              comes twice, or make the values look different"
            ]
        );
    }

    #[test]
    fn an_axis_without_values_is_a_problem() {
        let expected = Problem::NoValues {
            function: "pack/it::d".to_owned(),
            axis: "n",
            place: Place {
                file: "benches/it.rs",
                line: 12,
            },
        };
        assert_eq!(Registered::of(&[&D, &A]).problems(), [expected]);
        assert_eq!(
            texts(&[&D]),
            [
                "`pack/it::d` at benches/it.rs:12 has no cases: there are no values for `n`; give it \
              at least one"
            ]
        );
    }

    #[test]
    fn values_that_cannot_be_had_are_a_problem() {
        let texts = texts(&[&F, &D]);
        let expected =
            "the values for `pack/it::f` at benches/it.rs:13 cannot be had: panicked at ";
        assert!(texts[1].starts_with(expected), "{texts:?}");
        assert!(texts[1].ends_with(": no file of sizes"), "{texts:?}");
        assert!(texts[0].contains("no values for `n`"), "{texts:?}");
    }

    #[test]
    fn home_is_the_target_that_the_executable_is_named_after() {
        let registered = Registered::of(&[&A, &E]);
        let home = |executable| {
            let home = registered.home(executable)?;
            Some((home.package(), home.target()))
        };
        assert_eq!(home("it-0123456789abcdef"), Some(("pack", "it")));
        assert_eq!(
            home("other-target-0123456789abcdef"),
            Some(("pack", "other_target"))
        );
        assert_eq!(home("other-target.exe"), Some(("pack", "other_target")));
        assert_eq!(home("renamed"), Some(("pack", "it")));
        assert_eq!(Registered::of(&[]).home("it"), None);
    }
}
