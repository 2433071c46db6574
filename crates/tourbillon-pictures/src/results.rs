//! Parts of a document for a page.

use maud::{Markup, html};
use tourbillon_present::{Block, Document, Kind, Note, Phrase, Row, Table};

use crate::changes::Plot;
use crate::ink::{class, shown};
use crate::shorten;
use crate::text::{breakable, prose};

/// Most characters of a name that is shown.
pub(crate) const NAME: usize = 120;

/// The answer, then the rest in order. The title is that of the page, and the details are below.
pub fn results(document: &Document) -> Markup {
    html! {
        (chips(&document.answer))
        @for block in document.leaves() {
            @match block {
                Block::Table(table) if !table.is_for_people() => {}
                Block::Table(table) => (html_table(table)),
                Block::Text { lead, text } => p { (shown(lead)) (prose(&shown(text))) },
                Block::Lines(lines) => pre { @for line in lines.lines() { (shown(line)) "\n" } },
                Block::Group(_) => {}
                Block::Notes(notes) if notes.is_empty() => {}
                Block::Notes(notes) => div.notes { @for note in notes { (html_note(note)) } },
            }
        }
        @if !document.details.is_empty() { p.quiet { (prose(&shown(&document.details))) } }
    }
}

/// A page without other files, which has the document as JSON, too.
pub fn results_page(document: &Document, kind: &Kind) -> String {
    let title = match document.title.as_str() {
        "" => kind.name,
        title => title,
    };
    let body = html! {
        header { h1 { (shown(title)) } }
        main { (results(document)) }
    };
    crate::page::document(&shown(title), &body, &document.json(kind))
}

fn chips(answer: &[Phrase]) -> Markup {
    html! {
        p.chips {
            @for phrase in answer {
                @match phrase.mark {
                    Some(mark) => {
                        span class={ "chip " (class(mark.ink)) } {
                            span aria-hidden="true" { (mark.symbol) " " } (shown(&phrase.text))
                        }
                    }
                    None => span class="chip quiet" { (shown(&phrase.text)) },
                }
                " "
            }
        }
    }
}

fn html_note(note: &Note) -> Markup {
    html! {
        p {
            @if !note.names.is_empty() {
                strong { (shown(note.heading(|name| shorten(name, NAME).into_owned()).trim_end())) } " "
            }
            (shown(note.lead.trim_start_matches("! "))) (prose(&shown(&note.text)))
        }
    }
}

/// The table; where it has ratios, with an axis of changes.
fn html_table(table: &Table) -> Markup {
    let people = table.shown_to_people();
    if table.is_list {
        return html_list(table, &people);
    }
    let plot = Plot::of(table);
    let (folded, listed): (Vec<&Row>, Vec<&Row>) = table.rows.iter().partition(|row| row.is_folded);
    let what = table.folded.iter().flat_map(|text| text.split(';').next());
    html! {
        @if !listed.is_empty() { (html_rows(table, &listed, &people, plot.as_ref())) }
        @for what in what {
            @if folded.is_empty() {
                p.quiet { (shown(what)) }
            } @else {
                details { summary { (shown(what)) } (html_rows(table, &folded, &people, plot.as_ref())) }
            }
        }
        (legend(table))
    }
}

fn html_rows(table: &Table, rows: &[&Row], people: &[usize], plot: Option<&Plot>) -> Markup {
    let is_of_changes = Plot::columns(table).is_some();
    html! {
        div.wide tabindex="0" role="region" aria-label="Table of results" {
            table.results.changes[is_of_changes].stacked[!is_of_changes] {
                thead { tr {
                    @for at in people {
                        @let column = &table.columns[*at];
                        @let title = if *at == 0 && column.title.is_empty() { &column.key } else { &column.title };
                        th scope="col" class=(if column.right { "n" } else { "" }) { (shown(title)) }
                    }
                    @if let Some(plot) = plot { th.plot scope="col" { (plot.axis()) } }
                } }
                tbody {
                    @for row in rows { (html_row(table, row, people, is_of_changes, plot)) }
                }
            }
        }
    }
}

/// The marks in the cells of a table, and what they mean.
pub fn legend(table: &Table) -> Markup {
    html! { @for meaning in &table.legend { p.quiet { (shown(&meaning.mark)) "  " (prose(&shown(&meaning.text))) } } }
}

/// An item for each row.
fn html_list(table: &Table, people: &[usize]) -> Markup {
    html! {
        ul {
            @for row in &table.rows {
                li {
                    @if let Some(mark) = row.mark {
                        span class={ "mark " (class(mark.ink)) } aria-hidden="true" { (mark.symbol) }
                    }
                    strong { (shown(row.text(0))) }
                    @for at in &people[1..] {
                        @if !row.text(*at).is_empty() { " " (prose(&shown(row.text(*at)))) }
                    }
                }
            }
        }
    }
}

fn html_row(
    table: &Table,
    row: &Row,
    people: &[usize],
    is_of_changes: bool,
    plot: Option<&Plot>,
) -> Markup {
    let spanning = people
        .iter()
        .position(|at| row.cells.get(*at).is_some_and(|cell| cell.spans));
    let single = spanning.unwrap_or(people.len());
    html! {
        tr data-n=(shorten(&shown(row.text(0)), NAME)) {
            @for at in &people[..single] {
                @let column = &table.columns[*at];
                @let cell = row.cells.get(*at).cloned().unwrap_or_default();
                @if *at == 0 {
                    td.name {
                        @if let Some(mark) = row.mark {
                            span class={ "mark " (class(mark.ink)) } aria-hidden="true" { (mark.symbol) }
                        }
                        bdi { (breakable(&shorten(&shown(&cell.text), NAME))) }
                    }
                } @else {
                    @let title = Some(&column.title).filter(|title| !is_of_changes && !title.is_empty());
                    td class={ (column.key) " " (if column.right { "n " } else { "" }) (class(cell.ink)) } data-h=[title] {
                        (prose(&shown(&cell.text)))
                    }
                }
            }
            @if let Some(first) = spanning {
                @let cell = &row.cells[people[first]];
                td class={ "change " (class(cell.ink)) } colspan=(people.len() - first) { (prose(&shown(&cell.text))) }
            }
            @if let Some(plot) = plot { td.plot { (plot.row(row)) } }
        }
    }
}
