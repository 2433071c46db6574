//! Stores a comparison: every batch and every verdict, so that verdicts can be recomputed.

use std::path::PathBuf;

use tourbillon_clock::wall;
use tourbillon_record::{End, Entry, Header, RunSettings};
use tourbillon_report::SEVERAL_TARGETS;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::store::{self, announce, comparisons};

use crate::facts;
use crate::judgement::Compared;
use crate::measure::CASE_NS;
use crate::measurement::Measured;
use crate::options::Options;
use crate::results::record::printed;

impl Compared<'_> {
    /// The record, with every batch and every verdict.
    pub fn record(&self, options: &Options) -> String {
        let header = header(self, options);
        let entries = entries(self);
        let end = end(&self.measured, &entries);
        let first = [Entry::Header(&header)];
        let lines = first.into_iter().chain(entries).chain([Entry::End(&end)]);
        lines.map(|entry| entry.encode() + "\n").collect()
    }

    /// Stores it next to the runs, and prints where. A store that cannot be written costs no result; the exit code
    /// that this deserves is returned.
    pub(crate) fn keep(&self, options: &Options) -> Result<u8, Stop> {
        announce(keep(self, options))
    }
}

/// Stores a comparison next to the runs and gives the path of its file.
///
/// # Errors
///
/// When the store cannot be found or written.
fn keep(compared: &Compared<'_>, options: &Options) -> Result<PathBuf, Stop> {
    let store = comparisons(&options.store.locate()?.store);
    let header = header(compared, options);
    let entries = entries(compared);
    let end = end(&compared.measured, &entries);
    store::keep(
        &store,
        &header,
        entries.into_iter().chain([Entry::End(&end)]),
    )
}

/// What a record has between its header and its end.
fn entries<'c>(compared: &'c Compared<'_>) -> Vec<Entry<'c>> {
    let cases = &compared.measured.cases;
    let mut entries: Vec<_> = cases.iter().map(|case| Entry::Case(&case.case)).collect();
    for case in cases {
        entries.extend(case.launches.iter().map(Entry::Rounds));
        entries.extend(case.numbers.in_turns().map(Entry::Launch));
        entries.extend(case.fault.iter().map(|(_, fault)| Entry::Fault(fault)));
        let memory = case.counts.sides.iter().flat_map(|side| side.launches());
        entries.extend(memory.map(Entry::Memory));
        entries.extend(case.counts.stepped.iter().flatten().map(Entry::Stepped));
        entries.extend(case.counts.events.iter().flatten().map(Entry::Stepped));
        entries.extend(compared.verdicts(case).map(Entry::Verdict));
    }
    entries
}

fn header(compared: &Compared<'_>, options: &Options) -> Header {
    let (comparison, measured) = (compared.comparison, &compared.measured);
    let mut facts = facts::of(comparison);
    facts.extend(printed(compared));
    let now = wall::unix_ns();
    let started = now.saturating_sub(measured.wall_ns);
    let new = &comparison.new;
    let first = comparison
        .pairs
        .first()
        .map(|[_, at]| &new.executables[*at]);
    let command = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    Header {
        tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
        engine: first.map_or_else(String::new, |executable| executable.engine.clone()),
        started_unix_ns: started,
        started: wall::local_rfc3339(started),
        package: first.map_or_else(String::new, |executable| executable.package.clone()),
        target: match first {
            Some(executable) if comparison.pairs.len() == 1 => executable.target.clone(),
            _ => SEVERAL_TARGETS.to_owned(),
        },
        command: command.collect(),
        seed: measured.seed,
        cases: comparison.cases.len() as u64,
        shard: comparison.shard.clone().map(Box::new),
        settings: RunSettings {
            launches: options.layouts(),
            fewest_launches: None,
            budget_ns: options.time_ns.unwrap_or(CASE_NS),
            batch_ns: 100_000,
            confidence: 1.0 - measured.criteria.error,
            precision: None,
            cpus: measured.processor.into_iter().collect(),
            core_kinds: Some(measured.core_kinds.clone()).filter(|kinds| !kinds.is_empty()),
        },
        clock: measured.clock.clone(),
        facts,
        unknown: String::new(),
    }
}

fn end(measured: &Measured, entries: &[Entry<'_>]) -> End {
    let launches = measured
        .cases
        .iter()
        .map(|case| (case.launches.len() + case.numbers.len()) as u64);
    let batches_ns = measured.cases.iter().map(|case| {
        let ticks = case.launches.iter().flat_map(|rounds| &rounds.ticks).sum();
        case.frequency.nanos(ticks)
    });
    let faults = measured.cases.iter().filter(|case| case.fault.is_some());
    End {
        wall_ns: measured.wall_ns,
        launches_ns: measured.launches_ns,
        batches_ns: batches_ns.sum(),
        launches: launches.sum(),
        faults: faults.count() as u64,
        interrupted: measured.interrupted,
        clock_check: None,
        machine_events: None,
        exit_code: 0,
        lines: Some(entries.len() as u64 + 2),
        unknown: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::Design;
    use tourbillon_present::Style;
    use tourbillon_record::{CompiledOtherwise, Finding, Run, Undecided};

    use super::*;
    use crate::counts::tests::memory;
    use crate::counts::{Counts, Tally};
    use crate::gate::flag::GateFlag;
    use crate::gate::result::hold;
    use crate::gate::result::tests::measured;
    use crate::gate::thresholds::Gate;
    use crate::pairing::Comparison;
    use crate::results::document::{EXPLAIN, document, what_next};
    use crate::results::record::recorded;
    use crate::results::rows::rows;
    use crate::results::rows::tests::comparison;

    /// What was printed of a comparison, and what its record says.
    fn both(compared: &Compared<'_>) -> [String; 2] {
        let style = Style::default();
        let rows = rows(compared, None);
        let mut printed = document(compared, &rows, &style, true, EXPLAIN);
        let next = what_next(&rows, &style).filter(|_| !compared.interrupted());
        printed.insert_before_notes(Vec::from_iter(next));
        let run = Run::parse(&compared.record(&Options::default())).expect("a record");
        [printed, recorded(&run, &style, true)].map(|document| document.text(&style))
    }

    /// As many requests of 8 bytes in each build, counted twice.
    fn allocating(each: [u64; 2]) -> Counts {
        let side = |arm: u8, count: u64| {
            let mut launch = memory(&[count, count]);
            launch.case = "p/t::c".to_owned();
            launch.arm = Some(arm);
            Tally::Counted(vec![launch.clone(), launch])
        };
        Counts {
            sides: [side(0, each[0]), side(1, each[1])],
            ..Counts::default()
        }
    }

    #[test]
    fn a_record_has_the_notes_that_were_printed() {
        let mut comparison = comparison();
        comparison.conditions.otherwise = vec![vec![CompiledOtherwise {
            fact: "opt_level",
            then: "3".to_owned(),
            now: "1".to_owned(),
        }]];
        for (finding, is_interrupted) in [
            (Finding::Slower, false),
            (Finding::Slower, true),
            (Finding::Undecided, false),
            // Of what has no verdict, that alone.
            (Finding::Undecided, true),
        ] {
            let mut measured = measured(1);
            measured.interrupted = is_interrupted;
            let case = &mut measured.cases[0];
            case.percentiles.clear();
            case.verdict.finding = finding;
            case.verdict.why = Some(Undecided::CoreShared);
            case.verdict.method = Design::Builds.method().to_owned();
            let [printed, read] = both(&Compared::without_gate(&comparison, measured));
            assert_eq!(printed, read);
            assert_eq!(printed.matches("! ").count(), 2, "{printed}");
        }
    }

    #[test]
    fn a_record_has_every_row_that_was_printed() {
        let comparison: Comparison = comparison();
        for (each, expected) in [
            ([1, 8], "8 allocs instead of 1"),
            ([8, 1], "1 alloc instead of 8"),
        ] {
            let mut measured = measured(2);
            let case = &mut measured.cases[0];
            case.counts = allocating(each);
            for verdict in &mut case.percentiles {
                verdict.why = Some(Undecided::TooFew);
                verdict.finding = Finding::Undecided;
            }
            case.verdict.finding = Finding::Same;
            let flags = [GateFlag::parse("p99=5%").expect("a flag")];
            let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
            let names = comparison.names();
            let gate = hold(&measured.cases, &gate, &names, (0.001, 0), true);
            let mut compared = Compared::without_gate(&comparison, measured);
            compared.gate = Some(gate);
            let [printed, read] = both(&compared);
            assert_eq!(printed, read);
            for part in [expected, "gone", "added", "not compared", "gate: c p99 is"] {
                assert!(read.contains(part), "{part}: {read}");
            }
        }
    }
}
