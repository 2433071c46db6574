//! What is read, what is refused, and that another reader of TOML agrees.

use super::*;

fn text(value: &str) -> TomlValue {
    TomlValue::Text(value.to_owned())
}

fn number(value: &str) -> TomlValue {
    TomlValue::Number(value.to_owned())
}

/// Documents that both readers accept.
const DOCUMENTS: &[&str] = &[
    "",
    "\u{feff}# only a comment",
    "a = 1\nb = -2.5e3 # two\n\n[t]\nc = \"x # y\"\r\nd = 'C:\\dir'\r\n",
    "[bench.cases]\n\"sort/\" = { launches = 5, max-time = \"1s\" }\n'map\"' = {}\n",
    "[a.\"b c\".'d']\n e . f = true\n e.g = false\n",
    "list = [ 1, \"two\",\n  # a comment\n  3.0,\n]\nempty = []\n",
    "t = \"\\t\\n\\\"\\\\ \\u00e9 \\U0001F600\"\n",
    "big = 1_000_000\nplus = +3\nzero = 0\nminus = -0.0\nexp = 1e-3\n",
    "a = { b = { c = 1 }, d = [true, false] }\n",
    "1 = 2\n-_- = 3\n",
    "[a]\n[b]\n[b.c]\n[d]\ne = {}\nf = 1\n[g]\nh.i = 2\n",
];

/// The values of a document as the other reader has them, in alphabetical order of their paths.
fn flat(table: &::toml::Table, above: &[String], into: &mut Vec<(Vec<String>, TomlValue)>) {
    for (key, value) in table {
        let path = [above, std::slice::from_ref(key)].concat();
        match value {
            ::toml::Value::Table(inner) if inner.is_empty() => into.push((path, TomlValue::Table)),
            ::toml::Value::Table(inner) => flat(inner, &path, into),
            other => into.push((path, same(other))),
        }
    }
}

fn same(value: &::toml::Value) -> TomlValue {
    match value {
        ::toml::Value::String(value) => text(value),
        ::toml::Value::Boolean(value) => TomlValue::Switch(*value),
        ::toml::Value::Integer(value) => number(&value.to_string()),
        ::toml::Value::Float(value) => number(&format!("{value:?}")),
        ::toml::Value::Array(values) => TomlValue::List(values.iter().map(same).collect()),
        other => panic!("no value of ours: {other:?}"),
    }
}

/// Numbers in one form.
fn plain(value: TomlValue) -> TomlValue {
    match value {
        TomlValue::Number(text) => {
            let value: f64 = text.parse().expect("a number");
            number(&value.to_string())
        }
        TomlValue::List(values) => TomlValue::List(values.into_iter().map(plain).collect()),
        other => other,
    }
}

#[test]
fn another_reader_agrees() {
    for document in DOCUMENTS {
        let entries = toml(document).unwrap_or_else(|error| panic!("{document}: {error:?}"));
        let mut ours = Vec::new();
        for entry in entries {
            ours.push((entry.path, plain(entry.value)));
        }
        let table: ::toml::Table = document.parse().expect(document);
        let mut values = Vec::new();
        flat(&table, &[], &mut values);
        let mut theirs = Vec::new();
        for (path, value) in values {
            theirs.push((path, plain(value)));
        }
        ours.sort_by(|one, other| one.0.cmp(&other.0));
        theirs.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(ours, theirs, "{document}");
    }
}

#[test]
fn every_part_of_a_document_is_read_or_refused() {
    for document in DOCUMENTS {
        for (end, _) in document.char_indices() {
            let part = &document[..end];
            // What is accepted here, the other reader accepts.
            if toml(part).is_ok() {
                assert!(part.parse::<::toml::Table>().is_ok(), "{part:?}");
            }
        }
    }
}

/// What the other reader refuses, and why.
const REFUSED: &[(&str, &str)] = &[
    ("# \u{0}\na = 1\n", "a control character in a comment"),
    (
        "a = 1 # \u{1b}]0;title\u{7}\n",
        "a sequence of the terminal",
    ),
    ("# a\rb = 1\n", "a carriage return alone"),
    ("a = 9223372036854775808\n", "a number of more than 64 bits"),
    ("[a]\nb.c = 1\n[a.b]\nd = 2\n", "a table that dots opened"),
    ("[a.b]\nc = 1\n[a]\nb.d = 2\n", "a table that has a heading"),
    (
        "a.b = 1\n[a]\nc = 2\n",
        "a table of the root that dots opened",
    ),
    ("a = { b.c = 1, b = 2 }\n", "a table and a value"),
    ("a = { b = 1, b.c = 2 }\n", "a value and a table"),
    ("a = { b = { c = 1 }, b.d = 2 }\n", "braces that are closed"),
    ("a = 1_\n", "an underscore at the end"),
    ("a = 1e_5\n", "an underscore after a letter"),
    ("a = 1._5\n", "an underscore after a point"),
    ("a = +_1\n", "an underscore after a sign"),
    ("a = 1_e5\n", "an underscore before a letter"),
    ("a = 1_.5\n", "an underscore before a point"),
    ("a = [,]\n", "a comma alone"),
    ("a = [1,,2]\n", "two commas"),
    ("a = {,}\n", "a comma alone in braces"),
    ("a = \"\u{7f}\"\n", "a control character in a text"),
    ("a = '\u{1}'\n", "a control character in a plain text"),
    ("a = \"\\u12\"\n", "digits that are missing"),
    ("a\n= 1\n", "a key in a line of its own"),
    ("a =\n1\n", "a value in a line of its own"),
    ("[a\n]\n", "a heading of two lines"),
    ("a.\nb = 1\n", "a path of two lines"),
    ("a = 1 b = 2\n", "two in a line"),
    ("a = 1\u{c}\n", "a form feed"),
    ("a = 1\u{a0}\n", "a blank that is none"),
    ("\u{feff}\u{feff}a = 1\n", "two marks of the order of bytes"),
];

#[test]
fn what_the_other_reader_refuses_is_refused() {
    for (document, what) in REFUSED {
        assert!(
            document.parse::<::toml::Table>().is_err(),
            "{what}: it is read"
        );
        assert!(toml(document).is_err(), "{what}: {document:?}");
    }
}

#[test]
fn values_have_their_lines() {
    let entries = toml("# first\n[t]\na = [\n  1,\n]\n\nb = \"x\"\n").expect("a document");
    let found: Vec<_> = entries.into_iter().map(|e| (e.path, e.line)).collect();
    let path = |key: &str| vec!["t".to_owned(), key.to_owned()];
    assert_eq!(found, [(path("a"), 3), (path("b"), 7)]);
}

#[test]
fn mistakes_have_a_line_and_a_remedy() {
    for (document, line, expected) in [
        ("a = 1\na = 2", 2, "a is there twice, first in line 1"),
        ("[t]\n[t]", 2, "[t] is there twice, first in line 1"),
        ("a = 1\n[a]", 2, "a is a value in line 1, and a table here"),
        ("a = 1\n[b]\n[a.c]", 3, "a is a value in line 1"),
        (
            "a = {}\n[a]\nb = 1",
            2,
            "a has braces elsewhere; write this between them",
        ),
        (
            "a = { b = 1 }\na.c = 2",
            2,
            "a has braces elsewhere; write this between them",
        ),
        ("\na = ", 2, "the value is missing"),
        ("a", 1, "a has no value; write KEY = VALUE"),
        ("= 1", 1, "a key is missing; write KEY = VALUE, or [TABLE]"),
        ("a = 1s", 1, "\"1s\" is no value; a text has quotes: \"1s\""),
        ("a = 2026-11-23", 1, "is no value"),
        ("a = 0x1f", 1, "is no value"),
        ("a = 007", 1, "is no value"),
        ("a = 1__0", 1, "is no value"),
        ("a = inf", 1, "is no value"),
        ("a = \"x", 1, "the text has no end"),
        ("a = \"C:\\dir\"", 1, "a backslash is written \\\\"),
        ("a = \"\\ud800\"", 1, "a backslash is written \\\\"),
        ("a = \"\"\"x\"\"\"", 1, "strings of several lines"),
        ("a = [[1]]", 1, "a list has texts and numbers only"),
        ("a = [1 2]", 1, "']' or a comma is missing"),
        ("a = { b = 1 c = 2 }", 1, "'}' or a comma is missing"),
        ("[[t]]", 1, "arrays of tables have no meaning here"),
        ("[t", 1, "the name of the table does not end"),
        ("a = 1 b = 2", 1, "\"b = 2\" follows the value"),
    ] {
        let error = toml(document).expect_err(document);
        assert_eq!(error.line, line, "{document}: {error:?}");
        assert!(error.what.contains(expected), "{document}: {error:?}");
    }
    let deep = "a = ".to_owned() + &"{ a = ".repeat(100_000);
    assert_eq!(
        toml(&deep).expect_err("too deep").what,
        "the tables are too deep"
    );
}
