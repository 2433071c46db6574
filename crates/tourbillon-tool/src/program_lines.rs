//! The lines of records among all that a bench program prints.

use std::borrow::Cow;

use tourbillon_record::{Case, Error, Line};

use crate::record_file::{StoredRun, first_damage, parse};
use crate::record_text::start;

/// The lines of records in what a program printed, without its other text. That may stand before a line without a line
/// break, as `print!` leaves it: a line of a record begins where its type stands, and not at a line break.
pub fn record_lines(printed: &[u8]) -> Cow<'_, [u8]> {
    let lines = || printed.split_inclusive(|byte| *byte == b'\n');
    if lines().all(|line| start(line) == Some(0)) {
        return Cow::Borrowed(printed);
    }
    let found = lines().filter_map(|line| Some(&line[start(line)?..]));
    found.collect::<Vec<_>>().concat().into()
}

/// The cases of a list that a program printed.
///
/// # Errors
///
/// When a line cannot be read: it may be that of a case, which would be missing without a word.
pub fn listed_cases(printed: &[u8]) -> Result<Vec<Case>, String> {
    let lines = decoded(printed)?.into_iter().filter_map(|line| match line {
        Line::Case(case) => Some(case),
        _ => None,
    });
    Ok(lines.collect())
}

/// The lines of known types in what a program printed.
///
/// # Errors
///
/// When one cannot be read.
pub fn decoded(printed: &[u8]) -> Result<Vec<Line>, String> {
    let record = record_lines(printed);
    let mut all = Vec::new();
    for line in record.split_inclusive(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        match Line::decode(&text) {
            Ok(line) => all.push(line),
            Err(error) if error.is_unknown_type() => {}
            Err(error) => return Err(unreadable(&error, &text)),
        }
    }
    Ok(all)
}

/// The runs in what a program printed.
///
/// # Errors
///
/// When a line of them cannot be read.
pub fn runs(printed: &[u8]) -> Result<Vec<StoredRun>, String> {
    let runs = parse(&record_lines(printed))?;
    match first_damage(&runs) {
        None => Ok(runs),
        Some(error) => Err(format!("a line of its record cannot be read: {error}")),
    }
}

fn unreadable(error: &Error, line: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String = line.trim_end().chars().take(SHOWN).collect();
    format!("a line of its list cannot be read: {error}; it begins with {shown:?}")
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Entry;

    use super::*;

    fn case(id: &str) -> Case {
        Case {
            id: id.to_owned(),
            ..Case::default()
        }
    }

    #[test]
    fn no_text_of_a_program_hides_a_case() {
        let of = [
            "a/b::c",
            "a/b::d[x=\n]",
            "a/b::{\"type\":\"case\",\"schema\":2}",
        ]
        .map(case);
        let [one, two, three] = of.each_ref().map(|case| Entry::Case(case).encode() + "\n");
        for (first, second) in [
            ("", ""),
            ("loading data ... ", "{} "),
            ("one line\n{\"type\":\"event\"}\nloading \u{fffd} {", "half"),
            ("\n\n", "{\"type\":\"new\",\"schema\":2}\n"),
        ] {
            let printed = format!("{first}{one}{second}{two}{three}done");
            let found = listed_cases(printed.as_bytes());
            assert_eq!(found.as_deref(), Ok(&of[..]), "{printed}");
        }
        let printed = [b"\xff\xfe", one.as_bytes()].concat();
        assert_eq!(listed_cases(&printed).expect("a list").len(), 1);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_refused() {
        let [one, two] = ["a/b::c", "a/b::d"].map(|id| Entry::Case(&case(id)).encode() + "\n");
        let cut = &one[..one.len() - 20];
        let newer = one.replacen("\"schema\":2", "\"schema\":3", 1);
        for printed in [
            format!("{cut}\n{two}"),
            format!("text {cut}{two}"),
            format!("{two}{newer}"),
            format!("{two}{cut}"),
        ] {
            let why = listed_cases(printed.as_bytes()).expect_err(&printed);
            assert!(why.contains("begins with \"{\\\"type"), "{why}");
        }
    }

    #[test]
    fn a_record_is_read_without_other_text() {
        let golden = include_bytes!("../../tourbillon-record/tests/golden/schema-2-one-run.jsonl")
            .as_slice();
        let alone = runs(golden).expect("a run").remove(0);
        assert!(matches!(record_lines(golden), Cow::Borrowed(_)));
        let printed = [b"one line\nloading ... ", golden, b"done\n"].concat();
        let among = runs(&printed).expect("a run").remove(0);
        assert_eq!((&among.run, &among.sha256), (&alone.run, &alone.sha256));
        let damaged = String::from_utf8_lossy(golden).replacen("\"case\":", "\"case\"", 1);
        let why = runs(damaged.as_bytes()).expect_err("damage");
        assert!(
            why.starts_with("a line of its record cannot be read: line "),
            "{why}"
        );
    }
}
