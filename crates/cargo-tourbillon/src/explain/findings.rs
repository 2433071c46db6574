//! What was found in runs, each finding with all of its cases.

use tourbillon_compare::{is_comparison, recorded};
use tourbillon_present::{Block, Document};
use tourbillon_record::Run;
use tourbillon_report::{Style, Sweeps, program_name};

use crate::alone::program;
use crate::bench_flags::TableFlags;
use crate::show::with_table;

/// The findings of each run below its name.
pub(super) fn document<'r>(runs: impl Iterator<Item = &'r Run>, style: &Style) -> Document {
    let mut blocks = Vec::new();
    for run in runs {
        let header = &run.header;
        let mut lines = vec![Block::text(format!(
            "{}, {}",
            program_name(header),
            header.started
        ))];
        let notes = if is_comparison(run) {
            recorded(run, style, true).into_notes()
        } else {
            with_table(run, &TableFlags::default(), |table| table.notes(style))
        };
        let sweeps = Sweeps::of(&run.cases, &run.results, &[]).refusals(style);
        if notes.is_empty() && sweeps.is_empty() {
            lines.push(Block::led("  ", "Nothing to act on."));
        }
        for note in notes {
            let names = note.names.join(", ");
            let heading = if names.is_empty() {
                names
            } else {
                names + ": "
            };
            lines.push(Block::led("! ", heading + &note.text));
        }
        lines.push(Block::Lines(sweeps));
        blocks.push(Block::Group(lines));
    }
    blocks.push(Block::text(format!(
        "How a figure was computed: `{} explain CASE`.",
        program()
    )));
    Document::of(blocks)
}
