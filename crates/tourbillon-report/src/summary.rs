use tourbillon_record::End;

use crate::Style;
use crate::machine_events::add_meanwhile;
use crate::style::Ink;
use crate::text::Text;
use crate::wrap::Page;

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
    /// Those of the measured cases that have no figure: the machine was too busy, launches too scattered, or
    /// the clocks disagree.
    pub without_figure: u64,
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
        let mut page = Page::new(style);
        self.add(&mut page, style);
        page.text
    }

    #[inline(never)]
    fn add(&self, page: &mut Page<'_>, style: &Style) {
        let end = self.end;
        let text = &mut page.line;
        text.duration(end.wall_ns).say(", ");
        text.number(percent(end.visits_ns, end.wall_ns))
            .say(" % measuring (");
        text.number(percent(end.batches_ns, end.wall_ns))
            .say(" % in batches)");
        if let Some(check) = end.clock_check {
            let sign = if check.deviation_ppm < 0.0 { "" } else { "+" };
            text.item().say("clock ").say(sign);
            text.decimal(check.deviation_ppm, 1).say(" ");
            text.say(style.glyphs().plus_minus).ppm(check.bound_ppm);
            text.say(" from the system's");
        }
        page.fill(Ink::Plain, "");
        let text = &mut page.line;
        text.counted(self.measured, "case").say(" measured");
        say_some(text, self.failed, " failed");
        say_some(text, self.ignored, " ignored");
        say_some(text, self.without_figure, " without a figure");
        say_some(text, self.not_reached, " not reached");
        if end.faults > 0 {
            let visits = end.visits.saturating_add(end.faults);
            text.item().count(end.faults).say(" of ");
            text.counted(visits, "visit").say(" failed");
        }
        let failed = self.failed > 0;
        page.fill(if failed { Ink::Failure } else { Ink::Plain }, "");
        if end.interrupted {
            let meaning = "interrupted: figures are of the launches until then";
            page.sentence(Ink::Note, "! ", meaning);
        }
        if let Some(meanwhile) = &end.meanwhile {
            add_meanwhile(page, meanwhile);
        }
        match self.stored {
            Stored::In(file) => {
                page.line.safe(file);
                page.fill(Ink::Plain, "stored in ");
            }
            Stored::Not(why) => {
                page.line.safe(why);
                page.fill(Ink::Note, "! not stored: ");
            }
            Stored::NotAsked => {}
        }
    }
}

/// Says how many, where there are any.
#[inline(never)]
fn say_some(text: &mut Text, n: u64, what: &str) {
    if n > 0 {
        text.item().count(n).say(what);
    }
}

/// A part of a stretch of time in whole percent, rounded down: 100 % is all of it.
#[inline(never)]
fn percent(part_ns: u64, whole_ns: u64) -> u64 {
    let percent = u128::from(part_ns) * 100 / u128::from(whole_ns.max(1));
    u64::try_from(percent).unwrap_or(u64::MAX)
}
