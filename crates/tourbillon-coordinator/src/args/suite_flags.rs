//! The flags of suites of criterion: one table, from which the help and the command line of suites come, and the hints of
//! bench programs, which do not have these flags.

/// A flag of a suite.
#[derive(Clone, Copy, Debug)]
pub struct SuiteFlag {
    /// Its names, in the order of the help: a short one, its own, another one.
    pub names: &'static [&'static str],
    /// The name of its value; empty for a switch.
    pub value: &'static str,
    /// What it does. Empty where the flag after it has the help of both, or where none in the group needs one.
    pub help: &'static str,
    /// What to do in a bench program; empty for a flag that bench programs have, too.
    pub instead: &'static str,
    /// Why it has no effect; empty for a flag that has one.
    pub without_effect: &'static str,
}

impl SuiteFlag {
    const fn switch(names: &'static [&'static str]) -> SuiteFlag {
        SuiteFlag::value(names, "")
    }

    const fn value(names: &'static [&'static str], value: &'static str) -> SuiteFlag {
        SuiteFlag {
            names,
            value,
            help: "",
            instead: "",
            without_effect: "",
        }
    }

    const fn help(self, help: &'static str) -> SuiteFlag {
        SuiteFlag { help, ..self }
    }

    const fn instead(self, instead: &'static str) -> SuiteFlag {
        SuiteFlag { instead, ..self }
    }

    const fn without_effect(self, without_effect: &'static str) -> SuiteFlag {
        SuiteFlag {
            without_effect,
            ..self
        }
    }

    /// Its own name, which is long.
    pub fn name(&self) -> &'static str {
        let mut long = self.names.iter().filter(|name| name.starts_with("--"));
        long.next().unwrap_or(&"")
    }
}

/// All flags of suites, in the order of the help. Those of a heading that bench programs have are added there, or take the
/// place of a flag of the same name.
#[rustfmt::skip]
pub const SUITE_GROUPS: [(&str, &[SuiteFlag]); 5] = [
    ("What to do (of several, the first in this list)", &[
        SuiteFlag::value(&["--profile-time"], "S")
            .help("run each benchmark in this process for S seconds, with the profiler of the suite"),
        SuiteFlag::value(&["--load-baseline"], "NAME")
            .help("run nothing; compare the results of this name with those of --baseline")
            .instead("here: cargo tourbillon show NAME"),
    ]),
    ("Which cases", &[
        SuiteFlag::switch(&["--exact"])
            .help("filters and --skip are whole ids, not regular expressions"),
        SuiteFlag::value(&["--skip"], "PATTERN")
            .help("skip the benchmarks in whose id this expression is found; may be repeated"),
    ]),
    ("How to measure", &[
        SuiteFlag::value(&["--warm-up-time"], "S")
            .instead("leave it out: each launch warms up until its times are steady"),
        SuiteFlag::value(&["--measurement-time"], "S")
            .help("their sum is what eight launches of a benchmark may take, in seconds [3 and 5]")
            .instead("here: --max-time"),
        SuiteFlag::switch(&["--quick"])
            .help("as --launches 8")
            .instead("here: --launches 8"),
        SuiteFlag::value(&["--against"], "CASE")
            .help("compare the selected benchmarks with this one"),
    ]),
    ("What to print and keep", &[
        SuiteFlag::value(&["--output-format"], "FORMAT")
            .help("criterion or bencher: lines on stdout [criterion on a pipe, a table on a terminal]")
            .instead("here: --format"),
        SuiteFlag::value(&["--noise-threshold"], "F")
            .help("report no change that may be smaller [0.01]")
            .instead("here: --margin of cargo tourbillon compare"),
        SuiteFlag::value(&["-c", "--color", "--colour"], "WHEN")
            .help("auto, always or never [auto]")
            .instead("here: --color"),
        SuiteFlag::value(&["-s", "--save-baseline"], "NAME")
            .help("compare with the results of this name, and replace them; as --save, too")
            .instead("here: --save"),
        SuiteFlag::value(&["-b", "--baseline"], "NAME")
            .help("compare with the results of this name, which have to exist")
            .instead("here: --baseline"),
        SuiteFlag::value(&["--baseline-lenient"], "NAME")
            .help("compare where there are results of this name")
            .instead("here: --baseline"),
        SuiteFlag::switch(&["--discard-baseline"])
            .help("write no files and keep no record")
            .instead("here: --no-store"),
        SuiteFlag::switch(&["-n", "--noplot"])
            .help("write no page")
            .instead("leave it out: `cargo tourbillon report` draws pictures of runs"),
    ]),
    ("Accepted as by criterion, without effect", &[
        SuiteFlag::value(&["--sample-size"], "N")
            .instead("here: --launches")
            .without_effect("launches are counted, by --launches"),
        SuiteFlag::value(&["--nresamples"], "N")
            .instead("leave it out: intervals are made without resampling")
            .without_effect("intervals are order statistics of the launches, without resampling"),
        SuiteFlag::value(&["--confidence-level"], "F")
            .instead("leave it out: intervals hold at 99 %")
            .without_effect("the confidence of intervals is 99 %"),
        SuiteFlag::value(&["--significance-level"], "F")
            .instead("here: --confidence of cargo tourbillon compare")
            .without_effect("a change is reported where the 99 % intervals of both runs are apart"),
        SuiteFlag::value(&["--plotting-backend"], "NAME")
            .instead("leave it out: `cargo tourbillon report` draws pictures of runs")
            .without_effect("cargo tourbillon report draws a run"),
    ]),
];

/// The flag of a suite of a name; `None` for another flag.
pub fn find_suite_flag(name: &str) -> Option<&'static SuiteFlag> {
    let mut flags = SUITE_GROUPS.iter().flat_map(|(_, flags)| *flags);
    flags.find(|flag| flag.names.contains(&name))
}
