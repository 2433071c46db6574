//! Kinds of findings about cases, and their text.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use tourbillon_present::Style;
use tourbillon_present::figure::Figure;
use tourbillon_present::number::{self, counted, duration, per_op, percent};
use tourbillon_record::{Absence, CaseResult, Note};

use super::input::Found;

/// A kind of finding and the cases that it concerns.
pub(super) struct Finding<'a> {
    pub(super) note: &'a Note,
    /// The worst of the cases' figures: a count, and a fraction or a quantity.
    count: u64,
    amount: f64,
    /// Whether no more launches were requested than were made.
    as_requested: bool,
    pub(super) cases: Vec<&'a Found<'a>>,
}

/// The findings about cases, each kind once.
pub(super) fn findings<'a>(found: &'a [Found<'a>]) -> Vec<Finding<'a>> {
    let mut findings: Vec<Finding<'a>> = Vec::new();
    let mut places = HashMap::new();
    for found in found {
        // What concerns the time concerns the cycles too, mostly, and is reported once.
        let results = [found.main, found.cycles, found.instructions];
        let results = results.into_iter().flatten();
        let measured = results.filter(|result| {
            !matches!(result.estimate, Err(Absence::Failed | Absence::NotReached))
        });
        let notes = measured.flat_map(|result| result.notes.iter().map(move |note| (result, note)));
        for (result, note) in notes {
            if follows(result, note) {
                continue;
            }
            let (count, amount) = figures(note);
            let as_requested = matches!(note, Note::FewLaunches { .. }) && lost_no_launch(result);
            let place = *places
                .entry((kind(note), as_requested))
                .or_insert(findings.len());
            let Some(finding) = findings.get_mut(place) else {
                findings.push(Finding {
                    note,
                    count,
                    amount,
                    as_requested,
                    cases: vec![found],
                });
                continue;
            };
            let fewer_is_worse = matches!(note, Note::FewLaunches { .. } | Note::Sampled { .. });
            if (count < finding.count) == fewer_is_worse {
                finding.count = count;
            }
            if amount.abs() > finding.amount.abs() {
                finding.amount = amount;
            }
            let last = finding.cases.last();
            if last.is_none_or(|last| last.case.id != found.case.id) {
                finding.cases.push(found);
            }
        }
    }
    findings
}

impl Finding<'_> {
    /// Whether a busy machine alone may be the cause: launches that take longer leave room for fewer, what else runs
    /// keeps caches from warming up, and takes more from the batches of one length than from those of the other.
    pub(super) fn may_be_of_busy_machine(&self) -> bool {
        let is_few = matches!(self.note, Note::FewLaunches { .. }) && !self.as_requested;
        is_few
            || matches!(
                self.note,
                Note::NotWarm { .. } | Note::Shortened { .. } | Note::Curvature { .. }
            )
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

/// Whether another note of the result contains this one, with the same remedy.
fn follows(result: &CaseResult, note: &Note) -> bool {
    let is_few = |note: &Note| matches!(note, Note::FewLaunches { .. });
    matches!(note, Note::Shortened { .. }) && result.notes.iter().any(is_few)
}

/// What notes of one kind have in common.
fn kind(note: &Note) -> (Discriminant<Note>, &str, bool) {
    let (text, is_in_figure) = match note {
        Note::Other(name) => (name.as_str(), false),
        Note::NotCounted { why } | Note::NotStepped { why } => (why.as_str(), false),
        Note::Contended { in_figure, .. } => ("", *in_figure),
        _ => ("", false),
    };
    (discriminant(note), text, is_in_figure)
}

/// What a note counts, and the fraction or the quantity that it has.
fn figures(note: &Note) -> (u64, f64) {
    match *note {
        Note::SlowLaunches { count, excess } => (count.into(), excess),
        Note::LaunchesRequested { launches, took_ns } => (launches.into(), took_ns),
        Note::Sampled { step_ns, ticks } => (ticks, step_ns),
        Note::Curvature { fraction } => (0, fraction.abs()),
        Note::FixedItem { fraction }
        | Note::UnevenThreads { fraction }
        | Note::Waited { fraction } => (0, fraction),
        Note::PagesTouched { per_op } | Note::Writes { per_op } => (0, per_op),
        Note::ClocksDisagree { ppm } => (0, ppm),
        Note::FailedLaunches { count } => (count.into(), 0.0),
        Note::Shortened { requested } => (requested.into(), 0.0),
        Note::Oversubscribed { threads, .. } => (threads.into(), 0.0),
        Note::NotWarm { launches }
        | Note::ThreadsLeft { launches }
        | Note::ProcessesLeft { launches }
        | Note::Contended { launches, .. }
        | Note::FewLaunches { launches } => (launches.into(), 0.0),
        Note::CorrectionTooLarge
        | Note::ConstantTime
        | Note::Skewed
        | Note::NotCounted { .. }
        | Note::NotStepped { .. }
        | Note::SystemCalls { .. }
        | Note::WaitsForMemory { .. }
        | Note::Overlaps { .. }
        | Note::Scheduled { .. }
        | Note::Other(_) => (0, 0.0),
        Note::RateNotHeld { per_second } => (0, per_second),
        Note::CallsTooShort { least_ns } => (0, least_ns),
    }
}

/// Curvature from which on the body is the cause. Below it, what else runs on the machine may have taken more from the
/// batches of one length than from those of the other: `explain` names it.
const MUCH_CURVED: f64 = 0.2;

/// The text of a finding, after its rank: what makes a figure wrong comes before what makes it less
/// certain. `None` for what is a mark in the table, in the line about the whole run, or needs nothing done and is in
/// `explain`.
pub(super) fn describe(
    finding: &Finding<'_>,
    requested: u32,
    style: &Style,
) -> Option<(u8, String)> {
    let Finding { count, amount, .. } = *finding;
    let several = finding.cases.len() > 1;
    let up_to = if several { "up to " } else { "" };
    let launches = format!("{up_to}{}", counted(count, "launch"));
    let of_requested = format!("{up_to}{count} of {}", counted(requested, "launch"));
    let share = format!("{up_to}{}", percent(amount.abs()));
    let (rank, text) = match finding.note {
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
            let setting = if finding.as_requested { "`launches`" } else { "--max-time" };
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
        Note::LaunchesRequested { .. } => {
            let launches = counted(count, "launch");
            let time = duration(amount as u64);
            (16, format!("the requested {launches} took {up_to}{time}"))
        }
        Note::NotCounted { why } => (17, format!("allocations not counted: {}", style.safe(why))),
        Note::NotStepped { why } => (17, format!("instructions not counted: {}", style.safe(why))),
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
        Note::Curvature { .. }
        | Note::Contended { in_figure: false, .. }
        | Note::SlowLaunches { .. }
        | Note::Skewed
        | Note::UnevenThreads { .. }
        | Note::FixedItem { .. }
        | Note::Waited { .. }
        | Note::WaitsForMemory { .. }
        | Note::Scheduled { .. }
        | Note::SystemCalls { .. }
        | Note::Overlaps { .. } => return None,
    };
    Some((rank, text))
}
