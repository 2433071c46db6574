//! Whole runs.

use std::io::{self, BufReader, Read};

use tourbillon_record::{Error, Line, Metric, OwnMetric, Results, Run, RunReader};

use crate::{comparison_lines, entries, otherwise, samples};

fn text() -> String {
    samples::lines()
        .iter()
        .map(|line| line.encode() + "\n")
        .collect()
}

#[test]
fn a_whole_run_is_sorted_by_type() {
    let run = Run::parse(&text()).unwrap();
    assert_eq!(run.header, entries::header());
    assert_eq!(run.cases, [entries::case()]);
    assert_eq!(run.launches, [entries::launch(), entries::plain_launch()]);
    assert_eq!(run.memory, [entries::memory(), entries::plain_memory()]);
    assert_eq!(run.faults.len(), entries::fault_kinds().len());
    assert_eq!(run.results.len(), 7);
    assert_eq!(run.end, Some(entries::end()));
    assert!(!run.torn && run.skipped.is_empty() && run.damaged.is_empty());
}

#[test]
fn comparisons_have_their_place_in_a_run() {
    let mut lines = comparison_lines::lines();
    lines.push(otherwise::of_build());
    let added: String = lines.iter().map(|line| line.encode() + "\n").collect();
    let run = Run::parse(&(text() + &added)).unwrap();
    assert_eq!(run.rounds, [comparison_lines::rounds()]);
    assert_eq!(run.verdicts.len(), lines.len() - 3);
    assert_eq!(run.launches.len(), 2);
    assert_eq!(run.build_launches.len(), 1);
    assert_eq!(run.memory.last().map(|launch| launch.arm), Some(Some(1)));
}

#[test]
fn results_alone_are_those_of_the_whole_run_wherever_it_is_cut() {
    let whole = text();
    for end in 0..=whole.len() {
        let bytes = &whole.as_bytes()[..end];
        match (Results::parse(bytes), Run::parse_bytes(bytes)) {
            (Ok(read), Ok(run)) => {
                assert_eq!((read.header, read.results), (run.header, run.results));
                assert!(read.damaged.is_empty(), "{end}: {:?}", read.damaged);
            }
            (read, run) => assert_eq!(read.err(), run.err(), "{end}"),
        }
    }
}

#[test]
fn results_are_the_same_in_whatever_pieces_a_file_is_read() {
    let whole = text();
    for piece in [1, 7, 4096] {
        let mut file = BufReader::with_capacity(piece, whole.as_bytes());
        assert_eq!(
            Results::read(&mut file).unwrap(),
            Results::parse(whole.as_bytes())
        );
    }
    // What cannot be read is no run without results.
    let mut broken = BufReader::new(whole.as_bytes().chain(Broken));
    let error = Results::read(&mut broken).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
}

/// A file that cannot be read.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn damaged_results_are_told_with_their_lines() {
    let whole = text();
    let first = whole
        .lines()
        .position(|line| line.starts_with(r#"{"type":"result""#));
    let first = first.unwrap();
    let damaged: Vec<String> = whole
        .lines()
        .enumerate()
        .map(|(number, line)| match number {
            _ if number == first => line.replace(r#""systematic":"#, r#""systematic":x"#),
            1 => format!("#{line}"),
            _ => line.to_owned(),
        })
        .collect();
    let read = Results::parse((damaged.join("\n") + "\n").as_bytes()).unwrap();
    let run = Run::parse(&whole).unwrap();
    assert_eq!(read.results, run.results[1..]);
    let told: Vec<String> = read.damaged.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("line 2"), "{told:?}");
    assert!(told[1].contains(&format!("line {}", first + 1)), "{told:?}");
}

#[test]
fn a_run_cut_at_any_byte_keeps_every_whole_line() {
    let text = text().replace("thread 'main'", "thread 'mäin' 🦀");
    let header = text.find('\n').unwrap();
    let lines = |end: usize| {
        let newlines = text.as_bytes()[..end]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        // A line that lacks nothing but its newline is whole.
        newlines + usize::from(text.as_bytes().get(end) == Some(&b'\n'))
    };
    for end in 0..=text.len() {
        let bytes = &text.as_bytes()[..end];
        match Run::parse_bytes(bytes) {
            Ok(run) => {
                let kept = 1
                    + run.cases.len()
                    + run.launches.len()
                    + run.memory.len()
                    + run.faults.len()
                    + run.results.len()
                    + usize::from(run.end.is_some());
                assert_eq!(kept, lines(end), "cut at {end}");
                let whole =
                    end == text.len() || text.as_bytes()[end] == b'\n' || bytes.ends_with(b"\n");
                assert_eq!(run.torn, !whole, "cut at {end}");
                assert!(run.damaged.is_empty(), "cut at {end}");
            }
            Err(error) => assert!(
                error.is_incomplete() && end < header,
                "cut at {end}: {error}"
            ),
        }
    }
}

#[test]
fn a_tail_of_nul_is_a_cut() {
    let run = Run::parse(&(text() + "\0\0\0\0")).unwrap();
    assert!(run.torn && run.end.is_some());
    assert!(Run::parse("\0\0\0").unwrap_err().is_incomplete());
}

#[test]
fn a_damaged_line_costs_itself() {
    let mut lines: Vec<String> = samples::lines().iter().map(Line::encode).collect();
    let count = lines.len();
    lines[2].truncate(100);
    let mut bytes = lines.join("\n").into_bytes();
    bytes.extend(b"\n\xff\xfe\n");
    bytes.extend(Line::Header(entries::header()).encode().as_bytes());
    bytes.push(b'\n');
    let run = Run::parse_bytes(&bytes).unwrap();
    assert_eq!(run.launches, [entries::plain_launch()]);
    assert_eq!(run.results.len(), 7);
    let damaged: Vec<_> = run.damaged.iter().map(ToString::to_string).collect();
    assert_eq!(
        damaged,
        [
            "line 3: the line ends inside a JSON value, at byte 100".to_owned(),
            format!("line {}: not UTF-8, at byte 0", count + 1),
            format!("line {}: a second header or end, at byte 0", count + 2),
        ]
    );
    assert_eq!(run.damaged[0].line(), Some(3));
    assert_eq!(run.damaged[0].offset(), Some(100));
}

#[test]
fn a_case_and_a_result_are_in_a_run_once() {
    let mut own = entries::result();
    own.metric = Metric::Own;
    let named = |name: &str| OwnMetric {
        name: name.to_owned(),
        unit: "ns".to_owned(),
        ..OwnMetric::default()
    };
    own.own = Some(named("time"));
    own.throughput = None;
    let mut other = own.clone();
    other.own = Some(named("retries"));
    let mut again = entries::result();
    again.estimate = again.estimate.map(|value| value + 0.01);
    let own = Line::Result(own);
    let lines = [
        own.clone(),
        Line::Result(other),
        Line::Result(again),
        own,
        Line::Case(entries::case()),
    ];
    let lines = lines.iter().map(|line| line.encode() + "\n");
    let text = text() + &lines.collect::<String>();
    let before = Run::parse(&self::text()).unwrap();
    let expected = |last: usize| {
        let what = ["a second result of this case and metric"; 2];
        let what = [what.as_slice(), &["a second case of this id"]].concat();
        let lines = (last - 2..).zip(what);
        lines
            .map(|(line, what)| format!("line {line}: {what}, at byte 0"))
            .collect::<Vec<_>>()
    };
    let told = |damaged: &[Error]| damaged.iter().map(ToString::to_string).collect::<Vec<_>>();
    let count = text.lines().count();
    let run = Run::parse(&text).unwrap();
    assert_eq!(told(&run.damaged), expected(count));
    assert_eq!(run.results[..before.results.len()], before.results);
    assert_eq!(run.results.len(), before.results.len() + 2);
    let results = Results::parse(text.as_bytes()).unwrap();
    assert_eq!(told(&results.damaged), expected(count)[..2]);
    assert_eq!(results.results, run.results);
    // Another run of the file has them, too.
    let twice = self::text().repeat(2);
    let mut file = twice.as_bytes();
    let mut reader = RunReader::new(&mut file).unwrap();
    for _ in 0..2 {
        let run = reader.next_run(&mut |_| ()).unwrap().unwrap().unwrap();
        assert_eq!(run, before);
    }
    let mut case = entries::case();
    case.arguments.push(case.arguments[0].clone());
    let error = Line::decode(&Line::Case(case).encode()).unwrap_err();
    assert!(error.to_string().contains("twice"), "{error}");
}

#[test]
fn lines_of_unknown_type_are_kept_aside() {
    let line = r#"{"type":"power","schema":2,"joules":4096}"#;
    let metric = Line::Result(entries::result()).encode().replace(
        r#""metric":"time","unit":"ns""#,
        r#""metric":"power","unit":"J""#,
    );
    let run = Run::parse(&format!("{}{line}\n{metric}\n", text())).unwrap();
    assert_eq!(run.skipped, [line, metric.as_str()]);
    assert!(run.damaged.is_empty());
}

#[test]
fn a_foreign_file_is_told_from_a_damaged_and_an_empty_one() {
    for foreign in [
        "hello\n",
        "{}\n",
        "{\"type\":\"suite\",\"event\":\"started\"}\n",
        "\n",
        "PK\u{3}\u{4}",
        &Line::Case(entries::case()).encode(),
    ] {
        let error = Run::parse(foreign).unwrap_err();
        let kinds = [error.is_foreign(), error.is_incomplete()];
        assert_eq!(kinds, [true, false], "{foreign:?}: {error}");
    }
    assert!(
        Run::parse_bytes(b"\x89PNG\r\n\x1a\n")
            .unwrap_err()
            .is_foreign()
    );
    assert!(Run::parse_bytes(b"\xff").unwrap_err().is_foreign());

    assert!(Run::parse("").unwrap_err().is_incomplete());
    let damaged = text().replacen(r#""seed":"#, r#""seat":"#, 1);
    let error = Run::parse(&damaged).unwrap_err();
    assert!(error.is_malformed());
    assert_eq!(
        error.to_string(),
        "line 1: field `seed` is missing or null, at byte 0"
    );
}

#[test]
fn a_newer_schema_anywhere_stops_the_reading() {
    let newer = text().replace(r#""schema":2"#, r#""schema":7"#);
    let error = Run::parse(&newer).unwrap_err();
    assert!(error.is_other_schema());
    assert_eq!(error.line(), Some(1));
    let later = text() + "{\"type\":\"end\",\"schema\":7}\n";
    assert!(Run::parse(&later).unwrap_err().is_other_schema());
}
