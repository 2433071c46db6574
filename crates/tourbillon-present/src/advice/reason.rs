//! Why a verdict is undecided, or what there is to know beside it.

use tourbillon_analysis::{Design, fewest_pairs};
use tourbillon_record::{Reach, Undecided, Verdict};

use super::Remedy;

/// Why a verdict is as it is, in the same words in every format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What is the matter.
    pub what: String,
    /// What to do about it, or to make of it.
    pub advice: Option<String>,
}

impl Reason {
    /// That of a verdict; `None` where there is nothing to say.
    pub fn of(verdict: &Verdict) -> Option<Reason> {
        let is_of_commands = Design::of_verdict(verdict) == Design::Commands;
        let (pairs, more) = match verdict.scope {
            _ if is_of_commands => ("rounds", Some("raise --time or --runs")),
            Reach::Process => ("pairs", None),
            Reach::Processes | Reach::Placements => ("pairs of processes", Some("raise --time")),
        };
        if let Some(remedy) = Remedy::of(verdict) {
            let [what, advice] = remedy.words();
            let advice = match remedy {
                Remedy::Time(_) if is_of_commands => Some(format!("{} may decide", remedy.flags())),
                Remedy::Time(_) => more.map(str::to_owned),
                _ => Some(advice),
            };
            return Some(Reason { what, advice });
        }
        let (what, advice) = match verdict.why? {
            Undecided::Time if verdict.limit.is_some() => ("at the limit".to_owned(), None),
            Undecided::Time => (
                "the difference is close to the margin".to_owned(),
                Some("change --margin, or use the interval"),
            ),
            Undecided::TooFew if verdict.metric.is_some() && verdict.discarded > 0 => (
                "fewer than ten calls of a process are beyond the percentile".to_owned(),
                Some("compare a lower one"),
            ),
            Undecided::TooFew => {
                if let Some((needed, runs)) = Reason::runs_needed(verdict) {
                    let what = format!("too few {pairs}: {} of {needed}", verdict.pairs);
                    let advice = Some(format!("--runs {runs}"));
                    return Some(Reason { what, advice });
                }
                (format!("too few {pairs}"), more)
            }
            Undecided::Control => ("the same code twice came out different".to_owned(), None),
            Undecided::Drift => (
                "conditions drifted".to_owned(),
                Some("run it again when the machine is steady"),
            ),
            Undecided::Noise => (
                format!("too many {pairs} were interrupted, or scatter too much"),
                more,
            ),
            Undecided::CoreShared => (
                format!("something else used the core in most {pairs}"),
                Some("on an idle machine the change may differ: run it again at a quieter moment, or raise --time"),
            ),
            Undecided::BuiltOtherwise => {
                ("both sides were built in different ways".to_owned(), None)
            }
            Undecided::NotComparable => (
                "both builds have to measure the same: single calls of `isolated()`, a processor time, or a number of \
                 one name, unit and direction"
                    .to_owned(),
                Some("a number needs an interval"),
            ),
        };
        let advice = advice.map(str::to_owned);
        Some(Reason { what, advice })
    }

    /// In a few words, beside an interval: `40 s more`.
    pub fn short(verdict: &Verdict) -> Option<String> {
        if let Some(remedy) = Remedy::of(verdict) {
            return Some(match Design::of_verdict(verdict) {
                Design::Commands => remedy.flags(),
                _ => remedy.short(),
            });
        }
        let words = match verdict.why? {
            Undecided::Time if verdict.limit.is_some() => "at the limit",
            Undecided::Time => "close to the margin",
            Undecided::TooFew => {
                if let Some((needed, _)) = Reason::runs_needed(verdict) {
                    return Some(format!("{} of {needed} rounds", verdict.pairs));
                }
                "too few pairs"
            }
            Undecided::Control => "the same code differed",
            Undecided::Drift => "conditions drifted",
            Undecided::Noise => "scattered",
            Undecided::CoreShared => "core shared",
            Undecided::BuiltOtherwise => "built otherwise",
            Undecided::NotComparable => return None,
        };
        Some(words.to_owned())
    }

    /// Of commands, the rounds that a verdict needs at least, and the runs that give them: those that do not count come on
    /// top. `None` where there are enough.
    pub fn runs_needed(verdict: &Verdict) -> Option<(u64, u64)> {
        let error = Some(1.0 - verdict.confidence).filter(|error| *error < 1.0)?;
        let needed = fewest_pairs(error)? as u64;
        let missing = needed.checked_sub(verdict.pairs)?;
        let is_of_commands = Design::of_verdict(verdict) == Design::Commands;
        (is_of_commands && missing > 0).then(|| (needed, u64::from(verdict.launches) + missing))
    }

    /// Both in a sentence.
    pub fn text(&self) -> String {
        let advice = self.advice.iter().map(|advice| format!("; {advice}"));
        format!("{}{}", self.what, advice.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Finding;

    use super::*;

    #[test]
    fn a_reason_names_what_was_measured() {
        let of = |why, scope, method: &str| {
            let verdict = Verdict {
                why: Some(why),
                finding: Finding::Undecided,
                scope,
                method: method.to_owned(),
                ..Verdict::default()
            };
            Reason::of(&verdict).expect("a reason").text()
        };
        let few = |scope, method: &str| of(Undecided::TooFew, scope, method);
        assert_eq!(few(Reach::Process, ""), "too few pairs");
        assert_eq!(
            few(Reach::Processes, ""),
            "too few pairs of processes; raise --time"
        );
        assert_eq!(
            few(Reach::Processes, Design::Commands.method()),
            "too few rounds; raise --time or --runs"
        );
        let rounds = Verdict {
            why: Some(Undecided::TooFew),
            method: Design::Commands.method().to_owned(),
            confidence: 0.999,
            pairs: 10,
            launches: 11,
            ..Verdict::default()
        };
        let text = Reason::of(&rounds).expect("a reason").text();
        assert_eq!(text, "too few rounds: 10 of 12; --runs 13");
        assert_eq!(Reason::short(&rounds).as_deref(), Some("10 of 12 rounds"));
        let decided = Verdict {
            finding: Finding::Slower,
            why: Some(Undecided::CoreShared),
            ..Verdict::default()
        };
        assert_eq!(Reason::short(&decided), Some("core shared".to_owned()));
        assert_eq!(Reason::of(&Verdict::default()), None);
    }
}
