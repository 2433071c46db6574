//! Records in a folder.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_history::index::{Archive, Failure, FileKind, Pruned};
use tourbillon_record::{
    CaseResult, ComparedNumber, Finding, Metric, OwnMetric, Undecided, Verdict,
};
use tourbillon_tool::sha256::sha256;

use crate::samples::{comparison, record, run};

#[test]
fn a_record_is_added_once_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    assert_eq!(archive.hashes(FileKind::Run).expect("none"), [""; 0]);
    let one = record(1, "c1", "cpu", &[("shop/sort::a", 10.0)]);
    assert!(archive.add(&run(&one), &one, None).expect("written"));
    assert!(!archive.add(&run(&one), &one, None).expect("known"));
    let hashes = archive.hashes(FileKind::Run).expect("one");
    assert_eq!(hashes.len(), 1);
    let summary = archive.summary(&hashes[0]).expect("a summary");
    assert_eq!(summary.commit.as_deref(), Some("c1"));
    assert_eq!(
        (summary.package.as_str(), summary.figures.len()),
        ("shop", 2)
    );
    assert_eq!(summary.compilation, r#"{"opt_level":"3"}"#);
    let time = &summary.figures[0];
    assert_eq!((time.metric.as_str(), time.value), ("time", 10.0));
    assert_eq!(
        fs::read(archive.record(&hashes[0])).expect("the record"),
        one
    );
}

#[test]
fn a_summary_that_a_crash_left_empty_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, None).expect("written");
    let hash = archive.hashes(FileKind::Run).expect("one").remove(0);
    let before = archive.summary(&hash).expect("a summary");
    let place = folder.path().join("summaries").join(&hash[..2]);
    let file = place.join(format!("{hash}.json"));
    for left in [&b""[..], &[0; 9], b"{\"form\":1,"] {
        fs::write(&file, left).expect("a file");
        assert!(archive.summary(&hash).is_err());
        assert!(archive.add(&run(&one), &one, None).expect("written"));
        assert_eq!(archive.summary(&hash).expect("a summary"), before);
    }
    // That of a newer version stays.
    fs::write(&file, "{\"form\":1000}").expect("a file");
    assert!(!archive.add(&run(&one), &one, None).expect("known"));
}

#[test]
fn the_commit_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, Some("c2")).expect("written");
    let hash = archive.hashes(FileKind::Run).expect("one").remove(0);
    let summary = archive.summary(&hash).expect("a summary");
    assert_eq!(summary.commit.as_deref(), Some("c2"));
    assert!(!archive.add(&run(&one), &one, Some("c2")).expect("known"));
    let other = archive.add(&run(&one), &one, Some("c3"));
    let why = other.expect_err("of another commit").to_string();
    assert!(why.contains("as that of c2: remove the file"), "{why}");
}

#[test]
fn damaged_and_foreign_files_are_no_part_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, None).expect("written");
    let hash = archive.hashes(FileKind::Run).expect("one").remove(0);
    let summaries = folder.path().join("summaries");
    let own = summaries.join(&hash[..2]).join(format!("{hash}.json"));
    let other = "f".repeat(64);
    fs::create_dir_all(summaries.join("ff")).expect("a folder");
    // A summary under another name; drafts; what is no hash.
    fs::copy(&own, summaries.join("ff").join(format!("{other}.json"))).expect("a copy");
    fs::write(summaries.join("ff/notes.json"), "{}").expect("a file");
    fs::write(summaries.join("ff").join(format!("{other}.draft-1")), "").expect("a file");
    fs::write(summaries.join("list.json"), "{}").expect("a file");
    let mut both = [hash, other.clone()];
    both.sort();
    assert_eq!(archive.hashes(FileKind::Run).expect("two names"), both);
    let error = archive
        .summary(&other)
        .expect_err("of another record")
        .to_string();
    assert!(
        error.ends_with("its name is that of another file"),
        "{error}"
    );
    for (text, expected) in [
        ("", "not a summary: "),
        ("{\"form\":99}", "not a summary: "),
        ("[1,2", "not a summary: "),
    ] {
        fs::write(&own, text).expect("damage");
        let hash = own
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let error = archive.summary(hash).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn pruning_keeps_summaries() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let mut bytes = 0;
    for number in 0..4 {
        let one = record(number, "c", "cpu", &[("a", 1.0)]);
        archive.add(&run(&one), &one, None).expect("written");
        bytes += one.len() as u64;
    }
    let hashes = archive.hashes(FileKind::Run).expect("four");
    let old: HashSet<String> = [0, 2, 3].map(|at| hashes[at].clone()).into();
    let one = bytes / 4;
    let expected = Pruned {
        records: 3,
        bytes: 3 * one,
    };
    assert_eq!(archive.prune(&old, true).expect("a plan"), expected);
    assert!(archive.record(&hashes[0]).exists());
    assert_eq!(archive.prune(&old, false).expect("done"), expected);
    assert!(!archive.record(&hashes[0]).exists() && archive.record(&hashes[1]).exists());
    assert_eq!(archive.hashes(FileKind::Run).expect("four"), hashes);
    assert_eq!(
        archive.prune(&old, false).expect("nothing"),
        Pruned::default()
    );
}

#[test]
fn comparisons_of_commits_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let hashes = || archive.hashes(FileKind::Comparison).expect("a folder");
    assert_eq!(hashes(), [""; 0]);
    let second = comparison(2, ["c1", "c3"], &[("a", Finding::Slower)]);
    let first = comparison(
        1,
        ["c1", "c2"],
        &[("a", Finding::Undecided), ("b", Finding::Same)],
    );
    for record in [&second, &first, &second] {
        let added = archive
            .add_comparison(&run(record), record)
            .expect("written");
        assert!(added.is_some());
    }
    assert_eq!(hashes().len(), 2);
    let kept = |record: &[u8]| archive.comparison(&sha256(record));
    let one = kept(&first).expect("a comparison");
    assert_eq!(one.commits, ["c1", "c2"]);
    let verdict = one.verdict("b").expect("a verdict");
    assert_eq!(
        (verdict.finding, verdict.confidence),
        (Finding::Same, 1.0 - 1e-3 / 3.0)
    );
    assert_eq!(one.verdict("c"), None);
    let bytes = fs::read(archive.record(&sha256(&second)));
    assert_eq!(bytes.expect("the record"), second);
    // A run is no comparison, and a comparison is no run.
    let of_run = record(1, "c1", "cpu", &[("a", 1.0)]);
    assert_eq!(
        archive
            .add_comparison(&run(&of_run), &of_run)
            .expect("nothing"),
        None
    );
    assert_eq!(archive.hashes(FileKind::Run).expect("none"), [""; 0]);
    // Of damaged files, one is another one's.
    let path = |hash: &str| {
        let folder = folder.path().join("comparisons").join(&hash[..2]);
        folder.join(format!("{hash}.json"))
    };
    let [of_first, of_second] = [&first, &second].map(|record| path(&sha256(record)));
    let text = fs::read_to_string(&of_first).expect("a summary");
    fs::copy(&of_first, &of_second).expect("a copy");
    fs::write(&of_first, text.replace("\"same\"", "\"better\"")).expect("a file");
    for (record, expected) in [
        (&first, "\"better\" is no verdict"),
        (&second, "its name is that of another file"),
    ] {
        let error = kept(record).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn failures_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let failure = |time| Failure::new("c1", "m", "it does not build", time);
    for time in [7, 3, 7] {
        archive.add_failure(&failure(time)).expect("written");
    }
    let hashes = archive.hashes(FileKind::Failure).expect("a folder");
    let mut all: Vec<Failure> = hashes
        .iter()
        .map(|hash| archive.failure(hash))
        .collect::<Result<_, _>>()
        .expect("failures");
    all.sort_by_key(|failure| failure.unix_ns);
    assert_eq!(all, [failure(3), failure(7)]);
    let path = folder
        .path()
        .join("failures")
        .join(&hashes[0][..2])
        .join(format!("{}.json", hashes[0]));
    let text = fs::read_to_string(&path).expect("a failure");
    fs::write(&path, text.replace("build", "link")).expect("a file");
    let error = archive.failure(&hashes[0]).expect_err("another failure");
    let expected = "its name is that of another file";
    assert!(error.to_string().contains(expected), "{error}");
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_folder_is_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = folder.path().join("elsewhere");
    // The archive itself may be one, which the user names.
    symlink("archive", folder.path().join("link")).expect("a link");
    fs::create_dir(folder.path().join("archive")).expect("a folder");
    let archive = Archive::new(folder.path().join("link"));
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, None).expect("written");
    let hash = archive.hashes(FileKind::Run).expect("one").remove(0);
    let old = HashSet::from([hash.clone()]);
    for inner in ["records", &format!("records/{}", &hash[..2])] {
        let inner = archive.path().join(inner);
        fs::rename(&inner, &elsewhere).expect("moved");
        symlink(&elsewhere, &inner).expect("a link");
        let summaries = archive.path().join("summaries");
        fs::remove_dir_all(&summaries).expect("removed");
        for error in [
            archive.add(&run(&one), &one, None).map(drop),
            archive.prune(&old, false).map(drop),
        ] {
            let error = error.expect_err("a link").to_string();
            assert!(
                error.contains("is a link, which is not followed"),
                "{error}"
            );
        }
        fs::remove_file(&inner).expect("removed");
        fs::rename(&elsewhere, &inner).expect("moved");
        assert!(archive.record(&hash).exists());
        archive.add(&run(&one), &one, None).expect("written");
    }
    assert_eq!(archive.prune(&old, false).expect("done").records, 1);
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

#[test]
fn names_in_a_record_lead_nowhere() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("a/b/c/history");
    fs::create_dir_all(&folder).expect("a folder");
    let archive = Archive::new(&folder);
    let outside = |all: Vec<PathBuf>| {
        let others = all.into_iter().filter(|path| !path.starts_with(&folder));
        others.collect::<Vec<_>>()
    };
    let before = outside(below(root.path()));
    for name in [
        "..",
        "../../../x",
        "/x",
        "a/../../../../x",
        "C:\\x",
        "con",
        "",
        "\0",
    ] {
        let one = record(1, name, name, &[(name, 1.0)]);
        archive.add(&run(&one), &one, Some(name)).expect("written");
    }
    assert_eq!(outside(below(root.path())), before);
    let is_hash = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem.len() == 64 && stem.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let files: Vec<PathBuf> = below(&folder)
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    assert!(files.len() >= 8 && files.iter().all(is_hash), "{files:?}");
}

#[test]
fn numbers_keep_their_names_and_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let mut measured = run(&record(1, "c1", "cpu", &[]));
    let own = |case: &str, more_is_better| CaseResult {
        case: case.to_owned(),
        metric: Metric::Own,
        own: Some(OwnMetric {
            name: "hits".to_owned(),
            unit: "hits".to_owned(),
            more_is_better,
        }),
        estimate: Ok(3.0),
        ..CaseResult::default()
    };
    measured.results = vec![own("a", false), own("b", true)];
    archive.add(&measured, b"one", None).expect("written");
    let summary = archive.summary(&sha256(b"one")).expect("a summary");
    assert_eq!(summary.more_is_better, r#"[["b","hits"]]"#);
    let bytes = comparison(1, ["c1", "c2"], &[("a", Finding::Undecided)]);
    let mut compared = run(&bytes);
    let plain = compared.verdicts[0].clone();
    compared.verdicts.push(Verdict {
        finding: Finding::Slower,
        why: None,
        number: Some(ComparedNumber {
            name: "hits".to_owned(),
            unit: "hits".to_owned(),
            ..ComparedNumber::default()
        }),
        ..plain
    });
    archive.add_comparison(&compared, b"two").expect("written");
    let kept = archive.comparison(&sha256(b"two")).expect("a comparison");
    let [undecided, worse] = &kept.verdicts[..] else {
        panic!("{kept:?}");
    };
    assert_eq!((undecided.why, worse.why), (Some(Undecided::Time), None));
    assert_eq!(undecided.number, None);
    let number = worse.number.as_ref().expect("a number");
    assert_eq!((&*number.name, &*number.unit), ("hits", "hits"));
}
