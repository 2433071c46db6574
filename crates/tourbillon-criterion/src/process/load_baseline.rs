//! Saved results in place of a run: `--load-baseline`.

use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_coordinator::args::Data;
use tourbillon_coordinator::output::{Console, FINE, Stop};
use tourbillon_coordinator::run::before;
use tourbillon_record::store::{Found, Last};
use tourbillon_record::{Case, CaseResult, End, Entry, Header};
use tourbillon_report::{CaseResults, Table, TableData, TableOptions, escape};

use crate::baseline::Baselines;
use crate::change::Change;
use crate::flags::Flags;
use crate::outputs::{Benchmark, Outputs, Uncompared, note};

/// Prints the results of benchmarks that were saved under a name, compared with those of `last`.
///
/// # Errors
///
/// Benchmarks that have no results of this name, and a stdout that cannot be written.
pub(super) fn show(
    benchmarks: Vec<Benchmark>,
    name: &str,
    last: Rc<Last>,
    flags: &Flags,
    console: &mut Console,
) -> Result<u8, Stop> {
    let mut loaded = Vec::new();
    for benchmark in benchmarks {
        let found = benchmark.folder.read(&benchmark.case.id, name);
        let Some(found) = found.map_err(Stop::environment)? else {
            let (name, id) = (escape(name, true), escape(&benchmark.case.id, true));
            return Err(Stop::usage(format!(
                "baseline {name} has no results of {id}; save them with --save-baseline {name}"
            )));
        };
        loaded.push((benchmark, found));
    }
    if flags.lines.is_some() {
        print_lines(loaded, last, flags);
    } else if console.prints_lines() {
        for (_, found) in &loaded {
            console.data(&Entry::Header(&found.header).encode())?;
            for result in &found.results {
                console.data(&Entry::Result(result).encode())?;
            }
        }
    } else {
        print_table(&loaded, &last, flags, console)?;
        let mut uncompared = Uncompared::default();
        for (Benchmark { case, .. }, found) in &loaded {
            let (id, header) = (&case.id, &found.header);
            let results = CaseResults::of(&found.results);
            let change = Change::since(&last, id, header, &results, 0.0);
            if let Some(sentence) = change.and_then(|change| note(id, &change)) {
                console.note(&format!("note: {sentence}\n"));
            }
            if let Some(why) = Change::absent(&last, id, header, &results) {
                uncompared.add(why, id);
            }
        }
        for sentence in uncompared.notes() {
            console.note(&format!("note: {sentence}\n"));
        }
    }
    Ok(FINE)
}

fn print_lines(loaded: Vec<(Benchmark, Found)>, last: Rc<Last>, flags: &Flags) {
    let (benchmarks, found): (Vec<Benchmark>, Vec<Found>) = loaded.into_iter().unzip();
    let unwritten = |benchmark: Benchmark| Benchmark {
        baselines: Baselines {
            writes: false,
            ..benchmark.baselines
        },
        ..benchmark
    };
    let benchmarks = benchmarks.into_iter().map(unwritten).collect();
    let mut outputs = Outputs::new(benchmarks, flags.lines, last);
    let end = End::default();
    for found in &found {
        // Each has the header of its own run.
        outputs.entry(Entry::Header(&found.header));
        for result in &found.results {
            outputs.entry(Entry::Result(result));
        }
        outputs.entry(Entry::End(&end));
    }
    outputs.finish(false);
}

fn print_table(
    loaded: &[(Benchmark, Found)],
    last: &Last,
    flags: &Flags,
    console: &mut Console,
) -> Result<(), Stop> {
    let headers: HashMap<&str, &Header> = loaded
        .iter()
        .map(|(benchmark, found)| (benchmark.case.id.as_str(), &found.header))
        .collect();
    let cases: Vec<Case> = loaded
        .iter()
        .map(|(benchmark, _)| benchmark.case.clone())
        .collect();
    let results = loaded.iter().flat_map(|(_, found)| &found.results);
    let results: Vec<CaseResult> = results.cloned().collect();
    let of_cases = CaseResults::of(&results);
    let settings = loaded.first().map(|(_, found)| &found.header.settings);
    let table = Table {
        cases: &cases,
        results: &results,
        launches: settings.map_or(0, |settings| settings.launches),
        confidence: settings.map_or(0.0, |settings| settings.confidence),
        baseline: flags.high.baseline.as_deref(),
        last: &|case| before(headers.get(case)?, &of_cases, last, case),
        options: TableOptions {
            order: flags.high.order,
            ..TableOptions::default()
        },
        ..Table::default()
    };
    console.text(&table.document(&console.style).text(&console.style))?;
    if let Data::ReportFormat(format) = flags.high.data {
        let data = TableData {
            name: "",
            table: &table,
        };
        console.stdout(&format.render(&[data]))?;
    }
    Ok(())
}
