//! A table that the page's script can sort, with a picture in each row.

use maud::{Markup, html};
use tourbillon_present::Table;
use tourbillon_present::number::digits;

use crate::ink::{class, shown};
use crate::results::NAME;
use crate::shorten;
use crate::text::{breakable, prose};

/// What is drawn for a row.
type Drawn<'t> = &'t dyn Fn(usize) -> Markup;

/// A table of rows that have parts of the page of their own.
#[expect(missing_debug_implementations, reason = "it has closures")]
#[derive(Clone)]
pub struct Sheet<'t> {
    /// Named for readers who do not see it.
    pub name: &'t str,
    /// Its rows.
    pub table: &'t Table,
    /// The name of each row, and the part of the page that it leads to.
    pub links: Vec<(&'t str, &'t str)>,
    /// The title of a column of pictures, and the picture of a row.
    pub picture: Option<(&'t str, Drawn<'t>)>,
    /// What stands below a cell of a row and a column.
    pub below: Option<&'t dyn Fn(usize, usize) -> Markup>,
    /// The first row of each group, its name, and the axis of its pictures.
    pub headings: Vec<(usize, String, Markup)>,
}

impl<'t> Sheet<'t> {
    /// A table without pictures; of each row its name, and the identity of its part of the page.
    pub fn new(name: &'t str, table: &'t Table, links: Vec<(&'t str, &'t str)>) -> Sheet<'t> {
        Sheet {
            name,
            table,
            links,
            picture: None,
            below: None,
            headings: Vec::new(),
        }
    }

    /// The part of the page.
    pub fn html(&self) -> Markup {
        let columns = self.table.shown_to_people().split_off(1);
        html! {
            div.wide tabindex="0" role="region" aria-label=(self.name) {
                table.sortable.stacked {
                    thead { tr {
                        (sortable("case", ""))
                        @if let Some((title, _)) = self.picture { th scope="col" { (title) } }
                        @for column in &columns {
                            @let column = &self.table.columns[*column];
                            (sortable(&column.title, if column.right { "n" } else { "" }))
                        }
                    } }
                    @if self.headings.is_empty() {
                        tbody { @for at in 0..self.links.len() { (self.row(at, &columns)) } }
                    }
                    @for (place, (first, name, axis)) in self.headings.iter().enumerate() {
                        @let next = self.headings.get(place + 1).map_or(self.links.len(), |next| next.0);
                        tbody {
                            tr {
                                th scope="rowgroup" { bdi { (shorten(&shown(name), NAME)) } }
                                td.glyph { (axis) }
                            }
                            @for at in *first..next { (self.row(at, &columns)) }
                        }
                    }
                }
            }
        }
    }

    /// The cells of a row, or the reason why there are none.
    fn row(&self, at: usize, columns: &[usize]) -> Markup {
        let ((label, anchor), row) = (self.links[at], &self.table.rows[at]);
        html! {
            tr data-n=(shorten(label, NAME)) {
                td.name {
                    @if let Some(mark) = row.mark {
                        span class={ "mark " (class(mark.ink)) } aria-hidden="true" { (mark.symbol) }
                    }
                    a href={ "#" (anchor) } { (breakable(&shorten(label, NAME))) }
                }
                @if let Some((_, picture)) = self.picture { td.glyph { (picture(at)) } }
                @if let Some(reason) = row.spanning() { td colspan=(columns.len()) { (prose(&reason.text)) } }
                @else {
                    @for place in columns {
                        @let column = &self.table.columns[*place];
                        @let cell = &row.cells[*place];
                        @let side = if column.right { "n " } else { "" };
                        @let classes = format!("{side}{}", class(cell.ink));
                        @let classes = Some(classes.trim_end()).filter(|names| !names.is_empty());
                        // What it is sorted by, where it has a figure.
                        @let key = row.number(*place).map(|value| digits(value, 7));
                        td class=[classes] data-h=(column.title) data-v=[key] {
                            (shorten(&shown(row.text(*place)), NAME))
                            @if let Some(below) = self.below { (below(at, *place)) }
                        }
                    }
                }
            }
        }
    }
}

/// The heading of a column by which rows can be sorted.
fn sortable(title: &str, class: &str) -> Markup {
    html! { th class=(class) scope="col" aria-sort="none" { button type="button" { (title) } } }
}
