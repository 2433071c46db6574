//! An explanation as blocks of a document.

use tourbillon_compare::Confirmed;
use tourbillon_present::number::count;
use tourbillon_present::{
    Audience, Block, Cell, Change, Column, Mark, Outcome, Row, Style, Table, counted,
};

use crate::explanation::Explanation;
use crate::listing::{Listing, ListingRow};

/// Functions that are listed.
const MOST: usize = 10;

/// The cause, functions, lines of the diff, and code of both builds; people get the code where it `is_alone`.
pub(crate) fn blocks(
    case: &Confirmed<'_>,
    explanation: &Explanation,
    is_alone: bool,
) -> Vec<Block> {
    let name = case.name.as_str();
    let labels = case.builds.map(|build| build.label.as_str());
    let mut blocks = vec![Block::Table(cause(case, explanation))];
    blocks.push(Block::Table(functions(name, labels, explanation)));
    match &explanation.changed {
        Ok(changed) if changed.lines.is_empty() => {
            blocks.push(Block::text(
                "no line that differs between both checkouts was executed",
            ));
        }
        Ok(changed) => {
            let mut table = Table::of([
                Column::left("line", "changed line"),
                Column::left("change", ""),
                Column::right("instructions", "instructions"),
                Column::left("text", ""),
            ])
            .of_programs("case")
            .named("changed_lines");
            for line in &changed.lines {
                let shown = if line.count == 0 {
                    String::new()
                } else {
                    count(line.count)
                };
                table.push([
                    Cell::text(format!("{}:{}", line.file, line.number)),
                    Cell::text(if line.is_new { "+" } else { "-" }),
                    Cell::number(shown, Some(line.count as f64)),
                    Cell::text(line.text.trim()).spanning(),
                    Cell::text(name),
                ]);
            }
            if changed.more > 0 {
                table.folded = Some(counted(changed.more, "more line"));
            }
            blocks.push(Block::Table(table));
        }
        Err(Some(why)) => blocks.push(Block::text(format!("no lines of a diff: {why}"))),
        Err(None) => {}
    }
    for (label, code) in labels.iter().zip(&explanation.code) {
        if let Some(listing) = code {
            let heading = Block::text(format!("{label}: {}", listing.heading()));
            let mut table = code_table(listing, label, name);
            if is_alone {
                blocks.push(Block::Group(vec![heading, Block::Table(table)]));
            } else {
                table.only_of_programs();
                blocks.push(Block::Table(table));
            }
        }
    }
    blocks
}

/// By how much it is slower, and why.
pub(crate) fn in_words(case: &Confirmed<'_>, explanation: &Explanation) -> String {
    let change = Change::of(case.verdict, &Style::default());
    let change = change.map_or_else(String::new, |change| format!("{}, ", change.text));
    change + &explanation.cause.sentence
}

/// The same as a paragraph.
fn cause(case: &Confirmed<'_>, explanation: &Explanation) -> Table {
    let style = Style::default();
    let (symbol, ink) = Outcome::of(case.verdict).mark(&style);
    let [before, now] = explanation.instructions;
    let cause = &explanation.cause;
    let is_slower = case.verdict.ratio.is_some_and(|ratio| ratio > 1.0);
    let mut table = Table::of([
        Column::left("case", "case"),
        Column::left("people", "why").for_audience(Audience::People),
    ])
    .of_programs("cause sentence ratio instructions_before instructions_now")
    .named("causes");
    table.is_list = true;
    table.rows.push(Row {
        mark: Some(Mark { symbol, ink }),
        cells: vec![
            Cell::text(&case.name),
            Cell::text(in_words(case, explanation)),
            Cell::text(cause.class.words(is_slower)),
            Cell::text(&cause.sentence),
            Cell::number("", case.verdict.ratio),
            Cell::number("", Some(before as f64)),
            Cell::number("", Some(now as f64)),
        ],
        ..Row::default()
    });
    table
}

fn functions(name: &str, labels: [&str; 2], explanation: &Explanation) -> Table {
    let [old, new] = labels.map(|label| match label {
        "working tree" => "now",
        label => label.split(" (").next().unwrap_or_default(),
    });
    let mut table = Table::of([
        Column::left("function", "function"),
        Column::right("before", old).giving_way(1),
        Column::right("now", new),
        Column::right("difference", "difference"),
        Column::left("change", ""),
    ])
    .of_programs("case")
    .named("functions");
    let all = &explanation.functions;
    for function in all.iter().take(MOST) {
        let more = function.more();
        let size = count(u64::try_from(more.unsigned_abs()).unwrap_or(u64::MAX));
        let sign = match more {
            0 => "",
            more if more > 0 => "+",
            _ => "−",
        };
        table.push([
            Cell::text(&function.title),
            Cell::number(count(function.before), Some(function.before as f64)),
            Cell::number(count(function.now), Some(function.now as f64)),
            Cell::number(format!("{sign}{size}"), Some(more as f64)),
            Cell::text(function.change.word()),
            Cell::text(name),
        ]);
    }
    if all.len() > MOST {
        table.folded = Some(counted(all.len() - MOST, "more function"));
    }
    table
}

/// Code with its lines and counts.
pub(crate) fn code_table(listing: &Listing, build: &str, case: &str) -> Table {
    let mut table = Table::of([
        Column::left("code", "code"),
        Column::right("instructions", "times"),
    ])
    .of_programs("row address function build case")
    .named("code");
    for row in &listing.rows {
        let (code, times, kind, address) = match row {
            ListingRow::Source { place, text } => {
                let code = format!("{place}  {text}").trim_end().to_owned();
                (code, Cell::default(), "source", String::new())
            }
            ListingRow::Instruction {
                address,
                text,
                count: times,
            } => {
                let times = Cell::number(count(*times), Some(*times as f64));
                let address = format!("{address:#x}");
                (format!("    {text}"), times, "instruction", address)
            }
            ListingRow::Skipped(skipped) => {
                let code = format!("    ({skipped} not executed)");
                (code, Cell::default(), "not executed", String::new())
            }
        };
        table.push([
            Cell::text(code),
            times,
            Cell::text(kind),
            Cell::text(address),
            Cell::text(&listing.function),
            Cell::text(build),
            Cell::text(case),
        ]);
    }
    if listing.more > 0 {
        table.folded = Some(counted(listing.more, "more instruction"));
    }
    table
}
