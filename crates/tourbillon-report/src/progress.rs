use crate::escape::{display_width, push_shortened};
use crate::number::{Count, Counted, Duration, append};
use crate::{Style, escape};

/// The line that shows how far a run is, rewritten in place by whoever owns the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Visits that are over.
    pub done: u64,
    /// Visits planned as things stand; budgets may still change it.
    pub total: u64,
    /// The case of the visit that runs, or empty; not escaped.
    pub case: &'a str,
    /// Time since the start of the run in nanoseconds.
    pub elapsed_ns: u64,
}

impl Progress<'_> {
    /// One line without a line feed, a column narrower than the terminal so that it never wraps.
    ///
    /// The time left supposes that the visits to come take as long as those that are over; before
    /// the first is over nothing is supposed.
    pub fn render(&self, style: &Style) -> String {
        let glyphs = style.glyphs();
        let room = style.columns() - 1;
        let mut line = String::new();
        append(
            &mut line,
            format_args!("{}/{}", Count(self.done), Counted(self.total, "visit")),
        );
        if display_width(&line) > room {
            line.clear();
            let percent = u128::from(self.done) * 100 / u128::from(self.total.max(1));
            append(&mut line, format_args!("{percent} %"));
        }
        let mut part = String::new();
        for what in ["", " left"] {
            let ns = if what.is_empty() {
                Some(self.elapsed_ns)
            } else {
                self.left_ns()
            };
            let Some(ns) = ns else { continue };
            part.clear();
            append(
                &mut part,
                format_args!("{}{}{what}", glyphs.separator, Duration(ns)),
            );
            if display_width(&line) + display_width(&part) <= room {
                line.push_str(&part);
            }
        }
        let rest = room.saturating_sub(display_width(&line) + display_width(glyphs.separator));
        // Fewer columns say nothing about a case.
        if rest >= 8 && !self.case.is_empty() {
            line.push_str(glyphs.separator);
            let case = escape(self.case, style.unicode);
            push_shortened(&mut line, &case, rest, glyphs.ellipsis);
        }
        line
    }

    /// Time left in nanoseconds, at the pace so far.
    fn left_ns(&self) -> Option<u64> {
        if self.done == 0 {
            return None;
        }
        let to_come = u128::from(self.total.saturating_sub(self.done));
        let left = u128::from(self.elapsed_ns) * to_come / u128::from(self.done);
        Some(u64::try_from(left).unwrap_or(u64::MAX))
    }
}
