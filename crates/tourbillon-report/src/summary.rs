use tourbillon_record::End;

use crate::Style;
use crate::escape::Safe;
use crate::fill::{Items, Page};
use crate::number::{Count, Counted, Duration, Ppm};
use crate::style::Ink;

/// The last lines of a run: how long it took and for what, what became of the cases, where the
/// record is.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// How the run ended.
    pub end: &'a End,
    /// Cases that have an estimate or a bound.
    pub measured: u64,
    /// Cases whose every visit failed.
    pub failed: u64,
    /// Cases that are ignored.
    pub ignored: u64,
    /// Cases that were to be measured and were not visited.
    pub not_reached: u64,
    /// What became of the record.
    pub stored: Stored<'a>,
}

/// What became of a run's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<'a> {
    /// It is in this file; not escaped.
    In(&'a str),
    /// It could not be stored, or not all of it; why, not escaped.
    Not(&'a str),
    /// Nobody asked for it.
    NotAsked,
}

impl Summary<'_> {
    /// The lines, each ended.
    pub fn render(&self, style: &Style) -> String {
        let end = self.end;
        let mut page = Page::new(style);
        let mut items = Items::default();
        items.add(format_args!(
            "{}, {} % measuring ({} % in batches)",
            Duration(end.wall_ns),
            percent(end.visits_ns, end.wall_ns),
            percent(end.batches_ns, end.wall_ns)
        ));
        if let Some(check) = end.clock_check {
            items.add(format_args!(
                "clock {:+.1} {}{} from the system's",
                check.deviation_ppm,
                style.glyphs().plus_minus,
                Ppm(check.bound_ppm)
            ));
        }
        page.fill(Ink::Plain, "", &items);
        let mut items = Items::default();
        items.add(format_args!("{} measured", Counted(self.measured, "case")));
        for (n, what) in [
            (self.failed, "failed"),
            (self.ignored, "ignored"),
            (self.not_reached, "not reached"),
        ] {
            if n > 0 {
                items.add(format_args!("{} {what}", Count(n)));
            }
        }
        if end.faults > 0 {
            let visits = end.visits.saturating_add(end.faults);
            items.add(format_args!(
                "{} of {} failed",
                Count(end.faults),
                Counted(visits, "visit")
            ));
        }
        let ink = if self.failed > 0 {
            Ink::Failure
        } else {
            Ink::Plain
        };
        page.fill(ink, "", &items);
        if end.interrupted {
            page.sentence(
                Ink::Note,
                "! ",
                format_args!("interrupted: figures are of the launches until then"),
            );
        }
        match self.stored {
            Stored::In(file) => page.sentence(
                Ink::Plain,
                "stored in ",
                format_args!("{}", Safe(file, style.unicode)),
            ),
            Stored::Not(why) => page.sentence(
                Ink::Note,
                "! not stored: ",
                format_args!("{}", Safe(why, style.unicode)),
            ),
            Stored::NotAsked => {}
        }
        page.text
    }
}

/// A part of a stretch of time in whole percent, rounded down: 100 % is all of it.
fn percent(part_ns: u64, whole_ns: u64) -> u128 {
    u128::from(part_ns) * 100 / u128::from(whole_ns.max(1))
}
