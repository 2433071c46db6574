//! Runs for the tests.

use tourbillon_record::{
    CaseResult, Entry, Fact, FactValue, Finding, Header, Metric, Run, Undecided, Verdict,
};

/// The record of a run of `commit`, which has a time and cycles for each of these cases.
pub(crate) fn record(number: u64, commit: &str, cpu: &str, cases: &[(&str, f64)]) -> Vec<u8> {
    let text = |name: &str, text: &str| Fact {
        name: name.to_owned(),
        value: FactValue::Text(text.to_owned()),
    };
    let header = Header {
        engine: "e1".to_owned(),
        started_unix_ns: 1_790_000_000_000_000_000 + number,
        package: "shop".to_owned(),
        target: "sort".to_owned(),
        facts: vec![
            text("cpu_model", cpu),
            text("revision", commit),
            text("opt_level", "3"),
        ],
        ..Header::default()
    };
    let mut lines = Entry::Header(&header).encode() + "\n";
    for (case, value) in cases {
        for (metric, factor) in [(Metric::Time, 1.0), (Metric::Cycles, 3.0)] {
            let result = CaseResult {
                case: (*case).to_owned(),
                metric,
                estimate: Ok(value * factor),
                lower: Some(value * factor * 0.99),
                upper: Some(value * factor * 1.01),
                method: "m1".to_owned(),
                ..CaseResult::default()
            };
            lines += &(Entry::Result(&result).encode() + "\n");
        }
    }
    lines.into_bytes()
}

/// The run in a record.
pub(crate) fn run(record: &[u8]) -> Run {
    Run::parse_bytes(record).expect("a record")
}

/// The record of a comparison of two commits, with the verdict on each of these cases.
pub(crate) fn comparison(number: u64, commits: [&str; 2], cases: &[(&str, Finding)]) -> Vec<u8> {
    let names = ["reference_commit", "candidate_commit"]
        .into_iter()
        .zip(commits);
    let facts = names.map(|(name, commit)| Fact {
        name: name.to_owned(),
        value: FactValue::Text(commit.to_owned()),
    });
    let header = Header {
        started_unix_ns: 1_790_000_000_000_000_000 + number,
        facts: facts.collect(),
        ..Header::default()
    };
    let mut lines = Entry::Header(&header).encode() + "\n";
    for (case, finding) in cases {
        let verdict = Verdict {
            case: (*case).to_owned(),
            reference: "old".to_owned(),
            finding: *finding,
            why: (*finding == Finding::Undecided).then_some(Undecided::Time),
            ratio: Some(1.02),
            confidence: 1.0 - 1e-3 / 3.0,
            margin: 0.01,
            ..Verdict::default()
        };
        lines += &(Entry::Verdict(&verdict).encode() + "\n");
    }
    lines.into_bytes()
}
