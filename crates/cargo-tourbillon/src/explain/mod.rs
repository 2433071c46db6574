//! `cargo tourbillon explain`: how the figures of a case came to be, from its record alone.

mod command;
mod steps;
mod text;

use tourbillon_record::Run;
use tourbillon_report::escape;

use crate::exit::{Stop, print};
use crate::records;
use crate::screen;

pub(crate) use self::command::command;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let wish = command::wish(matches);
    let style = screen::style(wish.color);
    let records = records::named(wish.record.as_slice(), &wish.place)?;
    let runs = || records.iter().flat_map(|record| &record.runs);
    let id = chosen(&wish.case, runs())?;
    // The newest comes first.
    let found = runs().find(|run| run.cases.iter().any(|case| case.id == id));
    match found {
        Some(run) => print(&text::render(run, &id, &style)),
        None => Ok(()),
    }
}

/// The one case whose id is, or else contains, what was typed.
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
            let what = format!("no case that was measured is called {typed}");
            Err(Stop::Usage(format!(
                "{what}; `cargo tourbillon show` lists them"
            )))
        }
        several => {
            let mut what = format!(
                "{typed} is in the names of {} cases; name one:",
                several.len()
            );
            for id in several {
                what.push_str("\n  ");
                what.push_str(&escape(id, true));
            }
            Err(Stop::Usage(what))
        }
    }
}
