use crate::Style;
use crate::escape::{display_width, push_shortened};
use crate::text::Text;

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
        let mut text = Text::new(style);
        self.say(&mut text, style);
        text.string
    }

    #[inline(never)]
    fn say(&self, text: &mut Text, style: &Style) {
        let glyphs = style.glyphs();
        let room = style.columns() - 1;
        text.count(self.done).say("/").counted(self.total, "visit");
        if display_width(&text.string) > room {
            text.string.clear();
            let percent = u128::from(self.done) * 100 / u128::from(self.total.max(1));
            text.number(u64::try_from(percent).unwrap_or(u64::MAX))
                .say(" %");
        }
        say_if_room(text, glyphs.separator, self.elapsed_ns, "", room);
        if let Some(left_ns) = self.left_ns() {
            say_if_room(text, glyphs.separator, left_ns, " left", room);
        }
        let used = display_width(&text.string) + display_width(glyphs.separator);
        let rest = room.saturating_sub(used);
        // Fewer columns say nothing about a case.
        if rest >= 8 && !self.case.is_empty() {
            text.say(glyphs.separator);
            let case = crate::escape(self.case, style.unicode);
            push_shortened(&mut text.string, &case, rest, glyphs.ellipsis);
        }
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

/// Says a time, unless the line becomes longer than there is room for.
#[inline(never)]
fn say_if_room(text: &mut Text, separator: &str, ns: u64, what: &str, room: usize) {
    let end = text.string.len();
    text.say(separator).duration(ns).say(what);
    if display_width(&text.string) > room {
        text.string.truncate(end);
    }
}
