//! Files that were written once and stay: what the schemas are.

use nojson::{JsonValueKind, RawJson, RawJsonValue};
use tourbillon_record::{Frame, Line, Note, Run};

use crate::{comparison_lines, count_lines, otherwise, samples, teams};

/// Parts of it, each in a record of its own.
const PARTS: [&str; 4] = [
    include_str!("../golden/schema-2-one-run.jsonl"),
    include_str!("../golden/schema-2-comparison.jsonl"),
    include_str!("../golden/schema-2-counted.jsonl"),
    include_str!("../golden/schema-2-teams.jsonl"),
];
/// A run as it was measured, with contended launches and fenced ops.
const MEASURED: &str = include_str!("../golden/schema-2-measured.jsonl");
const SCHEMA_2: &str = include_str!("../golden/schema-2-run.jsonl");
const FRAMES_2: &str = include_str!("../golden/schema-2-frames.jsonl");

/// What the record of schema 2 holds.
fn lines_2() -> Vec<Line> {
    let lines = samples::lines().into_iter().chain(samples::contention());
    let lines = lines
        .chain(comparison_lines::lines())
        .chain(count_lines::lines());
    let lines = lines
        .chain(comparison_lines::disturbed())
        .chain(teams::lines());
    let lines = lines
        .chain(samples::plain_lines())
        .chain(comparison_lines::plain_lines())
        .chain(count_lines::fenced())
        .chain([count_lines::without_time()]);
    let lines = lines.chain(otherwise::lines());
    let lines = lines.chain([samples::rate(), samples::uneven()]);
    lines
        .chain([
            comparison_lines::of_blocks(),
            comparison_lines::rough(),
            comparison_lines::with_probes(),
        ])
        .chain(otherwise::better_with_more())
        .chain(comparison_lines::of_numbers())
        .chain([otherwise::of_build()])
        .chain(samples::on_one_kind())
        .collect()
}

fn frames_2() -> Vec<Frame> {
    let frames = samples::frames()
        .into_iter()
        .chain(comparison_lines::frames());
    let frames = frames.chain([samples::ending_early()]);
    let frames = frames.chain(otherwise::frames());
    frames.chain([samples::plan_on_one_kind()]).collect()
}

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
fn records_of_schema_2_are_written_and_read_as_they_were() {
    assert_eq!(decoded(SCHEMA_2), lines_2());
    for (line, golden) in lines_2().iter().zip(SCHEMA_2.lines()) {
        holds(&line.encode(), golden);
    }
    assert_eq!(FRAMES_2.lines().count(), frames_2().len());
    for (frame, golden) in frames_2().into_iter().zip(FRAMES_2.lines()) {
        holds(&frame.encode(), golden);
        assert_eq!(Frame::decode(golden), Ok(frame));
    }
}

#[test]
fn parts_hold_what_the_whole_has() {
    for line in PARTS.iter().flat_map(|text| decoded(text)) {
        assert!(lines_2().contains(&line), "{line:?}");
    }
    assert!(Run::parse(PARTS[0]).is_ok());
}

#[test]
fn a_measured_run_keeps_all_it_holds() {
    let run = Run::parse(MEASURED).unwrap();
    assert_eq!(
        (run.damaged, run.torn, run.skipped),
        (vec![], false, vec![])
    );
    assert_eq!((run.launches.len(), run.results.len()), (20, 2));
    assert!(run.launches[0].pilot_launch && run.launches[0].fenced.is_some());
    let contended = Note::Contended {
        launches: 1,
        in_figure: false,
    };
    assert_eq!(run.results[0].notes, [contended]);
    assert_eq!(run.end.unwrap().machine_events.unwrap().busy_ticks, 19);
    for (line, text) in decoded(MEASURED).iter().zip(MEASURED.lines()) {
        assert_eq!(line.encode(), text);
    }
}
