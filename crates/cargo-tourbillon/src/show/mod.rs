//! `cargo tourbillon show`: the results of runs from their records, several side by side.

mod columns;
mod labels;

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use tourbillon_analysis::sweep::caches;
use tourbillon_analysis::{Rules, Spread, Tally, estimate_and_spread};
use tourbillon_commands::{Columns, RowOrder, record, results};
use tourbillon_compare::{is_comparison, recorded, recorded_answer};
use tourbillon_present::kind::{COMMANDS, COMPARISON, RESULTS};
use tourbillon_present::{Block, Document, Kind};
use tourbillon_record::{LaunchSamples, Run};
use tourbillon_report::{
    Names, ReportFormat, Style, Sweeps, Table, TableData, TableOptions, comparisons, escape,
    full_header, header, outside_of_rows, program_name, sides,
};

use crate::alone::program;
use crate::bench_flags::{Format, TableFlags};
use crate::exit::{Stop, print_data, print_document, print_page};
use crate::output_flags::ColorFlag;
use crate::records::{self, Record, StorePath};
use crate::report::terminal;
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon show
  cargo tourbillon show --comparison
  cargo tourbillon show main here.jsonl there.jsonl
  cargo tourbillon show --columns mean,sd,p90 --sort time
  cargo tourbillon show here.jsonl there.jsonl --format md --filter sort";

/// Show results of runs from their records, several side by side
///
/// Shows the newest result of each benchmark of this package, or the results in the named files and
/// baselines. Several of them are shown side by side, from several machines, too, with the differences of
/// the machines. They were not measured together, so there is no verdict.
///
/// A file is a record of the store, an export of a baseline, or the output of `--format jsonl`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Files and names of baselines [the newest results]
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The newest comparison of builds
    #[arg(long, conflicts_with = "records")]
    comparison: bool,
    /// List all rows of a comparison
    #[arg(long)]
    list_all: bool,
    /// Only cases that match, by id or printed name; may be repeated
    #[arg(long, value_name = "PART")]
    filter: Vec<String>,
    /// text, csv, csv-semicolon, md, gnuplot, json or html
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Draw intervals and sweeps in place of the table
    #[arg(long, conflicts_with = "format")]
    plot: bool,
    /// Show everything that is known of the machine and the build
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    table: TableFlags,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl Arguments {
    /// Without a record, the newest one of commands.
    pub(crate) fn of_commands(mut self) -> Result<Arguments, Stop> {
        if self.records.is_empty() {
            self.records.push(self.store.newest_of_commands()?);
        }
        Ok(self)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let store = arguments.store.path();
    let mut records = if arguments.comparison {
        let what = "no comparison is stored; cargo tourbillon compare makes one";
        let newest = store.locate()?.newest_comparison()?;
        vec![newest.ok_or_else(|| Stop::Environment(what.to_owned()))?]
    } else {
        records::named(&arguments.records, &store)?
    };
    records::select(&mut records, &arguments.filter)?;
    let style = arguments.color.style();
    if let Some(format) = arguments.format.document() {
        let kind = kind(&records)?;
        let document = all(&records, arguments, &style);
        return print_document(&document, format, kind, &style, String::new);
    }
    let mut text = rendered(&records, arguments, &style)?;
    let is_table = arguments.format.report().is_none() && !arguments.plot;
    if arguments.records.is_empty() && !arguments.comparison && is_table {
        text += &compared(&store, &style)?;
    }
    if arguments.format.report().is_some() {
        print_data(&text)
    } else {
        print_page(&text)
    }
}

/// What came of the newest comparison of builds, and how to see it; empty without one.
fn compared(store: &StorePath, style: &Style) -> Result<String, Stop> {
    let newest = store.locate()?.newest_comparison()?;
    let Some(run) = newest.iter().flat_map(Record::runs).next() else {
        return Ok(String::new());
    };
    let [old, new] = sides(&run.header);
    let line = format!(
        "newest comparison: {old} → {new}, {}, {}; `{} show --comparison` shows it",
        run.header.started,
        recorded_answer(run),
        program()
    );
    let document = Document::of(vec![Block::text(line)]);
    Ok(format!("\n{}", document.text(style)))
}

/// The records in the format that was asked for.
pub(crate) fn rendered(
    records: &[Record],
    arguments: &Arguments,
    style: &Style,
) -> Result<String, Stop> {
    let of_tables = &arguments.table;
    let is_one_table = records.len() == 1 && !arguments.plot;
    if arguments.format.report().is_none() && !is_one_table && !of_tables.are_unset() {
        let what = "--columns and --sort are for the table of one record; add --format csv or md for several";
        return Err(Stop::Usage(what.to_owned()));
    }
    Ok(match arguments.format.report() {
        Some(format) => formed(records, "run", format, of_tables),
        None if arguments.plot => plots(records, style),
        None => text(records, arguments, style),
    })
}

/// For people: each run as it was shown, or several records side by side.
fn text(records: &[Record], arguments: &Arguments, style: &Style) -> String {
    if records.len() > 1 {
        return columns::document(records, style).text(style);
    }
    let mut pages = Vec::new();
    for run in records.iter().flat_map(Record::runs) {
        let heading = if arguments.verbose {
            full_header(&run.header, style)
        } else {
            let began = escape(&run.header.started, style.unicode);
            format!("{}began {began}\n", header(&run.header, style))
        };
        let mut document = page(run, arguments, style);
        document.limit_notes(&format!("{} explain", program()));
        pages.push(format!("{heading}\n{}", document.text(style)));
    }
    pages.join("\n")
}

/// The kind of the document of all runs: their tables have the same members.
fn kind(records: &[Record]) -> Result<&'static Kind, Stop> {
    let of_run = |run: &Run| {
        if record::is_of_commands(run) {
            &COMMANDS
        } else if is_comparison(run) {
            &COMPARISON
        } else {
            &RESULTS
        }
    };
    let mut kinds: Vec<&Kind> = records.iter().flat_map(Record::runs).map(of_run).collect();
    kinds.sort_by_key(|kind| kind.name);
    kinds.dedup_by_key(|kind| kind.name);
    match kinds.as_slice() {
        [] => Ok(&RESULTS),
        [only] => Ok(only),
        several => {
            let names: Vec<&str> = several.iter().map(|kind| kind.name).collect();
            Err(Stop::Usage(format!(
                "one document has records of one kind, not of {}; name them in two commands",
                names.join(" and ")
            )))
        }
    }
}

/// All runs, each below its name and its time.
fn all(records: &[Record], arguments: &Arguments, style: &Style) -> Document {
    let mut blocks = Vec::new();
    for (record, run) in records
        .iter()
        .flat_map(|record| record.runs().map(move |run| (record, run)))
    {
        let header = &run.header;
        let program = format!("{}, {}", program_name(header), header.started);
        blocks.push(Block::text(if records.len() > 1 {
            format!("{}: {program}", record.name)
        } else {
            program
        }));
        blocks.append(&mut page(run, arguments, style).blocks);
    }
    Document::of(blocks)
}

/// The results of a run.
fn page(run: &Run, arguments: &Arguments, style: &Style) -> Document {
    let flags = &arguments.table;
    if record::is_of_commands(run) {
        return results::document(run, RowOrder::Command, &Columns::default(), style);
    }
    if is_comparison(run) {
        return recorded(run, style, arguments.list_all);
    }
    let spread = spreads(run, flags);
    let mut document = table(run, flags, &spread).document(style);
    let growth = Sweeps::of(&run.cases, &run.results, &caches(&run.header)).render(style);
    // Notes are last.
    let notes = document.blocks.len() - 1;
    if !growth.is_empty() {
        document.blocks.insert(notes, Block::Lines(growth));
    }
    let (names, labels) = (Names::of(&run.cases), sides(&run.header));
    let mut others = comparisons(&outside_of_rows(&run.verdicts), &names, &labels, style);
    for block in &mut others.blocks {
        if let Block::Table(table) = block {
            table.key = "verdicts";
        }
    }
    document.blocks.splice(notes..notes, others.blocks);
    document
}

/// The runs as pictures of characters, each below its name and its time if there are several.
fn plots(records: &[Record], style: &Style) -> String {
    let runs: Vec<(&Record, &Run)> = records
        .iter()
        .flat_map(|record| record.runs().map(move |run| (record, run)))
        .collect();
    let plots = runs.iter().map(|(record, run)| {
        let plot = terminal::plot(run, style);
        if runs.len() == 1 {
            return plot;
        }
        let header = &run.header;
        let title = match records.len() {
            1 => program_name(header),
            _ => record.name.clone(),
        };
        let title = escape(&format!("{title}, {}", header.started), style.unicode);
        format!("{title}\n{plot}")
    });
    plots.collect::<Vec<_>>().join("\n")
}

/// For other programs; `title` is that of the column with the names of records, if there are several.
pub(crate) fn formed(
    records: &[Record],
    title: &str,
    format: ReportFormat,
    flags: &TableFlags,
) -> String {
    // A single record of runs needs no name.
    let named = records.len() > 1 || title != "run";
    let mut runs: Vec<(&str, &Run)> = Vec::new();
    for record in records {
        let name = if named { record.name.as_str() } else { "" };
        runs.extend(record.runs().map(|run| (name, run)));
    }
    let spreads: Vec<_> = runs.iter().map(|(_, run)| spreads(run, flags)).collect();
    let tables: Vec<Table<'_>> = runs
        .iter()
        .zip(&spreads)
        .map(|((_, run), spreads)| table(run, flags, spreads))
        .collect();
    let named = runs.iter().zip(&tables);
    let data: Vec<TableData<'_>> = named
        .map(|((name, _), table)| TableData { name, table })
        .collect();
    format.render_by(title, &data)
}

/// Draws a table of a run.
pub(crate) fn with_table<T>(
    run: &Run,
    flags: &TableFlags,
    draw: impl FnOnce(&Table<'_>) -> T,
) -> T {
    draw(&table(run, flags, &spreads(run, flags)))
}

/// How the launches of each case scatter, where columns are wanted that show it.
fn spreads<'r>(run: &'r Run, flags: &TableFlags) -> HashMap<&'r str, Spread> {
    let rules = Rules::of(&run.header).filter(|_| !flags.columns.is_empty());
    let Some(rules) = rules else {
        return HashMap::new();
    };
    let mut launches: HashMap<&str, Vec<LaunchSamples>> = HashMap::new();
    for launch in &run.launches {
        launches
            .entry(&launch.case)
            .or_default()
            .push(launch.clone());
    }
    let spreads = launches.into_iter().filter_map(|(case, launches)| {
        let (_, spread) = estimate_and_spread(case, &launches, &Tally::default(), &rules);
        Some((case, spread?))
    });
    spreads.collect()
}

fn table<'a>(
    run: &'a Run,
    flags: &'a TableFlags,
    spreads: &'a HashMap<&'a str, Spread>,
) -> Table<'a> {
    Table {
        verdicts: &run.verdicts,
        has_calls: true,
        options: TableOptions {
            columns: &flags.columns,
            order: flags.sort,
            spreads: Some(spreads),
        },
        ..Table::of(run)
    }
}
