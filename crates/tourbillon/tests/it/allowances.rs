//! Places that start programs, give them words or create files in a way of their own: each has its reason here.
//!
//! Programs are started through `tourbillon_builds::Invocation`, by which no value becomes a flag. Files are written
//! through `tourbillon_record::store::Draft`, or created where there was none: a link that another user or a branch
//! made is not followed.

use crate::tidy::{files, is_rust};

/// What needs a reason, in each group by what it is in the source.
const STARTS: [&str; 13] = [
    "Command::new(",
    "Command as ",
    "Launcher::new(",
    "Launcher::through(",
    "CreateProcess",
    "execv",
    "posix_spawn",
    "libc::fork(",
    "libc::clone(",
    "SYS_clone,",
    "libc::system(",
    ".exec()",
    "open::that",
];
const WORDS: [&str; 6] = [
    ".arg(",
    ".args(",
    ".arg0(",
    ".raw_arg(",
    ".argument(",
    ".verbatim(",
];
const FILES: [&str; 6] = [
    "temp_dir",
    "fs::write(",
    "fs::copy(",
    "File::create(",
    ".create(true)",
    ".truncate(true)",
];

/// How often a file may do it, and why.
type Allowance = (&'static str, &'static [(&'static str, usize)], &'static str);

const ALLOWED_STARTS: &[Allowance] = &[
    (
        "crates/tourbillon-builds/src/invocation.rs",
        &[("Command::new(", 1)],
        "the way for all others",
    ),
    (
        "crates/tourbillon-builds/src/compile/rustc_wrapper.rs",
        &[(".exec()", 1)],
        "the compiler, as cargo starts this program",
    ),
    (
        "crates/tourbillon-builds/src/cache/keep.rs",
        &[("Launcher::new(", 1)],
        "a program in the cache, as a worker",
    ),
    (
        "crates/tourbillon-coordinator/src/runner/processes.rs",
        &[("Launcher::new(", 3)],
        "this program or one in the cache, as a worker; the subcommand, which steps one, by an absolute path",
    ),
    (
        "crates/tourbillon-criterion/src/process/listing.rs",
        &[("Launcher::new(", 1)],
        "this program",
    ),
    (
        "crates/tourbillon-os/src/launcher.rs",
        &[("Command::new(", 2), ("Launcher::through(", 1)],
        "a worker by its path, with an emulator as cargo's variable names it",
    ),
    (
        "crates/tourbillon-stepper/src/linux/system_calls.rs",
        &[("execv", 3)],
        "names of calls, which it counts",
    ),
    (
        "crates/tourbillon-os/src/windows/launcher.rs",
        &[("CreateProcess", 2)],
        "a worker by its path",
    ),
    (
        "crates/tourbillon-os/src/macos/machine.rs",
        &[("Command::new(", 1)],
        "pmset by its path, with words of this code",
    ),
    (
        "crates/tourbillon-os/src/command/linux.rs",
        &[("execv", 1), ("libc::fork(", 1), ("libc::clone(", 1)],
        "commands that the user typed to have them measured",
    ),
    (
        "crates/tourbillon-os/src/command/own.rs",
        &[("Command::new(", 1)],
        "the same on macOS",
    ),
    (
        "crates/tourbillon-os/src/command/guardian/linux.rs",
        &[("SYS_clone,", 1)],
        "a copy of this process, which waits for a program of `Invocation`",
    ),
    (
        "crates/tourbillon-commands/src/launcher.rs",
        &[("Command::new(", 1), ("Launcher::new(", 1)],
        "the same: `PreparedCommand`, and this program",
    ),
    (
        "crates/cargo-tourbillon/src/compare.rs",
        &[("Command::new(", 1)],
        "clap's, of this subcommand",
    ),
    (
        "crates/cargo-tourbillon/src/report/mod.rs",
        &[("open::that", 1)],
        "the browser, with an absolute path",
    ),
];

const ALLOWED_WORDS: &[Allowance] = &[
    (
        "crates/tourbillon-os/src/command/own.rs",
        &[(".arg0(", 1), (".args(", 1)],
        "all words of a command, as typed",
    ),
    (
        "crates/tourbillon-builds/src/invocation.rs",
        &[(".arg(", 4), (".args(", 4), (".verbatim(", 1)],
        "the way for all others; the words of cargo's runner of a target",
    ),
    (
        "crates/tourbillon-builds/src/compile/rustc_wrapper.rs",
        &[(".verbatim(", 1)],
        "the words that cargo has for the compiler",
    ),
    (
        "crates/tourbillon-builds/src/placement/link_line.rs",
        &[(".verbatim(", 1)],
        "the command that rustc ran, again",
    ),
    (
        "crates/tourbillon-builds/src/placement/relink.rs",
        &[(".verbatim(", 2)],
        "the command that rustc ran, again",
    ),
    (
        "crates/tourbillon-builds/src/elsewhere/runner.rs",
        &[(".verbatim(", 1)],
        "the words that the user typed before those of a program elsewhere",
    ),
    (
        "crates/tourbillon-builds/src/cache/keep.rs",
        &[(".argument(", 1)],
        "the word that makes a worker",
    ),
    (
        "crates/tourbillon-coordinator/src/runner/processes.rs",
        &[(".argument(", 6)],
        "the word that makes a worker, or the words of this process; three words for what steps a worker",
    ),
    (
        "crates/tourbillon-criterion/src/process/listing.rs",
        &[(".argument(", 1)],
        "the words of this process",
    ),
    (
        "crates/tourbillon-os/src/launcher.rs",
        &[(".arg(", 2), (".args(", 1), (".arg0(", 1)],
        "what the two above add, after the words of an emulator",
    ),
    (
        "crates/tourbillon-os/src/macos/machine.rs",
        &[(".args(", 1)],
        "words of this code",
    ),
    (
        "crates/cargo-tourbillon/src/run/start.rs",
        &[(".verbatim(", 1)],
        "flags that the user typed for bench programs",
    ),
    (
        "crates/tourbillon-compare/src/pairing/files_read.rs",
        &[(".verbatim(", 1)],
        "the flags of the list, again",
    ),
    (
        "crates/tourbillon-compare/src/pairing/listing.rs",
        &[(".verbatim(", 1)],
        "flags that the user typed for bench programs; ids of cases after `--`",
    ),
    (
        "crates/tourbillon-compare/src/verify.rs",
        &[(".verbatim(", 1)],
        "the same",
    ),
    (
        "crates/tourbillon-history/src/backfill.rs",
        &[(".verbatim(", 1)],
        "the same",
    ),
    (
        "crates/cargo-tourbillon/src/clocks/mod.rs",
        &[(".args(", 1)],
        "clap's, of a group of flags",
    ),
    (
        "crates/cargo-tourbillon/src/compare.rs",
        &[(".args(", 1)],
        "clap's, of a group of flags",
    ),
];

const ALLOWED_FILES: &[Allowance] = &[
    (
        "crates/tourbillon-os/src/stderr_file.rs",
        &[("temp_dir", 1)],
        "without a name, or new with a random one",
    ),
    (
        "crates/tourbillon-os/src/stdout_hold.rs",
        &[("File::create(", 1)],
        "the same",
    ),
    (
        "crates/tourbillon-coordinator/src/runner/machine_lock.rs",
        &[("temp_dir", 1)],
        "for a Windows without `ProgramData`; opens regular files alone, and creates new ones",
    ),
    (
        "crates/tourbillon-os/src/process.rs",
        &[("fs::write(", 1)],
        "a file of the kernel",
    ),
    (
        "crates/tourbillon-builds/src/cache/build.rs",
        &[("fs::write(", 2)],
        "in the folder of a build in the cache",
    ),
    (
        "crates/tourbillon-builds/src/source/checkout.rs",
        &[("fs::write(", 1)],
        "in the folder of a repository in the cache, not in the clone",
    ),
    (
        "crates/tourbillon-builds/src/cache/keep.rs",
        &[("fs::copy(", 1)],
        "in a new folder of the cache",
    ),
    (
        "crates/tourbillon-builds/src/cache/mod.rs",
        &[("temp_dir", 1)],
        "a file without a name, which is gone at once",
    ),
    (
        "crates/tourbillon-builds/src/cache/lock.rs",
        &[("fs::write(", 1), (".create(true)", 1)],
        "locks and new folders of the cache; the user's Cargo.lock with what it had",
    ),
    (
        "crates/tourbillon-builds/src/placement/mod.rs",
        &[("fs::write(", 1)],
        "in the folder of a build in the cache",
    ),
    (
        "crates/tourbillon-builds/src/placement/relink.rs",
        &[("fs::write(", 2)],
        "in a new folder of the cache",
    ),
    (
        "crates/tourbillon-builds/src/placement/kept_inputs.rs",
        &[("fs::write(", 1), ("fs::copy(", 1)],
        "in a new folder of the cache",
    ),
    (
        "crates/tourbillon-builds/src/cache/saved_build.rs",
        &[("fs::copy(", 1)],
        "in a new folder of the cache",
    ),
    (
        "crates/tourbillon-builds/src/cache/bundle/unpack.rs",
        &[("fs::copy(", 1)],
        "in a new folder of the cache",
    ),
    (
        "crates/tourbillon-compare/src/ci/files.rs",
        &[(".create(true)", 1)],
        "appends to the file that GitHub names for the summary",
    ),
    (
        "crates/tourbillon-history/src/acceptance.rs",
        &[(".create(true)", 1)],
        "appends to a regular file alone",
    ),
    (
        "crates/tourbillon-commands/src/same_output.rs",
        &[("File::create(", 1)],
        "the file that the user names with --output",
    ),
    (
        "crates/tourbillon-commands/src/own_processes.rs",
        &[("File::create(", 2)],
        "the file that the user names with --output; `StderrFile::create`",
    ),
    (
        "crates/cargo-tourbillon/src/allocations.rs",
        &[("fs::write(", 1)],
        "a test, which counts memory",
    ),
    (
        "crates/cargo-tourbillon/src/doctor/machines/mod.rs",
        &[("fs::write(", 1)],
        "recorded machines, for tests",
    ),
    (
        "crates/tourbillon-os/src/command/stream.rs",
        &[(".create(true)", 1), (".truncate(true)", 1)],
        "the file that the user names with --output",
    ),
    (
        "crates/tourbillon-values/src/regular_file.rs",
        &[("fs::copy(", 1)],
        "into folders of random names, for this user alone",
    ),
    (
        "crates/tourbillon-os/src/launcher.rs",
        &[("File::create(", 1)],
        "`StderrFile::create`",
    ),
    (
        "crates/tourbillon-os/src/windows/launcher.rs",
        &[("File::create(", 1)],
        "`StderrFile::create`",
    ),
];

/// The code of a file: without comments and without its tests, which are at the end.
fn code(text: &str) -> String {
    let end = text.find("mod tests {").unwrap_or(text.len());
    let lines = text[..end].lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// The code of every file of the product.
pub(crate) fn product() -> Vec<(String, String)> {
    let is_ours = |name: &str| {
        let others = ["/tests/", "/tests.rs", "/suites/"];
        let is_source = name.starts_with("crates/") && name.contains("/src/") && is_rust(name);
        is_source && !others.iter().any(|part| name.contains(part))
    };
    let all = files().into_iter().filter(|(name, _)| is_ours(name));
    all.map(|(name, text)| (name, code(&text))).collect()
}

/// What a text does more often than it may.
fn excess(name: &str, code: &str, what: &[&str], allowed: &[Allowance]) -> Vec<String> {
    let may = |pattern: &str| {
        let own = allowed.iter().filter(|(place, ..)| name.starts_with(place));
        let counts = own.flat_map(|(_, counts, _)| counts.iter());
        let counts = counts.filter(|(one, _)| *one == pattern);
        counts.map(|(_, count)| *count).sum::<usize>()
    };
    let is_more = |pattern: &&&str| code.matches(**pattern).count() > may(pattern);
    let more = what.iter().filter(is_more);
    more.map(|pattern| format!("{name}: `{pattern}`")).collect()
}

fn check(what: &[&str], allowed: &[Allowance], remedy: &str) {
    let all = product();
    let found: Vec<String> = all
        .iter()
        .flat_map(|(name, code)| excess(name, code, what, allowed))
        .collect();
    assert!(found.is_empty(), "{remedy}:\n{}", found.join("\n"));
    for (place, ..) in allowed {
        let is_there = all.iter().any(|(name, _)| name.starts_with(place));
        assert!(all.is_empty() || is_there, "{place} is no longer there");
    }
}

#[test]
fn programs_are_started_in_one_way() {
    let remedy = "start it through `Invocation`, or list it in this test with the reason";
    check(&STARTS, ALLOWED_STARTS, remedy);
}

#[test]
fn words_are_added_in_one_way() {
    let remedy = "add it through `Invocation`: a value in one word with its flag, or an operand";
    check(&WORDS, ALLOWED_WORDS, remedy);
}

#[test]
fn files_are_created_in_one_way() {
    let remedy = "write it through `Draft`, or as a new file, or list it with the reason";
    check(&FILES, ALLOWED_FILES, remedy);
}

#[test]
fn a_new_place_is_found() {
    let text = "fn a() {\n    // Command::new(\"a\")\n    Command::new(\"git\").arg(value);\n}\n\n\
                #[cfg(test)]\nmod tests {\n    Command::new(\"b\");\n}\n";
    let code = code(text);
    let found = |what: &[&str], allowed: &[Allowance]| excess("crates/x.rs", &code, what, allowed);
    assert_eq!(
        found(&STARTS, ALLOWED_STARTS),
        ["crates/x.rs: `Command::new(`"]
    );
    assert_eq!(found(&WORDS, ALLOWED_WORDS), ["crates/x.rs: `.arg(`"]);
    assert!(
        found(
            &STARTS,
            &[("crates/x.rs", &[("Command::new(", 1)], "a reason")]
        )
        .is_empty()
    );
}
