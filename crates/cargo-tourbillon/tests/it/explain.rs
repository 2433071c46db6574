//! `explain`.

use std::fs;

use crate::folder::{Folder, run};
use crate::records::write;

#[test]
fn a_case_is_explained_from_its_record() {
    let folder = Folder::new("explain");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "shop/checkout::add\n  benches/checkout.rs:7, in the run of 2026-01-01T00:00:00Z, seed 1\n",
        "Pilot\nstep  windows  iterations  copies      took\n",
        "2           1        1000       1  100.0 µs\n",
        "The benchmark called iter.\n",
        "0 pilot  0.00 s",
        "unknown  100.0 ns\n",
        "8        0.00 s",
        "Figures\ntime  104.0 ns, between ",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(
        words.join(" ").contains("recomputed figures are the same"),
        "{}",
        ran.stdout
    );
}

#[test]
fn threads_are_shown_launch_by_launch() {
    let folder = Folder::new("explain-threads");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    // Eight rounds of a short batch and a long one.
    let column = |short: u64, long: u64| [(); 8].map(|()| format!("{short},{long}")).join(",");
    let team = format!(
        "\"team\":{{\"threads\":4,\"processors\":2,\"fastest_ticks\":[{}],\"slowest_ticks\":[{}],\"start_spread_ticks\":[{}]}}",
        column(7, 130_000),
        column(9, 190_000),
        column(8, 250),
    );
    let next = "\"launch_ticks\":";
    assert!(text.contains(next));
    let changed = text.replace(next, &format!("{team},{next}"));
    fs::write(&path, changed).expect("a record");
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "Threads\nlaunch",
        "130.0 µs  190.0 µs      250.0 ns\n",
        "Threads: 4, processors: 2.",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
}

#[test]
fn the_time_of_the_reference_chain_is_shown() {
    let folder = Folder::new("explain-chain");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    // The first call took 5 000 ticks, the set-up one, and 100 000 ticks followed.
    let with_chain = |line: &str, readings: usize| {
        let columns = ["10", "900", "20", "1070"].map(|ticks| vec![ticks; readings].join(","));
        let [short, long, less, more] = columns;
        let at = (0..readings)
            .map(|at| (2 * at).to_string())
            .collect::<Vec<_>>()
            .join(",");
        let chain = format!(
            "\"chain\":{{\"of\":\"multiplications of 3 cycles\",\"short_cycles\":1800,\"long_cycles\":18000,\
             \"at\":[{at}],\"short_ticks\":[{short}],\"long_ticks\":[{long}],\
             \"additions\":{{\"short_ticks\":[{less}],\"long_ticks\":[{more}]}}}}"
        );
        line.replace("\"empty\":", &format!("{chain},\"empty\":"))
            .replace("\"launch_ticks\":1", "\"launch_ticks\":105001")
    };
    let changed: Vec<String> = text
        .lines()
        .map(|line| with_chain(line, if line.contains("\"launch\":8,") { 2 } else { 1 }))
        .collect();
    fs::write(&path, changed.join("\n") + "\n").expect("a record");
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    // Nine launches with 2 % each, except one with 4 %.
    let line = "Reference chain: multiplications of 3 cycles and additions, read 1 to 2 times per \
                launch: 2.2 % of the time after the first call, at most 4.0 % of a launch.";
    assert!(words.join(" ").contains(line), "{}", ran.stdout);

    // Without readings there is no such line.
    fs::write(&path, text).expect("a record");
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert!(!ran.stdout.contains("chain"), "{}", ran.stdout);
}

#[test]
fn what_a_launch_waited_for_its_processor_is_shown() {
    let folder = Folder::new("explain-waited");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    let waited = "\"waited_ns\":1540000,\"launch_ticks\":";
    let changed = text.replacen("\"launch_ticks\":", waited, 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).expect("a record");
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.matches("1.5 ms  ").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("waited"), "{}", ran.stdout);
}

#[test]
fn what_memory_was_touched_is_shown() {
    let folder = Folder::new("explain-touched");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    let shown = |text: &str| {
        fs::write(&path, text).expect("a record");
        let ran = run(&folder, &["explain", "add", "here.jsonl"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        words.join(" ")
    };
    assert!(!shown(&text).contains("touched"));
    let touched = "\"touched_bytes\":3145728,\"launch_ticks\":";
    let changed = text.replacen("\"launch_ticks\":", touched, 1);
    assert_ne!(changed, text);
    let words = shown(&changed);
    let expected = "touched: 3.00 MiB by batches after the samples, in whole pages.";
    assert!(words.contains(expected), "{words}");
}

#[test]
fn samples_that_were_changed_give_other_figures() {
    let folder = Folder::new("explain-changed");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    let changed = text.replace("\"estimate\":104", "\"estimate\":99");
    assert_ne!(changed, text);
    fs::write(&path, changed).expect("a record");
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(
        words.join(" ").contains("recomputed figures differ"),
        "{}",
        ran.stdout
    );
}

#[test]
fn ambiguous_and_unknown_names_are_reported() {
    let folder = Folder::new("explain-names");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["explain", "shop", "here.jsonl"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "error: shop matches 2 cases; name one:\n  shop/checkout::add\n  shop/checkout::remove\n"
    );
    let ran = run(&folder, &["explain", "zzz", "here.jsonl"]);
    assert!(
        ran.stderr.contains("no measured case matches zzz"),
        "{}",
        ran.stderr
    );
    // A complete id is unambiguous.
    let ran = run(&folder, &["explain", "shop/checkout::add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
