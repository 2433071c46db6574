//! Files that were written once and stay: what schema 1 is.

use nojson::{JsonValueKind, RawJson, RawJsonValue};
use tourbillon_record::{Frame, Line, Run};

use crate::{compared, counted, samples, teams};

const RUN: &str = include_str!("../golden/schema-1-run.jsonl");
const FRAMES: &str = include_str!("../golden/schema-1-frames.jsonl");
const NEIGHBOURS: &str = include_str!("../golden/schema-1-neighbours.jsonl");
const COMPARISON: &str = include_str!("../golden/schema-1-comparison.jsonl");
const DISTURBED: &str = include_str!("../golden/schema-1-disturbed.jsonl");
const COUNTED: &str = include_str!("../golden/schema-1-counted.jsonl");
const TEAMS: &str = include_str!("../golden/schema-1-teams.jsonl");

/// Every member of `golden` is written as it was. There may be others: fields are added without a
/// new schema.
fn holds(text: &str, golden: &str) {
    let (text, golden) = (
        RawJson::parse(text).unwrap(),
        RawJson::parse(golden).unwrap(),
    );
    same(text.value(), golden.value());
}

fn same(value: RawJsonValue<'_, '_>, golden: RawJsonValue<'_, '_>) {
    match golden.kind() {
        JsonValueKind::Object => {
            for (name, golden) in golden.to_object().unwrap() {
                let name = name.to_unquoted_string_str().unwrap();
                same(value.to_member(&name).unwrap().required().unwrap(), golden);
            }
        }
        JsonValueKind::Array => {
            let items: Vec<_> = value.to_array().unwrap().collect();
            let goldens: Vec<_> = golden.to_array().unwrap().collect();
            assert_eq!(items.len(), goldens.len());
            for (item, golden) in items.into_iter().zip(goldens) {
                same(item, golden);
            }
        }
        _ => assert_eq!(value.as_raw_str(), golden.as_raw_str()),
    }
}

fn decoded(text: &str) -> Vec<Line> {
    text.lines()
        .map(|line| Line::decode(line).unwrap())
        .collect()
}

#[test]
fn the_run_of_schema_1_reads_as_it_did() {
    assert_eq!(decoded(RUN), samples::lines());
    assert!(Run::parse(RUN).is_ok());
    assert_eq!(decoded(NEIGHBOURS), samples::neighbours());
    assert_eq!(decoded(COMPARISON), compared::lines());
    assert_eq!(decoded(COUNTED), counted::lines());
    assert_eq!(decoded(DISTURBED), compared::disturbed());
    assert_eq!(decoded(TEAMS), teams::lines());
}

#[test]
fn the_run_of_schema_1_is_written_as_it_was() {
    let lines = samples::lines()
        .into_iter()
        .chain(samples::neighbours())
        .chain(compared::lines())
        .chain(counted::lines())
        .chain(compared::disturbed())
        .chain(teams::lines());
    let goldens = RUN
        .lines()
        .chain(NEIGHBOURS.lines())
        .chain(COMPARISON.lines())
        .chain(COUNTED.lines())
        .chain(DISTURBED.lines())
        .chain(TEAMS.lines());
    for (line, golden) in lines.zip(goldens) {
        holds(&line.encode(), golden);
    }
}

#[test]
fn the_frames_of_schema_1_are_written_and_read_as_they_were() {
    let frames = samples::frames();
    assert_eq!(FRAMES.lines().count(), frames.len());
    for (frame, golden) in frames.into_iter().zip(FRAMES.lines()) {
        holds(&frame.encode(), golden);
        assert_eq!(Frame::decode(golden), Ok(frame));
    }
}
