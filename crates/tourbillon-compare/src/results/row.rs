//! What became of one case.

use tourbillon_record::{Case, Verdict};
use tourbillon_report::{Change, Outcome, Status, Style};
use tourbillon_tool::cells::trimmed;

use crate::results::reason::Reason;

/// A verdict on a case or a percentile, an assertion, allocations that differ, a limit of growth or allocations that is
/// exceeded or could not be judged, or a case without a verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// What it is about, the same in every run.
    pub(crate) id: String,
    /// Its package and target: `shop/speed`.
    pub(crate) suite: String,
    /// As printed, not escaped.
    pub(crate) name: String,
    /// Source file and line.
    pub(crate) place: Option<(String, u32)>,
    pub(crate) outcome: Outcome,
    /// What the gate makes of it.
    pub(crate) status: Status,
    /// What was measured.
    pub(crate) verdict: Option<Verdict>,
    /// What changed, of a row without a verdict.
    pub(crate) change: String,
    /// Why, and what else there is to know.
    pub(crate) notes: Vec<Reason>,
}

impl Row {
    /// A row without figures.
    pub(crate) fn new(id: &str, name: &str, outcome: Outcome) -> Row {
        Row {
            id: id.to_owned(),
            suite: id.split("::").next().unwrap_or_default().to_owned(),
            name: name.to_owned(),
            place: None,
            outcome,
            status: outcome.status(),
            verdict: None,
            change: String::new(),
            notes: Vec::new(),
        }
    }

    pub(crate) fn at(mut self, case: &Case) -> Row {
        self.place = (!case.file.is_empty()).then(|| (case.file.clone(), case.line));
        self
    }

    /// Where the gate does not allow it.
    pub(crate) fn exceed(&mut self) {
        self.status = self.status.min(Status::Exceeds);
    }

    pub(crate) fn note(mut self, note: Reason) -> Row {
        self.notes.push(note);
        self
    }

    /// The notes as sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        self.notes.iter().map(|note| note.text(false)).collect()
    }

    /// Seconds of measuring.
    pub(crate) fn seconds(&self) -> f64 {
        self.verdict.as_ref().map_or(0.0, |verdict| verdict.seconds)
    }

    /// Where it stands among others: what a reader must act on comes first.
    pub(crate) fn rank(&self) -> (bool, Outcome) {
        (self.status > Status::Exceeds, self.outcome)
    }

    /// How much it changed, and the interval of that, as far as the outcome says so.
    pub(crate) fn changed(&self, style: &Style) -> [String; 2] {
        let change = self.verdict.as_ref().and_then(|one| Change::of(one, style));
        let word = || self.outcome.word().to_owned();
        match (self.outcome, change) {
            (Outcome::Same, _) => {
                let margin = self.verdict.as_ref().map_or(0.0, |verdict| verdict.margin);
                let within =
                    (margin > 0.0).then(|| format!("within {} %", trimmed(100.0 * margin)));
                [word(), within.unwrap_or_default()]
            }
            (
                Outcome::Slower | Outcome::Faster | Outcome::Worse | Outcome::Better,
                Some(Change { text, interval }),
            ) => [text, interval],
            (Outcome::Failed, _) | (_, None) if self.change.is_empty() => [word(), String::new()],
            (_, Some(Change { interval, .. })) => [word(), interval],
            (_, None) => [self.change.clone(), String::new()],
        }
    }

    /// The outcome and how much it changed, in words: `slower, +31 % (+29 .. +33 %)`.
    pub(crate) fn details(&self) -> String {
        let word = self.outcome.word();
        let [change, interval] = self.changed(&Style::default());
        let mut text = if change.contains(word) {
            change
        } else {
            format!("{word}, {change}")
        };
        if !interval.is_empty() {
            text += &format!(" ({interval})");
        }
        text
    }
}
