//! `cargo tourbillon compare`: builds side by side.
//!
//! Builds are made or found ([`tourbillon_builds`]), the cases of all sides are listed and paired, and the
//! gate is read, before anything is measured.

mod counts;
mod formats;
mod gate;
mod gate_result;
mod growth;
mod limits;
mod listing;
mod measure;
mod measured;
mod options;
mod pairing;
mod prepared;
mod results;
mod store;
mod verify;

use tourbillon_builds::{Build, Cache, Maker};
use tourbillon_record::Case;
use tourbillon_report::did_you_mean;
use tourbillon_runner::timeout_of_set_up;

pub(crate) use self::limits::{confidence, share};
pub(crate) use self::options::{Options as Arguments, Selected};

use self::growth::Growth;
use self::listing::{Listed, listed};
use self::measured::Measured;
use self::options::{Format, Options};
use self::pairing::{Comparison, LIST};
use crate::exit::{FAILED, GATE, INTERRUPTED, Stop, print, say};
use crate::machine_lock::machine_lock;
use crate::screen::ProgressLine;

pub(crate) fn run(mut options: Options) -> Result<(), Stop> {
    options.complete()?;
    let cache = Cache::locate(say)?;
    let selection = options.selected.selection();
    let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
    let subjects = options.subjects(&maker, &cache)?;
    // Before a build takes minutes.
    for subject in &subjects {
        let checked = maker.check(subject);
        checked.map_err(|error| options.unknown(subject, error.into()))?;
    }
    options.cases()?;
    let builds = subjects.iter().map(|subject| maker.make(subject));
    let builds = builds.collect::<Result<Vec<Build>, _>>()?;
    let lists = all_listed(&builds, &options)?;
    let longest_ns = lists.iter().map(|listed| listed.longest_ns).max();
    options.timeout = timeout_of_set_up(longest_ns.unwrap_or(0), options.timeout);
    let lists: Vec<_> = lists.into_iter().map(|listed| listed.cases).collect();
    if options.cases()?.is_none() && lists.iter().flatten().all(Vec::is_empty) {
        return Err(nothing_selected(&builds, &options));
    }
    let comparisons = compared(&builds, &lists, options.cases()?)?;
    for line in comparisons.iter().flat_map(Comparison::remarks) {
        say(&format!("{line}\n"));
    }
    if options.build_only {
        let text = prepared::text(&builds, &comparisons, &options);
        cache.prune();
        return print(&text);
    }
    let lock = machine_lock("cargo tourbillon compare", options.no_wait)?;
    let mut code = compare_all(&comparisons, &options)?;
    for (build, list) in builds.iter().zip(&lists).skip(1) {
        if code != INTERRUPTED {
            code = code.max(verify::verify(build, list, &options)?);
        }
    }
    drop(lock);
    cache.prune();
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// The lists of each build.
fn all_listed(builds: &[Build], options: &Options) -> Result<Vec<Listed>, Stop> {
    // Both sides have the same file: the clone of a revision may have another one.
    let file = options.file.as_deref();
    let lists = builds
        .iter()
        .map(|build| listed(build, &options.bench_flags, file));
    lists.collect()
}

/// Compares the first build with each of the others.
fn compared(
    builds: &[Build],
    lists: &[Vec<Vec<Case>>],
    named: Option<[&str; 2]>,
) -> Result<Vec<Comparison>, Stop> {
    let old = (&builds[0], lists[0].as_slice());
    let others = builds.iter().zip(lists).skip(1);
    let comparison = |(build, list): (&Build, &Vec<Vec<Case>>)| match named {
        Some(names) => Comparison::of_named(old, (build, list), names),
        None => Comparison::of(old, (build, list)),
    };
    others.map(comparison).collect()
}

/// The mistake of filters that select nothing in any build, with the nearest name in the last one.
fn nothing_selected(builds: &[Build], options: &Options) -> Stop {
    if options.bench_flags.is_empty() {
        return Stop::Usage("the builds have no benchmarks".to_owned());
    }
    let all = builds
        .last()
        .map(|build| listed(build, &[], options.file.as_deref()));
    let all = all.and_then(Result::ok).map(|listed| listed.cases);
    let all = all.unwrap_or_default();
    let is_filter = |flag: &&String| !flag.starts_with('-');
    let filters: Vec<&String> = options.bench_flags.iter().filter(is_filter).collect();
    Stop::Usage(format!(
        "the filters select nothing on either side; {LIST}{}",
        did_you_mean(&filters, all.iter().flatten())
    ))
}

/// Measures each comparison and prints the result; gives the exit code.
fn compare_all(comparisons: &[Comparison], options: &Options) -> Result<u8, Stop> {
    let mut worst = 0;
    for comparison in comparisons {
        let mut line = ProgressLine::new();
        let mut measured = measure::measure(comparison, options, &mut line)?;
        line.clear();
        let (error, undecided_fails) = (options.error(), options.undecided_fails());
        let gate = options.gate.as_ref();
        let names = comparison.names();
        let gate_result = gate.map(|gate| {
            let mut result = gate_result::hold(&mut measured, gate, &names, error, undecided_fails);
            result.growth = Growth::of(&comparison.cases, &measured.cases);
            result
        });
        let of_gate = gate_result.as_ref();
        print(&match options.format {
            Format::Text => results::text(comparison, &measured, of_gate, &options.color.style()),
            Format::Md => formats::markdown(comparison, &measured, of_gate),
            Format::Jsonl => formats::json_lines(comparison, &measured, of_gate),
        })?;
        match store::keep(comparison, &measured, options) {
            Ok(path) => say(&format!("stored in {}\n", path.display())),
            Err(Stop::Environment(why)) => say(&format!("not stored: {why}\n")),
            Err(other) => return Err(other),
        }
        let passes = gate_result.is_none_or(|result| result.passes());
        let code = exit_code(&measured, passes);
        // An interrupt outranks a failed case, which outranks the gate, as in the order of the codes.
        worst = worst.max(code);
        if measured.interrupted {
            break;
        }
    }
    Ok(worst)
}

/// The exit code of one comparison.
fn exit_code(measured: &Measured, gate_passes: bool) -> u8 {
    if measured.interrupted {
        INTERRUPTED
    } else if measured.cases.iter().any(|case| case.fault.is_some()) {
        FAILED
    } else if gate_passes {
        0
    } else {
        GATE
    }
}
