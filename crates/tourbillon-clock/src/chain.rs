//! The reference chain: instructions whose cost in cycles is known.
//!
//! Where there is no cycle counter, a chain of instructions that wait for each other stands in for
//! one: its time is the length of the core's cycle at this moment. Additions of registers cost one
//! cycle on every processor of today, but they compete for the units that a neighbour on the same
//! core keeps busy too: beside one, a chain of additions was seen to take 3 % longer while a chain of
//! multiplications did not change (docs/decisions/0002). So the additions only say how many cycles a
//! multiplication takes, a whole number, and the multiplications are what is timed.

#[cfg_attr(target_arch = "x86_64", path = "chain/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "chain/aarch64.rs")]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "chain/elsewhere.rs"
)]
mod turns;

use std::fmt;

use crate::{Clock, Ticks};

/// Instructions in one turn of the loop: enough that the loop's own two, which wait for nothing in
/// the chain, are done beside it.
const PER_TURN: u64 = 100;
/// Cycles that a multiplication takes on one processor or another: never less than three on x86-64.
const LATENCIES: (u64, u64) = if cfg!(target_arch = "x86_64") {
    (3, 5)
} else {
    (2, 5)
};
/// Readings from which the latency is taken.
const READINGS: usize = 7;
/// Turns of the short and the long reading.
const TURNS: (u64, u64) = (5, 30);

/// A chain of instructions whose cost in cycles is known.
///
/// # Accuracy
///
/// The readings of the clock are inside, some ten cycles, and the end of the loop, which may be
/// predicted wrongly once: two lengths and their difference cancel both. Cycles are those of the
/// core, which changes its frequency as it likes: a reading holds for the moment at which it was
/// taken. Its resolution is that of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceChain {
    link: Link,
}

/// The instruction that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// An addition of registers: one cycle.
    Addition,
    /// A multiplication of 32-bit registers: so many cycles.
    Multiplication(u64),
}

impl Clock {
    /// The chain that this processor is measured with; `None` where none is known.
    ///
    /// # Cost
    ///
    /// About 40 microseconds, in which the latency of a multiplication is found.
    #[must_use]
    pub fn reference_chain(&self) -> Option<ReferenceChain> {
        #[cfg(feature = "script")]
        if self.script().is_some() {
            return Some(ReferenceChain {
                link: Link::Addition,
            });
        }
        let additions = self.fastest(turns::additions)?;
        let multiplications = self.fastest(turns::multiplications)?;
        let latency = latency(additions, multiplications);
        Some(ReferenceChain {
            link: Link::Multiplication(latency),
        })
    }

    /// Ticks of so many turns at the best of a few readings, fixed cost taken out by difference.
    fn fastest(&self, turns: fn(&Clock, u64) -> Option<(Ticks, Ticks)>) -> Option<f64> {
        let read = |count| {
            let (start, stop) = turns(self, count)?;
            stop.since(start)
        };
        let (mut short, mut long) = (read(TURNS.0)?, read(TURNS.1)?);
        for _ in 1..READINGS {
            short = short.min(read(TURNS.0)?);
            long = long.min(read(TURNS.1)?);
        }
        long.since(short).map(|ticks| ticks.0 as f64)
    }
}

/// Cycles of a multiplication, by what the same number of additions took. A busy neighbour makes the
/// additions slower, so that the ratio comes out too small, never too large.
fn latency(additions: f64, multiplications: f64) -> u64 {
    let ratio = (multiplications / additions).round();
    (ratio as u64).clamp(LATENCIES.0, LATENCIES.1)
}

impl ReferenceChain {
    /// Cycles of one turn.
    #[must_use]
    pub fn cycles_per_turn(&self) -> u64 {
        match self.link {
            Link::Addition => PER_TURN,
            Link::Multiplication(latency) => PER_TURN * latency,
        }
    }

    /// Additions in the place of the multiplications: one cycle each, but later where a neighbour on
    /// the same core keeps its units busy. How much longer they take than this chain, in cycles,
    /// tells whether there is one.
    #[must_use]
    pub fn additions(&self) -> ReferenceChain {
        ReferenceChain {
            link: Link::Addition,
        }
    }

    /// Times so many turns.
    ///
    /// `None` for no turns, and where the clock went backwards.
    #[must_use]
    pub fn time(&self, clock: &Clock, turns: u64) -> Option<Ticks> {
        if turns == 0 {
            return None;
        }
        #[cfg(feature = "script")]
        if let Some(script) = clock.script() {
            let start = clock.start();
            script.advance_cycles((turns * self.cycles_per_turn()) as f64);
            return clock.stop().since(start);
        }
        let (start, stop) = match self.link {
            Link::Addition => turns::additions(clock, turns)?,
            Link::Multiplication(_) => turns::multiplications(clock, turns)?,
        };
        stop.since(start)
    }
}

impl fmt::Display for ReferenceChain {
    /// What the chain is made of, such as `multiplications of 3 cycles`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.link {
            Link::Addition => f.write_str("additions of 1 cycle"),
            Link::Multiplication(latency) => write!(f, "multiplications of {latency} cycles"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_is_a_whole_number_of_cycles() {
        for (additions, multiplications, cycles) in [
            (1_000.0, 3_000.0, 3),
            // A neighbour makes the additions 3 % slower, or much slower.
            (1_030.0, 3_000.0, 3),
            (1_190.0, 3_000.0, 3),
            // Steps of 26 ticks in 1 763 and 5 288.
            (1_742.0, 5_304.0, 3),
            (1_000.0, 4_010.0, 4),
            (1_000.0, 5_100.0, 5),
            (0.0, 5_100.0, 5),
        ] {
            assert_eq!(latency(additions, multiplications), cycles, "{additions}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn no_processor_of_this_kind_multiplies_in_two_cycles() {
        assert_eq!(latency(1_600.0, 3_000.0), 3);
    }

    #[test]
    fn a_scripted_core_adds() {
        let script = crate::Script::new().core_cycle(0.5).read_cost(3, 4);
        let clock = Clock::scripted(&script);
        let chain = clock.reference_chain().unwrap();
        assert_eq!(chain.cycles_per_turn(), 100);
        assert_eq!(chain.to_string(), "additions of 1 cycle");
        let read = |turns| chain.time(&clock, turns).unwrap().0;
        assert_eq!(read(100) - read(10), 4_500);
        assert_eq!(chain.time(&clock, 0), None);
        assert_eq!(chain.additions(), chain);
    }
}
