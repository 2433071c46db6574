//! Flags of other harnesses, each with the one to use here.

const CRITERION: &str = "criterion's";
const DIVAN: &str = "divan's";
const BOTH: &str = "criterion's and divan's";

/// Flags that are not ours, whose they are, and what to do instead. Those with our names and meanings are
/// not among them.
const FLAGS: &[(&[&str], &str, &str)] = &[
    (&["-c"], CRITERION, "here: --color"),
    (
        &["--noplot", "-n"],
        CRITERION,
        "leave it out: `cargo tourbillon report` draws pictures of runs",
    ),
    (&["--save-baseline", "-s"], CRITERION, "here: --save"),
    (&["--discard-baseline"], CRITERION, "here: --no-store"),
    (&["-b", "--baseline-lenient"], CRITERION, "here: --baseline"),
    (
        &["--load-baseline"],
        CRITERION,
        "here: cargo tourbillon show NAME",
    ),
    (&["--sample-size"], BOTH, "here: --launches"),
    (
        &["--warm-up-time"],
        CRITERION,
        "leave it out: each launch warms up until its times are steady",
    ),
    (&["--measurement-time"], CRITERION, "here: --max-time"),
    (
        &["--nresamples"],
        CRITERION,
        "leave it out: intervals are made without resampling",
    ),
    (
        &["--noise-threshold"],
        CRITERION,
        "here: --margin of cargo tourbillon compare",
    ),
    (
        &["--confidence-level"],
        CRITERION,
        "leave it out: intervals hold at 99 %",
    ),
    (
        &["--significance-level"],
        CRITERION,
        "here: --confidence of cargo tourbillon compare",
    ),
    (&["--quick"], CRITERION, "here: --launches 8"),
    (
        &["--plotting-backend"],
        CRITERION,
        "leave it out: `cargo tourbillon report` draws pictures of runs",
    ),
    (&["--output-format"], CRITERION, "here: --format"),
    (&["--sample-count"], DIVAN, "here: --launches"),
    (&["--threads"], DIVAN, "here: #[bench(threads = [1, 2, 4])]"),
    (&["--sortr"], DIVAN, "here: --sort, in ascending order only"),
    (
        &["--timer"],
        DIVAN,
        "leave it out: the best clock is chosen, see cargo tourbillon clocks",
    ),
    (
        &["--skip-ext-time"],
        DIVAN,
        "leave it out: the result is the time of the body alone, and --max-time includes the making of inputs",
    ),
    (
        &["--items-count"],
        DIVAN,
        "here: Bencher::throughput(Items(N))",
    ),
    (
        &["--bytes-count"],
        DIVAN,
        "here: Bencher::throughput(Bytes(N))",
    ),
    (
        &["--chars-count"],
        DIVAN,
        "here: Bencher::throughput(Items(N))",
    ),
    (
        &["--cycles-count"],
        DIVAN,
        "here: Bencher::throughput(Items(N))",
    ),
    (
        &["--bytes-format"],
        DIVAN,
        "leave it out: rates are in decimal units",
    ),
];

/// What to do in place of a flag of another harness, which may have a value after `=`; `None` for other flags.
///
/// # Examples
///
/// ```
/// let hint = tourbillon_coordinator::values::foreign_flag("--measurement-time=5");
/// assert_eq!(hint.as_deref(), Some("--measurement-time is criterion's; here: --max-time"));
/// ```
pub fn foreign_flag(flag: &str) -> Option<String> {
    let flag = flag.split('=').next().unwrap_or(flag);
    let (_, whose, instead) = FLAGS.iter().find(|(names, ..)| names.contains(&flag))?;
    Some(format!("{flag} is {whose}; {instead}"))
}
