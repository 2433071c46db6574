//! The gate of a suite whose shards were compared on several machines.

use tourbillon_tool::exit::Stop;
use tourbillon_tool::record_file::StoredRun;

use super::answer::complete;
use crate::gate::flag::GateFlag;
use crate::gate::records::hold_stored;
use crate::gate::result::GateResult;
use crate::gate::thresholds::Gate;

/// The gate for the cases of all shards together.
pub(super) struct SuiteGate {
    pub(super) gate: Gate,
    /// The allowed probability of any false alarm.
    pub(super) error: f64,
    pub(super) undecided_fails: bool,
    /// What of it is on the command line: that has to have something to judge.
    pub(super) typed: Vec<GateFlag>,
}

impl SuiteGate {
    /// Why flags have nothing to judge among the comparisons with these results, or leave others unjudged; `None` if they
    /// judge all.
    pub(super) fn mistake(&self, results: &[GateResult], unjudged: &[String]) -> Option<String> {
        if results.is_empty() && !self.typed.is_empty() {
            let what = "there is no comparison of shards that a gate could judge; `compare --partition` makes them";
            return Some(what.to_owned());
        }
        // Alone, they may be merged where a file has a gate.
        if let Some(first) = unjudged.first()
            && !results.is_empty()
        {
            let more = match unjudged.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            return Some(format!(
                "a gate judges comparisons of shards only, not {first}{more}: merge them apart from the shards, and judge \
                 them with `compare --gate`"
            ));
        }
        GateResult::mistake(results, &self.typed)
    }

    /// The result for the shards of one comparison, which has all of its cases.
    ///
    /// # Errors
    ///
    /// If a record does not tell how long the ticks of its clock are.
    pub(super) fn judge(&self, runs: &[&StoredRun]) -> Result<GateResult, Stop> {
        let runs: Vec<_> = complete(runs).into_values().collect();
        hold_stored(&runs, &self.gate, self.error, self.undecided_fails).map_err(Stop::Environment)
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{End, Shard};

    use super::*;
    use crate::gate::records::tests::{flag, gate, of_numbers};

    #[test]
    fn a_number_of_a_shard_is_judged_by_its_direction() {
        let suite = SuiteGate {
            gate: gate(),
            error: 0.001,
            undecided_fails: false,
            typed: vec![flag("2%")],
        };
        let judged = |hits: f64| {
            let mut run = of_numbers(10.0, hits);
            run.header.shard = Some(Box::new(Shard {
                number: 1,
                of: 1,
                cases: 1,
                ..Shard::default()
            }));
            run.end = Some(End::default());
            let stored = StoredRun {
                run,
                sha256: String::new(),
            };
            suite.judge(&[&stored]).expect("a frequency")
        };
        let worse = judged(8.0);
        assert!(!worse.passes());
        assert_eq!(worse.lines()[0], "late is worse by more than 2 %");
        assert!(judged(12.0).passes());
    }
}
