//! A clock whose every reading is known in advance.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Frequency, FrequencyFrom, Ticks};

/// The script of a [scripted clock](crate::Clock::scripted): its readings, their cost, and the time that
/// passes.
///
/// Time is a position in ticks that moves in two ways only: reading the clock costs what the script defines,
/// and a body under test passes its cost to [`advance`](Script::advance). So a whole harness on this clock
/// is deterministic.
///
/// A script is a handle: clones share one position, one goes to the clock and one to each body. The setters
/// may be called at any moment, on any clone. Threads that share one move the same position, like threads
/// that take turns on one processor.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::{Clock, Script, Ticks};
///
/// let script = Script::new().read_cost(20, 15).granularity(10);
/// let clock = Clock::scripted(&script);
/// let start = clock.start();
/// script.advance(1_000);
/// let stop = clock.stop();
/// assert_eq!(stop.since(start), Some(Ticks(1_030))); // 1035, truncated to whole tens
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    /// Ticks that have passed since the script began, unlike those that are read.
    position: u64,
    /// The part of a tick that has passed beyond the position.
    fraction: f64,
    /// Difference between the readings and the position.
    offset: i64,
    start_cost: u64,
    stop_cost: u64,
    now_cost: u64,
    granularity: u64,
    /// The bits of a reading that the counter has.
    mask: u64,
    ticks_per_cycle: f64,
    hz: u64,
    drift_ppm: f64,
    jitter: Jitter,
    /// Position, time and warp of the events to come, the latest first.
    events: Vec<(u64, u64, i64)>,
    /// Cycles that the core has spent, without interruptions.
    cycles: f64,
    /// Position at which the counter of cycles is taken away.
    counts_until: u64,
}

/// Ticks that a region takes beyond those of its body.
#[derive(Debug)]
enum Jitter {
    Sequence { ticks: Vec<u64>, next: usize },
    Noise { state: u64, most: u64 },
}

impl Script {
    /// A perfect clock of 1 GHz at position 0: [`start`](crate::Clock::start) and
    /// [`stop`](crate::Clock::stop) cost nothing, [`now`](crate::Clock::now) costs one tick (so that
    /// a loop that waits for a time ends), a cycle of the core is one tick.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "a default script is not an obvious one"
    )]
    pub fn new() -> Script {
        Script {
            state: Arc::new(Mutex::new(State {
                position: 0,
                fraction: 0.0,
                offset: 0,
                start_cost: 0,
                stop_cost: 0,
                now_cost: 1,
                granularity: 1,
                mask: u64::MAX,
                ticks_per_cycle: 1.0,
                hz: 1_000_000_000,
                drift_ppm: 0.0,
                jitter: Jitter::Sequence {
                    ticks: Vec::new(),
                    next: 0,
                },
                events: Vec::new(),
                cycles: 0.0,
                counts_until: 0,
            })),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ticks that pass between latching the reading of a start and returning it, and between the
    /// call of a stop and latching its reading: an empty region reads as their sum.
    #[must_use]
    pub fn read_cost(self, start: u64, stop: u64) -> Script {
        self.state().start_cost = start;
        self.state().stop_cost = stop;
        self
    }

    /// Ticks that pass in an unordered reading before it is latched.
    #[must_use]
    pub fn now_cost(self, ticks: u64) -> Script {
        self.state().now_cost = ticks;
        self
    }

    /// Readings are truncated to multiples of `ticks`; 0 counts as 1.
    #[must_use]
    pub fn granularity(self, ticks: u64) -> Script {
        self.state().granularity = ticks.max(1);
        self
    }

    /// The counter has `bits` bits, at most 64: readings begin again at 0 after `2^bits` ticks.
    #[must_use]
    pub fn wrap(self, bits: u32) -> Script {
        self.state().mask = 1_u64.checked_shl(bits).map_or(u64::MAX, |size| size - 1);
        self
    }

    /// Ticks in one cycle of the core, for the [reference chain](crate::ReferenceChain) and
    /// [`advance_cycles`](Script::advance_cycles).
    #[must_use]
    pub fn core_cycle(self, ticks: f64) -> Script {
        self.state().ticks_per_cycle = ticks;
        self
    }

    /// The core's cycles are [counted](crate::CountingClock) until position `until` is reached, when the
    /// counter is taken away for good. A script has no counter without this. The regions' jitter is
    /// counted, interruptions are not.
    #[must_use]
    pub fn cycle_counter(self, until: u64) -> Script {
        self.state().counts_until = until;
        self
    }

    /// Ticks per second that the clock states; 0 counts as 1.
    #[must_use]
    pub fn hz(self, hz: u64) -> Script {
        self.state().hz = hz.max(1);
        self
    }

    /// How much faster the clock runs than it states, in parts per million of the operating system's clock:
    /// the deviation that a [`CrossCheck`](crate::CrossCheck) has to find.
    #[must_use]
    pub fn drift_ppm(self, ppm: f64) -> Script {
        self.state().drift_ppm = ppm;
        self
    }

    /// Every region takes the next of `ticks` longer, cyclically, just before its stop is latched. An empty
    /// sequence removes the jitter.
    #[must_use]
    pub fn jitter(self, ticks: &[u64]) -> Script {
        self.state().jitter = Jitter::Sequence {
            ticks: ticks.to_vec(),
            next: 0,
        };
        self
    }

    /// Every region takes 0 to `most` ticks longer, all equally likely, just before its stop is
    /// latched. The same seed gives the same ticks.
    #[must_use]
    pub fn noise(self, seed: u64, most: u64) -> Script {
        self.state().jitter = Jitter::Noise { state: seed, most };
        self
    }

    /// When position `at` is reached, `ticks` pass at once, as if another program had the core.
    #[must_use]
    pub fn interruption(self, at: u64, ticks: u64) -> Script {
        self.state().plan(at, ticks, 0);
        self
    }

    /// When position `at` is reached, readings jump by `by` ticks, backwards if it is negative, while no
    /// time passes: as if the program moved to a core with another counter.
    #[must_use]
    pub fn warp(self, at: u64, by: i64) -> Script {
        self.state().plan(at, 0, by);
        self
    }

    /// Lets `ticks` pass.
    pub fn advance(&self, ticks: u64) {
        self.state().pass_counted(ticks);
    }

    /// Lets `cycles` of the core pass. Fractions of a tick add up from call to call; a number that is not
    /// positive has no effect.
    pub fn advance_cycles(&self, cycles: f64) {
        self.state().pass_cycles(cycles);
    }

    /// The position: ticks that have passed, neither truncated nor wrapped nor warped.
    #[must_use]
    pub fn at(&self) -> Ticks {
        Ticks(self.state().position)
    }

    pub(crate) fn frequency(&self) -> Frequency {
        Frequency {
            numerator: self.state().hz,
            denominator: 1,
            from: FrequencyFrom::Script,
            error_ppm: None,
        }
    }

    /// The reading of the operating system's clock at the present position.
    pub(crate) fn reference_ns(&self) -> u64 {
        let stated = self.frequency().nanos(self.at());
        (stated / (1.0 + self.state().drift_ppm * 1e-6)) as u64
    }

    /// The reading of the counter of cycles; `None` without one.
    pub(crate) fn counted(&self) -> Option<f64> {
        let state = self.state();
        (state.position < state.counts_until).then_some(state.cycles)
    }

    pub(crate) fn read_start(&self) -> Ticks {
        let mut state = self.state();
        let reading = state.reading();
        let cost = state.start_cost;
        state.pass_counted(cost);
        reading
    }

    pub(crate) fn read_stop(&self) -> Ticks {
        let mut state = self.state();
        let cost = state.stop_cost;
        let jitter = state.jitter.next();
        state.pass_counted(cost.saturating_add(jitter));
        state.reading()
    }

    pub(crate) fn read_now(&self) -> Ticks {
        let mut state = self.state();
        let cost = state.now_cost;
        state.pass_counted(cost);
        state.reading()
    }
}

impl State {
    fn reading(&self) -> Ticks {
        let counter = self.position.wrapping_add_signed(self.offset);
        Ticks((counter - counter % self.granularity) & self.mask)
    }

    /// Plans an event; those at one position happen in the order of planning.
    fn plan(&mut self, at: u64, ticks: u64, by: i64) {
        let place = self.events.partition_point(|&(due, ..)| due > at);
        self.events.insert(place, (at, ticks, by));
    }

    /// Moves the position, event by event: an interruption may cause the next.
    fn pass(&mut self, ticks: u64) {
        self.position = self.position.saturating_add(ticks);
        while let Some((_, ticks, by)) = self.events.pop_if(|(due, ..)| *due <= self.position) {
            self.position = self.position.saturating_add(ticks);
            self.offset = self.offset.wrapping_add(by);
        }
    }

    /// Lets time pass that the core spends on the program.
    fn pass_counted(&mut self, ticks: u64) {
        self.cycles += ticks as f64 / self.ticks_per_cycle;
        self.pass(ticks);
    }

    fn pass_cycles(&mut self, cycles: f64) {
        let ticks = cycles * self.ticks_per_cycle;
        if ticks > 0.0 && ticks.is_finite() {
            let ticks = ticks + self.fraction;
            self.fraction = ticks.fract();
            self.cycles += cycles;
            self.pass(ticks as u64);
        }
    }
}

impl Jitter {
    fn next(&mut self) -> u64 {
        match self {
            Jitter::Sequence { ticks, next } => {
                let jitter = ticks.get(*next).copied().unwrap_or(0);
                *next = (*next + 1) % ticks.len().max(1);
                jitter
            }
            Jitter::Noise { state, most } => below_or_equal(split_mix(state), *most),
        }
    }
}

/// The next number of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, figure 17).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Maps 64 random bits onto 0 ..= `most` by multiplication.
fn below_or_equal(bits: u64, most: u64) -> u64 {
    ((u128::from(bits) * (u128::from(most) + 1)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_in_order_of_position() {
        let script = [(20, 1), (10, 20), (20, 300), (30, 4_000), (10, 50_000)]
            .into_iter()
            .fold(Script::new().now_cost(0), |script, (at, by)| {
                script.warp(at, by)
            });
        let mut read = |ticks| {
            script.advance(ticks);
            script.read_now().0
        };
        assert_eq!(
            [9, 1, 9, 1, 9, 1].map(&mut read),
            [9, 50_030, 50_039, 50_341, 50_350, 54_351]
        );
    }
}
