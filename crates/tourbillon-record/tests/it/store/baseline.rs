//! Runs kept under a name.

use std::fs;

use tourbillon_record::store::Store;
use tourbillon_record::{Metric, Run};

use super::folder::Folder;
use super::samples::{LATER, START, header, store_times};

/// Keeps a run of the second as `name`.
fn save(store: &Store, second: u64, cases: &[&str], name: &str) {
    let run = store_times(store, second, cases);
    let header = header(START + second * 1_000_000_000);
    store.save(name, &run, &header).unwrap();
}

fn time(store: &Store, name: &str, case: &str) -> Option<f64> {
    let last = store
        .baseline(name)
        .last_with_cases("shop", "checkout", &[case], &|_| true, LATER);
    last.result(case, Metric::Time)
        .and_then(|(_, result)| result.estimate.ok())
}

#[test]
fn a_baseline_keeps_what_the_store_forgets() {
    let folder = Folder::new("baseline-keeps");
    let store = Store::open(&*folder);
    assert!(!store.baseline("main").exists());
    save(&store, 1, &["a"], "main");
    for second in 2..20 {
        store_times(&store, second, &["a"]);
    }
    assert!(store.baseline("main").exists());
    assert_eq!(time(&store, "main", "a"), Some(1.0));
    assert_eq!(time(&store, "other", "a"), None);
}

/// A store that is a link is a user's; one below it may be a commit's.
#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_store() {
    let folder = Folder::new("baseline-links");
    let away = folder.join("away");
    fs::create_dir(&away).unwrap();
    std::os::unix::fs::symlink("away", folder.join("named")).unwrap();
    let store = Store::open(folder.join("named"));
    save(&store, 1, &["a"], "main");
    for below in ["runs", "runs/shop", "runs/shop/checkout"] {
        let store = Store::open(folder.join(below.replace('/', "-")));
        let link = store.path().join(below);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&away, &link).unwrap();
        let refused = store.begin(&header(START)).unwrap_err().to_string();
        assert!(refused.contains("is a link"), "{below}: {refused}");
        let within = store.within("other").begin(&header(START));
        assert!(within.is_ok(), "{below}");
    }
    let kept = fs::read_dir(away.join("runs/shop/checkout")).unwrap();
    assert_eq!(kept.count(), 1);
}

/// The folder of a store by the forms of its path that Windows has: without limits, and on a server. This machine is a
/// server to itself where the user may administer it.
#[test]
#[cfg(windows)]
fn a_store_has_any_form_of_path() {
    let folder = Folder::new("baseline-forms");
    let unlimited = fs::canonicalize(&*folder).unwrap();
    let text = unlimited.to_str().unwrap();
    let local = text.strip_prefix(r"\\?\").unwrap();
    let shared = format!(r"\\localhost\{}", local.replacen(':', "$", 1));
    let mut second = 0;
    for path in [local, text, &shared] {
        if path == shared && fs::metadata(path).is_err() {
            eprintln!("{path} cannot be read: this user does not administer the machine");
            continue;
        }
        second += 1;
        let store = Store::open(path);
        save(&store, second, &["a"], "main");
        assert_eq!(time(&store, "main", "a"), Some(second as f64), "{path}");
        let runs = store.runs("shop", "checkout", LATER).unwrap().past;
        assert!(runs.iter().all(|run| run.starts_with(path)), "{runs:?}");
    }
}

#[test]
fn saving_some_cases_leaves_the_others_alone() {
    let folder = Folder::new("baseline-some");
    let store = Store::open(&*folder);
    save(&store, 1, &["a", "b"], "main");
    save(&store, 2, &["b"], "main");
    let times = ["a", "b"].map(|case| time(&store, "main", case));
    assert_eq!(times, [Some(1.0), Some(2.0)]);
    let runs = store
        .baseline("main")
        .runs("shop", "checkout", LATER)
        .unwrap()
        .past;
    assert_eq!(runs.len(), 2);
    // Nothing of the two is needed any more.
    save(&store, 3, &["b", "a"], "main");
    let runs = store
        .baseline("main")
        .runs("shop", "checkout", LATER)
        .unwrap()
        .past;
    assert_eq!(runs.len(), 1);
    assert_eq!(time(&store, "main", "b"), Some(3.0));
}

#[test]
fn a_run_that_cannot_be_read_stays() {
    let folder = Folder::new("baseline-unread");
    let store = Store::open(&*folder);
    save(&store, 1, &["a"], "main");
    let runs = store
        .baseline("main")
        .runs("shop", "checkout", LATER)
        .unwrap()
        .past;
    fs::write(&runs[0], "of another kind").unwrap();
    save(&store, 2, &["a"], "main");
    assert!(runs[0].exists());
}

#[test]
fn saving_the_same_run_twice_keeps_it() {
    let folder = Folder::new("baseline-twice");
    let store = Store::open(&*folder);
    let run = store_times(&store, 1, &["a"]);
    for _ in 0..2 {
        store.save("main", &run, &header(START)).unwrap();
    }
    assert_eq!(time(&store, "main", "a"), Some(1.0));
    let copies = store
        .baseline("main")
        .runs("shop", "checkout", LATER)
        .unwrap()
        .past;
    let copy = Run::parse_bytes(&fs::read(&copies[0]).unwrap()).unwrap();
    assert_eq!(copy, Run::parse_bytes(&fs::read(&run).unwrap()).unwrap());
}

/// As by programs in containers, which do not wait for each other.
#[test]
fn of_runs_that_are_saved_at_once_one_stays() {
    let folder = Folder::new("baseline-at-once");
    let store = Store::open(&*folder);
    let runs = [1, 2, 3].map(|start| store_times(&store, start, &["a"]));
    for number in 0..100 {
        let name = number.to_string();
        std::thread::scope(|scope| {
            for run in &runs {
                scope.spawn(|| store.save(&name, run, &header(START)).unwrap());
            }
        });
        assert!(time(&store, &name, "a").is_some(), "{name}");
    }
}

#[test]
fn names_are_kept_whatever_they_are() {
    let folder = Folder::new("baseline-names");
    let store = Store::open(&*folder);
    assert_eq!(store.baselines().unwrap(), [""; 0]);
    let names = ["../up", "Main", "a b", "main", "été"];
    for name in names {
        save(&store, 1, &["a"], name);
    }
    assert_eq!(store.baselines().unwrap(), names);
    store.delete_baseline("../up").unwrap();
    assert_eq!(store.baselines().unwrap(), names[1..]);
    assert_eq!(time(&store, "Main", "a"), Some(1.0));
    let error = store.delete_baseline("../up").unwrap_err();
    assert!(error.to_string().starts_with("cannot remove"), "{error}");
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_that_says_what_is_kept() {
    let folder = Folder::new("baseline-denied");
    let store = Store::open(&*folder);
    let run = store_times(&store, 1, &["a"]);
    fs::write(folder.join("baselines"), "in the way").unwrap();
    let error = store.save("main", &run, &header(START)).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("cannot save the run as"), "{text}");
    assert!(
        text.contains("it is stored, but not under that name"),
        "{text}"
    );
}
