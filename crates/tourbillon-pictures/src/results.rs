//! Parts of a document for a page.

use maud::{Markup, html};
use tourbillon_present::number::{self, fixed, signed};
use tourbillon_present::{Block, Document, Ink, Kind, Note, Phrase, RATIO, Row, Table, escape};

use crate::{Scale, printable, shorten};

/// Most characters of a name that is shown.
pub(crate) const NAME: usize = 120;
/// Most ticks on the axis of changes.
const TICKS: usize = 5;
/// Height of the line of a row, in pixels.
const HEIGHT: f64 = 22.0;

/// The answer, then the rest in order. The title is that of the page, and the details are below.
pub fn results(document: &Document) -> Markup {
    html! {
        (chips(&document.answer))
        @for block in document.leaves() {
            @match block {
                Block::Table(table) if !table.is_for_people() => {}
                Block::Table(table) => (html_table(table)),
                Block::Text { lead, text } => p { (shown(lead)) (shown(text)) },
                Block::Lines(lines) => pre { @for line in lines.lines() { (shown(line)) "\n" } },
                Block::Group(_) => {}
                Block::Notes(notes) if notes.is_empty() => {}
                Block::Notes(notes) => div.notes { @for note in notes { (html_note(note)) } },
            }
        }
        @if !document.details.is_empty() { p.quiet { (shown(&document.details)) } }
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

/// Text without control characters.
pub(crate) fn shown(text: &str) -> String {
    printable(&escape(text, true)).into_owned()
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Heading => "strong",
        Ink::Dim => "quiet",
        Ink::Good => "good",
        Ink::Note => "open",
        Ink::Failure => "bad",
    }
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
            (shown(note.lead.trim_start_matches("! "))) (shown(&note.text))
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
    html! {
        div.wide tabindex="0" role="region" aria-label="Table of results" {
            table.results {
                thead { tr {
                    @for at in &people {
                        @let column = &table.columns[*at];
                        @let title = if *at == 0 && column.title.is_empty() { &column.key } else { &column.title };
                        th scope="col" class=(if column.right { "n" } else { "" }) { (shown(title)) }
                    }
                    @if let Some(plot) = &plot { th.plot scope="col" { (plot.axis()) } }
                } }
                tbody {
                    @for row in &table.rows { (html_row(table, row, &people, plot.as_ref())) }
                }
            }
        }
    }
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
                        @if !row.text(*at).is_empty() { " " (shown(row.text(*at))) }
                    }
                }
            }
        }
    }
}

fn html_row(table: &Table, row: &Row, people: &[usize], plot: Option<&Plot>) -> Markup {
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
                        bdi { (shorten(&shown(&cell.text), NAME)) }
                    }
                } @else {
                    td class={ (column.key) " " (if column.right { "n " } else { "" }) (class(cell.ink)) } {
                        (shown(&cell.text))
                    }
                }
            }
            @if let Some(first) = spanning {
                @let cell = &row.cells[people[first]];
                td class={ "change " (class(cell.ink)) } colspan=(people.len() - first) { (shown(&cell.text)) }
            }
            @if let Some(plot) = plot { td.plot { (plot.row(row)) } }
        }
    }
}

/// Changes on a logarithmic axis.
struct Plot {
    scale: Scale,
    /// The places of the ratio, the ends of its interval and the margin.
    columns: [usize; 4],
}

impl Plot {
    /// That of a table with ratios.
    fn of(table: &Table) -> Option<Plot> {
        let place = |key: &str| table.columns.iter().position(|column| column.key == key);
        let columns = [
            place(RATIO[0])?,
            place(RATIO[1])?,
            place(RATIO[2])?,
            place(RATIO[3])?,
        ];
        let ends = [columns[0], columns[1], columns[2]];
        let numbers = table
            .rows
            .iter()
            .flat_map(|row| ends.map(|at| row.number(at)));
        let numbers: Vec<f64> = numbers.flatten().filter(|ratio| *ratio > 0.0).collect();
        if numbers.is_empty() {
            return None;
        }
        // What is the same lies in the middle of some per cent.
        let scale = Scale::log(numbers.into_iter().chain([0.95, 1.05]));
        Some(Plot { scale, columns })
    }

    /// In per cent of the width.
    fn place(&self, ratio: f64) -> f64 {
        100.0 * self.scale.position(ratio).clamp(0.0, 1.0)
    }

    /// The values with a label: no change, powers of a factor, or round shares where the axis is short.
    fn ticks(&self) -> Vec<f64> {
        let is_shown = |ratio: &f64| {
            // Those beyond an end are put there.
            let place = self.scale.position(*ratio);
            place > 0.0 && place < 1.0
        };
        let is_short = !is_shown(&0.5) && !is_shown(&2.0);
        let shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
        let factors = [2.0, 4.0, 10.0, 100.0];
        let steps = if is_short { &shares[..] } else { &factors };
        for step in steps {
            let tick = |number: i32| {
                if is_short {
                    1.0 + step * f64::from(number)
                } else {
                    step.powi(number)
                }
            };
            let ticks: Vec<f64> = (-100..=100).map(tick).filter(is_shown).collect();
            if (1..=TICKS).contains(&ticks.len()) {
                return ticks;
            }
        }
        vec![1.0]
    }

    fn axis(&self) -> Markup {
        html! {
            svg.axis aria-hidden="true" height="16" {
                @let ticks = self.ticks();
                @for (at, tick) in ticks.iter().copied().enumerate() {
                    @let place = self.place(tick);
                    // There is room for words at the ends.
                    @let is_end = at == 0 || at + 1 == ticks.len();
                    @let anchor = if place < 12.0 { "start" } else if place > 88.0 { "end" } else { "middle" };
                    text x={ (two(place)) "%" } y="12" text-anchor=(anchor) { (tick_label(tick, is_end)) }
                }
            }
        }
    }

    fn row(&self, row: &Row) -> Markup {
        let [ratio, lower, upper, margin] = self.columns.map(|at| row.number(at));
        // A ratio without an interval would look like one that is known.
        let Some(ratio) = ratio.filter(|ratio| *ratio > 0.0 && lower.is_some()) else {
            return html! {};
        };
        let margin = margin.unwrap_or(0.0);
        let (from, to) = (self.place(1.0 / (1.0 + margin)), self.place(1.0 + margin));
        let ink = row.mark.map_or(Ink::Plain, |mark| mark.ink);
        let (zero, place) = (self.place(1.0), self.place(ratio));
        let said: Vec<&str> = row
            .cells
            .iter()
            .skip(1)
            .map(|cell| cell.text.as_str())
            .collect();
        html! {
            svg class={ "change " (class(ink)) } role="img" height=(HEIGHT) aria-label=(shown(said.join(" ").trim())) {
                rect.margin x={ (two(from)) "%" } width={ (two(to - from)) "%" } y="0" height=(HEIGHT) {}
                @for tick in self.ticks() {
                    line.g x1={ (two(self.place(tick))) "%" } x2={ (two(self.place(tick))) "%" } y1="0" y2=(HEIGHT) {}
                }
                rect.bar x={ (two(zero.min(place))) "%" } width={ (two((place - zero).abs())) "%" } y="8" height="6" {}
                @if let (Some(lower), Some(upper)) = (lower, upper) {
                    @let (from, to) = (self.place(lower), self.place(upper));
                    rect.ci x={ (two(from)) "%" } width={ (two(to - from)) "%" } y="10" height="2" {}
                }
                circle cx={ (two(place)) "%" } cy="11" r="4" {}
            }
        }
    }
}

fn two(place: f64) -> String {
    fixed(place, 2)
}

/// A ratio of times in words: `same`, `+5 %`, from about two on `2× slower`.
fn tick_label(ratio: f64, with_word: bool) -> String {
    let factor = ratio.max(1.0 / ratio);
    if factor < 1.005 {
        return "same".to_owned();
    }
    if factor < 1.95 {
        let percent = signed((ratio - 1.0) * 100.0, 0);
        return percent.replace('-', "−") + " %";
    }
    let decimals = usize::from(factor.fract() > 0.05);
    let word = if ratio > 1.0 { " slower" } else { " faster" };
    let word = if with_word { word } else { "" };
    format!("{}×{word}", number::factor(factor, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |ends: [f64; 2]| {
            let scale = Scale::log([0.95, 1.05].into_iter().chain(ends));
            let columns = [0; 4];
            let ticks = Plot { scale, columns }.ticks().into_iter();
            ticks
                .map(|tick| tick_label(tick, false))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels([1.0, 1.0]), ["−5 %", "same", "+5 %"]);
        let short = ["−40 %", "−20 %", "same", "+20 %", "+40 %"];
        assert_eq!(labels([0.61, 1.42]), short);
        assert_eq!(labels([0.3, 1.1]), ["2×", "same"]);
        assert_eq!(labels([0.02, 9.0]), ["64×", "16×", "4×", "same", "4×"]);
        assert_eq!(labels([1e-9, 1e9]), ["same"]);
    }

    #[test]
    fn ticks_are_in_words() {
        for (ratio, with_word, expected) in [
            (1.0, true, "same"),
            (1.05, true, "+5 %"),
            (1.0 / 1.1, true, "−9 %"),
            (2.25, true, "2.2× slower"),
            (1.0 / 16.0, true, "16× faster"),
            (0.25, false, "4×"),
        ] {
            assert_eq!(tick_label(ratio, with_word), expected);
        }
    }
}
