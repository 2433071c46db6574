//! All registered functions together.

use std::collections::HashMap;
use std::ops::ControlFlow;

use tourbillon_engine::{CaseOptions, Drive, Suite, Visitor};
use tourbillon_record::Case;

use super::cases::Cases;
use super::problem::{Place, Problem};
use super::{Entry, list};

/// The registered functions in the order of their places: by package, target, file, line and
/// column; the cases of each in the order of its values, the first axis slowest.
#[derive(Debug)]
pub struct Registered {
    entries: Vec<&'static Entry>,
}

impl Registered {
    /// The functions that the attribute registered in this program.
    pub fn new() -> Self {
        Self::of(list::entries().collect())
    }

    fn of(mut entries: Vec<&'static Entry>) -> Self {
        entries.sort_by_key(|entry| {
            let origin = &entry.origin;
            let place = (origin.file, origin.line, origin.column);
            (origin.package(), origin.target(), place, entry.path())
        });
        Self { entries }
    }

    /// Package and target of the functions: those of the crate with this name, if it has any, else
    /// of the first; `None` when there are no functions. `executable` is the file name of the
    /// program, which a package manager makes of the target's name and a hash.
    ///
    /// Functions of other crates can be there too: a library may register some.
    pub fn home(&self, executable: &str) -> Option<(&'static str, &'static str)> {
        let stem = executable.strip_suffix(".exe").unwrap_or(executable);
        let target = match stem.rsplit_once('-') {
            Some((target, hash)) if is_hash(hash) => target,
            _ => stem,
        };
        let target = target.replace('-', "_");
        let own = self
            .entries
            .iter()
            .find(|entry| entry.origin.target() == target);
        let entry = own.or(self.entries.first())?;
        Some((entry.origin.package(), entry.origin.target()))
    }

    /// Mistakes in the functions as a whole: identities that come twice, axes without values. All
    /// values are evaluated for this.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut ids = Ids {
            first: HashMap::new(),
            entry: 0,
            repeated: Vec::new(),
        };
        for (index, entry) in self.entries.iter().copied().enumerate() {
            ids.entry = index;
            if let ControlFlow::Continue(Some(axis)) = Cases::of(entry, &mut ids) {
                problems.push(Problem::NoValues {
                    function: entry.path(),
                    axis,
                    place: entry.place(),
                });
            }
            for (id, first) in ids.repeated.drain(..) {
                problems.push(self.repeated(id, first, index));
            }
        }
        problems
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
        for entry in &self.entries {
            if Cases::of(entry, visitor).is_break() {
                return;
            }
        }
    }
}

/// Whether a package manager could have written this behind the name of a target.
fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Remembers which entry had each identity first, and reports those that come again.
struct Ids {
    first: HashMap<String, usize>,
    entry: usize,
    repeated: Vec<(String, usize)>,
}

impl Visitor for Ids {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if let Some(first) = self.first.get(&case.id) {
            self.repeated.push((case.id.clone(), *first));
        } else {
            self.first.insert(case.id.clone(), self.entry);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_engine::list;

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

    static A: Entry = entry("it::sort", "a", 9, one);
    static B: Entry = entry("it::sort", "a", 10, one);
    static C: Entry = entry("it", "c", 11, twice);
    static D: Entry = entry("it", "d", 12, none);
    static E: Entry = entry("other_target", "a", 2, one);

    fn texts(entries: &[&'static Entry]) -> Vec<String> {
        let problems = Registered::of(entries.to_vec()).problems();
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn entries_are_sorted_by_target_and_place_whatever_the_linker_did() {
        let ids = |entries| -> Vec<(String, u32)> {
            let cases = list(&Registered::of(entries)).into_iter();
            cases.map(|(case, _)| (case.id, case.line)).collect()
        };
        let sorted = ids(vec![&E, &C, &B, &A]);
        assert_eq!(ids(vec![&A, &B, &C, &E]), sorted);
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
        assert_eq!(Registered::of(vec![&A, &E]).problems(), []);
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
        assert_eq!(Registered::of(vec![&D, &A]).problems(), [expected]);
        assert_eq!(
            texts(&[&D]),
            [
                "`pack/it::d` at benches/it.rs:12 has no cases: there are no values for `n`; give it \
              at least one"
            ]
        );
    }

    #[test]
    fn home_is_the_target_that_the_executable_is_named_after() {
        let registered = Registered::of(vec![&A, &E]);
        assert_eq!(registered.home("it-0123456789abcdef"), Some(("pack", "it")));
        assert_eq!(
            registered.home("other-target-0123456789abcdef"),
            Some(("pack", "other_target"))
        );
        assert_eq!(
            registered.home("other-target.exe"),
            Some(("pack", "other_target"))
        );
        assert_eq!(registered.home("renamed"), Some(("pack", "it")));
        assert_eq!(Registered::of(Vec::new()).home("it"), None);
    }
}
