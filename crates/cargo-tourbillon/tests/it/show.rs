//! `show`.

use std::fs;

use tourbillon_report::OptionalColumn;

use crate::folder::{Folder, run};
use crate::records::{listed, store, write, write_comparison};

#[test]
fn several_machines_stand_side_by_side_with_what_differs() {
    let folder = Folder::new("show-two");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    write(&folder.join("there.jsonl"), 2, "model B", 200);
    let ran = run(&folder, &["show", "here.jsonl", "there.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "\
shop/checkout · 2 cases · here → there

            here  ±99 %     there  ±99 %  change
add       104 ns  3.9 %    204 ns  2.0 %  +96 %
remove  1.004 µs  0.4 %  2.004 µs  0.2 %  +100 %
change  of the time, here → there; not measured together, so not a verdict

cpu model: model A → model B

2 differ
"
    );
}

#[test]
fn what_a_program_printed_around_its_run_is_not_shown() {
    let folder = Folder::new("show-printed");
    let file = folder.join("run.jsonl");
    write(&file, 1, "model A", 100);
    let text = fs::read_to_string(&file).expect("a record");
    let shown = |arguments: &[&str]| {
        let ran = run(&folder, arguments);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
        ran.stdout
    };
    let asked = [
        &["show", "run.jsonl"][..],
        &["export", "run.jsonl", "--format", "bmf"],
        &["explain", "add", "run.jsonl"],
    ];
    let alone = asked.map(shown);
    fs::write(
        &file,
        format!("main: before\nloading ... {text}main: after\n"),
    )
    .expect("a record");
    assert_eq!(asked.map(shown), alone);
}

#[test]
fn a_comparison_has_verdicts_and_no_times() {
    let folder = Folder::new("show-comparison");
    let file = folder.join("both.jsonl");
    write_comparison(&file, 1, 100, 120);
    let text = fs::read_to_string(&file).expect("a record");
    fs::write(&file, text + &listed("shop/checkout::remove")).expect("a record");
    let shown = |arguments: &[&str]| {
        let ran = run(&folder, &[&["show", "both.jsonl"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!ran.stdout.contains("not reached"), "{}", ran.stdout);
        ran.stdout
    };
    let page = shown(&[]);
    let ends = [
        "▲ add/100  ",
        "\n1 slower \u{b7} not ended\n",
        "! shop/checkout::remove: no verdict\n",
    ];
    assert!(ends.iter().all(|part| page.contains(part)), "{page}");
    let plot = shown(&["--plot"]);
    assert!(plot.contains('●') && plot.contains("+20.07 %"), "{plot}");
    let one = shown(&["--filter", "remove"]);
    assert!(!one.contains("add") && one.contains("no verdict"), "{one}");
}

#[test]
fn each_of_many_cases_is_looked_up_once() {
    let folder = Folder::new("show-many");
    write(&folder.join("one.jsonl"), 1, "model A", 100);
    let one = fs::read_to_string(folder.join("one.jsonl")).expect("a record");
    let mut many = one.clone();
    // A linear search for each case took minutes.
    for line in one.lines() {
        let repeated = line.contains("checkout::add\"")
            && ["case", "result"]
                .iter()
                .any(|kind| line.starts_with(&format!("{{\"type\":\"{kind}\"")));
        for number in 0..40_000 * usize::from(repeated) {
            many.push_str(&line.replace("checkout::add\"", &format!("checkout::add{number}\"")));
            many.push('\n');
        }
    }
    fs::write(folder.join("many.jsonl"), many).expect("a record");
    let ran = run(&folder, &["show", "many.jsonl", "one.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().count() > 40_000, "{}", ran.stdout);
}

#[test]
fn every_form_names_the_records() {
    let folder = Folder::new("show-forms");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    write(&folder.join("there.jsonl"), 2, "model B", 200);
    let formed = |form: &str| {
        let ran = run(
            &folder,
            &["show", "here.jsonl", "there.jsonl", "--format", form],
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let csv = formed("csv");
    let firsts: Vec<&str> = csv
        .lines()
        .map(|line| line.split(',').next().unwrap_or_default())
        .collect();
    assert_eq!(firsts, ["run", "here", "here", "there", "there"]);
    assert!(formed("csv-semicolon").contains("here;shop/checkout::add;"));
    assert!(formed("md").contains("`there`\n\n| case | time |"));
    assert!(formed("gnuplot").contains("title 'there'"));
}

#[test]
fn results_without_a_throughput_have_that_of_their_samples() {
    let folder = Folder::new("show-throughput");
    let path = folder.join("here.jsonl");
    write(&path, 1, "model A", 100);
    let text = fs::read_to_string(&path).expect("a record");
    let changed = text.replace(
        "\"setup_ticks\":",
        "\"throughput\":{\"unit\":\"items\",\"per_op\":13},\"setup_ticks\":",
    );
    assert_ne!(changed, text);
    fs::write(&path, changed).expect("a record");
    let ran = run(&folder, &["show", "here.jsonl", "--format", "csv"]);
    let add = ran.stdout.lines().nth(1).unwrap_or_default();
    assert!(add.ends_with(",125000000,items/s"), "{}", ran.stdout);
    // The page of the same record shows it too.
    let ran = run(&folder, &["report", "here.jsonl", "-o", "report.html"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(page.contains(" M items/s"));
}

#[test]
fn without_names_it_is_the_last_run() {
    let folder = Folder::new("show-last");
    store(&folder, 1, 100, None);
    store(&folder, 2, 300, None);
    let at = folder.to_str().expect("a path of text");
    let ran = run(&folder, &["show", "--store", at, "--filter", "add"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.starts_with("shop/checkout · 1 case ·"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("304 ns"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("remove"), "{}", ran.stdout);
}

#[test]
fn what_several_binaries_wrote_to_one_stdout_is_one_record() {
    let folder = Folder::new("show-joined");
    write(&folder.join("a.jsonl"), 1, "model A", 100);
    write(&folder.join("b.jsonl"), 2, "model A", 200);
    let mut joined = fs::read(folder.join("a.jsonl")).expect("one");
    joined.extend(fs::read(folder.join("b.jsonl")).expect("other"));
    fs::write(folder.join("all.jsonl"), joined).expect("both");
    let ran = run(&folder, &["show", "all.jsonl", "--format", "csv"]);
    assert_eq!(ran.stdout.lines().count(), 5, "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused() {
    let folder = Folder::new("show-endless");
    for (arguments, expected) in [
        (&["show", "/dev/zero"][..], "more than 128 MiB"),
        (&["show", "/dev/urandom"], "cannot be read"),
        (&["explain", "add", "/dev/zero"], "more than 128 MiB"),
        (&["clocks", "/dev/zero"], "more than 64 MiB"),
    ] {
        let ran = run(&folder, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn columns_on_request_are_computed_from_the_samples() {
    let folder = Folder::new("show-columns");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let columns = ["--columns", "mean,max,p90,sd,rank", "--sort", "name"];
    let shown = |more: &[&str]| {
        let arguments = [&["show", "here.jsonl"][..], &columns, more].concat();
        let ran = run(&folder, &arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    // Launches of 100, 101, .. 108 ns.
    let text = shown(&[]);
    let row = text
        .lines()
        .find(|line| line.starts_with("add"))
        .expect(&text);
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "add 104 ns 3.9 % 104 ns 108 ns 107 ns 2.74 ns 1",
        "{text}"
    );
    let csv = shown(&["--format", "csv"]);
    assert!(
        csv.lines()
            .next()
            .is_some_and(|titles| titles.ends_with(",max,p90,rank")),
        "{csv}"
    );
    let line = csv.lines().nth(1).unwrap_or_default();
    let end: Vec<f64> = line
        .rsplit(',')
        .take(3)
        .filter_map(|field| field.parse().ok())
        .collect();
    let expected = [1.0, 107.2, 108.0];
    let is_near = end
        .iter()
        .zip(expected)
        .all(|(found, expected)| (found - expected).abs() < 1e-9);
    assert!(end.len() == 3 && is_near, "{line}");
    assert!(shown(&["--format", "md"]).contains("| mean | max | p90 | sd | rank |"));
}

#[test]
fn errors_are_reported() {
    let folder = Folder::new("show-bad");
    fs::write(folder.join("foreign.jsonl"), "no record\n").expect("a file");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let at = folder.to_str().expect("a path of text");
    let columns = OptionalColumn::WORDS.map(|(name, _)| name).join(", ");
    for (arguments, code, part) in [
        (
            &["show", "foreign.jsonl"][..],
            5,
            "\"foreign.jsonl\" cannot be read: ",
        ),
        (
            &["show", "missing", "--store", at],
            1,
            "neither a file nor a baseline \"missing\"",
        ),
        (
            &["show", "here.jsonl", "--filter", "zzz"],
            1,
            "no case matches the filters; run without --filter to see all cases",
        ),
        (
            &["report", "here.jsonl", "--filter", "rmeove"],
            1,
            "to see all cases; did you mean remove?",
        ),
        (
            &["show", "here.jsonl", "--filter", "rmeove"],
            1,
            "to see all cases; did you mean remove?",
        ),
        (&["show", "--store", "empty"], 5, "cargo bench makes one"),
        (&["show", "--format", "xml"], 1, "csv-semicolon"),
        (
            &["show", "here.jsonl", "--columns", "mean,average"],
            1,
            &format!("known are {columns}"),
        ),
        (
            &["show", "here.jsonl", "here.jsonl", "--sort", "time"],
            1,
            "--columns and --sort are for the table of one record",
        ),
    ] {
        let ran = run(&folder, arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(code), ""),
            "{arguments:?} {ran:?}"
        );
        assert!(
            ran.stderr.starts_with("error: ") && ran.stderr.contains(part),
            "{}",
            ran.stderr
        );
    }
}
