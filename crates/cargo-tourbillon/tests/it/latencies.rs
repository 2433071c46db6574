//! Records of calls that were timed one by one.

use std::fs;

use crate::folder::{Folder, run};
use crate::records::write_calls;

#[test]
fn their_percentiles_are_shown_explained_and_drawn() {
    let folder = Folder::new("latencies");
    write_calls(&folder.join("calls.jsonl"));
    let shown = run(&folder, &["show", "calls.jsonl"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for expected in [
        "p50 10.0",
        "p99 30.0",
        "p99.9 needs 10,000 calls a launch",
        "max 30.0 µs",
        "18,000 calls, each with 20.0 ns of clock reading",
    ] {
        assert!(
            shown.stdout.contains(expected),
            "{expected}\n{}",
            shown.stdout
        );
    }
    let explained = run(&folder, &["explain", "handle", "calls.jsonl"]).stdout;
    for metric in ["p50", "p90", "p99", "p99.9", "max"] {
        let figure = explained
            .split(&format!("\n{metric}  "))
            .nth(1)
            .unwrap_or_else(|| panic!("{metric}: {explained}"));
        let words: Vec<&str> = figure.split_whitespace().collect();
        let figure = words.join(" ");
        assert!(figure.contains("18000 calls"), "{figure}");
        assert!(
            figure.contains("recomputed figures are the same"),
            "{figure}"
        );
    }
    let report = run(
        &folder,
        &[
            "report",
            "calls.jsonl",
            "--svg",
            "pictures",
            "-o",
            "report.html",
        ],
    );
    assert_eq!(report.code, Some(0), "{report:?}");
    let pictures = fs::read_dir(folder.join("pictures")).expect("a folder");
    let names = pictures.map(|entry| entry.expect("an entry").path());
    let of_calls = names
        .into_iter()
        .find(|path| path.to_string_lossy().ends_with("-calls.svg"));
    let text = fs::read_to_string(of_calls.expect("a picture of the calls")).expect("a picture");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let of = |name| {
        let mut all = document.root_element().children();
        let found = all.find(|child| child.has_tag_name(name));
        found
            .and_then(|child| child.text())
            .unwrap_or_default()
            .to_owned()
    };
    let title = of(("http://www.w3.org/2000/svg", "title"));
    assert_eq!(title, "handle: single calls");
    let figures = of(("http://www.w3.org/2000/svg", "desc"));
    assert!(figures.starts_with("18000 calls; p50 10.0"), "{figures}");
    assert!(
        figures.contains("; p99 30.0") && figures.contains(" between "),
        "{figures}"
    );
    assert!(
        figures.ends_with("; max 30.01 µs") || figures.ends_with("; max 30.02 µs"),
        "{figures}"
    );
}
