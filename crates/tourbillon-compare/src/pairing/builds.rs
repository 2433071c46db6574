//! Lists and pairs the cases of builds.

use tourbillon_builds::{Build, Equality, Selection, equality};
use tourbillon_report::{did_you_mean, not_expressions};
use tourbillon_tool::bench_flags::ignored_flag;
use tourbillon_tool::exit::{NOTHING, Stop};

use crate::measure::differing;
use crate::options::Options;
use crate::pairing::conditions::Conditions;
use crate::pairing::file_pattern::is_documentation;
use crate::pairing::files_read::UnreadFiles;
use crate::pairing::listing::{Listed, listed};
use crate::pairing::marks::{IgnoredCases, listing_flags};
use crate::pairing::{Comparison, LIST};

/// The lists of each build.
///
/// # Errors
///
/// When an executable does not list its cases.
pub fn all_listed(builds: &[Build], options: &Options) -> Result<Vec<Listed>, Stop> {
    // Both sides have the same file: the clone of a revision may have another one.
    let file = options.file.as_deref();
    let flags = listing_flags(&options.bench_flags);
    let lists = builds.iter().map(|build| listed(build, &flags, file));
    lists.collect()
}

/// Pairs the cases of the first build with those of each of the others, and keeps those of the shard. All are measured,
/// unless [`find_unchanged`] finds something else.
///
/// # Errors
///
/// When nothing can be compared.
pub fn paired(
    builds: &[Build],
    lists: &[Listed],
    options: &Options,
    named: Option<[&str; 2]>,
) -> Result<Vec<Comparison>, Stop> {
    let is_empty = |listed: &Listed| listed.cases.iter().all(Vec::is_empty);
    if named.is_none() && lists.iter().all(is_empty) {
        return Err(nothing_selected(builds, options));
    }
    if named.is_none() && is_all(&options.selection) && options.bench_flags.is_empty() {
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
    let asked = IgnoredCases::of(&options.bench_flags);
    for comparison in &mut comparisons {
        comparison.keep_asked(asked, options.holds_head, &lists[0].cases);
        if let Some(partition) = options.partition {
            comparison.keep_shard(partition);
        }
    }
    for comparison in &mut comparisons {
        let pairs = (0..comparison.pairs.len()).map(|pair| comparison.executables(pair));
        comparison.conditions = Conditions::of(comparison.builds(), pairs);
    }
    Ok(comparisons)
}

/// Finds out which cases are unchanged, unless all are measured. This may execute benchmarks:
/// the machine is locked before.
pub fn find_unchanged(comparison: &mut Comparison, options: &Options, unread: &UnreadFiles) {
    if options.measure_unchanged {
        return;
    }
    let pairs = (0..comparison.pairs.len()).map(|pair| {
        let [one, other] = comparison.executables(pair);
        let sides = [(&comparison.old, one), (&comparison.new, other)];
        let cases = comparison.cases_of(pair);
        if cases.is_empty() {
            // Another shard has them, or other cases are their references.
            return Equality::default();
        }
        let cases_of_pair = || comparison.cases.iter().filter(|case| case.pair == pair);
        let has_ignored = cases_of_pair().any(|case| case.case.ignored.is_some());
        let flags = selecting(options, &cases, has_ignored);
        let file = options.file.as_deref();
        equality(
            sides,
            &cases,
            |file| is_documentation(file, &options.documentation),
            |files| unread.include((&comparison.new, other), (&flags, file), files),
        )
    });
    comparison.equality = pairs.collect();
}

/// Has the unchanged cases measured that take another time all the same, where what passes is not looked at by a person:
/// [`find_unchanged`] was called before.
///
/// # Errors
///
/// When this machine allows no measurement.
pub fn check_unchanged(comparison: &mut Comparison, options: &Options) -> Result<(), Stop> {
    for (at, seen) in differing(comparison, options)? {
        let id = comparison.cases[at].case.id.clone();
        let why = format!("{}: {seen}", comparison.names().name(&id));
        match &mut comparison.equality[comparison.cases[at].pair] {
            Equality::OfCases(cases) => drop(cases.insert(id, Some(seen))),
            whole => *whole = Equality::Unproven(why.into()),
        }
    }
    Ok(())
}

/// The flags with which a bench program executes these cases: those that were typed select more of them than a shard has,
/// and may leave out what it ignores and is measured all the same.
fn selecting(options: &Options, cases: &[&str], has_ignored: bool) -> Vec<String> {
    let typed = ignored_flag(&options.bench_flags);
    let all = (has_ignored && typed.is_none()).then(|| "--include-ignored".to_owned());
    if options.partition.is_none() {
        return all.into_iter().chain(options.bench_flags.clone()).collect();
    }
    let typed = typed.map(|at| options.bench_flags[at].clone());
    let exact = ["--exact", "--"].into_iter().chain(cases.iter().copied());
    let flags = all.or(typed).into_iter();
    flags.chain(exact.map(str::to_owned)).collect()
}

/// That filters select nothing in any build, with the nearest name in the last one.
fn nothing_selected(builds: &[Build], options: &Options) -> Stop {
    if options.bench_flags.is_empty() {
        return Stop::Usage("the builds have no benchmarks".to_owned());
    }
    let all = builds
        .last()
        .map(|build| listed(build, &[], options.file.as_deref()))
        .and_then(Result::ok)
        .map(|listed| listed.cases)
        .unwrap_or_default();
    let flags = options.bench_flags.iter();
    let end = flags.clone().take_while(|flag| *flag != "--").count();
    let is_filter = |(at, flag): &(usize, &String)| *at > end || !flag.starts_with('-');
    let filters: Vec<&String> = flags
        .enumerate()
        .filter(is_filter)
        .map(|(_, flag)| flag)
        .collect();
    let hint = match not_expressions(&filters) {
        "" => String::new(),
        hint => format!("{hint}, except for suites of criterion"),
    };
    let meant = did_you_mean(&filters, all.iter().flatten());
    Stop::Failed(
        NOTHING,
        format!("the filters select nothing on either side; {LIST}{hint}{meant}"),
    )
}

/// Whether no target is excluded by its name.
fn is_all(selection: &Selection) -> bool {
    selection.packages.is_empty() && selection.benches.is_empty()
}

#[cfg(test)]
mod tests {
    use tourbillon_coordinator::values::{Partition, PartitionMethod};

    use super::*;

    #[test]
    fn a_shard_executes_its_own_cases() {
        let flags = ["--ignored", "sort"].map(str::to_owned).to_vec();
        let mut options = Options {
            bench_flags: flags.clone(),
            ..Options::default()
        };
        let cases = ["p/t::sort", "p/t::sorted[n=1]"];
        assert_eq!(selecting(&options, &cases, true), flags);
        options.partition = Some(Partition {
            method: PartitionMethod::Slice,
            shard: 1,
            shards: 2,
        });
        assert_eq!(
            selecting(&options, &cases, true),
            [
                "--ignored",
                "--exact",
                "--",
                "p/t::sort",
                "p/t::sorted[n=1]"
            ]
        );
        options.bench_flags = vec!["sort".to_owned()];
        assert_eq!(
            selecting(&options, &cases[..1], false),
            ["--exact", "--", "p/t::sort"]
        );
        options.partition = None;
        assert_eq!(
            selecting(&options, &cases, true),
            ["--include-ignored", "sort"]
        );
    }
}
