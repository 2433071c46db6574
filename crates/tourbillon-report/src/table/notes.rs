//! Findings about results, each told once for all the cases that it concerns.

use std::fmt;

use tourbillon_record::{Absence, Note};

use super::findings::{Found, figure};
use crate::Figure;
use crate::escape::Safe;
use crate::fill::{Items, Page};
use crate::number::{Counted, Percent};
use crate::style::Ink;
use crate::tree::full_label;

/// Cases that are named before the rest is counted.
const NAMED: usize = 3;

/// One finding and the cases that it concerns.
struct Told<'a> {
    /// The worst of the cases' notes: largest counts, farthest distances.
    note: Note,
    cases: Vec<&'a Found<'a>>,
}

/// Adds a line or more for each kind of finding, the gravest first.
pub(crate) fn add_notes(page: &mut Page<'_>, found: &[Found<'_>], launches: u32) {
    let mut all: Vec<Told<'_>> = Vec::new();
    for found in found {
        // What concerns the time mostly concerns the cycles too and is told once.
        for result in [found.time, found.cycles].into_iter().flatten() {
            if !matches!(result.estimate, Err(Absence::Failed | Absence::NotReached)) {
                for note in &result.notes {
                    tell(&mut all, note, found);
                }
            }
        }
    }
    for rank in 0..=LAST_RANK {
        for told in all.iter().filter(|told| self::rank(&told.note) == rank) {
            let mut line = Items::default();
            add_names(&mut line, told, page);
            let several = told.cases.len() > 1;
            let safe = page.style.unicode;
            line.append(format_args!(
                ": {}",
                Sentence {
                    note: &told.note,
                    several,
                    launches,
                    safe
                }
            ));
            page.fill(Ink::Note, "! ", &line);
        }
    }
}

fn tell<'a>(all: &mut Vec<Told<'a>>, note: &Note, found: &'a Found<'a>) {
    for told in &mut *all {
        if same_kind(&told.note, note) {
            worsen(&mut told.note, note);
            if told
                .cases
                .last()
                .is_none_or(|last| last.case.id != found.case.id)
            {
                told.cases.push(found);
            }
            return;
        }
    }
    all.push(Told {
        note: note.clone(),
        cases: vec![found],
    });
}

fn same_kind(a: &Note, b: &Note) -> bool {
    match (a, b) {
        (Note::Other(a), Note::Other(b)) => a == b,
        _ => rank(a) == rank(b),
    }
}

/// Makes a note as bad as another of its kind.
fn worsen(worst: &mut Note, note: &Note) {
    match (worst, note) {
        (
            Note::SlowLaunches { count, excess },
            Note::SlowLaunches {
                count: other,
                excess: farther,
            },
        ) => {
            *count = (*count).max(*other);
            if farther.abs() > excess.abs() {
                *excess = *farther;
            }
        }
        (Note::Curvature { fraction }, Note::Curvature { fraction: other }) => {
            *fraction = fraction.abs().max(other.abs());
        }
        (Note::FailedLaunches { count }, Note::FailedLaunches { count: other })
        | (Note::NotWarm { launches: count }, Note::NotWarm { launches: other })
        | (Note::ThreadsLeft { launches: count }, Note::ThreadsLeft { launches: other })
        | (Note::Shortened { asked: count }, Note::Shortened { asked: other }) => {
            *count = (*count).max(*other);
        }
        (Note::FewLaunches { launches }, Note::FewLaunches { launches: other }) => {
            *launches = (*launches).min(*other);
        }
        _ => {}
    }
}

/// Order of the notes: what makes a figure wrong before what makes it less certain.
fn rank(note: &Note) -> u8 {
    match note {
        Note::CorrectionTooLarge => 0,
        Note::FailedLaunches { .. } => 1,
        Note::ThreadsLeft { .. } => 2,
        Note::NotWarm { .. } => 3,
        Note::Curvature { .. } => 4,
        Note::SlowLaunches { .. } => 5,
        Note::Skewed => 6,
        Note::FewLaunches { .. } => 7,
        Note::Shortened { .. } => 8,
        Note::Other(_) => 9,
    }
}

const LAST_RANK: u8 = 9;

/// What a note means.
struct Sentence<'a> {
    note: &'a Note,
    /// Whether it stands for several cases, its figures being the worst.
    several: bool,
    /// Launches that were asked for.
    launches: u32,
    /// Whether characters beyond ASCII may be used.
    safe: bool,
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let up_to = if self.several { "up to " } else { "" };
        let launches = |n: u32| Counted(u64::from(n), "launch");
        match self.note {
            Note::CorrectionTooLarge => f.write_str(
                "the correction for pauses is larger than what was read, so the figure is not \
                 reliable; prepare inputs with `with_inputs` instead of pausing",
            ),
            Note::FailedLaunches { count } => write!(
                f,
                "{up_to}{} of {} failed; the figure is of the others",
                launches(*count),
                self.launches
            ),
            Note::ThreadsLeft { launches: n } => write!(
                f,
                "threads still ran at the end of {up_to}{}; what they do disturbs the figure and \
                 is not in it, so join them in the body",
                launches(*n)
            ),
            Note::NotWarm { launches: n } => write!(
                f,
                "had not settled when the time for warming up was over, in {up_to}{}; raise \
                 --max-time",
                launches(*n)
            ),
            Note::Curvature { fraction } => write!(
                f,
                "time does not grow in proportion to the iterations (short and long batches \
                 differ by {up_to}{}), so what a call costs depends on the calls before it",
                Percent(fraction.abs())
            ),
            Note::SlowLaunches { count, excess } => {
                let one = !self.several && *count == 1;
                write!(
                    f,
                    "{up_to}{} of {} ran {}{} {}; {} in the interval",
                    launches(*count),
                    self.launches,
                    if one { "" } else { "up to " },
                    Percent(excess.abs()),
                    if *excess < 0.0 { "fast" } else { "slow" },
                    if one { "it is" } else { "they are" }
                )
            }
            Note::Skewed => f.write_str(
                "mean and median differ by more than the interval; the figure is the median",
            ),
            Note::FewLaunches { launches: n } => write!(
                f,
                "{} only, too few for an interval across processes; raise --max-time",
                launches(*n)
            ),
            Note::Shortened { asked } => {
                write!(
                    f,
                    "fewer than {} fitted into the budget; raise --max-time",
                    launches(*asked)
                )
            }
            Note::Other(name) => {
                write!(f, "note `{}` of a newer version", Safe(name, self.safe))
            }
        }
    }
}

/// `sort/heap, sort/quick, sort/std and 4 more`.
fn add_names(line: &mut Items, told: &Told<'_>, page: &Page<'_>) {
    for (i, found) in told.cases.iter().take(NAMED).enumerate() {
        let name = full_label(found.case, page.style);
        line.append(format_args!("{}{name}", if i == 0 { "" } else { ", " }));
        if told.note == Note::Skewed
            && let Some(time) = found.time
            && let (Some(median), Some(mean)) = (figure(time), time.mean)
        {
            // With the digits of the median that stands in the table.
            let mean = Figure {
                value: mean,
                ..median
            }
            .time(page.style);
            line.append(format_args!(" (mean {mean})"));
        }
    }
    if told.cases.len() > NAMED {
        line.append(format_args!(" and {} more", told.cases.len() - NAMED));
    }
}
