//! What is wrong with a case, a machine or a build, and what to do about it: the one place for advice. The header of a
//! run, the notes below its table, `doctor` and `explain` read it.

mod explanation;
mod machine;
mod reason;
mod remedy;

use tourbillon_record::{CaseResult, Note};

use crate::number::{self, counted, duration, per_op, percent};
use crate::{Figure, Style, measured};

pub use explanation::Explanation;
pub use machine::{System, Trouble};
pub use reason::Reason;
pub use remedy::{Remedy, SLACK, needs_time, round_above};

/// What a note says, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What makes a figure wrong comes before what makes it less certain; `None` where nothing needs to be done, so that
    /// `explain` alone has it.
    pub rank: Option<u8>,
    /// In words.
    pub text: String,
}

/// How far a note goes, in one case or in several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// What it counts: of several cases the worst.
    pub count: u64,
    /// The fraction or the quantity that it has: of several cases the worst.
    pub amount: f64,
    /// Whether it is about several cases.
    pub is_of_several: bool,
    /// Of few launches, whether all that were requested were made.
    pub as_requested: bool,
}

impl Extent {
    /// That of a note of one result.
    pub fn of(result: &CaseResult, note: &Note) -> Extent {
        let (count, amount) = match *note {
            Note::SlowLaunches { count, excess } => (count.into(), excess),
            Note::LaunchesRequested { launches, took_ns } => (launches.into(), took_ns),
            Note::Sampled { step_ns, ticks } => (ticks, step_ns),
            Note::Curvature { fraction } => (0, fraction.abs()),
            Note::FixedItem { fraction } | Note::UnevenThreads { fraction } => (0, fraction),
            Note::PagesTouched { per_op } | Note::Writes { per_op } => (0, per_op),
            Note::ClocksDisagree { ppm } => (0, ppm),
            Note::Imprecise { precision } => (0, precision),
            Note::RateNotHeld { per_second } => (0, per_second),
            Note::CallsTooShort { least_ns } => (0, least_ns),
            Note::FailedLaunches { count } => (count.into(), 0.0),
            Note::Shortened { requested } => (requested.into(), 0.0),
            Note::Oversubscribed { threads, .. } => (threads.into(), 0.0),
            Note::NotWarm { launches }
            | Note::ThreadsLeft { launches }
            | Note::ProcessesLeft { launches }
            | Note::Contended { launches, .. }
            | Note::FewLaunches { launches } => (launches.into(), 0.0),
            _ => (0, 0.0),
        };
        Extent {
            count,
            amount,
            is_of_several: false,
            as_requested: matches!(note, Note::FewLaunches { .. }) && lost_no_launch(result),
        }
    }
}

/// Whether every requested launch was made and has an estimate.
fn lost_no_launch(result: &CaseResult) -> bool {
    !result.notes.iter().any(|note| {
        matches!(
            note,
            Note::Shortened { .. } | Note::Contended { .. } | Note::FailedLaunches { .. }
        )
    })
}

/// Curvature from which on the body is the cause. Below it, what else runs on the machine may have taken more from the
/// batches of one length than from those of the other.
const MUCH_CURVED: f64 = 0.2;

/// What a note of one or several cases says, of a run in which so many launches of each were requested; `None` for what
/// is a mark in the table or in the line about the whole run.
pub fn of_note(note: &Note, extent: &Extent, requested: u32, style: &Style) -> Option<Advice> {
    let Extent { count, amount, .. } = *extent;
    let several = extent.is_of_several;
    let up_to = if several { "up to " } else { "" };
    let launches = format!("{up_to}{}", counted(count, "launch"));
    let of_requested = format!("{up_to}{count} of {}", counted(requested, "launch"));
    let share = format!("{up_to}{}", percent(amount.abs()));
    let (rank, text) = match note {
        Note::ClocksDisagree { .. } => {
            let ppm = number::count(amount.abs().round() as u64);
            let way = if amount < 0.0 { "slower" } else { "faster" };
            let text = format!(
                "no time: the measuring clock ran {ppm} ppm {way} than the system's; measure again \
                 when the system's time is no longer being corrected (`timedatectl`, `chronyc \
                 tracking`), and without programs that change it, such as faketime; cycles are not \
                 affected"
            );
            (0, text)
        }
        Note::CallsTooShort { .. } => {
            let least = Figure::new(amount, None, None).time(style);
            let text = format!(
                "calls below {least} cannot be timed one by one: readings of the clock are too much \
                 of each; time several at once (`iter`; in suites of criterion `BatchSize::SmallInput`), \
                 or do more in a call"
            );
            (1, text)
        }
        Note::RateNotHeld { .. } => {
            let rate = number::count(amount.round() as u64);
            let text = format!(
                "a call takes longer than the time between two at {rate} a second, so the backlog grows \
                 and the latencies with it; lower the rate"
            );
            (2, text)
        }
        Note::CorrectionTooLarge => (
            1,
            "not reliable: the correction for pauses is larger than the reading; prepare inputs with \
             `with_inputs` instead of pausing"
                .to_owned(),
        ),
        Note::FailedLaunches { .. } => {
            let text = format!("{of_requested} failed; the figure is of the others");
            (2, text)
        }
        Note::ConstantTime => (
            2,
            "its time does not follow the number of iterations: batches of n and of 2 n take the \
             same; the body has to do as many as it is asked for"
                .to_owned(),
        ),
        Note::ThreadsLeft { .. } => {
            let text = format!(
                "threads still ran at the end of {launches} and disturb the figure; join them in the \
                 body, or use a runtime of one thread"
            );
            (3, text)
        }
        Note::ProcessesLeft { .. } => {
            let text = format!(
                "started processes that still ran at the end of {launches} and were ended; wait for \
                 them in the body"
            );
            (4, text)
        }
        Note::Oversubscribed { processors, .. } => {
            let threads = counted(count, "thread");
            let processors = counted(*processors, "processor");
            let text = format!(
                "{up_to}{threads} took turns on {processors}: the figure includes waiting for a \
                 processor"
            );
            (5, text)
        }
        Note::Contended { in_figure: true, .. } => {
            let text = format!(
                "CPU contention (an SMT sibling or another VM) in {launches}, too many to discard; \
                 the figure may be up to twice too high"
            );
            (6, text)
        }
        Note::Writes { .. } => {
            let writes = per_op("writes", up_to, amount, "byte");
            let text = format!(
                "{writes}, whose time is in the figure; keep output out of the body unless it is what \
                 is measured"
            );
            (7, text)
        }
        Note::PagesTouched { .. } => {
            let touches = per_op("touches", up_to, amount, "new page");
            let text = format!(
                "{touches}, whose page faults are in the figure; reuse memory, or touch it before, \
                 unless that is what is measured"
            );
            (8, text)
        }
        Note::NotWarm { .. } => {
            let text = format!("warm-up had not settled in {launches}; raise --max-time");
            (9, text)
        }
        Note::Curvature { .. } if amount.abs() >= MUCH_CURVED => {
            let text = format!(
                "time is not proportional to the iterations (short and long batches differ by \
                 {share}): the cost of a call depends on the calls before it"
            );
            (10, text)
        }
        Note::FewLaunches { .. } => {
            let launches = counted(count, "launch");
            let setting = if extent.as_requested { "`launches`" } else { "--max-time" };
            let text = format!(
                "only {launches}, too few for an interval across processes; raise {setting}"
            );
            (14, text)
        }
        Note::Shortened { .. } => {
            let launches = counted(count, "launch");
            let text = format!("fewer than {launches} fitted into the budget; raise --max-time");
            (15, text)
        }
        Note::Imprecise { .. } => {
            let text = format!(
                "the interval is wider than the requested {share}; measure on a quieter machine, or choose a wider \
                 --precision"
            );
            (15, text)
        }
        Note::LaunchesRequested { .. } => {
            let launches = counted(count, "launch");
            let time = duration(amount as u64);
            (16, format!("the requested {launches} took {up_to}{time}"))
        }
        Note::NotCounted { why } => (17, format!("allocations not counted: {}", style.safe(why))),
        Note::NotStepped { why } => (17, format!("instructions not counted: {}", style.safe(why))),
        Note::EventsAbsent { why } => (17, format!("not counted: {}", style.safe(why))),
        Note::Sampled { .. } => {
            let down_to = if several { "down to " } else { "" };
            let times = counted(count, "time");
            let step = Figure::new(amount, None, None).time(style);
            let text = format!(
                "the system samples CPU time only every {step}, here {down_to}{times}; raise \
                 --max-time for more samples"
            );
            (19, text)
        }
        Note::Other(name) => (20, format!("note `{}` of a newer version", style.safe(name))),
        _ => return needing_nothing(note, extent).map(|text| Advice { rank: None, text }),
    };
    let rank = Some(rank);
    Some(Advice { rank, text })
}

/// The text of a note that asks for nothing; `None` for what the table has.
fn needing_nothing(note: &Note, extent: &Extent) -> Option<String> {
    let Extent { count, amount, .. } = *extent;
    let share = percent(amount.abs());
    Some(match note {
        Note::Curvature { .. } => format!(
            "short and long batches differ by {share}: the cost of a call depends on the calls before it, or what else \
             ran took more from one of them"
        ),
        Note::SlowLaunches { .. } => {
            let way = if amount < 0.0 { "faster" } else { "slower" };
            format!(
                "launches that were {way} than most: {count}, by {share} at most; they are in the interval"
            )
        }
        Note::UnevenThreads { .. } => {
            format!("the slowest thread takes {share} longer than the fastest")
        }
        Note::FixedItem { .. } => {
            let way = if amount < 0.0 { "less" } else { "more" };
            format!(
                "an op on one item alone takes {share} {way} time than on the stream of items, which is shown"
            )
        }
        _ => return None,
    })
}

/// What a note adds to the line of one figure; `None` for what the table has.
pub fn beside(result: &CaseResult, note: &Note, requested: u32, style: &Style) -> Option<String> {
    let shown = |value| measured(result, Figure::exact(value), style);
    match (note, result.mean) {
        (Note::Overlaps { alone }, _) => {
            let alone = shown(*alone);
            Some(format!(
                "overlapping calls; a call takes {alone} when the previous one has ended"
            ))
        }
        (Note::Skewed, Some(mean)) => {
            let mean = shown(mean);
            Some(format!(
                "skewed: the mean, {mean}, lies outside the interval"
            ))
        }
        (Note::Skewed, None) => Some("skewed: the mean lies outside the interval".to_owned()),
        _ => of_note(note, &Extent::of(result, note), requested, style).map(|advice| advice.text),
    }
}
