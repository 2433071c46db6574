//! What is written reads back as the same.

use tourbillon_record::{Case, CaseResult, Followed, Frame, Line, Note, Rounds};

use crate::random::Random;
use crate::{comparison_lines, count_lines, entries, samples};

fn assert_round_trip(line: &Line) {
    let text = line.encode();
    assert!(
        !text.contains(['\n', '\r', '\0']),
        "control characters in {text:?}"
    );
    assert_eq!(Line::decode(&text).as_ref(), Ok(line), "{text}");
    assert_eq!(
        Line::decode(&format!("{text}\n")).as_ref(),
        Ok(line),
        "{text}"
    );
}

#[test]
fn samples_round_trip() {
    for line in [
        samples::lines(),
        samples::contention(),
        samples::plain_lines(),
    ]
    .iter()
    .flatten()
    {
        assert_round_trip(line);
    }
    for frame in samples::frames()
        .into_iter()
        .chain([samples::ending_early()])
    {
        assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
    }
}

#[test]
fn what_was_found_by_following_workers_is_a_frame() {
    let mut followed = Followed::default();
    for line in count_lines::stepped() {
        match line {
            Line::Stepped(stepped) => followed.launches.push(stepped),
            Line::Result(result) => {
                followed.notes.extend_from_slice(&result.notes);
                followed.results.push(result);
            }
            _ => {}
        }
    }
    assert_eq!((followed.launches.len(), followed.results.len()), (3, 4));
    let frame = Frame::Followed(Box::new(followed));
    assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
}

#[test]
fn random_lines_round_trip() {
    for seed in 0..3_000 {
        let line = Random(seed).line();
        assert_round_trip(&line);
        assert_eq!(line.clone(), line);
        match line {
            Line::Launch(mut launch) => {
                launch.unknown.clear();
                let frame = Frame::Launch(launch);
                assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
            }
            Line::Memory(mut memory) => {
                memory.unknown.clear();
                let frame = Frame::Memory(Box::new(memory));
                assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
            }
            Line::Fault(mut fault) => {
                fault.unknown.clear();
                let frame = Frame::Fault(fault);
                assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
            }
            _ => {}
        }
    }
}

#[test]
fn every_character_and_any_length_round_trips_in_an_id() {
    let ids = [
        String::new(),
        "x".repeat(300),
        "🦀".repeat(300),
        "..\\../con\u{0}\u{1b}]0;title\u{7}".to_owned(),
        r#"\ud800 \n \" \\ \"#.to_owned(),
        (0..=0x2ff).filter_map(char::from_u32).collect(),
        "\u{fffe}\u{feff}\u{202e}\u{d7ff}\u{e000}\u{10ffff}".to_owned(),
    ];
    for id in ids {
        assert_round_trip(&Line::Case(Case {
            id,
            ..entries::case()
        }));
    }
}

#[test]
fn type_and_schema_come_first() {
    for line in samples::lines().iter().map(Line::encode) {
        let start = line.split(',').take(2).collect::<Vec<_>>();
        assert!(start[0].starts_with(r#"{"type":""#), "{line}");
        assert_eq!(start[1], r#""schema":2"#);
    }
    assert_eq!(Frame::Bye.encode(), r#"{"type":"bye","schema":2}"#);
}

#[test]
fn numbers_keep_every_bit() {
    let values = [
        0.0,
        -0.0,
        0.1,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        1e16,
        0.1 + 0.2,
    ];
    for value in values {
        let line = Line::Result(CaseResult {
            fixed_cost: Some(value),
            ..entries::result()
        });
        let Ok(Line::Result(read)) = Line::decode(&line.encode()) else {
            panic!("{value}")
        };
        assert_eq!(read.fixed_cost.map(f64::to_bits), Some(value.to_bits()));
    }
}

#[test]
fn a_number_that_is_not_finite_is_absent_and_never_read() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let optional = CaseResult {
            mean: Some(value),
            ..entries::result()
        };
        let text = Line::Result(optional).encode();
        assert!(!text.contains(r#""mean""#), "{text}");
        let expected = CaseResult {
            mean: None,
            ..entries::result()
        };
        assert_eq!(Line::decode(&text), Ok(Line::Result(expected)));

        let required = CaseResult {
            systematic: value,
            ..entries::result()
        };
        let error = Line::decode(&Line::Result(required).encode()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "field `systematic` is missing or null, at byte 0"
        );

        let estimate = CaseResult {
            estimate: Ok(value),
            ..entries::result()
        };
        assert!(
            Line::decode(&Line::Result(estimate).encode())
                .unwrap_err()
                .is_malformed()
        );
    }
    let text = Line::Result(entries::result()).encode();
    let error = Line::decode(&text.replace(r#""mean":4.415"#, r#""mean":1e999"#)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("field `mean` is 1e999, where a finite number")
    );
}

#[test]
fn missing_and_null_are_the_same_for_what_is_optional() {
    let Line::Result(result) = &samples::lines()[13] else {
        panic!("no result there")
    };
    let line = Line::Result(CaseResult {
        mean: None,
        ..result.clone()
    });
    let text = line.encode();
    let null = text.replace(r#""stddev":"#, r#""mean":null,"stddev":"#);
    assert_ne!(text, null);
    assert_eq!(Line::decode(&text).as_ref(), Ok(&line));
    assert_eq!(Line::decode(&null), Ok(line));
}

#[test]
fn fields_may_come_in_any_order() {
    let text = r#" { "value" : null, "line":42, "file":"f", "tags":[], "reference":false,
        "arguments":[{"value":"1","axis":"n"}], "name":"n", "group":"g", "id":"i",
        "schema":2, "type":"case" } "#
        .replace('\n', " ");
    let Ok(Line::Case(case)) = Line::decode(&text) else {
        panic!("{:?}", Line::decode(&text))
    };
    assert_eq!(
        (case.id.as_str(), case.line, case.arguments[0].axis.as_str()),
        ("i", 42, "n")
    );
    assert_eq!(case.unknown, r#""value":null"#);
}

#[test]
fn a_column_of_another_version_is_kept_at_the_top_and_passed_over_inside() {
    let with_column = |line: &Line| {
        let text = line.encode();
        let longer = text.replace(r#","ticks":["#, r#","noticed":[0,1],"ticks":["#);
        assert_ne!(text, longer);
        Line::decode(&longer)
    };
    let rounds = comparison_lines::rounds();
    let kept = Rounds {
        unknown: r#""noticed":[0,1]"#.into(),
        ..rounds.clone()
    };
    assert_eq!(with_column(&Line::Rounds(rounds)), Ok(Line::Rounds(kept)));
    let launch = Line::Launch(Box::new(entries::launch()));
    assert_eq!(with_column(&launch), Ok(launch));
}

#[test]
fn notes_of_newer_writers_keep_their_name() {
    let text = Line::Result(entries::result()).encode();
    let text = text.replace(
        r#"{"note":"skewed"}"#,
        r#"{"note":"throttled","degrees":97}"#,
    );
    let Ok(Line::Result(result)) = Line::decode(&text) else {
        panic!("{text}")
    };
    assert_eq!(
        result.notes.last(),
        Some(&Note::Other("throttled".to_owned()))
    );
}
