//! Bench mode: everything before the first visit and after the last one.

use std::path::{Path, PathBuf};

use tourbillon_analysis::Frequency;
use tourbillon_engine::{Suite, each};
use tourbillon_record::store::{Last, RunWriter, Store};
use tourbillon_record::{Absence, Case, Entry, Header};
use tourbillon_report::{Stored, Summary, Table, TableData, escape, faults, header};
use tourbillon_runner::{Outcome, run_and};

use super::chosen::Chosen;
use super::comparison::{Candidates, Comparing};
use super::console::Console;
use super::exit::{ENVIRONMENT, FINE, Stop};
use super::flags::{Data, HighArgs};
use super::header;
use super::options::{CONFIDENCE, run_settings, settings};
use super::recorder::{Recorded, Recorder};
use super::run_clock::SystemRunClock;
use super::spawner::Spawner;
use super::store;
use crate::lasting::{Handed, Lasting};
use crate::registry::Origin;
use crate::text::{append, owned, said, text};

/// The functions of a program.
pub(crate) struct Functions<'f> {
    /// Their cases.
    pub(crate) suite: &'f dyn Suite,
    /// Where they come from; `None` when there are none.
    pub(crate) home: Option<&'f Origin>,
    /// The code that compares cases, where a function asks for it.
    pub(crate) versus: Option<Comparing>,
}

/// Measures the selected cases, prints and stores what comes of it.
///
/// # Errors
///
/// What keeps the run from starting, and a stdout that cannot be written. A store in which no record can
/// be begun is a warning; a record that is damaged or torn has the exit code [`ENVIRONMENT`].
#[inline(never)]
pub(crate) fn bench(
    functions: &Functions<'_>,
    high: &HighArgs,
    console: &mut Console,
) -> Result<u8, Stop> {
    let mut chosen = Chosen::of(functions.suite, &high.selection);
    let home = match functions.home {
        Some(home) if !chosen.runs.is_empty() => home,
        _ => {
            console.people(&nothing(&chosen, high))?;
            return Ok(FINE);
        }
    };
    let contests = Lasting::new(contests(functions, high, &chosen.runs)?);
    let mut spawner = Spawner::new(high)?;
    let run_clock = SystemRunClock::start();
    let clock = Handed::new(run_clock.facts());
    let Some(frequency) = Frequency::of(&clock) else {
        let what = text!("the clock {} has no frequency", clock.source);
        return Err(Stop::environment(what));
    };
    let seed = high.seed.unwrap_or_else(header::new_seed);
    let mut settings = Lasting::new(settings(high, &chosen, seed, &clock, frequency));
    let run_settings = Handed::new(run_settings(&settings, &high.cpus));
    let opening = header::header(home, chosen.runs.len(), seed, run_settings, clock);
    let opening = Lasting::new(opening);
    settings.core_cache_bytes = opening.core_cache_bytes();

    console.data(&Entry::Header(&opening).encode())?;
    if !high.quiet {
        console.people(&text!("{}\n", header(&opening, &console.style)))?;
    }
    let mut kept = Lasting::new(kept(high, &opening, &chosen.runs, console)?);
    let style = console.style;
    let mut recorder = Recorder::new(console, kept.writer.take());
    let mut verdicts = String::new();
    let outcome = Lasting::new(run_and(
        &chosen.runs,
        &settings,
        &mut spawner,
        &run_clock,
        &mut recorder,
        &mut |stage| {
            if let Some(versus) = functions.versus {
                verdicts = (versus.run)(&contests, stage, &style);
            }
        },
    ));
    let mut recorded = recorder.finish();
    let damaged = recorded.store_trouble.is_some();
    if recorded.store_trouble.is_none() {
        recorded.store_trouble = kept.trouble.take();
    }
    let ignored = chosen.ignored.len();
    chosen.join();
    let finished = Finished {
        ignored,
        cases: &chosen.runs,
        opening: &opening,
        outcome: &outcome,
        verdicts: &verdicts,
        kept: &kept,
    };
    let code = finished.close(high, &mut recorded, console)?;
    // What was measured is shown, but the record that was begun is not whole.
    Ok(if damaged { code.max(ENVIRONMENT) } else { code })
}

/// Who is to be compared with whom, after the last visit.
///
/// # Errors
///
/// A comparison that was asked for and cannot be made.
fn contests(
    functions: &Functions<'_>,
    high: &HighArgs,
    runs: &[Case],
) -> Result<Vec<Candidates>, Stop> {
    match (functions.versus, high.against.as_deref()) {
        (Some(versus), against) => {
            let mut all = Lasting::new(Vec::new());
            each(functions.suite, &mut |case, _| all.push(case.clone()));
            (versus.contests)(runs, &all, against).map_err(|what| {
                Stop::usage(if against.is_some() {
                    text!("--against: {what}")
                } else {
                    what
                })
            })
        }
        (None, _) => Ok(Vec::new()),
    }
}

/// What the store has and takes.
#[derive(Default)]
struct Kept {
    store: Lasting<Option<Store>>,
    last: Lasting<Last>,
    writer: Lasting<Option<RunWriter>>,
    trouble: Option<String>,
}

/// Opens the store. Trouble with it is a warning, and the run goes on without.
///
/// # Errors
///
/// A baseline that is not there: what was asked for cannot be shown.
fn kept(
    high: &HighArgs,
    opening: &Header,
    cases: &[Case],
    console: &mut Console,
) -> Result<Kept, Stop> {
    let store = match store::store(high) {
        Ok(Some(store)) => Handed::new(store),
        Ok(None) => return Ok(Kept::default()),
        Err(why) if high.baseline.is_some() => return Err(Stop::environment(why)),
        Err(why) => {
            warn(console, &why);
            return Ok(Kept {
                trouble: Some(why),
                ..Kept::default()
            });
        }
    };
    let last = Lasting::new(store::last(&store, high, opening, cases)?);
    if !high.store.keep {
        return Ok(Kept {
            last,
            ..Kept::default()
        });
    }
    let begun = Handed::new(store::begin(&store, opening));
    for skipped in &last.skipped {
        let (path, why) = (skipped.path.display(), &skipped.why);
        warn(console, &text!("{path} is passed over: {why}"));
    }
    let (mut writer, mut trouble) = (Lasting::new(None), None);
    match Handed::into_inner(begun) {
        Ok(begun) => writer = Lasting::new(Some(begun)),
        Err(why) => {
            warn(console, &why);
            trouble = Some(why);
        }
    }
    Ok(Kept {
        store: Lasting::new(Some(Handed::into_inner(store))),
        last,
        writer,
        trouble,
    })
}

fn warn(console: &mut Console, what: &str) {
    console.note(&text!("warning: {}\n", escape(what, true)));
}

/// A run whose visits are over.
struct Finished<'r> {
    /// Those that were run, then those that are ignored.
    cases: &'r [Case],
    ignored: usize,
    opening: &'r Header,
    outcome: &'r Outcome,
    /// What comparisons came to, as text.
    verdicts: &'r str,
    kept: &'r Kept,
}

impl Finished<'_> {
    /// Prints the results, and what became of the run.
    fn close(
        &self,
        high: &HighArgs,
        recorded: &mut Recorded,
        console: &mut Console,
    ) -> Result<u8, Stop> {
        let trouble = recorded.store_trouble.as_deref();
        let mut file = Lasting::new(PathBuf::new());
        if let Some(writer) = &recorded.writer {
            file = Lasting::new(writer.path().to_owned());
        }
        if let Some(Err(error)) = recorded.writer.take().map(RunWriter::finish) {
            // The record itself is whole.
            warn(console, &said(&error));
        }
        if let Some(stop) = recorded.stop.take() {
            return Err(stop);
        }
        let outcome = self.outcome;
        #[cfg(feature = "mem")]
        let counts = tourbillon_report::Allocations {
            cases: self.cases,
            results: &outcome.results,
            before: &|case, metric| Some(self.kept.last.result(case, metric)?.1),
            baseline: high.baseline.as_deref(),
        };
        let table = Table {
            cases: self.cases,
            results: &outcome.results,
            faults: &outcome.faults,
            end: Some(&outcome.end),
            launches: self.opening.settings.launches,
            confidence: CONFIDENCE,
            throughput: &|case| recorded.throughput.of(case),
            baseline: high.baseline.as_deref(),
            last: &|case| store::ratio(self.opening, &outcome.results, &self.kept.last, case),
            #[cfg(feature = "mem")]
            below: &|case, style| counts.below(case, style),
            #[cfg(not(feature = "mem"))]
            below: &|_, _| String::new(),
        };
        let mut text = table.render(&console.style);
        #[cfg(feature = "mem")]
        append(&mut text, &counts.changes(&console.style));
        if !self.verdicts.is_empty() {
            append(&mut text, "\n");
            append(&mut text, self.verdicts);
        }
        if !outcome.faults.is_empty() {
            append(&mut text, "\n");
            append(&mut text, &faults(&outcome.faults, &console.style));
        }
        let file_shown = said(&file.display());
        if !high.quiet {
            let stored = match trouble {
                _ if !high.store.keep => Stored::NotAsked,
                Some(why) => Stored::Not(why),
                None => Stored::In(&file_shown),
            };
            append(&mut text, "\n");
            append(&mut text, &self.summary(stored).render(&console.style));
        }
        console.people(&text)?;
        if let Data::ReportFormat(form) = high.data {
            let sheet = TableData {
                name: "",
                table: &table,
            };
            console.stdout(&form.render(&[sheet]))?;
        }
        if let Some(name) = &high.save {
            let saved = self.save(name, trouble, &file);
            let name = escape(name, true);
            match saved {
                Ok(()) => console.people(&text!("saved as {name}\n"))?,
                Err(why) => {
                    return Err(Stop::environment(text!("not saved as {name}: {why}")));
                }
            }
        }
        Ok(outcome.end.exit_code)
    }

    /// Keeps the record under a name.
    #[inline(never)]
    fn save(&self, name: &str, trouble: Option<&str>, file: &Path) -> Result<(), String> {
        if self.outcome.end.interrupted {
            return Err(owned(
                "the run was interrupted; it is stored like any other",
            ));
        }
        match (trouble, &*self.kept.store) {
            (None, Some(store)) => store
                .save(name, file, self.opening)
                .map_err(|error| said(&error)),
            (why, _) => Err(owned(why.unwrap_or("there is no store"))),
        }
    }

    fn summary<'a>(&'a self, stored: Stored<'a>) -> Summary<'a> {
        let mut summary = Summary {
            end: &self.outcome.end,
            measured: 0,
            failed: 0,
            ignored: self.ignored as u64,
            not_reached: 0,
            without_figure: 0,
            stored,
        };
        for result in &self.outcome.results {
            if result.metric.is_main() {
                match result.estimate {
                    Ok(_) | Err(Absence::BelowResolution) => summary.measured += 1,
                    Err(Absence::MachineBusy | Absence::TooScattered | Absence::ClocksDisagree) => {
                        summary.measured += 1;
                        summary.without_figure += 1;
                    }
                    Err(Absence::Failed) => summary.failed += 1,
                    Err(Absence::NotReached) => summary.not_reached += 1,
                }
            }
        }
        summary
    }
}

/// Says that there is nothing to measure, and why.
fn nothing(chosen: &Chosen, high: &HighArgs) -> String {
    let ignored = chosen.ignored.len();
    let mut text = match high.selection.describe() {
        Some(what) => text!(
            "no case is {what}; {} others are here, --list shows them\n",
            chosen.filtered_out
        ),
        None if ignored > 0 => String::new(),
        None => owned("no cases: no function of this program is marked with #[bench]\n"),
    };
    if ignored > 0 {
        text = text!(
            "nothing to measure: {ignored} selected and marked as ignored; add --include-ignored\n"
        );
    }
    text
}
