//! Two processors that hand a cache line to each other.

use std::sync::atomic::{AtomicU64, Ordering};

use super::move_to;
use tourbillon_clock::{Clock, Ticks};

/// How often the line goes there and back; the narrowest rounds decide.
const ROUNDS: u64 = 2_000;

/// What was found about two processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first processor.
    pub first: usize,
    /// The second processor.
    pub second: usize,
    /// What the second's counter is ahead of the first's, at least, in ticks.
    pub lowest: i128,
    /// What it is ahead, at most.
    pub highest: i128,
    /// Journeys of the line, two in a round.
    pub journeys: u64,
    /// Journeys that arrived before they had begun, by the counters.
    pub negative: u64,
    /// The worst of them, in ticks; 0 where there was none.
    pub worst: i128,
}

impl Pair {
    /// Whether an offset of zero is possible: the counters may be equal.
    #[must_use]
    pub fn may_agree(&self) -> bool {
        self.lowest <= 0 && self.highest >= 0
    }

    /// Judges the readings of a pair: when the line was sent and received, there and back, on the
    /// clock of whoever did it. `None` for none.
    fn judge(first: usize, second: usize, rounds: &[Round]) -> Option<Pair> {
        let mut pair = Pair {
            first,
            second,
            lowest: i128::MIN,
            highest: i128::MAX,
            journeys: 0,
            negative: 0,
            worst: 0,
        };
        for round in rounds {
            // The line arrives after it was sent: ahead >= sent back - received back, and
            // ahead <= received there - sent there, all in readings.
            let there = round.received.signed_since(round.sent);
            let back = round.returned.signed_since(round.answered);
            pair.highest = pair.highest.min(there);
            pair.lowest = pair.lowest.max(-back);
            for journey in [there, back] {
                pair.journeys += 1;
                if journey < 0 {
                    pair.negative += 1;
                    pair.worst = pair.worst.min(journey);
                }
            }
        }
        (pair.journeys > 0).then_some(pair)
    }
}

/// A journey there and back.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// On the first's clock.
    sent: Ticks,
    /// On the second's.
    received: Ticks,
    /// On the second's.
    answered: Ticks,
    /// On the first's.
    returned: Ticks,
}

/// A cache line of its own.
#[repr(align(128))]
struct Line(AtomicU64);

/// Says on the line that the other one has gone home.
const GIVEN_UP: u64 = u64::MAX;

/// Compares two processors; `None` where one could not be had.
pub(super) fn compare(clock: &str, patience: Ticks, first: usize, second: usize) -> Option<Pair> {
    Pair::judge(first, second, &rounds(clock, patience, first, second)?)
}

/// Lets the line go there and back.
fn rounds(clock: &str, patience: Ticks, first: usize, second: usize) -> Option<Vec<Round>> {
    let line = Line(AtomicU64::new(0));
    let line = &line.0;
    // Clocks do not go from thread to thread: each makes its own, of the same counter.
    let side = |cpu, mine: u64| {
        move || {
            let clock = Clock::by_name(clock).ok()?;
            let moved = move_to(cpu);
            let began = clock.now();
            let mut stamps = Vec::with_capacity(ROUNDS as usize);
            for round in 0..ROUNDS {
                let turn = 2 * round + mine;
                let arrived = moved && wait(line, turn, &clock, began, patience);
                if !arrived {
                    line.store(GIVEN_UP, Ordering::Release);
                    return None;
                }
                let received = clock.start();
                let sent = clock.stop();
                // The other side may have gone home; its word must not be overwritten.
                line.compare_exchange(turn, turn + 1, Ordering::AcqRel, Ordering::Relaxed)
                    .ok()?;
                stamps.push((received, sent));
            }
            Some(stamps)
        }
    };
    let (there, back) = std::thread::scope(|scope| {
        let there = scope.spawn(side(first, 0));
        let back = scope.spawn(side(second, 1));
        (there.join().ok().flatten(), back.join().ok().flatten())
    });
    let (there, back) = (there?, back?);
    let round = |at: usize| Round {
        sent: there[at].1,
        received: back[at].0,
        answered: back[at].1,
        returned: there[at + 1].0,
    };
    Some((0..there.len().min(back.len()) - 1).map(round).collect())
}

/// Waits until the line has come to `turn`; whether it has, in time.
fn wait(line: &AtomicU64, turn: u64, clock: &Clock, began: Ticks, patience: Ticks) -> bool {
    loop {
        match line.load(Ordering::Acquire) {
            value if value == turn => return true,
            GIVEN_UP => return false,
            _ => {}
        }
        if clock.now().signed_since(began).unsigned_abs() > u128::from(patience.0) {
            return false;
        }
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of 100 ticks each way, answered after 10; the second is `ahead`.
    fn rounds(ahead: i64, journeys: &[(u64, u64)]) -> Vec<Round> {
        let round = |&(there, back): &(u64, u64)| {
            let sent = 1_000_000_u64;
            let received = sent + there;
            let answered = received + 10;
            Round {
                sent: Ticks(sent),
                received: Ticks(received.wrapping_add_signed(ahead)),
                answered: Ticks(answered.wrapping_add_signed(ahead)),
                returned: Ticks(answered + back),
            }
        };
        journeys.iter().map(round).collect()
    }

    #[test]
    fn the_interval_holds_the_offset() {
        for ahead in [-1_000, -99, 0, 1, 99, 500, 1_000_000] {
            let journeys = [(300, 100), (100, 120), (5_000, 90)];
            let pair = Pair::judge(2, 5, &rounds(ahead, &journeys)).unwrap();
            let ahead = i128::from(ahead);
            // The narrowest journey of each direction decides.
            assert_eq!((pair.lowest, pair.highest), (ahead - 90, ahead + 100));
            assert_eq!(pair.may_agree(), (-100..=90).contains(&ahead), "{ahead}");
        }
    }

    #[test]
    fn negative_journeys_are_counted_and_the_worst_is_kept() {
        let pair = Pair::judge(0, 1, &rounds(-150, &[(100, 100), (120, 100), (200, 100)])).unwrap();
        assert_eq!((pair.journeys, pair.negative, pair.worst), (6, 2, -50));
        assert_eq!(Pair::judge(0, 1, &[]), None);
    }
}
