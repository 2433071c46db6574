//! Lines that are damaged, foreign, hostile or of another version.

use tourbillon_record::{Frame, Line, SCHEMA};

use crate::entries;
use crate::random::Random;
use crate::samples;

fn error(text: &str) -> String {
    Line::decode(text).unwrap_err().to_string()
}

#[test]
fn an_unknown_type_can_be_told_and_skipped() {
    let error = Line::decode(r#"{"type":"power","schema":2,"joules":4096}"#).unwrap_err();
    assert!(error.is_unknown_type() && !error.is_malformed() && !error.is_other_schema());
    assert_eq!(
        error.to_string(),
        r#"unknown type "power"; a newer tourbillon may have written it"#
    );
    assert!(
        Frame::decode(r#"{"type":"header","schema":2}"#)
            .unwrap_err()
            .is_unknown_type()
    );
}

#[test]
fn another_schema_is_reported_with_both_versions_whatever_else_is_in_the_line() {
    let (older, newer) = (SCHEMA - 1, SCHEMA + 1);
    let messages = [
        (older, "no release wrote it: measure again"),
        (
            newer,
            "read it with the tourbillon that wrote it or a newer one",
        ),
    ];
    for kind in ["header", "launch", "visit", "power"] {
        for (schema, remedy) in messages {
            let text = format!(r#"{{"type":"{kind}","schema":{schema}}}"#);
            let error = Line::decode(&text).unwrap_err();
            assert!(error.is_other_schema());
            assert_eq!(
                error.to_string(),
                format!("written in schema {schema}, this version reads schema 2; {remedy}")
            );
            assert!(Frame::decode(&text).unwrap_err().is_other_schema());
        }
    }
}

#[test]
fn messages_are_shortened_where_they_enter_and_leave() {
    let long = "é".repeat(400_000);
    let expected = format!("{}… (398045 more characters)", "é".repeat(1_955));
    let mut fault = entries::fault(tourbillon_record::FaultKind::Panic);
    fault.message.clone_from(&long);
    let panicking = Frame::Panicking {
        message: long.clone(),
        location: None,
    };
    for (line, decoded) in [
        (Line::Fault(fault.clone()).encode(), None),
        (Frame::Fault(fault).encode(), None),
        (panicking.encode(), Some("panicking")),
    ] {
        assert!(line.len() < 6_000, "{}", line.len());
        // Of another version, which wrote all of it.
        let whole = line.replace(&expected, &long);
        assert!(whole.len() > 800_000);
        for text in [line, whole] {
            let message = match Frame::decode(&text).unwrap() {
                Frame::Fault(fault) if decoded.is_none() => fault.message,
                Frame::Panicking { message, .. } if decoded.is_some() => message,
                other => panic!("{other:?}"),
            };
            assert_eq!(message, expected);
        }
    }
}

#[test]
fn a_stream_without_an_end_is_no_record() {
    let mut endless = std::io::BufReader::new(std::io::repeat(b'x'));
    let error = tourbillon_record::Results::read(&mut endless).unwrap_err();
    assert!(error.to_string().contains("more than 128 MiB"), "{error}");
}

#[test]
fn malformed_lines_say_what_and_where() {
    let case = Line::Case(entries::case()).encode();
    assert_eq!(error(""), "the line ends inside a JSON value, at byte 0");
    assert_eq!(error("\0\0"), "not valid JSON, at byte 0");
    assert_eq!(
        error("[1]"),
        "field `line` is [1], where an object is expected, at byte 0"
    );
    assert_eq!(error("{}"), "field `type` is missing or null, at byte 0");
    assert_eq!(
        error(r#"{"type":"case"}"#),
        "field `schema` is missing or null, at byte 0"
    );
    assert_eq!(
        error(r#"{"type":"case","schema":0}"#),
        "field `schema` is 0, where a schema from 1 is expected, at byte 24"
    );
    assert_eq!(
        error(&format!("{case}x")),
        format!("something follows the JSON object, at byte {}", case.len())
    );
    assert_eq!(
        error(&format!("{case}\n{case}")),
        format!("a newline inside a line, at byte {}", case.len())
    );
    let place = case.find("42").unwrap();
    let wanted = "a whole number from 0 to 4294967295";
    for value in [
        "-42",
        "4.2",
        "18446744073709551616",
        "4294967296",
        r#""42""#,
    ] {
        assert_eq!(
            error(&case.replace("42", value)),
            format!("field `line` is {value}, where {wanted} is expected, at byte {place}")
        );
    }
    let long = format!("[{}]", "7,".repeat(500) + "7");
    assert!(error(&case.replace("42", &long)).len() < 150);
    assert!(
        error(&case.replace(r#""line":42"#, r#""line":42,"line":43"#))
            .starts_with("field `line` appears twice")
    );
}

#[test]
fn columns_that_are_read_side_by_side_have_one_length() {
    let launch = Line::Launch(Box::new(entries::launch())).encode();
    for (column, shorter, message) in [
        (
            r#""kind":[1,2,0]"#,
            r#""kind":[1,2]"#,
            "column `kind` has 2 entries, column `ticks` 3",
        ),
        (
            r#""pauses":[0,1,0]"#,
            r#""pauses":[0]"#,
            "column `kind` has 3 entries, column `pauses` 1",
        ),
        (
            r#""at":[0,3]"#,
            r#""at":[]"#,
            "column `at` has 0 entries, column `short_ticks` 2",
        ),
        (
            r#""unroll":[1,8]"#,
            r#""unroll":[1]"#,
            "column `windows` has 2 entries, column `unroll` 1",
        ),
    ] {
        let text = launch.replace(column, shorter);
        assert_ne!(text, launch);
        assert!(error(&text).starts_with(message), "{}", error(&text));
    }
}

#[test]
fn words_outside_their_list_are_refused() {
    let result = Line::Result(entries::result()).encode();
    let fault = Line::Fault(entries::fault(tourbillon_record::FaultKind::Exit(3))).encode();
    for (line, word, other, message) in [
        (
            &result,
            r#""metric":"time""#,
            r#""metric":"cycles""#,
            r#"field `unit` is "ns", where `cycles`"#,
        ),
        (
            &result,
            r#""unit":"ns""#,
            r#""unit":"ms""#,
            r#"field `unit` is "ms", where `ns`"#,
        ),
        (
            &result,
            r#""scope":"processes""#,
            r#""scope":"host""#,
            r#"field `scope` is "host""#,
        ),
        (
            &result,
            r#""estimate":4.41"#,
            r#""estimate":4.41,"absent":"failed""#,
            r#"field `absent` is "failed", where nothing"#,
        ),
        (
            &fault,
            r#""kind":"exit""#,
            r#""kind":"melt""#,
            r#"field `kind` is "melt""#,
        ),
        (
            &fault,
            r#""code":3"#,
            r#""code":null"#,
            "field `code` is missing or null",
        ),
    ] {
        let text = line.replace(word, other);
        assert_ne!(&text, line);
        assert!(error(&text).starts_with(message), "{}", error(&text));
    }
}

#[test]
fn deep_nesting_is_an_error_and_costs_no_stack() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for depth in [200, 100_000] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let text = format!(r#"{{"type":"end","schema":2,"x":{value}}}"#);
            assert!(
                error(&text).starts_with("nesting depth exceeded"),
                "{}",
                error(&text)
            );
            assert!(
                Line::decode(&open.repeat(depth))
                    .unwrap_err()
                    .is_malformed()
            );
        }
    }
}

#[test]
fn every_cut_of_a_line_is_malformed() {
    for line in samples::lines() {
        let text = line.encode();
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            assert!(Line::decode(&text[..end]).unwrap_err().is_malformed());
        }
    }
}

/// Whatever comes, the answer is a line or an error, and a line that was read can be written.
#[test]
fn mutated_lines_never_panic() {
    const BYTES: &[u8] = b"\"\\{}[],:0-.eEntfu \n\0\xff\xf0";
    let mut read = 0;
    for seed in 0..4_000 {
        let mut random = Random(seed);
        let mut bytes = random.line().encode().into_bytes();
        for _ in 0..=random.below(4) {
            let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
            match random.below(5) {
                0 => bytes[from] = BYTES[random.below(BYTES.len())],
                1 => bytes.insert(from, BYTES[random.below(BYTES.len())]),
                2 => bytes[from] = random.bits() as u8,
                3 => drop(bytes.drain(from.min(to)..from.max(to))),
                _ => {
                    let piece = bytes[from.min(to)..from.max(to)].to_vec();
                    bytes.splice(from..from, piece);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(line) = Line::decode(&text) {
            assert_eq!(Line::decode(&line.encode()), Ok(line), "{text}");
            read += 1;
        }
        let _ = Frame::decode(&text);
    }
    assert!(
        read > 20,
        "only {read} mutated lines could be read: the mutations are too coarse"
    );
}
