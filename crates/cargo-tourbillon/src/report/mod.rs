//! `cargo tourbillon report`: a page with tables and pictures, from records alone.

mod calls;
mod case;
pub(crate) mod comparison;
mod gallery;
mod json;
mod page;
mod sweep;
mod tables;
pub(crate) mod terminal;
mod view;

use std::mem;
use std::path::{Path, PathBuf, absolute};

use clap::Args;
use tourbillon_clock::wall;

pub(crate) use self::gallery::Gallery;
use self::view::RunView;
use crate::exit::{Stop, say};
use crate::output::{not_written, refuse_unwritable};
use crate::records::{self, Record, StorePath};
use crate::store_flags::StoreFlag;
use tourbillon_tool::pages::save;

/// Name of the page by default.
const PAGE: &str = "report.html";

const AFTER: &str = "\
Examples:
  cargo tourbillon report
  cargo tourbillon report main here.jsonl -o compared.html --open
  cargo tourbillon report --filter sort --svg pictures

`cargo tourbillon history report` writes a page of results over time, with the ranges of commits in which they
change.";

/// Write a page with tables and pictures, from records alone
///
/// Shows the newest result of each benchmark of this package and the last comparison of builds, or what is in the
/// named files and baselines, from any machine. The page is one file of HTML that requests nothing: mail it, or keep
/// it as an artifact of a CI job. Its figures are inside as JSON, in the element `figures`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Files and names of baselines [the newest results]
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// Where to write the page [tourbillon/report.html in the target folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each picture as a file of its own, too
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// Only cases that match, by id or printed name; may be repeated
    #[arg(long, value_name = "PART")]
    filter: Vec<String>,
    #[command(flatten)]
    store: StoreFlag,
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
    if let Some(file) = &arguments.output {
        refuse_unwritable(file)?;
    }
    let store = arguments.store.path();
    let newest = arguments.records.is_empty();
    let mut records = match records::named(&arguments.records, &store) {
        // Builds may have been compared where nothing was measured by itself.
        Err(Stop::Environment(_)) if newest => Vec::new(),
        records => records?,
    };
    if newest {
        records.extend(store.locate()?.newest_comparison()?);
    }
    if !records.is_empty() {
        records::select(&mut records, &arguments.filter)?;
        records.retain(|record| !record.runs.is_empty());
    }
    if records.is_empty() {
        let what = "there is no run to report; cargo bench makes one";
        return Err(Stop::Usage(what.to_owned()));
    }
    let path = write(
        records,
        arguments.output.as_deref(),
        arguments.svg.as_deref(),
    )?;
    if arguments.open {
        return open(&path);
    }
    Ok(())
}

/// A page that `run` is asked to write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Where; `None`: where `report` writes it by default.
    file: Option<PathBuf>,
}

/// Takes `--report` or `--report=FILE` out of the words that were typed for `run`.
pub(crate) fn wanted(typed: &mut Vec<String>) -> Option<Wanted> {
    let end = typed
        .iter()
        .position(|word| word == "--")
        .unwrap_or(typed.len());
    let is_flag = |word: &String| word == "--report" || word.starts_with("--report=");
    let at = typed[..end].iter().position(is_flag)?;
    let word = typed.remove(at);
    let file = word.strip_prefix("--report=").map(PathBuf::from);
    Some(Wanted { file })
}

/// Writes the page of the runs that were stored since a moment, given in nanoseconds since the Unix epoch.
pub(crate) fn of_runs_since(unix_ns: u64, store: &StorePath, page: Wanted) -> Result<(), Stop> {
    let mut records = records::named(&[], store)?;
    let now = wall::unix_ns();
    for record in &mut records {
        record
            .runs
            .retain(|stored| (unix_ns..=now).contains(&stored.run.header.started_unix_ns));
    }
    records.retain(|record| !record.runs.is_empty());
    if records.is_empty() {
        let what = "no run was stored, so that there is no report";
        return Err(Stop::Environment(what.to_owned()));
    }
    write(records, page.file.as_deref(), None).map(drop)
}

/// The page; pictures go to the gallery, too. The samples are not needed for it.
pub(crate) fn rendered(records: &mut [Record], gallery: &mut Gallery) -> String {
    let named = records.len() > 1;
    let mut views = Vec::new();
    for record in records {
        let name = if named { record.name.as_str() } else { "" };
        for stored in &mut record.runs {
            let launches = mem::take(&mut stored.run.launches);
            let mut view = RunView::new(name, &stored.run, launches, views.len() + 1);
            view.sha256 = &stored.sha256;
            views.push(view);
        }
    }
    RunView::tell_apart(&mut views);
    // The verdicts of a comparison are what a reader looks for; the rest is what they stand on.
    views.sort_by_key(|view| !view.is_comparison());
    page::render(&views, gallery)
}

/// Writes the page, and pictures to a folder if there is one. Gives the path of the page.
fn write(
    mut records: Vec<Record>,
    file: Option<&Path>,
    pictures: Option<&Path>,
) -> Result<PathBuf, Stop> {
    let mut gallery = Gallery::new(pictures.is_some());
    let page = rendered(&mut records, &mut gallery);
    let path = save(&page, file, PAGE)?;
    if let Some(folder) = pictures {
        let count = gallery.write(folder)?;
        say(&format!("{count} pictures: {}\n", folder.display()));
    }
    Ok(path)
}

/// Shows a page in the browser.
pub(crate) fn open(path: &Path) -> Result<(), Stop> {
    // A relative one may begin as a flag does, or as an address.
    let path = absolute(path).map_err(|error| not_written(path, &error))?;
    open::that(&path).map_err(|error| {
        Stop::Environment(format!(
            "{path:?} is written; no browser could be started: {error}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_of_run_is_taken_out() {
        for (line, rest, file) in [
            ("sort --report", "sort", Some(None)),
            (
                "--report=a.html -p examples",
                "-p examples",
                Some(Some("a.html")),
            ),
            ("sort -- --report", "sort -- --report", None),
            ("sort --reports", "sort --reports", None),
        ] {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let expected = file.map(|file: Option<&str>| Wanted {
                file: file.map(PathBuf::from),
            });
            assert_eq!(wanted(&mut words), expected, "{line}");
            assert_eq!(words.join(" "), rest);
        }
    }
}
