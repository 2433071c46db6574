//! Records of commands: shown, explained, and as a page.

use std::fs;

use super::Place;

#[test]
fn records_are_shown_explained_and_reported() {
    let place = Place::new();
    let printed = place.measured(&["--runs", "20", "-n", "quick", "true", "sleep 0.01"]);
    let shown = place.run(&["show"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.ends_with(&printed.stdout), "{}", shown.stdout);
    let csv = place.run(&["show", "--format", "csv"]);
    for metric in ["time", "cpu_time", "peak_memory", "page_faults", "switches"] {
        let rows = csv
            .stdout
            .lines()
            .filter(|row| row.contains(&format!(",{metric},")));
        assert_eq!(rows.count(), 2, "{metric}: {}", csv.stdout);
    }
    let explained = place.run(&["explain", "sleep 0.01"]);
    assert_eq!(explained.code, Some(0), "{}", explained.stderr);
    let words: Vec<&str> = explained.stdout.split_whitespace().collect();
    let text = words.join(" ");
    for expected in [
        "arguments: \"sleep\" \"0.01\"",
        "came first",
        // Of 20, but of those that other programs disturbed.
        "processes (processes-1; recomputed figures are the same)",
        "paired-commands-signed-rank-1; recomputed figures are the same",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("figures differ"), "{text}");
    let page = place.path("page.html");
    let reported = place.run(&["report", "-o", page.to_str().expect("text")]);
    assert_eq!(reported.code, Some(0), "{}", reported.stderr);
    let page = fs::read_to_string(page).expect("a page");
    // Its table is the one that was printed.
    for column in ["min … max", "user", "system", "peak", "99.9 % interval"] {
        let heading = format!(">{column}<");
        assert_eq!(page.matches(&heading).count(), 1, "{column}");
    }
    for part in [
        "sleep 0.01",
        "quick",
        "2 commands",
        "20 rounds of fresh processes",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let record = printed
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("stored in "));
    let file = place.run(&["explain", record.expect("a record")]);
    assert_eq!(
        (file.code, file.stdout),
        (Some(0), place.run(&["explain"]).stdout)
    );
}
