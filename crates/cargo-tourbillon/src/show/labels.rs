//! What tells records apart: their names, else their commits, else when they began.

use std::collections::HashSet;

use tourbillon_record::{FactValue, Header};

use crate::records::Record;

/// What the columns of records are called: the names of baselines and files; of files of the store, and where names are
/// the same, the first of commits, times of day and dates that tells them apart.
pub(super) fn labels(records: &[Record]) -> Vec<String> {
    let headers: Vec<Option<&Header>> = records.iter().map(first).collect();
    let names: Vec<String> = records.iter().map(|record| record.name.clone()).collect();
    if tells_apart(&names) && !names.iter().any(|name| is_of_store(name)) {
        return names;
    }
    let of_headers = |text: fn(&Header) -> Option<String>| {
        let texts = headers.iter().map(|header| text((*header)?));
        texts.collect::<Option<Vec<String>>>()
    };
    let dates = of_headers(|header| part(header, 0..10)).unwrap_or_default();
    let is_one_day = dates.iter().all(|date| *date == dates[0]);
    let time = |header: &Header, end| {
        Some(format!(
            "{} {}",
            part(header, 0..10)?,
            part(header, 11..end)?
        ))
    };
    let ways = [
        of_headers(short_commit),
        of_headers(|header| part(header, 11..16)).filter(|_| is_one_day),
        of_headers(|header| part(header, 11..19)).filter(|_| is_one_day),
        of_headers(|header| part(header, 0..10)),
    ];
    let mut known = ways.into_iter().flatten();
    let known = known.find(|labels| tells_apart(labels));
    let times = || {
        let times = headers.iter().map(|header| time((*header)?, 19));
        times.collect::<Option<Vec<String>>>()
    };
    let known = known.or_else(|| times().filter(|labels| tells_apart(labels)));
    known.unwrap_or(names)
}

/// The commit that a record was measured at, as far as its header says, and whether there were changes to it.
pub(super) fn commit(record: &Record) -> Option<String> {
    let header = first(record)?;
    let commit = short_commit(header)?;
    let is_changed = matches!(header.fact("dirty"), Some(FactValue::Flag(true)));
    Some(if is_changed {
        format!("{commit} and changes")
    } else {
        commit
    })
}

fn short_commit(header: &Header) -> Option<String> {
    let commit = header.fact_text("revision")?;
    Some(commit.get(..7).unwrap_or(commit).to_owned())
}

fn first(record: &Record) -> Option<&Header> {
    Some(&record.runs().next()?.header)
}

/// A part of when a run began: `2026-07-11T15:30:12+02:00`.
fn part(header: &Header, of: std::ops::Range<usize>) -> Option<String> {
    header.started.get(of).map(str::to_owned)
}

/// Whether a record is a file of the store: `20260711T153012.123456789Z-4711`.
fn is_of_store(name: &str) -> bool {
    let parts = name.split_once('.');
    parts.is_some_and(|(seconds, rest)| seconds.len() == 15 && rest.contains("Z-"))
}

fn tells_apart(labels: &[String]) -> bool {
    let different: HashSet<&String> = labels.iter().collect();
    different.len() == labels.len()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Fact, Run};
    use tourbillon_tool::record_file::StoredRun;

    use super::*;

    fn record(name: &str, commit: &str, started: &str) -> Record {
        let fact = |name: &str, value| Fact {
            name: name.to_owned(),
            value,
        };
        let header = Header {
            started: started.to_owned(),
            facts: vec![
                fact("revision", FactValue::Text(commit.to_owned())),
                fact("dirty", FactValue::Flag(name == "changed")),
            ],
            ..Header::default()
        };
        Record {
            name: name.to_owned(),
            runs: vec![StoredRun {
                run: Run {
                    header,
                    ..Run::default()
                },
                sha256: String::new(),
            }],
        }
    }

    #[test]
    fn commits_are_short_and_say_whether_there_were_changes() {
        let of = |name: &str| commit(&record(name, "d53286c7a7936269c119", "")).expect("a commit");
        assert_eq!(of("main"), "d53286c");
        assert_eq!(of("changed"), "d53286c and changes");
    }

    #[test]
    fn what_tells_records_apart_is_their_label() {
        const ONE: &str = "20260711T153012.123456789Z-4711";
        const OTHER: &str = "20260711T153013.000000001Z-4712";
        const AT: &str = "2026-07-11T15:30:12+02:00";
        for (one, other, expected) in [
            (("main", "a", AT), ("here", "b", AT), ["main", "here"]),
            (
                (ONE, "aaaaaaaa", AT),
                (OTHER, "bbbbbbbb", AT),
                ["aaaaaaa", "bbbbbbb"],
            ),
            (("run", "a", AT), ("run", "b", AT), ["a", "b"]),
            (
                (ONE, "a", AT),
                (OTHER, "a", "2026-07-11T16:02:00+02:00"),
                ["15:30", "16:02"],
            ),
            (
                (ONE, "a", AT),
                (OTHER, "a", "2026-07-11T15:30:13+02:00"),
                ["15:30:12", "15:30:13"],
            ),
            (
                (ONE, "a", AT),
                (OTHER, "a", "2026-07-12T15:30:13+02:00"),
                ["2026-07-11", "2026-07-12"],
            ),
            ((ONE, "a", AT), (OTHER, "a", AT), [ONE, OTHER]),
        ] {
            let records = [one, other].map(|(name, commit, started)| record(name, commit, started));
            assert_eq!(labels(&records), expected);
        }
    }
}
