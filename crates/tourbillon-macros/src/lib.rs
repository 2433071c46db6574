//! The `bench` attribute of [Tourbillon](https://example.com/OWNER/tourbillon), and the hash of source files.
//!
//! Use the attribute as `tourbillon::bench`. It is written on the compiler's own tokens, so that a bench
//! crate does not build a parser of the whole language first. It reads the signature of a function; the
//! function itself stays as it is, with `#[inline]` where it is the body.

#![forbid(unsafe_code)]

mod axes;
mod axis;
mod compiler;
mod digest;
mod expand;
mod options;
mod setting;
mod shorten;
mod signature;
mod tokens;
mod value;

use proc_macro::{Literal, TokenStream, TokenTree};

/// Registers a function as a benchmark.
///
/// A function without a `Bencher` parameter is the body itself: it is called again and again, what
/// it returns is kept, and its arguments are hidden from the optimiser. It gets `#[inline]`, so that
/// no call is timed, unless it has an attribute that names `inline`. A function whose first
/// parameter is a `Bencher<'_>` prepares what it needs and passes its body to a method such as `iter`.
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
/// Import it by name, `use tourbillon::bench`, or write `#[tourbillon::bench]`: after
/// `use tourbillon::*` alone, `#[bench]` is ambiguous, because the compiler has an attribute of that name.
///
/// # Options
///
/// | option | meaning |
/// |---|---|
/// | `args = VALUES` | values of the only parameter: anything that can be iterated over |
/// | `args(a = VALUES, b = VALUES)` | values by parameter name: all combinations, the first axis varies slowest |
/// | `types = [A, B<C>]` | types for the function's type parameter; it varies slower than `args` |
/// | `consts = [1, N]` | values for the function's const parameter; it varies slower than `args` |
/// | `modes = [throughput, latency]` | a case for each, measured by `Bencher::function` |
/// | `threads = [1, 2, 4]` | a case for each number of threads, measured by `Bencher::iter_threads` |
/// | `group = "..."` | heading under which the benchmark is shown, instead of its module |
/// | `name = "..."` | name in place of the function's |
/// | `reference` | the others of the group are compared with this one |
/// | `tags = ["...", ..]` | words to select benchmarks by |
/// | `ignore`, `ignore = "why"` | skipped unless selected with `--ignored` or `--include-ignored` |
/// | `clock = cpu` | measures processor time, or with `user` and `kernel` a part of it, in place of `wall` time |
/// | `launches = N` | at most N fresh processes for each case |
/// | `min_time = "..."`, `max_time = "..."` | bounds of the time for measuring each case, such as `"500ms"` or `"1.5 s"` |
/// | `min_iterations = N` | fewest iterations in each launch |
/// | `precision = 0.01` or `"1%"` | half-width of the interval at which measuring stops, relative to the estimate |
/// | `at_most = "n log n"` | fails the benchmark (exit code 3) when its time grows faster with the last numeric axis, by more than a factor of log n: `1`, `log n`, `n`, `n log n`, `n^2` or `n^3` |
/// | `timeout = "..."` | time without a sign of life after which a launch counts as hanging |
/// | `crate = path` | path of the `tourbillon` crate where it has another name |
///
/// Every process that looks for a case evaluates the values, so they have to be the same each time. A
/// benchmark with a `Bencher` gets a clone of each, one without gets a copy for each call, so that no
/// clone is timed.
///
/// A value is named by its `Display`, else by its `Debug`. The `Debug` of a struct is shortened to the
/// values of its fields: `Size { width: 2, height: 3 }` is named `Size(2, 3)`.
///
/// # Results
///
/// A body whose output is an `Err` fails its case, and so does a benchmark with a `Bencher` that
/// returns one: it returns nothing or a `Result<(), E>`.
///
/// # The bench target
///
/// Its section in `Cargo.toml` needs `harness = false`, and its `main` calls `tourbillon::main()`.
/// Without `harness = false` nothing would be measured: `cargo bench` then fails with a message, and
/// `cargo test` lists an ignored test with the reason.
#[proc_macro_attribute]
pub fn bench(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attribute, item)
}

/// Divan's attribute of a group, which does not exist here: what to write instead.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn bench_group(_options: TokenStream, module: TokenStream) -> TokenStream {
    options::without_groups(module)
}

/// The hash of the listed files, whose paths are relative to the package: a string literal of sixteen
/// hexadecimal digits.
///
/// The engine records with it which version of itself measured. The files have to be modules of the crate:
/// the compiler does not look at others again when they change.
///
/// ```ignore
/// static IDENTITY: &str = tourbillon_macros::digest!("src/loops.rs", "src/keep.rs");
/// ```
#[proc_macro]
pub fn digest(list: TokenStream) -> TokenStream {
    digest::expand(list)
}

/// The flags of this compilation that decide what code it becomes: a string literal, empty outside of the compiler. The
/// main program of a suite of criterion has no attribute that sees them.
#[doc(hidden)]
#[proc_macro]
pub fn compiler_flags(_nothing: TokenStream) -> TokenStream {
    TokenTree::from(Literal::string(&compiler::flags())).into()
}
