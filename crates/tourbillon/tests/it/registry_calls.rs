//! What a benchmark gets when its case is run, and what becomes of its result.

use std::cell::RefCell;
use std::fmt;

use tourbillon::private::Registered;
use tourbillon::{Bencher, bench};
use tourbillon_clock::Clock;
use tourbillon_engine::{Trouble, try_once};

thread_local! {
    /// What the benchmarks below were called with, on the thread of the test that runs them.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn called(with: impl fmt::Display) {
    CALLS.with_borrow_mut(|calls| calls.push(with.to_string()));
}

fn run(case: &str) -> (Result<(), Trouble>, Vec<String>) {
    CALLS.with_borrow_mut(Vec::clear);
    let id = format!("tourbillon/it::registry_calls::{case}");
    let clock = Clock::by_name("monotonic").expect("every platform has a monotonic clock");
    let outcome = try_once(&Registered::new(), &id, &clock);
    (outcome, CALLS.take())
}

fn failure(case: &str) -> String {
    match run(case) {
        (Err(Trouble::Failed(message)), _) => message,
        (outcome, _) => panic!("{case} failed in another way: {outcome:?}"),
    }
}

#[bench(args(n = [1, 2], kind = ["a", "b"]))]
fn body(kind: &str, mut n: usize) -> usize {
    n *= 10;
    called(format_args!("{kind}{n}"));
    n
}

#[bench(args(kind = ["a", "b"], n = [1, 2]))]
fn prepared(_: Bencher<'_>, n: usize, kind: &'static str) {
    called(format_args!("{kind}{n}"));
}

#[test]
fn values_reach_their_parameters() {
    assert_eq!(run("body[n=2,kind=a]"), (Ok(()), vec!["a20".to_owned()]));
    assert_eq!(run("prepared[kind=b,n=1]").1, ["b1"]);
}

#[test]
fn a_bencher_that_is_not_used_is_noticed() {
    assert_eq!(run("prepared[kind=b,n=1]").0, Err(Trouble::NoTerminal));
}

/// A value that is cloned for a benchmark with a `Bencher`.
#[derive(Clone, Debug)]
struct Owned(String);

fn cases() -> [Owned; 2] {
    ["x", "y"].map(|text| Owned(text.to_owned()))
}

// The names that the generated code might use itself: a function, values and a parameter.
#[bench(args = cases().into_iter().map(|value0| Owned(value0.0 + "!")))]
fn owned(bencher: Bencher<'_>, axis0: Owned) {
    bencher.iter(|| called(&axis0.0));
}

// The temporary lives while its cases are offered.
#[bench(args = &[Owned("t".repeat(2)), Owned("u".repeat(2))])]
fn by_reference(value: &Owned) -> usize {
    called(&value.0);
    value.0.len()
}

#[bench(args = ["p", "q"].map(String::from).iter().map(String::as_str))]
fn text(text: &str) -> &str {
    called(text);
    text
}

#[test]
fn owned_values_are_cloned_and_references_live_long_enough() {
    assert_eq!(
        run("owned[axis0=Owned(\"y!\")]"),
        (Ok(()), vec!["y!".to_owned()])
    );
    assert_eq!(
        run("by_reference[value=Owned(\"uu\")]"),
        (Ok(()), vec!["uu".to_owned()])
    );
    assert_eq!(run("text[text=q]"), (Ok(()), vec!["q".to_owned()]));
}

#[bench(args = [1_u8], types = [Vec<u8>, String])]
fn all_at_once<'b, T>(b: Bencher<'b>, n: impl Into<u64> + Copy)
where
    T: Default + 'b,
{
    b.iter(|| {
        called(std::any::type_name::<T>());
        called(n.into());
        T::default()
    });
}

#[bench(args = [1])]
const extern "C" fn qualified(n: u8) -> u8 {
    n + 1
}

#[bench(args = [(1, "one")])]
fn tuple(pair: (usize, &str)) -> usize {
    pair.0 + pair.1.len()
}

#[test]
fn generics_lifetimes_bounds_and_qualifiers_survive() {
    let (outcome, calls) = run("all_at_once[T=String,n=1]");
    assert_eq!(outcome, Ok(()));
    assert_eq!(calls, [std::any::type_name::<String>(), "1"]);
    assert_eq!(run("tuple[pair=(1, \"one\")]").0, Ok(()));
    assert_eq!(run("qualified[n=1]").0, Ok(()));
    const { assert!(qualified(1) == 2) };
}

#[bench]
fn body_returns_ok() -> Result<u8, String> {
    "7".parse().map_err(|_| "no number".to_owned())
}

#[bench]
fn body_fails() -> Result<u8, std::num::ParseIntError> {
    "x".parse()
}

#[bench]
fn benchmark_fails(_: Bencher<'_>) -> Result<(), Box<dyn std::error::Error>> {
    Err("no such file: data.json".into())
}

#[bench]
fn benchmark_is_fine(b: Bencher<'_>) -> Result<(), fmt::Error> {
    b.iter(|| called("body"));
    Ok(())
}

/// An error that only `Debug` shows.
#[derive(Debug)]
struct Code(#[expect(dead_code, reason = "read by `Debug`")] u8);

#[bench]
fn debugged_error(_: Bencher<'_>) -> Result<(), Code> {
    Err(Code(7))
}

/// An error that cannot be shown.
struct Unshown;

#[bench]
fn unshown_error() -> Result<u8, Unshown> {
    Err(Unshown)
}

#[bench]
fn opaque_output() -> impl Iterator<Item = u8> {
    called("opaque");
    0..3
}

#[test]
fn an_error_fails_the_case_with_its_text() {
    assert_eq!(run("body_returns_ok").0, Ok(()));
    assert_eq!(failure("body_fails"), "invalid digit found in string");
    assert_eq!(failure("benchmark_fails"), "no such file: data.json");
    assert_eq!(failure("debugged_error"), "Code(7)");
    assert!(failure("unshown_error").contains("Unshown, which cannot be shown"));
    assert_eq!(run("benchmark_is_fine"), (Ok(()), vec!["body".to_owned()]));
    assert_eq!(run("opaque_output"), (Ok(()), vec!["opaque".to_owned()]));
}

/// A bench target that forgot `harness = false` is a test binary, as this one is.
#[test]
fn the_standard_harness_says_what_is_missing() {
    let this = std::env::current_exe().expect("a running program has a file");
    let arguments = [
        "registry_calls::body_needs_harness_false",
        "--exact",
        "--color=never",
    ];
    let output = std::process::Command::new(this).args(arguments).output();
    let output = output.expect("the test binary runs itself");
    let text = String::from_utf8_lossy(&output.stdout);
    let expected = "test registry_calls::body_needs_harness_false ... ignored, not measured: \
                    write `harness = false` in the [[bench]] section of `it` in Cargo.toml \
                    and let its main call tourbillon::main()";
    assert!(text.contains(expected), "{text}");
}

/// Under `cargo bench` the program fails: an ignored test would be easy to miss.
#[test]
fn the_standard_harness_fails_where_it_was_to_measure() {
    let this = std::env::current_exe().expect("a running program has a file");
    let arguments = ["registry_calls::body_needs_harness_false", "--exact"];
    for (flag, code) in [("--nocapture", Some(0)), ("--bench", Some(1))] {
        let output = std::process::Command::new(&this)
            .args(arguments)
            .arg(flag)
            .output()
            .expect("the test binary runs itself");
        assert_eq!(output.status.code(), code, "{flag}: {output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        let message = "error: the benchmarks of this target were not measured; write \
                       `harness = false`";
        assert_eq!(text.contains(message), code == Some(1), "{text}");
    }
}
