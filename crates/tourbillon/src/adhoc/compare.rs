//! Two functions compared in this process.

use std::fmt;
use std::io::Write;
use std::mem::needs_drop;
use std::slice::from_ref;
use std::time::Duration;

use tourbillon_analysis::{Criteria, Design, disturbed, judge, settled};
use tourbillon_clock::Clock;
use tourbillon_engine::{Arm, Candidate, Iterated, Kept, Next, alternate, moving};
use tourbillon_os::HAS_PROCESSES;
use tourbillon_record::{Finding, Rounds, Undecided, Verdict};
use tourbillon_report::{Names, Style, verdict};

use super::plan::{about, frequency, plan, run_once};

/// Default of the longest time for a comparison: most are decided in a hundredth of it.
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
/// the machine does meanwhile. "Same" is within 0.5 %. The verdict holds for this process: the placement of
/// code and data in it is part of what is compared, and may change times by some per cent.
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
    criteria: Criteria,
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
            criteria: Criteria::FUNCTIONS,
            prints: true,
        }
    }

    /// Ends after this long at the latest, decided or not. Preparations are not counted.
    pub const fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = max_time;
        self
    }

    /// The relative difference up to which two times count as the same: 0.002 for 0.2 %. The least is
    /// 0.0004: smaller differences cannot be distinguished.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1.
    ///
    /// # Examples
    ///
    /// ```
    /// let comparer = tourbillon::Comparer::new().margin(0.02).confidence(0.99).quiet();
    /// let compared = comparer.compare(("one", || ()), ("other", || ()));
    /// assert_eq!((compared.margin(), compared.confidence()), (0.02, 0.99));
    /// ```
    pub const fn margin(mut self, margin: f64) -> Self {
        assert!(margin >= 0.0 && margin < 1.0, "a margin is between 0 and 1");
        self.criteria.margin = margin;
        self
    }

    /// Confidence of a verdict, 0.999 by default; [`Comparer::margin`] has an example.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1, both excluded.
    pub const fn confidence(mut self, confidence: f64) -> Self {
        assert!(
            confidence > 0.0 && confidence < 1.0,
            "a confidence is between 0 and 1"
        );
        self.criteria.error = 1.0 - confidence;
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
        let comparison = self.measured(
            &Clock::choose().clock,
            [reference.0, candidate.0],
            [&mut *first, &mut *second],
        );
        if self.prints {
            // A reader of stdout that has gone is not an error.
            let _ = writeln!(std::io::stdout(), "{comparison}");
        }
        comparison
    }

    /// Compares the second arm with the first on `clock`.
    fn measured(&self, clock: &Clock, names: [&str; 2], arms: [&mut dyn Arm; 2]) -> Comparison {
        let cases = names.map(str::to_owned).to_vec();
        let rounds = if HAS_PROCESSES {
            self.alternated(clock, cases, arms)
        } else {
            for arm in arms {
                run_once(arm, clock);
            }
            Rounds {
                cases,
                ..Rounds::default()
            }
        };
        let frequency = frequency(clock);
        let launch = [rounds];
        let verdict = judge(Design::Functions, &launch, 0, 1, self.criteria, &frequency);
        Comparison { verdict }
    }

    /// Rounds of both arms, until they are decided or the time is over.
    fn alternated(&self, clock: &Clock, names: Vec<String>, arms: [&mut dyn Arm; 2]) -> Rounds {
        let about = about("compare", 1);
        let mut candidates = arms.map(|arm| Candidate { arm, about });
        let plan = plan("", clock, self.max_time, 0);
        // Longer turns before anything is decided, where the two disturb each other.
        let mut next = |rounds: &Rounds| {
            let settled = settled(Design::Functions, from_ref(rounds), self.criteria);
            match (disturbed(rounds, self.criteria), settled) {
                (Some(true), if_not) => Next::LongerTurns { if_not },
                (Some(false), true) => Next::Enough,
                (None, _) | (Some(false), false) => Next::More,
            }
        };
        // Neither of the two can fail: their outputs are not checked.
        let rounds = alternate(&mut candidates, names, &plan, clock, &mut next, &mut || ());
        rounds.unwrap_or_default()
    }
}

/// An arm of a body of any kind.
fn arm<'a, R: 'a>(body: impl FnMut() -> R + 'a) -> Box<dyn Arm + 'a> {
    if const { needs_drop::<R>() } {
        let kept = Kept::outputs(body, |_| Ok(()));
        moving(kept, |kept, rng| kept.keep_elsewhere(rng))
    } else {
        moving(Iterated::new(body, |_| Ok(())), |_, _| ())
    }
}

/// The result of [`compare`] in this process. `Display` prints one line.
///
/// Ratios are times of the second function divided by times of the first.
///
/// # Examples
///
/// ```
/// let comparer = tourbillon::Comparer::new().quiet();
/// let compared = comparer.compare(("empty", || ()), ("short", || vec![0_u8; 3]));
/// if let (Some(lower), Some(upper)) = (compared.lower(), compared.upper()) {
///     assert!(lower <= upper);
/// }
/// println!("{:?} times as long, after {:?}", compared.ratio(), compared.elapsed());
/// println!("ns per op of both: {:?}", compared.nanos_per_op());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    verdict: Verdict,
}

impl Comparison {
    /// The names of the reference and of the function compared with it.
    pub fn names(&self) -> (&str, &str) {
        (&self.verdict.reference, &self.verdict.case)
    }

    /// Whether the second function is faster or slower than the first, or the same, if that could be
    /// decided.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Comparer, Finding, Undecided};
    ///
    /// let compared = Comparer::new().quiet().compare(("one", || ()), ("other", || ()));
    /// match (compared.finding(), compared.why_undecided()) {
    ///     (Finding::Undecided, Some(Undecided::Time)) => println!("it needs more time"),
    ///     (finding, _) => println!("{}", finding.name()),
    /// }
    /// ```
    pub fn finding(&self) -> Finding {
        self.verdict.finding
    }

    /// Why nothing was decided; [`Comparison::finding`] has an example.
    pub fn why_undecided(&self) -> Option<Undecided> {
        self.verdict.why
    }

    /// Time of the second function divided by that of the first.
    pub fn ratio(&self) -> Option<f64> {
        self.verdict.ratio
    }

    /// Lower end of the interval of the ratio, which decided.
    pub fn lower(&self) -> Option<f64> {
        self.verdict.lower
    }

    /// Upper end of the interval of the ratio.
    pub fn upper(&self) -> Option<f64> {
        self.verdict.upper
    }

    /// Confidence of the interval, 0 to 1.
    pub fn confidence(&self) -> f64 {
        self.verdict.confidence
    }

    /// The relative difference up to which two times count as the same here.
    pub fn margin(&self) -> f64 {
        self.verdict.margin
    }

    /// Pairs of batches that were compared.
    pub fn pairs(&self) -> u64 {
        self.verdict.pairs
    }

    /// Time that was spent.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.verdict.seconds).unwrap_or_default()
    }

    /// Nanoseconds per call of the first function and of the second, run in turns.
    pub fn nanos_per_op(&self) -> (Option<f64>, Option<f64>) {
        (self.verdict.reference_ns, self.verdict.case_ns)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style {
            width: usize::MAX,
            unicode: true,
            color: false,
            wide_tables: false,
        };
        f.write_str(&verdict(&self.verdict, &Names::default(), &style))?;
        if cfg!(debug_assertions) {
            f.write_str(" (debug build)")?;
        }
        if tourbillon_os::debugger_attached() == Some(true) {
            f.write_str(" (debugger attached)")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;

    use super::*;

    /// Compares bodies that take this many nanoseconds, on a clock with some noise.
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
        Comparer::new()
            .max_time(time)
            .quiet()
            .measured(&clock, ["a", "b"], [&mut a, &mut b])
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
