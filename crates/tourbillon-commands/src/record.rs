//! The record of a measurement of commands.

use std::path::{Path, PathBuf};

use tourbillon_analysis::{Criteria, Design, judge};
use tourbillon_clock::wall;
use tourbillon_coordinator::platform::machine_name::{MACHINE, machine_name};
use tourbillon_record::store::Store;
use tourbillon_record::{
    Case, CaseResult, End, Entry, Fact, FactValue, Header, Rounds, Run, RunSettings, Verdict,
};
use tourbillon_stats::Confidence;
use tourbillon_tool::exit::{INTERRUPTED, Stop};
use tourbillon_tool::machine_facts::machine;
use tourbillon_tool::run_clock::ToolRunClock;
use tourbillon_tool::store::{self, warn};

use crate::arms::Arm;
use crate::estimate::estimate;
use crate::measure::Measured;

/// Package and target in the header of a record of commands.
const NAME: &str = "commands";

/// Confidence of the interval of a single command.
const CONFIDENCE: Confidence = Confidence::P99;

/// What is known of a measurement before it begins.
pub(crate) struct Before<'b> {
    pub(crate) run_clock: &'b ToolRunClock,
    pub(crate) seed: u64,
    pub(crate) criteria: Criteria,
    pub(crate) time_ns: u64,
    pub(crate) runs: Option<u64>,
    pub(crate) max_runs: Option<u64>,
    pub(crate) started_unix_ns: u64,
}

/// The command line of the empty program and what it took, or why that is not known.
type StartCost<'c> = Result<(&'c str, Vec<CaseResult>), String>;

/// Whether a record is one of commands.
pub fn is_of_commands(run: &Run) -> bool {
    run.cases.iter().any(|case| case.command.is_some())
}

/// Makes the results and verdicts of what was measured. `empty` is the command line of the empty program.
pub(crate) fn run(
    arms: &[Arm],
    before: &Before<'_>,
    measured: Measured,
    empty: &str,
    wall_ns: u64,
) -> Run {
    let cases: Vec<Case> = arms.iter().map(|arm| arm.case.clone()).collect();
    let rounds = Rounds {
        started_unix_ns: before.started_unix_ns,
        ..measured.rounds
    };
    let frequency = &before.run_clock.frequency;
    let results = results(&rounds, before);
    let verdicts = verdicts(&rounds, before);
    let end = End {
        wall_ns,
        launches_ns: frequency.nanos(rounds.launch_ticks),
        batches_ns: frequency.nanos(rounds.ticks.iter().fold(0, |a, b| a.saturating_add(*b))),
        launches: rounds.ticks.len() as u64,
        faults: measured.fault.iter().len() as u64,
        interrupted: measured.exit_code == INTERRUPTED,
        clock_check: None,
        machine_events: None,
        exit_code: measured.exit_code,
        lines: None,
        unknown: String::new(),
    };
    // The number of runs that ended it, where it was not the time.
    let last = rounds.round.last().map_or(0, |last| last + 1);
    let most = before.max_runs.filter(|most| last >= *most);
    let runs = before.runs.or(most).unwrap_or(0);
    let start_cost = measured.empty.map(|rounds| {
        let results = estimate(&rounds, 0, CONFIDENCE, frequency);
        (empty, results)
    });
    Run {
        header: header(before, runs, cases.len(), &start_cost),
        cases,
        faults: measured.fault.into_iter().collect(),
        results,
        rounds: vec![rounds],
        verdicts,
        end: Some(end),
        ..Run::default()
    }
}

fn results(rounds: &Rounds, before: &Before<'_>) -> Vec<CaseResult> {
    let arms = 0..rounds.cases.len();
    arms.flat_map(|arm| estimate(rounds, arm, CONFIDENCE, &before.run_clock.frequency))
        .collect()
}

/// A verdict on each command but the first.
fn verdicts(rounds: &Rounds, before: &Before<'_>) -> Vec<Verdict> {
    if rounds.ticks.is_empty() {
        return Vec::new();
    }
    let launch = std::slice::from_ref(rounds);
    let frequency = &before.run_clock.frequency;
    let arms = 1..rounds.cases.len();
    arms.map(|arm| judge(Design::Commands, launch, 0, arm, before.criteria, frequency))
        .collect()
}

fn header(before: &Before<'_>, runs: u64, cases: usize, start_cost: &StartCost<'_>) -> Header {
    let command = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    Header {
        tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
        engine: format!("{NAME}-{}", env!("CARGO_PKG_VERSION")),
        started_unix_ns: before.started_unix_ns,
        started: wall::local_rfc3339(before.started_unix_ns),
        package: NAME.to_owned(),
        target: NAME.to_owned(),
        command: command.collect(),
        seed: before.seed,
        cases: cases as u64,
        shard: None,
        settings: RunSettings {
            launches: u32::try_from(runs).unwrap_or(u32::MAX),
            fewest_launches: None,
            budget_ns: before.time_ns,
            batch_ns: 0,
            confidence: CONFIDENCE.level(),
            precision: None,
            cpus: Vec::new(),
            core_kinds: None,
        },
        clock: before.run_clock.facts.clone(),
        facts: facts(start_cost),
        unknown: String::new(),
    }
}

/// What a reader needs to know of the machine, and what an empty program took.
fn facts(start_cost: &StartCost<'_>) -> Vec<Fact> {
    let fact = |name: &str, value: Result<FactValue, String>| Fact {
        name: name.to_owned(),
        value: value.unwrap_or_else(FactValue::Absent),
    };
    let mut facts = machine();
    facts.push(fact(MACHINE, machine_name().map(FactValue::Text)));
    match start_cost {
        Ok((program, results)) => {
            let program = FactValue::Text((*program).to_owned());
            facts.push(fact("empty_program", Ok(program)));
            for result in results {
                let name = format!("empty_program_{}", result.metric.name());
                let value = result
                    .estimate
                    .map(|value| FactValue::Integer(value as u64))
                    .map_err(|why| why.name().to_owned());
                facts.push(fact(&name, value));
            }
        }
        Err(why) => facts.push(fact("empty_program", Err(why.clone()))),
    }
    facts
}

/// The store of commands: in this folder or that of `TOURBILLON_STORE`, else in the user's folder.
///
/// # Errors
///
/// When the user has no folder.
pub fn store_of(folder: Option<&Path>) -> Result<Store, Stop> {
    let named = std::env::var_os("TOURBILLON_STORE").filter(|named| !named.is_empty());
    let folder = match (folder, named) {
        (Some(folder), _) => folder.to_owned(),
        (None, Some(named)) => PathBuf::from(named),
        (None, None) => tourbillon_builds::Cache::locate(tourbillon_tool::exit::say)?.commands(),
    };
    Ok(Store::open(folder.join(NAME)))
}

/// Stores a record and gives the path of its file.
///
/// # Errors
///
/// When the store cannot be written.
pub fn keep(run: &Run, store: &Store) -> Result<PathBuf, Stop> {
    let cases = run.cases.iter().map(Entry::Case);
    let faults = run.faults.iter().map(Entry::Fault);
    let results = run.results.iter().map(Entry::Result);
    let rounds = run.rounds.iter().map(Entry::Rounds);
    let verdicts = run.verdicts.iter().map(Entry::Verdict);
    let entries = cases
        .chain(faults)
        .chain(results)
        .chain(rounds)
        .chain(verdicts)
        .chain(run.end.iter().map(Entry::End));
    store::keep(store, &run.header, entries)
}

/// The newest record of commands in a store.
///
/// # Errors
///
/// When the store cannot be read, or has none.
pub fn newest(store: &Store) -> Result<PathBuf, Stop> {
    let runs = [store.runs(NAME, NAME, wall::unix_ns())?];
    warn(&runs);
    runs[0].files().next().cloned().ok_or_else(|| {
        let what = format!("no record of commands is stored in {:?}", store.path());
        Stop::Environment(format!("{what}; `tourbillon commands` makes one"))
    })
}
