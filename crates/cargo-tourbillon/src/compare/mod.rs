//! `cargo tourbillon compare`: builds side by side.
//!
//! Builds are made or found ([`tourbillon_builds`]), the cases of all sides are listed and paired, and the
//! gate is read, before anything is measured.

mod arguments;
mod claims;
mod compared;
mod counts;
pub(crate) mod facts;
mod formats;
mod gate;
mod gate_by_case;
mod gate_flags;
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
mod reason;
mod results;
mod rows;
mod sharding;
mod store;
mod stored;
mod verify;

use tourbillon_builds::{Build, Cache};
use tourbillon_report::{did_you_mean, not_expressions};

pub(crate) use self::arguments::{Arguments, subject, unpacked};
pub(crate) use self::compared::Compared;
#[cfg(test)]
pub(crate) use self::formats::tests;
pub(crate) use self::gate::Gate;
pub(crate) use self::gate_flags::{GateFlag, GateFlags};
pub(crate) use self::gate_result::GateResult;
pub(crate) use self::limits::{confidence, share};
pub(crate) use self::listing::header_of;
pub(crate) use self::options::{Demand, Options, RevisionFlags, Selected, error};
pub(crate) use self::pairing::Comparison;
#[cfg(test)]
pub(crate) use self::pairing::PairedCase;
pub(crate) use self::reason::{Reason, joined};
pub(crate) use self::rows::{NEW, Outcome, Row, new_rows, rows};
pub(crate) use self::stored::hold_stored;
#[cfg(test)]
pub(crate) use self::stored::tests as stored_tests;
pub(crate) use self::verify::verify;

use self::arguments::Format;
use self::listing::{Listed, listed};
use self::pairing::LIST;
use crate::exit::{INTERRUPTED, Stop, say};
use crate::machine_lock::machine_lock;

pub(crate) fn run(mut arguments: Arguments) -> Result<(), Stop> {
    arguments.complete()?;
    let options = &arguments.options;
    let cache = Cache::locate(say)?;
    let builds = arguments.builds(&cache)?;
    let lists = all_listed(&builds, options)?;
    let comparisons = paired(&builds, &lists, options, arguments.cases()?)?;
    if arguments.build_only {
        let text = prepared::text(&builds, &comparisons, options, arguments.format);
        cache.prune();
        return arguments.format.print(&text);
    }
    let lock = machine_lock("cargo tourbillon compare", options.no_wait)?;
    let mut code = compare_all(&comparisons, &arguments)?;
    for (build, list) in builds.iter().zip(&lists).skip(1) {
        if code != INTERRUPTED {
            let asserted = verify(build, &list.cases, options)?;
            arguments.format.print(&match arguments.format {
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

/// The lists of each build.
pub(crate) fn all_listed(builds: &[Build], options: &Options) -> Result<Vec<Listed>, Stop> {
    // Both sides have the same file: the clone of a revision may have another one.
    let file = options.file.as_deref();
    let lists = builds
        .iter()
        .map(|build| listed(build, &options.bench_flags, file));
    lists.collect()
}

/// Pairs the cases of the first build with those of each of the others, keeps those of the shard, and prints what has
/// no peer.
pub(crate) fn paired(
    builds: &[Build],
    lists: &[Listed],
    options: &Options,
    named: Option<[&str; 2]>,
) -> Result<Vec<Comparison>, Stop> {
    let is_empty = |listed: &Listed| listed.cases.iter().all(Vec::is_empty);
    if named.is_none() && lists.iter().all(is_empty) {
        return Err(nothing_selected(builds, options));
    }
    if named.is_none() && options.selected.is_all() && options.bench_flags.is_empty() {
        let all = lists.iter().flat_map(|list| &list.cases).flatten();
        options
            .gate
            .iter()
            .for_each(|gate| gate.warn_of_unmatched(all.clone()));
    }
    let old = (&builds[0], lists[0].cases.as_slice());
    let others = builds.iter().zip(lists).skip(1);
    let comparison = |(build, list): (&Build, &Listed)| {
        let new = (build, list.cases.as_slice());
        let comparison = match named {
            Some(names) => Comparison::of_named(old, new, names),
            None => Comparison::of(old, new),
        };
        let set_up_ns = lists[0].longest_ns.max(list.longest_ns);
        comparison.map(|comparison| Comparison {
            set_up_ns,
            ..comparison
        })
    };
    let mut comparisons: Vec<Comparison> = others.map(comparison).collect::<Result<_, _>>()?;
    if let Some(partition) = options.partition {
        for comparison in &mut comparisons {
            comparison.keep_shard(partition);
        }
    }
    for line in comparisons.iter().flat_map(Comparison::remarks) {
        say(&format!("{line}\n"));
    }
    Ok(comparisons)
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
    let flags = options.bench_flags.iter();
    let end = flags.clone().take_while(|flag| *flag != "--").count();
    let is_filter = |(at, flag): &(usize, &String)| *at > end || !flag.starts_with('-');
    let filters = flags.enumerate().filter(is_filter).map(|(_, flag)| flag);
    let filters: Vec<&String> = filters.collect();
    let hint = match not_expressions(&filters) {
        "" => String::new(),
        hint => format!("{hint}, except for suites of criterion"),
    };
    let meant = did_you_mean(&filters, all.iter().flatten());
    Stop::Usage(format!(
        "the filters select nothing on either side; {LIST}{hint}{meant}"
    ))
}

/// Measures each comparison and prints the result; gives the exit code.
fn compare_all(comparisons: &[Comparison], arguments: &Arguments) -> Result<u8, Stop> {
    let (mut worst, options) = (0, &arguments.options);
    for comparison in comparisons {
        let compared = Compared::measure(comparison, options)?;
        arguments.format.print(&match arguments.format {
            Format::Text => compared.text(&options.color.style()),
            Format::Md => compared.markdown(),
            Format::Jsonl => compared.json_lines(),
        })?;
        let stored = compared.keep(options)?;
        // An interrupt outranks a missing record, which outranks a failed case and the gate, as in the order of the
        // codes.
        worst = worst.max(compared.code()).max(stored);
        if compared.interrupted() {
            break;
        }
    }
    Ok(worst)
}
