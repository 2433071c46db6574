//! Whether the counters of the processors agree.
//!
//! One thread visits every processor and reads the counter there, with the operating system's
//! clock in a bracket, as [`crate::Anchor`] does. No second thread is needed, and none is left
//! behind in a process that is going to measure.

use super::affinity::{self, Affinity};
use crate::frequency::greatest_common_divisor;
use crate::system_error::SystemError;
use crate::{Clock, Ticks, os};

/// Time after which the tour goes home: what is left of two milliseconds is for the way back.
const LONGEST_TOUR_NS: u64 = 1_500_000;

/// Readings on each processor, the narrowest is kept: the first one finds cold caches.
const READINGS: usize = 3;

/// Offset between processors that is let pass. Only a batch during which the thread moved sees it,
/// and half a microsecond is below what such a move costs.
const TOLERANCE_NS: f64 = 500.0;

/// What the tour found.
pub(super) enum Outcome {
    /// The counters agree on all processors that were visited.
    Agree {
        /// Processors visited before the time was up.
        visited: usize,
        /// Processors that the thread may run on.
        allowed: usize,
    },
    /// They do not; the text says how far apart they are.
    Differ(String),
    /// The system would not let the thread move.
    NotMade(String),
}

/// A stay on one processor.
#[derive(Clone, Copy, Debug)]
struct Stay {
    cpu: usize,
    before: Ticks,
    reference_ns: u64,
    after: Ticks,
}

/// Visits the processors of the calling thread, beginning and ending with the one it is on.
///
/// At least one other is visited, however long that takes: a processor that is busy lets the
/// thread wait, and a tour of one proves nothing.
pub(super) fn tour(clock: &Clock) -> Outcome {
    let mut stays = Vec::new();
    match make_tour(clock, &mut stays) {
        Err(error) => Outcome::NotMade(format!("{error}")),
        Ok(allowed) => match judge(&stays) {
            Ok(()) => Outcome::Agree {
                visited: stays.len().saturating_sub(1),
                allowed,
            },
            Err(difference) => Outcome::Differ(difference),
        },
    }
}

/// Adds the stays, the first processor's twice; says how many processors the thread may run on.
fn make_tour(clock: &Clock, stays: &mut Vec<Stay>) -> Result<usize, SystemError> {
    let affinity = Affinity::of_this_thread()?;
    let processors = affinity.processors();
    let order = spread(&processors, affinity::current());
    let began = os::monotonic_ns();
    for &cpu in &order {
        let spent = os::monotonic_ns().saturating_sub(began);
        if stays.len() > 1 && spent > LONGEST_TOUR_NS {
            break;
        }
        affinity.move_to(cpu)?;
        stays.push(stay(clock, cpu));
    }
    if let Some(&home) = order.first() {
        affinity.move_to(home)?;
        stays.push(stay(clock, home));
    }
    Ok(processors.len())
}

/// The same processors, beginning with this one where it is among them, in an order that reaches
/// all parts of the machine early: neighbours share a socket, and a tour may be cut short.
fn spread(processors: &[usize], home: Option<usize>) -> Vec<usize> {
    let count = processors.len();
    let mut next = 0;
    while next < count && Some(processors[next]) != home {
        next += 1;
    }
    // The golden section keeps any number of first stops evenly apart; one more where it would
    // come round before all were seen.
    let mut stride = (count * 89 / 144).max(1);
    while greatest_common_divisor(count as u64, stride as u64) > 1 {
        stride += 1;
    }
    let mut order = Vec::new();
    while order.len() < count {
        order.push(processors[next % count]);
        next += stride;
    }
    order
}

fn stay(clock: &Clock, cpu: usize) -> Stay {
    let take = || Stay {
        cpu,
        before: clock.start(),
        reference_ns: os::reference_ns(),
        after: clock.stop(),
    };
    let mut best = take();
    for _ in 1..READINGS {
        let next = take();
        if width(&next) < width(&best) {
            best = next;
        }
    }
    best
}

fn width(stay: &Stay) -> i128 {
    stay.after.signed_since(stay.before)
}

/// Judges a tour that ends where it began.
///
/// Two tests. The counter must never read less than before: that is the whole test where the
/// kernel's clock is made out of the same counter, since then the reference moves with it. And the
/// first and the last stay, on one processor, give the rate; where the reference has another
/// origin, every stay in between must lie on their line, up to the brackets and the tolerance.
fn judge(stays: &[Stay]) -> Result<(), String> {
    for stay in stays {
        if width(stay) < 0 {
            return Err(format!("it went backwards on processor {}", stay.cpu));
        }
    }
    let [first, rest @ ..] = stays else {
        return Ok(());
    };
    let mut last = first;
    for stay in rest {
        let gained = stay.before.signed_since(last.after);
        if gained < 0 {
            return Err(format!(
                "it is {} ticks lower on processor {} than on processor {} before",
                -gained, stay.cpu, last.cpu
            ));
        }
        last = stay;
    }
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
        assert_eq!(judge(&stays(0)), Ok(()));
        // The tolerance: 500 ns and two brackets are 1450 ticks.
        assert_eq!(judge(&stays(1_400)), Ok(()));
        assert_eq!(judge(&stays(-1_400)), Ok(()));
    }

    #[test]
    fn an_offset_is_seen_against_the_reference() {
        assert!(judge(&stays(1_500)).is_err());
        assert!(judge(&stays(-1_500)).is_err());
    }

    #[test]
    fn a_counter_that_is_behind_is_seen_without_a_reference() {
        // The reference moves with the counter, as where the kernel's clock is made out of it.
        for off in [-60_000_i64, 60_000] {
            let mut stays = stays(off);
            stays[1].reference_ns = stays[1].reference_ns.wrapping_add_signed(off * 2 / 5);
            let found = judge(&stays).unwrap_err();
            assert!(found.contains("lower on processor"), "{found}");
        }
    }

    #[test]
    fn a_bracket_that_ends_before_it_begins_is_seen() {
        let mut stays = stays(0);
        stays[2].after = Ticks(stays[2].before.0 - 1);
        assert_eq!(
            judge(&stays),
            Err("it went backwards on processor 2".to_owned())
        );
    }

    #[test]
    fn a_reference_that_stands_still_leaves_the_first_test() {
        let mut stays = stays(0);
        for stay in &mut stays {
            stay.reference_ns = 1;
        }
        assert_eq!(judge(&stays), Ok(()));
        assert_eq!(judge(&[]), Ok(()));
    }

    #[test]
    fn a_tour_sees_every_processor_once() {
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
    fn a_tour_leaves_the_thread_where_it_may_have_been() {
        let before = Affinity::of_this_thread().map(|affinity| affinity.processors());
        let _ = tour(&Clock::os());
        let after = Affinity::of_this_thread().map(|affinity| affinity.processors());
        assert_eq!(before.ok(), after.ok());
    }
}
