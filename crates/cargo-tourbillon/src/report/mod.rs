//! `cargo tourbillon report`: a page with tables and pictures, from records alone.

mod case;
mod command;
mod comparison;
mod gallery;
mod json;
mod page;
mod sweep;
mod tables;
pub(crate) mod terminal;
mod view;

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_record::Run;

use self::command::Options;
use self::gallery::Gallery;
use self::view::RunView;
use crate::exit::{Stop, say};
use crate::records::{self, Place, Record};

pub(crate) use self::command::command;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let options = command::options(matches);
    let records = match records::named(&options.records, &options.place) {
        // Builds may have been compared where nothing was measured by itself.
        Err(Stop::Environment(_)) if options.records.is_empty() => Vec::new(),
        records => records?,
    };
    let compared = match options.records.is_empty() {
        true => last_comparison(&options.place)?,
        false => None,
    };
    let compared = compared.map(|run| Record {
        name: "last comparison".to_owned(),
        runs: vec![run],
    });
    let mut records: Vec<Record> = records.into_iter().chain(compared).collect();
    for run in records.iter_mut().flat_map(|record| &mut record.runs) {
        select(run, &options.filters);
    }
    for record in &mut records {
        record.runs.retain(|run| !run.cases.is_empty());
    }
    records.retain(|record| !record.runs.is_empty());
    if records.is_empty() {
        let what = match options.filters.is_empty() {
            true => "there is no run to report; cargo bench makes one",
            false => "no case matches the filters",
        };
        return Err(Stop::Usage(what.to_owned()));
    }
    write(&records, &options)
}

/// Leaves what is about cases that contain one of the filters.
fn select(run: &mut Run, filters: &[String]) {
    if filters.is_empty() {
        return;
    }
    let selects = |case: &str| filters.iter().any(|filter| case.contains(filter.as_str()));
    run.cases.retain(|case| selects(&case.id));
    run.results.retain(|result| selects(&result.case));
    run.visits.retain(|visit| selects(&visit.case));
    run.faults.retain(|fault| selects(&fault.case));
    run.verdicts.retain(|verdict| selects(&verdict.case));
}

/// The newest comparison of builds that is stored.
fn last_comparison(place: &Place) -> Result<Option<Run>, Stop> {
    let store = records::comparisons(&place.store()?);
    if !store.path().is_dir() {
        return Ok(None);
    }
    let runs = records::last_runs(&store)?;
    Ok(runs
        .into_iter()
        .max_by_key(|run| run.header.started_unix_ns))
}

/// Takes `--report` or `--report=FILE` out of the words that were typed for `run`; the file to write.
pub(crate) fn wanted(typed: &mut Vec<String>) -> Option<PathBuf> {
    let end = typed
        .iter()
        .position(|word| word == "--")
        .unwrap_or(typed.len());
    let is_flag = |word: &String| word == "--report" || word.starts_with("--report=");
    let at = typed[..end].iter().position(is_flag)?;
    let word = typed.remove(at);
    let file = word.strip_prefix("--report=").unwrap_or(command::PAGE);
    Some(file.into())
}

/// Writes the page of the runs that were stored since a moment, given in nanoseconds since the Unix epoch.
pub(crate) fn of_runs_since(unix_ns: u64, place: &Place, output: &Path) -> Result<(), Stop> {
    let mut records = records::named(&[], place)?;
    for record in &mut records {
        record
            .runs
            .retain(|run| run.header.started_unix_ns >= unix_ns);
    }
    records.retain(|record| !record.runs.is_empty());
    if records.is_empty() {
        let what = "no run was stored, so that there is no report";
        return Err(Stop::Environment(what.to_owned()));
    }
    let options = Options {
        output: output.to_owned(),
        ..Options::default()
    };
    write(&records, &options)
}

/// Writes the page, and what else was asked for.
fn write(records: &[Record], options: &Options) -> Result<(), Stop> {
    let named = records.len() > 1;
    let mut views = Vec::new();
    for record in records {
        for run in &record.runs {
            let name = if named { record.name.as_str() } else { "" };
            views.push(RunView::new(name, run, views.len() + 1));
        }
    }
    let mut gallery = Gallery::new(options.svg.is_some());
    let page = page::render(&views, &mut gallery);
    let failed = |path: &Path, error: std::io::Error| {
        Stop::Environment(format!("{path:?} cannot be written: {error}"))
    };
    fs::write(&options.output, page).map_err(|error| failed(&options.output, error))?;
    say(&format!("report: {}\n", options.output.display()));
    if let Some(folder) = &options.svg {
        let count = gallery
            .write(folder)
            .map_err(|error| failed(folder, error))?;
        say(&format!("{count} pictures: {}\n", folder.display()));
    }
    if options.open {
        open::that(&options.output).map_err(|error| {
            let path = &options.output;
            Stop::Environment(format!(
                "{path:?} is written; no browser could be started: {error}"
            ))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_of_run_is_taken_out() {
        for (line, rest, file) in [
            ("sort --report", "sort", Some("report.html")),
            ("--report=a.html -p examples", "-p examples", Some("a.html")),
            ("sort -- --report", "sort -- --report", None),
            ("sort --reports", "sort --reports", None),
        ] {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(wanted(&mut words), file.map(PathBuf::from), "{line}");
            assert_eq!(words.join(" "), rest);
        }
    }
}
