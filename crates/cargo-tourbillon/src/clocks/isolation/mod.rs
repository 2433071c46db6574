//! `--isolation`: which sources count time of other processes.
//!
//! The same work is done alone and next to a process that loads the processor, in turns. Both share
//! one processor if the system can pin, so that the work takes twice the wall time; otherwise one
//! such process runs for each processor.

mod result;
mod rival;

use tourbillon_clock::{Stopwatch, Ticks};
use tourbillon_os::{affinity, set_affinity};

use self::result::{IsolationResult, SourceTimes};
use self::rival::{Rival, turns_for, work};
use super::measure::Subject;
use crate::exit::Stop;

pub(super) use self::result::{document, encode};
pub(crate) use self::rival::run as run_rival;

/// Rounds of either kind.
const ROUNDS: usize = 5;
/// Time of the work alone: 25 ticks of a kernel with 250 ticks per second.
const WORK_NS: u64 = 100_000_000;

/// Does the work alone and next to the others, and reads every source before and after.
///
/// # Errors
///
/// When no second process can be started.
pub(super) fn run(subjects: &mut [Subject]) -> Result<IsolationResult, Stop> {
    let pinned = Pinned::to_one();
    let rivals = match &pinned {
        Some(_) => 1,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let turns = turns_for(WORK_NS, |turns| {
        let stopwatch = Stopwatch::start();
        work(turns);
        stopwatch.elapsed_ns()
    });
    let mut times: Vec<SourceTimes> = subjects
        .iter()
        .map(|subject| SourceTimes {
            source: subject.name.clone(),
            counts: subject.counts.clone(),
            own_time: subject.own_time,
            alone: Vec::new(),
            contended: Vec::new(),
        })
        .collect();
    for _ in 0..ROUNDS {
        one_round(subjects, turns, |times| &mut times.alone, &mut times);
        let others = (0..rivals)
            .map(|_| Rival::start())
            .collect::<Result<Vec<Rival>, _>>()
            .map_err(|error| {
                Stop::Environment(format!("a second process cannot be started: {error}"))
            })?;
        one_round(subjects, turns, |times| &mut times.contended, &mut times);
        drop(others);
    }
    times.retain(|times| !times.alone.is_empty());
    Ok(IsolationResult {
        processor: pinned.as_ref().map(|pinned| pinned.processor),
        rivals,
        rounds: ROUNDS,
        times,
    })
}

/// Does the work once and records the times of all available sources.
fn one_round(
    subjects: &mut [Subject],
    turns: u64,
    side: impl Fn(&mut SourceTimes) -> &mut Vec<f64>,
    times: &mut [SourceTimes],
) {
    let before = readings(subjects);
    work(turns);
    let after = readings(subjects);
    let pairs = before.into_iter().zip(after);
    for ((subject, times), pair) in subjects.iter().zip(times).zip(pairs) {
        if let (Some(reader), (Some(before), Some(after))) = (&subject.reader, pair) {
            // A source that went backwards counted nothing, which is reported.
            let elapsed = after.since(before).unwrap_or(Ticks(0));
            side(times).push(match reader.frequency {
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

/// Pins this thread, and processes that it starts, to one processor until dropped.
#[derive(Debug)]
struct Pinned {
    processor: u32,
    before: Vec<u32>,
}

impl Pinned {
    /// `None` if the system does not pin.
    fn to_one() -> Option<Pinned> {
        let before = affinity().ok()?;
        let processor = *before.last()?;
        set_affinity(&[processor]).ok()?;
        Some(Pinned { processor, before })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Failing would require that a processor went offline; the program is about to end.
        let _ = set_affinity(&self.before);
    }
}
