//! Explanations of what a comparison found, and which of them are one note.

use std::collections::HashMap;

use tourbillon_record::{Undecided, Verdict};

use crate::{Note, Outcome, Reason, needs_time};

/// Why a row has its outcome, or what else there is to know about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Explanation {
    /// A sentence about this row alone.
    Own(String),
    /// A sentence that rows may have in common.
    Common(String),
    /// The verdict is undecided, in these words, and needs so many seconds.
    NeedsTime {
        /// The outcome in words.
        words: &'static str,
        /// Of measuring.
        seconds: f64,
    },
}

impl Explanation {
    /// Why a verdict is as it is, and the remedy; `None` where there is nothing to say.
    pub fn of(verdict: &Verdict) -> Option<Explanation> {
        let words = Outcome::of(verdict).word();
        let why = Reason::of(verdict)?.text();
        Some(match (verdict.why, verdict.seconds_needed) {
            (Some(Undecided::Time), Some(seconds)) => Explanation::NeedsTime { words, seconds },
            // The same for all, whatever was found.
            (Some(Undecided::CoreShared), _) => Explanation::Common(why),
            _ => Explanation::Common(format!("{words}: {why}")),
        })
    }

    /// The sentence, for one row or for several.
    pub fn text(&self, of_several: bool) -> String {
        match self {
            Explanation::Own(text) | Explanation::Common(text) => text.clone(),
            Explanation::NeedsTime { words, seconds } => {
                let bound = if of_several { "up to" } else { "about" };
                let needs = needs_time(&format!("a verdict needs {bound}"), *seconds);
                format!("{words}: {needs}; raise --time")
            }
        }
    }

    /// What those of other rows that are alike have in common: whether they need time, and a text. `None` where none is.
    fn alike(&self) -> Option<(bool, String)> {
        match self {
            Explanation::Own(_) => None,
            Explanation::Common(text) => Some((false, text.clone())),
            Explanation::NeedsTime { words, .. } => Some((true, (*words).to_owned())),
        }
    }

    /// Takes in one that is alike.
    fn join(&mut self, other: &Explanation) {
        if let (
            Explanation::NeedsTime { seconds, .. },
            Explanation::NeedsTime { seconds: more, .. },
        ) = (self, other)
        {
            *seconds = seconds.max(*more);
        }
    }
}

impl Note {
    /// Notes on rows, alike ones together at the place of the first.
    pub fn joined(explanations: impl IntoIterator<Item = (String, Explanation)>) -> Vec<Note> {
        let mut joined: Vec<(Vec<String>, Explanation)> = Vec::new();
        let mut places: HashMap<(bool, String), usize> = HashMap::new();
        for (name, explanation) in explanations {
            let next = joined.len();
            let alike = explanation.alike();
            let place = alike.map_or(next, |alike| *places.entry(alike).or_insert(next));
            match joined.get_mut(place) {
                Some((names, first)) => {
                    first.join(&explanation);
                    names.push(name);
                }
                None => joined.push((vec![name], explanation)),
            }
        }
        let notes = joined.into_iter().map(|(names, explanation)| Note {
            text: explanation.text(names.len() > 1),
            names,
            ..Note::new("! ", "")
        });
        notes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_explanations_are_joined() {
        let own = |text: &str| Explanation::Own(text.to_owned());
        let common = |text: &str| Explanation::Common(text.to_owned());
        let needs = |seconds| Explanation::NeedsTime {
            words: "undecided",
            seconds,
        };
        let all = [
            ("a", common("drift")),
            ("b", needs(20.0)),
            ("c", own("allocs 1 -> 2")),
            ("d", common("drift")),
            ("e", needs(90.0)),
            ("f", own("allocs 1 -> 2")),
            ("g", common("noise")),
        ];
        let notes = Note::joined(all.map(|(name, reason)| (name.to_owned(), reason)));
        let lines = notes
            .iter()
            .map(|note| format!("{}: {}", note.names.join(" "), note.text));
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [
                "a d: drift",
                "b e: undecided: a verdict needs up to 90 s of measuring; raise --time",
                "c: allocs 1 -> 2",
                "f: allocs 1 -> 2",
                "g: noise"
            ]
        );
        let one = "undecided: a verdict needs about 20 s of measuring; raise --time";
        assert_eq!(needs(20.0).text(false), one);
    }
}
