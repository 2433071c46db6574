//! Whether runs of one executable give the same answer: what `scripts/reproducible.sh` prints.

mod figures;
mod reading;
mod table;

use std::collections::BTreeSet;

pub use figures::Figures;
pub use reading::{Reading, Run};

/// The largest share of pairs of runs whose intervals may exclude each other.
const APART: f64 = 0.01;
/// The largest share of rows that may be without an interval.
const WITHOUT: f64 = 0.02;

/// Runs of several executables, or of one, to be shown side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// What each executable measured.
    pub measured: Vec<Measured>,
}

/// What one executable measured under one condition, again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which executable.
    pub name: String,
    /// What the machine did meanwhile, such as `busy`.
    pub condition: String,
    /// One for each run.
    pub runs: Vec<Run>,
}

impl Agreement {
    /// The metrics to show: cycles, and times where an executable has no cycles.
    fn metrics(&self) -> Vec<&'static str> {
        let has =
            |measured: &Measured, metric: &str| measured.runs.iter().any(|run| run.has(metric));
        let has_cycles = |measured: &Measured| has(measured, "cycles");
        let mut metrics = Vec::new();
        if self.measured.iter().any(has_cycles) {
            metrics.push("cycles");
        }
        if !self.measured.iter().all(has_cycles) {
            metrics.push("time");
        }
        metrics
    }

    /// The cases that wait for memory: those of modules called `memory`, and those that any run marks.
    fn waiting(&self) -> BTreeSet<&str> {
        let runs = self.measured.iter().flat_map(|measured| &measured.runs);
        let readings = runs.flat_map(|run| &run.readings);
        let waiting = readings.filter(|reading| {
            reading.waits_for_memory || reading.case.split("::").any(|part| part == "memory")
        });
        waiting.map(|reading| reading.case.as_str()).collect()
    }

    /// What is not as it shall be, a line each: more than one pair in a hundred apart of what does not
    /// wait for memory, or more than two rows in a hundred without an interval.
    pub fn wrong(&self) -> Vec<String> {
        let waiting = self.waiting();
        let mut wrong = Vec::new();
        for metric in self.metrics() {
            for measured in &self.measured {
                let Measured {
                    name, condition, ..
                } = measured;
                let mut wrong_if = |is_wrong: bool, what: String| {
                    if is_wrong {
                        wrong.push(format!("{name}, {condition}, {metric}: {what}"));
                    }
                };
                let all = Figures::of(measured, metric, |_| true);
                if all.cases.is_empty() {
                    continue;
                }
                let quick = Figures::of(measured, metric, |case| !waiting.contains(case));
                let (apart, pairs) = (quick.apart(), quick.pairs());
                wrong_if(
                    apart as f64 > APART * pairs as f64,
                    format!("{apart} of {pairs} pairs of runs exclude each other"),
                );
                wrong_if(pairs == 0, "there is no pair of runs".to_owned());
                let (without, rows) = (all.without(), all.rows());
                wrong_if(
                    without as f64 > WITHOUT * rows as f64,
                    format!("{without} of {rows} rows have no interval across processes"),
                );
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn row(case: &str, [estimate, lower, upper]: [f64; 3]) -> String {
        format!(
            "{{\"type\":\"result\",\"case\":\"examples/reproducible::{case}\",\"metric\":\"cycles\",\
             \"estimate\":{estimate},\"lower\":{lower},\"upper\":{upper},\"scope\":\"processes\",\"notes\":[]}}\n"
        )
    }

    pub(super) fn measured(condition: &str, runs: &[String]) -> Measured {
        Measured {
            name: "new".to_owned(),
            condition: condition.to_owned(),
            runs: runs
                .iter()
                .map(|lines| Run::read(lines).expect("a run"))
                .collect(),
        }
    }

    fn agreement(runs: &[String]) -> Agreement {
        Agreement {
            measured: vec![measured("quiet", runs)],
        }
    }

    #[test]
    fn runs_that_agree_are_right() {
        let run = row("branchy::gcd", [12.0, 11.9, 12.1]);
        assert_eq!(agreement(&[run.clone(), run]).wrong(), [""; 0]);
    }

    #[test]
    fn one_pair_in_a_hundred_may_exclude_each_other() {
        // Of 15 runs, 14 agree: of 105 pairs, 14 are apart. A case beside it has none.
        let runs = |cases: usize| -> Vec<String> {
            let one = |run: usize| {
                let first = if run == 0 {
                    row("a::first", [9.0, 8.9, 9.1])
                } else {
                    row("a::first", [12.0, 11.9, 12.1])
                };
                let others = (1..cases).map(|case| row(&format!("a::{case}"), [5.0, 4.9, 5.1]));
                first + &others.collect::<String>()
            };
            (0..15).map(one).collect()
        };
        assert_eq!(
            agreement(&runs(13)).wrong(),
            ["new, quiet, cycles: 14 of 1365 pairs of runs exclude each other"]
        );
        assert_eq!(agreement(&runs(14)).wrong(), [""; 0]);
    }

    #[test]
    fn two_rows_in_a_hundred_may_have_no_interval() {
        let runs = |rows: usize| -> Vec<String> {
            let whole: String = (1..rows)
                .map(|case| row(&format!("a::{case}"), [5.0, 4.9, 5.1]))
                .collect();
            let last = row("a::last", [5.0, 4.9, 5.1]);
            let alone = last.replace("\"processes\"", "\"process\"");
            vec![format!("{whole}{last}"), whole + &alone]
        };
        assert_eq!(
            agreement(&runs(24)).wrong(),
            ["new, quiet, cycles: 1 of 48 rows have no interval across processes"]
        );
        assert_eq!(agreement(&runs(25)).wrong(), [""; 0]);
    }

    #[test]
    fn what_waits_for_memory_may_differ() {
        let run = |case: &str, at: f64| row(case, [at, at - 0.1, at + 0.1]);
        let steady = run("branchy::gcd", 12.0);
        let runs = |case: &str| [30.0, 40.0].map(|at| steady.clone() + &run(case, at));
        assert_eq!(agreement(&runs("memory::chase[mib=1]")).wrong(), [""; 0]);
        let runs = runs("sorting::large");
        assert_eq!(agreement(&runs).wrong().len(), 1);
        // One of the runs marks it.
        let marked = run("sorting::large", 40.0).replace(
            "[]",
            "[{\"note\":\"waits_for_memory\",\"touched_bytes\":4096}]",
        );
        let runs = [runs[0].clone(), steady + &marked];
        assert_eq!(agreement(&runs).wrong(), [""; 0]);
    }

    #[test]
    fn a_single_run_shows_nothing() {
        let run = row("branchy::gcd", [12.0, 11.9, 12.1]);
        assert_eq!(
            agreement(&[run]).wrong(),
            ["new, quiet, cycles: there is no pair of runs"]
        );
    }

    #[test]
    fn times_are_shown_where_there_are_no_cycles() {
        let run = row("branchy::gcd", [12.0, 11.9, 12.1]);
        let mut both = agreement(&[run.clone(), run.clone()]);
        assert_eq!(both.metrics(), ["cycles"]);
        let time = run.replace("\"cycles\"", "\"time\"");
        both.measured.push(measured("busy", &[time]));
        assert_eq!(both.metrics(), ["cycles", "time"]);
        both.measured.remove(0);
        assert_eq!(both.metrics(), ["time"]);
    }
}
