//! `cargo tourbillon compare`: builds side by side.
//!
//! Builds are made or found ([`tourbillon_builds`]), the cases of all sides are listed and paired, and the
//! gate is read, before anything is measured.

mod arguments;
mod compared;
mod counts;
mod formats;
mod gate;
mod gate_result;
mod growth;
mod limits;
mod listing;
mod measure;
mod measured;
mod notes;
mod options;
mod pairing;
mod prepared;
mod results;
mod rows;
mod store;
mod verify;

use tourbillon_builds::{Build, Cache, Maker};
use tourbillon_record::Case;

pub(crate) use self::arguments::Arguments;
pub(crate) use self::compared::Compared;
pub(crate) use self::limits::{confidence, share};
pub(crate) use self::options::{Options, Selected};
pub(crate) use self::pairing::Comparison;
pub(crate) use self::rows::{NEW, Outcome, Row, new_rows, rows};
pub(crate) use self::verify::verify;

use self::arguments::Format;
use self::listing::listed;
use crate::exit::{INTERRUPTED, Stop, print, say};
use crate::machine_lock::machine_lock;

pub(crate) fn run(mut arguments: Arguments) -> Result<(), Stop> {
    arguments.complete()?;
    let options = &arguments.options;
    let cache = Cache::locate(say)?;
    let selection = options.selected.selection();
    let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
    let subjects = arguments.subjects(&maker, &cache)?;
    // Before a build takes minutes.
    for subject in &subjects {
        let checked = maker.check(subject);
        checked.map_err(|error| arguments.unknown(subject, error.into()))?;
    }
    arguments.cases()?;
    let builds = subjects.iter().map(|subject| maker.make(subject));
    let builds = builds.collect::<Result<Vec<Build>, _>>()?;
    let lists = all_listed(&builds, options)?;
    let comparisons = paired(&builds, &lists, arguments.cases()?)?;
    if arguments.build_only {
        let text = prepared::text(&builds, &comparisons, options, arguments.format);
        cache.prune();
        return print(&text);
    }
    let lock = machine_lock("cargo tourbillon compare", options.no_wait)?;
    let mut code = compare_all(&comparisons, &arguments)?;
    for (build, list) in builds.iter().zip(&lists).skip(1) {
        if code != INTERRUPTED {
            let asserted = verify(build, list, options)?;
            print(&match arguments.format {
                Format::Text => asserted.text(&options.color.style()),
                Format::Md => asserted.markdown(&options.color.style()),
                Format::Jsonl => asserted.json_lines(),
            })?;
            code = code.max(asserted.code);
        }
    }
    drop(lock);
    cache.prune();
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// The selected cases of each executable of each build.
pub(crate) fn all_listed(builds: &[Build], options: &Options) -> Result<Vec<Vec<Vec<Case>>>, Stop> {
    // Both sides have the same file: the clone of a revision may have another one.
    let file = options.file.as_deref();
    let lists = builds
        .iter()
        .map(|build| listed(build, &options.bench_flags, file));
    lists.collect()
}

/// Pairs the cases of the first build with those of each of the others, and prints what has no peer.
pub(crate) fn paired(
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
    let comparisons: Vec<Comparison> = others.map(comparison).collect::<Result<_, _>>()?;
    for line in comparisons.iter().flat_map(Comparison::remarks) {
        say(&format!("{line}\n"));
    }
    Ok(comparisons)
}

/// Measures each comparison and prints the result; gives the exit code.
fn compare_all(comparisons: &[Comparison], arguments: &Arguments) -> Result<u8, Stop> {
    let (mut worst, options) = (0, &arguments.options);
    for comparison in comparisons {
        let compared = Compared::measure(comparison, options)?;
        print(&match arguments.format {
            Format::Text => compared.text(&options.color.style()),
            Format::Md => compared.markdown(),
            Format::Jsonl => compared.json_lines(),
        })?;
        compared.keep(options)?;
        // An interrupt outranks a failed case, which outranks the gate, as in the order of the codes.
        worst = worst.max(compared.code());
        if compared.interrupted() {
            break;
        }
    }
    Ok(worst)
}
