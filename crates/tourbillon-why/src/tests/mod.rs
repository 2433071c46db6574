//! Programs that are compiled, and what is read of them.

mod one_side_without_lines;
mod program;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use object::{Object, ObjectSymbol};
use tourbillon_builds::{Build, commit_of};
use tourbillon_compare::Confirmed;
use tourbillon_present::kind::{PROFILE, WHY};
use tourbillon_present::{Block, Document, Style};
use tourbillon_record::{Finding, Verdict};
use tourbillon_stepper::Step;

use self::program::{BIAS, Program, SOURCE, TIMES};
use crate::explanation::compared;
use crate::explanation_blocks::blocks;
use crate::listing::ListingRow;
use crate::profile_command::document;
use crate::side::{Gap, Side};
use crate::sources::Sources;

const LINES: &[&str] = &["-Cdebuginfo=line-tables-only"];

fn titles(side: &Side) -> Vec<&str> {
    let functions = side.profile.first_functions().into_iter();
    functions.map(|function| function.title.as_str()).collect()
}

#[test]
fn inlined_functions_and_lines_have_their_counts() {
    let program = Program::compile(SOURCE, LINES);
    let steps = program.steps(&[program.function("checksum")]);
    let all = steps.op;
    let side = program.side(steps);
    assert_eq!(side.gap(), None);
    let inlined = side
        .profile
        .functions
        .get("mixed (src/main.rs)")
        .expect("inlined");
    // A multiplication, or a shift and a subtraction, and an exclusive or.
    assert!(
        inlined.inlined >= 2 * TIMES && inlined.own == 0,
        "{inlined:?}"
    );
    let own = side
        .profile
        .functions
        .get("checksum (src/main.rs)")
        .expect("own");
    assert_eq!(own.title, "checksum");
    let counted: u64 = side.profile.functions.values().map(|one| one.all()).sum();
    assert_eq!(counted, all);
    let line = side
        .profile
        .lines
        .get(&("src/main.rs".to_owned(), 3))
        .expect("a line");
    assert_eq!(line.count, inlined.all());
    let text = side.sources.line(&line.path, 3);
    assert_eq!(text.as_deref(), Some("sum.wrapping_mul(31) ^ x"));
}

/// Entries of debug information that are inlined functions in each other, 100 000 levels deep, at every address.
const NESTED: &str = r###"
std::arch::global_asm!(r##"
    .section .debug_abbrev,"",@progbits
.Labbreviations:
    .byte 1, 0x11, 1, 0x11, 0x01, 0x12, 0x01, 0, 0
    .byte 2, 0x2e, 1, 0x11, 0x01, 0x12, 0x01, 0, 0
    .byte 3, 0x1d, 1, 0, 0
    .byte 0
    .section .debug_info,"",@progbits
    .long .Lend - .Lbegin
.Lbegin:
    .short 4
    .long .Labbreviations
    .byte 8
    .byte 1
    .quad 1, 0x7fffffffffffffff
    .byte 2
    .quad 1, 0x7fffffffffffffff
    .fill 100000, 1, 3
    .fill 100002, 1, 0
.Lend:
    .text
"##);
"###;

/// Functions that share a list of ranges: nine million together.
const RANGES: &str = r###"
std::arch::global_asm!(r##"
    .section .debug_abbrev,"",@progbits
.Labbreviations:
    .byte 1, 0x11, 1, 0x11, 0x01, 0x12, 0x01, 0, 0
    .byte 2, 0x2e, 0, 0x55, 0x17, 0, 0
    .byte 0
    .section .debug_ranges,"",@progbits
.Lranges:
    .rept 3000
    .quad 1, 2
    .endr
    .quad 0, 0
    .section .debug_info,"",@progbits
    .long .Lend - .Lbegin
.Lbegin:
    .short 4
    .long .Labbreviations
    .byte 8
    .byte 1
    .quad 1, 0x7fffffffffffffff
    .rept 3000
    .byte 2
    .long .Lranges
    .endr
    .byte 0
.Lend:
    .text
"##);
"###;

/// Units that share a list of lines: a hundred million together.
const SHARED_LINES: &str = r###"
std::arch::global_asm!(r##"
    .section .debug_abbrev,"",@progbits
.Labbreviations:
    .byte 1, 0x11, 0, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0, 0
    .byte 0
    .section .debug_line,"",@progbits
.Llines:
    .long .Llast - .Lfirst
.Lfirst:
    .short 4
    .long .Lprogram - .Lheader
.Lheader:
    .byte 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0
    .asciz "a.c"
    .byte 0, 0, 0, 0
.Lprogram:
    .byte 0, 9, 2
    .quad 1
    .fill 100000, 1, 0x22
    .byte 0, 1, 1
.Llast:
    .section .debug_info,"",@progbits
    .rept 1000
    .long 28
    .short 4
    .long .Labbreviations
    .byte 8
    .byte 1
    .quad 1, 0x7fffffffffffff
    .long .Llines
    .endr
    .text
"##);
"###;

#[test]
fn debug_information_of_no_compiler_is_not_read() {
    for more in [NESTED, RANGES, SHARED_LINES] {
        let program = Program::compile(&format!("{SOURCE}{more}"), LINES);
        let side = program.side(program.steps(&[program.function("checksum")]));
        assert_eq!(side.gap(), Some(Gap::Lines));
        assert_eq!(titles(&side), ["checksum"]);
    }
}

#[test]
fn the_hottest_loop_stands_below_its_lines() {
    let program = Program::compile(SOURCE, LINES);
    let side = program.side(program.steps(&[program.function("checksum")]));
    let listing = side.hot_code(None, |_, _| false).expect("code");
    assert_eq!(listing.heading(), "the hottest loop, in checksum");
    let is_of_loop = |row: &ListingRow| match row {
        ListingRow::Instruction { count, text, .. } => *count == TIMES && !text.is_empty(),
        _ => true,
    };
    assert!(listing.rows.iter().all(is_of_loop), "{listing:?}");
    let source = ListingRow::Source {
        place: "src/main.rs:3".to_owned(),
        text: "sum.wrapping_mul(31) ^ x".to_owned(),
    };
    assert!(listing.rows.contains(&source), "{listing:?}");
}

#[test]
fn requests_have_the_function_that_makes_them() {
    let program = Program::compile(SOURCE, LINES);
    let bytes = fs::read(program.path()).expect("the program");
    let file = object::File::parse(&*bytes).expect("an executable");
    let mut symbols = file.symbols();
    let allocates = symbols
        .find(|symbol| {
            symbol
                .name()
                .is_ok_and(|name| name.ends_with("___rust_alloc"))
        })
        .expect("Rust's function");
    let (words, size) = program.function("words");
    let mut steps = program.steps(&[(words, size), (allocates.address(), 1)]);
    // Its first instruction alone, twice.
    steps.steps.retain(|step| step.stack == 0);
    steps.steps.push(Step {
        stack: 1,
        address: BIAS + allocates.address(),
        count: 2,
    });
    let side = program.side(steps);
    assert_eq!((side.requests.count, side.requests.instructions), (2, 2));
    let who: Vec<&String> = side.requests.of_functions.keys().collect();
    assert!(who[0].starts_with("words (src/main.rs:"), "{who:?}");
}

#[test]
fn stacks_have_the_functions_that_are_inlined() {
    let program = Program::compile(SOURCE, LINES);
    let functions = ["words", "checksum"].map(|name| program.function(name));
    let side = program.side(program.steps(&functions));
    let stacks = side.stacks();
    let inlined = ["words", "checksum", "mixed (src/main.rs)_[i]"].map(str::to_owned);
    let found = stacks.keys().find(|names| names.ends_with(&inlined[1..]));
    assert_eq!(
        found.map(|names| names[0].as_str()),
        Some("words"),
        "{stacks:?}"
    );
    assert_eq!(stacks.values().sum::<u64>(), side.steps.op);
}

#[test]
fn without_line_tables_there_are_functions() {
    let program = Program::compile(SOURCE, &["-Cdebuginfo=0", "-Cstrip=debuginfo"]);
    let side = program.side(program.steps(&[program.function("checksum")]));
    assert_eq!(side.gap(), Some(Gap::Lines));
    assert_eq!(titles(&side), ["checksum"]);
    assert!(side.profile.lines.is_empty());
    let listing = side.hot_code(None, |_, _| false).expect("code");
    assert!(listing.is_loop);
}

#[test]
fn without_symbols_there_are_addresses() {
    let whole = Program::compile(SOURCE, &["-Cdebuginfo=0", "-Cstrip=none"]);
    let stripped = Program::compile(SOURCE, &["-Cdebuginfo=0", "-Cstrip=symbols"]);
    // The code is at the same places.
    let checksum = whole.function("checksum");
    let side = stripped.side(stripped.steps(&[checksum]));
    assert_eq!(side.gap(), Some(Gap::Symbols));
    assert_eq!(titles(&side), [format!("program+{:#x}", checksum.0)]);
    let listing = side.hot_code(None, |_, _| false).expect("code");
    assert!(listing.is_loop, "{listing:?}");
    let text = document(&side, "c", "now").text(&Style::default());
    assert!(
        text.contains("has no symbols") && text.contains("line-tables-only"),
        "{text}"
    );
}

#[test]
fn a_missing_file_has_counts_alone() {
    let program = Program::compile(SOURCE, &["-Cdebuginfo=0"]);
    let mut steps = program.steps(&[program.function("checksum")]);
    let gone = Path::new("/no/such/program").to_owned();
    steps.executable.clone_from(&gone);
    steps.mappings[0].path = gone;
    let total = steps.op;
    let side = program.side(steps);
    assert_eq!(side.profile.total, total);
    assert_eq!(side.hot_code(None, |_, _| false), None);
    assert_eq!(side.gap(), Some(Gap::Symbols));
}

#[test]
fn a_profile_is_a_document_in_every_format() {
    let program = Program::compile(SOURCE, LINES);
    let side = program.side(program.steps(&[program.function("checksum")]));
    let document: Document = document(&side, "sum/c", "working tree");
    let text = document.text(&Style::default());
    for expected in [
        "sum/c · working tree · ",
        "mixed (src/main.rs)",
        "src/main.rs:3",
        "the hottest loop",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let json = document.json(&PROFILE);
    for expected in [
        "\"functions\":[{\"function\":",
        "\"lines\":[{\"line\":\"src/main.rs:",
        "\"row\":\"source\"",
    ] {
        assert!(json.contains(expected), "{expected}: {json}");
    }
    let csv = document.csv();
    assert!(
        csv.starts_with("function,instructions,share,inlined\n"),
        "{csv}"
    );
}

fn git(folder: &Path, words: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(words)
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn two_builds_stand_side_by_side() {
    let folder = Rc::new(tempfile::tempdir().expect("a folder"));
    let root = folder.path().canonicalize().expect("a folder");
    git(&root, &["init", "--quiet"]);
    let old = Program::compile_in(&folder, "old", SOURCE, LINES);
    git(&root, &["add", "src"]);
    git(&root, &["commit", "--quiet", "--message=first"]);
    let more = SOURCE.replace(
        "sum.wrapping_mul(31) ^ x",
        "(sum.wrapping_mul(31) ^ x).rotate_left(x & 7)",
    );
    let new = Program::compile_in(&folder, "new", &more, LINES);
    let builds = [("main (1a2b3c4)", false), ("working tree", true)].map(|(label, dirty)| Build {
        label: label.to_owned(),
        commit: commit_of(&root, "HEAD"),
        dirty,
        ..Build::default()
    });
    let executables = [old.executable(), new.executable()];
    let sides = [(&old, 0), (&new, 1)].map(|(program, at)| {
        let steps = program.steps(&[program.function("checksum")]);
        Side::of_steps(steps, Sources::new(&builds[at], &executables[at]))
    });
    let verdict = Verdict {
        finding: Finding::Slower,
        ratio: Some(1.5),
        ..Verdict::default()
    };
    let case = Confirmed {
        name: "sum/c".to_owned(),
        ids: ["p/t::c"; 2],
        builds: builds.each_ref(),
        executables: executables.each_ref(),
        verdict: &verdict,
        built_otherwise: None,
    };
    let style = Style::default();
    let explanation = compared(&case, sides, &style);
    let first = &explanation.functions[0];
    assert_eq!(first.title, "mixed (src/main.rs)");
    assert!(first.more() >= i128::from(TIMES), "{first:?}");
    let changed = explanation.changed.as_ref().expect("a diff");
    let shown: Vec<(bool, u32, bool)> = changed
        .lines
        .iter()
        .map(|line| (line.is_new, line.number, line.count > 0))
        .collect();
    assert_eq!(shown, [(false, 3, true), (true, 3, true)]);
    let document = Document::of(blocks(&case, &explanation, true));
    let text = document.text(&style);
    for expected in [
        "▲ sum/c: +50.0 %, more work: ",
        "main  now  difference",
        "src/main.rs:3  +",
        "main (1a2b3c4): the hottest loop, in checksum",
        "working tree: the hottest loop, in checksum",
        // Of the commit, and of the file that is there.
        "src/main.rs:3  sum.wrapping_mul(31) ^ x",
        "src/main.rs:3  (sum.wrapping_mul(31) ^ x).rotate_left(x & 7)",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let json = document.json(&WHY);
    assert!(json.contains("\"cause\":\"more work\""), "{json}");
    // Where the cause is the answer, programs get it all the same.
    let mut answered = document.clone();
    if let Some(Block::Table(cause)) = answered.blocks.first_mut() {
        cause.only_of_programs();
    }
    assert_eq!(answered.json(&WHY), json);
    let text = answered.text(&style);
    assert!(!text.contains("+50.0 %"), "{text}");
    // Beside other cases, programs alone get the code.
    let one_of_some = Document::of(blocks(&case, &explanation, false));
    let instructions = |json: &str| json.matches("\"row\":\"instruction\"").count();
    assert_eq!(instructions(&one_of_some.json(&WHY)), instructions(&json));
    assert!(instructions(&json) > 0, "{json}");
    let text = one_of_some.text(&style);
    assert!(
        text.contains("src/main.rs:3  +") && !text.contains("hottest"),
        "{text}"
    );
    let markdown = document.markdown();
    assert!(markdown.contains("+50.0 %, more work: "), "{markdown}");
}
