//! `report`, and `show --plot`.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tourbillon_record::{Case, CaseResult, Entry, Finding, Line, Verdict};
use tourbillon_report::{Names, Style, verdict};

use crate::folder::{Folder, run};
use crate::records::{header, lines, store, store_lines, write, write_comparison};

/// The page that `report` makes of records in a folder.
pub(crate) fn page(folder: &Path, arguments: &[&str]) -> String {
    let ran = run(
        folder,
        &[&["report", "-o", "report.html"], arguments].concat(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, "");
    fs::read_to_string(folder.join("report.html")).expect("a page")
}

/// The texts of the cells of a table row.
fn cells(row: &str) -> Vec<String> {
    let cells = row.split("<td").skip(1).map(|cell| {
        let inside = &cell[cell.find('>').expect("an end") + 1..];
        let mut text = String::new();
        let mut depth = 0;
        for piece in inside.split_inclusive(['<', '>']) {
            if depth == 0 {
                text.push_str(piece.trim_end_matches('<'));
            }
            depth = usize::from(piece.ends_with('<'));
        }
        text
    });
    cells.collect()
}

/// The first table of a page: the cells of each case with text.
fn table(page: &str) -> BTreeMap<String, Vec<String>> {
    let start = page.find("<table").expect("a table");
    let end = page[start..].find("</table>").expect("its end");
    let rows = page[start..start + end]
        .split("<tr")
        .filter(|row| row.contains("data-n="));
    rows.map(|row| {
        // The picture has its figures as a title, which is no cell.
        let mut plain = String::new();
        for part in row.split("<svg") {
            plain.push_str(part.split_once("</svg>").map_or(part, |(_, after)| after));
        }
        let mut cells = cells(&plain).into_iter();
        let name = cells.next().expect("a name");
        (name, cells.filter(|cell| !cell.is_empty()).collect())
    })
    .collect()
}

#[test]
fn every_figure_is_that_of_the_table() {
    let folder = Folder::new("report-figures");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let shown = run(&folder, &["show", "here.jsonl"]);
    let page = page(&folder, &["here.jsonl"]);
    let rows = table(&page);
    let mut seen = 0;
    for line in shown.stdout.lines() {
        let mut words = line.split("  ").filter(|word| !word.trim().is_empty());
        let Some(cells) = words.next().and_then(|name| rows.get(name)) else {
            continue;
        };
        let expected: Vec<&str> = words.map(str::trim).collect();
        assert_eq!(cells, &expected, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 2, "{}", shown.stdout);
    // The ends of the interval, and the launches, in the description of the picture.
    assert!(
        page.contains("launches: 100.0 ns, 101.0 ns, 102.0 ns"),
        "{page}"
    );
    assert!(page.contains("model A"));
}

#[test]
fn a_page_requests_nothing_and_holds_its_figures() {
    let folder = Folder::new("report-page");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    write(&folder.join("there.jsonl"), 2, "model B", 200);
    let page = page(&folder, &["here.jsonl", "there.jsonl"]);
    assert!(
        page.contains("content=\"default-src 'none'; style-src 'sha256-"),
        "{page}"
    );
    for request in [
        " src=", "url(", "@import", "http:", "https:", "fetch(", "style=\"",
    ] {
        assert!(!page.contains(request), "{request}");
    }
    let json = figures(&page);
    let runs = json["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1]["record"], "there");
    let case = &runs[0]["cases"][0];
    assert_eq!(case["id"], "shop/checkout::add");
    assert_eq!(case["results"][0]["estimate"], 104.0);
    assert_eq!(case["launches"].as_array().map(Vec::len), Some(9));
    assert!(page.contains("Side by side"));
    assert!(
        page.len() < 2 * 12_000 + 2 * 2 * 12_000,
        "{} bytes",
        page.len()
    );
}

/// The hash of a file, as `sha256sum` prints it.
fn sha256(path: &Path) -> String {
    let digest = Sha256::digest(fs::read(path).expect("a file"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The figures inside of a page.
pub(crate) fn figures(page: &str) -> Value {
    let block = page.split("id=\"figures\">").nth(1).expect("figures");
    serde_json::from_str(block.split("</script>").next().expect("a block")).expect("JSON")
}

#[test]
fn two_records_and_a_comparison_are_one_page() {
    let folder = Folder::new("report-three");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    write(&folder.join("there.jsonl"), 2, "model B", 200);
    let judged = write_comparison(&folder.join("builds.jsonl"), 3, 100, 110);
    let names = ["here.jsonl", "there.jsonl", "builds.jsonl"];
    let page = page(&folder, &names);
    let json = figures(&page);
    let runs = json["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 3);
    // The verdicts come first, and the page is theirs.
    assert!(page.contains("<h1>builds: "), "{page}");
    for (run, name) in runs.iter().zip([names[2], names[0], names[1]]) {
        let hash = sha256(&folder.join(name));
        assert_eq!(run["sha256"], *hash);
        assert!(
            page.contains(&format!("<dt>sha256</dt><dd>{hash}</dd>")),
            "{name}"
        );
    }
    // Those that were measured stand side by side, the comparison by itself.
    let (_, rest) = page
        .split_once("id=\"side-by-side\"")
        .expect("side by side");
    let (side, _) = rest.split_once("</table>").expect("a table");
    for text in [
        "here: shop/checkout",
        "there: shop/checkout",
        "104 ns",
        "204 ns",
    ] {
        assert!(side.contains(text), "{text}");
    }
    assert!(!side.contains("builds: "), "{side}");
    // The verdict as it was printed.
    let style = Style::of_width(1_000);
    let text = verdict(&judged, &Names::default(), &style);
    let (_, text) = text.split_once(" takes ").expect("a ratio");
    assert!(text.contains("slower"), "{text}");
    assert!(page.contains(&format!("add/100 takes {text}")), "{text}");
    assert_eq!(
        runs[0]["verdicts"][0]["ratio"],
        judged.ratio.expect("a ratio")
    );
    assert_eq!(runs[0]["verdicts"][0]["finding"], "slower");
    for picture in [": pairs in order</title>", ": shift function</title>"] {
        assert_eq!(page.matches(picture).count(), 1, "{picture}");
    }
    // Each decile with its interval, around 1.1.
    let (_, rest) = page
        .split_once(": shift function</title><desc>")
        .expect("a picture");
    let (deciles, _) = rest.split_once("</desc>").expect("a description");
    assert_eq!(deciles.matches(" %: 1.10").count(), 9, "{deciles}");
    assert_eq!(deciles.matches(" [1.10").count(), 9, "{deciles}");
    assert!(page.contains("each with its 99 % CI"));
}

#[test]
fn details_are_of_what_was_measured() {
    let folder = Folder::new("report-unchanged");
    let path = folder.join("builds.jsonl");
    write_comparison(&path, 3, 100, 110);
    let unchanged = Verdict {
        case: "shop/checkout::remove".to_owned(),
        reference: "main".to_owned(),
        finding: Finding::Unchanged,
        ..Verdict::default()
    };
    let record =
        fs::read_to_string(&path).expect("a record") + &Entry::Verdict(&unchanged).encode();
    fs::write(&path, record + "\n").expect("a record");
    let page = page(&folder, &["builds.jsonl"]);
    assert!(
        page.contains("Methods, pairs and deciles of 1 verdict<"),
        "{page}"
    );
    assert_eq!(page.matches("<details class=\"case\"").count(), 1, "{page}");
    assert!(page.contains("1 unchanged") && page.contains("same machine code"));
}

#[test]
fn pictures_are_files_of_their_own() {
    let folder = Folder::new("report-svg");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    page(&folder, &["here.jsonl", "--svg", "pictures"]);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join("pictures")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a picture");
        let document = roxmltree::Document::parse(&text).expect("XML");
        assert_eq!(document.root_element().attribute("role"), Some("img"));
        names.push(
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.sort();
    assert_eq!(names.len(), 8, "{names:?}");
    assert_eq!(names[2], "003-add-lengths.svg");
    assert_eq!(names[0], "001-add-launches.svg");
}

#[test]
fn names_of_records_are_text() {
    let folder = Folder::new("report-hostile");
    write(&folder.join("plain.jsonl"), 1, "model A", 100);
    let plain = fs::read_to_string(folder.join("plain.jsonl")).expect("a record");
    let hostile = r#"</script><img src=x onerror=alert(1)>\u202e\u0000\ud83d\ude00\"'&lt;"#;
    let named = plain
        .replace("checkout::add\"", &format!("checkout::{hostile}\""))
        .replace("\"name\":\"add\"", &format!("\"name\":\"{hostile}\""))
        .replace("\"model A\"", &format!("\"{hostile}\""));
    assert!(named.matches(hostile).count() > 3);
    fs::write(folder.join("hostile.jsonl"), named).expect("a record");
    let page = page(&folder, &["hostile.jsonl", "--svg", "pictures"]);
    assert!(!page.contains("<img"), "{page}");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains(|c: char| c.is_control() && c != '\n'));
    assert!(page.contains(
        r"&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\u{202e}\u{0}😀&quot;'&amp;lt;"
    ));
    for part in page.split("<svg").skip(1) {
        let svg = format!("<svg{}</svg>", part.split("</svg>").next().unwrap());
        roxmltree::Document::parse(&svg).expect("well-formed");
    }
    let json = figures(&page);
    let id = json["runs"][0]["cases"][0]["id"].as_str().expect("an id");
    assert!(
        id.contains("</script><img src=x onerror=alert(1)>\u{202e}\0"),
        "{id:?}"
    );
}

/// The lines of a list as those of runs: what a run has once begins another one, with the header and the case.
fn runs_of<'l>(start: &[&'l str], lines: &'l str) -> Vec<&'l str> {
    let (mut runs, mut known) = (Vec::new(), HashSet::new());
    let case = start[1].split(",\"group\"").next().unwrap_or_default();
    for line in lines.lines() {
        let is = |kind: &str| line.starts_with(&format!("{{\"type\":\"{kind}\""));
        let once = [
            ("case", ",\"group\""),
            ("result", ",\"unit\""),
            ("end", ","),
        ];
        let key = once
            .iter()
            .find(|(kind, _)| is(kind))
            .and_then(|(_, end)| line.split(end).next());
        if is("header") {
            known.clear();
        } else if key.is_some_and(|key| !known.insert(key)) {
            known = key.into_iter().collect();
            runs.push(start[0]);
            if known.insert(case) {
                runs.push(start[1]);
            }
        }
        runs.push(line);
    }
    runs
}

/// Every shape of line that was ever written, comparisons and teams of threads among them.
#[test]
fn old_records_have_reports() {
    let folder = Folder::new("report-golden");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tourbillon-record/tests/golden");
    let whole = fs::read_to_string(golden.join("schema-2-one-run.jsonl")).expect("a record");
    let start: Vec<&str> = whole.lines().take(2).collect();
    let mut seen = Vec::new();
    for entry in fs::read_dir(golden).expect("records") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("lines");
        if text.starts_with("{\"type\":\"hello\"") {
            continue;
        }
        let text = if text.starts_with("{\"type\":\"header\"") {
            text
        } else {
            format!("{}\n{text}", start.join("\n"))
        };
        let text = runs_of(&start, &text).join("\n") + "\n";
        fs::write(folder.join("old.jsonl"), text).expect("a record");
        let page = page(&folder, &["old.jsonl", "--svg", "pictures"]);
        for part in page.split("<svg").skip(1) {
            let svg = format!("<svg{}</svg>", part.split("</svg>").next().unwrap());
            roxmltree::Document::parse(&svg).expect("well-formed");
        }
        let plot = run(&folder, &["show", "old.jsonl", "--plot"]);
        assert_eq!(plot.code, Some(0), "{plot:?}");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if name == "schema-2-comparison" {
            // The verdict as it was printed, and its ratio on the axis of changes.
            assert!(page.contains(
                "takes 0.5000 [0.4980, 0.5030] of the time of shop/checkout::basket::naive: faster"
            ));
            assert!(page.contains("<svg class=\"change good\" role=\"img\""));
        }
        seen.push(name);
    }
    assert!(seen.len() >= 6, "{seen:?}");
}

#[test]
fn without_names_it_is_the_last_run() {
    let folder = Folder::new("report-last");
    store(&folder, 1, 100, None);
    store(&folder, 2, 300, None);
    let at = folder.to_str().expect("a path of text");
    let page = page(&folder, &["--store", at, "--filter", "add"]);
    assert!(page.contains("304 ns"));
    assert!(!page.contains("remove"));
    let none = run(&folder, &["report", "--store", at, "--filter", "nothing"]);
    assert_eq!(none.code, Some(1), "{none:?}");
    let lost = run(
        &folder,
        &["report", "--store", at, "-o", "no/such/folder.html"],
    );
    assert_eq!(lost.code, Some(5), "{lost:?}");
}

#[test]
fn a_terminal_gets_pictures_of_80_columns() {
    let folder = Folder::new("report-plot");
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["show", "here.jsonl", "--plot"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("add"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches('●').count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("104 ns"), "{}", ran.stdout);
    let both = run(&folder, &["show", "here.jsonl", "--plot", "--format", "md"]);
    assert_eq!(both.code, Some(1), "{both:?}");
}

#[test]
fn runs_of_one_target_are_told_apart_by_their_times() {
    let folder = Folder::new("report-times");
    for (minute, cases) in [(1, ["::add", "::remove"]), (2, ["::add", "::add"])] {
        let mut header = header(60 * minute, "model A");
        header.started = format!("2026-01-01T00:0{minute}:00Z");
        let mut stored = lines(&header, 100);
        stored.retain(|line| match line {
            Line::Case(Case { id, .. }) | Line::Result(CaseResult { case: id, .. }) => {
                cases.iter().any(|name| id.ends_with(name))
            }
            _ => true,
        });
        store_lines(&folder.join("store"), &header, stored);
    }
    let titles = ["1", "2"].map(|minute| format!("shop/checkout, 2026-01-01T00:0{minute}:00Z"));
    let page = page(&folder, &["--store", "store"]);
    let plots = run(&folder, &["show", "--store", "store", "--plot"]);
    for (title, age) in titles.iter().zip(["older", "the newest"]) {
        let named = format!(">{title}: 1 case, {age}</a>");
        assert!(page.contains(&named), "{named}: {page}");
        assert!(plots.stdout.contains(&format!("{title}\n")), "{plots:?}");
    }
    // A single run needs no time.
    write(&folder.join("here.jsonl"), 1, "model A", 100);
    let page = self::page(&folder, &["here.jsonl"]);
    assert!(!page.contains("shop/checkout, 2026"), "{page}");
}
