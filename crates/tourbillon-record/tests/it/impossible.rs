//! Lines with numbers that no measurement gives are refused, and say which member is wrong.

use tourbillon_record::{Finding, Line, Note, Reach, Results, Run};

use crate::{comparison_lines, entries, samples};

/// Names and values of members.
type Members = &'static [(&'static str, &'static str)];

/// A line with members replaced.
fn changed(line: &str, members: &[(&str, &str)]) -> String {
    let mut changed = line.to_owned();
    for (name, value) in members {
        let start = changed.find(&format!("\"{name}\":"));
        let start = start.unwrap_or_else(|| panic!("{name}: {line}")) + name.len() + 3;
        let end = changed[start..].find(",\"").expect("another member");
        changed.replace_range(start..start + end, value);
    }
    changed
}

#[test]
fn impossible_numbers_are_refused() {
    let mut result = entries::result();
    result.notes.clear();
    let result = Line::Result(result).encode();
    let verdict = comparison_lines::verdict(Finding::Slower, None, Reach::Processes);
    let verdict = Line::Verdict(verdict).encode();
    let lines = samples::lines();
    let header = lines[0].encode();
    let sharded = samples::sharded(None).encode();
    for line in [&result, &verdict, &header, &sharded] {
        assert!(Line::decode(line).is_ok(), "{line}");
    }
    let table: &[(&str, Members, &str)] = &[
        // An interval that is turned around, and an estimate outside of it.
        (
            &result,
            &[("lower", "9.0"), ("upper", "1.0")],
            "`lower` is 9.0, which is more than field `upper`, 1.0",
        ),
        (
            &result,
            &[("estimate", "900.0")],
            "`estimate` is 900.0, which is more than field `upper`",
        ),
        (
            &result,
            &[("estimate", "0.001")],
            "more than field `estimate`, 0.001",
        ),
        (
            &verdict,
            &[("ratio", "90.0")],
            "`ratio` is 90.0, which is more than field `upper`",
        ),
        (
            &verdict,
            &[("lower", "3.0"), ("upper", "2.0")],
            "`lower` is 3.0, which is more",
        ),
        // Less than nothing.
        (
            &result,
            &[("estimate", "-2.0"), ("lower", "-3.0"), ("upper", "-1.0")],
            "`estimate` is -2.0",
        ),
        (&result, &[("systematic", "-1.0")], "`systematic` is -1.0"),
        (&result, &[("stddev", "-0.5")], "`stddev` is -0.5"),
        (
            &result,
            &[("elapsed_ns", "-1e300")],
            "`elapsed_ns` is -1e300",
        ),
        (&verdict, &[("seconds", "-1.0")], "`seconds` is -1.0"),
        (&verdict, &[("margin", "-0.01")], "`margin` is -0.01"),
        (
            &header,
            &[("frequency_error_ppm", "-1")],
            "`frequency_error_ppm` is -1.0",
        ),
        // Shares.
        (
            &result,
            &[("confidence", "1.5")],
            "`confidence` is 1.5, where a number from 0 to 1",
        ),
        (&verdict, &[("confidence", "-0.5")], "`confidence` is -0.5"),
        (&header, &[("confidence", "99.0")], "`confidence` is 99.0"),
        // Not a number, and too large for one.
        (&result, &[("estimate", "NaN")], "not valid JSON"),
        (
            &result,
            &[("estimate", "1e999")],
            "`estimate` is 1e999, where a finite number",
        ),
        (&result, &[("upper", "-1e999")], "`upper` is -1e999"),
        (
            &result,
            &[("samples", "18446744073709551616")],
            "`samples` is 18446744073709551616",
        ),
        (
            &result,
            &[("ops", "-1")],
            "`ops` is -1, where a whole number from 0",
        ),
        (
            &result,
            &[("launches", "4294967296")],
            "`launches` is 4294967296",
        ),
        (&result, &[("ops", "1.5")], "`ops` is 1.5"),
        (
            &header,
            &[("started_unix_ns", "99999999999999999999")],
            "`started_unix_ns` is",
        ),
        // Years of five digits, and no dates.
        (
            &header,
            &[("started", r#""12026-11-26T00:00:00Z""#)],
            "`started` is \"12026-",
        ),
        (
            &header,
            &[("started", r#""+292277-01-01T00:00:00Z""#)],
            "a date and a time are expected",
        ),
        (
            &header,
            &[("started", r#""\u202eevil""#)],
            "a date and a time are expected",
        ),
        (&header, &[("hz_denominator", "0")], "`hz_denominator` is 0"),
        // Numbers of shards.
        (
            &sharded,
            &[("number", "0")],
            "`number` is 0, where a number from 1 to",
        ),
        (
            &sharded,
            &[("number", "5")],
            "to field `of`, 4, is expected",
        ),
        (&sharded, &[("of", "0")], "`number` is 2, where"),
    ];
    let mut record = header.clone() + "\n";
    for (line, members, expected) in table {
        let line = changed(line, members);
        let error = Line::decode(&line).expect_err(&line);
        assert!(error.is_malformed(), "{error}");
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        if !line.contains("\"header\"") {
            record += &(line + "\n");
        }
    }
    let run = Run::parse(&record).expect("a header");
    assert_eq!(run.damaged.len() + 1, record.lines().count());
    assert_eq!(run.damaged[0].line(), Some(2));
    let read = Results::parse(record.as_bytes()).expect("a header");
    assert_eq!((read.results.len(), read.verdicts.len()), (0, 0));
}

#[test]
fn what_a_measurement_may_give_is_read() {
    // A mean outside of the interval; a bound; a correction that takes more than there is.
    let skewed = changed(
        &Line::Result(entries::result()).encode(),
        &[("mean", "900.0")],
    );
    let mut corrected = entries::result();
    corrected.notes = vec![Note::CorrectionTooLarge];
    (corrected.estimate, corrected.lower, corrected.upper) = (Ok(-2.0), Some(0.0), Some(0.0));
    for line in [skewed, Line::Result(corrected).encode()] {
        assert!(Line::decode(&line).is_ok(), "{line}");
    }
}
