//! From the launches of a case to its results.

use tourbillon_record::{Absence, CaseResult, LaunchSamples, Metric, Note, Rough, Scope};
use tourbillon_stats::{Confidence, Sample, mad, mean, median, stddev};

use super::calls::Timed;
use super::contention::{ContendedParts, FEWEST, TOLERANCE, contended_parts};
use super::interval::{Resolution, covered, fixed_bound, require_narrow, systematic, too_short};
use super::launch::{Launch, typical, values};
use super::notes;
use super::readings::ticks_inside;
use super::rough::rough;
use super::rules::{Rules, Tally};
use super::spread::Spread;
use super::totals::{AVERAGED, Totals, is_averaged};
use super::unseen::unseen;

/// Name and version of the method by which results are made from launches.
pub const METHOD: &str = "near-slopes-2";

/// The same for cycles that hardware counted in all launches.
pub const BY_COUNTER: &str = "near-slopes-2-counter";

/// Makes the results of a case from its launches: its time or other main metric, and, for wall time of launches
/// whose core clock is known, its cycles. Without a usable launch, one result without an estimate.
///
/// The order of the launches does not change a figure.
pub fn estimate(
    case: &str,
    launches: &[LaunchSamples],
    tally: &Tally,
    rules: &Rules,
) -> Vec<CaseResult> {
    estimate_and_spread(case, launches, tally, rules).0
}

/// As [`estimate`], with the scatter of the launches that the main result is made of; `None` where it has no
/// figures.
pub fn estimate_and_spread(
    case: &str,
    launches: &[LaunchSamples],
    tally: &Tally,
    rules: &Rules,
) -> (Vec<CaseResult>, Option<Spread>) {
    let parts = contended_parts(launches);
    let given = Given {
        case,
        launches,
        tally,
        rules,
        parts: &parts,
    };
    let mut main = given.main();
    main.throughput = launches.iter().find_map(|launch| launch.throughput);
    let estimates = given.add_figures(&mut main, None);
    if main.estimate == Err(Absence::Failed) && tally.failed == 0 {
        main.estimate = Err(match launches {
            [] => Absence::NotReached,
            _ => Absence::TooScattered,
        });
    }
    let mut cycles = given.without_figures(Metric::Cycles);
    let spread = estimates.as_ref().map(Spread::of);
    let is_busy = main.estimate == Err(Absence::MachineBusy);
    let has_cycles = main.metric == Metric::Time
        && (spread.is_some() || is_busy)
        && (given.add_figures(&mut cycles, Some(&main)).is_some()
            || cycles.estimate == Err(Absence::MachineBusy));
    if has_cycles {
        notes::add_overlaps(&mut main, &mut cycles, launches, &parts);
    }
    let mut results = vec![main];
    results.extend(has_cycles.then_some(cycles));
    for result in &mut results {
        given.add_rough(result);
    }
    let of_calls = Timed::of(launches, &parts, tally.looks, rules);
    let of_calls = of_calls.map(|timed| timed.results(case, &mut results));
    results.extend(of_calls.into_iter().flatten());
    (results, spread)
}

/// What results are made from.
pub(super) struct Given<'a> {
    pub(super) case: &'a str,
    pub(super) launches: &'a [LaunchSamples],
    pub(super) tally: &'a Tally,
    pub(super) rules: &'a Rules,
    /// What was contended of each launch.
    pub(super) parts: &'a [ContendedParts],
}

impl Given<'_> {
    /// A result with the totals and the notes that do not depend on figures.
    fn without_figures(&self, metric: Metric) -> CaseResult {
        let Given {
            launches, tally, ..
        } = *self;
        let frequency = &self.rules.frequency;
        let mut result = CaseResult::without_figures(self.case, metric, METHOD);
        let mut totals = Totals::default();
        for launch in launches {
            totals.add(launch);
            result.elapsed_ns += ticks_inside(&launch.batches) as f64 * frequency.nanos_per_tick();
        }
        result.samples = totals.samples;
        result.iterations = totals.iterations;
        result.ops = totals.ops;
        let shortened = tally
            .shortened_from
            .map(|requested| Note::Shortened { requested });
        result.notes.extend(shortened);
        result
            .notes
            .extend(tally.took_ns.map(|took_ns| Note::LaunchesRequested {
                launches: launches.len() as u32,
                took_ns: took_ns as f64,
            }));
        let count = tally.failed;
        let failed = (count > 0).then_some(Note::FailedLaunches { count });
        result.notes.extend(failed);
        result.notes.extend(notes::threads(launches));
        // These affect durations, not a number that the body returns.
        if metric != Metric::Own {
            result.notes.extend(notes::cold(launches));
            result.notes.extend(notes::in_turns(launches));
            result.notes.extend(notes::uneven(launches));
            result.notes.extend(notes::pages(launches, frequency));
            result.notes.extend(notes::writes(launches));
            result.notes.extend(notes::waited(launches, frequency));
        }
        result
    }

    /// The result of what the case is measured in, without figures.
    fn main(&self) -> CaseResult {
        let first = self.launches.first();
        let Some(measured) = first.and_then(|launch| launch.measured.as_deref()) else {
            return self.without_figures(Metric::Time);
        };
        let mut result = self.without_figures(measured.metric);
        result.own.clone_from(&measured.own);
        result.units.clone_from(&measured.units);
        result.rates.clone_from(&measured.rates);
        if self.launches.iter().any(is_averaged) {
            result.method = AVERAGED.to_owned();
        }
        if let Some(step_ns) = measured.step_ns {
            let step_ns = step_ns as f64;
            let ticks = (result.elapsed_ns / step_ns) as u64;
            result.notes.push(Note::Sampled { step_ns, ticks });
        }
        result
    }

    /// The launches that are used; for cycles, counter readings if `counted`.
    fn launches(&self, metric: Metric, counted: bool) -> Vec<Launch> {
        let launches = self.launches.iter().zip(self.parts);
        launches
            .filter(|(_, parts)| !parts.is_contended())
            .filter_map(|(launch, parts)| {
                Launch::new(launch, metric, counted, &self.rules.frequency, parts)
            })
            .collect()
    }

    /// The launches that count in cycles, and whether a counter counted them.
    pub(super) fn cycles(&self) -> (Vec<Launch>, bool) {
        let by_chain = self.launches(Metric::Cycles, false);
        let by_counter = self.launches(Metric::Cycles, true);
        if agree(&by_counter, &by_chain) {
            (by_counter, true)
        } else {
            (by_chain, false)
        }
    }

    /// Adds what all launches together show, where there is no figure because of the machine.
    fn add_rough(&self, result: &mut CaseResult) {
        let is_duration = result.metric != Metric::Own && result.method != AVERAGED;
        let is_rough = matches!(
            result.estimate,
            Err(Absence::MachineBusy | Absence::TooScattered)
        );
        if is_rough && is_duration {
            let ends = result
                .lower
                .zip(result.upper)
                .filter(|(_, upper)| *upper > 0.0);
            result.rough = match ends {
                Some((lower, upper)) => Some(Rough::between(lower.max(0.0), upper)),
                None => rough(self.launches, result.metric, &self.rules.frequency),
            };
        }
    }

    fn requested_confidence(&self) -> Confidence {
        self.rules.of_one_interval(self.tally.looks)
    }

    /// Adds the figures to a result; to one in cycles, by the result of the `time`. Returns the estimates of its
    /// launches, or `None` where no launch has a figure in its metric, or too few are left.
    fn add_figures(&self, result: &mut CaseResult, time: Option<&CaseResult>) -> Option<Sample> {
        let (launches, counted) = match time {
            Some(_) => self.cycles(),
            None => (self.launches(result.metric, false), false),
        };
        if counted {
            BY_COUNTER.clone_into(&mut result.method);
        }
        let contended = self.parts.iter().filter(|launch| launch.is_contended());
        let discarded = contended.count() as u32;
        if discarded > 0 {
            result.notes.push(Note::Contended {
                launches: discarded,
                in_figure: false,
            });
        }
        result.launches = launches.len() as u32;
        if discarded > 0 && launches.len() < FEWEST {
            result.estimate = Err(Absence::MachineBusy);
            return None;
        }
        let estimates = values(&launches, |launch| Some(launch.estimate))?;
        self.add_interval(result, &launches, &estimates);
        add_spread(result, &launches, &estimates);
        result.notes.extend(notes::constant(&launches));
        let overcorrected = notes::overcorrected(&launches);
        if !self.apply_resolution(result, &launches, overcorrected.is_some()) {
            result.notes.extend(notes::skewed(result));
            result.notes.extend(notes::slow(&estimates));
            result.notes.extend(notes::curved(&launches));
            result.notes.extend(notes::fixed_item(self.launches));
            if let (Some(time), Some(cache_bytes)) = (time, self.rules.core_cache_bytes) {
                let waits =
                    notes::waits_for_memory(result, time, self.launches, &launches, cache_bytes);
                result.notes.extend(waits);
            }
        }
        if overcorrected.is_none() {
            refuse_negative(result);
        }
        result.notes.extend(overcorrected);
        if !self.launches.iter().any(is_averaged) {
            let fixed_bound = fixed_bound(&launches);
            require_narrow(result, fixed_bound);
            result.notes.extend(too_short(result, fixed_bound));
        }
        Some(estimates)
    }

    /// Adds the estimate and its interval, widened by the systematic part.
    fn add_interval(&self, result: &mut CaseResult, launches: &[Launch], estimates: &Sample) {
        let centre = median(estimates);
        let (scope, interval) = covered(estimates, launches, self.requested_confidence());
        result.estimate = Ok(centre);
        result.scope = scope;
        result.systematic = systematic(centre, launches, result.metric, &self.rules.frequency);
        if let Some(interval) = interval {
            let lower = interval.lower - result.systematic - self.unseen(centre, result.metric);
            // A number that the body returns may be negative, a duration may not.
            let may_be_negative = result.metric == Metric::Own;
            result.lower = Some(if may_be_negative {
                lower
            } else {
                lower.max(0.0)
            });
            // Of a correction that takes more than there is, both ends may be negative.
            let upper = interval.upper + result.systematic;
            result.lower = result.lower.map(|lower| lower.min(upper));
            result.upper = Some(upper);
            // The looks together have the confidence of the run.
            let is_one_look = self.tally.looks && scope == Scope::Processes;
            let confidence = self.rules.confidence.level();
            result.confidence = Some(if is_one_look {
                confidence
            } else {
                interval.confidence
            });
        }
    }

    /// What contention and waiting that no reading shows may have added to the estimate.
    fn unseen(&self, estimate: f64, metric: Metric) -> f64 {
        let counts = |launch: usize| !self.parts[launch].is_contended();
        let unseen = unseen(self.launches, counts, metric, &self.rules.frequency);
        estimate * (1.0 - 1.0 / unseen)
    }

    /// Adds the resolution; if the result is below it, replaces the estimate by an upper bound and returns true.
    fn apply_resolution(
        &self,
        result: &mut CaseResult,
        launches: &[Launch],
        overcorrected: bool,
    ) -> bool {
        let Ok(centre) = result.estimate else {
            return false;
        };
        let resolution = Resolution::of(launches, self.requested_confidence());
        let step = typical(launches, |launch| launch.step);
        // Noise makes a loop that does nothing take less than that.
        let of_loop = resolution.map(|resolution| resolution.typical.max(0.0));
        result.resolution = of_loop.or(step);
        let across = result.lower.filter(|_| result.scope == Scope::Processes);
        let is_hidden = match (resolution, step) {
            // A correction that took too much leaves less than nothing, which bounds nothing.
            (Some(empty), _) => !overcorrected && empty.hides(centre, across),
            (None, Some(step)) => centre < step,
            (None, None) => false,
        };
        let Some(least) = result.resolution.filter(|_| is_hidden) else {
            return false;
        };
        result.estimate = Err(Absence::BelowResolution);
        result.lower = None;
        let upper = result.upper.unwrap_or(centre + result.systematic);
        result.upper = Some(upper.max(least));
        true
    }
}

/// Replaces the estimate of a duration that noise makes negative by an absence.
fn refuse_negative(result: &mut CaseResult) {
    let is_negative = result.estimate.is_ok_and(|estimate| estimate < 0.0);
    if is_negative && result.metric != Metric::Own {
        result.estimate = Err(Absence::TooScattered);
        let ends = [result.lower, result.upper];
        [result.lower, result.upper] = ends.map(|end| end.map(|end| end.max(0.0)));
    }
}

/// Whether counted cycles have as many launches as those by the reference chain, and their estimates agree. If not,
/// time was spent in the kernel or waiting, which a counter of a thread in user mode does not see; or the
/// counter does not count what it should.
fn agree(counted: &[Launch], chain: &[Launch]) -> bool {
    let centre = |launches| typical(launches, |launch| Some(launch.estimate)).unwrap_or(f64::NAN);
    let of_chain: f64 = centre(chain);
    let apart = (centre(counted) - of_chain).abs();
    counted.len() == chain.len() && apart <= TOLERANCE / 2.0 * of_chain.abs()
}

/// Adds the mean, the scatter and the costs to the estimate.
fn add_spread(result: &mut CaseResult, launches: &[Launch], estimates: &Sample) {
    let across_processes = result.scope == Scope::Processes;
    let rounds = launches.iter().flat_map(|launch| launch.rounds.as_slice());
    let rounds = Sample::new(rounds.copied().collect()).ok();
    let rounds = rounds.filter(|_| !across_processes);
    let spread = rounds.as_ref().unwrap_or(estimates);
    result.mean = Some(if across_processes {
        mean(estimates)
    } else {
        mean_of_batches(launches)
    });
    result.stddev = stddev(spread);
    result.mad = Some(mad(spread));
    result.fixed_cost = typical(launches, |launch| launch.fixed_cost);
    result.first_call = typical(launches, |launch| launch.first_call);
    if !across_processes {
        let launches = result.launches;
        result.notes.push(Note::FewLaunches { launches });
    }
}

/// The mean of all launches, weighted by their rounds.
fn mean_of_batches(launches: &[Launch]) -> f64 {
    let (mut sum, mut rounds) = (0.0, 0.0);
    for launch in launches {
        let count = launch.rounds.len() as f64;
        sum += count * launch.mean;
        rounds += count;
    }
    sum / rounds
}
