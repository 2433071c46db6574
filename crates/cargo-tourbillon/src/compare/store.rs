//! Stores a comparison: every batch and every verdict, so that verdicts can be recomputed.

use std::path::PathBuf;

use tourbillon_clock::wall;
use tourbillon_record::store::{RunWriter, Store};
use tourbillon_record::{Case, End, Entry, Fact, FactValue, Header, RunSettings};

use super::measure::Measured;
use super::options::Options;
use super::pairing::Comparison;
use crate::exit::Stop;
use crate::records::{Place, comparisons};

/// Stores a comparison next to the runs and gives the path of its file.
///
/// # Errors When the store cannot be found or written.
pub(super) fn keep(
    comparison: &Comparison,
    measured: &Measured,
    options: &Options,
    place: &Place,
) -> Result<PathBuf, Stop> {
    let store: Store = comparisons(&place.store()?);
    let failed = |error: tourbillon_record::store::Error| Stop::Environment(error.to_string());
    let mut writer: RunWriter = store
        .begin(&header(comparison, measured, options))
        .map_err(failed)?;
    let mut append = |entry: Entry<'_>| writer.append(entry).map_err(failed);
    let mut faults = 0;
    for case in &measured.cases {
        append(Entry::Case(&Case {
            id: case.verdict.case.clone(),
            ..Case::default()
        }))?;
    }
    for case in &measured.cases {
        for rounds in &case.launches {
            append(Entry::Rounds(rounds))?;
        }
        if let Some((_, fault)) = &case.fault {
            faults += 1;
            append(Entry::Fault(fault))?;
        }
        for side in &case.counts.sides {
            for memory in side.visits() {
                append(Entry::Memory(memory))?;
            }
        }
        append(Entry::Verdict(&case.verdict))?;
    }
    append(Entry::End(&end(measured, faults)))?;
    let path = writer.path().to_owned();
    writer.finish().map_err(failed)?;
    Ok(path)
}

fn header(comparison: &Comparison, measured: &Measured, options: &Options) -> Header {
    let now = wall::unix_ns();
    let started = now.saturating_sub(measured.wall_ns);
    let (old, new) = (&comparison.old, &comparison.new);
    let first = comparison
        .cases
        .first()
        .map(|case| &new.executables[case.new]);
    let alone = comparison
        .cases
        .iter()
        .all(|case| Some(case.new) == comparison.cases.first().map(|first| first.new));
    let text = |name: &str, value: &str| Fact {
        name: name.to_owned(),
        value: FactValue::Text(value.to_owned()),
    };
    Header {
        tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
        engine: first.map_or_else(String::new, |executable| executable.engine.clone()),
        started_unix_ns: started,
        started: wall::local_rfc3339(started),
        package: first.map_or_else(String::new, |executable| executable.package.clone()),
        // No target can have this name.
        target: match first.filter(|_| alone) {
            Some(executable) => executable.target.clone(),
            None => "several targets".to_owned(),
        },
        command: std::env::args_os()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        seed: measured.seed,
        cases: comparison.cases.len() as u64,
        settings: RunSettings {
            launches: options.layouts,
            budget_ns: options.time_ns.unwrap_or(super::measure::CASE_NS),
            batch_ns: 100_000,
            confidence: 1.0 - measured.terms.error,
            precision: None,
            cpus: measured.processor.into_iter().collect(),
        },
        clock: measured.clock.clone(),
        facts: vec![
            text("reference", &old.label),
            text("candidate", &new.label),
            text("reference_flags", &old.flags),
            text("candidate_flags", &new.flags),
            text("reference_toolchain", &old.toolchain),
            text("candidate_toolchain", &new.toolchain),
        ],
        unknown: String::new(),
    }
}

fn end(measured: &Measured, faults: u64) -> End {
    let ticks = measured
        .cases
        .iter()
        .flat_map(|case| &case.launches)
        .flat_map(|rounds| &rounds.ticks)
        .sum();
    End {
        wall_ns: measured.wall_ns,
        visits_ns: measured.visits_ns,
        batches_ns: measured.frequency.nanos(ticks),
        visits: measured
            .cases
            .iter()
            .map(|case| case.launches.len() as u64)
            .sum(),
        faults,
        interrupted: measured.interrupted,
        clock_check: None,
        meanwhile: None,
        exit_code: 0,
        unknown: String::new(),
    }
}
