//! The coordinator: has the benchmarks of a suite measured in other processes.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tourbillon::program::target_of;
use tourbillon_coordinator::args::Chosen;
use tourbillon_coordinator::output::{Console, ENVIRONMENT, FAILED, FINE, Stop, to_stderr};
use tourbillon_coordinator::run::{Beginning, Home, Selected, bench};
use tourbillon_coordinator::runner::{Processes, SharedPosition};
use tourbillon_coordinator::values::{Partition, ShardFilter};
use tourbillon_record::store::Last;
use tourbillon_record::{Case, CaseOptions, Entry, Plan};
use tourbillon_report::escape;

use super::benchmarks::{before, shown};
use super::discovery::{Discovered, without_effect};
use super::first_launches::FirstLaunches;
use super::inventory::Inventory;
use super::listing::list;
use super::load_baseline;
use super::role::{self, Wanted};
use super::shared_worker::{SharedWorker, options, shared_workers};
use crate::flags::Flags;
use crate::outputs::Outputs;

/// Time in which a worker that has sent its samples may run destructors of the suite.
const GRACE: Duration = Duration::from_secs(2);

/// Measures the selected benchmarks, and prints and stores the results; returns the exit code.
///
/// # Errors
///
/// What keeps the run from starting.
pub(super) fn run(flags: &Flags, home: Home) -> Result<u8, Stop> {
    let mut console = Console::new(&flags.high);
    let mut first = FirstLaunches::new(flags, &home, &mut console);
    let inventory = list(&mut first)?;
    let beginning = first.beginning;
    let troubles = inventory.troubles();
    for trouble in &troubles {
        to_stderr(&format!("error: {trouble}\n"));
    }
    if !flags.high.quiet {
        let of_flags = flags.settings.without_effect().iter().cloned();
        let of_suite = without_effect(&inventory.benchmarks).into_iter();
        for sentence in of_flags.chain(of_suite).chain(without_messages()) {
            console.note(&format!("note: {sentence}\n"));
        }
    }
    let code_of_listing = if troubles.is_empty() { FINE } else { FAILED };
    if inventory.benchmarks.is_empty() {
        if troubles.is_empty() {
            console.text("no benchmarks: the suite registers none\n")?;
        }
        return Ok(code_of_listing);
    }
    let shown = shown(&inventory.benchmarks);
    let before = before(&shown)?;
    if let Some(name) = &flags.load {
        return load_baseline::show(shown, name, before, flags, &mut console);
    }
    let mut outputs = Outputs::new(shown, flags.lines, Rc::clone(&before));
    let mut observe = |entry: Entry<'_>| outputs.entry(entry);
    let begun = Begun { home, beginning };
    let code = measure(inventory, before, flags, begun, &mut console, &mut observe);
    for sentence in outputs.notes() {
        console.note(&format!("note: {sentence}\n"));
    }
    let unwritten = outputs.finish(flags.has_index);
    if let Some(why) = &unwritten {
        console.note(&format!("warning: not written: {}\n", escape(why, true)));
    }
    let code_of_files = unwritten.map_or(FINE, |_| ENVIRONMENT);
    let codes = [code?, code_of_listing, code_of_files].into_iter();
    Ok(codes
        .reduce(|first, next| if first == FINE { next } else { first })
        .unwrap_or(FINE))
}

/// A run of a suite that has begun.
struct Begun {
    home: Home,
    /// What it has begun with, if the process that listed the benchmarks made launches.
    beginning: Option<Beginning>,
}

/// Measures the selected benchmarks of a suite in workers; returns the exit code.
fn measure(
    inventory: Inventory,
    before: Rc<Last>,
    flags: &Flags,
    begun: Begun,
    console: &mut Console,
    observe: &mut dyn FnMut(Entry<'_>),
) -> Result<u8, Stop> {
    let mut high = flags.high.clone();
    let sharing = shared_workers(&inventory.benchmarks, high.options.max_time_ns);
    // Of each benchmark, because its set-up may take longer.
    let timeout_ns = high.options.timeout_ns.take();
    let options_of = |found: &Discovered| {
        let shared_worker = sharing.get(&found.target).copied();
        options(found, shared_worker, timeout_ns)
    };
    let partition = high.selection.partition();
    let (all, chosen, wanted) = selected(inventory, &sharing, partition, options_of);
    let positions = positions(&wanted, &all, &sharing);
    let position = move |plan: &Plan| positions.get(&plan.case).copied().filter(|_| !plan.memory);
    let nocapture = high.no_capture;
    let value = move |plan: &Plan| match wanted.get(&plan.case) {
        Some(wanted) => {
            let is_shared = wanted.is_shared && !plan.memory;
            let wanted = Wanted {
                is_shared,
                ..wanted.clone()
            };
            role::worker(&wanted, nocapture).into()
        }
        None => OsString::new(),
    };
    let workers = Processes::by_environment(role::VARIABLE.into(), value)
        .map_err(Stop::environment)?
        .grace(GRACE)
        .sharing_workers(position);
    let selected = Selected {
        home: begun.home,
        chosen,
        all,
        workers,
        counts: tourbillon::program::COUNTS,
        last: Some(before),
        beginning: begun.beginning,
    };
    bench(selected, &high, console, observe)
}

/// Where the benchmarks of a suite with a `main` of its own come from.
pub(super) fn home_of_process() -> Home {
    let program = env::args_os().next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default();
    let target = target_of(&program.to_string_lossy());
    Home {
        // Of the processes that it starts, cargo names the package.
        package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| target.clone()),
        target,
        compiler: String::new(),
    }
}

/// All cases, those to be run with their options, and where each of them is.
fn selected(
    inventory: Inventory,
    sharing: &HashMap<String, SharedWorker>,
    partition: Option<Partition>,
    options: impl Fn(&Discovered) -> CaseOptions,
) -> (Vec<Case>, Chosen, HashMap<String, Wanted>) {
    let mut all = Vec::new();
    let mut shard = ShardFilter::new(partition);
    let mut chosen = Chosen::default();
    let mut wanted = HashMap::new();
    for found in inventory.benchmarks {
        let case = found.case();
        if !found.selected {
            chosen.filtered_out += 1;
        } else if shard.takes_next(&case.id) {
            chosen.options.insert(case.id.clone(), options(&found));
            chosen.runs.push(case.clone());
        } else {
            chosen.filtered_out += 1;
            chosen.other_shards.push(case.id.clone());
        }
        let of_case = Wanted {
            base: found.named.id(),
            is_shared: sharing.contains_key(&found.target),
            target: found.target,
            occurrence: found.occurrence,
            rehearses: inventory.rehearses,
        };
        wanted.insert(case.id.clone(), of_case);
        all.push(case);
    }
    (all, chosen, wanted)
}

/// Where the cases of shared workers are in them.
fn positions(
    wanted: &HashMap<String, Wanted>,
    all: &[Case],
    sharing: &HashMap<String, SharedWorker>,
) -> HashMap<String, SharedPosition> {
    let position = |(position, case): (usize, &Case)| {
        let group = sharing.get(&wanted.get(&case.id)?.target)?.group;
        Some((case.id.clone(), SharedPosition { group, position }))
    };
    all.iter().enumerate().filter_map(position).collect()
}

/// Why another program waits for messages of criterion or of a fork in vain, if it runs this one.
fn without_messages() -> Option<String> {
    const VARIABLES: [(&str, &str); 2] = [
        ("CARGO_CRITERION_PORT", "cargo criterion"),
        ("CODSPEED_ENV", "CodSpeed's runner"),
    ];
    let (name, reader) = VARIABLES
        .iter()
        .find(|(name, _)| env::var_os(name).is_some())?;
    Some(format!(
        "{name} has no effect: {reader} shows these lines and gets no messages"
    ))
}
