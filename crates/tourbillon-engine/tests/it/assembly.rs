//! What the compiler makes of the timed loops: no instruction that was not asked for, none that was
//! asked for hoisted out or folded.
//!
//! The kernels are compiled with optimisation to assembly. Keep, hide and touch are empty pieces of
//! inline assembly; what the compiler prints around them marks the loops.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Stands before every piece of inline assembly.
const MARKER: &str = "#APP";

/// Innermost loops that hold a marker, for each kernel.
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
            .args([
                "rustc",
                "--release",
                "--example",
                "kernels",
                "--quiet",
                "--",
            ])
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
            .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
            .expect("rustc wrote assembly");
        by_kernel(&std::fs::read_to_string(newest).expect("assembly is text"))
    })
}

/// The marked innermost loops of each function whose symbol names a kernel.
fn by_kernel(assembly: &str) -> Loops {
    let mut loops = Loops::new();
    let mut kernel = None;
    let mut body: Vec<&str> = Vec::new();
    for line in assembly.lines() {
        if let Some(symbol) = line
            .strip_suffix(':')
            .filter(|label| !label.starts_with('.'))
        {
            kernel = kernel_of(symbol);
            body.clear();
        } else if line.trim_start().starts_with(".cfi_endproc") {
            if let Some(kernel) = kernel.take() {
                loops.entry(kernel).or_default().extend(marked_loops(&body));
            }
        } else {
            body.push(line.trim());
        }
    }
    loops
}

/// The kernel in whose closure's instance a symbol is: `k_...` between the digits that v0 mangling
/// puts before a name and whatever comes after.
fn kernel_of(symbol: &str) -> Option<String> {
    let at = symbol.find("k_")?;
    let length: String = symbol[..at]
        .chars()
        .rev()
        .take_while(char::is_ascii_digit)
        .collect();
    let length: usize = length
        .chars()
        .rev()
        .collect::<String>()
        .parse()
        .ok()
        .unwrap_or(64);
    Some(symbol[at..].chars().take(length).collect())
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
        let inner = body[start + 1..=end].iter().any(|line| line.ends_with(':'));
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
fn ends(kernel: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let loops = loops()
        .get(kernel)
        .unwrap_or_else(|| panic!("no timed loop of {kernel}"));
    let by_length = |lines: &&Vec<String>| lines.len();
    let shortest = loops.iter().min_by_key(by_length).expect("a loop");
    let longest = loops.iter().max_by_key(by_length).expect("a loop");
    (instructions(shortest), instructions(longest))
}

/// Mnemonics of a loop.
fn mnemonics<'a>(of: &[&'a str]) -> Vec<&'a str> {
    of.iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Asserts that one copy of the body is `expected`, and that eight copies are that eight times.
#[track_caller]
fn assert_body(kernel: &str, expected: &[&str]) {
    let (single, unrolled) = ends(kernel);
    assert_eq!(mnemonics(&single), expected, "{kernel}: {single:#?}");
    assert_eq!(
        mnemonics(&unrolled),
        expected.repeat(8),
        "{kernel}: {unrolled:#?}"
    );
}

#[test]
fn an_empty_body_leaves_an_empty_loop() {
    assert_body("k_empty", &[]);
}

#[test]
fn a_captured_value_is_loaded_once_per_op() {
    assert_body("k_captured", &["movq"]);
}

#[test]
fn a_pure_body_is_neither_hoisted_nor_folded() {
    assert_body("k_pure", &["movq", "imulq"]);
}

#[test]
fn what_a_capture_points_to_is_read_again() {
    assert_body("k_borrowed", &["movq", "movq", "addq"]);
}

#[test]
fn a_float_stays_in_a_vector_register() {
    assert_body("k_float", &["movsd", "mulsd"]);
}

#[test]
fn two_words_stay_in_registers() {
    assert_body("k_option", &["movq", "xorl", "incq", "setne"]);
}

#[test]
fn a_chain_is_its_body_and_nothing_else() {
    assert_body("k_chain", &["imulq"]);
    assert_body("k_chain_float", &["mulsd"]);
}

#[test]
fn a_large_output_is_written_whole() {
    let (single, _) = ends("k_large");
    let stored: usize = single
        .iter()
        .filter(|line| line.ends_with("(%rsp)"))
        .map(|line| {
            if line.starts_with("movdqu") || line.starts_with("movups") {
                16
            } else {
                8
            }
        })
        .sum();
    assert_eq!(stored, 40, "{single:#?}");
}

#[test]
fn a_text_is_read_for_each_op() {
    assert_body("k_text", &["movq", "movq"]);
}

#[test]
fn an_owned_output_is_kept_and_not_freed_inside() {
    let (single, _) = ends("k_owned");
    let loads = single
        .iter()
        .filter(|line| line.starts_with("movq (%"))
        .count();
    assert_eq!(loads, 1, "the capture is loaded directly: {single:#?}");
    assert!(
        single.iter().any(|line| line.starts_with("callq")),
        "{single:#?}"
    );
    assert!(
        !single.iter().any(|line| line.contains("dealloc")),
        "{single:#?}"
    );
}

#[test]
fn a_prepared_input_costs_its_load() {
    let (single, _) = ends("k_inputs");
    assert_eq!(mnemonics(&single), ["movq", "leaq"], "{single:#?}");
}
