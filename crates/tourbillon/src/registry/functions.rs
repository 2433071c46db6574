//! All registered functions together.

use std::collections::HashMap;
use std::collections::hash_map;
use std::ops::ControlFlow;

use tourbillon_engine::{Drive, Suite, Visitor};
use tourbillon_record::{Case, CaseOptions};

use super::entry::{Entry, Origin};
use crate::panics;

/// The registered functions in the order of their places: by package, target, file, line and
/// column; the cases of each in the order of its values, the first axis slowest.
#[derive(Debug)]
pub struct Registered {
    entries: Vec<&'static Entry>,
}

impl Registered {
    /// The functions that the attribute registered in this program.
    pub fn new() -> Self {
        Self::of(Entry::all())
    }

    fn of(mut entries: Vec<&'static Entry>) -> Self {
        // Functions of a macro have one place: by module and name.
        entries.sort_by_key(|entry| {
            let at = &entry.origin;
            let place = (at.file, at.line, at.column);
            (at.package(), at.target(), place, at.module, entry.name())
        });
        Self { entries }
    }

    /// Where the functions come from: those of the target that the executable is named after, if it has
    /// any, else the first. A library may register functions too.
    pub fn home(&self, executable: &str) -> Option<&'static Origin> {
        let target = target_of(executable);
        let mut origins = self.entries.iter().map(|entry| &entry.origin);
        origins
            .clone()
            .find(|origin| origin.target() == target)
            .or_else(|| origins.next())
    }

    /// Mistakes that no single function shows to the compiler: identities that two cases share, axes
    /// without values, values whose evaluation panics. A run with one does not start.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut ids = Ids::default();
        panics::quietly(|| {
            for entry in &self.entries {
                ids.origin = Some(&entry.origin);
                let (function, place) = (entry.path(), &entry.origin);
                match panics::caught(|| entry.visit(&mut ids)) {
                    Ok(ControlFlow::Continue(Some(axis))) => problems.push(format!(
                        "`{function}` at {place} has no cases: there are no values for `{axis}`; \
                         give it at least one"
                    )),
                    Ok(_) => {}
                    Err(panicked) => problems.push(format!(
                        "the values for `{function}` at {place} cannot be evaluated: {panicked}"
                    )),
                }
                problems.append(&mut ids.problems);
            }
        });
        problems
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
            if entry.visit(visitor).is_break() {
                return;
            }
        }
    }
}

/// The target that cargo made an executable of: its file name without the dash and the sixteen
/// hexadecimal digits that cargo adds, with `_` for `-`.
pub fn target_of(executable: &str) -> String {
    let stem = executable.strip_suffix(".exe").unwrap_or(executable);
    let target = match stem.rsplit_once('-') {
        Some((target, hash))
            if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            target
        }
        _ => stem,
    };
    target.replace('-', "_")
}

/// Remembers which function had each identity first, and reports those that come again.
#[derive(Default)]
struct Ids {
    known: HashMap<String, &'static Origin>,
    /// The function that is being looked at.
    origin: Option<&'static Origin>,
    problems: Vec<String>,
}

impl Visitor for Ids {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        let (Some(second), id) = (self.origin, &case.id) else {
            return ControlFlow::Continue(());
        };
        match self.known.entry(id.clone()) {
            hash_map::Entry::Vacant(place) => {
                place.insert(second);
            }
            hash_map::Entry::Occupied(first)
                if *first.get() == second && case.arguments.is_empty() =>
            {
                self.problems.push(format!(
                    "the function at {second} has two #[bench] with the id `{id}`; write the options of both in one"
                ));
            }
            hash_map::Entry::Occupied(first) if *first.get() == second => {
                self.problems.push(format!(
                    "two cases at {second} have the id `{id}`; remove the value that comes twice, or \
                     make the values look different"
                ));
            }
            hash_map::Entry::Occupied(first) => {
                let first = first.get();
                self.problems.push(format!(
                    "two cases have the id `{id}`: one at {first}, one at {second}; give one of the \
                     functions another name, as in #[bench(name = \"..\")]"
                ));
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::{Clock, Script};
    use tourbillon_engine::{Trouble, each, try_once};

    use super::super::entry::{Cases, Entry, Flow, Origin};
    use super::super::settings::Settings;
    use super::Registered;

    const fn entry(
        module: &'static str,
        function: &'static str,
        line: u32,
        cases: fn(&mut Cases<'_>) -> Flow,
    ) -> Entry {
        with_axes(module, function, line, &["n"], cases)
    }

    const fn with_axes(
        module: &'static str,
        function: &'static str,
        line: u32,
        axes: &'static [&'static str],
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
            has_standard_harness: false,
        };
        Entry::new(origin, Settings::new(), axes, cases)
    }

    fn one(cases: &mut Cases<'_>) -> Flow {
        cases.label("1".to_owned());
        cases.visit(&mut |_| Ok(()))
    }

    fn twice(cases: &mut Cases<'_>) -> Flow {
        one(cases)?;
        one(cases)
    }

    fn whole(cases: &mut Cases<'_>) -> Flow {
        cases.visit(&mut |_| Ok(()))
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
    static G: [Entry; 2] = [
        with_axes("it", "g", 14, &[], whole),
        with_axes("it", "g", 14, &[], whole),
    ];

    fn problems(entries: &[&'static Entry]) -> Vec<String> {
        Registered::of(entries.to_vec()).problems()
    }

    #[test]
    fn entries_are_sorted_by_target_and_place() {
        let ids = |entries: &[&'static Entry]| -> Vec<(String, u32)> {
            let mut ids = Vec::new();
            each(&Registered::of(entries.to_vec()), &mut |case, _| {
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
        assert_eq!(problems(&[&A, &E]), [""; 0]);
    }

    #[test]
    fn two_functions_with_one_identity_are_both_named() {
        assert_eq!(
            problems(&[&B, &A]),
            [
                "two cases have the id `pack/it::sort::a[n=1]`: one at benches/it.rs:9, one at \
              benches/it.rs:10; give one of the functions another name, as in \
              #[bench(name = \"..\")]"
            ]
        );
    }

    #[test]
    fn a_repeated_value_is_another_mistake_than_a_repeated_name() {
        assert_eq!(
            problems(&[&C]),
            [
                "two cases at benches/it.rs:11 have the id `pack/it::c[n=1]`; remove the value that \
              comes twice, or make the values look different"
            ]
        );
    }

    #[test]
    fn a_repeated_attribute_is_no_repeated_value() {
        assert_eq!(
            problems(&[&G[0], &G[1]]),
            [
                "the function at benches/it.rs:14 has two #[bench] with the id `pack/it::g`; write the options of \
              both in one"
            ]
        );
    }

    /// As `equality/reach/registrations.rs` of `tourbillon-builds` reads it.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn an_entry_has_the_form_that_comparisons_read() {
        use std::mem::offset_of;
        let of_texts = [
            offset_of!(Origin, package),
            offset_of!(Origin, module),
            offset_of!(Origin, function),
            offset_of!(Origin, file),
        ];
        assert_eq!(of_texts, [0, 16, 32, 48]);
        let of_numbers = [offset_of!(Origin, line), offset_of!(Origin, column)];
        assert_eq!(of_numbers, [64, 68]);
        assert_eq!(offset_of!(Entry, origin), 0);
    }

    #[test]
    fn values_of_other_functions_are_not_evaluated() {
        let registered = Registered::of(vec![&E, &F]);
        let clock = Clock::scripted(&Script::new());
        let found = try_once(&registered, "pack/other_target::a[n=1]", &clock);
        assert_eq!(found, Err(Trouble::NoTerminal), "it was called");
    }

    #[test]
    fn an_axis_without_values_and_values_that_panic_are_problems() {
        let problems = problems(&[&F, &D, &A]);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(
            problems[0],
            "`pack/it::d` at benches/it.rs:12 has no cases: there are no values for `n`; give it at \
             least one"
        );
        let expected =
            "the values for `pack/it::f` at benches/it.rs:13 cannot be evaluated: panicked at ";
        assert!(problems[1].starts_with(expected), "{problems:?}");
        assert!(problems[1].ends_with(": no file of sizes"), "{problems:?}");
    }

    #[test]
    fn home_is_the_target_that_the_executable_is_named_after() {
        let registered = Registered::of(vec![&A, &E]);
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
        assert_eq!(Registered::of(Vec::new()).home("it"), None);
    }
}
