//! The result of a case for one metric.

use crate::codec::{Field, object, words};
use crate::json::Writer;
use crate::members::Members;
use crate::ranges::{check_confidence, check_interval, check_not_negative};
use crate::{Error, Metric, Note, Scale, Throughput};

/// The result of one case for one metric.
///
/// Of counts, `lower` and `upper` are the least and the most of any batch, without a confidence; if both equal
/// `estimate`, the count is exact. `launches` and `samples` are memory launches and their batches after the first
/// calls, or stepped ones, and `scope` is `process` if there was one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// Identity of the case.
    pub case: String,
    /// What was measured; its unit follows from it.
    ///
    /// * `metric`, text: what was measured, one of [`Metric`].
    /// * `unit`, text: the unit of its figures, which are per op.
    pub metric: Metric,
    /// Name, unit and direction, for [`Metric::Own`] and nothing else.
    ///
    /// * `name`, text?: name of the number, of [`Metric::Own`].
    /// * `more_is_better`, flag?: whether a larger one is better, of [`Metric::Own`].
    pub own: Option<OwnMetric>,
    /// Units in which its numbers are shown, of an own metric that has some besides its unit.
    pub units: Scale,
    /// Units of its rates, likewise.
    pub rates: Scale,
    /// Centre, per op, or why there is none.
    ///
    /// * `estimate`, number?: centre: the median of the launches' estimates.
    /// * `absent`, text?: why there is none, one of [`Absence`].
    pub estimate: Result<f64, Absence>,
    /// Lower end of the interval, systematic part included.
    pub lower: Option<f64>,
    /// Upper end of the interval, systematic part included; of a result below the resolution a bound.
    pub upper: Option<f64>,
    /// What all launches together show, where there is no estimate because of the machine. It would not hold in another
    /// run: gates, baselines and histories do not use it.
    pub rough: Option<Rough>,
    /// Confidence of the interval, 0 to 1, as its order statistics give it.
    pub confidence: Option<f64>,
    /// What the interval covers.
    pub scope: Scope,
    /// Half-width of the systematic part (calibration, reference chain, loop residue), per op.
    pub systematic: f64,
    /// Launches that gave an estimate.
    pub launches: u32,
    /// Batches in them; of percentiles calls.
    pub samples: u64,
    /// Mean, per op: of the launches' estimates (scope processes), else of the batches.
    pub mean: Option<f64>,
    /// Standard deviation of the same.
    pub stddev: Option<f64>,
    /// Median absolute deviation of the same, not scaled.
    pub mad: Option<f64>,
    /// What a batch of zero iterations costs; of percentiles one reading of the clock, which the estimate includes.
    pub fixed_cost: Option<f64>,
    /// The first call of the body in a fresh process: median over launches, clock reads included.
    pub first_call: Option<f64>,
    /// What the empty unrolled loop reads, per op; of counts the difference between batches of different lengths.
    pub resolution: Option<f64>,
    /// Ops measured.
    pub ops: u64,
    /// Iterations measured.
    pub iterations: u64,
    /// Time inside the batches, nanoseconds.
    pub elapsed_ns: f64,
    /// Name and version of the method that made the estimate: `near-slopes-2`, `near-slopes-2-counter`, `totals-1`
    /// (sums), `percentiles-1`, `counted-1` (memory), `stepped-1` (instructions), `events-1` (events of the kernel),
    /// `processes-1` (commands).
    pub method: String,
    /// Findings about the result.
    ///
    /// * `notes`, objects: findings about the result; newer versions have others.
    /// * `notes[].note`, text: its name, one of [`Note`].
    pub notes: Vec<Note>,
    /// What an op processes; of the main metric only.
    pub throughput: Option<Throughput>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    CaseResult {
        case, metric, own, units, rates, estimate, lower, upper, rough, confidence, scope, systematic, launches, samples, mean,
        stddev, mad, fixed_cost, first_call, resolution, ops, iterations, elapsed_ns, method,
        notes, throughput,
    } check consistent
}

impl CaseResult {
    /// A result that `method` has found no figure for, because too few launches succeeded.
    pub fn without_figures(case: &str, metric: Metric, method: &str) -> CaseResult {
        CaseResult {
            case: case.to_owned(),
            metric,
            estimate: Err(Absence::Failed),
            method: method.to_owned(),
            ..CaseResult::default()
        }
    }

    fn consistent(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_own(self.metric, self.own.is_some(), from)?;
        let estimate = self.estimate.ok();
        let is_overcorrected = self.notes.contains(&Note::CorrectionTooLarge);
        // A correction that takes more than there is, is reported as it is, and an interval of times ends at 0.
        let within = estimate.filter(|_| !is_overcorrected);
        let interval = [within, self.lower, self.upper];
        check_interval(from, ["estimate", "lower", "upper"], interval)?;
        let may_be_negative = matches!(self.metric, Metric::Own | Metric::Kept) || is_overcorrected;
        let figure = |figure: Option<f64>| figure.filter(|_| !may_be_negative);
        check_not_negative(
            from,
            &[
                ("estimate", figure(estimate)),
                ("upper", figure(self.upper)),
                ("first_call", figure(self.first_call)),
                ("systematic", Some(self.systematic)),
                ("stddev", self.stddev),
                ("mad", self.mad),
                ("resolution", self.resolution),
                ("elapsed_ns", Some(self.elapsed_ns)),
            ],
        )?;
        check_confidence(from, self.confidence)
    }

    /// The estimate and the ends of its interval, if they hold for other processes too.
    pub fn across_processes(&self) -> Option<[f64; 3]> {
        let estimate = self.estimate.ok()?;
        let is_across = self.scope == Scope::Processes;
        is_across.then_some([estimate, self.lower?, self.upper?])
    }

    /// What was measured, as in records, such as `time`; the name of an own metric.
    pub fn metric_name(&self) -> &str {
        self.own
            .as_ref()
            .map_or(self.metric.name(), |own| &own.name)
    }

    /// Unit, as in records, such as `ns`; that of an own metric.
    pub fn unit(&self) -> &str {
        self.own
            .as_ref()
            .map_or(self.metric.unit(), |own| &own.unit)
    }

    /// Whether it says how large something is: by an estimate, a rough one, or a bound.
    pub fn has_number(&self) -> bool {
        let is_ranged = match self.estimate {
            Ok(_) => true,
            Err(Absence::BelowResolution | Absence::TooScattered) => self.upper.is_some(),
            Err(_) => false,
        };
        is_ranged || self.rough.is_some()
    }

    /// Whether a larger number is the better one, as of an own metric that says so.
    pub fn more_is_better(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.more_is_better)
    }

    /// Whether calls overlap, so that the figure is less than what one call takes.
    pub fn overlaps(&self) -> bool {
        let overlaps = |note: &Note| matches!(note, Note::Overlaps { .. });
        self.notes.iter().any(overlaps)
    }

    /// Whether these are cycles of code that waits for memory.
    pub fn waits_for_memory(&self) -> bool {
        let waits = |note: &Note| matches!(note, Note::WaitsForMemory { .. });
        self.notes.iter().any(waits)
    }
}

impl Default for CaseResult {
    fn default() -> CaseResult {
        CaseResult {
            case: String::new(),
            metric: Metric::Time,
            own: None,
            units: Scale::default(),
            rates: Scale::default(),
            estimate: Err(Absence::NotReached),
            lower: None,
            upper: None,
            rough: None,
            confidence: None,
            scope: Scope::Process,
            systematic: 0.0,
            launches: 0,
            samples: 0,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: None,
            resolution: None,
            ops: 0,
            iterations: 0,
            elapsed_ns: 0.0,
            method: String::new(),
            notes: Vec::new(),
            throughput: None,
            unknown: String::new(),
        }
    }
}

/// A rough estimate, per op: it would not hold in another run. It is no estimate for gates, baselines and histories.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rough {
    /// The geometric mean of both ends; their middle where one is 0.
    pub estimate: f64,
    /// Lower end of the range.
    pub lower: f64,
    /// Upper end of the range.
    pub upper: f64,
}

object! {
    Rough { estimate, lower, upper } check ordered
}

impl Rough {
    /// The estimate of a range whose ends are not negative.
    pub fn between(lower: f64, upper: f64) -> Rough {
        let product = lower * upper;
        let estimate = if product > 0.0 {
            product.sqrt().clamp(lower, upper)
        } else {
            f64::midpoint(lower, upper)
        };
        Rough {
            estimate,
            lower,
            upper,
        }
    }

    /// Whether the range is within a factor of two on either side, so that the estimate says something.
    pub fn is_narrow(&self) -> bool {
        self.upper <= 4.0 * self.lower
    }

    fn ordered(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let Rough {
            estimate,
            lower,
            upper,
        } = *self;
        check_interval(
            from,
            ["estimate", "lower", "upper"],
            [Some(estimate), Some(lower), Some(upper)],
        )?;
        check_not_negative(from, &[("lower", Some(lower))])
    }
}

/// Either the number, or the reason in `absent`.
impl Field for Result<f64, Absence> {
    fn write_field(&self, name: &str, out: &mut Writer) {
        self.ok().write_field(name, out);
        self.err().write_field("absent", out);
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut estimate = None;
        estimate.read_field(name, from)?;
        *self = match estimate {
            Some(estimate) => {
                if let Some(why) = from.take("absent") {
                    return Err(why.not("absent", "nothing beside an estimate"));
                }
                Ok(estimate)
            }
            None => {
                let mut absence = Absence::NotReached;
                absence.read_field("absent", from)?;
                Err(absence)
            }
        };
        Ok(())
    }
}

/// A number that bodies return: its name, and what it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnMetric {
    /// Name, such as `retries`.
    pub name: String,
    /// Unit, such as `bytes` or `ns`.
    pub unit: String,
    /// Whether a larger number is the better one.
    pub more_is_better: bool,
}

/// The members `name` and `unit`, in addition to that of the metric, and `more_is_better` where that holds; none for a
/// metric of ours.
impl Field for Option<OwnMetric> {
    fn write_field(&self, _: &str, out: &mut Writer) {
        if let Some(own) = self {
            own.name.write_field("name", out);
            own.unit.write_field("unit", out);
            own.more_is_better
                .then_some(true)
                .write_field("more_is_better", out);
        }
    }

    fn read_field(&mut self, _: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut name = None;
        name.read_field("name", from)?;
        *self = None;
        if let Some(name) = name {
            let mut unit = String::new();
            unit.read_field("unit", from)?;
            let mut more_is_better = None;
            more_is_better.read_field("more_is_better", from)?;
            *self = Some(OwnMetric {
                name,
                unit,
                more_is_better: more_is_better.unwrap_or(false),
            });
        }
        Ok(())
    }
}

/// Checks that own metrics, and only they, have a name of their own.
pub(crate) fn check_own(metric: Metric, named: bool, from: &Members<'_>) -> Result<(), Error> {
    match (metric, named) {
        (Metric::Own, false) => Err(from.missing("name")),
        (Metric::Own, true) | (_, false) => Ok(()),
        (_, true) => Err(from.malformed("field `name` is there, where the metric has none")),
    }
}

words! {
    /// What an interval covers.
    pub enum Scope: "`process` or `processes`" {
        /// The samples of one process, or of too few processes: another process may differ by more.
        Process = "process",
        /// Fresh processes of this build.
        Processes = "processes",
    }
}

words! {
    /// Why there is no estimate.
    pub enum Absence: "a reason for an absent estimate" {
        /// Not distinguishable from the empty loop; the upper end is a bound.
        BelowResolution = "below_resolution",
        /// Nearly all launches were contended.
        MachineBusy = "machine_busy",
        /// Launches differ so much that an end of the interval is more than half of the estimate away
        /// from it; the ends are given.
        TooScattered = "too_scattered",
        /// A launch failed, and no other has a figure.
        Failed = "failed",
        /// The run was interrupted before the first launch of the case.
        NotReached = "not_reached",
        /// The measuring clock and the system's clock disagree by more than can be explained, so no time is known;
        /// there is a note [`Note::ClocksDisagree`].
        ClocksDisagree = "clocks_disagree",
        /// Calls are shorter than a hundred readings of the clock, or a hundred of its steps.
        CallsTooShort = "calls_too_short",
        /// Fewer than ten calls of a launch are beyond the percentile.
        TooFewCalls = "too_few_calls",
    }
}
