//! A comparison that was measured, and the result of its gate.

use tourbillon_report::Style;

use crate::gate::result::{GateResult, hold};
use crate::growth::Growth;
use crate::measure::measure;
use crate::measurement::Measured;
use crate::options::Options;
use crate::pairing::Comparison;
use crate::results::{json_lines, text};
use crate::store;
use tourbillon_tool::exit::{FAILED, GATE, INTERRUPTED, Stop, USAGE};
use tourbillon_tool::screen::ProgressLine;
use tourbillon_tool::store::announce;

/// A comparison that was measured.
#[derive(Debug)]
pub struct Compared<'c> {
    pub(crate) comparison: &'c Comparison,
    pub(crate) measured: Measured,
    /// The result of the gate; `None` without one.
    pub(crate) gate: Option<GateResult>,
    /// That a flag of the gate has nothing to judge.
    pub(crate) mistake: Option<String>,
}

impl<'c> Compared<'c> {
    /// Measures a comparison, and applies the gate.
    ///
    /// # Errors
    ///
    /// When this machine does not allow it.
    pub fn measure(comparison: &'c Comparison, options: &Options) -> Result<Compared<'c>, Stop> {
        let mut line = ProgressLine::new();
        let mut measured = measure(comparison, options, &mut line)?;
        line.clear();
        let (error, undecided_fails) = (options.error(), options.undecided_fails);
        let names = comparison.names();
        let others = comparison.cases_of_all_shards() - comparison.cases.len();
        let gate = options.gate.as_ref().map(|gate| {
            let error = (error, others * gate.claims());
            let mut result = hold(&mut measured.cases, gate, &names, error, undecided_fails);
            result.growth = Growth::of(&comparison.cases, &measured.cases);
            result
        });
        measured.note_built_otherwise(comparison);
        Ok(Compared {
            comparison,
            measured,
            mistake: GateResult::mistake(gate.as_slice(), &options.gates),
            gate,
        })
    }

    /// A page of text.
    pub(crate) fn text(&self, style: &Style) -> String {
        text::text(self.comparison, &self.measured, self.gate.as_ref(), style)
    }

    pub(crate) fn markdown(&self) -> String {
        json_lines::markdown(self.comparison, &self.measured, self.gate.as_ref())
    }

    /// Lines of JSON, as in a record.
    pub(crate) fn json_lines(&self) -> String {
        json_lines::json_lines(self.comparison, &self.measured, self.gate.as_ref())
    }

    /// What the verdicts are based on: confidence, margin, pairs, time.
    pub(crate) fn basis(&self) -> String {
        text::basis(&self.measured)
    }

    /// The record, with every batch and every verdict.
    pub fn record(&self, options: &Options) -> String {
        store::record(self.comparison, &self.measured, options)
    }

    /// Stores it next to the runs, and prints where. A store that cannot be written costs no result; the exit code
    /// that this deserves is returned.
    pub(crate) fn keep(&self, options: &Options) -> Result<u8, Stop> {
        announce(store::keep(self.comparison, &self.measured, options))
    }

    /// Whether it ended before all cases were measured.
    pub fn interrupted(&self) -> bool {
        self.measured.interrupted
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        let passes = self.gate.as_ref().is_none_or(GateResult::passes);
        if self.measured.interrupted {
            INTERRUPTED
        } else if self.measured.cases.iter().any(|case| case.fault.is_some()) {
            FAILED
        } else if !passes {
            GATE
        } else if self.mistake.is_some() {
            USAGE
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::result::tests::measured;
    use crate::results::rows::tests::comparison;

    #[test]
    fn a_flag_that_judges_nothing_is_a_mistake() {
        let comparison = comparison();
        let mut compared = Compared {
            comparison: &comparison,
            measured: measured(1),
            gate: Some(GateResult::default()),
            mistake: None,
        };
        assert_eq!(compared.code(), 0);
        compared.mistake = Some(String::new());
        assert_eq!(compared.code(), USAGE);
        compared.measured.interrupted = true;
        assert_eq!(compared.code(), INTERRUPTED);
    }
}
