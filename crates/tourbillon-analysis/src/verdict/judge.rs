//! The judge of all comparisons, whatever they compare.

use tourbillon_record::{Control, Finding, Metric, Reach, Rounds, Undecided, Verdict};
use tourbillon_stats::{PValue, Sample, Tail, signed_rank_test};

use super::interference::interference;
use super::sequence::{BIAS_FLOOR, Criteria, Decision, Schedule, decide, look_at, share};
use super::units::{Units, count, typical_percentile, typical_ticks_per_op};
use crate::Frequency;

/// The control may be wrong a tenth as often as a verdict: it is a fuse, not a finding.
const CONTROL_ERROR: f64 = 0.1;

/// Share of discarded pairs above which nothing is decided.
const MOST_DISCARDED: f64 = 0.3;

/// How a comparison was measured, and so what one of its independent values is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// Functions in one process: a value is a pair of batches. There is one launch.
    Functions,
    /// Cases that are alive together in several processes: a value is a process. Where the data of each arm lies
    /// and what its hash maps are seeded with is the same for all batches of a process, and may make two arms of
    /// the same code differ by some per cent in it. Chance decides in each process which arm gets which
    /// place, so that the values of the same code are symmetric about zero.
    Processes,
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
            Design::Processes => "processes-signed-rank-1",
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
        let others = [Design::Processes, Design::Builds, Design::Commands];
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
    fn metric(self) -> Option<Metric> {
        match self {
            Design::Percentile(metric) => Some(metric),
            _ => None,
        }
    }

    fn schedule(self) -> Schedule {
        match self {
            Design::Functions => Schedule::Pairs,
            Design::Processes | Design::Builds | Design::Percentile(_) | Design::Commands => {
                Schedule::Launches
            }
        }
    }

    /// Whether all arms are in one launch, whose rounds are counted.
    fn is_one_launch(self) -> bool {
        matches!(self, Design::Functions | Design::Commands)
    }

    fn units(self, launches: &[Rounds], first: usize, second: usize) -> Units {
        match (self, launches.first()) {
            (Design::Functions | Design::Commands, Some(rounds)) => {
                Units::of_pairs(rounds, first, second)
            }
            (Design::Percentile(metric), _) => {
                Units::of_percentiles(launches, first, second, metric)
            }
            _ => Units::of_launches(launches, first, second),
        }
    }

    /// Whether a control is measured with the arms. Two processes have nothing in common that it could show.
    fn has_control(self) -> bool {
        matches!(self, Design::Functions | Design::Processes)
    }

    /// The reference against itself: in the same processes, in the same place.
    fn control(self, launches: &[Rounds], criteria: Criteria) -> Option<Control> {
        let arms = launches.first()?.cases.len();
        let units = self.units(launches, 0, arms);
        if !self.has_control() || units.values.is_empty() {
            return None;
        }
        // Nothing is decided by the control, so that it looks at all there is.
        let error = criteria.error * CONTROL_ERROR;
        let undecided = |_, _| Finding::Undecided;
        let decision = look_at(&units, self.schedule(), error, undecided);
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

    /// The criteria of each pair of arms. All pairs share the error, so that the verdicts of one comparison
    /// hold together. The margin is never below twice the bias that the control shows, nor below twice what
    /// any process has.
    fn of_pair(self, launches: &[Rounds], asked: Criteria, control: Option<&Control>) -> Criteria {
        if self.is_of_builds() {
            return asked;
        }
        let arms = launches.first().map_or(0, |rounds| rounds.cases.len());
        let pairs = arms * arms.saturating_sub(1) / 2;
        let error = asked.error / pairs.max(1) as f64;
        if !self.has_control() {
            return Criteria { error, ..asked };
        }
        let ends = control.and_then(|control| control.lower.zip(control.upper));
        // How far the interval of the control is from 1.
        let bias = ends.map_or(0.0, |(lower, upper)| (lower - 1.0).max(1.0 - upper));
        Criteria {
            margin: asked.margin.max(2.0 * bias.max(BIAS_FLOOR)),
            error,
        }
    }

    /// Why nothing may be decided, whatever the values are.
    fn void(self, units: &Units, control: Option<&Control>) -> Option<Undecided> {
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

/// Compares arm `second` with arm `first`.
///
/// The verdicts on all pairs of arms of a comparison hold together, and so does the claim that the fastest is
/// faster than the next.
pub fn judge(
    design: Design,
    launches: &[Rounds],
    first: usize,
    second: usize,
    criteria: Criteria,
    frequency: &Frequency,
) -> Verdict {
    let asked = criteria;
    let control = design.control(launches, asked);
    let criteria = design.of_pair(launches, asked, control.as_ref());
    let units = design.units(launches, first, second);
    let mut decision = decide(&units, design.schedule(), criteria);
    if let Some(why) = design.void(&units, control.as_ref()) {
        decision = Decision {
            finding: Finding::Undecided,
            why: Some(why),
            times_needed: None,
            ..decision
        };
    }
    let ticks = launches.iter().map(|rounds| rounds.launch_ticks);
    let seconds = frequency.nanos(ticks.fold(0, u64::saturating_add)) as f64 / 1e9;
    let nanos = |arm| {
        let ticks = match design.metric() {
            Some(metric) => typical_percentile(launches, arm, metric),
            None => typical_ticks_per_op(launches, arm),
        };
        Some(ticks? * frequency.nanos_per_tick())
    };
    let name = |arm: usize| {
        let names = launches.first().map(|rounds| &rounds.cases);
        names
            .and_then(|names| names.get(arm))
            .cloned()
            .unwrap_or_default()
    };
    let placements = match design {
        Design::Builds | Design::Percentile(_) => placements(launches),
        Design::Functions | Design::Processes | Design::Commands => 1,
    };
    let disturbs = || interference(launches, first, second, asked.margin);
    Verdict {
        case: name(second),
        reference: name(first),
        metric: design.metric(),
        finding: decision.finding,
        why: decision.why,
        ratio: decision.centre.map(f64::exp),
        lower: decision.interval.map(|(lower, _)| lower.exp()),
        upper: decision.interval.map(|(_, upper)| upper.exp()),
        confidence: 1.0 - criteria.error,
        margin: criteria.margin,
        scope: match design {
            Design::Functions => Reach::Process,
            _ if placements > 1 => Reach::Placements,
            _ => Reach::Processes,
        },
        pairs: match design {
            Design::Functions => decision.units as u64,
            _ => units.pairs,
        },
        launches: match design {
            Design::Commands => units.rounds as u32,
            _ => launches.len() as u32,
        },
        placements,
        discarded: units.discarded,
        control,
        interference: design.has_control().then(disturbs),
        seed: launches.first().map_or(0, |rounds| rounds.seed),
        seconds,
        seconds_needed: decision.times_needed.map(|times| times * seconds),
        reference_ns: nanos(first),
        case_ns: nanos(second),
        method: design.method().to_owned(),
        unknown: String::new(),
    }
}

/// Different placements of the code among the launches.
fn placements(launches: &[Rounds]) -> u32 {
    let mut placements: Vec<_> = launches.iter().map(|rounds| rounds.placement).collect();
    placements.sort_unstable();
    placements.dedup();
    placements.len() as u32
}

/// Whether every arm is decided against the reference, and the fastest against the next, or never will be.
/// Asked after each round, or process; true at the planned looks only.
pub fn settled(design: Design, launches: &[Rounds], criteria: Criteria) -> bool {
    let Some(one) = launches.first() else {
        return false;
    };
    let rounds = match design.is_one_launch() {
        true => count(one),
        false => launches.len(),
    };
    if !design.schedule().is_due(rounds) {
        return false;
    }
    let control = design.control(launches, criteria);
    let criteria = design.of_pair(launches, criteria, control.as_ref());
    let is_decided = |first, second| {
        let units = design.units(launches, first, second);
        let decision = decide(&units, design.schedule(), criteria);
        decision.finding != Finding::Undecided || decision.why == Some(Undecided::Drift)
    };
    let arms = one.cases.len();
    (1..arms).all(|arm| is_decided(0, arm))
        // Of two arms, the fastest and the next are decided already.
        && (arms <= 2
            || fastest_two(launches).is_none_or(|(first, next)| is_decided(first, next)))
}

/// The two arms with the smallest medians, the fastest first; `None` for fewer than two arms, or if one has no
/// usable reading.
pub fn fastest_two(launches: &[Rounds]) -> Option<(usize, usize)> {
    let arms = 0..launches.first()?.cases.len();
    let typical = arms.map(|arm| Some((arm, typical_ticks_per_op(launches, arm)?)));
    let mut arms: Vec<(usize, f64)> = typical.collect::<Option<_>>()?;
    arms.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    match arms[..] {
        [(first, _), (next, _), ..] => Some((first, next)),
        _ => None,
    }
}

/// p-value of the hypothesis that arm `second` is slower than arm `first` by the margin of `criteria` at most.
/// Valid at whichever look the comparison stopped; 1 where nothing may be decided.
///
/// For the gate of a suite: [`tourbillon_stats::holm`] over the values of its cases keeps the
/// probability of any false alarm. A single case has [`judge`].
pub fn evidence(
    design: Design,
    launches: &[Rounds],
    first: usize,
    second: usize,
    criteria: Criteria,
) -> PValue {
    let units = design.units(launches, first, second);
    let control = design.control(launches, criteria);
    let schedule = design.schedule();
    if design.void(&units, control.as_ref()).is_some()
        || decide(&units, schedule, criteria).why == Some(Undecided::Drift)
    {
        return PValue::ONE;
    }
    // The smallest p-value of all looks, each divided by the share of the error of its look: by Bonferroni's
    // inequality it is below alpha with probability alpha at most.
    let margin = criteria.margin.ln_1p();
    let mut smallest = PValue::ONE;
    for look in 0.. {
        let at = schedule.at(look);
        let sample = Sample::new(units.of_first(at).to_vec());
        // The share of an error of 1, a little less so that it is one.
        if let (Ok(sample), Some(share)) = (sample, share(1.0 - f64::EPSILON, look)) {
            let own = signed_rank_test(&sample, margin, Tail::Above).times(1.0 / share.error());
            if own < smallest {
                smallest = own;
            }
        }
        if at >= units.rounds {
            break;
        }
    }
    smallest
}
