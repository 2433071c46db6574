//! `cargo tourbillon clocks`: every time source of the machine.

mod command;
mod compare;
mod cores;
mod counter;
mod deltas;
mod isolation;
mod json;
mod machine;
mod measure;
mod report;
mod select;
mod subject;
mod table;
mod winstl;

#[cfg(test)]
mod scripted;

use std::path::Path;

use clap::ArgMatches;
use tourbillon_clock::{Anchor, Clock, CrossCheck, Frequency};
use tourbillon_timers::TscReport;
use tourbillon_timers::characterise::{Collector, Effort};

use self::command::{Task, Wish};
use self::compare::Named;
use self::deltas::SourceDeltas;
use self::report::{Machine, Report};
use self::subject::Subject;
use crate::cells;
use crate::exit::{Stop, print};
use crate::progress::Progress;
use crate::records;
use crate::screen;

pub(crate) use self::command::command;
pub(crate) use self::isolation::{RIVAL, run_rival};

/// How long the counter is compared with the system's clock; the table takes longer.
const EXAMINED_NS: u64 = 1_000_000;
/// How long interruptions are watched.
const WATCH_NS: u64 = 2_000_000_000;
/// The shortest gap that counts as an interruption: no reading takes a microsecond.
const GAP_NS: u64 = 1_000;

/// Runs the subcommand.
pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    let wish = command::wish(matches);
    let style = screen::style(wish.color);
    let text = match &wish.task {
        Task::Compare { files } => {
            let machines = read(files)?;
            if wish.json {
                json::encode_all(&machines)
            } else {
                compare::render(&machines, &style)
            }
        }
        Task::Table => {
            let report = table(&wish)?;
            if wish.json {
                json::encode(&report)
            } else {
                table::render(&report, &style)
            }
        }
        Task::Deltas { reads, pairs } => {
            let all = apart(&wish, *reads, *pairs)?;
            if wish.json {
                deltas::encode(&all)
            } else {
                let pages: Vec<String> = all
                    .iter()
                    .map(|apart| deltas::render(apart, &style))
                    .collect();
                pages.join("\n")
            }
        }
        Task::Isolation => {
            let mut subjects = chosen(&wish)?;
            let outcome = isolation::run(&mut subjects)?;
            if wish.json {
                isolation::encode(&outcome)
            } else {
                isolation::render(&outcome, &style)
            }
        }
        Task::Cores => {
            let found = cores::run()?;
            if wish.json {
                cores::encode(&found)
            } else {
                cores::render(&found, &style)
            }
        }
        Task::WinStl => {
            if wish.json {
                winstl::encode()
            } else {
                winstl::render(&style)
            }
        }
    };
    print(&text)
}

/// The named sources, or all.
fn chosen(wish: &Wish) -> Result<Vec<Subject>, Stop> {
    select::select(subject::all(), &wish.sources).map_err(Stop::Usage)
}

fn table(wish: &Wish) -> Result<Report, Stop> {
    let mut subjects = chosen(wish)?;
    let choice = Clock::choose();
    let examined = TscReport::examine(EXAMINED_NS);
    let counter = examined.frequency.and_then(counter_of_this_processor);
    let began = counter.as_ref().map(|(clock, _)| Anchor::take(clock));
    let frequency = choice.clock.frequency();
    let collector = Collector::new(&choice.clock, Effort::default());
    let core_hz = measure::core_hz(&choice.clock, &frequency);
    let mut progress = Progress::new();
    let mut sources = Vec::new();
    for subject in &mut subjects {
        progress.show(&subject.name);
        sources.push(measure::row(subject, &collector));
    }
    progress.clear();
    let checked = counter.zip(began).and_then(|((clock, frequency), began)| {
        CrossCheck::between(&began, &Anchor::take(&clock), &frequency)
    });
    Ok(Report {
        machine: Machine {
            core_hz,
            kernel_source: examined.clock_source.clone().ok(),
            kernel_alternatives: examined.alternatives.clone(),
            ..machine::this()
        },
        tsc: counter::found(&examined, &choice, checked),
        sources,
    })
}

/// The processor's counter, with the given frequency.
fn counter_of_this_processor(frequency: Frequency) -> Option<(Clock, Frequency)> {
    let clock = Clock::by_name("tsc")
        .or_else(|_| Clock::by_name("cntvct"))
        .ok()?;
    Some((clock, frequency))
}

fn apart(wish: &Wish, reads: u64, pairs: u64) -> Result<Vec<SourceDeltas>, Stop> {
    let choice = Clock::choose();
    let collector = Collector::new(&choice.clock, Effort::default());
    let mut progress = Progress::new();
    let mut all = Vec::new();
    for mut subject in chosen(wish)? {
        let Some(reader) = &mut subject.reader else {
            let why = subject.reason.as_deref().unwrap_or("unknown reason");
            let text = format!("source `{}` is not on this machine: {why}", subject.name);
            return Err(Stop::Environment(text));
        };
        progress.show(&subject.name);
        all.push(SourceDeltas {
            source: subject.name.clone(),
            frequency: reader.frequency,
            reads: collector.deltas(reads, &mut |buffer| reader.fill(buffer)),
            pairs: collector.pairs(pairs, &mut |buffer| reader.fill(buffer)),
            watched_with: choice.clock.name().to_owned(),
            interruptions: collector.interruptions(WATCH_NS, GAP_NS),
        });
    }
    progress.clear();
    Ok(all)
}

/// Reads the reports in files.
fn read(files: &[String]) -> Result<Vec<Named>, Stop> {
    let one = |file: &String| {
        let text = records::file::text(Path::new(file))
            .map_err(|error| Stop::Environment(format!("`{file}` cannot be read: {error}")))?;
        let report = json::decode(&text)
            .map_err(|what| Stop::Environment(format!("`{file}` is not a report: {what}")))?;
        Ok(Named {
            file: file.clone(),
            report,
        })
    };
    files.iter().map(one).collect()
}
