//! The results of a run: after the last launch they are printed, and kept under a name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tourbillon_analysis::{Spread, sweep};
use tourbillon_clock::wall;
use tourbillon_present::{Block, Document};
use tourbillon_record::{Absence, Case, Header};
use tourbillon_report::{
    CaseResults, Names, Stored, Style, Summary, Sweeps, Table, TableData, TableOptions,
    changed_counts, escape, faults,
};

use super::comparison;
use super::history::{History, warn};
use super::settings::CONFIDENCE;
use super::since_last;
use crate::args::{Data, HighArgs};
use crate::output::{Console, Recorded, Stop};
use crate::runner::{Outcome, why_no_number};

/// The results of a run whose launches are over.
pub(super) struct RunResults<'r> {
    /// Those that were run, then those that are ignored.
    pub(super) cases: &'r [Case],
    pub(super) ignored: usize,
    pub(super) header: &'r Header,
    pub(super) outcome: &'r Outcome,
    /// The verdicts of comparisons, as text.
    pub(super) verdicts: &'r str,
    pub(super) names: &'r Names,
    pub(super) history: &'r History,
}

impl RunResults<'_> {
    /// Prints them and where they are stored, and keeps them under the name that the command line asks for; returns
    /// the exit code.
    pub(super) fn close(
        &self,
        high: &HighArgs,
        mut recorded: Recorded,
        console: &mut Console,
    ) -> Result<u8, Stop> {
        let file = end_record(&mut recorded, console);
        if let Some(stop) = recorded.stop.take() {
            return Err(stop);
        }
        let trouble = recorded.store_trouble.as_deref();
        let shown = file.display().to_string();
        let stored = match trouble {
            _ if !high.store.keep => Stored::NotRequested,
            Some(why) => Stored::Not(why),
            None => Stored::In(&shown),
        };
        let results = CaseResults::of(&self.outcome.results);
        let mut spreads: HashMap<&str, Spread> = HashMap::new();
        for (case, spread) in self.cases.iter().zip(&self.outcome.spreads) {
            if let Some(spread) = spread {
                spreads.insert(&case.id, *spread);
            }
        }
        let table = Table {
            cases: self.cases,
            results: &self.outcome.results,
            faults: &self.outcome.faults,
            end: Some(&self.outcome.end),
            launches: self.header.settings.launches,
            confidence: CONFIDENCE,
            baseline: high.baseline.as_deref(),
            verdicts: &self.outcome.verdicts,
            last: &|case| since_last::before(self.header, &results, &self.history.last, case),
            has_calls: true,
            options: TableOptions {
                columns: &high.columns,
                order: high.order,
                spreads: Some(&spreads),
            },
        };
        console.text(&self.text(&table, &results, stored, high, console.style))?;
        if let Data::ReportFormat(format) = high.data {
            let data = TableData {
                name: "",
                table: &table,
            };
            console.stdout(&format.render(&[data]))?;
        }
        if let Some(name) = &high.save {
            self.save(name, trouble, &file, console)?;
        }
        Ok(self.outcome.end.exit_code)
    }

    /// The table, and what stands below it.
    fn text(
        &self,
        table: &Table<'_>,
        results: &CaseResults<'_>,
        stored: Stored<'_>,
        high: &HighArgs,
        style: Style,
    ) -> String {
        let outcome = self.outcome;
        let is_over = !outcome.interrupted && outcome.faults.is_empty();
        let why = why_no_number(&outcome.results).filter(|_| is_over);
        let mut text = why.map_or_else(String::new, |why| format!("error: {why}\n\n"));
        if high.quiet && !self.cases.is_empty() {
            let mut rows = table.rows(&style);
            rows.legend.clear();
            let document = Document::of(vec![Block::Table(rows)]);
            text += &document.text(&style);
        } else if !self.cases.is_empty() {
            let before = |case: &str, metric| {
                let last = &self.history.last;
                Some(since_last::equally_built(self.header, last, case, metric)?.1)
            };
            let mut document = table.document(&style);
            document.limit_notes("cargo tourbillon explain");
            // `explain` does not know the run that this one is compared with.
            let baseline = high.baseline.as_deref();
            document.add_notes(changed_counts(
                self.cases, results, before, baseline, &style,
            ));
            text += &document.text(&style);
        }
        let caches = sweep::caches(self.header);
        let growth = Sweeps::of(self.cases, &outcome.results, &caches).render(&style);
        let fault_texts = match &outcome.faults[..] {
            [] => String::new(),
            all => faults(all, self.names, &style),
        };
        let summary = if high.quiet {
            String::new()
        } else {
            self.summary(stored, high.verbose, style).render(&style)
        };
        for part in [&*growth, self.verdicts, &fault_texts, &summary] {
            if !part.is_empty() {
                text += "\n";
                text += part;
            }
        }
        text
    }

    /// Keeps the record under a name, unless the run was interrupted.
    fn save(
        &self,
        name: &str,
        trouble: Option<&str>,
        file: &Path,
        console: &mut Console,
    ) -> Result<(), Stop> {
        let shown = escape(name, true);
        if self.outcome.end.interrupted {
            let why = "the run was interrupted; it is stored like any other";
            return console.text(&format!("not saved as {shown}: {why}\n"));
        }
        let saved = match (trouble, &self.history.store) {
            (None, Some(store)) => store
                .save(name, file, self.header)
                .map_err(|error| error.to_string()),
            (why, _) => Err(why.unwrap_or("there is no store").to_owned()),
        };
        saved.map_err(|why| Stop::environment(format!("not saved as {shown}: {why}")))?;
        console.text(&format!("saved as {shown}\n"))
    }

    fn summary<'a>(&'a self, stored: Stored<'a>, verbose: bool, style: Style) -> Summary<'a> {
        let mut summary = Summary {
            end: &self.outcome.end,
            measured: 0,
            failed: 0,
            ignored: self.ignored as u64,
            not_reached: 0,
            rough: 0,
            without_figure: 0,
            answer: comparison::answers(self.outcome, self.names, &style),
            stored,
            verbose,
        };
        let results = &self.outcome.results;
        for result in results.iter().filter(|result| result.metric.is_main()) {
            match result.estimate {
                Ok(_) | Err(Absence::BelowResolution) => summary.measured += 1,
                Err(
                    Absence::MachineBusy
                    | Absence::TooScattered
                    | Absence::ClocksDisagree
                    | Absence::CallsTooShort
                    | Absence::TooFewCalls,
                ) => {
                    summary.measured += 1;
                    if result.rough.is_some() {
                        summary.rough += 1;
                    } else {
                        summary.without_figure += 1;
                    }
                }
                Err(Absence::Failed) => summary.failed += 1,
                Err(Absence::NotReached) => summary.not_reached += 1,
            }
        }
        summary
    }
}

/// Ends the record; returns its path, which is empty where there is none.
fn end_record(recorded: &mut Recorded, console: &mut Console) -> PathBuf {
    let Some(writer) = recorded.writer.take() else {
        return PathBuf::new();
    };
    let file = writer.path().to_owned();
    if let Err(error) = writer.finish(wall::unix_ns()) {
        // The record itself is whole.
        warn(console, &error.to_string());
    }
    file
}
