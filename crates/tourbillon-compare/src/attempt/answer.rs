//! The answer to an attempt.

use serde::{Deserialize, Serialize};
use tourbillon_analysis::first_deciding_look;
use tourbillon_record::{Finding, Undecided, Verdict};
use tourbillon_tool::exit::{FAILED, GATE, UNDECIDED};

/// What is to be done with an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// A case is faster, none is slower.
    Keep,
    /// A case is slower, or none is faster.
    Revert,
    /// No case is faster or slower so far, and some may be.
    Undecided,
    /// It does not build, a case fails or is missing, or nothing is left of a body.
    Broken,
}

impl Answer {
    /// As printed and stored.
    pub(super) fn word(self) -> &'static str {
        match self {
            Answer::Keep => "keep",
            Answer::Revert => "revert",
            Answer::Undecided => "undecided",
            Answer::Broken => "broken",
        }
    }

    /// The exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Answer::Keep => 0,
            Answer::Revert => GATE,
            Answer::Undecided => UNDECIDED,
            Answer::Broken => FAILED,
        }
    }

    /// That of verdicts on cases which were measured without a failure.
    ///
    /// A percentile that is slower is a reason to revert. One that is faster is none to keep: the cases divide the
    /// error, their percentiles do not.
    pub fn of<'v>(verdicts: impl IntoIterator<Item = &'v Verdict>) -> Answer {
        let (mut is_faster, mut is_open) = (false, false);
        for verdict in verdicts {
            let is_of_case = verdict.metric.is_none();
            match verdict.finding {
                Finding::Slower => return Answer::Revert,
                Finding::Faster => is_faster |= is_of_case,
                Finding::Undecided => is_open |= is_of_case,
                Finding::Same | Finding::Unchanged => {}
            }
        }
        if is_faster {
            Answer::Keep
        } else if is_open {
            Answer::Undecided
        } else {
            Answer::Revert
        }
    }
}

/// Seconds of measuring after which verdicts that are undecided would be decided.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SecondsNeeded {
    /// Of all cases together.
    pub(super) together: f64,
    /// Of the case that needs most: what `--time` has to be.
    pub(super) of_case: f64,
}

impl SecondsNeeded {
    /// Of verdicts with this error each; `None` where no time is known that decides.
    pub(super) fn of<'v>(
        verdicts: impl IntoIterator<Item = &'v Verdict>,
        error: f64,
    ) -> Option<SecondsNeeded> {
        let mut needed: Option<SecondsNeeded> = None;
        for verdict in verdicts.into_iter().filter(|one| one.metric.is_none()) {
            if let Some(seconds) = seconds_needed(verdict, error) {
                let before = needed.unwrap_or_default();
                needed = Some(SecondsNeeded {
                    together: before.together + seconds,
                    of_case: before.of_case.max(seconds),
                });
            }
        }
        needed
    }
}

/// What one verdict needs. Before there are pairs enough for an interval of its error, that is the time of so many pairs.
fn seconds_needed(verdict: &Verdict, error: f64) -> Option<f64> {
    match (verdict.finding, verdict.why) {
        (Finding::Undecided, Some(Undecided::TooFew)) if verdict.launches > 0 => {
            let pairs = first_deciding_look(error)?;
            Some(verdict.seconds * pairs as f64 / f64::from(verdict.launches))
        }
        (Finding::Undecided, _) => verdict.seconds_needed,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Metric;

    use super::*;

    fn verdict(finding: Finding) -> Verdict {
        Verdict {
            finding,
            ..Verdict::default()
        }
    }

    #[test]
    fn one_faster_case_and_no_slower_one_is_kept() {
        use Finding::{Faster, Same, Slower, Unchanged, Undecided};
        for (findings, expected) in [
            (&[Faster][..], Answer::Keep),
            (&[Same, Undecided, Faster, Unchanged], Answer::Keep),
            (&[Faster, Slower], Answer::Revert),
            (&[Undecided, Slower], Answer::Revert),
            (&[Same, Unchanged], Answer::Revert),
            (&[], Answer::Revert),
            (&[Same, Undecided], Answer::Undecided),
        ] {
            let verdicts: Vec<Verdict> = findings.iter().copied().map(verdict).collect();
            assert_eq!(Answer::of(&verdicts), expected, "{findings:?}");
        }
    }

    #[test]
    fn a_percentile_can_revert_and_cannot_keep() {
        let of = |finding| Verdict {
            metric: Some(Metric::P99),
            ..verdict(finding)
        };
        let same = verdict(Finding::Same);
        let answer = |finding| Answer::of([&same, &of(finding)]);
        assert_eq!(answer(Finding::Faster), Answer::Revert);
        assert_eq!(answer(Finding::Undecided), Answer::Revert);
        let faster = verdict(Finding::Faster);
        assert_eq!(Answer::of([&faster, &of(Finding::Slower)]), Answer::Revert);
        assert_eq!(Answer::of([&faster, &of(Finding::Undecided)]), Answer::Keep);
    }

    #[test]
    fn codes_tell_the_answers_apart() {
        let all = [
            Answer::Keep,
            Answer::Revert,
            Answer::Undecided,
            Answer::Broken,
        ];
        assert_eq!(all.map(Answer::code), [0, 2, 6, 3]);
        for answer in all {
            let stored = serde_json::to_string(&answer).expect("JSON");
            assert_eq!(stored, format!("\"{}\"", answer.word()));
        }
    }

    #[test]
    fn seconds_are_those_of_all_cases_that_are_open() {
        let open = |why, launches, seconds_needed| Verdict {
            why: Some(why),
            launches,
            seconds: 2.0,
            seconds_needed,
            ..verdict(Finding::Undecided)
        };
        let of = |verdicts: &[Verdict]| SecondsNeeded::of(verdicts, 1e-11);
        let time = open(Undecided::Time, 100, Some(7.0));
        // 54 pairs are needed for this error.
        let few = open(Undecided::TooFew, 27, None);
        let all = [verdict(Finding::Same), time, few.clone()];
        let (together, of_case) = (11.0, 7.0);
        assert_eq!(of(&all), Some(SecondsNeeded { together, of_case }));
        assert_eq!(of(&[open(Undecided::Drift, 100, None)]), None);
        assert_eq!(of(&[Verdict { launches: 0, ..few }]), None);
    }
}
