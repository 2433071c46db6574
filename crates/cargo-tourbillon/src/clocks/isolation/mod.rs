//! `--isolation`: which sources count what another process does.
//!
//! The same amount of work is done alone and beside a second process that never rests, in turns. Where
//! the system can pin, both share one processor, so that the work takes twice as long on the wall;
//! elsewhere there is one such process for each processor.

mod json;
mod rival;
mod text;
mod verdict;
mod work;

use tourbillon_clock::{Stopwatch, Ticks};
use tourbillon_os::{affinity, set_affinity};

use super::subject::Subject;
use crate::exit::Stop;
use rival::Rival;
use verdict::Seen;

pub(super) use json::encode;
pub(crate) use rival::{NAME as RIVAL, run as run_rival};
pub(super) use text::render;

/// Rounds of either kind.
const ROUNDS: usize = 5;
/// What the work takes alone: twenty-five ticks of a kernel that ticks 250 times a second.
const WORK_NS: u64 = 100_000_000;

/// What `--isolation` found.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The processor that both processes shared; `None` where the system pins none.
    processor: Option<u32>,
    /// Second processes that ran at a time.
    rivals: usize,
    rounds: usize,
    seen: Vec<Seen>,
}

/// Does the work, alone and beside, and reads every source before and after.
///
/// # Errors
///
/// Where no second process can be started.
pub(super) fn run(subjects: &mut [Subject]) -> Result<Outcome, Stop> {
    let pinned = Pinned::to_one();
    let rivals = match &pinned {
        Some(_) => 1,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let turns = work::turns_for(WORK_NS, |turns| {
        let run_clock = Stopwatch::start();
        work::work(turns);
        run_clock.elapsed_ns()
    });
    let mut seen: Vec<Seen> = subjects.iter().map(nothing_seen).collect();
    for _ in 0..ROUNDS {
        one_round(subjects, turns, |seen| &mut seen.alone, &mut seen);
        let others: Vec<Rival> = (0..rivals)
            .map(|_| Rival::start())
            .collect::<Result<_, _>>()
            .map_err(|error| {
                Stop::Environment(format!("a second process cannot be started: {error}"))
            })?;
        one_round(subjects, turns, |seen| &mut seen.beside, &mut seen);
        drop(others);
    }
    seen.retain(|seen| !seen.alone.is_empty());
    Ok(Outcome {
        processor: pinned.as_ref().map(|pinned| pinned.processor),
        rivals,
        rounds: ROUNDS,
        seen,
    })
}

fn nothing_seen(subject: &Subject) -> Seen {
    Seen {
        source: subject.name.clone(),
        counts: subject.counts.clone(),
        own_time: subject.own_time,
        alone: Vec::new(),
        beside: Vec::new(),
    }
}

/// Does the work once and keeps what each source that is there saw of it.
fn one_round(
    subjects: &mut [Subject],
    turns: u64,
    side: impl Fn(&mut Seen) -> &mut Vec<f64>,
    seen: &mut [Seen],
) {
    let before = readings(subjects);
    work::work(turns);
    let after = readings(subjects);
    let pairs = before.into_iter().zip(after);
    for ((subject, seen), pair) in subjects.iter().zip(seen).zip(pairs) {
        if let (Some(reader), (Some(before), Some(after))) = (&subject.reader, pair) {
            // A source that went back is one that saw nothing, which is said of it.
            let elapsed = after.since(before).unwrap_or(Ticks(0));
            side(seen).push(match reader.frequency {
                Some(frequency) => frequency.nanos(elapsed),
                None => elapsed.0 as f64,
            });
        }
    }
}

fn readings(subjects: &mut [Subject]) -> Vec<Option<Ticks>> {
    let read = |subject: &mut Subject| Some(subject.reader.as_mut()?.read());
    subjects.iter_mut().map(read).collect()
}

/// This thread on one processor, and processes that it starts with it, until this is dropped.
#[derive(Debug)]
struct Pinned {
    processor: u32,
    before: Vec<u32>,
}

impl Pinned {
    /// `None` where the system does not pin.
    fn to_one() -> Option<Pinned> {
        let before = affinity().ok()?;
        let processor = *before.last()?;
        set_affinity(&[processor]).ok()?;
        Some(Pinned { processor, before })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // They were allowed before; if one has gone since, the program is about to end anyway.
        let _ = set_affinity(&self.before);
    }
}
