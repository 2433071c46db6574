//! What the attribute makes of functions: their cases, as a suite offers them.

use tourbillon::private::Registered;
use tourbillon::{Bencher, bench, doubling, hide};
use tourbillon_engine::each;
use tourbillon_record::{Case, CaseOptions};

#[bench]
fn plain() -> String {
    hide("a").to_owned() + "b"
}

#[bench]
fn with_bencher(b: Bencher<'_>) {
    b.iter(|| 1);
}

/// A doc comment, attributes and a visibility stay where they are.
#[bench(args = [100, 1_000])]
#[inline(never)]
#[must_use]
pub(crate) fn fill(n: usize) -> Vec<u8> {
    vec![1; n]
}

#[bench(args(n = doubling(1, 4), kind = ["random", "sorted"]), group = "sort", reference)]
fn sort(b: Bencher<'_>, n: usize, kind: &str) {
    b.iter(|| kind.len() + n);
}

// Axes come in the order of the attribute, values go where the function wants them.
#[bench(args(kind = ["x"], n = [1.5, 2.0]))]
fn swapped(n: f64, kind: &str) -> String {
    format!("{n}{kind}")
}

#[bench(types = [std::collections::BTreeMap<u64, Vec<u8>>, ::std::collections::HashMap<u64, Vec<std::string::String>>])]
fn insert<M: Default>(b: Bencher<'_>) {
    b.iter(M::default);
}

// Values are evaluated for each type: the same literal is a u8 first, then a u64.
#[bench(types = [u8, u64], args = [1, 2])]
fn grow<T>(first: T) -> T
where
    T: Copy + std::ops::Add<Output = T>,
{
    first + first
}

const LARGE: usize = 1 << 10;

#[bench(consts = [0x10, LARGE, 3 * LARGE])]
fn array<const N: usize>() -> [u8; N] {
    [1; N]
}

#[bench(types = [u8, u16], consts = ['a', '\''], args = [1, 2])]
fn letters<const C: char, T: From<u8>>(n: u8) -> (T, char) {
    (T::from(n), C)
}

mod first {
    pub(super) struct Map;
}

mod second {
    pub(super) struct Map;
}

#[bench(types = [
    first::Map, second::Map, &'static [u8], &'static mut (u8,), &'static dyn Send, [u8; 4], *const [u8],
    fn(u8, &u8) -> Box<dyn Fn() + Send>, <Vec<u8> as IntoIterator>::IntoIter,
])]
fn shown<T>() -> usize {
    size_of::<T>()
}

#[bench(
    name = "other name",
    tags = ["slow", "io"],
    ignore = "needs a disk",
    launches = 7,
    min_time = "250 ms",
    max_time = "1.5s",
    min_iterations = 1_000,
    precision = "2.5 %",
    timeout = "2m",
)]
fn settings() {}

#[bench(ignore, precision = 0.01)]
fn ignored() {}

#[bench(args = ["", "a,b=c]", "new\nline \u{1b}[31m", "../..", "\u{1f980}"])]
fn hostile(text: &str) -> usize {
    text.len()
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Random,
    Few { distinct: u8 },
}

#[bench(args = [Kind::Random, Kind::Few { distinct: 3 }])]
fn debug_label(b: Bencher<'_>, kind: Kind) {
    b.iter(|| match kind {
        Kind::Random => 0,
        Kind::Few { distinct } => distinct,
    });
}

#[bench(args = [1])]
fn r#match(r#type: u8) -> u8 {
    r#type
}

mod inner {
    pub(super) mod deeper {
        #[tourbillon::bench(crate = ::tourbillon)]
        fn below() {}
    }
}

macro_rules! family {
    ($($name:ident = $values:expr, $ty:ty;)*) => {
        $(
            #[bench(args = $values, group = "family")]
            fn $name(value: $ty) -> $ty {
                value
            }
        )*
    };
}

family! {
    from_macro_a = [1, 2], u8;
    from_macro_b = 3..=4, u32;
}

fn cases() -> Vec<(Case, CaseOptions)> {
    let mut cases = Vec::new();
    each(&Registered::new(), &mut |case, options| {
        cases.push((case.clone(), *options));
    });
    cases.retain(|(case, _)| case.id.starts_with("tourbillon/it::registry::"));
    cases
}

fn ids(function: &str) -> Vec<String> {
    let prefix = format!("tourbillon/it::registry::{function}");
    let ids = cases().into_iter().map(|(case, _)| case.id);
    ids.filter_map(|id| id.strip_prefix(&prefix).map(str::to_owned))
        .filter(|rest| rest.is_empty() || rest.starts_with('['))
        .collect()
}

fn case(function: &str) -> (Case, CaseOptions) {
    let id = format!("tourbillon/it::registry::{function}");
    cases()
        .into_iter()
        .find(|(case, _)| case.id == id)
        .expect("the case is registered")
}

#[test]
fn cases_come_in_the_order_of_the_source() {
    let mut names: Vec<String> = cases().into_iter().map(|(case, _)| case.name).collect();
    names.dedup();
    assert_eq!(
        names,
        [
            "plain",
            "with_bencher",
            "fill",
            "sort",
            "swapped",
            "insert",
            "grow",
            "array",
            "letters",
            "shown",
            "other name",
            "ignored",
            "hostile",
            "debug_label",
            "match",
            "below",
            "from_macro_a",
            "from_macro_b",
        ]
    );
}

#[test]
fn identities_hold_package_target_module_function_and_values() {
    assert_eq!(ids("plain"), [""]);
    assert_eq!(ids("fill"), ["[n=100]", "[n=1000]"]);
    assert_eq!(ids("inner::deeper::below"), [""]);
    assert_eq!(ids("match"), ["[type=1]"]);
}

#[test]
fn the_first_axis_varies_slowest() {
    assert_eq!(
        ids("sort"),
        [
            "[n=1,kind=random]",
            "[n=1,kind=sorted]",
            "[n=2,kind=random]",
            "[n=2,kind=sorted]",
            "[n=4,kind=random]",
            "[n=4,kind=sorted]",
        ]
    );
    assert_eq!(ids("swapped"), ["[kind=x,n=1.5]", "[kind=x,n=2]"]);
}

#[test]
fn types_are_an_axis_that_is_shown_without_paths() {
    assert_eq!(
        ids("insert"),
        [
            "[M=BTreeMap<u64, Vec<u8>>]",
            "[M=HashMap<u64, Vec<String>>]"
        ]
    );
    assert_eq!(
        ids("grow"),
        [
            "[T=u8,first=1]",
            "[T=u8,first=2]",
            "[T=u64,first=1]",
            "[T=u64,first=2]"
        ]
    );
    assert_eq!(
        ids("shown"),
        [
            "[T=first::Map]",
            "[T=second::Map]",
            "[T=&'static [u8]]",
            "[T=&'static mut (u8,)]",
            "[T=&'static dyn Send]",
            "[T=[u8; 4]]",
            "[T=*const [u8]]",
            "[T=fn(u8, &u8) -> Box<dyn Fn() + Send>]",
            "[T=<Vec<u8> as IntoIterator>::IntoIter]",
        ]
    );
}

#[test]
fn constants_are_an_axis_of_values() {
    assert_eq!(ids("array"), ["[N=16]", "[N=1024]", "[N=3072]"]);
    let letters = ids("letters");
    assert_eq!(letters.len(), 8);
    assert_eq!(letters[0], "[C=a,T=u8,n=1]");
    assert_eq!(letters[7], "[C=',T=u16,n=2]");
}

#[test]
fn groups_are_given_or_the_module_below_the_target() {
    assert_eq!(case("plain").0.group, "registry");
    assert_eq!(
        case("inner::deeper::below").0.group,
        "registry::inner::deeper"
    );
    let (sort, _) = case("sort[n=1,kind=random]");
    assert_eq!((sort.group.as_str(), sort.name.as_str()), ("sort", "sort"));
    assert!(sort.reference);
    assert!(!case("plain").0.reference);
    assert_eq!(case("from_macro_b[value=4]").0.group, "family");
}

#[test]
fn arguments_are_listed_by_axis() {
    let (case, _) = case("sort[n=4,kind=sorted]");
    let arguments: Vec<(&str, &str)> = case
        .arguments
        .iter()
        .map(|a| (a.axis.as_str(), a.value.as_str()))
        .collect();
    assert_eq!(arguments, [("n", "4"), ("kind", "sorted")]);
}

#[test]
fn places_are_those_of_the_functions_names() {
    let source = include_str!("registry.rs");
    let line = |text: &str| {
        source
            .lines()
            .position(|line| line.starts_with(text))
            .map(|l| l + 1)
    };
    let (plain, _) = case("plain");
    assert!(plain.file.ends_with("registry.rs"), "{}", plain.file);
    assert_eq!(Some(plain.line as usize), line("fn plain()"));
    assert_eq!(
        Some(case("fill[n=100]").0.line as usize),
        line("pub(crate) fn fill(")
    );
}

#[test]
fn settings_reach_the_case() {
    let (case, options) = case("other name");
    assert_eq!(case.tags, ["slow", "io"]);
    assert_eq!(case.ignored.as_deref(), Some("needs a disk"));
    assert_eq!(
        options,
        CaseOptions {
            launches: Some(7),
            min_time_ns: Some(250_000_000),
            max_time_ns: Some(1_500_000_000),
            min_iterations: Some(1_000),
            precision: Some(0.025),
            timeout_ns: Some(120_000_000_000),
            ..CaseOptions::default()
        }
    );
}

#[test]
fn a_case_without_settings_has_none() {
    let (plain, options) = case("plain");
    assert_eq!((plain.ignored, plain.tags), (None, Vec::new()));
    assert_eq!(options, CaseOptions::default());
    let (ignored, options) = case("ignored");
    assert_eq!(ignored.ignored.as_deref(), Some(""));
    assert_eq!(options.precision, Some(0.01));
}

#[test]
fn labels_are_one_line_each_and_short() {
    assert_eq!(
        ids("hostile"),
        [
            "[text=]",
            "[text=a,b=c]]",
            "[text=new\\nline \\u{1b}[31m]",
            "[text=../..]",
            "[text=\u{1f980}]",
        ]
    );
    assert_eq!(ids("debug_label"), ["[kind=Random]", "[kind=Few(3)]"]);
}

#[test]
fn the_registered_functions_have_no_problems() {
    assert_eq!(Registered::new().problems(), [""; 0]);
}

#[test]
fn a_visit_ends_where_the_visitor_breaks_off() {
    use std::ops::ControlFlow;
    use tourbillon_engine::{Drive, Suite as _, Visitor};

    struct Until(u32);
    impl Visitor for Until {
        fn case(
            &mut self,
            _case: &Case,
            _options: &CaseOptions,
            _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
        ) -> ControlFlow<()> {
            self.0 -= 1;
            if self.0 == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
    // The fifth case is in the middle of a function's; one more would be an underflow.
    let mut visitor = Until(5);
    Registered::new().visit(&mut visitor);
    assert_eq!(visitor.0, 0);
}

#[test]
fn only_cases_that_are_wanted_are_offered() {
    use std::ops::ControlFlow;
    use tourbillon_engine::{Drive, Suite as _, Visitor};

    struct One<'c> {
        wanted: &'c Case,
        offered: Vec<Case>,
    }
    impl Visitor for One<'_> {
        fn wants(&self, id: &str) -> bool {
            id == self.wanted.id
        }

        fn case(
            &mut self,
            case: &Case,
            _options: &CaseOptions,
            _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
        ) -> ControlFlow<()> {
            self.offered.push(case.clone());
            ControlFlow::Continue(())
        }
    }
    let registered = Registered::new();
    let mut all = Vec::new();
    tourbillon_engine::each(&registered, &mut |case, _| all.push(case.clone()));
    assert!(all.len() > 20, "{}", all.len());
    for wanted in &all {
        let mut one = One {
            wanted,
            offered: Vec::new(),
        };
        registered.visit(&mut one);
        // Whole, with its own arguments.
        assert_eq!(one.offered.len(), 1, "{}", wanted.id);
        assert_eq!(&one.offered[0], wanted);
    }
}
