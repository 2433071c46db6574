//! The reference chain: instructions whose cost in cycles is known.
//!
//! Without a cycle counter, a chain of dependent instructions replaces it: its time gives the length of
//! the core's cycle at that moment. Additions of registers cost one cycle on every present processor, but
//! they compete for execution units with an SMT sibling: under contention, a chain of additions took 3 %
//! longer while a chain of multiplications did not change (docs/decisions/0002). So the additions only
//! determine the latency of a multiplication, a whole number of cycles, and multiplications are timed.

use std::fmt;

use crate::{Absence, Clock, Ticks};

/// Instructions in one turn of the loop: enough that the loop's own two, which do not depend on the
/// chain, execute in parallel with it.
const PER_TURN: u64 = 100;
/// Range of the latency of a multiplication: never less than three cycles on x86-64.
const LATENCIES: (u64, u64) = if cfg!(target_arch = "x86_64") {
    (3, 5)
} else {
    (2, 5)
};
/// Number of readings for the latency.
const READINGS: usize = 7;
/// Turns of the short and the long reading.
const TURNS: (u64, u64) = (5, 30);

/// A chain of instructions whose cost in cycles is known.
///
/// # Accuracy
///
/// The time includes the readings of the clock, about ten cycles, and one possible misprediction at the end
/// of the loop: the difference of two lengths cancels both. The core may change its frequency at any
/// moment: a reading holds for the moment at which it was taken. Its resolution is that of the clock.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Clock;
///
/// let clock = Clock::choose().clock;
/// if let Ok(chain) = clock.reference_chain() {
///     let (short, long) = (chain.time(&clock, 1_000), chain.time(&clock, 2_000));
///     println!("1000 turns, {} cycles each: {short:?}; 2000: {long:?}", chain.cycles_per_turn());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceChain {
    link: Link,
}

/// The instruction that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// An addition of registers: one cycle.
    Addition,
    /// A multiplication of 32-bit registers, with its latency in cycles.
    Multiplication(u64),
}

impl Clock {
    /// The chain for this processor.
    ///
    /// # Errors
    ///
    /// If no instructions of known cost are known for processors of this kind, if the clock stood still or went
    /// backwards, and if a multiplication takes a multiple of an addition that no processor needs.
    ///
    /// # Cost
    ///
    /// About 40 microseconds, to find the latency of a multiplication.
    pub fn reference_chain(&self) -> Result<ReferenceChain, Absence> {
        #[cfg(feature = "script")]
        if self.script().is_some() {
            return Ok(ReferenceChain {
                link: Link::Addition,
            });
        }
        if !turns::ARE_KNOWN {
            return Err(Absence::NoInstruction("instruction whose cost is known"));
        }
        let additions = self.fastest(turns::additions);
        let multiplications = self.fastest(turns::multiplications);
        let latency = latency(additions, multiplications).map_err(Absence::Untrusted)?;
        Ok(ReferenceChain {
            link: Link::Multiplication(latency),
        })
    }

    /// The shortest time of the turns in a few readings, without the fixed cost.
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

/// Cycles of a multiplication, from the time of as many additions, or why they cannot be trusted. Contention makes
/// the additions slower, up to half as fast, so the ratio may be too small, never too large.
fn latency(additions: Option<f64>, multiplications: Option<f64>) -> Result<u64, String> {
    let times = additions.zip(multiplications);
    let Some((additions, multiplications)) =
        times.filter(|(one, other)| *one > 0.0 && *other > 0.0)
    else {
        return Err("the clock did not advance during a chain of instructions".to_owned());
    };
    let ratio = multiplications / additions;
    let (least, most) = LATENCIES;
    if ratio < least as f64 / 2.0 || ratio >= most as f64 + 0.5 {
        return Err(format!(
            "a multiplication takes {ratio:.1} times as long as an addition, which it does on no processor"
        ));
    }
    Ok((ratio.round() as u64).clamp(least, most))
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

    /// A chain of additions: one cycle each, more under contention for the core's units. The difference to
    /// this chain, in cycles, measures contention.
    #[must_use]
    pub fn additions(&self) -> ReferenceChain {
        ReferenceChain {
            link: Link::Addition,
        }
    }

    /// Times `turns` turns.
    ///
    /// `None` for no turns, and if the clock went backwards.
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
    /// The instructions, such as `multiplications of 3 cycles`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.link {
            Link::Addition => f.write_str("additions of 1 cycle"),
            Link::Multiplication(latency) => write!(f, "multiplications of {latency} cycles"),
        }
    }
}

/// Turns of a hundred dependent instructions, between two readings of a clock.
mod turns {
    use crate::{Clock, Ticks};

    /// Whether the cost of the instructions is known on processors of this kind.
    pub(super) const ARE_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// Defines a loop around a hundred copies of an instruction. Not inlined, so that all callers time the
    /// same code.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    macro_rules! timed {
        ($name:ident, $instruction:literal; $($end_of_turn:literal),+) => {
            #[inline(never)]
            pub(super) fn $name(clock: &Clock, turns: u64) -> Option<(Ticks, Ticks)> {
                let start = clock.start();
                // SAFETY: changes the two registers that are declared and the flags; the number of turns
                // is not zero, so the loop ends.
                unsafe {
                    std::arch::asm!(
                        ".p2align 6",
                        "2:",
                        ".rept 100",
                        $instruction,
                        ".endr",
                        $($end_of_turn,)+
                        x = inout(reg) 3_u64 => _,
                        turns = inout(reg) turns => _,
                        options(nostack),
                    );
                }
                Some((start, clock.stop()))
            }
        };
    }

    // Multiplications of 32 bits: those of 64 take longer on some processors.
    #[cfg(target_arch = "x86_64")]
    timed!(additions, "add {x}, {x}"; "dec {turns}", "jnz 2b");
    #[cfg(target_arch = "x86_64")]
    timed!(multiplications, "imul {x:e}, {x:e}"; "dec {turns}", "jnz 2b");

    #[cfg(target_arch = "aarch64")]
    timed!(additions, "add {x}, {x}, {x}"; "subs {turns}, {turns}, #1", "b.ne 2b");
    #[cfg(target_arch = "aarch64")]
    timed!(multiplications, "mul {x:w}, {x:w}, {x:w}"; "subs {turns}, {turns}, #1", "b.ne 2b");

    /// The latencies of other processors are not known.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(super) fn additions(_clock: &Clock, _turns: u64) -> Option<(Ticks, Ticks)> {
        None
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(super) use self::additions as multiplications;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_is_a_whole_number_of_cycles() {
        for (additions, multiplications, cycles) in [
            (1_000.0, 3_000.0, 3),
            // Contention makes the additions 3 % slower, or much slower.
            (1_030.0, 3_000.0, 3),
            (1_190.0, 3_000.0, 3),
            // Steps of 26 ticks in 1 763 and 5 288.
            (1_742.0, 5_304.0, 3),
            (1_000.0, 4_010.0, 4),
            (1_000.0, 5_100.0, 5),
        ] {
            let found = latency(Some(additions), Some(multiplications));
            assert_eq!(found, Ok(cycles), "{additions}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn no_processor_of_this_kind_multiplies_in_two_cycles() {
        assert_eq!(latency(Some(1_600.0), Some(3_000.0)), Ok(3));
    }

    #[test]
    fn times_that_no_processor_needs_are_not_trusted() {
        // An emulator may translate a multiplication into a call.
        let why = latency(Some(1_000.0), Some(12_340.0)).unwrap_err();
        assert_eq!(
            why,
            "a multiplication takes 12.3 times as long as an addition, which it does on no processor"
        );
        assert!(latency(Some(1_000.0), Some(5_500.0)).is_err());
        assert!(latency(Some(1_000.0), Some(900.0)).is_err());
        for (additions, multiplications) in [
            (Some(0.0), Some(3_000.0)),
            (Some(1_000.0), Some(0.0)),
            (None, Some(3_000.0)),
            (Some(1_000.0), None),
        ] {
            let why = latency(additions, multiplications).unwrap_err();
            assert_eq!(
                why,
                "the clock did not advance during a chain of instructions"
            );
        }
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
