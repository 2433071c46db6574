//! `--isolation` as JSON.

use serde_json::json;

use super::Outcome;
use super::verdict::Verdict;

/// One object: for each source what it saw in every round, in nanoseconds.
pub(in crate::clocks) fn encode(outcome: &Outcome) -> String {
    let sources = outcome.seen.iter().map(|seen| {
        json!({
            "name": seen.source,
            "counts": seen.counts,
            "alone_ns": seen.alone,
            "beside_ns": seen.beside,
            "ratio": seen.ratio(),
            "isolated": match seen.verdict() {
                Verdict::Isolated => Some(true),
                Verdict::Disturbed => Some(false),
                Verdict::TooCoarse => None,
            },
            "expected": seen.is_as_expected(),
        })
    });
    let value = json!({
        "processor": outcome.processor,
        "rivals": outcome.rivals,
        "rounds": outcome.rounds,
        "sources": sources.collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}
