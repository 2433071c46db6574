//! The kernels compiled with optimisation to assembly, once; and the timed loops in it. Which example of
//! a package holds them, the root of its tests says.
//!
//! Keep, hide and touch are empty pieces of inline assembly; what the compiler prints around them marks
//! the loops.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::KERNELS;

/// Stands before every piece of inline assembly.
const MARKER: &str = "#APP";

/// Innermost loops that hold a marker, for each kernel: instructions and markers, in order.
type Loops = BTreeMap<String, Vec<Vec<String>>>;

/// Compiles the kernels once.
fn loops() -> &'static Loops {
    static LOOPS: OnceLock<Loops> = OnceLock::new();
    LOOPS.get_or_init(|| {
        let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernels");
        let output = Command::new(env!("CARGO"))
            .current_dir(&package)
            .env("CARGO_TARGET_DIR", &target)
            .env_remove("RUSTFLAGS")
            .args(["rustc", "--release", "--example", KERNELS, "--quiet", "--"])
            .args([
                "--emit",
                "asm",
                "-Ccodegen-units=1",
                "-Csymbol-mangling-version=v0",
            ])
            .output()
            .expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "the kernels do not compile:\n{said}"
        );
        let folder = target.join("release/examples");
        let newest = std::fs::read_dir(&folder)
            .expect("cargo made the folder")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
            .filter(|path| path.to_string_lossy().contains(&format!("/{KERNELS}-")))
            .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
            .expect("rustc wrote assembly");
        by_kernel(&std::fs::read_to_string(newest).expect("assembly is text"))
    })
}

/// The marked innermost loops of each function of the engine that was made for a kernel.
fn by_kernel(assembly: &str) -> Loops {
    let mut by_symbol: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let mut aliases = Vec::new();
    let mut symbol = None;
    let mut body: Vec<&str> = Vec::new();
    for line in assembly.lines() {
        if let Some(label) = line.strip_suffix(':').filter(|one| !one.starts_with('.')) {
            symbol = Some(label);
            body.clear();
        } else if line.trim_start().starts_with(".cfi_endproc") {
            if let Some(symbol) = symbol.take() {
                by_symbol.insert(symbol, marked_loops(&body));
            }
        } else if let Some((alias, same)) = line.split_once(" = ") {
            // Functions of the same instructions are one function with several names.
            aliases.push((alias.trim(), same.trim()));
        } else {
            body.push(line.trim());
        }
    }
    for (alias, same) in aliases {
        if let Some(loops) = by_symbol.get(same).cloned() {
            by_symbol.insert(alias, loops);
        }
    }
    let mut loops = Loops::new();
    for (symbol, found) in by_symbol {
        if let Some(kernel) = kernel_of(symbol) {
            loops.entry(kernel).or_default().extend(found);
        }
    }
    loops
}

/// The kernel in whose closure's instance a symbol is: the path from the crate on, in which v0
/// mangling puts the length of each name before it. `word::k_iter` for one among the outputs.
fn kernel_of(symbol: &str) -> Option<String> {
    if !symbol.contains("tourbillon_engine") {
        return None;
    }
    let example = format!("{}{KERNELS}", KERNELS.len());
    let mut rest = symbol.split_once(&example)?.1;
    let mut path = Vec::new();
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let length: usize = rest[..digits].parse().ok()?;
        let name = rest[digits..].get(..length)?;
        rest = &rest[digits + length..];
        if name != "outputs" {
            path.push(name);
        }
        if name.starts_with("k_") {
            return Some(path.join("::"));
        }
    }
}

/// Every innermost loop in `body` with a marker: instructions and markers, in order.
fn marked_loops(body: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (end, line) in body.iter().enumerate() {
        let Some(target) = line
            .strip_prefix('j')
            .and_then(|rest| rest.split_whitespace().nth(1))
        else {
            continue;
        };
        let label = format!("{target}:");
        let Some(start) = body[..end].iter().rposition(|line| *line == label) else {
            continue;
        };
        let lines: Vec<String> = body[start + 1..=end]
            .iter()
            .filter(|line| !line.is_empty() && !line.starts_with('.'))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        // Labels of the tables for unwinding are no places to jump to.
        let place = |line: &&str| line.ends_with(':') && !line.starts_with(".Ltmp");
        let inner = body[start + 1..=end].iter().any(place);
        if !inner && lines.iter().any(|line| line == MARKER) {
            found.push(lines);
        }
    }
    found
}

/// Instructions of a loop without markers and without what counts the iterations: at the end, a jump
/// after a decrement, or after an increment and a comparison.
fn instructions(of: &[String]) -> Vec<&str> {
    let mut lines: Vec<&str> = of
        .iter()
        .map(String::as_str)
        .filter(|line| !line.starts_with('#'))
        .collect();
    lines.pop();
    if lines.pop().is_some_and(|line| line.starts_with("cmpq")) {
        lines.pop();
    }
    lines
}

/// The instructions of a kernel's timed loops: of the shortest and the longest one.
pub(crate) fn ends(kernel: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let loops = loops()
        .get(kernel)
        .unwrap_or_else(|| panic!("no timed loop of {kernel}"));
    let by_length = |lines: &&Vec<String>| lines.len();
    let shortest = loops.iter().min_by_key(by_length);
    let longest = loops.iter().max_by_key(by_length);
    let (Some(shortest), Some(longest)) = (shortest, longest) else {
        panic!("no innermost loop of {kernel} is marked");
    };
    (instructions(shortest), instructions(longest))
}

/// Mnemonics of a loop.
pub(crate) fn mnemonics<'a>(of: &[&'a str]) -> Vec<&'a str> {
    of.iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}
