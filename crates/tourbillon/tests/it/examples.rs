//! Every public item of the crates that users name has an example, or a link to an item that has one.
//!
//! A scan of sources: doc comments, and the pages that are compiled as documentation of a crate.

use std::collections::BTreeSet;

use crate::tidy::{files, is_rust};

/// Crates that users name. Of the first, methods need examples too.
const CRATES: [&str; 5] = [
    "tourbillon",
    "tourbillon-clock",
    "tourbillon-timers",
    "tourbillon-mem",
    "tourbillon-stats",
];

/// What users do not call: code that the attribute generates does, and other front ends of the engine do.
const NOT_FOR_USERS: [&str; 2] = [
    "crates/tourbillon/src/registry/",
    "crates/tourbillon/src/command/",
];

/// A public item with its documentation.
#[derive(Debug)]
struct Item {
    name: String,
    docs: String,
    /// File and line.
    place: String,
    is_method: bool,
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// The code in the examples of a text in Markdown.
fn examples(markdown: &str) -> String {
    let (mut code, mut inside, mut fenced) = (String::new(), false, false);
    for line in markdown.lines() {
        if let Some(info) = line.trim().strip_prefix("```") {
            fenced = !fenced;
            let compiles = ["", "rust", "no_run", "ignore", "compile_fail"];
            inside = fenced
                && compiles
                    .iter()
                    .any(|word| info.split(',').any(|i| i == *word));
        } else if inside {
            code += line;
            code.push('\n');
        }
    }
    code
}

/// The documentation in a source file.
fn docs(code: &str) -> String {
    let lines = code.lines().map(|line| {
        let line = line.trim_start();
        let doc = line.strip_prefix("///").or(line.strip_prefix("//!"));
        doc.unwrap_or_default().to_owned() + "\n"
    });
    lines.collect()
}

/// The public items of a source file, without those that the documentation hides.
fn items(file: &str, code: &str) -> Vec<Item> {
    let (mut items, mut docs, mut hidden) = (Vec::new(), String::new(), false);
    for (number, line) in code.lines().enumerate() {
        let text = line.trim_start();
        if let Some(doc) = text.strip_prefix("///") {
            docs += doc;
            docs.push('\n');
            continue;
        }
        if text.starts_with("#[") {
            hidden |= text.contains("doc(hidden)");
            continue;
        }
        let kinds = ["fn ", "struct ", "enum ", "trait "];
        let item = text.strip_prefix("pub ").and_then(|item| {
            let item = item.trim_start_matches("const ");
            kinds.iter().find_map(|kind| item.strip_prefix(kind))
        });
        if let (Some(item), false) = (item, hidden) {
            items.push(Item {
                name: words(item).next().unwrap_or_default().to_owned(),
                docs: docs.clone(),
                place: format!("{file}:{}", number + 1),
                is_method: text.len() < line.len(),
            });
        }
        docs.clear();
        hidden = false;
    }
    items
}

/// The names that a crate's root exports.
fn exports(root: &str) -> BTreeSet<&str> {
    let uses = root.split("pub use ").skip(1);
    uses.flat_map(|text| words(text.split(';').next().unwrap_or_default()))
        .collect()
}

/// The last segments of the links of a documentation: of `[`Bencher::iter`]`, `iter`.
fn links(docs: &str) -> impl Iterator<Item = &str> {
    let links = docs.split("[`").skip(1);
    links.filter_map(|link| {
        let path = link.split('`').next()?;
        path.rsplit("::").next()?.split(['!', '(']).next()
    })
}

/// The items without an example, by the sources and pages of a crate.
fn without_example(
    files: &[(&str, &str)],
    exports: &BTreeSet<&str>,
    with_methods: bool,
) -> Vec<String> {
    let mut code = String::new();
    for (name, text) in files {
        code += &examples(&if is_rust(name) {
            docs(text)
        } else {
            (*text).to_owned()
        });
    }
    let used: BTreeSet<&str> = words(&code).collect();
    let mut missing = Vec::new();
    let sources = files.iter().filter(|(name, _)| is_rust(name));
    for (name, text) in
        sources.filter(|(name, _)| !NOT_FOR_USERS.iter().any(|folder| name.starts_with(folder)))
    {
        for item in items(name, text) {
            let is_meant = if item.is_method {
                with_methods
            } else {
                exports.contains(item.name.as_str())
            };
            let has_example = item.docs.contains("```")
                || used.contains(item.name.as_str())
                || links(&item.docs).any(|link| used.contains(link));
            if is_meant && !has_example {
                missing.push(format!("{} {}", item.place, item.name));
            }
        }
    }
    missing
}

#[test]
fn public_items_have_examples() {
    let files = files();
    let mut missing = Vec::new();
    for name in CRATES {
        let (sources, page) = (
            format!("crates/{name}/src/"),
            format!("crates/{name}/README.md"),
        );
        let of_crate = files
            .iter()
            .filter(|(file, _)| file.starts_with(&sources) || name != CRATES[0] && *file == page);
        let of_crate: Vec<(&str, &str)> = of_crate
            .map(|(file, text)| (file.as_str(), text.as_str()))
            .collect();
        let root = format!("{sources}lib.rs");
        let root = of_crate.iter().find(|(file, _)| *file == root);
        let exports = root.map(|(_, text)| exports(text)).unwrap_or_default();
        missing.extend(without_example(&of_crate, &exports, name == CRATES[0]));
    }
    assert!(
        missing.is_empty(),
        "write an example for these, or a link to an item that has one:\n{}",
        missing.join("\n")
    );
}

#[test]
fn items_without_examples_are_found() {
    let root = "pub use one::{First, second};\npub use two::third;\n";
    let code = "/// A thing.\npub struct First;\n\nimpl First {\n    /// See [`First::made`].\n    \
                pub const fn new() {}\n    /// Alone.\n    pub fn made() {}\n    #[doc(hidden)]\n    \
                pub fn hidden() {}\n}\n\n/// ```\n/// second();\n/// ```\npub fn second() {}\n\n\
                /// Like [`second`].\npub fn third() {}\n\npub fn private() {}\n";
    let files = [("src/one.rs", code), ("README.md", "```text\nFirst\n```\n")];
    let missing = |files: &[(&str, &str)], methods| without_example(files, &exports(root), methods);
    assert_eq!(missing(&files, false), ["src/one.rs:2 First"]);
    let all = [
        "src/one.rs:2 First",
        "src/one.rs:6 new",
        "src/one.rs:8 made",
    ];
    assert_eq!(missing(&files, true), all);
    let page = ("README.md", "```rust\nFirst::made();\n```\n");
    assert_eq!(missing(&[files[0], page], true), [""; 0]);
}
