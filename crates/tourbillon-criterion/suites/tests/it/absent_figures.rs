//! Benchmarks that have no figure.

use crate::suite::{ENDLESS, Ended, Folder, with};

/// Runs `suite-endless`; one launch has no interval across processes.
fn run(home: &Folder, launches: &str, arguments: &[&str]) -> Ended {
    let flags = ["--bench", "--no-store", "--launches", launches];
    let arguments = flags.iter().chain(arguments).copied();
    with(ENDLESS, arguments, &[("CRITERION_HOME", &home.0)])
}

#[test]
fn a_baseline_holds_benchmarks_without_a_figure_and_the_rest_is_compared() {
    let home = Folder::new();
    let saved = run(&home, "8", &["--save-baseline", "a"]);
    assert_eq!(saved.code, Some(0), "{saved:?}");
    // On a busy machine there is another reason.
    let without = "time:   no figure: ";
    assert_eq!(saved.stdout.matches(without).count(), 2, "{saved:?}");
    let compared = run(&home, "8", &["--baseline", "a"]);
    assert_eq!(compared.code, Some(0), "{compared:?}");
    assert_eq!(compared.stdout.matches(without).count(), 2, "{compared:?}");
    assert_eq!(
        compared.stdout.matches("change: [").count(),
        1,
        "{compared:?}"
    );
    let files = |folder: &str| home.0.join("endless_one").join(folder);
    assert!(files("a/tourbillon.jsonl").exists() && !files("a/estimates.json").exists());
}

#[test]
fn what_is_not_compared_says_why() {
    let home = Folder::new();
    let first = run(&home, "1", &["counted"]);
    assert!(!first.stdout.contains("change"), "{first:?}");
    let why = "Not compared with the run before: that has too few launches.\n";
    let next = run(&home, "8", &["counted"]);
    assert!(next.stdout.contains(why), "{next:?}");
    // In the table, once for all benchmarks.
    run(&home, "1", &["counted"]);
    let table = run(&home, "8", &["counted", "--format", "text"]);
    let note = "note: counted not compared with the run before: that has too few launches\n";
    assert_eq!(table.stderr.matches(note).count(), 1, "{table:?}");
}

#[test]
fn a_run_without_any_number_fails_and_says_why_first() {
    let home = Folder::new();
    let ended = run(&home, "2", &["endless"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let why = "error: no benchmark has a number: ";
    assert!(ended.stderr.contains(why), "{ended:?}");
    let page = std::fs::read_to_string(home.0.join("report/index.html"));
    assert!(
        page.is_ok_and(|page| !page.contains("endless/one")),
        "{ended:?}"
    );
    // One number is enough.
    assert_eq!(run(&home, "2", &[]).code, Some(0));
}
