//! Relative paths in cargo's configuration, which begin at a folder of its file.

use std::path::Path;

use toml::{Table, Value};

/// Any key.
const ANY: &str = "*";

/// Where configuration has paths. Those of the target directory are not used for revisions.
const PATHS: [&[&str]; 6] = [
    &["paths"],
    &["source", ANY, "directory"],
    &["source", ANY, "local-registry"],
    &["patch", ANY, ANY, "path"],
    &["http", "cainfo"],
    &["http", "proxy-cainfo"],
];

/// Where it has programs. Without a folder they are in the search path.
const PROGRAMS: [&[&str]; 4] = [
    &["build", "rustc"],
    &["build", "rustc-wrapper"],
    &["build", "rustc-workspace-wrapper"],
    &["target", ANY, "linker"],
];

/// Where it has targets, which are names or files.
const TARGETS: &[&str] = &["build", "target"];

/// Other files of configuration.
const INCLUDED: [&[&str]; 2] = [&["include"], &["include", "path"]];

/// Replaces relative paths: `at_root` gives those that begin at the folder around `.cargo`, `at_file` those that begin
/// in it. A path for which there is none stays.
pub(crate) fn replace(
    table: &mut Table,
    at_root: impl Fn(&str) -> Option<String>,
    mut at_file: impl FnMut(&str) -> Option<String>,
) {
    let is_relative = |path: &str| Path::new(path).is_relative();
    let at_root = |path: &str| is_relative(path).then(|| at_root(path)).flatten();
    let mut at_file = |path: &str| is_relative(path).then(|| at_file(path)).flatten();
    let mut of_program = |word: &str| word.contains(['/', '\\']).then(|| at_root(word)).flatten();
    let mut of_target = |word: &str| word.ends_with(".json").then(|| at_root(word)).flatten();
    for keys in PATHS {
        visit_table(table, keys, &mut &at_root);
    }
    for keys in PROGRAMS {
        visit_table(table, keys, &mut of_program);
    }
    visit_table(table, TARGETS, &mut of_target);
    for keys in INCLUDED {
        visit_table(table, keys, &mut at_file);
    }
    for_runners(table, &mut of_program);
    let Some(variables) = table.get_mut("env").and_then(Value::as_table_mut) else {
        return;
    };
    for (_, value) in variables.iter_mut() {
        if let Some(variable) = value.as_table_mut()
            && variable.get("relative").and_then(Value::as_bool) == Some(true)
        {
            visit_table(variable, &["value"], &mut &at_root);
        }
    }
}

/// The words of a runner are an array, or a text with blanks between them; the first one is a program.
fn for_runners(table: &mut Table, of_program: Replacement<'_>) {
    let targets = table.get_mut("target").and_then(Value::as_table_mut);
    let targets = targets.into_iter().flat_map(Table::iter_mut);
    for runner in targets.filter_map(|(_, target)| target.get_mut("runner")) {
        let mut words = runner_words(runner);
        let program = words.first().and_then(|program| of_program(program));
        if let Some(program) = program {
            words[0] = program;
            let blank = words[0].contains(char::is_whitespace);
            *runner = match runner {
                Value::String(_) if !blank => words.join(" ").into(),
                _ => words.into(),
            };
        }
    }
}

/// The words of a runner.
pub(crate) fn runner_words(runner: &Value) -> Vec<String> {
    let of_array = runner.as_array().into_iter().flatten();
    let of_array = of_array.filter_map(Value::as_str);
    let of_text = runner.as_str().unwrap_or_default().split_whitespace();
    of_array.chain(of_text).map(str::to_owned).collect()
}

/// The files that a file includes.
pub(crate) fn included(table: &Table) -> Vec<String> {
    let (mut table, mut found) = (table.clone(), Vec::new());
    for keys in INCLUDED {
        visit_table(&mut table, keys, &mut |path| {
            found.push(path.to_owned());
            None
        });
    }
    found
}

/// What takes the place of a path; `None` where it stays.
type Replacement<'r> = &'r mut dyn FnMut(&str) -> Option<String>;

fn visit_table(table: &mut Table, keys: &[&str], replacement: Replacement<'_>) {
    let Some((first, rest)) = keys.split_first() else {
        return;
    };
    for (key, value) in table.iter_mut() {
        if *first == ANY || key == first {
            visit(value, rest, replacement);
        }
    }
}

fn visit(value: &mut Value, keys: &[&str], replacement: Replacement<'_>) {
    match value {
        Value::String(text) if keys.is_empty() => {
            if let Some(replaced) = replacement(text) {
                *text = replaced;
            }
        }
        Value::Array(values) => {
            for value in values {
                visit(value, keys, replacement);
            }
        }
        Value::Table(table) => visit_table(table, keys, replacement),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relative_path_is_replaced() {
        let absolute = if cfg!(windows) { "C:/a" } else { "/a" };
        let text = r#"
paths = ["a", "ABSOLUTE"]
include = ["b.toml", { path = "c.toml", optional = true }]
[build]
rustc = "tools/rustc"
rustc-wrapper = "sccache"
target = ["x86_64-unknown-linux-gnu", "own.json"]
rustflags = ["-Lnative=lib"]
[target.'cfg(unix)']
linker = "tools/ld"
runner = "tools/run -x ./y"
[target.x]
runner = ["tools/run", "./y"]
[target.y]
runner = "valgrind ./y"
[source.vendored]
directory = "vendor"
[patch.crates-io.shop]
path = "shop"
[env]
DATA = { value = "data", relative = true }
PLAIN = { value = "data" }
"#;
        let mut table: Table = text.replace("ABSOLUTE", absolute).parse().expect("TOML");
        assert_eq!(included(&table), ["b.toml", "c.toml"]);
        let below = |folder: &'static str| move |path: &str| Some(format!("/{folder}/{path}"));
        replace(&mut table, below("base"), below("file"));
        let expected: Table = r#"
paths = ["/base/a", "ABSOLUTE"]
include = ["/file/b.toml", { path = "/file/c.toml", optional = true }]
[build]
rustc = "/base/tools/rustc"
rustc-wrapper = "sccache"
target = ["x86_64-unknown-linux-gnu", "/base/own.json"]
rustflags = ["-Lnative=lib"]
[target.'cfg(unix)']
linker = "/base/tools/ld"
runner = "/base/tools/run -x ./y"
[target.x]
runner = ["/base/tools/run", "./y"]
[target.y]
runner = "valgrind ./y"
[source.vendored]
directory = "/base/vendor"
[patch.crates-io.shop]
path = "/base/shop"
[env]
DATA = { value = "/base/data", relative = true }
PLAIN = { value = "data" }
"#
        .replace("ABSOLUTE", absolute)
        .parse()
        .expect("TOML");
        assert_eq!(table, expected);
    }
}
