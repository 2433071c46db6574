//! Files that were written once and stay: what the schemas are.

use nojson::{JsonValueKind, RawJson, RawJsonValue};
use tourbillon_record::{Frame, Line, Note, Run};

use crate::{compared, counted, otherwise, samples, teams};

/// Records of schema 1: by what came later with the same number.
const SCHEMA_1: [&str; 6] = [
    include_str!("../golden/schema-1-run.jsonl"),
    include_str!("../golden/schema-1-neighbours.jsonl"),
    include_str!("../golden/schema-1-comparison.jsonl"),
    include_str!("../golden/schema-1-counted.jsonl"),
    include_str!("../golden/schema-1-disturbed.jsonl"),
    include_str!("../golden/schema-1-teams.jsonl"),
];
/// A run of schema 1 as it was measured, with contended launches and fenced ops.
const MEASURED_1: &str = include_str!("../golden/schema-1-measured.jsonl");
const FRAMES_1: &str = include_str!("../golden/schema-1-frames.jsonl");
const SCHEMA_2: &str = include_str!("../golden/schema-2-run.jsonl");
const FRAMES_2: &str = include_str!("../golden/schema-2-frames.jsonl");

/// Members of schema 1 that have other names now.
const OLD_NAMES: [&str; 16] = [
    "apart",
    "apart_ticks",
    "asked",
    "dropped",
    "elapsed",
    "kept",
    "layout",
    "layouts",
    "length",
    "meanwhile",
    "scout",
    "visit_ns",
    "visit_ticks",
    "visits",
    "visits_ns",
    "wanted_ticks",
];

/// What the records of schema 1 hold.
fn lines_1() -> Vec<Line> {
    let lines = samples::lines().into_iter().chain(samples::contention());
    let lines = lines.chain(compared::lines()).chain(counted::lines());
    lines
        .chain(compared::disturbed())
        .chain(teams::lines())
        .collect()
}

/// What the record of schema 2 holds.
fn lines_2() -> Vec<Line> {
    let lines = lines_1().into_iter().chain(samples::plain_lines());
    let lines = lines
        .chain(compared::plain_lines())
        .chain(counted::fenced())
        .chain([counted::without_time()]);
    let lines = lines.chain(otherwise::lines());
    lines.chain([samples::rate(), samples::uneven()]).collect()
}

fn frames_2() -> Vec<Frame> {
    let frames = samples::frames().into_iter().chain(compared::frames());
    let frames = frames.chain([samples::ending_early()]);
    frames.chain(otherwise::frames()).collect()
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
fn records_of_schema_1_are_still_read() {
    let read: Vec<Line> = SCHEMA_1.iter().flat_map(|text| decoded(text)).collect();
    assert_eq!(read, lines_1());
    assert!(Run::parse(SCHEMA_1[0]).is_ok());
    let frames = FRAMES_1.lines().map(|line| Frame::decode(line).unwrap());
    assert_eq!(frames.collect::<Vec<_>>(), samples::frames());
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
fn a_measured_run_of_schema_1_keeps_all_it_holds() {
    let run = Run::parse(MEASURED_1).unwrap();
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
    for line in decoded(MEASURED_1) {
        // A name that is not mapped would be an unknown member, and be written as it is.
        let text = line.encode();
        let json = RawJson::parse(&text).unwrap();
        assert_known(json.value(), &text);
        assert_eq!(Line::decode(&text).as_ref(), Ok(&line));
    }
}

/// No member has one of the old names.
fn assert_known(value: RawJsonValue<'_, '_>, line: &str) {
    match value.kind() {
        JsonValueKind::Object => {
            for (name, value) in value.to_object().unwrap() {
                let name = name.to_unquoted_string_str().unwrap();
                assert!(!OLD_NAMES.contains(&&*name), "{name} in {line}");
                assert_known(value, line);
            }
        }
        JsonValueKind::Array => {
            for item in value.to_array().unwrap() {
                assert_known(item, line);
            }
        }
        _ => {}
    }
}

/// Nothing of schema 1 gets into a record that is written now.
#[test]
fn old_names_are_not_written() {
    for line in SCHEMA_2.lines().chain(FRAMES_2.lines()) {
        assert_known(RawJson::parse(line).unwrap().value(), line);
        for word in [
            "visit",
            "crowded",
            "launches_asked",
            "threads_in_turns",
            "layouts",
        ] {
            assert!(!line.contains(&format!(":\"{word}\"")), "{word} in {line}");
        }
    }
}
