//! A campaign: attempts one after the other, from the lines of its ledger.

use serde_json::{Map, Value, json};
use tourbillon_clock::wall;

use super::answer::Answer;
use super::spending::{CAMPAIGN_ERROR, error_of, spent_by};

/// A campaign, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Campaign {
    /// The root of the checkout.
    pub(super) checkout: String,
    /// The first reference as it was typed.
    pub(super) named: String,
    /// The commit that was the first reference.
    pub(super) first: String,
    /// The commit that the next attempt is compared with.
    pub(super) reference: String,
    /// Measurements that were begun: each has spent its part of the error, whatever came of it.
    pub(super) measurements: u64,
    pub(super) attempts: Vec<Attempt>,
}

/// An attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attempt {
    /// The answer; `None` where the measurement ended without one.
    pub(super) answer: Option<Answer>,
    /// The number of its measurement; `None` where nothing was measured.
    pub(super) measurement: Option<u64>,
    /// A hash of what differs from the reference.
    pub(super) diff: String,
    /// The commit that it was compared with.
    pub(super) reference: String,
    /// The commit that it was kept as.
    pub(super) commit: Option<String>,
    /// The verdicts on its cases.
    pub(super) verdicts: Vec<CaseVerdict>,
    /// From the start to the answer, builds included.
    pub(super) seconds: f64,
    /// Seconds of measuring that would decide: of all cases, and of that which needs most.
    pub(super) seconds_needed: Option<f64>,
    pub(super) time_needed: Option<f64>,
    /// What there is to know about the answer.
    pub(super) why: String,
}

/// The verdict on a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CaseVerdict {
    pub(super) case: String,
    pub(super) word: String,
    pub(super) ratio: Option<f64>,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
}

impl Campaign {
    /// The first line of a ledger.
    pub(super) fn first_line(checkout: &str, named: &str, reference: &str) -> String {
        line(json!({
            "type": "campaign",
            "version": 1,
            "tourbillon": env!("CARGO_PKG_VERSION"),
            "begun": now(),
            "checkout": checkout,
            "named": named,
            "reference": reference,
            "error": CAMPAIGN_ERROR,
        }))
    }

    /// The campaign of a ledger; `None` where its first line is no campaign's. A line that cannot be read, as one that
    /// was torn, may have begun a measurement, and so counts as one.
    pub(super) fn of(ledger: &str) -> Option<Campaign> {
        let mut lines = ledger.lines();
        let first = members(lines.next()?).filter(|line| text(line, "type") == "campaign")?;
        let mut campaign = Campaign {
            checkout: text(&first, "checkout"),
            named: text(&first, "named"),
            first: text(&first, "reference"),
            reference: text(&first, "reference"),
            ..Campaign::default()
        };
        // That of a measurement without an answer so far.
        let mut open: Option<Attempt> = None;
        for line in lines {
            let known = members(line).unwrap_or_default();
            if text(&known, "type") == "attempt" {
                let attempt = Attempt::of(&known);
                let before = open.take();
                let is_other = |one: &Attempt| one.measurement != attempt.measurement;
                campaign.attempts.extend(before.filter(is_other));
                if let Some(commit) = &attempt.commit {
                    campaign.reference.clone_from(commit);
                }
                campaign.attempts.push(attempt);
            } else {
                campaign.measurements += 1;
                campaign.attempts.extend(open.replace(Attempt {
                    measurement: Some(campaign.measurements),
                    why: "ended without an answer".to_owned(),
                    ..Attempt::of(&known)
                }));
            }
        }
        campaign.attempts.extend(open);
        Some(campaign)
    }

    /// The error of the next measurement.
    pub(super) fn next_error(&self) -> f64 {
        error_of(self.measurements + 1)
    }

    /// The error that all measurements so far have spent.
    pub(super) fn spent(&self) -> f64 {
        spent_by(self.measurements)
    }

    /// The line that begins a measurement. It is on the disk before the first sample, so that one that is broken off
    /// spends its error, too.
    pub(super) fn measuring_line(&self, diff: &str, cases: usize) -> String {
        line(json!({
            "type": "measuring",
            "attempt": self.attempts.len() + 1,
            "measurement": self.measurements + 1,
            "begun": now(),
            "diff": diff,
            "reference": self.reference,
            "cases": cases,
            "error": self.next_error(),
        }))
    }
}

impl Attempt {
    /// The line of attempt `number`.
    pub(super) fn line(&self, number: usize) -> String {
        let verdicts = self.verdicts.iter().map(CaseVerdict::value);
        line(json!({
            "type": "attempt",
            "attempt": number,
            "answer": self.answer.map(Answer::word),
            "measurement": self.measurement,
            "error": self.error(),
            "ended": now(),
            "diff": self.diff,
            "reference": self.reference,
            "commit": self.commit,
            "verdicts": verdicts.collect::<Vec<_>>(),
            "seconds": self.seconds,
            "seconds_needed": self.seconds_needed,
            "time_needed": self.time_needed,
            "why": self.why,
        }))
    }

    fn of(line: &Map<String, Value>) -> Attempt {
        let word = text(line, "answer");
        let verdicts = line.get("verdicts").and_then(Value::as_array);
        let commit = Some(text(line, "commit"));
        Attempt {
            answer: Answer::ALL.into_iter().find(|answer| answer.word() == word),
            measurement: line.get("measurement").and_then(Value::as_u64),
            diff: text(line, "diff"),
            reference: text(line, "reference"),
            commit: commit.filter(|commit| !commit.is_empty()),
            verdicts: verdicts.into_iter().flatten().map(CaseVerdict::of).collect(),
            seconds: number(line, "seconds").unwrap_or(0.0),
            seconds_needed: number(line, "seconds_needed"),
            time_needed: number(line, "time_needed"),
            why: text(line, "why"),
        }
    }

    /// The error that it has spent.
    pub(super) fn error(&self) -> f64 {
        self.measurement.map_or(0.0, error_of)
    }

    /// How many of its verdicts are one of these words.
    pub(super) fn count(&self, words: &[&str]) -> usize {
        let verdicts = self.verdicts.iter();
        verdicts
            .filter(|verdict| words.contains(&verdict.word.as_str()))
            .count()
    }
}

impl CaseVerdict {
    fn value(&self) -> Value {
        json!({
            "case": self.case,
            "verdict": self.word,
            "ratio": self.ratio,
            "lower": self.lower,
            "upper": self.upper,
        })
    }

    fn of(value: &Value) -> CaseVerdict {
        let line = value.as_object().cloned().unwrap_or_default();
        CaseVerdict {
            case: text(&line, "case"),
            word: text(&line, "verdict"),
            ratio: number(&line, "ratio"),
            lower: number(&line, "lower"),
            upper: number(&line, "upper"),
        }
    }
}

fn now() -> String {
    wall::local_rfc3339(wall::unix_ns())
}

fn line(value: Value) -> String {
    format!("{value}\n")
}

fn members(line: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(line) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    }
}

fn text(line: &Map<String, Value>, name: &str) -> String {
    let text = line.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn number(line: &Map<String, Value>, name: &str) -> Option<f64> {
    line.get(name).and_then(Value::as_f64)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A campaign whose first attempt was kept, whose second one was broken off, and whose third one does not build.
    pub(in crate::attempt) fn ledger() -> String {
        let mut ledger = Campaign::first_line("/r", "HEAD", "aaa");
        let begun = Campaign::of(&ledger).expect("a campaign");
        ledger += &begun.measuring_line("d1", 2);
        ledger += &kept().line(1);
        let after = Campaign::of(&ledger).expect("a campaign");
        ledger += &after.measuring_line("d2", 1);
        let broken = Attempt {
            answer: Some(Answer::Broken),
            diff: "d3".to_owned(),
            reference: "bbb".to_owned(),
            why: "does not build".to_owned(),
            ..Attempt::default()
        };
        ledger + &broken.line(3)
    }

    fn kept() -> Attempt {
        let verdict = |case: &str, word: &str, ratio| CaseVerdict {
            case: case.to_owned(),
            word: word.to_owned(),
            ratio,
            ..CaseVerdict::default()
        };
        Attempt {
            answer: Some(Answer::Keep),
            measurement: Some(1),
            diff: "d1".to_owned(),
            reference: "aaa".to_owned(),
            commit: Some("bbb".to_owned()),
            verdicts: vec![
                verdict("a\"b", "faster", Some(0.5)),
                verdict("c", "same", None),
            ],
            seconds: 12.5,
            seconds_needed: Some(3.0),
            time_needed: Some(2.0),
            why: "1 faster".to_owned(),
        }
    }

    #[test]
    fn a_campaign_is_read_as_it_was_written() {
        let begun = Campaign::of(&Campaign::first_line("/r", "HEAD", "aaa")).expect("a campaign");
        assert_eq!((begun.measurements, begun.spent()), (0, 0.0));
        assert_eq!((begun.reference.as_str(), begun.next_error()), ("aaa", 0.0005));
        let campaign = Campaign::of(&ledger()).expect("a campaign");
        assert_eq!((campaign.checkout.as_str(), campaign.named.as_str()), ("/r", "HEAD"));
        assert_eq!(campaign.attempts[0], kept());
        assert_eq!(campaign.attempts[0].count(&["faster", "same"]), 2);
        // What was kept is the reference.
        assert_eq!((campaign.first.as_str(), campaign.reference.as_str()), ("aaa", "bbb"));
        assert_eq!(Campaign::of(""), None);
        assert_eq!(Campaign::of("{}\n"), None);
    }

    #[test]
    fn every_measurement_that_was_begun_spends() {
        let campaign = Campaign::of(&ledger()).expect("a campaign");
        assert_eq!(campaign.measurements, 2);
        let of = |attempt: &Attempt| (attempt.answer, attempt.measurement, attempt.diff.clone());
        let attempts: Vec<_> = campaign.attempts.iter().map(of).collect();
        let diff = |text: &str| text.to_owned();
        assert_eq!(
            attempts,
            [
                (Some(Answer::Keep), Some(1), diff("d1")),
                (None, Some(2), diff("d2")),
                (Some(Answer::Broken), None, diff("d3")),
            ]
        );
        let sum: f64 = campaign.attempts.iter().map(Attempt::error).sum();
        assert!((sum - campaign.spent()).abs() < 1e-18, "{sum}");
    }

    #[test]
    fn a_line_that_is_torn_counts_as_a_measurement() {
        let whole = ledger();
        let campaign = Campaign::of(&whole).expect("a campaign");
        let torn = |more: &str| Campaign::of(&format!("{whole}{more}")).expect("a campaign");
        for more in ["{\"type\":\"measu", "\u{0}\u{0}\n", "{}", "[1]"] {
            assert_eq!(torn(more).measurements, campaign.measurements + 1, "{more}");
            assert_eq!(torn(more).reference, campaign.reference);
        }
        // Of an attempt whose answer was torn, the measurement is counted once more than it was made.
        let last = kept().line(4);
        assert_eq!(torn(&last[..last.len() / 2]).attempts.len(), 4);
    }
}
