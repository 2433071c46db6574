//! Do the counters of the processors agree?
//!
//! Two threads on two processors hand a cache line to each other and read the clock on the way: how
//! far apart their counters can be follows from the order of events alone, as in F. Cristian,
//! "Probabilistic clock synchronization" (Distributed Computing 3, 1989). A reading that is lower
//! than an earlier one of the other processor is counted; none is ever clamped.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Clock, Ticks};

/// How often the line goes there and back; the narrowest rounds decide.
const ROUNDS: u64 = 2_000;
/// Time after which a pair is given up, in nanoseconds: a processor may be taken away by others.
const PATIENCE_NS: u64 = 500_000_000;

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

/// What was found about all the processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Every pair of those that the calling thread may run on, which could be compared.
    pub pairs: Vec<Pair>,
    /// Pairs that were given up, as one of their processors was busy or gone.
    pub given_up: Vec<(usize, usize)>,
}

impl Agreement {
    /// Whether no counter is known to be off.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.pairs
            .iter()
            .all(|pair| pair.may_agree() && pair.negative == 0)
    }
}

/// Compares every pair of processors that the calling thread may run on.
///
/// The clock is that of [`Clock::choose`], or the counter that it refused, by its name: scripted
/// clocks belong to one thread.
///
/// # Errors
///
/// A sentence without a full stop where there is nothing to compare: no such clock, one processor,
/// or a system that does not tell which there are.
///
/// # Cost
///
/// About a millisecond for each pair, on two threads that do nothing else; at most half a second.
pub fn compare(clock: &str) -> Result<Agreement, String> {
    let named = Clock::by_name(clock).map_err(|error| error.to_string())?;
    let processors = processors()?;
    if processors.len() < 2 {
        return Err(
            "this thread may run on one processor only, and there is nothing to compare it with"
                .to_owned(),
        );
    }
    let patience = named.frequency().ticks_in(PATIENCE_NS);
    let mut agreement = Agreement {
        pairs: Vec::new(),
        given_up: Vec::new(),
    };
    for (at, &first) in processors.iter().enumerate() {
        for &second in &processors[at + 1..] {
            match rounds(clock, patience, first, second)
                .and_then(|rounds| Pair::judge(first, second, &rounds))
            {
                Some(pair) => agreement.pairs.push(pair),
                None => agreement.given_up.push((first, second)),
            }
        }
    }
    Ok(agreement)
}

/// A cache line of its own.
#[repr(align(128))]
struct Line(AtomicU64);

/// Says on the line that the other one has gone home.
const GIVEN_UP: u64 = u64::MAX;

/// Lets the line go there and back; `None` where a processor could not be had.
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

#[cfg(any(target_os = "linux", target_os = "android"))]
fn processors() -> Result<Vec<usize>, String> {
    crate::choose::affinity::Affinity::of_this_thread()
        .map(|affinity| affinity.processors())
        .map_err(|error| format!("which processors there are is not known ({error})"))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn processors() -> Result<Vec<usize>, String> {
    Err("threads are moved from processor to processor on Linux only".to_owned())
}

/// Moves this thread for good: it is going to end.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn move_to(cpu: usize) -> bool {
    crate::choose::affinity::pin(cpu).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn move_to(_cpu: usize) -> bool {
    false
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
        let agreement = Agreement {
            pairs: vec![pair],
            given_up: Vec::new(),
        };
        assert!(!agreement.holds());
        assert_eq!(Pair::judge(0, 1, &[]), None);
    }

    #[test]
    fn a_clock_that_is_none_and_one_processor_are_words() {
        assert!(compare("hpet").unwrap_err().contains("no clock is called"));
        std::thread::spawn(|| {
            let Ok(all) = processors() else { return };
            assert!(move_to(all[0]));
            let found = compare("monotonic").unwrap_err();
            assert!(found.contains("one processor only"), "{found}");
        })
        .join()
        .unwrap();
    }

    #[test]
    fn the_systems_clock_agrees_with_itself() {
        match compare("monotonic") {
            Ok(agreement) => {
                assert!(agreement.holds(), "{agreement:?}");
                let count = agreement.pairs.len() + agreement.given_up.len();
                assert!(count >= 1);
            }
            Err(words) => assert!(!words.is_empty()),
        }
    }
}
