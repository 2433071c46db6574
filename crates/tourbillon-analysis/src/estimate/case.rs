use tourbillon_record::{Absence, CaseResult, Metric, Note, Scope, Visit};
use tourbillon_stats::{Confidence, LAUNCHES, Sample, looks, mad, mean, median, stddev};

use super::amounts::AVERAGED;
use super::batch::{self, ticks_inside};
use super::contention::{FEWEST, Judgement, TOLERANCE, judged};
use super::interval::covered;
use super::launch::{Figure, Launch, typical, values};
use super::notes;
use super::overlap::say_overlaps;
use super::systematic::{Resolution, UNLIKE, systematic};
use super::waiting::waiting;
use crate::Frequency;

/// Name and version of the method by which results are made from visits.
pub const METHOD: &str = "near-slopes-1";

/// The same, of cycles that hardware counted in all launches.
pub const BY_COUNTER: &str = "near-slopes-1-counter";

/// What holds for all results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Ticks per second of the measuring clock.
    pub frequency: Frequency,
    /// Confidence of the intervals.
    pub confidence: Confidence,
    /// Bytes of the caches that a core has to itself; `None` where that is not known.
    pub core_cache_bytes: Option<u64>,
}

impl Rules {
    /// Launches without which there is no interval across processes.
    pub fn needed(&self) -> u32 {
        u32::try_from(self.confidence.values_needed()).unwrap_or(u32::MAX)
    }
}

/// What happened to a case besides its visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Visits that failed.
    pub failed: u32,
    /// Launches asked for, when the budget allowed fewer.
    pub shortened_from: Option<u32>,
    /// What the launches took in nanoseconds, when more were asked for than the budget allows.
    pub took_ns: Option<u64>,
    /// Whether the interval was looked at while launches were still being made, so that its error
    /// is shared between the looks.
    pub looks: bool,
}

/// Makes the results of a case from its visits: what they measured, which is its time mostly, and,
/// where that is wall time and the core's clock was read beside it, its cycles. One result without
/// an estimate when there is nothing to make it from.
///
/// A figure does not depend on the order of the visits.
pub fn estimate(case: &str, visits: &[Visit], tally: &Tally, rules: &Rules) -> Vec<CaseResult> {
    let mut results = Vec::new();
    let metric = measured_in(visits);
    results.push(blank(case, metric, visits, tally, rules));
    say_measured(&mut results[0], visits);
    let judged = judged(visits);
    let given = Given {
        visits,
        tally,
        rules,
        judged: &judged,
    };
    let has_main = fill(&mut results[0], None, &given);
    // Without a fault nothing has failed.
    if results[0].estimate == Err(Absence::Failed) && tally.failed == 0 {
        results[0].estimate = Err(match visits {
            [] => Absence::NotReached,
            _ => Absence::TooScattered,
        });
    }
    if metric == Metric::Time && has_main {
        results.push(blank(case, Metric::Cycles, visits, tally, rules));
        let (time, cycles) = results.split_at_mut(1);
        if !fill(&mut cycles[0], Some(&time[0]), &given) {
            results.truncate(1);
        }
    }
    if let [time, cycles] = &mut results[..] {
        say_overlaps(time, cycles, visits, &judged);
    }
    results
}

/// What results are made from.
struct Given<'a> {
    visits: &'a [Visit],
    tally: &'a Tally,
    rules: &'a Rules,
    /// What was contended of each visit.
    judged: &'a [Judgement],
}

impl Given<'_> {
    /// The launches that count, those by a counter of cycles if `counted`.
    #[inline(never)]
    fn launches(&self, metric: Metric, counted: bool) -> Vec<Launch> {
        let mut launches = Vec::new();
        let frequency = &self.rules.frequency;
        for (visit, judgement) in self.visits.iter().zip(self.judged) {
            if !judgement.is_contended {
                let launch = Launch::new(visit, metric, counted, frequency, judgement);
                launches.extend(launch);
            }
        }
        launches
    }
}

/// Whether cycles that were counted are of as many launches as those by the reference chain, and about as
/// many. If not, the time was spent in the kernel or waiting for something, which no counter of a thread in
/// user mode sees; or the counter does not count what it should.
#[inline(never)]
fn agree(counted: &[Launch], chain: &[Launch]) -> bool {
    let of_counter = typical(counted, Figure::Estimate).unwrap_or(f64::NAN);
    let of_chain = typical(chain, Figure::Estimate).unwrap_or(f64::NAN);
    let apart = (of_counter - of_chain).abs();
    counted.len() == chain.len() && apart <= TOLERANCE / 2.0 * of_chain.abs()
}

/// Adds a note to a result, where there is one.
#[inline(never)]
fn say(result: &mut CaseResult, note: Option<Note>) {
    if let Some(note) = note {
        result.notes.push(note);
    }
}

/// What visits are measured in.
fn measured_in(visits: &[Visit]) -> Metric {
    let measured = visits.first().and_then(|visit| visit.measured.as_ref());
    measured.map_or(Metric::Time, |measured| measured.metric)
}

/// Says what there is to say of another measure than wall time.
#[inline(never)]
fn say_measured(result: &mut CaseResult, visits: &[Visit]) {
    let Some(measured) = visits.first().and_then(|visit| visit.measured.as_ref()) else {
        return;
    };
    result.own.clone_from(&measured.own);
    if visits.iter().any(batch::is_averaged) {
        result.method = AVERAGED.to_owned();
    }
    if let Some(step_ns) = measured.step_ns {
        let step_ns = step_ns as f64;
        let ticks = (result.elapsed_ns / step_ns) as u64;
        result.notes.push(Note::Sampled { step_ns, ticks });
    }
}

/// Adds the figures to a blank result, of cycles beside the time; false without a launch that says
/// something in its metric.
#[inline(never)]
fn fill(result: &mut CaseResult, time: Option<&CaseResult>, given: &Given<'_>) -> bool {
    let Given {
        visits,
        tally,
        rules,
        ..
    } = *given;
    let mut launches = given.launches(result.metric, false);
    if time.is_some() {
        let counted = given.launches(result.metric, true);
        if agree(&counted, &launches) {
            launches = counted;
            BY_COUNTER.clone_into(&mut result.method);
        }
    }
    let asked = asked_confidence(tally, rules);
    let launches = &launches[..];
    let discarded = given
        .judged
        .iter()
        .filter(|launch| launch.is_contended)
        .count();
    if discarded > 0 {
        let (launches, kept) = (discarded as u32, false);
        result.notes.push(Note::Crowded { launches, kept });
    }
    result.launches = launches.len() as u32;
    if discarded > 0 && launches.len() < FEWEST {
        result.estimate = Err(Absence::MachineBusy);
        return false;
    }
    let Some(estimates) = values(launches, Figure::Estimate) else {
        return false;
    };
    let covered = covered(&estimates, launches, asked);
    let spread = match covered.scope {
        Scope::Processes => None,
        Scope::Process => all_rounds(launches),
    };
    let spread = spread.as_ref().unwrap_or(&estimates);
    let centre = median(&estimates);
    let systematic = systematic(centre, launches, result.metric, &rules.frequency);
    result.estimate = Ok(centre);
    if let Some(interval) = covered.interval {
        let lower = interval.lower - systematic;
        // A number that the body returns may be negative, what something takes may not.
        result.lower = Some(if result.metric == Metric::Own {
            lower
        } else {
            lower.max(0.0)
        });
        result.upper = Some(interval.upper + systematic);
        // The looks together have the confidence of the run, whatever a single one has.
        result.confidence = Some(match covered.scope {
            Scope::Processes if tally.looks => rules.confidence.level(),
            _ => interval.confidence,
        });
    }
    result.scope = covered.scope;
    result.systematic = systematic;
    result.mean = Some(match covered.scope {
        Scope::Processes => mean(&estimates),
        Scope::Process => mean_of_batches(launches),
    });
    result.stddev = stddev(spread);
    result.mad = Some(mad(spread));
    result.fixed_cost = typical(launches, Figure::FixedCost);
    result.first_call = typical(launches, Figure::FirstCall);
    if covered.scope == Scope::Process {
        let launches = result.launches;
        result.notes.push(Note::FewLaunches { launches });
    }
    let resolution = Resolution::of(launches, asked);
    let step = typical(launches, Figure::Step);
    result.resolution = resolution.map(|resolution| resolution.typical).or(step);
    let overcorrected = notes::overcorrected(launches);
    let across = result.lower.filter(|_| covered.scope == Scope::Processes);
    let hidden = match (resolution, step) {
        // A correction that took too much leaves less than nothing, which bounds nothing.
        (Some(empty), _) => overcorrected.is_none() && empty.hides(centre, across),
        (None, Some(step)) => centre < step,
        (None, None) => false,
    };
    match result.resolution {
        Some(least) if hidden => {
            result.estimate = Err(Absence::BelowResolution);
            result.lower = None;
            // Whatever cannot be told from nothing is at most this long.
            let upper = result.upper.unwrap_or(centre + systematic);
            result.upper = Some(upper.max(least));
        }
        // About a body that cannot be seen, these would be about the noise.
        _ => {
            say(result, notes::skewed(result));
            say(result, notes::slow(&estimates));
            say(result, notes::curved(launches));
            say(result, notes::fixed_item(visits));
            if let (Some(time), Some(cache_bytes)) = (time, rules.core_cache_bytes) {
                say(result, waiting(result, time, visits, launches, cache_bytes));
            }
        }
    }
    say(result, overcorrected);
    if let (Ok(estimate), Some(lower), Some(upper)) = (result.estimate, result.lower, result.upper)
        && !visits.iter().any(batch::is_averaged)
        && (upper - estimate).max(estimate - lower) > UNLIKE * estimate.abs()
    {
        result.estimate = Err(Absence::TooScattered);
    }
    true
}

/// What an op of all launches together takes, each launch counting by its rounds.
#[inline(never)]
fn mean_of_batches(launches: &[Launch]) -> f64 {
    let (mut sum, mut rounds) = (0.0, 0.0);
    for launch in launches {
        let count = launch.rounds.len() as f64;
        sum += count * launch.mean;
        rounds += count;
    }
    sum / rounds
}

/// The rounds of all launches together.
fn all_rounds(launches: &[Launch]) -> Option<Sample> {
    let mut rounds = Vec::new();
    for launch in launches {
        rounds.extend_from_slice(launch.rounds.as_slice());
    }
    batch::sample_of(rounds)
}

/// The confidence to ask of a single interval: more, where it is one of several looks.
fn asked_confidence(tally: &Tally, rules: &Rules) -> Confidence {
    let [first, ..] = looks(LAUNCHES, rules.confidence);
    if tally.looks {
        first.confidence
    } else {
        rules.confidence
    }
}

/// A result without figures: what was measured, and what is to be said about it in any case.
#[inline(never)]
fn blank(case: &str, metric: Metric, visits: &[Visit], tally: &Tally, rules: &Rules) -> CaseResult {
    let mut result = CaseResult {
        case: case.to_owned(),
        metric,
        estimate: Err(Absence::Failed),
        lower: None,
        upper: None,
        confidence: None,
        own: None,
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
        method: METHOD.to_owned(),
        notes: Vec::new(),
        unknown: String::new(),
    };
    let mut measured = batch::Measured::default();
    for visit in visits {
        measured.add(visit);
        result.elapsed_ns += ticks_inside(&visit.batches) as f64 * rules.frequency.nanos_per_tick();
    }
    result.samples = measured.samples;
    result.iterations = measured.iterations;
    result.ops = measured.ops;
    if let Some(asked) = tally.shortened_from {
        result.notes.push(Note::Shortened { asked });
    }
    if let Some(took_ns) = tally.took_ns {
        let launches = visits.len() as u32;
        let took_ns = took_ns as f64;
        result.notes.push(Note::LaunchesAsked { launches, took_ns });
    }
    if tally.failed > 0 {
        result.notes.push(Note::FailedLaunches {
            count: tally.failed,
        });
    }
    say(&mut result, notes::threads(visits));
    // What these do to times does nothing to a number that the body returns.
    if metric != Metric::Own {
        say(&mut result, notes::cold(visits));
        say(&mut result, notes::in_turns(visits));
        say(&mut result, notes::uneven(visits));
        say(&mut result, notes::pages(visits, &rules.frequency));
        say(&mut result, notes::writes(visits, &rules.frequency));
        say(&mut result, notes::waited(visits, &rules.frequency));
    }
    result
}
