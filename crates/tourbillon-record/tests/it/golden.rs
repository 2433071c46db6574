//! Files that were written once and stay: what schema 1 is.

use tourbillon_record::{Frame, Line, Run};

use crate::samples;

const RUN: &str = include_str!("../golden/schema-1-run.jsonl");
const FRAMES: &str = include_str!("../golden/schema-1-frames.jsonl");

#[test]
fn the_run_of_schema_1_reads_as_it_did() {
    let lines: Vec<_> = RUN
        .lines()
        .map(Line::decode)
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(lines, samples::lines());
    assert!(Run::parse(RUN).is_ok());
}

#[test]
fn the_run_of_schema_1_is_written_as_it_was() {
    for (line, golden) in samples::lines().iter().zip(RUN.lines()) {
        assert_eq!(line.encode(), golden);
    }
}

#[test]
fn the_frames_of_schema_1_are_written_and_read_as_they_were() {
    let frames = samples::frames();
    assert_eq!(FRAMES.lines().count(), frames.len());
    for (frame, golden) in frames.into_iter().zip(FRAMES.lines()) {
        assert_eq!(frame.encode(), golden);
        assert_eq!(Frame::decode(golden), Ok(frame));
    }
}
