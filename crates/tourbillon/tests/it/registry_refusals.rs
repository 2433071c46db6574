//! Uses of the attribute that the compiler refuses: each with its message, at the right token.
//!
//! The uses are written into a package of its own, one on each line, and checked together. A `«`
//! stands before the token that the message has to point at.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A use, and the message that it gets.
type Refused = (&'static str, &'static str);

/// Refused by the attribute.
const BY_THE_ATTRIBUTE: &[Refused] = &[
    // Options as such.
    (
        "#[bench(«arg = [1])] fn f(n: u8) {}",
        "unknown option `arg`; did you mean `args`?",
    ),
    (
        "#[bench(«max_tiem = \"2s\")] fn f() {}",
        "unknown option `max_tiem`; did you mean `max_time`?",
    ),
    (
        "#[bench(«time = \"1s\")] fn f() {}",
        "unknown option `time`; did you mean `min_time` or `max_time`?",
    ),
    (
        "#[bench(«counters = [1])] fn f() {}",
        "`counters` is divan's; here: `b.throughput(Bytes(n))` or `Items(n)` in the function",
    ),
    (
        "«#[tourbillon::bench_group(name = \"g\")] mod g {}",
        "`bench_group` is divan's; here: nothing, as the module is the group, or `group = \"..\"` of a benchmark; settings \
         belong to a benchmark or to tourbillon.toml",
    ),
    (
        "#[bench(«x = [1])] fn f() {}",
        "unknown option `x`; there are `args`, `types`, `consts`, `crate`, `modes`, `threads`, `group`, `name`, \
         `reference`, `tags`, `ignore`, `launches`, `min_time`, `max_time`, `min_iterations`, `precision`, `timeout`, `at_most`, `verify`, `clock`",
    ),
    (
        "#[bench(«modes = [latency])] fn f() {}",
        "`modes` is for a function with a `Bencher`: write fn f(b: Bencher<'_>, ..)",
    ),
    (
        "#[bench(«modes = latency)] fn f(b: tourbillon::Bencher<'_>) { b.function(1, |x| x) }",
        "`modes` is written modes = [throughput, latency]",
    ),
    (
        "#[bench(«modes = [])] fn f(b: tourbillon::Bencher<'_>) { b.function(1, |x| x) }",
        "`modes` is written modes = [throughput, latency]",
    ),
    (
        "#[bench(modes = [«fast])] fn f(b: tourbillon::Bencher<'_>) { b.function(1, |x| x) }",
        "a mode is `throughput` or `latency`",
    ),
    (
        "#[bench(modes = [latency, «latency])] fn f(b: tourbillon::Bencher<'_>) { b.function(1, |x| x) }",
        "`latency` is given twice; keep one",
    ),
    (
        "#[bench(args(mode = [1]), «modes = [latency])] fn f(b: tourbillon::Bencher<'_>, mode: u8) { b.function(mode, |x| x) }",
        "`modes` makes an axis `mode`, which is the name of a parameter; rename the parameter",
    ),
    (
        "#[bench(clock = «fast)] fn f() {}",
        "`clock` is written clock = cpu, or wall, user, kernel",
    ),
    (
        "#[bench(«clock)] fn f() {}",
        "`clock` is written clock = cpu, or wall, user, kernel",
    ),
    (
        "#[bench(«threads = [1, 2])] fn f() {}",
        "`threads` is for a function with a `Bencher`: write fn f(b: Bencher<'_>, ..)",
    ),
    (
        "#[bench(«threads = 4)] fn f(b: tourbillon::Bencher<'_>) { b.iter_threads(|_| || 1) }",
        "`threads` is written threads = [1, 2, 4]",
    ),
    (
        "#[bench(threads = «[])] fn f(b: tourbillon::Bencher<'_>) { b.iter_threads(|_| || 1) }",
        "the list is empty: write threads = [1, 2]",
    ),
    (
        "#[bench(threads = [1, «0])] fn f(b: tourbillon::Bencher<'_>) { b.iter_threads(|_| || 1) }",
        "`threads` must be at least 1",
    ),
    (
        "#[bench(launches «20)] fn f() {}",
        "`=` is missing: write launches = ..",
    ),
    (
        "#[bench(launches «=)] fn f() {}",
        "a value is missing: write launches = ..",
    ),
    (
        "#[bench(«\"slow\")] fn f() {}",
        "an option is a word, as in launches = 20",
    ),
    (
        "#[bench(launches = 2, «launches = 3)] fn f() {}",
        "`launches` is given twice; keep one",
    ),
    // Their values.
    (
        "#[bench(launches = «0)] fn f() {}",
        "`launches` takes a whole number from 1: write launches = 20",
    ),
    (
        "#[bench(launches = «-1)] fn f() {}",
        "`launches` takes a whole number from 1: write launches = 20",
    ),
    (
        "#[bench(min_iterations = «\"1\")] fn f() {}",
        "`min_iterations` takes a whole number from 1: write min_iterations = 20",
    ),
    (
        "#[bench(group = «sort)] fn f() {}",
        "`group` takes a string: write group = \"..\"",
    ),
    ("#[bench(name = «\" \")] fn f() {}", "`name` is empty"),
    (
        "#[bench(«group)] fn f() {}",
        "`group` is written group = \"sort\"",
    ),
    (
        "#[bench(«reference = true)] fn f() {}",
        "`reference` is written without a value",
    ),
    (
        "#[bench(«ignore(why))] fn f() {}",
        "`ignore` is written ignore, or ignore = \"why\"",
    ),
    (
        "#[bench(tags = «\"slow\")] fn f() {}",
        "`tags` is written tags = [\"slow\", \"io\"]",
    ),
    (
        "#[bench(tags = [\"slow\", «io])] fn f() {}",
        "a tag is a string that is not empty, as in \"slow\"",
    ),
    (
        "#[bench(max_time = «2)] fn f() {}",
        "`max_time` is a duration in quotes: a number and one of ns, us, µs, ms, s, m, min, h, such as \"1.5 s\"",
    ),
    (
        "#[bench(timeout = «\"2 sec\")] fn f() {}",
        "\"2 sec\" is not a duration: write a number and one of ns, us, µs, ms, s, m, min, h, such as \"1.5 s\"",
    ),
    (
        "#[bench(timeout = «\"0s\")] fn f() {}",
        "`timeout` must be above zero",
    ),
    (
        "#[bench(min_time = «\"2s\", max_time = \"1s\")] fn f() {}",
        "`min_time` is longer than `max_time`; make it shorter",
    ),
    (
        "#[bench(args = [1], at_most = «\"n!\")] fn f(n: u8) {}",
        "\"n!\" is no growth that can be distinguished from others: write one of \"1\", \"log n\", \"n\", \"n log n\", \"n^2\", \"n^3\"",
    ),
    (
        "#[bench(«at_most = \"n\")] fn f() {}",
        "`at_most` is about sizes: add args = doubling(1, 4096)",
    ),
    (
        "#[bench(precision = «1)] fn f() {}",
        "`precision` is a share between 0 and 1: write precision = 0.01, or \"1 %\"",
    ),
    (
        "#[bench(precision = «\"1\")] fn f() {}",
        "`precision` is a share between 0 and 1: write precision = 0.01, or \"1 %\"",
    ),
    // Values of the parameters.
    (
        "#[bench(«args)] fn f() {}",
        "`args` is written args = [1, 2], or args(size = [1, 2], kind = [\"a\", \"b\"])",
    ),
    (
        "#[bench(args = «[])] fn f(n: u8) {}",
        "the list is empty: write args = [1, 2]",
    ),
    (
        "#[bench(args(n = «[]))] fn f(n: u8) {}",
        "the list is empty: write n = [1, 2]",
    ),
    (
        "#[bench(«args())] fn f(n: u8) {}",
        "no parameter is named: write args(size = [1, 2])",
    ),
    (
        "#[bench(args(n «[1]))] fn f(n: u8) {}",
        "`=` is missing: write n = ..",
    ),
    ("#[bench(args(«n))] fn f(n: u8) {}", "write n = VALUES here"),
    (
        "#[bench(args(n = [1], «n = [2]))] fn f(n: u8) {}",
        "`n` has values already; keep one",
    ),
    (
        "#[bench(args(«sizes = [1]))] fn f(size: u8) {}",
        "no parameter is named `sizes`; did you mean `size`?",
    ),
    (
        "#[bench(args(«x = [1]))] fn f(size: u8, kind: u8) {}",
        "no parameter is named `x`; there are `size`, `kind`",
    ),
    (
        "#[bench(args(«x = [1]))] fn f() {}",
        "no parameter is named `x`; there are none",
    ),
    (
        "#[bench(«args = [1])] fn f() {}",
        "`f` has no parameter for these values; write fn f(n: usize)",
    ),
    (
        "#[bench(args = [1])] fn f(b: Bencher<'_>, «n: u8, kind: u8) {}",
        "`n` has no values: write args(n = [..], ..) with every parameter except a first `Bencher`",
    ),
    (
        "#[bench(args(n = [1]))] fn f(n: u8, «b: Bencher<'_>) {}",
        "`b` has no values: add b = [..] to args; only a `Bencher`, which comes first, needs none",
    ),
    (
        "#[bench] fn f(b: Bencher<'_>, «n: u8) {}",
        "`n` has no values: write #[bench(args = [..])]",
    ),
    (
        "#[bench] fn f(b: Bencher<'_>, «_: u8) {}",
        "this parameter has no values; give it a name and write args(name = [..])",
    ),
    (
        "#[bench(args = [(1, 2)])] fn f(«(a, b): (u8, u8)) {}",
        "an axis is named after its parameter; give this one a name",
    ),
    // Types.
    (
        "#[bench] fn f<«T>() {}",
        "`T` needs types: write #[bench(types = [A, B])]",
    ),
    (
        "#[bench(«types = [u8])] fn f() {}",
        "`f` has no type parameter for these types; write fn f<T>(..)",
    ),
    (
        "#[bench(types = «[])] fn f<T>() {}",
        "a type is missing: write types = [A, B]",
    ),
    (
        "#[bench(types = «u8)] fn f<T>() {}",
        "types stand in brackets: write types = [A, B]",
    ),
    (
        "#[bench(«types)] fn f<T>() {}",
        "`types` is written types = [A, B]",
    ),
    (
        "#[bench(types = [u8])] fn f<'a, T: Into<Vec<u8>>, «U>() {}",
        "a benchmark has at most one type parameter; write a type that stands for both",
    ),
    // Constants.
    (
        "#[bench] fn f<const «N: usize>() {}",
        "`N` needs values: write #[bench(consts = [1, 2])]",
    ),
    (
        "#[bench(«consts = [1])] fn f<'a>() {}",
        "`f` has no const parameter for these values; write fn f<const N: usize>(..)",
    ),
    (
        "#[bench(consts = «[])] fn f<const N: usize>() {}",
        "a value is missing: write consts = [1, 2]",
    ),
    (
        "#[bench(consts = «LIST)] fn f<const N: usize>() {}",
        "values stand in brackets: write consts = [1, 2]",
    ),
    (
        "#[bench(consts = [1])] fn f<const N: usize, const «M: usize>() {}",
        "a benchmark has at most one const parameter; make the other an ordinary one with args",
    ),
    // Functions.
    (
        "#[bench] «async fn f() {}",
        "an async function cannot be a benchmark; write a plain one that passes its body to `iter_async` of its `Bencher`",
    ),
    (
        "#[bench] pub «unsafe extern \"C\" fn f() {}",
        "a benchmark is called from safe code; remove this `unsafe` and write an unsafe block in the body",
    ),
    (
        "#[bench] «struct S;",
        "`bench` goes on a function: move it to one",
    ),
    (
        "#[bench] «const F: fn() = main;",
        "`bench` goes on a function: move it to one",
    ),
    (
        "struct S; impl S { #[bench] fn f(&«self) {} }",
        "a method cannot be a benchmark; move it out of the impl block and remove `self`",
    ),
    (
        "trait T { #[bench] fn «f(); }",
        "`f` has no body; move the attribute to a function with one",
    ),
];

/// Refused by the compiler, which reads types: the attribute does not see them.
const BY_TYPE: &[Refused] = &[
    (
        "#[bench] fn f(n: «usize) {}",
        "the first parameter of a benchmark is a `Bencher<'_>`, not `usize`: write `Bencher<'_>` here, or give the parameter values",
    ),
    (
        "#[bench] fn f(b: «&mut Bencher<'_>) {}",
        "the first parameter of a benchmark is a `Bencher<'_>`, not `&mut Bencher<'_>`: write `Bencher<'_>` here, or give the parameter values",
    ),
    (
        "#[bench(args = «[String::new()])] fn f(s: String) {}",
        "a benchmark without a `Bencher` gets a copy of its value for each call, but `String` is not `Copy`: values that are not `Copy`",
    ),
    (
        "#[derive(Clone)] struct S; #[bench(args = «[S])] fn f(_b: Bencher<'_>, s: S) {}",
        "a value of `S` cannot be shown in the name of a case: neither `Display` nor `Debug`",
    ),
    (
        "#[bench] fn f(b: Bencher<'_>) -> «u8 { b.iter(|| 1); 1 }",
        "a benchmark with a `Bencher` returns nothing or a `Result<(), E>`, not `u8`: returns `u8`",
    ),
];

#[test]
fn mistakes_are_reported_where_they_are() {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rejected");
    let sources = package.join("src/bin");
    std::fs::create_dir_all(&sources).expect("the directory for temporary files can be written");
    // The versions that this workspace was built with are on the machine already.
    let _ = std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"),
        package.join("Cargo.lock"),
    );
    let manifest = format!(
        "[package]\nname = \"rejected\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [dependencies]\ntourbillon = {{ path = {:?} }}\n",
        env!("CARGO_MANIFEST_DIR")
    );
    write(&package.join("Cargo.toml"), &manifest);
    let by_the_attribute = prepare(&sources, "by_the_attribute", BY_THE_ATTRIBUTE);
    let by_type = prepare(&sources, "by_type", BY_TYPE);

    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--keep-going",
            "--message-format=short",
            "--target-dir",
        ])
        .arg(package.join("target"))
        .current_dir(&package)
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stderr);
    let mut found: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("src") && line.contains(": error"))
        .map(|line| {
            line.replacen('\\', "/", 2)
                .replace("error[E0277]:", "error:")
                .replace("error[E0080]:", "error:")
        })
        .collect();
    found.sort();
    let mut expected = [by_the_attribute, by_type].concat();
    expected.sort();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected, "in all:\n{text}");
    }
    assert_eq!(found.len(), expected.len(), "{text}");
}

/// Writes a program with one refused use on each line, and returns the messages that the compiler must print.
fn prepare(sources: &Path, name: &str, uses: &[Refused]) -> Vec<String> {
    let mut source = String::from("#![allow(unused)]\nfn main() {}\n");
    let mut expected = Vec::new();
    for (index, (code, message)) in uses.iter().enumerate() {
        let prefix = format!("mod m{index} {{ use tourbillon::{{Bencher, bench}}; ");
        let (before, after) = code.split_once('«').expect("a use has a marked token");
        let column = prefix.len() + before.chars().count() + 1;
        writeln!(source, "{prefix}{before}{after} }}").expect("writing to a string");
        expected.push(format!(
            "src/bin/{name}.rs:{}:{column}: error: {message}",
            index + 3
        ));
    }
    write(&sources.join(format!("{name}.rs")), &source);
    expected
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the directory for temporary files can be written");
}
