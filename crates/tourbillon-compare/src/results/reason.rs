//! Reasons for what a comparison found, and which of them are one line.

use tourbillon_report::needs_time;

/// Why a row has its outcome, or what else there is to know about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reason {
    /// A sentence about this row alone.
    Own(String),
    /// A sentence that rows may have in common.
    Common(String),
    /// The verdict is undecided, in these words, and needs so many seconds.
    NeedsTime { words: &'static str, seconds: f64 },
}

impl Reason {
    /// The sentence, for one row or for several.
    pub(crate) fn text(&self, of_several: bool) -> String {
        match self {
            Reason::Own(text) | Reason::Common(text) => text.clone(),
            Reason::NeedsTime { words, seconds } => {
                let bound = if of_several { "up to" } else { "about" };
                let needs = needs_time(&format!("a verdict needs {bound}"), *seconds);
                format!("{words}: {needs}; raise --time")
            }
        }
    }

    /// Takes in a reason of another row; whether they are alike.
    fn join(&mut self, other: &Reason) -> bool {
        match (self, other) {
            (Reason::Common(one), Reason::Common(other)) => one == other,
            (
                Reason::NeedsTime { words, seconds },
                Reason::NeedsTime {
                    words: other,
                    seconds: more,
                },
            ) if words == other => {
                *seconds = seconds.max(*more);
                true
            }
            _ => false,
        }
    }
}

/// Reasons with the names of their rows: alike ones together, at the place of the first.
pub(crate) fn joined(
    reasons: impl IntoIterator<Item = (String, Reason)>,
) -> Vec<(Vec<String>, Reason)> {
    let mut joined: Vec<(Vec<String>, Reason)> = Vec::new();
    for (name, reason) in reasons {
        match joined
            .iter_mut()
            .find_map(|(names, other)| other.join(&reason).then_some(names))
        {
            Some(names) => names.push(name),
            None => joined.push((vec![name], reason)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_reasons_are_joined() {
        let own = |text: &str| Reason::Own(text.to_owned());
        let common = |text: &str| Reason::Common(text.to_owned());
        let needs = |seconds| Reason::NeedsTime {
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
        let joined = joined(all.map(|(name, reason)| (name.to_owned(), reason)));
        let lines = joined.iter().map(|(names, reason)| {
            format!("{}: {}", names.join(" "), reason.text(names.len() > 1))
        });
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
