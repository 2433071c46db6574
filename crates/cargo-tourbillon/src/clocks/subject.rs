//! Time sources as the tasks of `clocks` use them.

use std::fmt;

use tourbillon_clock::{Frequency, Ticks};
use tourbillon_timers::characterise::Hardware;
use tourbillon_timers::{Counts, Listed, Source, sources};

/// A source of this machine, or one that it lacks.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) name: String,
    /// What it counts.
    pub(super) counts: String,
    /// Whether it counts only the time of this program.
    pub(super) own_time: bool,
    /// The hardware or system call behind it; empty if unknown.
    pub(super) behind: String,
    /// How to change that.
    pub(super) change: Option<&'static str>,
    pub(super) safe: bool,
    /// Why it is absent or unsafe.
    pub(super) reason: Option<String>,
    /// `None` if this machine lacks it.
    pub(super) reader: Option<Reader>,
}

/// Fills a buffer with sequential readings.
type Fill = dyn FnMut(&mut [Ticks]);

/// Reads a source.
pub(super) struct Reader {
    /// `None` if a tick has no fixed length, such as a core's cycle.
    pub(super) frequency: Option<Frequency>,
    fill: Box<Fill>,
}

impl Reader {
    pub(super) fn new(
        frequency: Option<Frequency>,
        fill: impl FnMut(&mut [Ticks]) + 'static,
    ) -> Reader {
        Reader {
            frequency,
            fill: Box::new(fill),
        }
    }

    /// Fills a buffer with sequential readings.
    pub(super) fn fill(&mut self, buffer: &mut [Ticks]) {
        (self.fill)(buffer);
    }

    /// One reading.
    pub(super) fn read(&mut self) -> Ticks {
        let mut one = [Ticks(0)];
        self.fill(&mut one);
        one[0]
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("frequency", &self.frequency)
            .finish_non_exhaustive()
    }
}

/// All known sources, those that this machine lacks included.
pub(super) fn all() -> Vec<Subject> {
    sources().into_iter().map(subject).collect()
}

fn subject(listed: Listed) -> Subject {
    let absent = Subject {
        name: listed.name.to_owned(),
        counts: listed.counts.to_string(),
        own_time: own_time(listed.counts),
        behind: String::new(),
        change: None,
        safe: false,
        reason: None,
        reader: None,
    };
    match listed.source {
        Err(absence) => Subject {
            reason: Some(absence.to_string()),
            ..absent
        },
        Ok(source) => {
            let frequency = source.frequency();
            let behind = source.behind();
            let caveat = source.caveat();
            Subject {
                behind: recognised(&*source, frequency, behind.to_string()),
                change: behind.change,
                safe: caveat.is_none(),
                reason: caveat,
                reader: Some(Reader::new(frequency, move |buffer| source.fill(buffer))),
                ..absent
            }
        }
    }
}

/// Whether only the program itself makes it advance.
fn own_time(counts: Counts) -> bool {
    counts != Counts::Wall
}

/// What is behind a source, recognised by its rate if the source does not name it.
fn recognised(source: &dyn Source, frequency: Option<Frequency>, behind: String) -> String {
    let unsaid = source.behind().hardware.is_none() && source.counts() == Counts::Wall;
    match frequency.and_then(|frequency| Hardware::recognise(frequency.hz())) {
        Some(hardware) if unsaid && hardware != Hardware::Nanoseconds => {
            format!("{behind} ({hardware}, by its rate)")
        }
        _ => behind,
    }
}
