//! The `bench` attribute, and the hash of source files.
//!
//! Both are written on the compiler's own token type alone, so that a bench crate does not have to
//! build a parser of the whole language first. What it reads of a function is its signature; the
//! function itself is handed back as it came, with `#[inline]` where it is the body.

#![forbid(unsafe_code)]

mod axes;
mod compiler;
mod digest;
mod duration;
mod error;
mod expand;
mod listed;
mod literal;
mod nearest;
mod options;
mod setting;
mod shorten;
mod signature;
mod split;
mod template;
mod ways;

use proc_macro::TokenStream;

/// Registers a function as a benchmark.
///
/// A function without a `Bencher` parameter is the body itself: it is called again and again, what
/// it returns is kept, and its arguments are hidden from the optimiser. It gets `#[inline]`, so that
/// no call is timed, unless it has an attribute that names `inline`. A function whose first
/// parameter is a `Bencher<'_>` prepares what it needs and hands over its body with a terminal such
/// as `iter`.
///
/// ```ignore
/// #[bench]
/// fn concat() -> String {
///     hide("a").to_owned() + "b"
/// }
///
/// #[bench(args(n = doubling(100, 1_638_400), kind = ["random", "sorted"]), group = "sort")]
/// fn sort(b: Bencher<'_>, n: usize, kind: &str) {
///     b.with_inputs(|| data(n, kind)).iter_mut(|v| v.sort_unstable());
/// }
/// ```
///
/// # Options
///
/// | option | meaning |
/// |---|---|
/// | `args = VALUES` | values of the only parameter: anything that can be iterated over |
/// | `args(a = VALUES, b = VALUES)` | values by parameter name: all combinations, the first axis varies slowest |
/// | `types = [A, B<C>]` | types for the function's type parameter; it varies slower than `args` |
/// | `modes = [throughput, latency]` | a case for each, measured by `Bencher::function` |
/// | `threads = [1, 2, 4]` | a case for each number of threads, measured by `Bencher::iter_threads` |
/// | `group = "..."` | heading under which the benchmark is shown, instead of its module |
/// | `name = "..."` | name in place of the function's |
/// | `reference` | the others of the group are compared with this one |
/// | `tags = ["...", ..]` | words to select benchmarks by |
/// | `ignore`, `ignore = "why"` | left out unless asked for |
/// | `launches = N` | rounds of fresh processes at most |
/// | `min_time = "..."`, `max_time = "..."` | bounds of the time for measuring each case, such as `"500ms"` or `"1.5 s"` |
/// | `min_iterations = N` | fewest iterations in each visit |
/// | `precision = 0.01` or `"1%"` | half-width of the interval at which measuring stops, relative to the estimate |
/// | `at_most = "n log n"` | fails the benchmark (exit code 3) when its time grows faster with the last numeric axis, by more than a factor of log n: `1`, `log n`, `n`, `n log n`, `n^2` or `n^3` |
/// | `timeout = "..."` | time without a sign of life after which a visit counts as hanging |
/// | `crate = path` | path of the `tourbillon` crate where it has another name |
///
/// Values are evaluated in every process that looks for a case, so they have to be the same each
/// time. They are shown by `Display`, else by `Debug`. A benchmark with a `Bencher` gets a clone of
/// each, one without gets a copy for each call, so that no clone is timed.
///
/// # Results
///
/// A body whose output is an `Err` fails its case, and so does a benchmark with a `Bencher` that
/// returns one: it returns nothing or a `Result<(), E>`.
///
/// # The bench target
///
/// Its section in `Cargo.toml` needs `harness = false`, and its `main` calls `tourbillon::main()`.
/// Without `harness = false` nothing would be measured; the attribute therefore leaves an ignored
/// test behind, which the standard harness lists with what is missing.
#[proc_macro_attribute]
pub fn bench(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attribute, item)
}

/// The hash of the files whose paths are listed, seen from the folder of the package: a string literal of
/// sixteen hexadecimal digits.
///
/// The engine says by it which version of itself measured. The files have to be modules of the crate, or
/// the compiler does not look at them again when they change.
///
/// ```ignore
/// static IDENTITY: &str = tourbillon_macros::digest!("src/loops.rs", "src/keep.rs");
/// ```
#[proc_macro]
pub fn digest(list: TokenStream) -> TokenStream {
    digest::expand(list)
}
