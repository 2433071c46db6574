//! The flags of a bench program: one table, from which the help, the settings file and the messages come.

use std::ffi::OsStr;
use std::path::PathBuf;

use tourbillon_record::Metric;
use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};
use tourbillon_values::{choice, choices, count, duration, seed, share};

use super::flag::Flag;
use super::low::Format;
use crate::values::{ColorChoice, counters};

/// All flags, in the order of the help, each group with its heading.
pub(super) const GROUPS: [(&str, &[Flag]); 5] = [
    ("What to do (of several, the first in this list)", TASK),
    ("Which cases", CASES),
    ("How to measure", MEASURE),
    ("What to print and keep", OUTPUT),
    ("Accepted for test runners, without effect", ACCEPTED),
];

#[rustfmt::skip]
const TASK: &[Flag] = &[
    Flag::switch("--help", |low| low.help = true)
        .short("-h").typed_only()
        .help("print this help"),
    Flag::switch("--version", |low| low.version = true)
        .short("-V").typed_only()
        .help("print the version"),
    Flag::switch("--list", |low| low.list = true)
        .typed_only()
        .help("list the cases; with --format terse one `ID: benchmark` a line, with jsonl as in a record"),
    Flag::switch("--show-config", |low| low.show_config = true)
        .typed_only()
        .help(
            "print the settings that hold for this program and its cases, and where each comes from; with \
            --format jsonl the header of a record",
        ),
    Flag::switch("--test", |low| low.test = true)
        .typed_only()
        .help(
            "run each case once, in this process, without measuring; this is also what happens without \
            --bench, as under cargo test",
        ),
    Flag::switch("--bench", |low| low.bench = true)
        .typed_only()
        .help("measure; cargo bench passes this"),
    Flag::value("--profile-time", "T", |low, typed| put_some(&mut low.profile_time, read(typed, duration)))
        .typed_only()
        .help("run each case in this process for T without measuring, for a profiler to look at"),
];

#[rustfmt::skip]
const CASES: &[Flag] = &[
    Flag::switch("--exact", |low| low.exact = true)
        .help("filters and --skip are whole ids or printed names, not parts of them"),
    Flag::value("--skip", "PATTERN", |low, typed| add(&mut low.skip, typed))
        .repeated().selecting()
        .help("skip the cases that a filter PATTERN would select; may be repeated"),
    Flag::value("--tag", "TAG", |low, typed| add(&mut low.tags, typed))
        .repeated().selecting()
        .help("only cases with this tag; repeated: with any of them"),
    Flag::switch("--ignored", |low| low.ignored = true)
        .selecting().contradicts(&["--include-ignored"])
        .help("only the cases that are marked to be ignored"),
    Flag::switch("--include-ignored", |low| low.include_ignored = true)
        .help("the ignored cases as well"),
    Flag::value("--partition", "PART", |low, typed| put_some(&mut low.partition, read(typed, any_text)))
        .typed_only().selecting()
        .help(
            "one shard of the cases that the flags above select: hash:2/4 for the second of four by their \
            ids, slice:2/4 in turn, auto as the engine has numbered this process (Slurm, AWS Batch, \
            Buildkite, GitLab, CircleCI), auto/4 if it does not count them (Kubernetes, Nomad)",
        ),
];

#[rustfmt::skip]
const MEASURE: &[Flag] = &[
    Flag::value("--launches", "N", |low, typed| put_some(&mut low.options.launches, read(typed, launches)))
        .default("20 in 0.2s, 8 in 8s").of_case(|of| of.launches.map(|n| n.to_string()))
        .help("make N launches per case, each a fresh process, whatever they take"),
    Flag::value("--precision", "P", |low, typed| put_some(&mut low.options.precision, read(typed, precision)))
        .of_case(|of| of.precision.map(|share| format!("{}%", share * 100.0)))
        .help(
            "go on for up to 80 launches until the interval's half-width is below P of the estimate, such as \
            1%",
        ),
    Flag::value("--min-time", "T", |low, typed| put_some(&mut low.options.min_time_ns, read(typed, duration)))
        .of_case(|of| of.min_time_ns.map(time))
        .help("measure each case for at least T, all launches together, such as 500ms"),
    Flag::value("--max-time", "T", |low, typed| put_some(&mut low.options.max_time_ns, read(typed, duration)))
        .default("0.2s; 8s for eight launches").of_case(|of| of.max_time_ns.map(time))
        .help("measure each case for at most T, all launches together"),
    Flag::value("--min-iterations", "N", |low, typed| put_some(&mut low.options.min_iterations, read(typed, any_count)))
        .of_case(|of| of.min_iterations.map(|n| n.to_string()))
        .help("at least N iterations in each launch"),
    Flag::value("--timeout", "T", |low, typed| put_some(&mut low.options.timeout_ns, read(typed, duration)))
        .default("the larger of 30s and ten times its first call").of_case(|of| of.timeout_ns.map(time))
        .help("end a launch that shows no sign of life for T"),
    Flag::value("--against", "CASE", |low, typed| put_some(&mut low.against, read(typed, case_id)))
        .default("the references of the groups")
        .help(
            "compare the selected cases with this one, by their launches; a name without arguments stands for \
            each case that has the same arguments",
        ),
    Flag::value("--clock", "CLOCK", |low, typed| put_some(&mut low.options.metric, read(typed, |typed| choice(typed, &CLOCKS))))
        .default("wall").of_case(|of| of.metric.map(clock))
        .help("what to measure: wall, or processor time: cpu, and its parts user and kernel"),
    Flag::value("--counters", "COUNTERS", |low, typed| put(&mut low.counters, read(typed, counters)))
        .default("none").listed()
        .help(
            "count besides the time, in launches of their own (on Linux on x86-64): instructions, exactly, of ops that \
            cargo-tourbillon executes one instruction after the other; by counters of the processor cpu_cycles, \
            cpu_instructions, ipc, branches, branch_misses, cache_references, cache_misses; by the kernel minor_faults, \
            context_switches",
        ),
    Flag::value("--cpus", "LIST", |low, typed| put(&mut low.cpus, read(typed, str::parse)))
        .default("performance, or no pinning where all are alike").listed()
        .help("pin what is measured to these processors, such as 2 or 0,2-3; or to cores of a kind: performance, efficiency"),
    Flag::value("--seed", "SEED", |low, typed| put_some(&mut low.seed, read(typed, seed)))
        .default("a new one")
        .help(
            "the seed of all random choices, in hexadecimal digits as the header shows it, or 0d and decimal \
            ones",
        ),
    Flag::switch("--no-wait", |low| low.no_wait = true)
        .help("exit with 5, and do not wait, while another program measures on this machine"),
];

#[rustfmt::skip]
const OUTPUT: &[Flag] = &[
    Flag::value("--format", "FORMAT", |low, typed| put(&mut low.format, read(typed, |typed| choice(typed, &FORMATS))))
        .default("text").yields_to(&["--list", "--test", "--show-config"])
        .help(
            "text, or on stdout, with text on stderr: jsonl (one JSON object a line), csv, csv-semicolon \
            (with decimal commas), md (a Markdown table), json (one object), gnuplot (a script with its data), \
            libtest (lines of the standard library's #[bench]); terse goes with --list and --test",
        ),
    Flag::value("--columns", "NAMES", |low, typed| put(&mut low.columns, read(typed, |typed| choices(typed, &OptionalColumn::WORDS))))
        .default("none").listed()
        .help("add columns, such as mean,sd: ").words(OptionalColumn::help),
    Flag::value("--sort", "ORDER", |low, typed| put(&mut low.order, read(typed, |typed| choice(typed, &RowOrder::WORDS))))
        .default("source")
        .help("the order of cases in their groups: source, time or name"),
    Flag::value("--color", "WHEN", |low, typed| put(&mut low.color, read(typed, |typed| choice(typed, &ColorChoice::WORDS))))
        .default("auto").yields_to(&["NO_COLOR", "CLICOLOR_FORCE"])
        .help("auto, always or never"),
    Flag::switch("--quiet", |low| low.quiet = true)
        .short("-q")
        .help("results and failures only"),
    Flag::switch("--verbose", |low| low.verbose = true)
        .short("-v")
        .help("all facts about the machine and the build, and all warnings"),
    Flag::switch("--nocapture", |low| low.no_capture = true)
        .alias_of("--no-capture")
        .help("show what benchmarks print, on stderr while measuring"),
    Flag::switch("--no-capture", |low| low.no_capture = true)
        .help("the same"),
    Flag::value("--save", "NAME", |low, typed| put_some(&mut low.save, read(typed, name)))
        .contradicts(&["--no-store"])
        .help("keep the results under this name too, as a baseline"),
    Flag::value("--baseline", "NAME", |low, typed| put_some(&mut low.baseline, read(typed, name)))
        .help("show ratios to the results saved under this name, not to those of the last run"),
    Flag::value("--store", "DIR", |low, typed| put_some(&mut low.store, path(typed, "the folder of the store")))
        .default("tourbillon in the target folder").contradicts(&["--no-store"]).yields_to(&["TOURBILLON_STORE"])
        .help("keep the record of the run in this folder"),
    Flag::switch("--no-store", |low| low.no_store = true)
        .help("keep no record"),
    Flag::value("--config", "FILE", |low, typed| put_some(&mut low.config, path(typed, "a file, or none")))
        .typed_only()
        .help(
            "take defaults of flags from FILE; none for no file [tourbillon.toml in the folder of the \
            package, or above it in the workspace]; attributes and flags take precedence over it",
        ),
];

#[rustfmt::skip]
const ACCEPTED: &[Flag] = &[
    Flag::switch("--show-output", |_| ())
        .help("what failing cases print is always shown"),
    Flag::value("--test-threads", "N", |_, typed| read(typed, any_count).map(drop))
        .help("one case runs at a time"),
    Flag::switch("--report-time", |_| ())
        .help("test mode reads no clock"),
    Flag::switch("--shuffle", |_| ())
        .help("launches are always shuffled"),
    Flag::value("--shuffle-seed", "N", |_, _| Ok(()))
        .help("see --seed"),
    Flag::value("-Z", "NAME", |_, _| Ok(()))
        .help("as in -Z unstable-options"),
];

/// All flags, in the order of the help.
pub fn all() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|(_, flags)| *flags)
}

/// Whether a flag says how a run measures, which a comparison does in its own way.
#[must_use]
pub fn is_of_measuring(name: &str) -> bool {
    MEASURE
        .iter()
        .any(|flag| flag.names().any(|known| known == name))
}

/// The flag of a name; `None` for an unknown one.
pub fn find(name: &str) -> Option<&'static Flag> {
    all().find(|flag| flag.names().any(|known| known == name))
}

/// Whether a word is a flag of a bench program: it is no value of the flag before it, unless it is attached to that, as
/// in `--skip=--list`.
pub fn is_flag(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| find(word).is_some())
}

/// The name of a flag in the settings: that of its own, also for a short one or another name of it.
pub(super) fn own_name(name: &str) -> &str {
    match find(name) {
        Some(flag) if flag.alias_of.is_empty() => flag.name,
        Some(flag) => flag.alias_of,
        None => name,
    }
}

/// Names of formats; `pretty` is the name of the built-in test harness for its default.
const FORMATS: [(&str, Format); 10] = [
    ("text", Format::Text),
    ("jsonl", Format::Jsonl),
    ("csv", Format::ReportFormat(ReportFormat::Csv)),
    (
        "csv-semicolon",
        Format::ReportFormat(ReportFormat::CsvSemicolon),
    ),
    ("md", Format::ReportFormat(ReportFormat::Markdown)),
    ("json", Format::ReportFormat(ReportFormat::Json)),
    ("gnuplot", Format::ReportFormat(ReportFormat::Gnuplot)),
    ("libtest", Format::ReportFormat(ReportFormat::Libtest)),
    ("terse", Format::Terse),
    ("pretty", Format::Text),
];

/// Names of clocks, and what they measure.
const CLOCKS: [(&str, Metric); 4] = [
    ("wall", Metric::Time),
    ("cpu", Metric::CpuTime),
    ("user", Metric::UserTime),
    ("kernel", Metric::KernelTime),
];

/// Most launches of a case: far beyond what any interval gains from.
const MOST_LAUNCHES: u64 = 10_000;

fn put<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    *field = value?;
    Ok(())
}

fn put_some<T>(field: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *field = Some(value?);
    Ok(())
}

fn add(field: &mut Vec<String>, typed: &OsStr) -> Result<(), String> {
    field.push(read(typed, any_text)?);
    Ok(())
}

fn read<T>(typed: &OsStr, read: impl FnOnce(&str) -> Result<T, String>) -> Result<T, String> {
    utf8(typed).and_then(read)
}

pub(super) fn utf8(typed: &OsStr) -> Result<&str, String> {
    let text = typed.to_str();
    text.ok_or_else(|| format!("{typed:?} is not valid UTF-8"))
}

fn path(typed: &OsStr, what: &str) -> Result<PathBuf, String> {
    if typed.is_empty() {
        return Err(format!("the path is empty; write {what}"));
    }
    Ok(PathBuf::from(typed))
}

fn any_text(typed: &str) -> Result<String, String> {
    Ok(typed.to_owned())
}

fn any_count(typed: &str) -> Result<u64, String> {
    count(typed, u64::MAX)
}

fn launches(typed: &str) -> Result<u32, String> {
    let launches = count(typed, MOST_LAUNCHES)?;
    Ok(launches as u32)
}

fn case_id(typed: &str) -> Result<String, String> {
    not_empty(typed, "the id is empty; --list shows the ids of the cases")
}

/// The name of a baseline.
fn name(typed: &str) -> Result<String, String> {
    not_empty(typed, "the name is empty; write one such as main")
}

fn not_empty(typed: &str, otherwise: &str) -> Result<String, String> {
    if typed.trim().is_empty() {
        return Err(otherwise.to_owned());
    }
    Ok(typed.to_owned())
}

/// A relative half-width.
fn precision(typed: &str) -> Result<f64, String> {
    let share = share(typed)?;
    if share > 0.0 && share < 1.0 {
        return Ok(share);
    }
    Err(format!(
        "{typed:?} is not between 0 and 100 %; write 1% or 0.01"
    ))
}

/// The name of the clock that measures a metric.
fn clock(metric: Metric) -> String {
    let named = CLOCKS.iter().find(|(_, clock)| *clock == metric);
    let (name, _) = named.unwrap_or(&CLOCKS[0]);
    (*name).to_owned()
}

/// Nanoseconds in the largest unit that has a whole number of them.
fn time(ns: u64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let unit = units.into_iter().find(|(size, _)| ns.is_multiple_of(*size));
    let (size, unit) = unit.unwrap_or((1, "ns"));
    format!("{}{unit}", ns / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_numbers() {
        for (ns, expected) in [
            (0, "0s"),
            (90_000_000_000, "90s"),
            (1_500_000_000, "1500ms"),
            (250_000, "250us"),
            (1_001, "1001ns"),
        ] {
            assert_eq!(time(ns), expected);
        }
    }
}
