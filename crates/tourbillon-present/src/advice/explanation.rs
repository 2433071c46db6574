//! Explanations of what a comparison found, and which of them are one note.

use tourbillon_record::{Undecided, Verdict};

use super::Remedy;
use crate::{Note, Outcome, Reason, needs_time};

/// Why a row has its outcome, or what else there is to know about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Explanation {
    /// A sentence about this row alone.
    Own(String),
    /// A sentence that rows may have in common.
    Common(String),
    /// The verdict is undecided, in these words, and something decides it.
    Needs(&'static str, Remedy),
}

impl Explanation {
    /// Why a verdict is as it is, and the remedy; `None` where there is nothing to say.
    pub fn of(verdict: &Verdict) -> Option<Explanation> {
        let words = Outcome::of(verdict).word();
        if let Some(remedy) = Remedy::of(verdict) {
            return Some(Explanation::Needs(words, remedy));
        }
        let why = Reason::of(verdict)?.text();
        Some(match verdict.why {
            // The same for all, whatever was found.
            Some(Undecided::CoreShared) => Explanation::Common(why),
            _ => Explanation::Common(format!("{words}: {why}")),
        })
    }

    /// The sentence, for one row or for several.
    pub fn text(&self, of_several: bool) -> String {
        match self {
            Explanation::Own(text) | Explanation::Common(text) => text.clone(),
            Explanation::Needs(words, Remedy::Time(seconds)) if of_several => {
                let needs = needs_time("a verdict needs up to", *seconds);
                format!("{words}: {needs}; raise --time")
            }
            Explanation::Needs(words, remedy) => format!("{words}: {}", remedy.words().join("; ")),
        }
    }

    /// One for this row and another one that is alike; `None` where it is not.
    fn and(&self, other: &Explanation) -> Option<Explanation> {
        match (self, other) {
            (Explanation::Common(_), _) => (self == other).then(|| self.clone()),
            (Explanation::Needs(words, one), Explanation::Needs(of_other, other)) => {
                let remedy = one.and(*other).filter(|_| words == of_other)?;
                Some(Explanation::Needs(words, remedy))
            }
            _ => None,
        }
    }
}

impl Note {
    /// Notes on rows, alike ones together at the place of the first.
    pub fn joined(explanations: impl IntoIterator<Item = (String, Explanation)>) -> Vec<Note> {
        let mut joined: Vec<(Vec<String>, Explanation)> = Vec::new();
        for (name, explanation) in explanations {
            let both = joined
                .iter_mut()
                .find_map(|one| Some((one.1.and(&explanation)?, one)));
            match both {
                Some((both, (names, of_all))) => {
                    *of_all = both;
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
        let needs = |seconds| Explanation::Needs("undecided", Remedy::Time(seconds));
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
