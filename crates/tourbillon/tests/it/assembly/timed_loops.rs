//! Examples of kernels, compiled with optimisation to assembly, once each; and the timed loops in it.
//!
//! Keep, hide and touch are empty pieces of inline assembly; what the compiler prints around them marks
//! the loops.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// An example that holds kernels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    /// The package whose example it is: the name of a folder of `crates/`.
    pub(super) package: &'static str,
    pub(super) name: &'static str,
}

/// Packages that tests of an example's package use. Cargo compiles them for the example, too, which does not link them.
const OF_TESTS: [&str; 3] = ["nojson", "proc-macro2", "syn"];

/// Stands before every piece of inline assembly.
const MARKER: &str = "#APP";

/// Innermost loops that hold a marker, for each kernel: instructions and markers, in order.
type Loops = BTreeMap<String, Vec<Vec<String>>>;

/// Compiles the kernels of an example once, divided into as many codegen units.
fn loops(example: Example, units: u32) -> &'static Loops {
    static LOOPS: Mutex<BTreeMap<(&str, u32), &Loops>> = Mutex::new(BTreeMap::new());
    let mut known = LOOPS.lock().expect("no other test failed meanwhile");
    known.entry((example.name, units)).or_insert_with(|| {
        let loops = by_kernel(example.name, &assembly(example, units));
        Box::leak(Box::new(loops))
    })
}

/// The assembly of all codegen units, one after the other.
fn assembly(example: Example, units: u32) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(example.package);
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("kernels-{units}"));
    let levels = OF_TESTS
        .iter()
        .map(|package| format!("--config=profile.release.package.{package}.opt-level=0"));
    let output = Command::new(env!("CARGO"))
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .args(["rustc", "--release", "--example", example.name, "--quiet"])
        .args(levels)
        // The example belongs to one of the packages.
        .args(["--", "-Copt-level=3"])
        .args(["--emit", "asm", "-Csymbol-mangling-version=v0"])
        .arg(format!("-Ccodegen-units={units}"))
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "the kernels do not compile:\n{errors}"
    );
    let files: Vec<PathBuf> = std::fs::read_dir(target.join("release/examples"))
        .expect("cargo made the folder")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("{}-", example.name))
        })
        .collect();
    let newest = files
        .iter()
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("rustc wrote assembly");
    // One file for each codegen unit, with its number after this; one file alone has none.
    let build = |path: &Path| {
        let path = path.to_string_lossy();
        path.split("-cgu").next().map(str::to_owned)
    };
    let read = |path| std::fs::read_to_string(path).expect("assembly is text");
    let of_newest = files.iter().filter(|path| build(path) == build(newest));
    of_newest.map(read).collect()
}

/// The marked innermost loops of each function of the engine that was made for a kernel.
fn by_kernel(example: &str, assembly: &str) -> Loops {
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
        if let Some(kernel) = kernel_of(example, symbol) {
            loops.entry(kernel).or_default().extend(found);
        }
    }
    loops
}

/// The kernel in whose closure's instance a symbol is: the path from the crate on, in which v0
/// mangling puts the length of each name before it. `word::k_iter` for one among the outputs.
fn kernel_of(example: &str, symbol: &str) -> Option<String> {
    if !symbol.contains("tourbillon_engine") {
        return None;
    }
    let root = format!("{}{example}", example.len());
    let mut rest = symbol.split_once(&root)?.1;
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

/// Every innermost loop in `body` with a marker: instructions and markers, in order. Loops with a fence
/// are no timed ones: they say whether calls overlap.
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
        let fenced = lines.iter().any(|line| line == "lfence");
        if !inner && !fenced && lines.iter().any(|line| line == MARKER) {
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

/// The instructions of the timed loops of a kernel in an example that is divided into as many codegen
/// units: of the shortest and the longest one.
pub(super) fn ends_in(
    example: Example,
    units: u32,
    kernel: &str,
) -> (Vec<&'static str>, Vec<&'static str>) {
    let loops = loops(example, units)
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
pub(super) fn mnemonics<'a>(of: &[&'a str]) -> Vec<&'a str> {
    of.iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}
