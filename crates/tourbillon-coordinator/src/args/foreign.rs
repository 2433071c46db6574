//! Flags of other harnesses, each with the one to use here.

use super::flags::find;
use super::suite_flags::find_suite_flag;

/// Flags of divan that are not ours, and what to do instead. Those with our names and meanings are not among them.
const OF_DIVAN: &[(&str, &str)] = &[
    ("--sample-size", "here: --launches"),
    ("--sample-count", "here: --launches"),
    ("--threads", "here: #[bench(threads = [1, 2, 4])]"),
    ("--sortr", "here: --sort, in ascending order only"),
    (
        "--timer",
        "leave it out: the best clock is chosen, see cargo tourbillon clocks",
    ),
    (
        "--skip-ext-time",
        "leave it out: the result is the time of the body alone, and --max-time includes the making of inputs",
    ),
    ("--items-count", "here: Bencher::throughput(Items(N))"),
    ("--bytes-count", "here: Bencher::throughput(Bytes(N))"),
    ("--chars-count", "here: Bencher::throughput(Items(N))"),
    ("--cycles-count", "here: Bencher::throughput(Items(N))"),
    ("--bytes-format", "leave it out: rates are in decimal units"),
];

/// Those of the subcommand that bench programs have by another name.
const OF_SUBCOMMAND: &[(&str, &str)] = &[
    ("--time", "here: --max-time"),
    (
        "--filter",
        "here: a word without a flag, `cargo bench -- sort`",
    ),
];

/// What to do in place of a flag of another program, which may have a value after `=`; `None` for other flags.
///
/// # Examples
///
/// ```
/// let hint = tourbillon_coordinator::args::foreign_flag("--measurement-time=5");
/// assert_eq!(hint.as_deref(), Some("--measurement-time is criterion's; here: --max-time"));
/// ```
pub fn foreign_flag(flag: &str) -> Option<String> {
    let flag = flag.split('=').next().unwrap_or(flag);
    if find(flag).is_some() {
        return None;
    }
    let of_criterion = find_suite_flag(flag).map(|flag| flag.instead);
    let of_divan = OF_DIVAN.iter().find(|(name, _)| *name == flag);
    let (whose, instead) = match (of_criterion, of_divan) {
        (Some(instead), Some(_)) => ("criterion's and divan's", instead),
        (Some(instead), None) => ("criterion's", instead),
        (None, Some((_, instead))) => ("divan's", *instead),
        (None, None) => {
            let mut of_subcommand = OF_SUBCOMMAND.iter();
            let (_, instead) = of_subcommand.find(|(name, _)| *name == flag)?;
            ("cargo tourbillon's", *instead)
        }
    };
    Some(format!("{flag} is {whose}; {instead}"))
}
