//! Files of runs: their names, their number, what is kept.

use std::fs;
use std::path::Path;

use tourbillon_record::store::{KEPT, Store, is_of_run};
use tourbillon_record::{Absence, Entry, Header, Line, Metric, Run, Verdict};

use super::folder::Folder;
use super::samples::{
    LATER, SECOND, START, case, header, result, store_run, store_run_at, store_times,
};

#[test]
fn opening_and_asking_create_nothing() {
    let folder = Folder::new("runs-lazy");
    let store = Store::open(folder.join("store"));
    assert!(
        store
            .runs("shop", "checkout", LATER)
            .unwrap()
            .past
            .is_empty()
    );
    assert!(
        store
            .last_with_cases("shop", "checkout", &["a"], &|_| true, LATER)
            .found()
            .is_empty()
    );
    assert!(!store.path().exists());
}

#[test]
fn a_run_is_a_file_of_its_lines() {
    let folder = Folder::new("runs-lines");
    let store = Store::open(&*folder);
    let mut writer = store.begin(&header(START + 1)).unwrap();
    let pid = std::process::id();
    let name = format!("runs/shop/checkout/20260101T000000.000000001Z-{pid}.jsonl");
    assert_eq!(writer.path(), folder.join(name));

    let lines = [case("a"), Line::Result(result("a", Metric::Time, Ok(4.0)))];
    let mut expected = Line::Header(header(START + 1)).encode() + "\n";
    for line in &lines {
        writer.append(line.entry()).unwrap();
        expected += &(line.encode() + "\n");
        assert_eq!(
            fs::read_to_string(writer.path()).unwrap(),
            expected,
            "each line is there at once"
        );
    }
    assert!(writer.is_storing());
    let path = writer.path().to_owned();
    writer.finish(LATER).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert!(Run::parse(&expected).is_ok());
}

#[test]
fn runs_of_the_same_moment_and_process_have_files_of_their_own() {
    let folder = Folder::new("runs-same");
    let store = Store::open(&*folder);
    let paths: Vec<_> = (0..12)
        .map(|_| store.begin(&header(START)).unwrap().path().to_owned())
        .collect();
    let newest_first: Vec<_> = paths.iter().rev().cloned().collect();
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past,
        newest_first
    );
}

#[test]
fn hostile_packages_and_targets_stay_inside_the_store() {
    let folder = Folder::new("runs-hostile");
    let store = Store::open(folder.join("store"));
    let names = [
        "../../../up",
        "/etc",
        "a b",
        "é",
        "CON",
        "con",
        "\0\n\u{1b}",
        &"x".repeat(300),
        "",
    ];
    for name in names {
        let header = Header {
            package: name.into(),
            target: name.into(),
            ..header(START)
        };
        let writer = store.begin(&header).unwrap();
        assert_eq!(store.runs(name, name, LATER).unwrap().past, [writer.path()]);
    }
    assert_eq!(fs::read_dir(&*folder).unwrap().count(), 1);
    assert_eq!(
        fs::read_dir(folder.join("store/runs")).unwrap().count(),
        names.len()
    );
}

#[test]
fn the_last_ten_runs_of_each_target_are_kept() {
    let folder = Folder::new("runs-prune");
    let store = Store::open(&*folder);
    let other = Header {
        target: "other".into(),
        ..header(START)
    };
    store.begin(&other).unwrap().finish(LATER).unwrap();
    let paths: Vec<_> = (0..25)
        .map(|second| store_times(&store, second, &["a"]))
        .collect();
    let kept: Vec<_> = paths.into_iter().rev().take(KEPT).collect();
    assert_eq!(store.runs("shop", "checkout", LATER).unwrap().past, kept);
    assert_eq!(store.runs("shop", "other", LATER).unwrap().past.len(), 1);
}

#[test]
fn the_newest_run_of_a_case_is_kept() {
    let folder = Folder::new("runs-newest");
    let store = Store::open(&*folder);
    store_times(&store, 0, &["a", "b"]);
    let all = store_times(&store, 1, &["a", "b"]);
    let filtered: Vec<_> = (2..30)
        .map(|second| store_times(&store, second, &["a"]))
        .collect();
    let mut kept: Vec<_> = filtered.into_iter().rev().take(KEPT).collect();
    kept.push(all);
    assert_eq!(store.runs("shop", "checkout", LATER).unwrap().past, kept);

    // A failure of the case does not take the place of its result.
    let failed = result("b", Metric::Time, Err(Absence::Failed));
    store_run(&store, 30, &[failed]);
    let last = store.last_with_cases("shop", "checkout", &["b"], &|_| true, LATER);
    assert_eq!(last.found().len(), 1);

    // Once another run has it, the old one goes.
    store_times(&store, 31, &["b"]);
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past.len(),
        KEPT
    );
}

/// As after a change to a branch with an older version.
#[test]
fn a_run_of_a_newer_version_is_kept() {
    let folder = Folder::new("runs-newer");
    let store = Store::open(&*folder);
    let paths = [0, 1].map(|second| store_times(&store, second, &["a"]));
    let text = fs::read_to_string(&paths[0]).unwrap();
    fs::write(&paths[0], text.replace("\"schema\":2", "\"schema\":99")).unwrap();
    fs::write(&paths[1], "no record\n").unwrap();
    for second in 2..20 {
        store_times(&store, second, &["a"]);
    }
    let kept = store.runs("shop", "checkout", LATER).unwrap().past;
    assert_eq!((kept.len(), kept.last()), (KEPT + 1, Some(&paths[0])));
}

#[test]
fn the_newest_comparison_of_a_case_is_kept() {
    let folder = Folder::new("runs-compared");
    let store = Store::open(&*folder);
    let compared = |second: u64, cases: &[&str], ratio| {
        let mut writer = store.begin(&header(START + second)).unwrap();
        for case in cases {
            let verdict = Verdict {
                case: (*case).into(),
                reference: "main".into(),
                ratio,
                ..Verdict::default()
            };
            writer.append(Entry::Verdict(&verdict)).unwrap();
        }
        let path = writer.path().to_owned();
        writer.finish(LATER).unwrap();
        path
    };
    let all = compared(0, &["a", "b"], Some(1.0));
    for second in 1..20 {
        compared(second, &["a"], Some(1.0));
        // One that ended before it had a ratio takes the place of none.
        compared(20 + second, &["b"], None);
    }
    let kept = store.runs("shop", "checkout", LATER).unwrap().past;
    assert_eq!((kept.len(), kept.last()), (KEPT + 2, Some(&all)));
    // Once another one has the case, the old one goes.
    compared(60, &["b"], Some(1.0));
    assert!(
        !store
            .runs("shop", "checkout", LATER)
            .unwrap()
            .past
            .contains(&all)
    );
}

#[test]
fn a_run_that_is_being_written_is_not_pruned() {
    let folder = Folder::new("runs-live");
    let store = Store::open(&*folder);
    let mut live = store.begin(&header(START)).unwrap();
    for second in 1..15 {
        store_times(&store, second, &["a"]);
    }
    live.append(case("a").entry()).unwrap();
    assert_eq!(fs::read_to_string(live.path()).unwrap().lines().count(), 2);
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past.len(),
        KEPT + 1
    );

    // Ended: now it is one of the old ones. It does not remove itself, the next run does.
    let path = live.path().to_owned();
    live.finish(LATER).unwrap();
    assert!(path.exists());
    store_times(&store, 15, &["a"]);
    assert!(!path.exists());
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past.len(),
        KEPT
    );
}

/// Between its end, when it gives up its lock, and the close of its file.
#[test]
#[cfg(windows)]
fn a_run_that_is_still_open_is_not_pruned() {
    use std::os::windows::fs::OpenOptionsExt;

    let folder = Folder::new("runs-open");
    let store = Store::open(&*folder);
    let path = store_times(&store, 0, &["a"]);
    // Others may read and write, and not remove.
    let open = fs::OpenOptions::new().read(true).share_mode(3).open(&path);
    for second in 1..15 {
        store_times(&store, second, &["a"]);
    }
    assert!(path.exists());
    drop(open.unwrap());
    store_times(&store, 15, &["a"]);
    assert!(!path.exists());
}

#[test]
fn files_that_no_run_has_created_are_left_alone() {
    let folder = Folder::new("runs-foreign");
    let store = Store::open(&*folder);
    store_times(&store, 0, &["a"]);
    let runs = folder.join("runs/shop/checkout");
    for name in [
        "notes.txt",
        "0.jsonl",
        "20260101T000000.000000000Z-1.jsonl.bak",
    ] {
        fs::write(runs.join(name), "mine").unwrap();
    }
    fs::create_dir(runs.join("20200101T000000.000000000Z-1.jsonl")).unwrap();
    for second in 1..15 {
        store_times(&store, second, &["a"]);
    }
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past.len(),
        KEPT
    );
    assert_eq!(fs::read_dir(&runs).unwrap().count(), KEPT + 4);
}

#[test]
fn a_clock_that_was_set_back_does_not_cost_the_run_that_just_ended() {
    let folder = Folder::new("runs-back");
    let store = Store::open(&*folder);
    for second in 100..110 {
        store_times(&store, second, &["a"]);
    }
    let path = store_times(&store, 0, &["a"]);
    assert!(path.exists());
}

/// A machine whose clock was five years ahead stored eleven runs. Since it is right again, they neither remove nor hide
/// what is stored now.
#[test]
fn a_clock_that_was_ahead_costs_no_later_run() {
    let folder = Folder::new("runs-ahead");
    let store = Store::open(&*folder);
    let now = |second: u64| START + (second + 1) * SECOND;
    let of = |case: &str, value: f64| result(case, Metric::Time, Ok(value));
    let ahead: Vec<_> = (0..11)
        .map(|number| {
            let second = 150_000_000 + number;
            store_run_at(&store, second, &[of("a", 1.0), of("b", 2.0)], now(second))
        })
        .collect();
    let kept: Vec<_> = (0..12)
        .map(|second| {
            let file = store_run_at(&store, second, &[of("a", second as f64)], now(second));
            assert!(file.exists(), "{second}");
            file
        })
        .collect();
    let runs = store.runs("shop", "checkout", now(12)).unwrap();
    // Of those with all cases at the wrong time one was pruned then, by eleven of them.
    let newest: Vec<_> = kept.iter().rev().take(KEPT).cloned().collect();
    assert_eq!(runs.past, newest);
    assert_eq!(runs.ahead.len(), KEPT);
    assert!(runs.ahead.iter().all(|file| ahead.contains(file)));
    let first = ahead.last().unwrap();
    let warning = format!("{first:?} (and 9 more beside it) began after now: ");
    assert!(runs.warning().unwrap().starts_with(&warning));
    assert_eq!(store.targets(now(12)).unwrap(), [runs]);

    let last = store.last_with_cases("shop", "checkout", &["a"], &|_| true, now(12));
    assert_eq!(last.found()[0].path, newest[0]);
    assert!(last.warning.unwrap().starts_with(&warning));
    // What no other has, they have.
    let last = store.last_with_cases("shop", "checkout", &["a", "b"], &|_| true, now(12));
    let found: Vec<_> = last.found().iter().map(|found| &found.path).collect();
    assert_eq!(found, [&newest[0], first]);
    // Nor are they removed by a clock that is behind.
    let early = store_run_at(&store, 0, &[of("a", 1.0), of("b", 1.0)], 0);
    assert!(early.exists());
    let all = store.runs("shop", "checkout", LATER).unwrap();
    assert_eq!((all.past.len(), all.warning()), (2 * KEPT + 1, None));
}

#[test]
fn files_of_runs_are_known_by_name_folder_and_beginning() {
    let folder = Folder::new("runs-known");
    let store = Store::open(folder.join("records"));
    store_times(&store, 1, &["a"]);
    store_times(&store.baseline("main"), 1, &["a"]);
    for store in [&store, &store.baseline("main")] {
        let runs = store.runs("shop", "checkout", LATER).unwrap();
        assert!(is_of_run(&runs.past[0]), "{runs:?}");
    }
    let written = store
        .runs("shop", "checkout", LATER)
        .unwrap()
        .past
        .remove(0);
    let name = written.file_name().unwrap();
    let beginning = "{\"type\":\"header\",";
    for (file, text) in [
        (written.with_file_name("notes.jsonl"), beginning),
        (
            written.with_file_name("20260101T000000.000000000Z-1.jsonl"),
            "{}",
        ),
        (folder.join("a/b/c").join(name), beginning),
    ] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        assert!(!is_of_run(&file), "{file:?}");
    }
    assert!(!is_of_run(Path::new("runs/a/b")));
}
