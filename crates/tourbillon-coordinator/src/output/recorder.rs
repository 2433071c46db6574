//! Where the lines of a run go while it happens.

use std::fmt;

use tourbillon_analysis::Rules;
use tourbillon_record::store::{Error, RunWriter};
use tourbillon_record::{Entry, LaunchSamples};
use tourbillon_report::{Names, Progress as ProgressLine, first_figures};

use super::console::Console;
use super::exit::Stop;
use super::first_figures::FirstFigures;
use crate::runner::{Observer, Progress};

/// Time between two progress lines.
const PROGRESS_NS: u64 = 100_000_000;
/// Time until the first figures are shown: a shorter run is over before they are read.
const FIRST_FIGURES_NS: u64 = 800_000_000;

/// Stores every line, prints results on stdout where requested, and draws the progress.
pub(crate) struct Recorder<'c> {
    console: &'c mut Console,
    recorded: Recorded,
    names: &'c Names,
    observe: &'c mut dyn FnMut(Entry<'_>),
    figures: FirstFigures,
    drawn_ns: Option<u64>,
}

impl fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("recorded", &self.recorded)
            .finish_non_exhaustive()
    }
}

/// What is left of a recorder after the run.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// The record, unless there is none or it could not be written to its end.
    pub(crate) writer: Option<RunWriter>,
    /// Why the record is not whole; already printed.
    pub(crate) store_trouble: Option<String>,
    /// Why stdout could not be written.
    pub(crate) stop: Option<Stop>,
}

impl<'c> Recorder<'c> {
    /// A recorder of a run that is about to begin, which passes every entry on to `observe`.
    pub(crate) fn new(
        console: &'c mut Console,
        writer: Option<RunWriter>,
        names: &'c Names,
        rules: Option<Rules>,
        observe: &'c mut dyn FnMut(Entry<'_>),
    ) -> Recorder<'c> {
        let rules = rules.filter(|_| console.shows_progress());
        Recorder {
            figures: FirstFigures::new(rules),
            console,
            names,
            observe,
            recorded: Recorded {
                writer,
                ..Recorded::default()
            },
            drawn_ns: None,
        }
    }

    /// The end of the run.
    pub(crate) fn finish(mut self) -> Recorded {
        self.console.clear();
        if let Some(writer) = &self.recorded.writer
            && let Err(error) = writer.check()
        {
            self.trouble(&error);
        }
        self.recorded
    }

    /// Prints what is wrong with the record, once.
    fn trouble(&mut self, error: &Error) {
        if self.recorded.store_trouble.is_none() {
            self.console.note(&format!("error: {error}\n"));
            self.recorded.store_trouble = Some(error.to_string());
        }
    }

    fn store(&mut self, append: impl FnOnce(&mut RunWriter) -> Result<(), Error>) {
        if let Some(writer) = &mut self.recorded.writer
            && let Err(error) = append(writer)
        {
            // The run goes on without a record.
            self.trouble(&error);
            self.recorded.writer = None;
        }
    }

    fn print(&mut self, entry: Entry<'_>) {
        // Raw samples are for the store: they are long, and the results come from them.
        let is_raw = matches!(entry, Entry::Launch(_) | Entry::Rounds(_));
        if self.recorded.stop.is_none()
            && !is_raw
            && self.console.prints_lines()
            && let Err(stop) = self.console.data(&entry.encode())
        {
            // Reported at the end: the run goes on for its record.
            self.recorded.stop = Some(stop);
        }
    }
}

impl Observer for Recorder<'_> {
    fn entry(&mut self, entry: Entry<'_>) {
        self.store(|writer| writer.append(entry));
        self.print(entry);
        if let Entry::Case(case) = entry {
            self.figures.declare(&case.id);
        }
        (self.observe)(entry);
    }

    fn launch(&mut self, samples: &LaunchSamples, line: &[u8]) {
        self.store(|writer| writer.append_line(line));
        self.figures.add(samples);
        (self.observe)(Entry::Launch(samples));
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        let next = self.drawn_ns.map_or(0, |at| at + PROGRESS_NS);
        if !self.console.shows_progress() || progress.elapsed_ns < next {
            return;
        }
        self.drawn_ns = Some(progress.elapsed_ns);
        let line = ProgressLine {
            done: progress.done as u64,
            total: progress.total as u64,
            case: self.names.name(progress.case),
            elapsed_ns: progress.elapsed_ns,
            kept: progress.kept,
        };
        let style = self.console.progress_style;
        let mut lines = Vec::new();
        if progress.elapsed_ns >= FIRST_FIGURES_NS {
            // The progress line and the one above are left.
            let most = self.console.progress_lines().saturating_sub(2);
            let medians = self.figures.medians().take(most);
            let named = medians.map(|(case, ns)| (self.names.name(case), ns));
            let rows: Vec<(&str, f64)> = named.collect();
            lines = first_figures(&rows, &style);
        }
        lines.push(line.render(&style));
        self.console.progress(&lines);
    }
}
