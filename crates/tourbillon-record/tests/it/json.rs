//! JSON as lines hold it, compared with an independent reader.

use nojson::RawJson;
use tourbillon_record::{Case, Error, Frame, Line};

use crate::random::Random;

/// What comes before the text in [`read`].
const BEFORE: &str = r#"{"type":"bye","schema":2,"x":"#;

/// Reads a text as the value of an unknown member.
fn read(text: &str) -> Result<Frame, Error> {
    Frame::decode(&format!("{BEFORE}{text}}}"))
}

#[test]
fn the_grammar_is_that_of_the_rfc() {
    let sound = [
        "0",
        "-0",
        "10.50e+07",
        "1E-3",
        " \t\r[ ] ",
        "{ \"\" : { } , \"a\":[1 , null,true,false] }",
        r#""\"\\\/\b\f\n\r\t\u00e9\uD83E\udd80""#,
        "\"\u{7f}\u{2028}é🦀\"",
    ];
    for text in sound {
        assert!(read(text).is_ok(), "{text}");
    }
    let flawed = [
        ("01", 1),
        ("+1", 0),
        (".5", 0),
        ("1.", 2),
        ("1.e3", 2),
        ("1e", 2),
        ("1e+", 3),
        ("--1", 1),
        ("0x1", 1),
        ("NaN", 0),
        ("nul", 3),
        ("nulL", 3),
        ("truely", 4),
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1 2]", 3),
        ("[1}", 2),
        ("{\"a\"}", 4),
        ("{\"a\":}", 5),
        ("{\"a\":1,}", 7),
        ("{a:1}", 1),
        ("{1:1}", 1),
        ("\"\u{0}\"", 1),
        (r#""\x""#, 1),
        (r#""\u00g0""#, 1),
        (r#""\ud800""#, 1),
        (r#""\ud800\u0041""#, 1),
        (r#""\ud83e\ud83e""#, 1),
        (r#""\ud83e\ue000""#, 1),
        (r#""\udd80\ud83e""#, 1),
        ("'a'", 0),
        ("1 // one", 2),
        ("\u{feff}1", 0),
        ("\u{a0}1", 0),
    ];
    for (text, place) in flawed {
        let error = read(text).unwrap_err();
        assert_eq!(
            error.offset(),
            Some(BEFORE.len() + place),
            "{text}: {error}"
        );
    }
}

#[test]
fn nesting_is_read_up_to_its_bound() {
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    // The line itself is one level.
    assert_eq!(read(&nested(127)), Ok(Frame::Bye));
    let error = read(&nested(128)).unwrap_err().to_string();
    assert!(
        error.starts_with("nesting depth exceeded: more than 128"),
        "{error}"
    );
}

fn with_id(id: &str) -> String {
    let case = Case {
        id: id.to_owned(),
        ..Case::default()
    };
    Line::Case(case).encode()
}

#[test]
fn only_what_must_be_escaped_is() {
    let line =
        with_id("a\"\\/\n\r\t\0\u{1b}\u{1f}\u{7f}\u{9b}\u{a0}é\u{200d}🦀\u{202e}\u{2066}\u{feff}");
    let id = "\"id\":\"a\\\"\\\\/\\n\\r\\t\\u0000\\u001b\\u001f\\u007f\\u009b\u{a0}é\u{200d}🦀\\u202e\\u2066\\ufeff\"";
    assert!(line.contains(id), "{line}");
}

#[test]
fn every_character_comes_back() {
    let id: String = ('\0'..=char::MAX).collect();
    let Ok(Line::Case(case)) = Line::decode(&with_id(&id)) else {
        panic!("no case")
    };
    assert!(case.id == id);
}

#[test]
fn escapes_are_replaced_by_their_characters() {
    let inner = r#"\"\\\/\b\f\n\r\t \u00E9\u20ac \ud83e\uDD80\ud800\udc00 é"#;
    let line = with_id("ID").replace("ID", inner);
    let Ok(Line::Case(case)) = Line::decode(&line) else {
        panic!("{line}")
    };
    assert_eq!(case.id, "\"\\/\u{8}\u{c}\n\r\t é€ 🦀\u{10000} é");
}

#[test]
fn unknown_members_are_kept_as_they_are() {
    let odd = r#" "a" : [ 1,"]", {} ] ,"b\n":-2.5e3"#;
    let line = with_id("").replacen('}', &format!(",{odd} }}"), 1);
    let Ok(Line::Case(case)) = Line::decode(&line) else {
        panic!("{line}")
    };
    assert_eq!(case.unknown, r#""a":[ 1,"]", {} ],"b\n":-2.5e3"#);
}

/// Damaged lines are refused exactly when an independent reader refuses them.
#[test]
fn mutated_lines_read_as_another_reader_reads_them() {
    const LINES: &str = include_str!("../golden/schema-2-one-run.jsonl");
    const PIECES: [&str; 28] = [
        "\"",
        "\\",
        "\\\\",
        "\\u00e9",
        "\\ud83e\\udd80",
        "\\ud83e",
        "\\x",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\t",
        "0",
        "-",
        ".",
        "e",
        "E+",
        "7",
        "null",
        "true",
        "é",
        "🦀",
        "\u{1}",
        "{\"a\":[]}",
        "[1,-0.5e9]",
    ];
    let mut random = Random(1);
    let (mut sound, mut flawed) = (0, 0);
    for round in 0..6_000 {
        let line = LINES.lines().nth(round % LINES.lines().count()).unwrap();
        let mut text = line.to_owned();
        if round % 3 == 0 {
            let start = random.below(line.len());
            let end = (start + 1 + random.below(120)).min(line.len());
            text = line.get(start..end).unwrap().to_owned();
        }
        for _ in 0..=random.below(2) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, PIECES[random.below(PIECES.len())]);
        }
        let line = format!("{BEFORE}{text}}}");
        let other = RawJson::parse(&line).is_ok();
        assert_eq!(Frame::decode(&line).is_ok(), other, "{line}");
        if other {
            sound += 1;
        } else {
            flawed += 1;
        }
    }
    assert!(
        sound > 500 && flawed > 500,
        "{sound} sound, {flawed} flawed"
    );
}
