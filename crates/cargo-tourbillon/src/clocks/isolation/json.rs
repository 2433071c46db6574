//! `--isolation` as JSON.

use serde_json::json;

use super::IsolationResult;
use super::verdict::Verdict;

/// The time of each source in every round, in nanoseconds.
pub(in crate::clocks) fn encode(outcome: &IsolationResult) -> String {
    let sources = outcome.times.iter().map(|times| {
        json!({
            "name": times.source,
            "counts": times.counts,
            "alone_ns": times.alone,
            "beside_ns": times.beside,
            "ratio": times.ratio(),
            "isolated": match times.verdict() {
                Verdict::Isolated => Some(true),
                Verdict::Disturbed => Some(false),
                Verdict::TooCoarse => None,
            },
            "expected": times.is_as_expected(),
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
