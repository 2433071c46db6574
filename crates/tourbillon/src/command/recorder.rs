//! Where the lines of a run go while it happens.

use tourbillon_record::store::{Error, RunWriter};
use tourbillon_record::{Entry, Throughput, Visit};
use tourbillon_report::Progress as ProgressLine;
use tourbillon_runner::{ByteRange, Observer, Progress};

use super::console::Console;
use super::exit::Stop;
use crate::lasting::Lasting;
use crate::numbered::Numbered;
use crate::text::{said, text};

/// Time between two progress lines: what the eye takes for steady, and no more.
const PROGRESS_NS: u64 = 100_000_000;

/// Stores every line, prints those that are wanted on stdout, and draws the progress.
#[derive(Debug)]
pub(crate) struct Recorder<'c> {
    console: &'c mut Console,
    left: Lasting<Recorded>,
    /// The record that could not be written to its end.
    torn: Lasting<Option<RunWriter>>,
    drawn_ns: Option<u64>,
}

/// What is left of a recorder after the run.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The record, unless there is none or it could not be written to its end.
    pub(crate) writer: Option<RunWriter>,
    /// Why the record is not whole; already printed.
    pub(crate) store_trouble: Option<String>,
    /// Why stdout could not be written.
    pub(crate) stop: Option<Stop>,
    /// What an op processes.
    pub(crate) throughput: Throughputs,
}

/// What an op of each case processes.
#[derive(Debug, Default)]
pub(crate) struct Throughputs {
    /// Where those of the cases are.
    cases: Numbered,
    known: Vec<Throughput>,
}

impl Throughputs {
    /// What an op of a case processes, where it said so.
    pub(crate) fn of(&self, case: &str) -> Option<Throughput> {
        self.cases.of(case).map(|at| self.known[at])
    }

    fn add(&mut self, case: &str, throughput: Throughput) {
        if self.cases.add(case, self.known.len()).is_none() {
            self.known.push(throughput);
        }
    }
}

impl<'c> Recorder<'c> {
    /// A recorder of a run that is about to begin.
    #[inline(never)]
    pub(crate) fn new(console: &'c mut Console, writer: Option<RunWriter>) -> Recorder<'c> {
        Recorder {
            console,
            left: Lasting::new(Recorded {
                writer,
                store_trouble: None,
                stop: None,
                throughput: Throughputs::default(),
            }),
            torn: Lasting::new(None),
            drawn_ns: None,
        }
    }

    /// The end of the run.
    #[inline(never)]
    pub(crate) fn finish(mut self) -> Lasting<Recorded> {
        self.console.clear();
        if let Some(writer) = &self.left.writer
            && let Err(error) = writer.check()
        {
            self.trouble(&error);
        }
        self.left
    }

    /// Says what is wrong with the record, once.
    #[cold]
    fn trouble(&mut self, error: &Error) {
        if self.left.store_trouble.is_none() {
            self.console.note(&text!("error: {error}\n"));
            self.left.store_trouble = Some(said(error));
        }
    }

    #[inline(never)]
    fn store(&mut self, entry: Entry<'_>) {
        let Some(writer) = &mut self.left.writer else {
            return;
        };
        if let Err(error) = writer.append(entry) {
            // The run goes on without a record.
            self.trouble(&error);
            self.torn = Lasting::new(self.left.writer.take());
        }
    }

    fn print(&mut self, entry: Entry<'_>) {
        // Raw samples are for the store: they are long, and the results come from them.
        if self.left.stop.is_some()
            || matches!(entry, Entry::Visit(_) | Entry::Rounds(_))
            || !self.console.prints_lines()
        {
            return;
        }
        if let Err(stop) = self.console.data(&entry.encode()) {
            // Reported at the end: the run goes on for its record.
            self.left.stop = Some(stop);
        }
    }
}

impl Observer for Recorder<'_> {
    fn entry(&mut self, entry: Entry<'_>) {
        // The first visit that a case survives is its scout.
        if let Entry::Visit(visit) = entry
            && visit.scout
            && let Some(throughput) = visit.throughput
        {
            self.left.throughput.add(&visit.case, throughput);
        }
        self.store(entry);
        self.print(entry);
    }

    fn visit(&mut self, visit: &Visit) -> Option<ByteRange> {
        let mut at = 0;
        if let Some(writer) = &self.left.writer {
            at = writer.written();
        }
        self.entry(Entry::Visit(visit));
        // None where there is no record, or none any more.
        let bytes = self.left.writer.as_ref()?.written() - at;
        Some(ByteRange { at, bytes })
    }

    fn again(&mut self, there: ByteRange) -> Option<String> {
        let writer = self.left.writer.as_ref().or(self.torn.as_ref())?;
        writer.read(there.at, there.bytes)
    }

    fn unreadable(&mut self) {
        if let Some(writer) = self.left.writer.as_ref().or(self.torn.as_ref()) {
            let error = writer.damage();
            self.trouble(&error);
        }
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        let due = self
            .drawn_ns
            .is_none_or(|at| progress.elapsed_ns >= at + PROGRESS_NS);
        if !self.console.shows_progress() || !due {
            return;
        }
        self.drawn_ns = Some(progress.elapsed_ns);
        let line = ProgressLine {
            done: progress.done as u64,
            total: progress.total as u64,
            case: progress.case,
            elapsed_ns: progress.elapsed_ns,
        };
        let line = line.render(&self.console.style);
        self.console.progress(&line);
    }
}
