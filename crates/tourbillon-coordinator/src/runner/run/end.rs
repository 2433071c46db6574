//! The end of a run: its results, and how it ended.

use tourbillon_analysis::sweep::{Series, series};
use tourbillon_analysis::void_times;
use tourbillon_record::{End, Entry, Finding, Note, Verdict};

use super::Run;
use crate::runner::outcome::{EXIT_FAILED, EXIT_INTERRUPTED, Outcome, why_no_number};

impl Run<'_> {
    /// Makes the results.
    pub(super) fn end(mut self) -> Outcome {
        let mut end = self.last_entry();
        let frequency = &self.rules.frequency;
        let disagreement = end
            .clock_check
            .and_then(|check| frequency.disagreement(&check));
        if let (None, Some(check)) = (frequency.error_ppm, end.clock_check) {
            // The error of the clock is unknown, but the check of this run bounds it.
            self.rules.frequency.error_ppm = Some(check.deviation_ppm.abs() + check.bound_ppm);
        }
        let mut results = Vec::new();
        let mut spreads = Vec::new();
        for case in &self.cases {
            let (mut of_case, spread) = case.results(&self.rules);
            let precision = case.missed_precision(&self.rules);
            if let (Some(precision), Some(time)) = (precision, of_case.first_mut()) {
                time.notes.push(Note::Imprecise { precision });
            }
            spreads.push(spread);
            if let Some(ppm) = disagreement {
                void_times(&mut of_case, ppm);
            }
            for result in &of_case {
                self.observer.entry(Entry::Result(result));
            }
            results.append(&mut of_case);
        }
        let cases = self.cases.iter().map(|case| case.case);
        let grows = series(cases, &results).iter().any(Series::exceeds);
        let breaks = |verdict: &Verdict| verdict.finding == Finding::Slower;
        let fails =
            grows || self.assertions.iter().any(breaks) || why_no_number(&results).is_some();
        if end.exit_code == 0 && fails {
            end.exit_code = EXIT_FAILED;
        }
        let mut not_compared = Vec::new();
        for comparison in &self.comparisons {
            not_compared.extend(comparison.not_comparable(&self.cases, &self.rules));
        }
        not_compared.sort_unstable();
        not_compared.dedup();
        let id = |case: usize| self.cases[case].case.id.clone();
        self.observer.entry(Entry::End(&end));
        Outcome {
            results,
            spreads,
            not_compared: not_compared.into_iter().map(id).collect(),
            faults: self.faults,
            verdicts: self.verdicts,
            assertions: self.assertions,
            end,
            interrupted: self.interrupted,
        }
    }

    fn last_entry(&self) -> End {
        let frequency = &self.rules.frequency;
        let counting = self.cases.iter().map(|case| case.memory.launches_ns());
        let launches_ns = frequency.nanos(self.launch_ticks);
        End {
            clock_check: self.run_clock.check(),
            machine_events: self.run_clock.machine_events(),
            wall_ns: self.run_clock.now_ns().saturating_sub(self.started_ns),
            launches_ns: counting.fold(launches_ns, u64::saturating_add),
            batches_ns: frequency.nanos(self.batch_ticks),
            launches: self.launches,
            faults: self.faults.len() as u64,
            interrupted: self.interrupted,
            exit_code: match (self.interrupted, self.faults.is_empty()) {
                (true, _) => EXIT_INTERRUPTED,
                (false, false) => EXIT_FAILED,
                (false, true) => 0,
            },
            lines: None,
            unknown: String::new(),
        }
    }
}
