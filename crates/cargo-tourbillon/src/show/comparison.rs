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
    let open = run.cases.iter().map(|case| case.id.as_str());
    let open = open.filter(|id| !decided.contains(id));
    let open: Vec<&str> = open.map(|id| names.name(id)).collect();
    if !open.is_empty() {
        page.say("no verdict: ", &open.join(", "));
    }
    page.lines(&faults(&run.faults, &names, style));
    page.document().text(style)
}
