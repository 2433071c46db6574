//! Whether the counters of the processors agree.
//!
//! Two threads on two processors pass a cache line to each other and read the clock on the way: the order of
//! events alone bounds the offset of their counters, as in F. Cristian, "Probabilistic clock synchronization"
//! (Distributed Computing 3, 1989). And all processors at once compare their readings with the highest that
//! any of them has published. A reading that is lower than an earlier one of another processor is counted;
//! none is ever clamped.

mod warp;

use std::sync::atomic::{AtomicU64, Ordering};

use tourbillon_clock::{Clock, Ticks};
use tourbillon_os::affinity;
pub use warp::Warp;
use warp::move_to;

/// Time after which processors are given up, in nanoseconds: other programs may keep them busy.
const PATIENCE_NS: u64 = 500_000_000;

/// A comparison of all processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The pairs of processors that the calling thread may run on, as far as they could be compared.
    pub pairs: Vec<Pair>,
    /// Pairs that were given up, because one of their processors was busy or offline.
    pub given_up: Vec<(usize, usize)>,
    /// All of them at once.
    pub warp: Warp,
}

impl Agreement {
    /// Whether no disagreement was found.
    #[must_use]
    pub fn holds(&self) -> bool {
        let agrees = |pair: &Pair| pair.may_agree() && pair.negative == 0;
        self.pairs.iter().all(agrees) && self.warp.negative == 0
    }
}

/// Compares every pair of processors that the calling thread may run on.
///
/// The clock is that of [`Clock::choose`], or the counter that it refused, by name, because scripted clocks
/// belong to one thread.
///
/// # Errors
///
/// A sentence without a full stop if there is nothing to compare: no such clock, only one processor, or a
/// system that does not list them.
///
/// # Cost
///
/// About a millisecond for each pair, on two busy threads, and some 20 for all processors at once; at most
/// half a second each.
pub fn compare(clock: &str) -> Result<Agreement, String> {
    let named = Clock::by_name(clock).map_err(|error| error.to_string())?;
    let processors: Vec<usize> = affinity()
        .map_err(|error| format!("which processors there are is not known ({error})"))?
        .into_iter()
        .map(|cpu| cpu as usize)
        .collect();
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
        warp: warp::compare(clock, patience, &processors),
    };
    for (at, &first) in processors.iter().enumerate() {
        for &second in &processors[at + 1..] {
            let rounds = rounds(clock, patience, first, second);
            match rounds.and_then(|rounds| Pair::from_rounds(first, second, &rounds)) {
                Some(pair) => agreement.pairs.push(pair),
                None => agreement.given_up.push((first, second)),
            }
        }
    }
    Ok(agreement)
}

/// Round trips of the line; the narrowest decide.
const ROUNDS: u64 = 2_000;

/// A comparison of two processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first processor.
    pub first: usize,
    /// The second processor.
    pub second: usize,
    /// Least offset of the second's counter from the first's, in ticks.
    pub lowest: i128,
    /// Greatest offset.
    pub highest: i128,
    /// Journeys of the line, two in a round trip.
    pub journeys: u64,
    /// Journeys that arrived before they began, by the counters.
    pub negative: u64,
    /// The worst of them, in ticks; 0 without one.
    pub worst: i128,
}

impl Pair {
    /// Whether an offset of zero is possible: the counters may be equal.
    #[must_use]
    pub fn may_agree(&self) -> bool {
        self.lowest <= 0 && self.highest >= 0
    }

    /// The pair of these readings; `None` without any.
    fn from_rounds(first: usize, second: usize, rounds: &[Round]) -> Option<Pair> {
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

/// A round trip: when the line was sent and received.
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

/// The value of the line when one side has given up.
const GIVEN_UP: u64 = u64::MAX;

/// Passes the line to and fro; `None` if one of the processors was not available.
fn rounds(clock: &str, patience: Ticks, first: usize, second: usize) -> Option<Vec<Round>> {
    let line = Line(AtomicU64::new(0));
    let line = &line.0;
    // Clocks are not `Sync`: each thread makes its own of the same counter.
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
                // The other side may have given up; that must not be overwritten.
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

/// Waits until the line has the value `turn`; whether it has it in time.
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

    #[test]
    fn unknown_clocks_and_single_processors_are_errors() {
        assert!(compare("hpet").unwrap_err().contains("no clock is called"));
        std::thread::spawn(|| {
            let Ok(all) = affinity() else { return };
            assert!(move_to(all[0] as usize));
            let found = compare("monotonic").unwrap_err();
            assert!(found.contains("one processor only"), "{found}");
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_reading_below_a_published_one_is_a_disagreement() {
        let with = |negative| Agreement {
            pairs: Vec::new(),
            given_up: Vec::new(),
            warp: Warp {
                negative,
                ..Warp::default()
            },
        };
        assert!(with(0).holds());
        assert!(!with(1).holds());
    }

    #[test]
    fn the_systems_clock_agrees_with_itself() {
        match compare("monotonic") {
            Ok(agreement) => {
                assert!(agreement.holds(), "{agreement:?}");
                let count = agreement.pairs.len() + agreement.given_up.len();
                assert!(count >= 1);
                let warp = &agreement.warp;
                assert!(warp.processors.len() >= 2, "{warp:?}");
                assert!(warp.readings > warp.processors.len() as u64, "{warp:?}");
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }

    /// Round trips with these journeys, answered after 10 ticks; the second counter is `ahead`.
    fn round_trips(ahead: i64, journeys: &[(u64, u64)]) -> Vec<Round> {
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
    fn the_interval_contains_the_offset() {
        for ahead in [-1_000, -99, 0, 1, 99, 500, 1_000_000] {
            let journeys = [(300, 100), (100, 120), (5_000, 90)];
            let pair = Pair::from_rounds(2, 5, &round_trips(ahead, &journeys)).unwrap();
            let ahead = i128::from(ahead);
            // The narrowest journey of each direction decides.
            assert_eq!((pair.lowest, pair.highest), (ahead - 90, ahead + 100));
            assert_eq!(pair.may_agree(), (-100..=90).contains(&ahead), "{ahead}");
        }
    }

    #[test]
    fn negative_journeys_are_counted_and_the_worst_is_kept() {
        let pair = Pair::from_rounds(
            0,
            1,
            &round_trips(-150, &[(100, 100), (120, 100), (200, 100)]),
        )
        .unwrap();
        assert_eq!((pair.journeys, pair.negative, pair.worst), (6, 2, -50));
        assert_eq!(Pair::from_rounds(0, 1, &[]), None);
    }
}
