//! Every read of a file goes by one of two functions, which refuse what does not end, or stands here with its reason.

use syn::visit::{self, Visit};

use crate::tidy::{files, is_rust};

/// The functions that read: of what a repository names, and of what a user names.
const READERS: [&str; 2] = [
    "crates/tourbillon-values/src/regular_file.rs",
    "crates/tourbillon-values/src/named_file.rs",
];

/// Files and folders of the sources that open files in another way, and why.
const EXCEPTIONS: [(&str, &str); 25] = [
    ("crates/cargo-tourbillon/src/allocations.rs", "a test"),
    (
        "crates/tourbillon-os/",
        "pipes, locks and /proc: what a system makes",
    ),
    ("crates/tourbillon-timers/", "devices, /proc and /sys"),
    ("crates/tourbillon-clock/", "/proc and /sys"),
    ("crates/tourbillon-mem/", "/proc/self"),
    (
        "crates/tourbillon-macros/src/digest.rs",
        "the engine's own sources, while it is compiled",
    ),
    (
        "crates/tourbillon-criterion/suites/",
        "a tool of the project, for suites that it fetched",
    ),
    (
        "crates/tourbillon/src/command/worker.rs",
        "the pipes between coordinator and worker",
    ),
    (
        "crates/tourbillon-coordinator/src/platform/",
        "/proc, /sys, /etc and the running executable",
    ),
    ("crates/tourbillon-stepper/src/linux/", "/proc of a worker"),
    (
        "crates/tourbillon-coordinator/src/runner/machine_lock.rs",
        "makes the lock file, which must not exist",
    ),
    (
        "crates/tourbillon-record/src/store/folder.rs",
        "makes the record of a run, which must not exist",
    ),
    (
        "crates/tourbillon-builds/src/cache/lock.rs",
        "syncs files that it has just written",
    ),
    (
        "crates/tourbillon-tool/src/machine_facts.rs",
        "/proc and /sys",
    ),
    (
        "crates/cargo-tourbillon/src/clocks/",
        "/proc, and the stdin of a process of its own",
    ),
    (
        "crates/cargo-tourbillon/src/doctor/tree.rs",
        "/proc and /sys",
    ),
    ("crates/tourbillon-commands/src/canary.rs", "/proc"),
    (
        "crates/tourbillon-commands/src/own_processes.rs",
        "the file that the user names with --input, and the null device",
    ),
    (
        "crates/tourbillon-commands/src/group_file.rs",
        "a file in memory of the coordinator",
    ),
    (
        "crates/tourbillon-commands/src/launcher.rs",
        "/dev/null, and a file in memory",
    ),
    (
        "crates/tourbillon-commands/src/same_output.rs",
        "writes the file that the user names with --output",
    ),
    (
        "crates/tourbillon-compare/src/ci/files.rs",
        "appends to the summary that the service names",
    ),
    (
        "crates/tourbillon-record/src/store/draft.rs",
        "makes a file, which must not exist",
    ),
    (
        "crates/tourbillon-tool/src/output.rs",
        "writes pipes and devices that a user names",
    ),
    (
        "crates/tourbillon-builds/src/cache/bundle/archive.rs",
        "a bundle that a user names, checked to be a file",
    ),
];

/// Calls that read or open a file.
const CALLS: [(&str, &str); 7] = [
    ("fs", "read"),
    ("fs", "read_to_string"),
    ("fs", "copy"),
    ("File", "open"),
    ("File", "options"),
    ("OpenOptions", "new"),
    ("io", "read_to_string"),
];

/// The calls in a file, without its tests.
#[derive(Default)]
struct Calls(Vec<String>);

impl<'a> Visit<'a> for Calls {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !crate::circles::is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect();
        if let [.., from, name] = names.as_slice()
            && CALLS.contains(&(from, name))
        {
            self.0.push(format!("{from}::{name}"));
        }
        visit::visit_path(self, path);
    }
}

fn calls(text: &str) -> Vec<String> {
    let parsed = syn::parse_file(text).expect("sources are Rust");
    let mut calls = Calls::default();
    calls.visit_file(&parsed);
    calls.0
}

/// Whether a text opens files with options of its own through a function that looks at what it has opened.
fn opens_checked(text: &str) -> bool {
    ["regular_file::open_with(", "open_plain("]
        .iter()
        .any(|function| text.contains(function))
}

#[test]
fn files_are_read_by_two_functions() {
    let mut others = Vec::new();
    for (name, text) in files() {
        let is_source = is_rust(&name) && name.starts_with("crates/") && name.contains("/src/");
        let is_test = name.contains("/tests/") || name.ends_with("tests.rs");
        let is_excepted = EXCEPTIONS.iter().any(|(path, _)| name.starts_with(path));
        if !is_source || is_test || is_excepted || READERS.contains(&name.as_str()) {
            continue;
        }
        let found: Vec<String> = calls(&text)
            .into_iter()
            .filter(|call| call != "OpenOptions::new" || !opens_checked(&text))
            .collect();
        if !found.is_empty() {
            others.push(format!("{name} calls {found:?}"));
        }
    }
    assert!(
        others.is_empty(),
        "read with regular_file or named_file of tourbillon-values, or give the reason here: {others:#?}"
    );
}

#[test]
fn calls_are_found() {
    let text = "use std::fs; fn f() { fs::read(p); std::fs::File::open(p); x.read_to_string(&mut s); } \
                #[cfg(test)] mod tests { fn g() { fs::copy(a, b); } }";
    assert_eq!(calls(text), ["fs::read", "File::open"]);
}
