//! What is allocated for records of two sizes.

use std::fs;
use std::path::PathBuf;

use tourbillon_mem::Meter;
use tourbillon_record::{Case, CaseResult, Entry, Header, LaunchSamples, Line, Metric};

#[global_allocator]
static ALLOCATOR: Meter = Meter::system();

/// The header of a record, and a launch with as many batches as such a number of them.
fn golden(batches: usize) -> (Header, LaunchSamples) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tourbillon-record/tests/golden/schema-2-one-run.jsonl"
    );
    let text = fs::read_to_string(path).expect("a record");
    let lines: Vec<Line> = text
        .lines()
        .filter_map(|line| Line::decode(line).ok())
        .collect();
    let header = lines.iter().find_map(|line| match line {
        Line::Header(header) => Some(header.clone()),
        _ => None,
    });
    let mut launch = lines
        .iter()
        .find_map(|line| match line {
            Line::Launch(launch) => Some((**launch).clone()),
            _ => None,
        })
        .expect("a launch");
    let columns = &mut launch.batches;
    columns.pauses.clear();
    columns.cycles.clear();
    columns.kind = (0..batches).map(|at| (at % 3) as u8).collect();
    columns.ticks = (0..batches).map(|at| 1_000_000 + at as u64).collect();
    launch.chain = None;
    (header.expect("a header"), launch)
}

fn case(number: usize) -> (Case, CaseResult) {
    let id = format!("shop/speed::group{}::case{number}", number / 10);
    let case = Case {
        id: id.clone(),
        group: format!("group{}", number / 10),
        name: format!("case{number}"),
        ..Case::default()
    };
    let result = CaseResult {
        case: id,
        metric: Metric::Time,
        estimate: Ok(100.0),
        lower: Some(99.0),
        upper: Some(101.0),
        ..CaseResult::default()
    };
    (case, result)
}

/// A record in a folder, and its bytes.
fn record(name: &str, cases: usize, launches: usize) -> (tempfile::TempDir, PathBuf, usize) {
    let (header, mut launch) = golden(20_000);
    let mut text = Entry::Header(&header).encode() + "\n";
    for number in 0..cases {
        let (case, result) = case(number);
        text += &(Entry::Case(&case).encode() + "\n");
        for at in 0..launches {
            launch.case.clone_from(&case.id);
            launch.launch = at as u32;
            text += &(Entry::Launch(&launch).encode() + "\n");
        }
        text += &(Entry::Result(&result).encode() + "\n");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, &text).expect("a record");
    (folder, path, text.len())
}

/// The bytes that a subcommand allocates, and the most of them at once.
fn allocated(words: &[&str]) -> [u64; 2] {
    let words: Vec<std::ffi::OsString> = ["cargo-tourbillon", "tourbillon"]
        .iter()
        .chain(words)
        .map(Into::into)
        .collect();
    let run = || crate::parse(words).and_then(|arguments| crate::run_task(arguments.task));
    let (ended, counts) = tourbillon_mem::tally(run).expect("metered");
    ended.expect("it succeeds");
    [counts.allocated_bytes, counts.peak_bytes]
}

#[test]
fn a_report_takes_at_most_twice_its_record() {
    let peak = |launches: usize| {
        let (folder, path, bytes) = record("r.jsonl", 1, launches);
        let page = folder.path().join("page.html");
        let [path, page] = [path, page].map(|path| path.to_str().expect("text").to_owned());
        let [_, peak] = allocated(&["report", &path, "-o", &page]);
        (peak, bytes as u64)
    };
    let ((peak_of_one, one), (peak_of_two, two)) = (peak(12), peak(24));
    assert!(
        peak_of_two - peak_of_one <= 2 * (two - one),
        "{peak_of_one} bytes for {one}, {peak_of_two} for {two}"
    );
}

#[test]
fn twice_the_cases_take_twice_the_memory() {
    for words in [
        &["report"][..],
        &["export", "--format", "csv"],
        &["export", "--format", "md"],
        &["export", "--format", "gnuplot"],
        &["export", "--format", "openmetrics"],
        &["export", "--format", "google-benchmark"],
    ] {
        let bytes = |cases: usize| {
            let (folder, path, _) = record("r.jsonl", cases, 0);
            let out = folder.path().join("out");
            let mut arguments = words.to_vec();
            arguments.push(path.to_str().expect("text"));
            arguments.extend(["-o", out.to_str().expect("text")]);
            allocated(&arguments)[0]
        };
        let (one, two) = (bytes(200), bytes(400));
        assert!(
            two <= 2 * one + one / 4,
            "{words:?}: {one} bytes, then {two}"
        );
    }
}
