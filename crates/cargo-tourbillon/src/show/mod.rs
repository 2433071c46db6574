//! `cargo tourbillon show`: what runs found, from their records alone; several side by side.

mod columns;
mod command;
mod differences;

use tourbillon_record::{Run, Throughput};
use tourbillon_report::{Allocations, ReportFormat, Style, Table, TableData, header};

use crate::exit::{Stop, print};
use crate::records::{self, Record};
use crate::screen;

pub(crate) use self::command::command;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let wish = command::wish(matches);
    let mut records = records::named(&wish.records, &wish.place)?;
    for run in records.iter_mut().flat_map(|record| &mut record.runs) {
        run.cases.retain(|case| wish.selects(&case.id));
        run.results.retain(|result| wish.selects(&result.case));
        run.faults.retain(|fault| wish.selects(&fault.case));
    }
    if records
        .iter()
        .flat_map(|record| &record.runs)
        .all(|run| run.cases.is_empty())
    {
        return Err(Stop::Usage(
            "no case is selected; leave the filters out".to_owned(),
        ));
    }
    let style = screen::style(wish.color);
    print(&match wish.form {
        Some(form) => formed(&records, form),
        None => text(&records, &style),
    })
}

/// What people read: each run as it was shown, or several records side by side.
fn text(records: &[Record], style: &Style) -> String {
    if records.len() > 1 {
        return columns::render(records, style);
    }
    let mut pages = Vec::new();
    for run in records.iter().flat_map(|record| &record.runs) {
        with_table(run, |table| {
            pages.push(format!(
                "{}\n{}",
                header(&run.header, style),
                table.render(style)
            ));
        });
    }
    pages.join("\n")
}

/// The results for other programs.
fn formed(records: &[Record], form: ReportFormat) -> String {
    let mut throughputs = Vec::new();
    for record in records {
        for run in &record.runs {
            throughputs.push((
                record,
                run,
                |case: &str| throughput(run, case),
                |case: &str, style: &Style| allocations(run, case, style),
            ));
        }
    }
    let tables: Vec<(&str, Table<'_>)> = throughputs
        .iter()
        .map(|(record, run, throughput, below)| {
            // One record needs no name.
            let name = if records.len() > 1 {
                record.name.as_str()
            } else {
                ""
            };
            (name, table(run, throughput, below))
        })
        .collect();
    let sheets: Vec<TableData<'_>> = tables
        .iter()
        .map(|(name, table)| TableData { name, table })
        .collect();
    form.render(&sheets)
}

fn with_table(run: &Run, draw: impl FnOnce(&Table<'_>)) {
    draw(&table(
        run,
        &|case| throughput(run, case),
        &|case, style| allocations(run, case, style),
    ));
}

fn table<'a>(
    run: &'a Run,
    throughput: &'a dyn Fn(&str) -> Option<Throughput>,
    below: &'a dyn Fn(&str, &Style) -> String,
) -> Table<'a> {
    Table {
        cases: &run.cases,
        results: &run.results,
        faults: &run.faults,
        end: run.end.as_ref(),
        launches: run.header.settings.launches,
        confidence: run.header.settings.confidence,
        throughput,
        baseline: None,
        last: &|_| None,
        below,
    }
}

/// What an op of a case asks of the allocator, where that was counted.
fn allocations(run: &Run, case: &str, style: &Style) -> String {
    let counts = Allocations {
        cases: &run.cases,
        results: &run.results,
        before: &|_, _| None,
        baseline: None,
    };
    counts.below(case, style)
}

/// What an op of a case processes, as its visits say.
fn throughput(run: &Run, case: &str) -> Option<Throughput> {
    run.visits
        .iter()
        .find(|visit| visit.case == case)?
        .throughput
}
