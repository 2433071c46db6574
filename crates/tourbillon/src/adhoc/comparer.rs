use std::io::Write;
use std::mem::needs_drop;
use std::num::NonZeroU64;
use std::slice::from_ref;
use std::time::Duration;

use tourbillon_analysis::{Criteria, Design, Frequency, disturbed, judge, settled};
use tourbillon_clock::Clock;
use tourbillon_engine::{
    About, Arm, Candidate, Iterated, Kept, Next, WINDOW_BYTES, WINDOW_ITEMS, alternate, moving,
};
use tourbillon_record::{Plan, Rounds};
use tourbillon_runner::CaseSettings;

use super::comparison::Comparison;
use crate::text::owned;

/// Longest time for a comparison unless told otherwise: most are decided in a hundredth of it.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Compares two functions in this process and prints one line: is the second one faster, slower, or
/// the same?
///
/// Both get a name. They are run batch by batch in random order, with an interval for the ratio of
/// their times, until it is decided or 2 s are over; [`Comparer`] has settings.
///
/// # Accuracy
///
/// Batches of about 0.1 ms come in pairs whose order a coin decides, so that a wrong verdict on two
/// functions that take the same time comes at most once in a thousand comparisons, whatever else
/// the machine does meanwhile. "Same" is within 0.5 %. The verdict holds for this process: where code
/// and data lie in it is part of what is compared, and may move times by some per cent.
///
/// # Examples
///
/// ```
/// let numbers: Vec<u64> = (0..1_000).collect();
/// let compared = tourbillon::compare(
///     ("binary", || numbers.binary_search(&tourbillon::hide(700)).is_ok()),
///     ("linear", || numbers.contains(&tourbillon::hide(700))),
/// );
/// assert_eq!(compared.names(), ("binary", "linear"));
/// ```
pub fn compare<R, S>(
    reference: (&str, impl FnMut() -> R),
    candidate: (&str, impl FnMut() -> S),
) -> Comparison {
    Comparer::new().compare(reference, candidate)
}

/// Settings for comparing two functions in one line.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// let comparer = tourbillon::Comparer::new().max_time(Duration::from_millis(50)).quiet();
/// let word = tourbillon::hide("tourbillon");
/// let compared = comparer.compare(
///     ("bytes", || word.len()),
///     ("chars", || word.chars().count()),
/// );
/// assert!(compared.pairs() > 0);
/// ```
#[derive(Clone, Debug)]
pub struct Comparer {
    max_time: Duration,
    terms: Criteria,
    prints: bool,
}

impl Default for Comparer {
    fn default() -> Self {
        Self::new()
    }
}

impl Comparer {
    /// At most 2 s, a margin of 0.5 %, one line printed.
    pub const fn new() -> Self {
        Self {
            max_time: MAX_TIME,
            terms: Criteria::FUNCTIONS,
            prints: true,
        }
    }

    /// Ends after this long at the latest, decided or not. Preparations are not counted.
    pub const fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = max_time;
        self
    }

    /// The relative difference up to which two times count as the same: 0.002 for 0.2 %. Below
    /// 0.0004 nothing can be told apart, and that is what is used then.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1.
    pub const fn margin(mut self, margin: f64) -> Self {
        assert!(margin >= 0.0 && margin < 1.0, "a margin is between 0 and 1");
        self.terms.margin = margin;
        self
    }

    /// How sure a verdict is to be: 0.999 unless told otherwise.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1, both excluded.
    pub const fn confidence(mut self, confidence: f64) -> Self {
        assert!(
            confidence > 0.0 && confidence < 1.0,
            "a confidence is between 0 and 1"
        );
        self.terms.error = 1.0 - confidence;
        self
    }

    /// Prints nothing.
    pub const fn quiet(mut self) -> Self {
        self.prints = false;
        self
    }

    /// As [`compare`].
    pub fn compare<R, S>(
        &self,
        reference: (&str, impl FnMut() -> R),
        candidate: (&str, impl FnMut() -> S),
    ) -> Comparison {
        let (mut first, mut second) = (arm(reference.1), arm(candidate.1));
        let mut candidates = [as_candidate(&mut *first), as_candidate(&mut *second)];
        let comparison = self.measured(
            &Clock::choose().clock,
            names(reference.0, candidate.0),
            &mut candidates,
        );
        if self.prints {
            // Where nobody reads any more there is nobody to tell.
            let _ = writeln!(std::io::stdout(), "{comparison}");
        }
        comparison
    }

    /// Compares the second of `candidates` with the first on `clock`.
    // Inline: compiled into programs that compare, not into every bench binary.
    #[inline]
    fn measured(
        &self,
        clock: &Clock,
        names: Vec<String>,
        candidates: &mut [Candidate<'_>],
    ) -> Comparison {
        let frequency = clock.frequency();
        let frequency = Frequency {
            numerator: NonZeroU64::new(frequency.numerator).unwrap_or(NonZeroU64::MIN),
            denominator: NonZeroU64::new(frequency.denominator).unwrap_or(NonZeroU64::MIN),
            error_ppm: frequency.error_ppm,
        };
        let plan = Plan {
            case: String::new(),
            launch: 0,
            seed: tourbillon_clock::wall::unix_ns(),
            clock: owned(clock.name()),
            tick_hz: frequency.hz(),
            budget_ns: u64::try_from(self.max_time.as_nanos()).unwrap_or(u64::MAX),
            batch_ns: CaseSettings::default().batch_ns,
            min_iterations: 0,
            window_items: WINDOW_ITEMS,
            window_bytes: WINDOW_BYTES,
            length: None,
            against: None,
            turns: None,
            memory: false,
            metric: None,
            contended_from: None,
        };
        // Longer turns before anything is decided, where the two disturb each other.
        let mut next = |rounds: &Rounds| {
            let settled = settled(Design::Functions, from_ref(rounds), self.terms);
            match (disturbed(rounds, self.terms), settled) {
                (Some(true), if_not) => Next::LongerTurns { if_not },
                (Some(false), true) => Next::Enough,
                (None, _) | (Some(false), false) => Next::More,
            }
        };
        // Neither of the two can fail: what they return is not looked at.
        let rounds = alternate(candidates, names, &plan, clock, &mut next, &mut || ());
        let launch = [rounds.unwrap_or_default()];
        let verdict = judge(Design::Functions, &launch, 0, 1, self.terms, &frequency);
        Comparison { verdict }
    }
}

/// An arm of a body that may be of any kind.
fn arm<'a, R: 'a>(body: impl FnMut() -> R + 'a) -> Box<dyn Arm + 'a> {
    if const { needs_drop::<R>() } {
        let kept = Kept::outputs(body, |_| Ok(()));
        moving(kept, |kept, rng| kept.keep_elsewhere(rng))
    } else {
        moving(Iterated::new(body, |_| Ok(())), |_, _| ())
    }
}

#[inline]
fn as_candidate(arm: &mut dyn Arm) -> Candidate<'_> {
    Candidate {
        arm,
        about: About {
            terminal: "compare",
            drop_inside: false,
            isolated: false,
            ops_per_iteration: 1,
            throughput: None,
            measures: None,
        },
    }
}

#[inline]
fn names(reference: &str, candidate: &str) -> Vec<String> {
    vec![owned(reference), owned(candidate)]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tourbillon_clock::{Clock, Script};
    use tourbillon_engine::Iterated;
    use tourbillon_record::{Finding, Undecided};

    use super::*;

    /// Compares bodies that take so many nanoseconds, on a clock with some noise.
    fn compared(first: u64, second: u64) -> Comparison {
        compared_within(Duration::from_millis(100), first, second)
    }

    fn compared_within(time: Duration, first: u64, second: u64) -> Comparison {
        let script = Script::new()
            .hz(1_000_000_000)
            .read_cost(10, 10)
            .core_cycle(0.25);
        let clock = Clock::scripted(&script);
        let mut a = Iterated::new(|| script.advance(first), |()| Ok(()));
        let mut b = Iterated::new(|| script.advance(second), |()| Ok(()));
        Comparer::new().max_time(time).quiet().measured(
            &clock,
            names("a", "b"),
            &mut [as_candidate(&mut a), as_candidate(&mut b)],
        )
    }

    #[test]
    fn the_second_is_compared_with_the_first() {
        let slower = compared(100, 102);
        assert_eq!(slower.finding(), Finding::Slower, "{slower:?}");
        assert!((slower.ratio().unwrap() - 1.02).abs() < 1e-9, "{slower:?}");
        assert_eq!(slower.pairs(), 64);
        assert_eq!(compared(102, 100).finding(), Finding::Faster);
        assert_eq!(compared(100, 100).finding(), Finding::Same);
    }

    #[test]
    fn little_time_is_too_little() {
        let few = compared_within(Duration::from_millis(1), 100, 102);
        assert_eq!(few.finding(), Finding::Undecided, "{few:?}");
        assert_eq!(few.why_undecided(), Some(Undecided::TooFew));
        assert!((1..12).contains(&few.pairs()) && few.elapsed() >= Duration::from_millis(1));
    }

    #[test]
    fn a_comparison_is_one_line() {
        let text = compared(100, 102).to_string();
        assert!(
            text.starts_with(
                "b takes 1.02000 [1.02000, 1.02000] of the time of a: slower (64 pairs, "
            ),
            "{text}"
        );
        assert!(
            text.contains("this process)") && !text.contains('\n'),
            "{text}"
        );
    }
}
