//! A campaign: attempts one after the other, from the lines of its ledger.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tourbillon_clock::wall;

use super::answer::Answer;
use super::spending::{CAMPAIGN_ERROR, error_of, spent_by};

/// The version of ledgers.
pub(super) const VERSION: u32 = 1;

/// A line of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Campaign(Begin),
    /// A measurement begins: its attempt so far.
    Measuring(Attempt),
    Attempt(Attempt),
}

/// What the first line has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Begin {
    pub(super) version: u32,
    tourbillon: String,
    begun: String,
    /// The root of the checkout.
    pub(super) checkout: String,
    /// The first reference as it was typed.
    pub(super) named: String,
    /// The commit that it is.
    pub(super) reference: String,
    error: f64,
}

/// A campaign, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Campaign {
    pub(super) begin: Begin,
    /// The commit that the next attempt is compared with.
    pub(super) reference: String,
    /// Measurements that were begun: each has spent its part of the error, whatever came of it.
    pub(super) measurements: u64,
    pub(super) attempts: Vec<Attempt>,
}

/// An attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Attempt {
    /// Its number, from 1.
    pub(super) attempt: usize,
    /// When the line was written.
    pub(super) at: String,
    /// The answer; `None` where the measurement ended without one.
    pub(super) answer: Option<Answer>,
    /// What there is to know about the answer.
    pub(super) why: String,
    /// The number of its measurement; `None` where nothing was measured.
    pub(super) measurement: Option<u64>,
    /// The error that it has spent.
    pub(super) error: f64,
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
    /// Seconds of measuring that would decide all cases.
    pub(super) seconds_needed: Option<f64>,
    /// Those of the case that needs most.
    pub(super) time_needed: Option<f64>,
}

/// The verdict on a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CaseVerdict {
    pub(super) case: String,
    pub(super) verdict: String,
    pub(super) ratio: Option<f64>,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
}

impl Line {
    fn text(&self) -> String {
        // No member can be without a form in JSON.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl Campaign {
    /// The first line of a ledger.
    pub(super) fn first_line(checkout: &str, named: &str, reference: &str) -> String {
        let begin = Begin {
            version: VERSION,
            tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
            begun: now(),
            checkout: checkout.to_owned(),
            named: named.to_owned(),
            reference: reference.to_owned(),
            error: CAMPAIGN_ERROR,
        };
        Line::Campaign(begin).text()
    }

    /// The campaign of a ledger; `None` where its first line is no campaign's. A line that cannot be read, as one that
    /// was torn, may have begun a measurement, and so counts as one. Several in a row are one attempt, so that a damaged
    /// file takes no more memory than it has bytes.
    pub(super) fn of(ledger: &str) -> Option<Campaign> {
        let lines = ledger.lines().filter(|line| !line.trim().is_empty());
        let mut lines = lines.map(serde_json::from_str::<Line>);
        let Some(Ok(Line::Campaign(begin))) = lines.next() else {
            return None;
        };
        let mut campaign = Campaign {
            reference: begin.reference.clone(),
            begin,
            ..Campaign::default()
        };
        // Where those of measurements without an answer so far are.
        let mut open = BTreeMap::new();
        let mut is_damaged = false;
        for line in lines {
            let was_damaged = std::mem::replace(&mut is_damaged, line.is_err());
            let begun = match line {
                Ok(Line::Attempt(attempt)) => {
                    let measurement = attempt.measurement.as_ref();
                    let place = measurement.and_then(|number| open.remove(number));
                    campaign.answer(attempt, place);
                    continue;
                }
                Ok(Line::Measuring(attempt)) => Some(attempt),
                Ok(Line::Campaign(_)) | Err(_) => (!was_damaged).then(Attempt::default),
            };
            campaign.measurements += 1;
            if let Some(attempt) = begun {
                open.insert(campaign.measurements, campaign.attempts.len());
                campaign.attempts.push(Attempt {
                    measurement: Some(campaign.measurements),
                    error: error_of(campaign.measurements),
                    why: "ended without an answer".to_owned(),
                    ..attempt
                });
            }
        }
        Some(campaign)
    }

    /// Adds an answer, or puts it in the place of its measurement.
    fn answer(&mut self, attempt: Attempt, place: Option<usize>) {
        if let Some(commit) = &attempt.commit {
            self.reference.clone_from(commit);
        }
        match place {
            Some(place) => self.attempts[place] = attempt,
            None => self.attempts.push(attempt),
        }
    }

    /// The error that all measurements so far have spent.
    pub(super) fn spent(&self) -> f64 {
        spent_by(self.measurements)
    }

    /// Has an attempt begin the next measurement.
    pub(super) fn begin_measurement(&self, attempt: &mut Attempt) {
        let number = self.measurements + 1;
        attempt.measurement = Some(number);
        attempt.error = error_of(number);
    }
}

impl Attempt {
    /// The line that begins its measurement. It is on the disk before the first sample, so that one that is broken off
    /// spends its error, too.
    pub(super) fn measuring_line(&self) -> String {
        Line::Measuring(self.now()).text()
    }

    /// The line of its answer.
    pub(super) fn line(&self) -> String {
        Line::Attempt(self.now()).text()
    }

    fn now(&self) -> Attempt {
        Attempt {
            at: now(),
            ..self.clone()
        }
    }
}

fn now() -> String {
    wall::local_rfc3339(wall::unix_ns())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn lines_that_cannot_be_read_spend_error_and_are_one_attempt() {
        let first = Campaign::first_line("/r", "HEAD", "aaa");
        let of = |rest: &str| Campaign::of(&(first.clone() + rest)).expect("a campaign");
        let damaged = of("\n\n{\nx\n\0\0\n");
        assert_eq!((damaged.measurements, damaged.attempts.len()), (3, 1));
        assert_eq!(damaged.attempts[0].why, "ended without an answer");
        let again = of(&format!("x\n{}x\n", kept().line()));
        assert_eq!((again.measurements, again.attempts.len()), (2, 2));
    }

    /// A campaign whose first attempt was kept, whose second one was broken off, and whose third one does not build.
    pub(in crate::attempt) fn ledger() -> String {
        let mut ledger = Campaign::first_line("/r", "HEAD", "aaa");
        let measuring = |ledger: &str, diff: &str| {
            let campaign = Campaign::of(ledger).expect("a campaign");
            let mut attempt = Attempt {
                attempt: campaign.attempts.len() + 1,
                diff: diff.to_owned(),
                reference: campaign.reference.clone(),
                ..Attempt::default()
            };
            campaign.begin_measurement(&mut attempt);
            attempt.measuring_line()
        };
        ledger += &measuring(&ledger, "d1");
        ledger += &kept().line();
        ledger += &measuring(&ledger, "d2");
        let broken = Attempt {
            attempt: 3,
            answer: Some(Answer::Broken),
            diff: "d3".to_owned(),
            reference: "bbb".to_owned(),
            why: "does not build".to_owned(),
            ..Attempt::default()
        };
        ledger + &broken.line()
    }

    fn kept() -> Attempt {
        let verdict = |case: &str, verdict: &str, ratio| CaseVerdict {
            case: case.to_owned(),
            verdict: verdict.to_owned(),
            ratio,
            ..CaseVerdict::default()
        };
        Attempt {
            attempt: 1,
            at: String::new(),
            answer: Some(Answer::Keep),
            measurement: Some(1),
            error: 0.0005,
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
        assert_eq!(begun.reference, "aaa");
        let campaign = Campaign::of(&ledger()).expect("a campaign");
        let begin = &campaign.begin;
        assert_eq!(
            (begin.checkout.as_str(), begin.named.as_str()),
            ("/r", "HEAD")
        );
        let first = Attempt {
            at: String::new(),
            ..campaign.attempts[0].clone()
        };
        assert_eq!(first, kept());
        // What was kept is the reference.
        assert_eq!(
            (begin.reference.as_str(), campaign.reference.as_str()),
            ("aaa", "bbb")
        );
        assert_eq!(Campaign::of(""), None);
        assert_eq!(Campaign::of("{}\n"), None);
    }

    /// As in two containers with one store: neither waits for the lock of the other's machine.
    #[test]
    fn answers_of_measurements_at_once_are_in_their_places() {
        let mut ledger = Campaign::first_line("/r", "HEAD", "aaa");
        for diff in ["d1", "d2"] {
            let campaign = Campaign::of(&ledger).expect("a campaign");
            let mut attempt = Attempt {
                attempt: campaign.attempts.len() + 1,
                diff: diff.to_owned(),
                ..Attempt::default()
            };
            campaign.begin_measurement(&mut attempt);
            ledger += &attempt.measuring_line();
        }
        let campaign = Campaign::of(&(ledger + &kept().line())).expect("a campaign");
        let of = |one: &Attempt| (one.attempt, one.answer, one.diff.clone());
        let attempts: Vec<_> = campaign.attempts.iter().map(of).collect();
        let first = (1, Some(Answer::Keep), "d1".to_owned());
        assert_eq!(attempts, [first, (2, None, "d2".to_owned())]);
        assert_eq!(campaign.measurements, 2);
    }

    #[test]
    fn every_measurement_that_was_begun_spends() {
        let campaign = Campaign::of(&ledger()).expect("a campaign");
        assert_eq!(campaign.measurements, 2);
        let of = |one: &Attempt| (one.attempt, one.answer, one.measurement, one.diff.clone());
        let attempts: Vec<_> = campaign.attempts.iter().map(of).collect();
        let diff = |text: &str| text.to_owned();
        assert_eq!(
            attempts,
            [
                (1, Some(Answer::Keep), Some(1), diff("d1")),
                (2, None, Some(2), diff("d2")),
                (3, Some(Answer::Broken), None, diff("d3")),
            ]
        );
        let sum: f64 = campaign.attempts.iter().map(|one| one.error).sum();
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
        // Of an answer that was torn, the measurement is counted once more than it was made.
        let last = kept().line();
        assert_eq!(torn(&last[..last.len() / 2]).attempts.len(), 4);
    }
}
