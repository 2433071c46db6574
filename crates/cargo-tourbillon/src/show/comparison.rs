//! A comparison of builds: its verdicts, which are all that it has.

use std::collections::HashSet;

use tourbillon_record::Run;
use tourbillon_report::{Names, Style, faults, verdicts};

use crate::screen::Page;

/// The record of a comparison as a page of text.
pub(super) fn page(run: &Run, style: &Style) -> String {
    let names = Names::of(&run.cases);
    let mut page = Page::new(style);
    page.lines(&verdicts(&run.verdicts, &names, style));
    let decided: HashSet<&str> = run.verdicts.iter().map(|one| one.case.as_str()).collect();
    let mut open = Vec::new();
    for case in &run.cases {
        if !decided.contains(&*case.id) {
            open.push(names.name(&case.id));
        }
    }
    if !open.is_empty() {
        page.say("no verdict: ", &open.join(", "));
    }
    page.lines(&faults(&run.faults, &names, style));
    page.document().text(style)
}
