//! Which stored results `show` and `explain` find without a name: the newest of each benchmark of the
//! package around the current folder.

use std::fs;
use std::path::Path;

use tourbillon_record::{Argument, End, Line};

use crate::folder::Folder;
use crate::program::{Ran, command};
use crate::records::{header, lines, store_lines, write_comparison};

/// Two packages in one target folder, each with its own results.
struct Shared(Folder);

impl Shared {
    fn new(test: &str) -> Shared {
        let shared = Shared(Folder::new(test));
        for package in ["shop", "other"] {
            let folder = shared.0.join(package);
            fs::create_dir_all(folder.join("src")).expect("a folder");
            fs::write(folder.join("src/lib.rs"), "").expect("a file");
            let manifest = format!(
                "[package]\nname = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n"
            );
            fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        }
        shared
    }

    /// Stores a run of a package in which `add` takes `ns` nanoseconds, with these arguments of the bench
    /// binary. A filter means `add` alone.
    fn store(&self, package: &str, second: u64, ns: u64, arguments: &[&str]) {
        let mut header = header(second, "model A");
        header.package = package.to_owned();
        let command = [&["checkout", "--bench"], arguments].concat();
        header.command = command.into_iter().map(str::to_owned).collect();
        let of_package = |id: &mut String| *id = id.replace("shop/", &format!("{package}/"));
        let filtered = !arguments.is_empty();
        let mut stored = Vec::new();
        for mut line in lines(&header, ns) {
            let id = match &mut line {
                Line::Case(case) => &mut case.id,
                Line::Launch(launch) => &mut launch.case,
                Line::Result(result) => &mut result.case,
                _ => continue,
            };
            of_package(id);
            if !filtered || id.ends_with("::add") {
                stored.push(line);
            }
        }
        stored.push(Line::End(End::default()));
        store_lines(&self.target().join("tourbillon"), &header, stored);
    }

    fn target(&self) -> std::path::PathBuf {
        self.0.join("target")
    }

    /// Runs `cargo tourbillon` in the folder of a package.
    fn run(&self, package: &str, arguments: &[&str]) -> Ran {
        let mut command = command(&[&["tourbillon"], arguments].concat());
        command.env_remove("TOURBILLON_STORE");
        command.env("CARGO_TARGET_DIR", self.target());
        command.current_dir(self.0.join(package));
        command.output().expect("the program starts").into()
    }

    /// The ids and times that `show` finds for a package, in alphabetical order.
    fn shown(&self, package: &str) -> Vec<String> {
        let ran = self.run(package, &["show", "--format", "csv"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let mut rows: Vec<String> = ran
            .stdout
            .lines()
            .skip(1)
            .map(|row| {
                let fields: Vec<&str> = row.split(',').collect();
                assert_eq!(fields[4], "time", "{row}");
                format!("{} {}", fields[0], fields[6])
            })
            .collect();
        rows.sort();
        rows
    }
}

#[test]
fn a_filtered_run_hides_no_result_and_other_packages_show_none() {
    let shared = Shared::new("newest");
    shared.store("shop", 1, 100, &[]);
    shared.store("shop", 2, 300, &["add"]);
    // The newest run of the target folder is one of another package.
    shared.store("other", 3, 500, &[]);
    let shop = ["shop/checkout::add 304", "shop/checkout::remove 1004"];
    assert_eq!(shared.shown("shop"), shop);
    let other = ["other/checkout::add 504", "other/checkout::remove 5004"];
    assert_eq!(shared.shown("other"), other);

    for (case, time) in [("add", "304.0 ns"), ("remove", "1.004 µs")] {
        let ran = shared.run("shop", &["explain", case]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let first =
            format!("{case}\n  benches/checkout.rs:7, shop/checkout::{case}\n  in the run of ");
        assert!(ran.stdout.starts_with(&first), "{}", ran.stdout);
        let figure = ran.stdout.split("Figures\n").nth(1).expect("figures");
        assert!(figure.contains(time), "{figure}");
    }
    let ran = shared.run("shop", &["explain", "other/checkout::add"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");

    // Each table says how many rows it has, and the newest comparison is named.
    let page = || shared.run("shop", &["show"]).stdout;
    let counts = |page: &str| page.matches("shop/checkout · 1 case ·").count();
    assert_eq!(counts(&page()), 2, "{}", page());
    assert!(!page().contains("newest comparison"), "{}", page());
    let compared = shared
        .target()
        .join("tourbillon/comparisons/runs/shop/checkout");
    fs::create_dir_all(&compared).expect("a folder");
    for (second, times) in [(5, (100, 100)), (6, (100, 200))] {
        let file = format!("20260101T00000{second}.000000000Z-1.jsonl");
        write_comparison(&compared.join(file), second, times.0, times.1);
    }
    let last = page().lines().rev().take(2).collect::<Vec<_>>().join(" ");
    assert!(last.contains("show --comparison`"), "{}", page());
    let again = shared.run("shop", &["show", "--comparison"]).stdout;
    assert!(again.contains("main → "), "{again}");
    assert!(again.contains("1 slower"), "{again}");
    let plot = shared
        .run("shop", &["show", "--comparison", "--plot"])
        .stdout;
    assert!(plot.contains('●') && !plot.contains("no result"), "{plot}");
    assert!(
        page().contains("\nnewest comparison: main → "),
        "{}",
        page()
    );

    // A run of all cases hides what was measured before it.
    shared.store("shop", 4, 700, &[]);
    let shop = ["shop/checkout::add 704", "shop/checkout::remove 7004"];
    assert_eq!(shared.shown("shop"), shop);
}

/// Executables are there, and beside them is the store.
#[test]
fn results_are_found_in_the_build_directory() {
    let shared = Shared::new("newest-build-dir");
    shared.store("shop", 1, 100, &[]);
    let package = shared.0.join("shop");
    fs::create_dir(package.join(".cargo")).expect("a folder");
    let configuration = "[build]\nbuild-dir = \"built\"\n";
    fs::write(package.join(".cargo/config.toml"), configuration).expect("a file");
    fs::rename(shared.target(), package.join("built")).expect("renamed");
    let shop = ["shop/checkout::add 104", "shop/checkout::remove 1004"];
    assert_eq!(shared.shown("shop"), shop);
}

#[test]
fn printed_names_select() {
    let folder = Folder::new("newest-names");
    let header = header(1, "model A");
    let mut sized = Vec::new();
    for size in ["100", "1000"] {
        for mut line in lines(&header, 100) {
            let id = match &mut line {
                Line::Case(case) if case.name == "add" => {
                    case.arguments.push(Argument {
                        axis: "n".to_owned(),
                        value: size.to_owned(),
                    });
                    &mut case.id
                }
                Line::Case(case) => {
                    case.group = "inner::deeper".to_owned();
                    &mut case.id
                }
                Line::Launch(launch) => &mut launch.case,
                Line::Result(result) => &mut result.case,
                _ => continue,
            };
            if id.ends_with("add") {
                *id += &format!("[n={size}]");
            } else if size == "1000" {
                // Without arguments, it is there once.
                continue;
            } else {
                *id = id.replace("::", "::inner::deeper::");
            }
            sized.push(line);
        }
    }
    store_lines(&folder, &header, sized);
    let store = ["--store", folder.to_str().expect("a path of text")];
    let run = |arguments: &[&str]| crate::folder::run(&folder, &[arguments, &store].concat());
    for (typed, id) in [
        ("add/100", "shop/checkout::add[n=100]"),
        ("add[n=100]", "shop/checkout::add[n=100]"),
        ("add/1000", "shop/checkout::add[n=1000]"),
        (
            "inner::deeper/remove",
            "shop/checkout::inner::deeper::remove",
        ),
        (
            "inner::deeper::remove",
            "shop/checkout::inner::deeper::remove",
        ),
        ("remove", "shop/checkout::inner::deeper::remove"),
    ] {
        let ran = run(&["explain", typed]);
        assert_eq!(ran.code, Some(0), "{typed}: {ran:?}");
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(lines[1].contains(id), "{typed}: {ran:?}");
        let ran = run(&["show", "--format", "csv", "--filter", typed]);
        assert_eq!(ran.code, Some(0), "{typed}: {ran:?}");
        let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
        assert_eq!(rows.len(), 1, "{typed}: {rows:?}");
        assert!(rows[0].starts_with(id), "{typed}: {rows:?}");
        let page = folder.join("page.html");
        let output = ["-o", page.to_str().expect("a path of text")];
        let ran = run(&[&["report", "--filter", typed][..], &output].concat());
        assert_eq!(ran.code, Some(0), "{typed}: {ran:?}");
        let page = fs::read_to_string(Path::new(&page)).expect("a page");
        let figures = page.split("id=\"figures\">").nth(1).expect("figures");
        assert_eq!(figures.matches("\"id\":").count(), 1, "{typed}");
        assert!(figures.contains(id), "{typed}");
    }
    let ran = run(&["explain", "add"]);
    let several = "add matches 2 cases; name one:\n  add/1000\n  add/100";
    assert!(ran.stderr.contains(several), "{}", ran.stderr);
}

#[test]
fn all_facts_are_shown_on_request() {
    let shared = Shared::new("newest-verbose");
    shared.store("shop", 1, 10, &[]);
    let heading = |arguments: &[&str]| {
        let ran = shared.run("shop", arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let lines = ran.stdout.lines().take_while(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let short = heading(&["show"]);
    assert!(short.len() <= 4, "{short:#?}");
    let all = heading(&["show", "--verbose"]);
    assert!(all.len() > short.len(), "{all:#?}");
    let began = |lines: &[String]| lines.iter().any(|line| line.starts_with("began "));
    assert!(began(&short) && began(&all), "{short:#?} {all:#?}");
}

/// Half a year into 2031.
const AHEAD: u64 = 170_000_000;

#[test]
fn a_run_of_a_clock_that_was_ahead_is_named_and_hides_none() {
    let shared = Shared::new("newest-ahead");
    shared.store("shop", AHEAD, 900, &[]);
    shared.store("shop", 1, 100, &[]);
    let shop = ["shop/checkout::add 104", "shop/checkout::remove 1004"];
    assert_eq!(shared.shown("shop"), shop);
    let file = shared.0.join("page.html");
    let page = file.to_str().expect("a path of text");
    for arguments in [
        &["show"][..],
        &["explain", "add"],
        &["report", "-o", page],
        &["export", "--format", "openmetrics"],
    ] {
        let ran = shared.run("shop", arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let named = "Z-";
        let warnings = ran.stderr.matches("warning: \"").count();
        assert_eq!(warnings, 1, "{ran:?}");
        assert!(
            ran.stderr.contains("/20310") && ran.stderr.contains(named),
            "{ran:?}"
        );
        assert!(
            ran.stderr.contains("began after now: it counts as older"),
            "{ran:?}"
        );
        assert!(
            ran.stderr.contains("remove it, or set the clock"),
            "{ran:?}"
        );
    }
    // Alone it is better than nothing.
    shared.store("other", AHEAD, 500, &[]);
    let other = ["other/checkout::add 504", "other/checkout::remove 5004"];
    assert_eq!(shared.shown("other"), other);
}
