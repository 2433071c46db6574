//! What the command line and the cases ask for, as settings of the run.

use tourbillon_analysis::Frequency;
use tourbillon_engine::{CaseOptions, WINDOW_BYTES, WINDOW_ITEMS};
use tourbillon_record::{ClockFacts, Metric, RunSettings};
use tourbillon_runner::{CaseSettings, Settings};

use super::chosen::Chosen;
use super::flags::HighArgs;
use crate::lasting::Handed;
use crate::processors::copied;

/// Confidence of the intervals.
pub(crate) const CONFIDENCE: f64 = 0.99;

/// Settings of a run; `frequency` is that of the clock.
pub(crate) fn settings(
    high: &HighArgs,
    chosen: &Chosen,
    seed: u64,
    clock: &ClockFacts,
    frequency: Frequency,
) -> Settings {
    let mut overrides = Handed::new(Vec::new());
    for index in 0..chosen.runs.len() {
        let options = &chosen.options[index];
        if asks(options) {
            let case = chosen.runs[index].id.clone();
            overrides.push((case, case_settings(&high.options_of(options))));
        }
    }
    Settings {
        seed,
        clock: clock.source.clone(),
        frequency,
        confidence: CONFIDENCE,
        core_cache_bytes: None,
        window_items: WINDOW_ITEMS,
        window_bytes: WINDOW_BYTES,
        common: case_settings(&high.options_of(&CaseOptions::default())),
        overrides: Handed::into_inner(overrides),
    }
}

/// Whether a case asks for anything.
fn asks(options: &CaseOptions) -> bool {
    let CaseOptions {
        launches,
        min_time_ns,
        max_time_ns,
        min_iterations,
        precision,
        timeout_ns,
        metric,
    } = options;
    launches.is_some()
        || min_time_ns.is_some()
        || max_time_ns.is_some()
        || min_iterations.is_some()
        || precision.is_some()
        || timeout_ns.is_some()
        || metric.is_some()
}

/// What the header says of the settings.
pub(crate) fn run_settings(settings: &Settings, cpus: &[u32]) -> RunSettings {
    let common = &settings.common;
    RunSettings {
        launches: common.launches,
        budget_ns: common.budget_ns,
        batch_ns: common.batch_ns,
        confidence: settings.confidence,
        precision: common.precision,
        cpus: copied(cpus),
    }
}

/// A case's settings: what is asked for, else the defaults.
#[inline(never)]
fn case_settings(options: &CaseOptions) -> CaseSettings {
    let default = CaseSettings::default();
    CaseSettings {
        launches: options.launches.unwrap_or(default.launches),
        // A time that was asked for is an upper bound, also of the launches.
        launches_fixed: options.launches.is_some() && options.max_time_ns.is_none(),
        limit_ns: options.max_time_ns.unwrap_or(default.limit_ns),
        budget_ns: options.max_time_ns.unwrap_or(default.budget_ns),
        min_time_ns: options.min_time_ns.unwrap_or(default.min_time_ns),
        min_iterations: options.min_iterations.unwrap_or(default.min_iterations),
        batch_ns: default.batch_ns,
        precision: options.precision,
        timeout_ns: options.timeout_ns,
        metric: options.metric.filter(|metric| *metric != Metric::Time),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::num::NonZeroU64;

    use tourbillon_record::Case;

    use super::super::flags::{Environment, LowArgs};
    use super::*;

    fn settings_of(line: &str, options: CaseOptions) -> Settings {
        let low = LowArgs::parse(
            &line
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
        .expect(line);
        let high = HighArgs::new(&low, &Environment::default()).expect(line);
        let own = Case {
            id: "own".to_owned(),
            ..Case::default()
        };
        let chosen = Chosen {
            runs: vec![Case::default(), own],
            options: vec![CaseOptions::default(), options],
            ..Chosen::default()
        };
        let clock = ClockFacts {
            source: "tsc".to_owned(),
            why: String::new(),
            hz_numerator: 1,
            hz_denominator: 1,
            frequency_from: String::new(),
            frequency_error_ppm: None,
            cycles_from: None,
        };
        let one = NonZeroU64::MIN;
        let frequency = Frequency {
            numerator: one,
            denominator: one,
            error_ppm: None,
        };
        settings(&high, &chosen, 5, &clock, frequency)
    }

    #[test]
    fn a_case_that_asks_for_nothing_has_the_common_settings() {
        let settings = settings_of("--bench", CaseOptions::default());
        assert!(settings.overrides.is_empty());
        assert_eq!(settings.common, CaseSettings::default());
        assert_eq!((settings.seed, settings.clock.as_str()), (5, "tsc"));
        let run = run_settings(&settings, &[3]);
        assert_eq!(
            (run.launches, run.confidence, run.cpus),
            (20, 0.99, vec![3])
        );
    }

    #[test]
    fn flag_before_attribute_before_default() {
        let options = CaseOptions {
            launches: Some(5),
            max_time_ns: Some(7),
            precision: Some(0.1),
            ..CaseOptions::default()
        };
        let settings = settings_of("--launches 9 --min-iterations 3", options);
        let (common, own) = (&settings.common, settings.of("own"));
        assert_eq!((common.launches, own.launches), (9, 9));
        assert_eq!((common.min_iterations, own.min_iterations), (3, 3));
        assert_eq!(
            (common.budget_ns, own.budget_ns),
            (CaseSettings::default().budget_ns, 7)
        );
        assert_eq!((common.precision, own.precision), (None, Some(0.1)));
    }
}
