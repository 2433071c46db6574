//! `--deltas` as JSON.

use serde_json::{Value, json};
use tourbillon_timers::characterise::{Deltas, Interruptions};

use super::SourceDeltas;

/// Every difference in ticks with its count, for each source.
pub(in crate::clocks) fn encode(all: &[SourceDeltas]) -> String {
    let sources: Vec<Value> = all.iter().map(one).collect();
    format!("{}\n", json!({ "sources": sources }))
}

fn one(apart: &SourceDeltas) -> Value {
    json!({
        "name": apart.source,
        "hz": apart.frequency.map(|frequency| frequency.hz()),
        "differences": counts(&apart.reads),
        "pairs": counts(&apart.pairs),
        "watched_with": apart.watched_with,
        "interruptions": apart.interruptions.as_ref().map(interruptions),
    })
}

/// Pairs of ticks and count. A difference that does not fit into 64 bits is a text.
fn counts(deltas: &Deltas) -> Vec<Value> {
    let row = |(ticks, count): (i128, u64)| match i64::try_from(ticks) {
        Ok(ticks) => json!([ticks, count]),
        Err(_) => json!([ticks.to_string(), count]),
    };
    deltas.rows().map(row).collect()
}

fn interruptions(seen: &Interruptions) -> Value {
    json!({
        "count": seen.count,
        "watched_ns": seen.watched_ns,
        "threshold_ns": seen.threshold_ns,
        "per_second": seen.per_second,
        "share": seen.share,
        "typical_ns": seen.typical_ns,
        "worst_ns": seen.worst_ns,
        "period_ns": seen.periodicity.map(|beat| beat.period_ns),
        "sharpness": seen.periodicity.map(|beat| beat.sharpness),
    })
}

#[cfg(test)]
mod tests {
    use super::super::scripted;
    use super::*;

    #[test]
    fn every_difference_is_in_it() {
        let apart = scripted::apart();
        let value: Value = serde_json::from_str(&encode(&[scripted::apart()])).unwrap();
        let source = &value["sources"][0];
        assert_eq!(source["differences"][0], json!([-3, 1]));
        let rows = source["differences"].as_array().unwrap().len();
        assert_eq!(rows, apart.reads.rows().count());
        assert_eq!(source["pairs"][0], json!([2, 9_999_000]));
        assert_eq!(source["interruptions"]["count"], 500);
        let wide = Deltas::of_counts(&[(i128::from(u64::MAX), 2)]);
        assert_eq!(counts(&wide), [json!(["18446744073709551615", 2])]);
    }
}
