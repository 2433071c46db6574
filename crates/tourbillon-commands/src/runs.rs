//! The processes of a command.

use std::collections::HashMap;

use tourbillon_analysis::Rules;
use tourbillon_record::{Processes, Run};

/// The processes of a command, in their order.
#[derive(Debug)]
pub struct CommandRuns<'r> {
    /// What each took.
    pub times_ns: Vec<f64>,
    /// Their places in the columns.
    places: Vec<usize>,
    processes: &'r Processes,
}

impl<'r> CommandRuns<'r> {
    /// Those of all commands in a record.
    pub fn all(run: &'r Run) -> HashMap<&'r str, CommandRuns<'r>> {
        let mut all = HashMap::new();
        let Some(Rules { frequency, .. }) = Rules::of(&run.header) else {
            return all;
        };
        let ns_per_tick =
            1e9 * frequency.denominator.get() as f64 / frequency.numerator.get() as f64;
        for rounds in &run.rounds {
            let Some(processes) = rounds.processes.as_deref() else {
                continue;
            };
            for (place, arm) in rounds.arm.iter().enumerate() {
                let case = rounds.cases.get(usize::from(*arm));
                let (Some(case), Some(ticks)) = (case, rounds.ticks.get(place)) else {
                    continue;
                };
                let runs = all.entry(case.as_str()).or_insert_with(|| CommandRuns {
                    times_ns: Vec::new(),
                    places: Vec::new(),
                    processes,
                });
                if std::ptr::eq(runs.processes, processes) {
                    runs.times_ns.push(*ticks as f64 * ns_per_tick);
                    runs.places.push(place);
                }
            }
        }
        all
    }

    /// What a counter of the processor showed of them; `None` where it was not read.
    pub fn counts(&self, name: &str) -> Option<Vec<u64>> {
        let mut counters = self.processes.counters.iter().flatten();
        let counter = counters.find(|counter| counter.name == name)?;
        Some(self.column(|_| &counter.counts))
    }

    /// Their values in a column.
    pub fn column<T: Copy + 'r>(&self, column: impl Fn(&'r Processes) -> &'r Vec<T>) -> Vec<T> {
        let column = column(self.processes);
        let values = self.places.iter().filter_map(|at| column.get(*at));
        values.copied().collect()
    }
}
