//! How long an index of many runs takes; `scripts/history.sh` runs it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use tourbillon_history::ChangeDetector;
use tourbillon_history::index::{Archive, Index, RunSummary, SqliteIndex, update};

use crate::samples::{record, run};

/// Runs without `HISTORY_RUNS`.
const RUNS: u64 = 10_000;
const CASES: usize = 500;
/// Commits that `history changes` examines.
const EXAMINED: usize = 200;

#[test]
#[ignore = "takes minutes and a gigabyte, and prints times; scripts/history.sh runs it"]
fn five_hundred_cases_and_ten_thousand_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path());
    let file = folder.path().join("index.sqlite");
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    let mut lines = times(&mut index, &archive);
    let bytes = fs::metadata(&file).expect("the index").len();
    lines.push(format!("size: {:.2} GB", bytes as f64 / 1e9));
    print("SQLite", &lines);
}

#[cfg(feature = "postgres")]
#[test]
#[ignore = "takes minutes and gigabytes, and prints times; scripts/history.sh runs it"]
fn five_hundred_cases_and_ten_thousand_runs_on_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path());
    let database = crate::postgres::server::Database::new("tb_large");
    let mut lines = times(&mut database.open(), &archive);
    let size = "SELECT pg_database_size('tb_large')";
    let row = database.client().query_one(size, &[]).expect("a size");
    let bytes: i64 = row.get(0);
    lines.push(format!("size: {:.2} GB", bytes as f64 / 1e9));
    print("PostgreSQL", &lines);
}

fn runs_to_make() -> u64 {
    std::env::var("HISTORY_RUNS").map_or(RUNS, |count| count.parse().expect("a number of runs"))
}

/// The summaries of all runs.
fn archive(folder: &Path) -> Archive {
    let ids: Vec<String> = (0..CASES)
        .map(|number| format!("shop/sort::group_{}::case[n={number}]", number % 20))
        .collect();
    let cases: Vec<(&str, f64)> = ids.iter().map(|id| (id.as_str(), 100.0)).collect();
    let first = record(0, "c0", "cpu", &cases);
    let mut summary = RunSummary::of(&run(&first), "", None);
    for number in 0..runs_to_make() {
        let hash = format!("{number:064x}");
        // Spread over folders, as hashes are.
        let hash = format!("{:02x}{}", number % 256, &hash[2..]);
        summary.record.clone_from(&hash);
        summary.commit = Some(format!("{number:040x}"));
        summary.started_unix_ns += 1;
        for (at, figure) in (0_u64..).zip(&mut summary.figures) {
            let scatter = (number * 7_919 + at * 104_729) % 1_009;
            figure.value = 100.0 + scatter as f64 / 1_009.0;
        }
        let parent = folder.join("summaries").join(&hash[..2]);
        fs::create_dir_all(&parent).expect("a folder");
        let text = serde_json::to_string(&summary).expect("JSON");
        fs::write(parent.join(format!("{hash}.json")), text).expect("a summary");
    }
    Archive::new(folder)
}

/// What filling an index takes, and what its answers take.
fn times(index: &mut dyn Index, archive: &Archive) -> Vec<String> {
    let mut lines = Vec::new();
    let mut timed = |what: &str, start: Instant| {
        lines.push(format!("{what}: {:.3} s", start.elapsed().as_secs_f64()));
    };
    let start = Instant::now();
    let updated = update(index, archive).expect("added");
    timed("index made from summaries", start);
    assert_eq!(
        (updated.runs, updated.damaged.len() + updated.unfit.len()),
        (runs_to_make() as usize, 0)
    );

    let start = Instant::now();
    update(index, archive).expect("nothing new");
    timed("nothing new", start);

    let start = Instant::now();
    let all = index.series().expect("series");
    let runs = index.runs().expect("runs");
    let newest: Vec<i64> = runs[runs.len() - EXAMINED..]
        .iter()
        .map(|run| run.number)
        .collect();
    let detector = ChangeDetector::new(EXAMINED, 0.05);
    let mut examined = 0;
    for series in all.iter().filter(|series| series.metric == "cycles") {
        let points = index.points(series.number, Some(&newest)).expect("points");
        let values: Vec<f64> = points.iter().map(|point| point.value).collect();
        examined += usize::from(detector.changes(&values).len() < EXAMINED);
    }
    timed("changes of 200 commits", start);
    assert_eq!(examined, CASES);

    let start = Instant::now();
    let points = index.points(all[0].number, None).expect("points");
    timed("one series", start);
    assert_eq!(points.len(), runs_to_make() as usize);
    lines
}

fn print(name: &str, lines: &[String]) {
    let lines = lines.join("\n");
    writeln!(std::io::stdout(), "{name}\n{lines}").expect("stdout");
}
