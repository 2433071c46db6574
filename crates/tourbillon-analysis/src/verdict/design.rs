//! The designs of comparisons: what one independent value is, the control, and what voids a comparison.

use tourbillon_record::{Control, Finding, Metric, Rounds, Undecided, Verdict};

use super::criteria::Criteria;
use super::sequence::{BIAS_FLOOR, Decision, Schedule, Shared, decide, decide_shared, look_at};
use super::units::Units;

/// Name and version of the method for cases of a run, as in records.
pub const BLOCKS: &str = "blocks-signed-rank-1";

/// The control may be wrong a tenth as often as a verdict: it is a fuse, not a finding.
const CONTROL_ERROR: f64 = 0.1;

/// Share of discarded pairs above which nothing is decided.
const MOST_DISCARDED: f64 = 0.3;

/// How a comparison was measured, and so what one of its independent values is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// Functions in one process: a value is a pair of batches. There is one launch.
    Functions,
    /// Two builds, each in a process of its own: a value is a pair of processes. What is the same for all batches
    /// of a process, such as the placement of its code, is drawn anew for the next pair only.
    Builds,
    /// A percentile of single calls of two builds: a value is a pair of processes. Its pairs of batches are not
    /// looked at: what a batch took says nothing about a percentile.
    Percentile(Metric),
    /// Commands: a value is a pair of processes of one round, whose order chance decided. There is one launch, the
    /// coordinator's.
    Commands,
}

impl Design {
    /// Name and version of the method, as in records.
    pub const fn method(self) -> &'static str {
        match self {
            Design::Functions => "paired-signed-rank-1",
            Design::Builds => "paired-processes-signed-rank-1",
            Design::Percentile(_) => "paired-percentiles-signed-rank-1",
            Design::Commands => "paired-commands-signed-rank-1",
        }
    }

    /// The design of a verdict; functions in one process where its method is unknown.
    pub fn of_verdict(verdict: &Verdict) -> Design {
        if let Some(metric) = verdict.metric {
            return Design::Percentile(metric);
        }
        let others = [Design::Builds, Design::Commands];
        let found = others
            .into_iter()
            .find(|design| design.method() == verdict.method);
        found.unwrap_or(Design::Functions)
    }

    /// Whether two builds are compared.
    pub fn is_of_builds(self) -> bool {
        matches!(self, Design::Builds | Design::Percentile(_))
    }

    /// The percentile that is compared; `None` where the time is.
    pub(super) fn metric(self) -> Option<Metric> {
        match self {
            Design::Percentile(metric) => Some(metric),
            _ => None,
        }
    }

    pub(super) fn schedule(self) -> Schedule {
        match self {
            Design::Functions => Schedule::Pairs,
            Design::Builds | Design::Percentile(_) | Design::Commands => Schedule::Launches,
        }
    }

    /// Whether all arms are in one launch, whose rounds are counted.
    pub(super) fn is_one_launch(self) -> bool {
        matches!(self, Design::Functions | Design::Commands)
    }

    pub(super) fn units(self, launches: &[Rounds], first: usize, second: usize) -> Units {
        match (self, launches.first()) {
            (Design::Functions, Some(rounds)) => Units::of_pairs(rounds, first, second),
            (Design::Commands, Some(rounds)) => Units::of_commands(rounds, first, second),
            (Design::Percentile(metric), _) => {
                Units::of_percentiles(launches, first, second, metric)
            }
            _ => Units::of_launches(launches, first, second),
        }
    }

    /// The decision on `units`; that of two builds may be by all pairs, contended ones included.
    pub(super) fn decide(
        self,
        units: &Units,
        launches: &[Rounds],
        (first, second): (usize, usize),
        criteria: Criteria,
    ) -> Decision {
        match self {
            Design::Builds => {
                let all = || Units::of_all_launches(launches, first, second);
                // Two builds of one case share a core alike.
                decide_shared(units, all, self.schedule(), criteria, Shared::default())
            }
            _ => decide(units, self.schedule(), criteria),
        }
    }

    /// Whether a control is measured with the arms. Two processes have nothing in common that it could show.
    pub(super) fn has_control(self) -> bool {
        self == Design::Functions
    }

    /// The reference against itself: in the same processes, at the same addresses.
    pub(super) fn control(self, launches: &[Rounds], criteria: Criteria) -> Option<Control> {
        let arms = launches.first()?.cases.len();
        let units = self.units(launches, 0, arms);
        if !self.has_control() || units.values.is_empty() {
            return None;
        }
        // Nothing is decided by the control, so that it looks at all there is.
        let error = criteria.error * CONTROL_ERROR;
        let undecided = |_, _| Finding::Undecided;
        let decision = look_at(&units, self.schedule(), error, undecided, |_| true);
        let allowed = (criteria.margin / 2.0).ln_1p();
        let differs = |(lower, upper)| lower > allowed || upper < -allowed;
        Some(Control {
            ratio: decision.centre.map(f64::exp),
            lower: decision.interval.map(|(lower, _)| lower.exp()),
            upper: decision.interval.map(|(_, upper)| upper.exp()),
            pairs: units.pairs,
            fired: decision.why == Some(Undecided::Drift) || decision.interval.is_some_and(differs),
        })
    }

    /// The criteria of a pair of arms ([`Criteria::of_pair`]). The margin is never below twice the bias that the control shows, nor below twice what
    /// any process has.
    pub(super) fn of_pair(
        self,
        launches: &[Rounds],
        pair: (usize, usize),
        requested: Criteria,
        control: Option<&Control>,
    ) -> Criteria {
        if self.is_of_builds() {
            return requested;
        }
        let arms = launches.first().map_or(0, |rounds| rounds.cases.len());
        let criteria = requested.of_pair(arms, pair);
        if !self.has_control() {
            return criteria;
        }
        Criteria {
            margin: requested.margin.max(2.0 * bias(control)),
            ..criteria
        }
    }

    /// Why nothing may be decided, whatever the values are.
    pub(super) fn void(self, units: &Units, control: Option<&Control>) -> Option<Undecided> {
        let (kept, discarded) = (units.pairs as f64, units.discarded as f64);
        if control.is_some_and(|control| control.fired) {
            Some(Undecided::Control)
        } else if self.has_control() && discarded > MOST_DISCARDED * (kept + discarded) {
            Some(Undecided::Noise)
        } else {
            None
        }
    }
}

/// The largest difference that may be due to the measuring itself: how far the interval of the control is from 1, or
/// what any process has.
fn bias(control: Option<&Control>) -> f64 {
    let ends = control.and_then(|control| control.lower.zip(control.upper));
    let shown = ends.map_or(0.0, |(lower, upper)| (lower - 1.0).max(1.0 - upper));
    shown.max(BIAS_FLOOR)
}

/// Whether the sides differ, although it is undecided whether by more than the margin: more time is all that a decision
/// lacks, and the interval excludes 1 by more than the bias.
pub fn differs(verdict: &Verdict) -> bool {
    let bias = if verdict.method != BLOCKS && Design::of_verdict(verdict).has_control() {
        bias(verdict.control.as_ref())
    } else {
        0.0
    };
    let excludes_one = verdict.lower.is_some_and(|lower| lower > 1.0 + bias)
        || verdict.upper.is_some_and(|upper| upper < 1.0 - bias);
    verdict.why == Some(Undecided::Time) && excludes_one
}

/// Whether the direction is decided, and the time was up before the size was known: of comparisons that go on for it.
pub fn is_size_open(verdict: &Verdict) -> bool {
    let goes_on = verdict.method == BLOCKS || Design::of_verdict(verdict) == Design::Builds;
    let is_directed = matches!(verdict.finding, Finding::Faster | Finding::Slower);
    let interval = verdict.lower.zip(verdict.upper);
    let log_interval = interval.map(|(lower, upper)| (lower.ln(), upper.ln()));
    let criteria = Criteria {
        limit: verdict.limit,
        ..Criteria::CASES
    };
    goes_on && is_directed && log_interval.is_some_and(|interval| !criteria.is_narrow(interval))
}
