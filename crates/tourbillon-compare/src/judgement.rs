//! A comparison that was measured, and the result of its gate.

use tourbillon_record::Verdict;
use tourbillon_tool::exit::{FAILED, GATE, INTERRUPTED, Stop, USAGE};
use tourbillon_tool::screen::ProgressLine;

use crate::gate::result::{GateResult, hold};
use crate::growth::Growth;
use crate::measure::{Pace, measure};
use crate::measurement::{Measured, MeasuredCase};
use crate::options::Options;
use crate::pairing::Comparison;

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
        let mut measured = measure(comparison, options, Pace::USUAL, &|| false, &mut line)?;
        line.clear();
        let (error, undecided_fails) = (options.error(), options.undecided_fails);
        let names = comparison.names();
        let others = comparison.cases_of_all_shards() - comparison.cases.len();
        measured.note_built_otherwise(comparison);
        let gate = options.gate.as_ref().map(|gate| {
            let error = (error, others * gate.claims());
            let mut result = hold(&measured.cases, gate, &names, error, undecided_fails);
            result.growth = Growth::of(&comparison.cases, &measured.cases);
            result
        });
        Ok(Compared {
            comparison,
            measured,
            mistake: GateResult::mistake(gate.as_slice(), &options.gates),
            gate,
        })
    }

    /// A comparison that was measured and has no gate.
    pub(crate) fn without_gate(comparison: &Comparison, measured: Measured) -> Compared<'_> {
        Compared {
            comparison,
            measured,
            gate: None,
            mistake: None,
        }
    }

    /// The verdicts on a case, that on the time first: those of the gate on what it judged.
    pub(crate) fn verdicts<'v>(
        &'v self,
        case: &'v MeasuredCase,
    ) -> impl Iterator<Item = &'v Verdict> {
        let of_gate = self.gate.as_ref();
        let judged = of_gate.map_or(&[][..], |gate| gate.verdicts(&case.case.id));
        let measured = case.verdicts().map(|verdict| {
            let found = judged.iter().find(|one| one.metric == verdict.metric);
            found.unwrap_or(verdict)
        });
        let is_measured = |one: &Verdict| case.verdicts().any(|of| of.metric == one.metric);
        measured.chain(judged.iter().filter(move |one| !is_measured(one)))
    }

    /// The verdict on the time of a case: that of the gate, if it judged it.
    pub(crate) fn verdict<'v>(&'v self, case: &'v MeasuredCase) -> &'v Verdict {
        self.verdicts(case).next().unwrap_or(&case.verdict)
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
pub(crate) mod tests {
    use tourbillon_record::{Finding, Metric, Undecided};

    use super::*;
    use crate::gate::flag::GateFlag;
    use crate::gate::result::tests::measured;
    use crate::gate::thresholds::Gate;
    use crate::results::rows::tests::comparison;

    #[test]
    fn the_verdicts_of_a_gate_stand_beside_those_that_were_measured() {
        let comparison = comparison();
        let mut compared = Compared::without_gate(&comparison, measured(2));
        let flags = ["2%", "p99=5%", "p99.9=150%"].map(|flag| GateFlag::parse(flag).expect(flag));
        let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
        let cases = &compared.measured.cases;
        let held = hold(cases, &gate, &comparison.names(), (0.001, 0), true);
        let found = |compared: &Compared<'_>| -> Vec<_> {
            let verdicts = compared.verdicts(&compared.measured.cases[0]);
            let parts = verdicts.map(|one| (one.metric, one.margin, one.finding));
            parts.collect()
        };
        let measured = found(&compared);
        compared.gate = Some(held);
        assert_eq!(
            found(&compared),
            [
                (None, 0.02, Finding::Same),
                // Without a threshold, nothing judged it.
                (Some(Metric::P50), 0.0, Finding::default()),
                (Some(Metric::P99), 0.05, Finding::Slower),
                // Too few calls of a process are beyond it.
                (Some(Metric::P999), 1.5, Finding::Undecided),
            ]
        );
        compared.gate = None;
        assert_eq!(found(&compared), measured);
    }

    #[test]
    fn a_rough_number_is_no_time_of_which_pairs_are_missing() {
        let mut measured = measured(1);
        let case = &mut measured.cases[0];
        case.launches.clear();
        case.numbers.add(Default::default());
        case.verdict.why = Some(Undecided::Noise);
        let verdict = case.judged(None, measured.criteria);
        assert_eq!(verdict.why, Some(Undecided::Noise));
    }

    #[test]
    fn a_flag_that_judges_nothing_is_a_mistake() {
        let comparison = comparison();
        let mut compared = Compared::without_gate(&comparison, measured(1));
        compared.gate = Some(GateResult::default());
        assert_eq!(compared.code(), 0);
        compared.mistake = Some(String::new());
        assert_eq!(compared.code(), USAGE);
        compared.measured.interrupted = true;
        assert_eq!(compared.code(), INTERRUPTED);
    }
}
