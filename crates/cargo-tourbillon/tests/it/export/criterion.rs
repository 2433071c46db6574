//! The files of criterion, as critcmp and others read them.

use std::fs;
use std::path::{Path, PathBuf};

use super::hostile_record::{self, HOSTILE, SORT, TIME, hostile_id};
use super::readers::{CriterionBenchmark, CriterionEstimates, CriterionThroughput};
use crate::folder::{Folder, run};
use crate::records;

pub(super) fn baselines(folder: &Path, name: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.ends_with(name) {
            found.push(path);
        } else if path.is_dir() {
            baselines(&path, name, found);
        }
    }
}

pub(super) fn json<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

#[test]
fn files_of_criterion_are_those_that_critcmp_reads() {
    let folder = Folder::new("export-criterion");
    hostile_record::write(&folder.join("main.jsonl"));
    let arguments = [
        "export",
        "main.jsonl",
        "--format",
        "criterion",
        "-o",
        "below/criterion",
    ];
    let ran = run(&folder, &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let root = folder.join("below/criterion");
    let mut found = Vec::new();
    baselines(&root, "main", &mut found);
    assert_eq!(found.len(), 3 + HOSTILE.len());
    let mut ids = Vec::new();
    for path in &found {
        let benchmark: CriterionBenchmark = json(&path.join("benchmark.json"));
        let estimates: CriterionEstimates = json(&path.join("estimates.json"));
        assert!(path.ends_with(Path::new(&benchmark.directory_name).join("main")));
        assert!(path.join("sample.json").exists());
        assert!(estimates.slope.is_none());
        if benchmark.full_id == SORT {
            assert_eq!(benchmark.group_id, "shop/checkout::sort");
            assert_eq!(benchmark.function_id.as_deref(), Some("heap"));
            assert_eq!(benchmark.value_str.as_deref(), Some("100"));
            let elements = CriterionThroughput {
                bytes: None,
                elements: Some(100),
            };
            assert_eq!(benchmark.throughput, Some(elements));
            let median = &estimates.median;
            let interval = &median.confidence_interval;
            assert_eq!(
                [
                    median.point_estimate,
                    interval.lower_bound,
                    interval.upper_bound
                ],
                TIME
            );
            assert_eq!(interval.confidence_level, 0.99);
            assert_eq!(estimates.mean.point_estimate, TIME[0] + 0.5);
            assert_eq!(estimates.std_dev.point_estimate, 2.25);
        }
        ids.push(benchmark.full_id);
    }
    for value in HOSTILE {
        assert!(ids.contains(&hostile_id(value)), "{value}: {ids:?}");
    }
    // Nothing is written outside of the folder.
    let mut names: Vec<_> = fs::read_dir(&*folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["below", "main.jsonl"]);
    // Nor through a link.
    #[cfg(unix)]
    {
        fs::rename(&found[0], folder.join("away")).expect("moved");
        fs::write(folder.join("away/sample.json"), "kept").expect("a file");
        std::os::unix::fs::symlink(folder.join("away"), &found[0]).expect("a link");
        let ran = run(&folder, &arguments);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        assert!(ran.stderr.contains("is a link"), "{ran:?}");
        let kept = fs::read_to_string(folder.join("away/sample.json"));
        assert_eq!(kept.expect("a file"), "kept");
    }
}

#[test]
fn a_record_with_samples_has_them_in_the_files_of_criterion() {
    let folder = Folder::new("export-criterion-samples");
    records::write(&folder.join("run.jsonl"), 1, "model A", 100);
    let arguments = [
        "export",
        "run.jsonl",
        "--format",
        "criterion",
        "-o",
        "criterion",
    ];
    assert_eq!(run(&folder, &arguments).code, Some(0));
    let add = folder.join("criterion/shop_checkout/add/run");
    let sample: serde_json::Value = json(&add.join("sample.json"));
    let numbers = |name: &str| {
        sample[name]
            .as_array()
            .expect("numbers")
            .iter()
            .map(|number| number.as_f64().expect("a number"))
            .collect::<Vec<f64>>()
    };
    let (iterations, times) = (numbers("iters"), numbers("times"));
    // Nine launches of eight rounds of two batches.
    assert_eq!((iterations.len(), times.len()), (144, 144));
    assert_eq!((iterations[0], times[0]), (1_000.0, 100_000.0));
    assert!(add.join("tukey.json").exists());
}
