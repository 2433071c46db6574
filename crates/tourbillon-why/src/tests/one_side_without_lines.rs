//! Two builds, of which one has line tables.

use std::rc::Rc;

use tourbillon_builds::Build;
use tourbillon_compare::Confirmed;
use tourbillon_present::{Document, Style};
use tourbillon_record::{Finding, Verdict};

use super::LINES;
use super::program::{Program, SOURCE};
use crate::explanation::compared;
use crate::explanation_blocks::blocks;

#[test]
fn a_function_has_one_row_where_one_build_has_lines() {
    // Without `strip`, the standard library has lines.
    let none: [&[&str]; 2] = [&["-Cdebuginfo=0"], &["-Cdebuginfo=0", "-Cstrip=debuginfo"]];
    none.into_iter().for_each(one_row);
}

fn one_row(without_lines: &[&str]) {
    let folder = Rc::new(tempfile::tempdir().expect("a folder"));
    let old = Program::compile_in(&folder, "old", SOURCE, without_lines);
    let new = Program::compile_in(&folder, "new", SOURCE, LINES);
    let builds = ["HEAD (1a2b3c4)", "working tree"].map(|label| Build {
        label: label.to_owned(),
        ..Build::default()
    });
    let executables = [old.executable(), new.executable()];
    let sides = [&old, &new].map(|program| {
        let mut steps = program.steps(&[program.function("checksum")]);
        if program.path() == new.path() {
            steps.steps[0].count += 14;
        }
        program.side(steps)
    });
    let verdict = Verdict {
        finding: Finding::Slower,
        ratio: Some(1.1),
        ..Verdict::default()
    };
    let case = Confirmed {
        name: "c".to_owned(),
        ids: ["p/t::c"; 2],
        builds: builds.each_ref(),
        executables: executables.each_ref(),
        verdict: &verdict,
        built_otherwise: None,
    };
    let style = Style::default();
    let explanation = compared(&case, sides, &style);
    let [row] = &explanation.functions[..] else {
        panic!("{:?}", explanation.functions);
    };
    assert_eq!((row.title.as_str(), row.more()), ("checksum", 14));
    assert_eq!(row.change.word(), "");
    let gap = explanation.gap.as_deref().expect("a gap");
    assert!(gap.starts_with("the reference has no line tables"), "{gap}");
    // The note alone says it.
    let text = Document::of(blocks(&case, &explanation, true)).text(&style);
    assert!(!text.contains("no lines of a diff"), "{text}");
}
