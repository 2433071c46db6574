//! The progress line of a run, and the lines at its end.

use tourbillon_present::number::{count, counted, duration, ppm, signed};
use tourbillon_present::{Ink, Style, TextLines, display_width, shortened};
use tourbillon_record::End;

/// The line that shows how far a run is, redrawn in place by the owner of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Launches that are over.
    pub done: u64,
    /// Launches planned at the moment; budgets may still change it.
    pub total: u64,
    /// The case of the launch that runs, or empty; not escaped.
    pub case: &'a str,
    /// Time since the start of the run in nanoseconds.
    pub elapsed_ns: u64,
    /// How many launches of the case were kept, and how many were made, where something else uses the core.
    pub kept: Option<(u32, u32)>,
}

impl Progress<'_> {
    /// One line without a line feed that never wraps.
    ///
    /// The time left supposes that the launches to come take as long as those that are over.
    pub fn render(&self, style: &Style) -> String {
        let (separator, ellipsis) = (style.glyphs().separator, style.glyphs().ellipsis);
        let room = style.columns_drawn_over();
        let launches = counted(self.total, "launch");
        let mut line = format!("{}/{launches}", count(self.done));
        if display_width(&line) > room {
            line = format!("{} %", percent(self.done, self.total));
        }
        let left = self.left_ns().map(|ns| duration(ns) + " left");
        let kept = self.kept.map(|(kept, made)| {
            let made = counted(u64::from(made), "launch");
            format!("core shared with another program, {kept} of {made} kept")
        });
        for item in [Some(duration(self.elapsed_ns)), left, kept]
            .into_iter()
            .flatten()
        {
            let longer = format!("{line}{separator}{item}");
            if display_width(&longer) <= room {
                line = longer;
            }
        }
        let used = display_width(&line) + display_width(separator);
        let rest = room.saturating_sub(used);
        // A case is not recognised in fewer columns.
        if rest >= 8 && !self.case.is_empty() {
            let case = shortened(&style.safe(self.case), rest, ellipsis);
            line = format!("{line}{separator}{case}");
        }
        line
    }

    /// Time left in nanoseconds, at the pace so far.
    fn left_ns(&self) -> Option<u64> {
        let to_come = u128::from(self.total.saturating_sub(self.done));
        let left = (u128::from(self.elapsed_ns) * to_come).checked_div(self.done.into())?;
        Some(u64::try_from(left).unwrap_or(u64::MAX))
    }
}

/// The last lines of a run, of which the last is the answer: how many cases it has, what was found of them, and how
/// long it took.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    /// How the run ended.
    pub end: &'a End,
    /// Cases that have an estimate or a bound.
    pub measured: u64,
    /// Cases whose every launch failed.
    pub failed: u64,
    /// Cases that are ignored.
    pub ignored: u64,
    /// Cases that were to be measured and were not reached.
    pub not_reached: u64,
    /// Those of the measured cases that have a rough estimate in place of a figure.
    pub rough: u64,
    /// Those of the measured cases that have neither: the machine was too busy, launches too
    /// scattered, or the clocks disagree.
    pub without_figure: u64,
    /// What comparisons and assertions came to, in words.
    pub answer: Vec<String>,
    /// Where the record is.
    pub stored: Stored<'a>,
    /// Whether what the time was taken for, and where the record is, are of interest.
    pub verbose: bool,
}

/// Where a run's record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<'a> {
    /// In this file; not escaped.
    In(&'a str),
    /// It could not be stored, or not completely; why, not escaped.
    Not(&'a str),
    /// It was not requested.
    NotRequested,
}

impl Summary<'_> {
    /// The lines, each ended.
    pub fn render(&self, style: &Style) -> String {
        let mut page = TextLines::new(style);
        let end = self.end;
        if self.verbose {
            page.items(Ink::Plain, "", self.times(style));
        }
        match self.stored {
            Stored::In(file) if self.verbose => {
                page.line(Ink::Plain, "stored in ", &style.safe(file));
            }
            Stored::Not(why) => page.line(Ink::Note, "! not stored: ", &style.safe(why)),
            Stored::In(_) | Stored::NotRequested => {}
        }
        let cases = self.measured + self.failed + self.not_reached;
        let time = duration(end.wall_ns);
        let mut items = vec![format!("{} in {time}", counted(cases, "case"))];
        for (n, what) in [
            (self.failed, "failed"),
            (self.ignored, "ignored"),
            (self.rough, "rough"),
            (self.without_figure, "without a figure"),
            (self.not_reached, "not reached"),
        ] {
            if n > 0 {
                items.push(format!("{} {what}", count(n)));
            }
        }
        if end.faults > 0 {
            let launches = counted(end.launches.saturating_add(end.faults), "launch");
            items.push(format!("{} of {launches} failed", count(end.faults)));
        }
        items.extend(self.answer.iter().map(|text| style.safe(text)));
        let failed = self.failed > 0;
        page.items(if failed { Ink::Failure } else { Ink::Plain }, "", items);
        page.text
    }

    /// What the time was taken for, and how true the clock is.
    fn times(&self, style: &Style) -> Vec<String> {
        let end = self.end;
        let mut times = vec![format!(
            "{}, {} % measuring ({} % in batches)",
            duration(end.wall_ns),
            percent(end.launches_ns, end.wall_ns),
            percent(end.batches_ns, end.wall_ns)
        )];
        if let Some(check) = end.clock_check {
            let plus_minus = style.glyphs().plus_minus;
            let bound = ppm(check.bound_ppm);
            times.push(format!(
                "clock {} {plus_minus}{bound} from the system's",
                signed(check.deviation_ppm, 1)
            ));
        }
        times
    }
}

/// A part of a whole in percent, rounded down: 100 % is all of it.
fn percent(part: u64, whole: u64) -> u128 {
    u128::from(part) * 100 / u128::from(whole.max(1))
}
