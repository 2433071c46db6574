//! The README and the pages in `docs` are complete, connected, and agree with the sources.

use std::path::Path;

use tourbillon_report::OptionalColumn;

use crate::tidy::{files, workspace};

/// The most lines of the README.
const README_LINES: usize = 200;

/// The most words of all pages, and of a how-to page, as `wc -w` counts them.
const WORDS: usize = 60_000;
const HOW_TO_WORDS: usize = 900;

/// Pages that are made from the program: their words are those of `--help`, and of doc comments of the record.
const GENERATED: [&str; 3] = [
    "docs/reference/flags.md",
    "docs/reference/options.md",
    "docs/reference/record-fields.md",
];

/// The README and the pages of the book, by name.
fn pages() -> Vec<(String, String)> {
    let is_page =
        |name: &str| name == "README.md" || name.starts_with("docs/") && name.ends_with(".md");
    files()
        .into_iter()
        .filter(|(name, _)| is_page(name))
        .collect()
}

/// The first block of a page whose fence begins so.
fn block<'p>(page: &'p str, fence: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("\n{fence}\n")).expect("a block");
    rest.split_once("\n```").expect("its end").0
}

fn read(name: &str) -> String {
    let text = std::fs::read_to_string(workspace().join(name));
    text.unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn pages_are_short() {
    let words = |text: &str| text.split_whitespace().count();
    let pages = pages();
    for (name, text) in &pages {
        let is_how_to = name.starts_with("docs/how-to/");
        assert!(
            !is_how_to || words(text) <= HOW_TO_WORDS,
            "{name} has {} words, more than {HOW_TO_WORDS}: more than one task?",
            words(text)
        );
    }
    // Decisions are read one at a time.
    let counted = pages.iter().filter(|(name, _)| {
        !name.starts_with("docs/decisions/") && !GENERATED.contains(&name.as_str())
    });
    let all: usize = counted.map(|(_, text)| words(text)).sum();
    assert!(
        all <= WORDS,
        "the pages have {all} words, more than {WORDS}"
    );
}

/// Timed code may call what a package compiled of generic functions: docs/how-to/build-time.md.
#[test]
fn no_page_has_a_package_compiled_without_optimisation() {
    for (name, text) in pages() {
        let slow = ["opt-level = 0", "opt-level = 1", "opt-level = \"s\""];
        let mut lines = text.lines();
        let line = lines.find(|line| slow.iter().any(|slow| line.contains(slow)));
        let is_warning =
            |line: &str| line.contains("# makes timed code slow") || line.contains('`');
        assert!(line.is_none_or(is_warning), "{name}: {line:?}");
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read("docs/SUMMARY.md");
    for (name, _) in pages() {
        if let Some(page) = name.strip_prefix("docs/")
            && page != "SUMMARY.md"
        {
            let link = format!("]({page})");
            assert!(
                summary.contains(&link),
                "{name} is not in docs/SUMMARY.md; add a line with {link}"
            );
        }
    }
}

#[test]
fn rust_code_of_the_pages_is_compiled() {
    let included = read("crates/tourbillon/src/pages.rs")
        + &read("crates/tourbillon-criterion/src/lib.rs")
        + &read("examples/src/lib.rs");
    for (name, text) in pages() {
        assert!(
            !text.contains("\n```rust,ignore"),
            "{name}: the code of `rust,ignore` is not compiled; use `rust,no_run`"
        );
        let rust = text.contains("\n```rust");
        assert!(
            !rust || included.contains(&format!("../{name}\"")),
            "{name} has Rust code; add the page to crates/tourbillon/src/pages.rs"
        );
    }
}

#[test]
fn the_readme_is_short_and_shows_an_example_that_runs() {
    let readme = read("README.md");
    let lines = readme.lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines");
    let manifest = block(&readme, "```toml");
    assert!(manifest.starts_with("[lib]\nbench = false"), "{manifest}");
    let example = read("examples/benches/first.rs");
    let (_, example) = example.split_once("\n\n").expect("a doc comment");
    assert_eq!(block(&readme, "```rust"), example.trim_end());
}

/// The words of a line that may be paths: without quotes, brackets and punctuation.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let separates = |c: char| c.is_whitespace() || "`()[],;:'\"|".contains(c);
    line.split(separates)
        .map(|word| word.trim_end_matches('.').trim_start_matches("../"))
}

#[test]
fn sources_that_pages_name_exist() {
    for (name, text) in files() {
        if !name.ends_with(".md") {
            continue;
        }
        let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
        for (line, text) in (1..).zip(text.lines()) {
            for word in words(text) {
                let script = word.starts_with("scripts/") && word.len() > "scripts/".len();
                let source = word.contains("/src/") || word.contains("/tests/");
                // A pattern names no file.
                if !script && !source || word.contains('*') {
                    continue;
                }
                let places = [Path::new(""), Path::new("crates"), folder];
                let found = places
                    .iter()
                    .any(|place| workspace().join(place).join(word).exists());
                assert!(found, "{name}:{line} names {word}, which does not exist");
            }
        }
    }
}

/// The rows of the first table below a heading, without its titles.
fn rows<'p>(page: &'p str, heading: &str) -> impl Iterator<Item = &'p str> {
    let (_, below) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no heading {heading}"));
    let lines = below.lines().skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).skip(2)
}

/// A file without a folder is in that of the path before it.
#[test]
fn the_architecture_names_files_that_exist() {
    let crates = workspace().join("crates");
    let page = read("docs/explanation/architecture.md");
    let mut places = 0;
    for row in page.lines() {
        let mut folder = crates.clone();
        let quoted = row.split('`').skip(1).step_by(2);
        for name in quoted.filter(|word| word.ends_with(".rs") || word.contains("/src/")) {
            let name = name.trim_start_matches("crates/");
            places += 1;
            let parent = if name.contains('/') { &crates } else { &folder };
            let path = parent.join(name);
            assert!(path.exists(), "{name} does not exist: {row}");
            folder = if path.is_dir() {
                path
            } else {
                path.with_file_name("")
            };
        }
    }
    assert!(places > 0);
}

#[test]
fn columns_on_request_are_explained() {
    let table = read("docs/reference/table.md");
    let names = |row: &'_ str| row.split('|').nth(1).unwrap_or_default().to_owned();
    let explained = Vec::from_iter(rows(&table, "## Columns on request").map(names)).concat();
    for (name, _) in OptionalColumn::WORDS {
        let name = format!("`{name}`");
        assert!(
            explained.contains(&name),
            "docs/reference/table.md has no row of {name}"
        );
    }
}

#[test]
fn tables_in_pages_have_the_headings_of_today() {
    let mut tables = 0;
    for (name, text) in pages() {
        // `explain` has a table of launches.
        let is_of_cases = |line: &&str| !line.starts_with('|') && !line.starts_with("launch ");
        let headings = text
            .lines()
            .filter(|line| line.contains("99 % CI ±") || line.contains(" time  ±"))
            .filter(is_of_cases);
        for heading in headings {
            assert!(heading.contains(" time  ±99 %"), "{name}: {heading}");
            tables += 1;
        }
    }
    assert!(tables > 0);
}

/// The cells of a row of a table.
fn cells(row: &str) -> usize {
    let row = row.trim().replace("\\|", "");
    row.trim_matches('|').split('|').count()
}

/// A row that was wrapped, or that lacks a cell, is shown as text or shifted.
#[test]
fn tables_in_pages_are_whole() {
    let mut tables = 0;
    for (name, text) in pages() {
        let mut heading = "";
        let mut is_code = false;
        let mut table = None;
        for (number, line) in (1..).zip(text.lines()) {
            is_code ^= line.trim_start().starts_with("```");
            let is_rule = line.contains("|---") || line.contains("|:-");
            let is_row = line.trim_start().starts_with('|');
            if !is_code {
                assert!(
                    !is_rule || is_row,
                    "{name}:{number} has a table within its text"
                );
                if is_rule {
                    table = Some(cells(heading));
                    tables += 1;
                }
                if let Some(columns) = table.filter(|_| is_row) {
                    assert_eq!(cells(line), columns, "{name}:{number}: {line}");
                }
            }
            table = table.filter(|_| is_row);
            heading = line;
        }
    }
    assert!(tables > 0);
}

/// A comparison builds revisions in a clone elsewhere, from which a relative path leads nowhere.
#[test]
fn manifests_in_pages_name_tourbillon_by_an_absolute_path() {
    let mut manifests = 0;
    for (name, text) in pages() {
        for (_, path) in text
            .lines()
            .filter_map(|line| line.split_once("path = \""))
            .filter(|(_, path)| path.contains("/crates/tourbillon"))
        {
            assert!(path.starts_with('/'), "{name}: {path}");
            manifests += 1;
        }
    }
    assert!(manifests > 0);
}
