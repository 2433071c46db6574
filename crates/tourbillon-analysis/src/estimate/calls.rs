//! The percentiles of calls that were timed one by one.

use tourbillon_record::{Absence, Calls, CaseResult, LaunchSamples, Metric, Note, Scope, total};
use tourbillon_stats::{Confidence, Sample, mad, mean, median, median_interval, stddev};

use super::contention::{ContendedParts, FEWEST};
use super::interval::require_narrow;
use super::rules::Rules;

/// Name and version of the method by which percentiles are made from launches.
pub const PERCENTILES: &str = "percentiles-1";

/// Calls of a launch beyond a percentile, at least.
const BEYOND: f64 = 10.0;

/// A call takes at least so many readings of the clock, or this many of its steps.
const READINGS: f64 = 100.0;

/// The percentile of `share` of the calls of a launch, in ticks; `None` with fewer than ten calls beyond it.
///
/// Median-unbiased: rank `share * (n + 1/3) + 1/3`, between two ranks by the share (Hyndman and Fan, Sample
/// Quantiles in Statistical Packages, The American Statistician 50(4), 1996, definition 8). The calls of a bucket
/// are taken to be at equal distances in it.
pub fn percentile(calls: &Calls, share: f64) -> Option<f64> {
    let count = calls.calls() as f64;
    // 1,000 calls have ten beyond p99, whatever 1 - 0.99 is rounded to.
    if count * (1.0 - share) < BEYOND - 1e-6 || count * share < BEYOND {
        return None;
    }
    let rank = share * (count + 1.0 / 3.0) + 1.0 / 3.0;
    let (below, part) = (rank.floor(), rank.fract());
    let (lower, upper) = (at_rank(calls, below)?, at_rank(calls, below + 1.0)?);
    Some(lower + part * (upper - lower))
}

/// The duration of a rank from 1, in ticks.
fn at_rank(calls: &Calls, rank: f64) -> Option<f64> {
    let mut before = 0.0;
    for (ticks, count) in calls.ticks.iter().zip(&calls.count) {
        let count = *count as f64;
        if rank <= before + count {
            let part = (rank - before - 0.5) / count;
            let width = Calls::width(*ticks) as f64;
            return Some(*ticks as f64 + part * width - 0.5);
        }
        before += count;
    }
    None
}

/// The launches of a case whose calls were timed one by one, and what was contended of them.
pub(crate) struct Timed<'a> {
    launches: &'a [LaunchSamples],
    parts: &'a [ContendedParts],
    nanos_per_tick: f64,
    relative_error: f64,
    /// Of a single interval, and of all looks together where there are several.
    confidence: Confidence,
    together: Option<f64>,
}

impl<'a> Timed<'a> {
    /// `None` for other bodies.
    pub(crate) fn of(
        launches: &'a [LaunchSamples],
        parts: &'a [ContendedParts],
        looks: bool,
        rules: &Rules,
    ) -> Option<Timed<'a>> {
        let has_calls = launches.iter().any(|launch| launch.calls.is_some());
        has_calls.then(|| Timed {
            launches,
            parts,
            nanos_per_tick: rules.frequency.nanos_per_tick(),
            relative_error: rules.frequency.relative_error(),
            confidence: rules.of_one_interval(looks),
            together: looks.then(|| rules.confidence.level()),
        })
    }

    /// Of the launches that were not contended.
    fn quiet(&self) -> impl Iterator<Item = &'a Calls> {
        let launches = self.launches.iter().zip(self.parts);
        let quiet = launches.filter(|(_, parts)| !parts.is_contended());
        quiet.filter_map(|(launch, _)| launch.calls.as_deref())
    }

    /// The median of the quiet launches' figures, in nanoseconds; of all launches where none was quiet.
    fn typical(&self, ticks: impl Fn(&Calls) -> Option<f64>) -> Option<f64> {
        let mut values: Vec<f64> = self.quiet().filter_map(&ticks).collect();
        if values.is_empty() {
            let all = self.launches.iter();
            values.extend(all.filter_map(|launch| ticks(launch.calls.as_deref()?)));
        }
        Some(median(&Sample::new(values).ok()?) * self.nanos_per_tick)
    }

    /// What one reading of the clock takes, in nanoseconds.
    fn reading_ns(&self) -> Option<f64> {
        self.typical(|calls| Some(median(&Sample::from_ticks(&calls.reading_ticks).ok()?)))
    }

    /// The shortest call that may be timed by itself, in nanoseconds.
    fn least_ns(&self) -> Option<f64> {
        let step = self.typical(|calls| Some(calls.step_ticks as f64))?;
        Some(READINGS * step.max(self.reading_ns()?))
    }

    /// Results for the percentiles and the maximum. Where calls are too short, removes the figures of the `others`,
    /// which are mostly readings of the clock. Adds what is noted of a schedule to the first of them.
    pub(crate) fn results(&self, case: &str, others: &mut [CaseResult]) -> Vec<CaseResult> {
        let main = others.first();
        let figure = main.and_then(|main| main.estimate.ok());
        let per_call = figure.or(main.and_then(|main| main.mean));
        let least = self.least_ns();
        // A busy machine makes the mean long, and the median of the calls hardly.
        let typical = figure.or_else(|| self.typical(|calls| percentile(calls, 0.5)));
        let too_short = typical.zip(least).is_some_and(|(call, least)| call < least);
        if let Some(main) = others.first_mut() {
            main.notes.extend(self.schedule(per_call));
        }
        if too_short {
            for other in &mut *others {
                other.estimate = Err(Absence::CallsTooShort);
                (other.lower, other.upper, other.confidence) = (None, None, None);
                other.rough = None;
            }
            let least_ns = least.unwrap_or(0.0);
            others[0].notes.push(Note::CallsTooShort { least_ns });
        }
        let percentiles = Metric::PERCENTILES.into_iter();
        let mut results: Vec<CaseResult> = percentiles
            .map(|metric| self.percentile(case, metric, too_short))
            .collect();
        results.push(self.longest(case, too_short));
        results
    }

    fn blank(&self, case: &str, metric: Metric) -> CaseResult {
        let mut result = CaseResult::without_figures(case, metric, PERCENTILES);
        for calls in self.quiet() {
            result.samples = result.samples.saturating_add(calls.calls());
        }
        (result.iterations, result.ops) = (result.samples, result.samples);
        result.launches = self.quiet().count() as u32;
        result.fixed_cost = self.reading_ns();
        result
    }

    fn percentile(&self, case: &str, metric: Metric, too_short: bool) -> CaseResult {
        let mut result = self.blank(case, metric);
        let is_busy = result.launches < (self.launches.len().min(FEWEST)) as u32;
        let share = metric.share().unwrap_or(0.5);
        let of_launch = |calls: &Calls| Some(percentile(calls, share)? * self.nanos_per_tick);
        let values: Vec<f64> = self.quiet().filter_map(of_launch).collect();
        // A launch with too few calls is a slow one: without it the figure would be too low.
        let are_all = values.len() as u32 == result.launches;
        let values = Sample::new(values).ok().filter(|_| are_all);
        let Some(values) = values.filter(|_| !too_short && !is_busy) else {
            result.estimate = Err(match (too_short, is_busy) {
                (true, _) => Absence::CallsTooShort,
                (false, true) => Absence::MachineBusy,
                (false, false) => Absence::TooFewCalls,
            });
            return result;
        };
        let centre = median(&values);
        let ticks = (centre / self.nanos_per_tick) as u64;
        let step = self.typical(|calls| Some(calls.step_ticks as f64));
        let bucket = Calls::width(ticks) as f64 * self.nanos_per_tick;
        result.systematic = self.relative_error * centre + step.unwrap_or(0.0).max(bucket) / 2.0;
        result.estimate = Ok(centre);
        if let Ok(interval) = median_interval(&values, self.confidence) {
            result.scope = Scope::Processes;
            result.lower = Some((interval.lower - result.systematic).max(0.0));
            result.upper = Some(interval.upper + result.systematic);
            result.confidence = Some(self.together.unwrap_or(interval.confidence));
            // Readings are no part of a single call: `least_ns` sees to that.
            require_narrow(&mut result, 0.0);
        }
        result.mean = Some(mean(&values));
        result.stddev = stddev(&values);
        result.mad = Some(mad(&values));
        result
    }

    /// Of all launches, contended ones included; without an interval.
    fn longest(&self, case: &str, too_short: bool) -> CaseResult {
        let mut result = self.blank(case, Metric::Max);
        let calls = self.launches.iter().filter_map(|one| one.calls.as_deref());
        (result.launches, result.samples) = (0, 0);
        let mut longest = 0;
        for calls in calls {
            result.launches += 1;
            result.samples = result.samples.saturating_add(calls.calls());
            longest = longest.max(calls.longest_ticks);
        }
        (result.iterations, result.ops) = (result.samples, result.samples);
        result.estimate = if too_short {
            Err(Absence::CallsTooShort)
        } else if result.samples == 0 {
            Err(Absence::TooFewCalls)
        } else {
            Ok(longest as f64 * self.nanos_per_tick)
        };
        if let Ok(longest) = result.estimate {
            let step = self.typical(|calls| Some(calls.step_ticks as f64));
            result.systematic = self.relative_error * longest + step.unwrap_or(0.0) / 2.0;
        }
        result
    }

    /// What is noted of calls at a rate, of which one takes `per_call` nanoseconds by itself.
    fn schedule(&self, per_call: Option<f64>) -> Vec<Note> {
        let Some(per_second) = self.quiet().find_map(|calls| calls.per_second) else {
            return Vec::new();
        };
        let late = total(self.quiet().map(|calls| calls.late));
        let all = total(self.quiet().map(Calls::calls));
        let backlog = self.quiet().map(|calls| calls.backlog).max().unwrap_or(0);
        let late = late as f64 / all.max(1) as f64;
        let mut notes = vec![Note::Scheduled {
            per_second,
            late,
            backlog,
        }];
        if per_call.is_some_and(|ns| ns * per_second >= 1e9) {
            notes.push(Note::RateNotHeld { per_second });
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(ticks: &[u64]) -> Calls {
        let mut calls = Calls::default();
        for chunk in ticks.chunk_by(|one, other| one == other) {
            calls.ticks.push(chunk[0]);
            calls.count.push(chunk.len() as u64);
        }
        calls
    }

    #[test]
    fn ten_calls_are_beyond_a_percentile() {
        let all: Vec<u64> = (1..=1_000).collect();
        // Rank 0.99 * 1000.33 + 0.33.
        let p99 = percentile(&calls(&all), 0.99).unwrap();
        assert!((p99 - 990.663).abs() < 0.001, "{p99}");
        assert_eq!(percentile(&calls(&all[..999]), 0.99), None);
        assert_eq!(percentile(&calls(&all), 0.999), None);
        assert_eq!(percentile(&calls(&all[..20]), 0.5), Some(10.5));
        assert_eq!(percentile(&calls(&all[..19]), 0.5), None);
        assert_eq!(percentile(&calls(&[]), 0.5), None);
    }

    #[test]
    fn the_calls_of_a_bucket_are_spread_over_it() {
        let all = Calls {
            ticks: vec![4096, 8192],
            count: vec![90, 10],
            ..Calls::default()
        };
        // Half of 100 calls are below 50.5 of the 90 that are spread over four ticks.
        let p50 = percentile(&all, 0.5).unwrap();
        assert!(
            (p50 - (4096.0 + 50.0 / 90.0 * 4.0 - 0.5)).abs() < 1e-9,
            "{p50}"
        );
    }
}
