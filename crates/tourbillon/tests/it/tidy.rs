//! What holds for every file of the project.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text file of the project, by what git would keep; nothing where there is no git.
pub(crate) fn files() -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(workspace())
        .output();
    let Ok(listed) = listed else {
        return Vec::new();
    };
    String::from_utf8_lossy(&listed.stdout)
        .lines()
        .filter_map(|name| {
            let text = std::fs::read_to_string(workspace().join(name)).ok()?;
            Some((name.to_owned(), text))
        })
        .collect()
}

pub(crate) fn is_rust(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "rs")
}

/// Most lines of code in a file.
const MOST_CODE: usize = 400;

/// The lines of a file that are code: no blank ones, no comments, and in a file of sources no tests.
fn code_lines(name: &str, text: &str) -> usize {
    let tests = "\n#[cfg(test)]\nmod tests {";
    let code = if name.contains("/tests/") {
        text
    } else {
        text.split(tests).next().unwrap_or_default()
    };
    let lines = code.lines().map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

/// The group of an import: the standard library, other crates, this one.
fn group(import: &str) -> usize {
    let path = import.trim_start_matches("use ").trim_start_matches("::");
    let root = path.split([':', ';', ' ']).next().unwrap_or_default();
    match root {
        "std" | "core" | "alloc" => 0,
        "crate" | "super" | "self" => 2,
        _ => 1,
    }
}

#[test]
fn imports_are_in_three_groups() {
    for (name, text) in files() {
        if !is_rust(&name) || name.starts_with("benches/") {
            continue;
        }
        let lines = text.lines().skip_while(|line| !line.starts_with("use "));
        let block = lines.take_while(|line| {
            let is_inside = line.is_empty() || line.starts_with([' ', '}']);
            is_inside || line.starts_with("use ")
        });
        let groups: Vec<usize> = block
            .filter(|line| line.starts_with("use "))
            .map(group)
            .collect();
        assert!(
            groups.is_sorted(),
            "{name}: imports of one group stand apart"
        );
    }
}

#[test]
fn a_file_holds_one_idea() {
    for (name, text) in files() {
        let lines = code_lines(&name, &text);
        assert!(
            !is_rust(&name) || lines <= MOST_CODE,
            "{name} has {lines} lines of code, more than {MOST_CODE}: more than one idea?"
        );
    }
}

#[test]
fn a_source_file_begins_with_what_it_holds() {
    for (name, text) in files() {
        let is_source = is_rust(&name) && name.starts_with("crates/") && name.contains("/src/");
        let has_heading = text.starts_with("//! ") || text.starts_with("#![doc = include_str!(");
        assert!(
            !is_source || has_heading,
            "{name} does not begin with a line of documentation (`//!`)"
        );
    }
}

/// `cargo test` need not look through a library for examples if its manifest says that there are none.
#[test]
fn a_library_without_tests_of_documentation_has_no_examples() {
    let files = files();
    for (manifest, text) in &files {
        let Some(folder) = manifest.strip_suffix("Cargo.toml") else {
            continue;
        };
        if !text.contains("\n# It has no examples.\ndoctest = false\n") {
            continue;
        }
        let sources = format!("{folder}src/");
        for (name, code) in files.iter().filter(|(name, _)| name.starts_with(&sources)) {
            let mut lines = code.lines().map(str::trim_start);
            let has_example =
                lines.any(|line| line.starts_with("/// ```") || line.starts_with("//! ```"));
            assert!(
                !has_example,
                "{name} has an example; {manifest} has `doctest = false`"
            );
        }
    }
}

#[test]
fn no_file_has_a_name_that_says_nothing() {
    let empty = [
        "util", "utils", "helpers", "common", "misc", "imp", "manager", "data",
    ];
    for (name, _) in files() {
        for part in Path::new(&name).components() {
            let part = part.as_os_str().to_string_lossy();
            let stem = part.split('.').next().unwrap_or_default();
            assert!(!empty.contains(&stem), "{name}");
        }
    }
}

#[test]
fn no_file_of_a_crate_is_named_by_a_participle() {
    let irregular = [
        "held", "shown", "found", "told", "meant", "made", "kept", "drawn", "taken", "written",
    ];
    for (name, _) in files() {
        let path = Path::new(&name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if is_source && name.starts_with("crates/") {
            let is_participle = stem.ends_with("ed") || irregular.contains(&&*stem);
            assert!(!is_participle, "{name}");
        }
    }
}

/// The names that GitHub gives to the headings of a document, for links: their text in small letters,
/// hyphens for spaces, without punctuation; the second of one name ends with `-1`, the third with `-2`.
fn anchors(document: &str) -> Vec<String> {
    let (mut anchors, mut bases, mut code) = (Vec::new(), Vec::new(), false);
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        let text = line.trim_start_matches('#');
        if code || text.len() == line.len() || !text.starts_with(' ') {
            continue;
        }
        let kept = shown(text.trim()).to_lowercase();
        let kept = kept.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            c => (c.is_alphanumeric() || matches!(c, '-' | '_')).then_some(c),
        });
        let base: String = kept.collect();
        let before = bases.iter().filter(|other| **other == base).count();
        anchors.push(match before {
            0 => base.clone(),
            before => format!("{base}-{before}"),
        });
        bases.push(base);
    }
    anchors
}

/// What a reader sees of a heading: of links their text.
fn shown(heading: &str) -> String {
    let mut shown = String::new();
    let mut rest = heading;
    while let Some((before, link)) = rest.split_once('[')
        && let Some((text, target)) = link.split_once("](")
        && let Some((_, after)) = target.split_once(')')
    {
        shown.push_str(before);
        shown.push_str(text);
        rest = after;
    }
    shown + rest
}

#[test]
fn headings_have_the_names_that_links_use() {
    let document = "# One `two`, three: 4!\n## of_a *kind*\n```sh\n# no heading\n```\n## Again\n#### Again\n\
                    #hashtag\n## Again\n## By [a link](to/a.md#place), & more\n## Ä-ö\n";
    assert_eq!(
        anchors(document),
        [
            "one-two-three-4",
            "of_a-kind",
            "again",
            "again-1",
            "again-2",
            "by-a-link--more",
            "ä-ö",
        ]
    );
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    for (name, text) in files() {
        if !name.ends_with(".md") {
            continue;
        }
        let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = workspace().join(folder).join(target);
            assert!(
                target.is_empty() || path.exists(),
                "{name} links to {target}, which is not there"
            );
            if anchor.is_empty() {
                continue;
            }
            let found = if target.is_empty() {
                anchors(&text)
            } else {
                let there = std::fs::read_to_string(&path);
                anchors(&there.unwrap_or_else(|error| panic!("{name} links to {link}: {error}")))
            };
            assert!(
                found.iter().any(|other| other == anchor),
                "{name} links to {link}, and no heading there is #{anchor}"
            );
        }
    }
}

#[test]
fn no_path_of_one_machine_is_written_down() {
    let paths = ["/ro_ot/", "/ho_me/", "/wo_rk/", "/tm_p/"].map(|path| path.replace('_', ""));
    for (name, text) in files() {
        for path in &paths {
            assert!(
                name.ends_with("tidy.rs") || !text.contains(path),
                "{name} holds {path}"
            );
        }
    }
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    let may = [
        "crates/tourbillon-clock/",
        "crates/tourbillon-timers/",
        "crates/tourbillon-os/",
        "crates/tourbillon-mem/",
        "crates/tourbillon-engine/",
        "crates/tourbillon/src/registry/entry.rs",
        "crates/tourbillon-macros/src/",
        "benches/",
        "examples/",
        "fixtures/",
        // Copied, and compiled as a package of its own.
        "scripts/edits/works/",
        "scripts/why/mill/",
    ];
    for (name, text) in files() {
        if !is_rust(&name) || may.iter().any(|place| name.starts_with(place)) {
            continue;
        }
        let uses = text.lines().any(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && (line.contains("unsafe {") || line.contains("unsafe fn"))
        });
        assert!(
            !uses || name.contains("/tests/"),
            "{name} holds unsafe code"
        );
    }
}
