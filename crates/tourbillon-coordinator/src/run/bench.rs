//! Bench mode: what is before the first launch.

use std::collections::HashSet;
use std::rc::Rc;

use tourbillon_analysis::Rules;
use tourbillon_record::store::Last;
use tourbillon_record::{Case, Entry, Header};
use tourbillon_report::{Names, escape, full_header, header as header_text, warning};

use super::beginning::Beginning;
use super::comparison::{self, comparisons, missing_references, of_assertions};
use super::history::History;
use super::results::RunResults;
use super::settings::{Home, header, run_settings, settings, shard};
use super::spawner::Spawner;
use crate::args::{Chosen, HighArgs};
use crate::output::{Console, ENVIRONMENT, FINE, Recorder, Stop};
use crate::runner::{Comparison, Processes, run};

/// What a program has to measure.
#[derive(Debug)]
pub struct Selected {
    /// Where the cases come from.
    pub home: Home,
    /// The cases that are measured, and how many others there are.
    pub chosen: Chosen,
    /// All cases, for comparisons with one that is not selected.
    pub all: Vec<Case>,
    /// Starts the workers.
    pub workers: Processes,
    /// Whether these count what is allocated.
    pub counts: bool,
    /// The results that the run is compared with, in place of those of the store.
    pub last: Option<Rc<Last>>,
    /// What it begins with, if launches were made before.
    pub beginning: Option<Beginning>,
}

/// Measures the selected cases, prints and stores the results. `observe` gets every entry of the record,
/// beginning with its header.
///
/// # Errors
///
/// What keeps the run from starting, and a stdout that cannot be written. A run whose record cannot be begun, or is
/// damaged or torn, shows its results and has the exit code [`ENVIRONMENT`].
pub fn bench(
    selected: Selected,
    high: &HighArgs,
    console: &mut Console,
    observe: &mut dyn FnMut(Entry<'_>),
) -> Result<u8, Stop> {
    let Selected {
        home,
        mut chosen,
        all,
        workers,
        counts,
        last,
        beginning,
    } = selected;
    high.defaults.apply(&mut chosen);
    if chosen.runs.is_empty() {
        // Of several programs with one filter, most have nothing; a mistake has a message.
        if !high.quiet || !high.selection.advice(&all).is_empty() {
            console.text(&nothing(&home, &chosen, &all, high))?;
        }
        if chosen.other_shards.is_empty() {
            return Ok(FINE);
        }
        // The record of an empty shard: without it, the shard would be missing.
    }
    let against = high.against.as_deref();
    let compared = |running: &[Case]| {
        comparisons(running, &all, against).map_err(|what| match against {
            Some(_) => Stop::usage(format!("--against: {what}")),
            None => Stop::usage(what),
        })
    };
    let comparisons = compared(&chosen.runs)?;
    // Where other shards have cases, too, the suite is more than what runs here.
    let suite = (!chosen.other_shards.is_empty()).then(|| suite(&chosen, &all));
    let suite_comparisons = match &suite {
        Some(cases) => Some(compared(cases)?),
        None => None,
    };
    let of_suite = suite_comparisons.as_ref().unwrap_or(&comparisons);
    if against.is_some() && of_suite.is_empty() {
        let what = "--against: no other selected case has the same arguments";
        return Err(Stop::usage(what));
    }
    let part = shard(high, suite.as_deref().unwrap_or(&chosen.runs), of_suite);
    let asserted = of_assertions(&chosen.runs, &all).map_err(Stop::usage)?;
    let comparisons = [comparisons, asserted].concat();
    add_references(&comparisons, &all, &mut chosen.runs);
    let mut begun = match beginning {
        Some(begun) => begun,
        None => Beginning::new(&home, high, console)?,
    };
    let workers = workers.with_made(std::mem::take(&mut begun.made));
    let mut spawner = Spawner::new(workers, counts, high)?;
    let (seed, frequency) = (begun.seed, begun.frequency);
    let clock = begun.run_clock.facts();
    let mut settings = settings(high, &chosen.options, seed, &clock, frequency);
    let of_run = run_settings(&settings, &chosen.runs, spawner.workers());
    let header = Header {
        shard: part,
        ..header(&home, chosen.runs.len(), seed, of_run, clock)
    };
    settings.core_cache_bytes = header.core_cache_bytes();

    console.data(&Entry::Header(&header).encode())?;
    observe(Entry::Header(&header));
    if !high.quiet {
        let mut text = if high.verbose {
            full_header(&header, &console.style)
        } else {
            header_text(&header, &console.style)
        };
        if against.is_none()
            && let Some(missing) = missing_references(&chosen.runs, &all)
        {
            text += &warning(&missing, &console.style);
        }
        console.text(&(text + "\n"))?;
    }
    let mut history = History::open(high, &header, &chosen.runs, last, console)?;
    let style = console.style;
    let names = Names::of(&all);
    let rules = Rules::of(&header);
    let mut recorder = Recorder::new(console, history.writer.take(), &names, rules, observe);
    let outcome = run(
        &chosen.runs,
        &comparisons,
        &settings,
        &mut spawner,
        &begun.run_clock,
        &mut recorder,
    );
    let verdicts = comparison::text(&outcome, &names, &style);
    let mut recorded = recorder.finish();
    recorded.store_trouble = recorded.store_trouble.or(history.trouble.take());
    let is_stored = recorded.store_trouble.is_none();
    let ignored = chosen.ignored.len();
    chosen.runs.append(&mut chosen.ignored);
    let results = RunResults {
        cases: &chosen.runs,
        ignored,
        header: &header,
        outcome: &outcome,
        verdicts: &verdicts,
        names: &names,
        history: &history,
    };
    let code = results.close(high, recorded, console)?;
    // The results are shown, but there is no record of them, or not all of it.
    Ok(if is_stored {
        code
    } else {
        code.max(ENVIRONMENT)
    })
}

/// The selected cases of all shards.
fn suite(chosen: &Chosen, all: &[Case]) -> Vec<Case> {
    let others: HashSet<&str> = chosen.other_shards.iter().map(String::as_str).collect();
    let others = all.iter().filter(|case| others.contains(&*case.id));
    chosen.runs.iter().chain(others).cloned().collect()
}

/// Adds the references that are not selected: a ratio is that of two rows of the table.
fn add_references(comparisons: &[Comparison], all: &[Case], runs: &mut Vec<Case>) {
    let mut missing: HashSet<&str> = HashSet::new();
    missing.extend(comparisons.iter().map(|one| one.reference.as_str()));
    for case in &*runs {
        missing.remove(case.id.as_str());
    }
    let missing = all.iter().filter(|case| missing.contains(case.id.as_str()));
    runs.extend(missing.cloned());
}

/// The message that there is nothing to measure, and why.
fn nothing(home: &Home, chosen: &Chosen, all: &[Case], high: &HighArgs) -> String {
    // Cargo starts several programs with the same filters.
    let program = escape(&format!("{}/{}", home.package, home.target), true);
    if let Some(partition) = high.selection.partition()
        && !chosen.other_shards.is_empty()
    {
        let others = chosen.other_shards.len();
        return format!(
            "nothing to measure in the shard {partition} of {program}: the others have all {others} cases\n"
        );
    }
    let ignored = chosen.ignored.len();
    if ignored > 0 {
        return format!(
            "nothing to measure in {program}: {ignored} selected and marked as ignored; add --include-ignored\n"
        );
    }
    match high.selection.describe() {
        Some(what) => format!(
            "no benchmark of {program} matches {what} ({} available; see --list){}\n",
            chosen.filtered_out,
            high.selection.advice(all)
        ),
        // Benchmarks name their package.
        None => "no benchmarks: no function of this program is marked with #[bench]\n".to_owned(),
    }
}
