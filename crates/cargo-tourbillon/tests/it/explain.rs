//! `explain`.

use std::fs;

use tourbillon_analysis::{Tally, estimate};
use tourbillon_record::{
    Additions, Batches, Chain, Empty, Fault, FaultKind, Finding, LaunchSamples, Line, Note,
};

use crate::folder::{Folder, run};
use crate::records::{header, lines, rules, store_lines, write, write_comparison};

/// Adds ten rounds and the readings of the probes around them: by a core of 3 GHz, whose empty loop takes a cycle
/// per turn. The turns and batches of the first `slow` readings take three times as long.
fn probe(launch: &mut LaunchSamples, slow: usize) {
    let per_op = 100 + u64::from(launch.launch);
    launch.batches = Batches::default();
    let mut chain = Chain {
        of: "multiplications of 3 cycles".to_owned(),
        short_cycles: 1_800,
        long_cycles: 18_000,
        ..Chain::default()
    };
    for round in 0..10 {
        let factor = if round / 2 < slow { 3 } else { 1 };
        for kind in [0_u8, 1, 2] {
            launch.batches.kind.push(kind);
            let ticks = 1_000 * u64::from(kind) * per_op * factor;
            launch.batches.ticks.push(20 + ticks);
        }
        chain.at.push(3 * round as u64);
        chain.short_ticks.push(600);
        chain.long_ticks.push(6_000);
    }
    launch.empty = Empty {
        ops: 8_192,
        // By a clock that is read to two ticks.
        short_ticks: (0..6).map(|reading| 350 + 2 * (reading % 2)).collect(),
        long_ticks: (0..6)
            .map(|reading| if reading < slow { 1_370 } else { 690 })
            .collect(),
    };
    launch.chain = Some(chain);
}

/// Adds readings of additions that take this much longer than multiplications.
fn add_additions(launch: &mut LaunchSamples, ticks: u64) {
    let chain = launch.chain.as_mut().expect("a chain");
    chain.additions = Some(Box::new(Additions {
        short_ticks: chain.short_ticks.clone(),
        long_ticks: chain.long_ticks.iter().map(|long| long + ticks).collect(),
    }));
}

#[test]
fn what_cannot_be_told_from_the_machine_is_explained() {
    let folder = Folder::new("explain-notes");
    let header = header(1, "model A");
    let mut lines = lines(&header, 100);
    for line in &mut lines {
        match line {
            Line::Launch(launch) => {
                (launch.threads, launch.working_threads) = (Some(5), Some(2));
            }
            Line::Result(result) => result.notes.extend([
                Note::Curvature { fraction: 0.061 },
                Note::SlowLaunches {
                    count: 2,
                    excess: 0.614,
                },
                Note::Skewed,
                Note::UnevenThreads { fraction: 0.4 },
                Note::FixedItem { fraction: -0.8 },
                Note::NotWarm { launches: 7 },
                Note::Shortened { requested: 20 },
                Note::Waited { fraction: 0.3 },
            ]),
            _ => {}
        }
    }
    let record = store_lines(&folder.join("store"), &header, lines);
    let path = record.to_str().expect("a path");
    let ran = run(&folder, &["explain", "shop/checkout::add", path]);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    for part in [
        "threads: besides the measuring one there were up to 4 at the end, of which 1 did not sleep",
        "short and long batches differ by 6.1 %",
        "launches that were slower than most: 2, by 61 % at most",
        "skewed: the mean, 104.0 ns, lies outside the interval",
        "the slowest thread takes 40 % longer",
        "an op on one item alone takes 80 % less time",
        "warm-up had not settled in 7 launches; raise --max-time",
        "fewer than 20 launches fitted into the budget",
    ] {
        assert!(words.join(" ").contains(part), "{part}: {ran:?}");
    }
    // That the machine was busy is there as in the run, and is why the rest is not noted.
    let noted = |arguments: &[&str], text: &str| {
        let shown = run(&folder, &[&["show", path], arguments].concat());
        let notes = shown.stdout.lines().filter(|line| line.starts_with('!'));
        notes.filter(|line| line.contains(text)).count()
    };
    assert_eq!(noted(&[], "busy machine: "), 1);
    assert_eq!(noted(&["--verbose"], "busy machine: "), 1);
    assert_eq!(noted(&["--verbose"], "skewed"), 0);
}

#[test]
fn every_launch_is_shown_as_the_estimate_uses_it() {
    let folder = Folder::new("explain-use");
    let header = header(1, "model A");
    let mut lines = lines(&header, 100);
    let mut launches: Vec<LaunchSamples> = Vec::new();
    for line in &mut lines {
        let Line::Launch(launch) = line else { continue };
        if launch.case != "shop/checkout::add" {
            continue;
        }
        probe(launch, [0, 2, 6, 0, 0, 0, 0, 0, 0][launch.launch as usize]);
        match launch.launch {
            3 => add_additions(launch, 113),
            4 => {
                // It ended at its start, and the system interrupted one of its readings.
                launch.batches = Batches::default();
                let chain = launch.chain.as_mut().expect("a chain");
                chain.at = vec![0; 3];
                chain.short_ticks.truncate(3);
                chain.long_ticks.truncate(3);
                chain.long_ticks[0] += 1_000_000;
            }
            _ => {}
        }
        launches.push(LaunchSamples::clone(launch));
    }
    let fault = Fault {
        case: "shop/checkout::add".to_owned(),
        launch: 9,
        kind: FaultKind::Exit(3),
        ..Fault::default()
    };
    let tally = Tally {
        failed: 1,
        ..Tally::default()
    };
    let results = estimate(&fault.case, &launches, &tally, &rules(&header));
    lines.retain(|line| !matches!(line, Line::Result(result) if result.case == fault.case));
    lines.extend(results.into_iter().map(Line::Result));
    lines.push(Line::Fault(fault));
    let record = store_lines(&folder.join("store"), &header, lines);
    let path = record.to_str().expect("a path");
    let ran = run(&folder, &["explain", "shop/checkout::add", path]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "\nlaunch   batches      time  cycles/op  use                               after ",
        // Its rounds that are next to a slow turn took 303 ns.
        "0 pilot       30  100.0 ns      300.0  used                             0.00 s",
        "1             30  101.0 ns      303.0  used, 5 of 10 rounds             0.00 s",
        "306.0 ns      918.0  contended, 0 of 10 rounds quiet  0.00 s",
        "contended, additions +2.1 %      0.00 s",
        "\n4              0                       contended at its start           0.00 s",
        "\n9                                      failed\n",
        "0.00 s  3.000 GHz  ",
        "0.00 s    unknown  ",
        "\nuse: Contended launches do not count; their figures are of all of their rounds.\n",
        "\ntime  105.5 ns, between ",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("of 6 launches"), "{}", ran.stdout);
}

#[test]
fn a_case_of_a_comparison_is_selected_by_its_printed_name() {
    let folder = Folder::new("explain-comparison");
    let path = folder.join("builds.jsonl");
    write_comparison(&path, 1, 100, 110);
    let ran = run(&folder, &["explain", "add/100", "builds.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heading = "add/100: working tree against main, 2026-01-01T00:00:00Z, seed 1\n  \
                   benches/checkout.rs:7, shop/checkout::add\n";
    assert!(ran.stdout.starts_with(heading), "{}", ran.stdout);
    let last = ran.stdout.lines().last().expect("an answer");
    assert!(
        last.starts_with("add/100 against main: slower, +"),
        "{last}"
    );
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(
        words.join(" ").contains("recomputed figures are the same"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("no samples"), "{}", ran.stdout);
    // A record of an earlier version has ids alone.
    let text = fs::read_to_string(&path).expect("a record");
    let older = text.replace("benches/checkout.rs", "");
    assert_ne!(older, text);
    fs::write(&path, older).expect("a record");
    let ran = run(&folder, &["explain", "add", "builds.jsonl"]);
    assert!(!ran.stdout.contains(":7"), "{}", ran.stdout);
}

#[test]
fn a_difference_of_undecided_size_is_explained() {
    let folder = Folder::new("explain-undecided");
    let path = folder.join("builds.jsonl");
    // Ratios of 1 to 1.015, and a margin of 1 %.
    let verdict = write_comparison(&path, 1, 10, 10);
    assert_eq!(verdict.finding, Finding::Undecided);
    assert!(verdict.lower > Some(1.0), "{verdict:?}");
    let ran = run(&folder, &["explain", "add", "builds.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let page = words.join(" ");
    for part in [
        "of the time of main: differs, size undecided, a verdict needs about ",
        "the ratio need not be in the middle.",
    ] {
        assert!(page.contains(part), "{part:?} in\n{}", ran.stdout);
    }
}

#[test]
fn a_case_is_explained_from_its_record() {
    let folder = Folder::new("explain");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["explain", "add", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "add\n  benches/checkout.rs:7, shop/checkout::add\n  in the run of 2026-01-01T00:00:00Z, seed 1\n",
        "Pilot\nstep  windows  iterations  copies      took\n",
        "2           1        1000       1  100.0 µs\n",
        "The benchmark called iter.\n",
        "\nlaunch   batches      time  use    after  first call  warm   waited\n",
        "\n0 pilot       16  100.0 ns  used  0.00 s    5.000 µs   yes  unknown\n",
        "\n8             16  108.0 ns  used  0.00 s",
        "Figures\ntime  104.0 ns, between ",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
    let last = ran.stdout.lines().last().expect("an answer");
    assert!(last.starts_with("add: 104 ns ±"), "{last}");
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
    assert_eq!(ran.stdout.matches("1.54 ms\n").count(), 1, "{}", ran.stdout);
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
    let expected = "touched: 3.0 MiB by batches after the samples, in whole pages.";
    assert!(words.contains(expected), "{words}");
}

#[test]
fn samples_that_were_changed_give_other_figures() {
    let folder = Folder::new("explain-changed");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    // Within its interval: others are refused.
    let changed = text.replace("\"estimate\":104", "\"estimate\":101");
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
        "error: shop matches 2 cases; name one:\n  add\n  remove\n"
    );
    let ran = run(&folder, &["explain", "ad", "here.jsonl"]);
    assert_eq!(ran.code, Some(0), "a part that one case has: {ran:?}");
    let ran = run(&folder, &["explain", "removr", "here.jsonl"]);
    assert!(
        ran.stderr.contains("lists the cases; did you mean remove?"),
        "{}",
        ran.stderr
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
