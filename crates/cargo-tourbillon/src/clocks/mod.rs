//! `cargo tourbillon clocks`: every time source of the machine.

mod cores;
mod deltas;
mod isolation;
mod machine;
mod measure;
mod report;
mod table;
mod winstl;

#[cfg(test)]
mod fictitious;

use std::path::Path;
use tourbillon_present::kind::CLOCKS;

use clap::{ArgGroup, Args, value_parser};
use tourbillon_clock::{Anchor, Clock, CrossCheck};
use tourbillon_present::Document;
use tourbillon_timers::TscReport;
use tourbillon_timers::characterise::{Collector, Effort};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::named_file;

use self::deltas::SourceDeltas;
use self::measure::{EXAMINED_NS, Subject};
use self::report::{Machine, Named, Report};
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::screen::ProgressLine;

pub(crate) use self::isolation::run_rival;

const AFTER: &str = "\
Examples:
  cargo tourbillon clocks
  cargo tourbillon clocks --format json > here.json
  cargo tourbillon clocks here.json there.json
  cargo tourbillon clocks --source monotonic --deltas";

/// How long interruptions are watched.
const WATCH_NS: u64 = 2_000_000_000;
/// The shortest gap that counts as an interruption: no reading takes a microsecond.
const GAP_NS: u64 = 1_000;
/// Least similarity of names, from 0 to 1, for a suggestion.
const ALIKE: f64 = 0.7;

/// Show what every time source of this machine counts and costs
///
/// One row for each source: its nominal tick, the step by which it advances, the resolution that can be
/// observed, the cost of a reading and of a start with a stop, what is behind it, and whether it is safe to
/// use. Sources that this machine lacks are listed with the reason.
///
/// With files, compares machines: the reports that --format json wrote, here or elsewhere.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER,
    group = ArgGroup::new("task").args(["deltas", "isolation", "cores", "winstl"])
)]
pub(crate) struct Arguments {
    /// Reports to compare, from --format json
    #[arg(value_name = "FILE", conflicts_with_all = ["source", "task"])]
    files: Vec<String>,
    /// This source only; may be repeated
    #[arg(long, value_name = "NAME")]
    source: Vec<String>,
    /// Differences between consecutive readings of the source
    ///
    /// A table and a histogram of them, the longest of many empty pairs, and how often and for how long this
    /// machine interrupts a program.
    #[arg(long, requires = "source")]
    deltas: bool,
    /// Consecutive readings for --deltas
    #[arg(long, value_name = "N", requires = "deltas", default_value = "1000000")]
    #[arg(value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    reads: u64,
    /// Empty pairs for --deltas
    #[arg(
        long,
        value_name = "N",
        requires = "deltas",
        default_value = "10000000"
    )]
    #[arg(value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,
    /// Which sources count time of other processes
    ///
    /// Measures the same work alone and next to a second process that loads the processor.
    #[arg(long)]
    isolation: bool,
    /// Whether the counters of the processors agree
    ///
    /// Shows the interval of the offset of each pair, and whether time ever ran backwards, from one to the
    /// other or among all at once.
    #[arg(long, conflicts_with = "source")]
    cores: bool,
    /// Sources that correspond to the classes of WinSTL
    ///
    /// On Linux, macOS and Windows, and which of them this machine has.
    #[arg(long, conflicts_with = "source")]
    winstl: bool,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let style = &arguments.color.style();
    let format = arguments.format;
    if !arguments.files.is_empty() {
        let machines = read(&arguments.files)?;
        let document = table::compare(&machines, style);
        return format.print_with(&document, &CLOCKS, style, || report::encode_all(&machines));
    }
    if arguments.deltas {
        let all = source_deltas(arguments)?;
        let documents = all.iter().map(|source| deltas::document(source, style));
        let document = Document::of(documents.flat_map(|document| document.blocks).collect());
        return format.print_with(&document, &CLOCKS, style, || deltas::encode(&all));
    }
    if arguments.isolation {
        let result = isolation::run(&mut chosen(&arguments.source)?)?;
        let document = isolation::document(&result, style);
        return format.print_with(&document, &CLOCKS, style, || isolation::encode(&result));
    }
    if arguments.cores {
        let comparison = cores::run()?;
        let document = cores::document(&comparison, style);
        return format.print_with(&document, &CLOCKS, style, || cores::encode(&comparison));
    }
    if arguments.winstl {
        let document = winstl::document(style);
        return format.print_with(&document, &CLOCKS, style, winstl::encode);
    }
    let report = examine(chosen(&arguments.source)?);
    let document = table::document(&report, style);
    format.print_with(&document, &CLOCKS, style, || report::encode(&report))
}

/// The named sources, or all.
fn chosen(names: &[String]) -> Result<Vec<Subject>, Stop> {
    select(measure::all(), names).map_err(Stop::Usage)
}

/// The sources with these names, in the order of the names; all sources without names.
///
/// # Errors
///
/// When a name is unknown; the text suggests another one.
fn select(mut subjects: Vec<Subject>, names: &[String]) -> Result<Vec<Subject>, String> {
    if names.is_empty() {
        return Ok(subjects);
    }
    let known: Vec<String> = subjects
        .iter()
        .map(|subject| subject.name.clone())
        .collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(unknown(name, &known));
    }
    subjects.retain(|subject| names.contains(&subject.name));
    subjects.sort_by_key(|subject| names.iter().position(|name| *name == subject.name));
    Ok(subjects)
}

fn unknown(name: &str, known: &[String]) -> String {
    let score = |candidate: &String| strsim::jaro_winkler(&name.to_lowercase(), candidate);
    let nearest = known.iter().max_by(|a, b| score(a).total_cmp(&score(b)));
    match nearest.filter(|nearest| score(nearest) >= ALIKE) {
        Some(nearest) => format!("unknown source `{name}`; did you mean `{nearest}`?"),
        None => format!("unknown source `{name}`; known are {}", known.join(", ")),
    }
}

/// Characterises the sources and the processor's counter.
fn examine(mut subjects: Vec<Subject>) -> Report {
    let choice = Clock::choose();
    let examined = TscReport::examine(EXAMINED_NS);
    // The processor's counter.
    let counter = examined.frequency.and_then(|frequency| {
        let clock = Clock::by_name("tsc").or_else(|_| Clock::by_name("cntvct"));
        Some((clock.ok()?, frequency))
    });
    let began = counter.as_ref().map(|(clock, _)| Anchor::take(clock));
    let frequency = choice.clock.frequency();
    let collector = Collector::new(&choice.clock, Effort::default());
    let core_hz = measure::core_hz(&choice.clock, &frequency);
    let mut line = ProgressLine::new();
    let mut sources = Vec::new();
    for subject in &mut subjects {
        line.show(&format!("reading {}", subject.name));
        sources.push(measure::row(subject, &collector));
    }
    line.clear();
    let checked = counter.zip(began).and_then(|((clock, frequency), began)| {
        CrossCheck::between(&began, &Anchor::take(&clock), &frequency)
    });
    Report {
        machine: Machine {
            core_hz,
            kernel_source: examined.clock_source.clone().ok(),
            kernel_alternatives: examined.alternatives.clone(),
            ..machine::this()
        },
        tsc: machine::counter(&examined, &choice, checked),
        sources,
    }
}

fn source_deltas(arguments: &Arguments) -> Result<Vec<SourceDeltas>, Stop> {
    let choice = Clock::choose();
    let collector = Collector::new(&choice.clock, Effort::default());
    let mut line = ProgressLine::new();
    let mut all = Vec::new();
    for mut subject in chosen(&arguments.source)? {
        let Some(reader) = &mut subject.reader else {
            let why = subject.reason.as_deref().unwrap_or("unknown reason");
            let text = format!("source `{}` is not on this machine: {why}", subject.name);
            return Err(Stop::Environment(text));
        };
        line.show(&format!("reading {}", subject.name));
        all.push(SourceDeltas {
            source: subject.name.clone(),
            frequency: reader.frequency,
            reads: collector.deltas(arguments.reads, &mut |buffer| reader.fill(buffer)),
            pairs: collector.pairs(arguments.pairs, &mut |buffer| reader.fill(buffer)),
            watched_with: choice.clock.name().to_owned(),
            interruptions: collector.interruptions(WATCH_NS, GAP_NS),
        });
    }
    Ok(all)
}

/// Reads the reports in files.
fn read(files: &[String]) -> Result<Vec<Named>, Stop> {
    let mut named = Vec::new();
    for file in files {
        let text = named_file::read_text(Path::new(file), DESCRIPTION_BYTES)
            .map_err(|error| Stop::Environment(format!("`{file}` cannot be read: {error}")))?;
        let report = report::decode(&text)
            .map_err(|what| Stop::Environment(format!("`{file}` is not a report: {what}")))?;
        named.push(Named {
            file: file.clone(),
            report,
        });
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn typed(arguments: &[&str]) -> Result<(), String> {
        let arguments = std::iter::once(&"clocks").chain(arguments);
        Arguments::augment_args(Command::new("clocks"))
            .try_get_matches_from(arguments)
            .map(|_| ())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn flags_that_contradict_are_refused() {
        for arguments in [
            [].as_slice(),
            &["--isolation", "--source", "rdtsc"],
            &["a.json", "b.json", "--format", "json"],
            &["--source", "rdtsc", "--deltas", "--reads", "5", "--pairs=6"],
        ] {
            assert_eq!(typed(arguments), Ok(()), "{arguments:?}");
        }
        for arguments in [
            ["--deltas"].as_slice(),
            &["--reads", "5"],
            &["--deltas", "--isolation", "--source", "rdtsc"],
            &["--cores", "--source", "rdtsc"],
            &["a.json", "--source", "rdtsc"],
            &["a.json", "--isolation"],
            &["--format", "xml"],
            &["--deltas", "--source", "rdtsc", "--pairs", "0"],
        ] {
            assert!(typed(arguments).is_err(), "{arguments:?}");
        }
    }

    fn selected(names: &[&str]) -> Result<Vec<String>, String> {
        let subjects = ["rdtsc", "monotonic", "monotonic_raw"].map(|name| Subject {
            name: name.to_owned(),
            ..Subject::default()
        });
        let typed: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let selected = select(subjects.into(), &typed)?;
        Ok(selected.into_iter().map(|subject| subject.name).collect())
    }

    #[test]
    fn names_select_in_their_order_and_once() {
        let all = ["rdtsc", "monotonic", "monotonic_raw"];
        assert_eq!(selected(&[]).unwrap(), all);
        let two = ["monotonic_raw", "rdtsc"];
        let names = ["monotonic_raw", "rdtsc", "monotonic_raw"];
        assert_eq!(selected(&names).unwrap(), two);
    }

    #[test]
    fn similar_names_are_suggested_and_others_listed() {
        for (typed, meant) in [
            ("monotone", "monotonic"),
            ("RDTSC", "rdtsc"),
            ("rdtcs", "rdtsc"),
        ] {
            let text = selected(&["monotonic_raw", typed]).unwrap_err();
            let expected = format!("unknown source `{typed}`; did you mean `{meant}`?");
            assert_eq!(text, expected);
        }
        assert_eq!(
            selected(&["xyz"]).unwrap_err(),
            "unknown source `xyz`; known are rdtsc, monotonic, monotonic_raw"
        );
    }
}
