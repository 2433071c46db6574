//! Scripts that pages name have the flags and parts that pages give them and a small form in
//! `scripts/smoke.sh`; pages of evidence name the commit of their figures.

use std::collections::BTreeMap;

use crate::tidy::files;

/// A script as a page names it, and the flags and parts after it.
#[derive(Debug, PartialEq)]
struct Named<'p> {
    script: &'p str,
    words: Vec<&'p str>,
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_".contains(c)
}

/// Whether a text is the name of a commit.
fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len()) && word.chars().all(|c| c.is_ascii_hexdigit())
}

/// Not a number, a file, a commit, or what a user replaces, such as `FOLDER` or `[RUNS]`.
fn is_flag_or_part(word: &str) -> bool {
    word.starts_with(|c: char| c == '-' || c.is_ascii_lowercase())
        && word.chars().all(is_of_name)
        && !is_commit(word)
}

/// The script that a text begins with, behind `scripts/`.
fn script(text: &str) -> Option<Named<'_>> {
    let is_of_file = |c| is_of_name(c) || c == '.';
    let end = text.find(|c| !is_of_file(c)).unwrap_or(text.len());
    let script = text[..end].trim_end_matches('.');
    if !script.ends_with(".sh") && !script.ends_with(".py") {
        return None;
    }
    let ends = |c| "`#&|;,:)".contains(c);
    let arguments = text[end..].split(ends).next()?.split(" -->").next()?;
    // Every second piece is a text in quotes.
    let words = arguments.split('\'').step_by(2);
    let words = words.flat_map(str::split_whitespace);
    Some(Named {
        script,
        words: words.filter(|word| is_flag_or_part(word)).collect(),
    })
}

/// The scripts that a line names.
fn named(line: &str) -> Vec<Named<'_>> {
    line.split("scripts/").skip(1).filter_map(script).collect()
}

/// The code that reads a script's arguments: its own without comments, and that of the programs behind it.
fn code(script: &str, files: &BTreeMap<String, String>) -> String {
    let (stem, _) = script.split_once('.').expect("an ending");
    let folder = format!("scripts/{}/", stem.replace('-', "_"));
    let python = format!("scripts/{stem}.py");
    let is_behind = |name: &str| {
        name == python
            || name.starts_with(&folder) && name.ends_with(".py")
            || stem == "sim" && name == "sim/src/main.rs"
    };
    let own = files.get(&format!("scripts/{script}"));
    let own = own.unwrap_or_else(|| panic!("there is no scripts/{script}"));
    let lines = own
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let behind = files.iter().filter(|(name, _)| is_behind(name));
    let behind = behind.map(|(_, text)| text.as_str());
    lines.chain(behind).flat_map(|text| [text, "\n"]).collect()
}

#[test]
fn a_line_names_scripts_flags_and_parts() {
    let line = "`scripts/a-b.sh part 3 FILE [RUNS] --flag 'a text' x=1` and scripts/c.py, or <!-- scripts/d.sh 1ce5319c one -->";
    let expected = [
        ("a-b.sh", vec!["part", "--flag"]),
        ("c.py", vec![]),
        ("d.sh", vec!["one"]),
    ];
    let expected = expected.map(|(script, words)| Named { script, words });
    assert_eq!(named(line), expected);
}

#[test]
fn commands_of_pages_exist_and_have_a_small_form() {
    let files: BTreeMap<String, String> = files().into_iter().collect();
    let Some(smoke) = files.get("scripts/smoke.sh") else {
        return;
    };
    let rows = smoke.lines().filter(|line| line.contains(" | "));
    let mut forms: Vec<&str> = rows.flat_map(named).map(|form| form.script).collect();
    forms.push("smoke.sh");
    let pages = files.iter().filter(|(name, _)| name.ends_with(".md"));
    for (page, text) in pages.filter(|(name, _)| *name != "CHANGELOG.md") {
        for (line, text) in (1..).zip(text.lines()) {
            for Named { script, words } in named(text) {
                let code = code(script, &files);
                for word in words {
                    let known = code.split(|c| !is_of_name(c)).any(|own| own == word);
                    assert!(
                        known,
                        "{page}:{line}: scripts/{script} does not know {word}"
                    );
                }
                assert!(
                    forms.contains(&script),
                    "{page}:{line} names scripts/{script}, which has no small form in scripts/smoke.sh"
                );
            }
        }
    }
}

/// Whether a text says at or before which commit something was measured, or has a column of commits.
fn names_a_commit(page: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric();
    let words: Vec<&str> = page
        .split(|c| !is_of_word(c))
        .filter(|word| !word.is_empty())
        .collect();
    let stated = words.windows(3).any(|three| {
        let (place, commit) = match *three {
            [place, "commit", commit] => (place, commit),
            [_, place, commit] => (place, commit),
            _ => return false,
        };
        matches!(place, "at" | "At" | "before" | "Before") && is_commit(commit)
    });
    stated || page.contains("| last run | commit |")
}

#[test]
fn evidence_names_the_commit_that_was_measured() {
    assert!(names_a_commit("Measured before 5ff0bc94."));
    assert!(names_a_commit("replayed at commit 5ff0bc94, on two"));
    assert!(!names_a_commit("by 5ff0bc94, before that at 1000"));
    for (page, text) in files() {
        let is_evidence = page.starts_with("docs/evidence/") && page.ends_with(".md");
        assert!(
            !is_evidence || names_a_commit(&text),
            "{page} does not name the commit that was measured; add `Measured at COMMIT.` (`git log {page}`)"
        );
    }
}
