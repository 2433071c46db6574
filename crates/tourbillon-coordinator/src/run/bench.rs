//! Bench mode: before the first launch and after the last one.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::runner::{Comparison, MachineLock, Outcome, Processes, run, why_no_number};
use tourbillon_analysis::sweep::caches;
use tourbillon_analysis::{Frequency, Rules, Spread};
use tourbillon_clock::wall;
use tourbillon_record::store::Last;
use tourbillon_record::{Absence, Case, Entry, Header};
use tourbillon_report::{
    Allocations, CaseResults, Latencies, Names, Stored, Style, Summary, Sweeps, Table, TableData,
    TableOptions, escape, faults, full_header, header as header_text, warning,
};

use super::comparison::{self, comparisons, missing_references, of_assertions};
use super::history::{History, warn};
use super::run_clock::SystemRunClock;
use super::settings::{CONFIDENCE, Home, header, new_seed, run_settings, settings, shard};
use super::spawner::Spawner;
use super::store;
use crate::args::{Chosen, Data, HighArgs};
use crate::output::{Console, ENVIRONMENT, FINE, Recorded, Recorder, Stop};

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
    } = selected;
    high.defaults.apply(&mut chosen);
    if chosen.runs.is_empty() {
        console.text(&nothing(&home, &chosen, &all, high))?;
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
    // Before signals are handled: an interrupt ends a process that waits.
    let _lock = lock(&home, high, console)?;
    let mut spawner = Spawner::new(workers, counts, high)?;
    let run_clock = SystemRunClock::start();
    let clock = run_clock.facts();
    let Some(frequency) = Frequency::of(&clock) else {
        let what = format!("the clock {} has no frequency", clock.source);
        return Err(Stop::environment(what));
    };
    let seed = high.seed.unwrap_or_else(new_seed);
    let mut settings = settings(high, &chosen.options, seed, &clock, frequency);
    let of_run = run_settings(&settings, &chosen.runs, &high.cpus);
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
        &run_clock,
        &mut recorder,
    );
    let verdicts = comparison::text(&outcome, &names, &style);
    let mut recorded = recorder.finish();
    recorded.store_trouble = recorded.store_trouble.or(history.trouble.take());
    let is_stored = recorded.store_trouble.is_none();
    let ignored = chosen.ignored.len();
    chosen.runs.append(&mut chosen.ignored);
    let finished = Finished {
        cases: &chosen.runs,
        ignored,
        header: &header,
        outcome: &outcome,
        verdicts: &verdicts,
        names: &names,
        history: &history,
    };
    let code = finished.close(high, recorded, console)?;
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

/// Waits for other programs that measure.
fn lock(home: &Home, high: &HighArgs, console: &mut Console) -> Result<Option<MachineLock>, Stop> {
    let name = format!("{}/{}", home.package, home.target);
    let now = || wall::local_rfc3339(wall::unix_ns());
    let mut note = |text: &str| console.note(&format!("{}\n", escape(text, true)));
    MachineLock::acquire(&high.lock, &name, now, &mut note)
        .map_err(|why| Stop::environment(escape(&why, true)))
}

/// A run whose launches are over.
struct Finished<'r> {
    /// Those that were run, then those that are ignored.
    cases: &'r [Case],
    ignored: usize,
    header: &'r Header,
    outcome: &'r Outcome,
    /// The verdicts of comparisons, as text.
    verdicts: &'r str,
    names: &'r Names,
    history: &'r History,
}

impl Finished<'_> {
    /// Prints the results and where they are stored.
    fn close(
        &self,
        high: &HighArgs,
        mut recorded: Recorded,
        console: &mut Console,
    ) -> Result<u8, Stop> {
        let trouble = recorded.store_trouble.as_deref();
        let mut file = PathBuf::new();
        if let Some(writer) = recorded.writer.take() {
            writer.path().clone_into(&mut file);
            if let Err(error) = writer.finish(wall::unix_ns()) {
                // The record itself is whole.
                warn(console, &error.to_string());
            }
        }
        if let Some(stop) = recorded.stop.take() {
            return Err(stop);
        }
        let (outcome, last, style) = (self.outcome, &self.history.last, console.style);
        let results = CaseResults::of(&outcome.results);
        let allocations = Allocations {
            cases: self.cases,
            results: &results,
            before: &|case, metric| Some(store::equally_built(self.header, last, case, metric)?.1),
            baseline: high.baseline.as_deref(),
        };
        let latencies = Latencies { results: &results };
        let mut spreads: HashMap<&str, Spread> = HashMap::new();
        for (case, spread) in self.cases.iter().zip(&outcome.spreads) {
            if let Some(spread) = spread {
                spreads.insert(&case.id, *spread);
            }
        }
        let table = Table {
            cases: self.cases,
            results: &outcome.results,
            faults: &outcome.faults,
            end: Some(&outcome.end),
            launches: self.header.settings.launches,
            confidence: CONFIDENCE,
            baseline: high.baseline.as_deref(),
            verdicts: &outcome.verdicts,
            last: &|case| store::ratio(self.header, &results, last, case),
            below: &|case, style| latencies.items(case, style),
            options: TableOptions {
                columns: &high.columns,
                order: high.order,
                spread: &|case| spreads.get(case).copied(),
            },
        };
        let is_over = !outcome.interrupted && outcome.faults.is_empty();
        let why = why_no_number(&outcome.results).filter(|_| is_over);
        let mut text = why.map_or_else(String::new, |why| format!("error: {why}\n\n"));
        if !self.cases.is_empty() {
            let mut document = table.document(&style);
            document.limit_notes();
            // `explain` does not know the run that this one is compared with.
            document.add_notes(allocations.changes());
            text += &document.text(&style);
        }
        let caches = caches(self.header);
        let sweeps = Sweeps::of(self.cases, &outcome.results, &caches);
        let growth = sweeps.render(&style);
        if !growth.is_empty() {
            text += "\n";
            text += &growth;
        }
        if !self.verdicts.is_empty() {
            text += "\n";
            text += self.verdicts;
        }
        if !outcome.faults.is_empty() {
            text += "\n";
            text += &faults(&outcome.faults, self.names, &style);
        }
        if !high.quiet {
            let shown = file.display().to_string();
            let stored = match trouble {
                _ if !high.store.keep => Stored::NotRequested,
                Some(why) => Stored::Not(why),
                None => Stored::In(&shown),
            };
            text += "\n";
            text += &self.summary(stored, high.verbose, style).render(&style);
        }
        console.text(&text)?;
        if let Data::ReportFormat(format) = high.data {
            let data = TableData {
                name: "",
                table: &table,
            };
            console.stdout(&format.render(&[data]))?;
        }
        if let Some(name) = &high.save {
            let shown = escape(name, true);
            if self.outcome.end.interrupted {
                let why = "the run was interrupted; it is stored like any other";
                console.text(&format!("not saved as {shown}: {why}\n"))?;
                return Ok(self.outcome.end.exit_code);
            }
            self.save(name, trouble, &file)
                .map_err(|why| Stop::environment(format!("not saved as {shown}: {why}")))?;
            console.text(&format!("saved as {shown}\n"))?;
        }
        Ok(outcome.end.exit_code)
    }

    /// Keeps the record under a name.
    fn save(&self, name: &str, trouble: Option<&str>, file: &Path) -> Result<(), String> {
        match (trouble, &self.history.store) {
            (None, Some(store)) => store
                .save(name, file, self.header)
                .map_err(|error| error.to_string()),
            (why, _) => Err(why.unwrap_or("there is no store").to_owned()),
        }
    }

    fn summary<'a>(&'a self, stored: Stored<'a>, verbose: bool, style: Style) -> Summary<'a> {
        let mut summary = Summary {
            end: &self.outcome.end,
            measured: 0,
            failed: 0,
            ignored: self.ignored as u64,
            not_reached: 0,
            rough: 0,
            without_figure: 0,
            answer: comparison::answers(self.outcome, self.names, &style),
            stored,
            verbose,
        };
        let results = &self.outcome.results;
        for result in results.iter().filter(|result| result.metric.is_main()) {
            match result.estimate {
                Ok(_) | Err(Absence::BelowResolution) => summary.measured += 1,
                Err(
                    Absence::MachineBusy
                    | Absence::TooScattered
                    | Absence::ClocksDisagree
                    | Absence::CallsTooShort
                    | Absence::TooFewCalls,
                ) => {
                    summary.measured += 1;
                    if result.rough.is_some() {
                        summary.rough += 1;
                    } else {
                        summary.without_figure += 1;
                    }
                }
                Err(Absence::Failed) => summary.failed += 1,
                Err(Absence::NotReached) => summary.not_reached += 1,
            }
        }
        summary
    }
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
