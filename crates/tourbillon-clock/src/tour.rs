//! Whether the counters of the processors agree.
//!
//! One thread visits every processor and reads the counter there, with the operating system's clock in a
//! bracket, as [`crate::Anchor`] does. It needs no second thread, which would stay in a process that is
//! going to measure.

use std::io;

use crate::frequency::greatest_common_divisor;
use crate::{Clock, Ticks, os, sys};

/// Time after which the tour ends: the rest of two milliseconds is for the way back.
const LONGEST_TOUR_NS: u64 = 1_500_000;

/// Readings on each processor, of which the narrowest is kept: the first one finds cold caches.
const READINGS: usize = 3;

/// Tolerated offset between processors. It affects only a batch during which the thread moved, and half a
/// microsecond is less than the cost of such a move.
const TOLERANCE_NS: f64 = 500.0;

/// The result of a tour.
pub(crate) enum Tour {
    /// The counters agree on the `visited` processors, of those that the thread is `allowed` to run on.
    Agree { visited: usize, allowed: usize },
    /// They do not; the text tells the difference.
    Differ(String),
    /// The system did not move the thread.
    NotMade(io::Error),
}

/// A stay on one processor.
#[derive(Clone, Copy, Debug)]
struct Stay {
    cpu: usize,
    before: Ticks,
    reference_ns: u64,
    after: Ticks,
}

/// Visits the processors of the calling thread, beginning and ending with the present one.
///
/// At least one other is visited, however long that takes: a busy processor makes the thread wait, and a
/// tour of one proves nothing.
pub(crate) fn tour(clock: &Clock) -> Tour {
    match stays(clock) {
        Err(error) => Tour::NotMade(error),
        Ok((stays, allowed)) => match check(&stays) {
            Ok(()) => Tour::Agree {
                visited: stays.len().saturating_sub(1),
                allowed,
            },
            Err(difference) => Tour::Differ(difference),
        },
    }
}

/// The stays, with the first processor's twice, and the number of processors that the thread may run on.
fn stays(clock: &Clock) -> io::Result<(Vec<Stay>, usize)> {
    let affinity = Affinity::of_this_thread()?;
    let processors = affinity.processors();
    // SAFETY: sched_getcpu has no preconditions.
    let home = usize::try_from(unsafe { sys::sched_getcpu() }).ok();
    let order = spread(&processors, home);
    let mut stays = Vec::new();
    let began = os::monotonic_ns();
    for &cpu in &order {
        let spent = os::monotonic_ns().saturating_sub(began);
        if stays.len() > 1 && spent > LONGEST_TOUR_NS {
            break;
        }
        pin(cpu)?;
        stays.push(stay(clock, cpu));
    }
    if let Some(&home) = order.first() {
        pin(home)?;
        stays.push(stay(clock, home));
    }
    Ok((stays, processors.len()))
}

/// The processors, beginning with `home` if it is among them, in an order that reaches all parts of the
/// machine early: adjacent ones share a socket, and a tour may be cut short.
fn spread(processors: &[usize], home: Option<usize>) -> Vec<usize> {
    let count = processors.len();
    let first = processors.iter().position(|&cpu| Some(cpu) == home);
    // The golden section distributes any number of stops evenly; increased where it would return to the
    // first before all were visited.
    let mut stride = (count * 89 / 144).max(1);
    while greatest_common_divisor(count as u64, stride as u64) > 1 {
        stride += 1;
    }
    let place = |stop| (first.unwrap_or(0) + stop * stride) % count;
    (0..count).map(|stop| processors[place(stop)]).collect()
}

fn stay(clock: &Clock, cpu: usize) -> Stay {
    let take = |_| Stay {
        cpu,
        before: clock.start(),
        reference_ns: os::reference_ns(),
        after: clock.stop(),
    };
    let narrowest = (0..READINGS).map(take).min_by_key(width);
    narrowest.unwrap_or_else(|| take(0))
}

fn width(stay: &Stay) -> i128 {
    stay.after.signed_since(stay.before)
}

/// Checks a tour that ends where it began, by two tests.
///
/// The counter must never read less than before. If the kernel's clock is made from the same counter, this
/// is the whole test, because the reference moves with the counter. Otherwise the first and the last stay,
/// on one processor, give the rate, and every stay in between must lie on their line, up to the brackets
/// and the tolerance.
fn check(stays: &[Stay]) -> Result<(), String> {
    if let Some(stay) = stays.iter().find(|stay| width(stay) < 0) {
        return Err(format!("it went backwards on processor {}", stay.cpu));
    }
    for pair in stays.windows(2) {
        let gained = pair[1].before.signed_since(pair[0].after);
        if gained < 0 {
            return Err(format!(
                "it is {} ticks lower on processor {} than on processor {} before",
                -gained, pair[1].cpu, pair[0].cpu
            ));
        }
    }
    let (Some(first), Some(last)) = (stays.first(), stays.last()) else {
        return Ok(());
    };
    let (ticks, nanos) = between(first, last);
    if nanos <= 0.0 {
        return Ok(());
    }
    let rate = ticks / nanos;
    for stay in stays {
        let (ticks, nanos) = between(first, stay);
        let off = ticks - rate * nanos;
        let brackets = (width(first).max(width(last)) + width(stay)) as f64;
        if off.abs() > brackets + rate * TOLERANCE_NS {
            return Err(format!(
                "it is {off:.0} ticks off on processor {}, seen from processor {}",
                stay.cpu, first.cpu
            ));
        }
    }
    Ok(())
}

/// Ticks and nanoseconds from the middle of one stay to that of another.
fn between(first: &Stay, other: &Stay) -> (f64, f64) {
    let twice = other.before.signed_since(first.before) + other.after.signed_since(first.after);
    let nanos = i128::from(other.reference_ns) - i128::from(first.reference_ns);
    (twice as f64 / 2.0, nanos as f64)
}

/// Words of a processor mask: more processors than any kernel supports (8192 on x86-64).
const WORDS: usize = 128;

/// The calling thread's affinity; restored on drop.
struct Affinity([u64; WORDS]);

impl Affinity {
    fn of_this_thread() -> io::Result<Affinity> {
        let mut mask = [0_u64; WORDS];
        // SAFETY: the kernel writes at most the stated number of bytes into the mask.
        let result =
            unsafe { sys::sched_getaffinity(0, size_of_val(&mask), mask.as_mut_ptr().cast()) };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Affinity(mask))
    }

    /// The processors of the thread, in ascending order.
    fn processors(&self) -> Vec<usize> {
        let is_set = |cpu: &usize| self.0[cpu / 64] >> (cpu % 64) & 1 == 1;
        (0..64 * WORDS).filter(is_set).collect()
    }
}

impl Drop for Affinity {
    fn drop(&mut self) {
        // Fails only if a processor vanished meanwhile; the kernel has chosen another set then.
        let _ = set(&self.0);
    }
}

/// Moves the calling thread to one processor: it runs there when this returns.
fn pin(cpu: usize) -> io::Result<()> {
    let mut mask = [0; WORDS];
    mask[cpu / 64] = 1 << (cpu % 64);
    set(&mask)
}

fn set(mask: &[u64; WORDS]) -> io::Result<()> {
    // SAFETY: the kernel reads the stated number of bytes of the mask.
    match unsafe { sys::sched_setaffinity(0, size_of_val(mask), mask.as_ptr().cast()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tour of processors 0, 1, 2, 0 on a counter of 2.5 GHz that is `off` ticks on processor 1:
    /// 20 us from stay to stay, brackets of 100 ticks.
    fn stays(off: i64) -> Vec<Stay> {
        let offsets = [(0, 0), (1, off), (2, 0), (0, 0)];
        let stay = |(number, (cpu, off)): (u64, (usize, i64))| {
            let middle = (1_000_000 + number * 50_000).wrapping_add_signed(off);
            Stay {
                cpu,
                before: Ticks(middle - 50),
                reference_ns: 7_000_000 + number * 20_000,
                after: Ticks(middle + 50),
            }
        };
        (0..).zip(offsets).map(stay).collect()
    }

    #[test]
    fn counters_that_agree_pass() {
        assert_eq!(check(&stays(0)), Ok(()));
        // The tolerance: 500 ns and two brackets are 1450 ticks.
        assert_eq!(check(&stays(1_400)), Ok(()));
        assert_eq!(check(&stays(-1_400)), Ok(()));
    }

    #[test]
    fn an_offset_is_seen_against_the_reference() {
        assert!(check(&stays(1_500)).is_err());
        assert!(check(&stays(-1_500)).is_err());
    }

    #[test]
    fn a_lower_counter_is_seen_without_a_reference() {
        // The reference moves with the counter, as if the kernel's clock were made from it.
        for off in [-60_000_i64, 60_000] {
            let mut stays = stays(off);
            stays[1].reference_ns = stays[1].reference_ns.wrapping_add_signed(off * 2 / 5);
            let found = check(&stays).unwrap_err();
            assert!(found.contains("lower on processor"), "{found}");
        }
    }

    #[test]
    fn a_bracket_that_ends_before_it_begins_is_seen() {
        let mut stays = stays(0);
        stays[2].after = Ticks(stays[2].before.0 - 1);
        assert_eq!(
            check(&stays),
            Err("it went backwards on processor 2".to_owned())
        );
    }

    #[test]
    fn with_a_reference_that_stands_still_only_the_first_test_is_made() {
        let mut stays = stays(0);
        for stay in &mut stays {
            stay.reference_ns = 1;
        }
        assert_eq!(check(&stays), Ok(()));
        assert_eq!(check(&[]), Ok(()));
    }

    #[test]
    fn a_tour_visits_every_processor_once() {
        for count in 0..300 {
            let processors: Vec<usize> = (0..count).map(|number| 3 * number).collect();
            let home = processors.get(count * 2 / 3).copied();
            let order = spread(&processors, home);
            assert_eq!(order.first().copied(), home);
            let elsewhere = spread(&processors, Some(usize::MAX));
            assert_eq!(elsewhere.first(), processors.first());
            let mut seen = order.clone();
            seen.sort_unstable();
            assert_eq!(seen, processors);
        }
    }

    #[test]
    fn a_tour_restores_the_affinity_of_the_thread() {
        let processors = || Affinity::of_this_thread().map(|affinity| affinity.processors());
        let before = processors().ok();
        let _ = tour(&Clock::os());
        assert_eq!(before, processors().ok());
    }
}
