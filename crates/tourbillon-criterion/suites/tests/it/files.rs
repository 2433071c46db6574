//! Files that other programs read.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tourbillon_record::Run;

use crate::suite::{Ended, FORMS, Folder, with};

/// A benchmark whose amounts are the same in every launch.
const COUNTED: &str = "measured/custom";

/// Runs it with two short launches.
fn measure(home: &Folder, arguments: &[&str]) -> Ended {
    let ended = ended(home, arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended
}

/// The same, however it ends.
fn ended(home: &Folder, arguments: &[&str]) -> Ended {
    let settings = [
        "--bench",
        "--no-store",
        "--launches",
        "2",
        "--max-time",
        "10ms",
        "--exact",
        COUNTED,
    ];
    let arguments = settings.iter().chain(arguments).copied();
    with(FORMS, arguments, &[("CRITERION_HOME", &home.0)])
}

/// The files below a folder, by their paths from there.
fn files(folder: &Path) -> Vec<String> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(root, &path, found);
            } else {
                let below = path.strip_prefix(root).expect("a path below");
                found.push(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    found.sort();
    found
}

/// What critcmp 0.1.8 reads of an estimate; it needs every number.
fn estimate(of: &Value) -> [f64; 5] {
    let interval = &of["confidence_interval"];
    [
        &of["point_estimate"],
        &of["standard_error"],
        &interval["confidence_level"],
        &interval["lower_bound"],
        &interval["upper_bound"],
    ]
    .map(|number| number.as_f64().expect("a number"))
}

fn json(path: PathBuf) -> Value {
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

#[test]
fn a_benchmark_has_the_files_of_criterion() {
    let home = Folder::new();
    measure(&home, &[]);
    let names = [
        "benchmark.json",
        "estimates.json",
        "raw.csv",
        "sample.json",
        "tourbillon.jsonl",
        "tukey.json",
    ];
    let in_folder = |folder: &str| {
        let folder = format!("{COUNTED}/{folder}");
        names.map(|name| format!("{folder}/{name}")).to_vec()
    };
    let page = vec!["report/index.html".to_owned()];
    assert_eq!(
        files(&home.0),
        [in_folder("base"), in_folder("new"), page.clone()].concat()
    );
    let folder = home.0.join(COUNTED).join("new");
    let benchmark = json(folder.join("benchmark.json"));
    for (member, expected) in [
        ("group_id", "measured"),
        ("function_id", "custom"),
        ("full_id", COUNTED),
        ("directory_name", COUNTED),
        ("title", COUNTED),
    ] {
        assert_eq!(benchmark[member], expected, "{benchmark}");
    }
    assert!(benchmark["value_str"].is_null() && benchmark["throughput"].is_null());
    let estimates = json(folder.join("estimates.json"));
    assert!(estimates["slope"].is_null());
    for (member, expected) in [
        ("mean", 7.0),
        ("median", 7.0),
        ("median_abs_dev", 0.0),
        ("std_dev", 0.0),
    ] {
        let [point, error, _, lower, upper] = estimate(&estimates[member]);
        assert_eq!(
            [point, error, lower, upper],
            [expected, 0.0, expected, expected],
            "{member}"
        );
    }
    let sample = json(folder.join("sample.json"));
    let column = |name: &str| -> Vec<f64> {
        let values = sample[name].as_array().expect("a list").iter();
        values
            .map(|value| value.as_f64().expect("a number"))
            .collect()
    };
    let (iterations, amounts) = (column("iters"), column("times"));
    assert!(!iterations.is_empty() && iterations.len() == amounts.len());
    for (iterations, amount) in iterations.iter().zip(&amounts) {
        assert_eq!(iterations * 7.0, *amount);
    }
    assert_eq!(
        json(folder.join("tukey.json")),
        serde_json::json!([7.0, 7.0, 7.0, 7.0])
    );
    let csv = fs::read_to_string(folder.join("raw.csv")).expect("rows");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 1 + amounts.len());
    assert!(
        rows[1].starts_with("measured,custom,,,,") && rows[1].contains(",bytes,"),
        "{csv}"
    );
    let record = fs::read(folder.join("tourbillon.jsonl")).expect("a record");
    let record = Run::parse_bytes(&record).expect("a record");
    assert_eq!((record.cases.len(), record.launches.len()), (1, 0));
    assert!(
        record.damaged.is_empty() && record.results.iter().all(|result| result.case == COUNTED)
    );
    let page = fs::read_to_string(home.0.join("report/index.html")).expect("a page");
    assert!(
        page.contains("<a href=\"../measured/custom/new/\">measured/custom</a>"),
        "{page}"
    );
}

#[test]
fn results_are_saved_under_names() {
    let home = Folder::new();
    measure(&home, &["--discard-baseline"]);
    assert_eq!(files(&home.0), [""; 0]);
    measure(&home, &["--save-baseline", "main", "--noplot"]);
    let folders = |home: &Folder| {
        let files = files(&home.0);
        let estimates = files
            .iter()
            .filter_map(|file| file.strip_suffix("/estimates.json"));
        let folders = estimates.filter_map(|folder| folder.strip_prefix("measured/custom/"));
        folders.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(folders(&home), ["main", "new"]);
    assert!(!home.0.join("report").exists());
    // A comparison replaces nothing but the last results.
    let main = home.0.join(COUNTED).join("main").join("tourbillon.jsonl");
    let before = fs::read(&main).expect("results");
    measure(&home, &["--baseline", "main"]);
    measure(&home, &["--baseline-lenient", "other"]);
    assert_eq!(fs::read(&main).expect("results"), before);
    let kept = folders(&home);
    assert!(
        kept.iter()
            .all(|folder| folder != "base" && folder != "other"),
        "{kept:?}"
    );
}

/// A job that saves a baseline has to know.
#[test]
fn files_that_cannot_be_written_are_an_error() {
    let home = Folder::new();
    fs::write(home.0.join("measured"), "of another program").expect("a file");
    let ended = ended(&home, &["--save-baseline", "main"]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(ended.stderr.contains("not written"), "{ended:?}");
    assert!(ended.stdout.contains("time:"), "{ended:?}");
}
