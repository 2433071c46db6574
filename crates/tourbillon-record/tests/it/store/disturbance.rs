//! Two at once, full disks, places that cannot be written, files cut off, kill -9.

use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::thread;

use tourbillon_record::store::{KEPT, Store};
use tourbillon_record::{Metric, Run};

use super::child;
use super::folder::Folder;
use super::samples::{LATER, START, header, store_times};

fn read_all(store: &Store) -> Vec<Run> {
    let paths = store.runs("shop", "checkout", LATER).unwrap().past;
    paths
        .iter()
        .filter_map(|path| Run::parse_bytes(&fs::read(path).unwrap()).ok())
        .collect()
}

#[test]
fn runs_of_many_threads_at_once_are_all_whole() {
    let folder = Folder::new("disturbance-threads");
    let store = Store::open(&*folder);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..4 {
                    store_times(&store, 1, &["a", "b", "c"]);
                }
            });
        }
    });
    let runs = read_all(&store);
    // The process that prunes last sees the files of all others; one that reads or writes just then keeps a file more.
    assert!(runs.len() >= KEPT, "{}", runs.len());
    assert!(
        runs.iter()
            .all(|run| run.results.len() == 3 && !run.torn && run.damaged.is_empty())
    );
    let folders = fs::read_dir(folder.join("runs/shop/checkout"))
        .unwrap()
        .count();
    assert_eq!(
        folders,
        store.runs("shop", "checkout", LATER).unwrap().past.len()
    );
}

#[test]
fn runs_of_several_processes_at_once_are_all_whole() {
    let folder = Folder::new("disturbance-processes");
    let store = Store::open(&*folder);
    let mut children: Vec<_> = (0..3).map(|_| child::start(&folder, &[1, 2, 3])).collect();
    for (child, out) in &mut children {
        std::io::copy(out, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let runs = read_all(&store);
    assert_eq!(runs.len(), 9);
    assert!(
        runs.iter()
            .all(|run| run.results.len() == child::RESULTS && run.damaged.is_empty())
    );
}

#[test]
fn a_writer_that_is_killed_at_any_moment_leaves_a_readable_store() {
    let folder = Folder::new("disturbance-kill");
    let store = Store::open(&*folder);
    store_times(&store, 0, &["a"]);
    let mut random = 0x9e37_79b9_u64;
    for second in 1..=30 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let lines = (random >> 33) as usize % (2 * child::RESULTS);
        let (mut child, mut out) = child::start(&folder, &[second]);
        let alive = child::wait_for(&mut out, lines);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(alive, "the child ended by itself");

        let newest = &store.runs("shop", "checkout", LATER).unwrap().past[0];
        let run = Run::parse_bytes(&fs::read(newest).unwrap()).unwrap();
        assert!(
            run.cases.len() + run.results.len() >= lines,
            "an appended line was lost"
        );
        assert!(run.damaged.is_empty() && run.skipped.is_empty());
        // No process holds the lock of the dead one: its results count.
        let last = store.last_with_cases("shop", "checkout", &["case 0 "], &|_| true, LATER);
        assert!(last.skipped.is_empty());
        if lines >= 2 {
            let (found, _) = last.result("case 0 ", Metric::Time).unwrap();
            assert_eq!(found.started_unix_ns, run.header.started_unix_ns);
        }
    }
    // The next runs that end, and have the results of all of them, clean up after them.
    let (mut child, mut out) = child::start(&folder, &[31]);
    std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    store_times(&store, 32, &["a"]);
    assert_eq!(
        store.runs("shop", "checkout", LATER).unwrap().past.len(),
        KEPT
    );
}

#[test]
fn a_run_cut_off_at_any_byte_is_read_or_passed_over() {
    let folder = Folder::new("disturbance-cut");
    let store = Store::open(&*folder);
    store_times(&store, 1, &["a", "b"]);
    let path = store_times(&store, 2, &["a", "b"]);
    // Other tests start processes, which have the writers' locks for a moment longer.
    for run in store.runs("shop", "checkout", LATER).unwrap().past {
        fs::File::open(run).unwrap().lock_shared().unwrap();
    }
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<_> = (0..bytes.len())
        .filter(|&index| bytes[index] == b'\n')
        .collect();
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let last = store.last_with_cases("shop", "checkout", &["a", "b"], &|_| true, LATER);
        assert!(
            last.skipped.is_empty(),
            "cut at {length}: {:?}",
            last.skipped
        );
        let times = ["a", "b"].map(|case| last.result(case, Metric::Time).unwrap().1.estimate);
        let expected = [ends[1], ends[2]].map(|end| if length >= end { 2.0 } else { 1.0 });
        assert_eq!(times, expected.map(Ok), "cut at {length}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_with_what_to_do() {
    let folder = Folder::new("disturbance-place");
    let file = folder.join("file");
    fs::write(&file, "kept").unwrap();
    let error = Store::open(file.join("store"))
        .begin(&header(START))
        .unwrap_err();
    let text = error.to_string().replace(r"\\", "/");
    assert!(
        text.starts_with("cannot create \"") && text.contains("/file/store/runs"),
        "{text}"
    );
    assert!(
        text.ends_with("name another directory with --store DIR or TOURBILLON_STORE"),
        "{text}"
    );
    assert!(error.path().starts_with(&file) && !error.is_full());
    assert_eq!(fs::read(&file).unwrap(), b"kept");
    #[cfg(target_os = "linux")]
    assert!(
        Store::open("/proc/tourbillon")
            .begin(&header(START))
            .is_err()
    );
}

/// A limit on the size of files does what a full disk does: it takes the beginning of a line.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_is_reported_once_and_leaves_whole_lines() {
    let folder = Folder::new("disturbance-full");
    let store = Store::open(&*folder);
    let earlier = store_times(&store, 0, &["a"]);
    let before = fs::read(&earlier).unwrap();
    let mut command = Command::new("sh");
    // Ignored signals stay ignored in the program that takes over; 16 blocks are 8 or 16 KiB.
    command.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"]);
    command
        .arg(std::env::current_exe().unwrap())
        .args(child::arguments());
    child::environment(&mut command, &folder, &[1]);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");

    let full: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("full"))
        .collect();
    assert_eq!(full.len(), 1, "reported once: {said}");
    assert!(
        full[0].starts_with("full true cannot write to \""),
        "{}",
        full[0]
    );
    assert!(
        full[0].contains("the run goes on, but the rest of it is not stored"),
        "{}",
        full[0]
    );
    let stored = said.lines().filter(|line| *line == "appended true").count();
    let dropped = said
        .lines()
        .filter(|line| *line == "appended false")
        .count();
    assert!(
        stored > 0 && dropped > 0 && stored + 1 + dropped == 2 * child::RESULTS,
        "{said}"
    );

    let newest = &store.runs("shop", "checkout", LATER).unwrap().past[0];
    let bytes = fs::read(newest).unwrap();
    assert!(bytes.ends_with(b"\n"), "half a line was left behind");
    let run = Run::parse_bytes(&bytes).unwrap();
    assert_eq!(run.cases.len() + run.results.len(), stored);
    assert_eq!(
        fs::read(&earlier).unwrap(),
        before,
        "what was stored before is untouched"
    );
}
