//! Do the counters of the processors agree?
//!
//! Two threads on two processors hand a cache line to each other and read the clock on the way: how
//! far apart their counters can be follows from the order of events alone, as in F. Cristian,
//! "Probabilistic clock synchronization" (Distributed Computing 3, 1989). And all of them at once hold
//! their readings against the highest that any of them has published. A reading that is lower than an
//! earlier one of another processor is counted; none is ever clamped.

mod pair;
mod warp;

pub use pair::Pair;
pub use warp::Warp;

use tourbillon_clock::Clock;

/// Time after which processors are given up, in nanoseconds: others may have taken them.
const PATIENCE_NS: u64 = 500_000_000;

/// What was found about all the processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Every pair of those that the calling thread may run on, which could be compared.
    pub pairs: Vec<Pair>,
    /// Pairs that were given up, as one of their processors was busy or gone.
    pub given_up: Vec<(usize, usize)>,
    /// All of them at once.
    pub warp: Warp,
}

impl Agreement {
    /// Whether no counter is known to be off.
    #[must_use]
    pub fn holds(&self) -> bool {
        let agrees = |pair: &Pair| pair.may_agree() && pair.negative == 0;
        self.pairs.iter().all(agrees) && self.warp.negative == 0
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
/// About a millisecond for each pair, on two threads that do nothing else, and some 20 for all
/// processors at once; at most half a second each.
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
        warp: warp::compare(clock, patience, &processors),
    };
    for (at, &first) in processors.iter().enumerate() {
        for &second in &processors[at + 1..] {
            match pair::compare(clock, patience, first, second) {
                Some(pair) => agreement.pairs.push(pair),
                None => agreement.given_up.push((first, second)),
            }
        }
    }
    Ok(agreement)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn processors() -> Result<Vec<usize>, String> {
    tourbillon_clock::parts::Affinity::of_this_thread()
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
    tourbillon_clock::parts::pin(cpu).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn move_to(_cpu: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_reading_below_a_published_one_is_enough_to_differ() {
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
            Err(words) => assert!(!words.is_empty()),
        }
    }
}
