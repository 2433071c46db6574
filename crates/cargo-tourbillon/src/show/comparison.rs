//! A comparison of builds: its verdicts, which are all that it has.

use std::collections::HashSet;

use tourbillon_present::{Block, Document};
use tourbillon_record::Run;
use tourbillon_report::{Explanation, Names, Note, Style, faults, recorded_comparison, sides};

/// The record of a comparison.
pub(crate) fn page(run: &Run, style: &Style) -> Document {
    let names = Names::of(&run.cases);
    let decided: HashSet<&str> = run.verdicts.iter().map(|one| one.case.as_str()).collect();
    let sides = sides(&run.header);
    let mut document = recorded_comparison(run, &names, style);
    document.title = format!("{} → {} · {}", sides[0], sides[1], document.title);
    let open = run.cases.iter().filter(|case| !decided.contains(&*case.id));
    document.add_notes(Note::joined(open.map(|case| {
        let why = Explanation::Common("no verdict".to_owned());
        (names.name(&case.id).to_owned(), why)
    })));
    let faults = faults(&run.faults, &names, style);
    if !faults.is_empty() {
        document.blocks.push(Block::Lines(faults));
    }
    document
}
