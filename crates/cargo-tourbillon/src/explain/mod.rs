//! `cargo tourbillon explain`: how the figures of a case were computed, from its record.

mod chain;
mod checks;
mod command;
mod comparison;
mod memory;
mod steps;
mod text;
mod threads;

use tourbillon_record::Run;
use tourbillon_report::escape;

use crate::exit::{Stop, print};
use crate::records;
use crate::screen;

pub(crate) use self::command::command;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let wish = command::wish(matches);
    let style = screen::style(wish.color);
    let records = records::named(wish.record.as_slice(), &wish.place);
    // Builds may have been compared without any other run.
    let compared = match &wish.record {
        None => compared(&wish.place)?,
        Some(_) => Vec::new(),
    };
    let records = match records {
        Err(Stop::Environment(_)) if !compared.is_empty() => Vec::new(),
        records => records?,
    };
    let runs = || records.iter().flat_map(|record| &record.runs);
    let id = chosen(&wish.case, runs().chain(&compared))?;
    // The newest run comes first.
    let has = |run: &&Run| run.cases.iter().any(|case| case.id == id);
    let mut page = String::new();
    if let Some(run) = runs().find(has) {
        page.push_str(&text::render(run, &id, &style));
    }
    let newest = compared.iter().filter(has);
    if let Some(run) = newest.max_by_key(|run| run.header.started_unix_ns) {
        page.push_str(&text::compared(run, &id, &style));
    }
    print(&page)
}

/// The stored comparisons of builds.
fn compared(place: &records::Place) -> Result<Vec<Run>, Stop> {
    let store = records::comparisons(&place.store()?);
    if store.path().is_dir() {
        records::all_runs(&store)
    } else {
        Ok(Vec::new())
    }
}

/// The one case whose id equals, or else contains, what was typed.
fn chosen<'r>(typed: &str, runs: impl Iterator<Item = &'r Run>) -> Result<String, Stop> {
    let mut ids: Vec<&str> = Vec::new();
    for case in runs.flat_map(|run| &run.cases) {
        if case.id.contains(typed) && !ids.contains(&case.id.as_str()) {
            ids.push(&case.id);
        }
    }
    if let Some(exact) = ids.iter().find(|id| **id == typed) {
        return Ok((*exact).to_owned());
    }
    let typed = escape(typed, true);
    match ids.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => {
            let what = format!("no measured case matches {typed}");
            Err(Stop::Usage(format!(
                "{what}; `cargo tourbillon show` lists them"
            )))
        }
        several => {
            let mut what = format!("{typed} matches {} cases; name one:", several.len());
            for id in several {
                what.push_str("\n  ");
                what.push_str(&escape(id, true));
            }
            Err(Stop::Usage(what))
        }
    }
}
