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
        "leave it out: there are no plots",
    ),
    (&["--save-baseline", "-s"], CRITERION, "here: --save"),
    (&["--discard-baseline"], CRITERION, "here: --no-store"),
    (&["-b", "--baseline-lenient"], CRITERION, "here: --baseline"),
    (
        &["--load-baseline"],
        CRITERION,
        "here: cargo tourbillon compare",
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
        "here: --gate of cargo tourbillon compare",
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
    (&["--quick"], CRITERION, "here: --precision"),
    (
        &["--plotting-backend"],
        CRITERION,
        "leave it out: there are no plots",
    ),
    (&["--output-format"], CRITERION, "here: --format"),
    (&["--sample-count"], DIVAN, "here: --launches"),
    (&["--threads"], DIVAN, "here: #[bench(threads = [1, 2, 4])]"),
    (
        &["--sort", "--sortr"],
        DIVAN,
        "leave it out: cases come in the order of the source",
    ),
    (
        &["--timer"],
        DIVAN,
        "leave it out: the best clock is chosen, see cargo tourbillon clocks",
    ),
    (
        &["--skip-ext-time"],
        DIVAN,
        "leave it out: only time in the body counts",
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

/// What to do in place of a flag of another harness.
pub(super) fn hint(flag: &str) -> Option<String> {
    let (_, whose, instead) = FLAGS.iter().find(|(names, ..)| names.contains(&flag))?;
    Some(format!("{flag} is {whose}; {instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All flags of criterion 0.8.2 and divan 0.1.21, long and short, except those for test runners that
    /// every harness takes.
    const OF_CRITERION: &str = "--color -c --verbose -v --quiet --noplot -n --save-baseline -s \
        --discard-baseline --baseline -b --baseline-lenient --list --format --ignored --exact \
        --profile-time --load-baseline --sample-size --warm-up-time --measurement-time --nresamples \
        --noise-threshold --confidence-level --significance-level --quick --test --bench \
        --plotting-backend --output-format --nocapture --show-output --include-ignored --help -h \
        --version -V";
    const OF_DIVAN: &str = "--test --list --color --skip --exact --ignored --include-ignored --sort \
        --sortr --timer --sample-count --sample-size --threads --min-time --max-time --skip-ext-time \
        --items-count --bytes-count --bytes-format --chars-count --cycles-count --format --bench \
        --nocapture --show-output --help -h --version -V";

    #[test]
    fn every_flag_of_criterion_and_divan_is_ours_or_has_a_hint() {
        for (whose, flags) in [("criterion's", OF_CRITERION), ("divan's", OF_DIVAN)] {
            for flag in flags.split_whitespace() {
                match hint(flag) {
                    Some(hint) => assert!(hint.contains(whose), "{hint}"),
                    None => assert!(
                        super::super::low::names().any(|(name, _)| name == flag),
                        "{flag} of {whose} has no hint"
                    ),
                }
            }
        }
    }

    #[test]
    fn no_flag_of_ours_has_a_hint() {
        for (flag, _) in super::super::low::names() {
            assert_eq!(hint(flag), None, "{flag}");
        }
    }

    #[test]
    fn a_hint_names_the_harness_and_the_flag() {
        assert_eq!(
            hint("--measurement-time").as_deref(),
            Some("--measurement-time is criterion's; here: --max-time")
        );
        assert_eq!(hint("--luanches"), None);
    }
}
