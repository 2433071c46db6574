//! Settings of a run, and its header.

use std::collections::{BTreeSet, HashMap};
use std::env;

use tourbillon_analysis::Frequency;
use tourbillon_clock::wall;
use tourbillon_engine::{WINDOW_BYTES, WINDOW_ITEMS};
use tourbillon_record::{Case, CaseOptions, ClockFacts, Header, RunSettings, Shard};
use tourbillon_stats::Rng;

use super::run_clock::SystemRunClock;
use crate::args::{Chosen, HighArgs};
use crate::platform;
use crate::platform::core_kinds::WorkerCpus;
use crate::runner::{CaseSettings, Comparison, Settings};

/// Confidence of the intervals.
pub(super) const CONFIDENCE: f64 = 0.99;

/// Settings of a run; `options` are those of the cases that have any, `frequency` is that of the clock.
pub(super) fn settings(
    high: &HighArgs,
    options: &HashMap<String, CaseOptions>,
    seed: u64,
    clock: &ClockFacts,
    frequency: Frequency,
) -> Settings {
    let of = |options: &CaseOptions| CaseSettings::new(&high.options_of(options));
    let overrides = options
        .iter()
        .map(|(case, options)| (case.clone(), of(options)));
    Settings {
        seed,
        clock: clock.source.clone(),
        frequency,
        confidence: CONFIDENCE,
        core_cache_bytes: None,
        window_items: WINDOW_ITEMS,
        window_bytes: WINDOW_BYTES,
        common: of(&high.defaults.options),
        overrides: overrides.collect(),
    }
}

/// Where the cases of a program come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Home {
    /// Package.
    pub package: String,
    /// Bench target, with `_` for `-`.
    pub target: String,
    /// The compiler's flags that decide about the code, separated by unit separators; empty where they are
    /// not known.
    pub compiler: String,
}

/// The header of a run of this many cases that begins now.
pub fn header(
    home: &Home,
    cases: usize,
    seed: u64,
    settings: RunSettings,
    clock: ClockFacts,
) -> Header {
    let now = wall::unix_ns();
    let arguments = env::args_os();
    Header {
        tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
        engine: tourbillon_engine::IDENTITY.to_owned(),
        started_unix_ns: now,
        started: wall::local_rfc3339(now),
        package: home.package.clone(),
        target: home.target.clone(),
        command: arguments
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        seed,
        cases: cases as u64,
        shard: None,
        settings,
        clock,
        facts: platform::facts(&home.compiler),
        unknown: String::new(),
    }
}

/// The header that a run of the selected cases would have if it began now; `None` where the clock has no frequency.
pub(crate) fn header_of_settings(high: &HighArgs, home: &Home, chosen: &Chosen) -> Option<Header> {
    let run_clock = SystemRunClock::start();
    let clock = run_clock.facts();
    let frequency = Frequency::of(&clock)?;
    let seed = high.seed.unwrap_or_else(new_seed);
    let settings = settings(high, &chosen.options, seed, &clock, frequency);
    let settings = run_settings(&settings, &chosen.runs, &WorkerCpus::default());
    Some(header(home, chosen.runs.len(), seed, settings, clock))
}

/// The part of the cases that a run measures.
pub(super) fn shard(
    high: &HighArgs,
    suite: &[Case],
    comparisons: &[Comparison],
) -> Option<Box<Shard>> {
    let partition = high.selection.partition()?;
    // Each shard measures the references that it needs, selected or not.
    let references = comparisons.iter().map(|one| one.reference.as_str());
    let selected = suite.iter().map(|case| case.id.as_str());
    let all: BTreeSet<&str> = selected.chain(references).collect();
    Some(Box::new(partition.record(all)))
}

/// The settings in the header.
pub(super) fn run_settings(
    settings: &Settings,
    cases: &[Case],
    workers: &WorkerCpus,
) -> RunSettings {
    let common = &settings.common;
    let launches = || cases.iter().map(|case| settings.of(&case.id).launches);
    let most = launches().max().unwrap_or(common.launches);
    RunSettings {
        launches: most,
        fewest_launches: launches().min().filter(|fewest| *fewest < most),
        budget_ns: common.budget_ns,
        batch_ns: common.batch_ns,
        confidence: settings.confidence,
        precision: common.options.precision,
        cpus: workers.cpus.clone(),
        core_kinds: Some(workers.names()).filter(|names| !names.is_empty()),
    }
}

/// A new seed: 32 bits, so that it is short enough to be typed.
pub(super) fn new_seed() -> u64 {
    // Runs that begin at one moment are different processes.
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(wall::unix_ns() ^ process).next_u64() >> 32
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::num::NonZeroU64;

    use super::*;
    use crate::args::{Environment, LowArgs};
    use crate::platform::core_kinds::CoreKind;

    fn settings_of(line: &str, options: CaseOptions) -> Settings {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let low = LowArgs::parse(&arguments).expect(line);
        let high = HighArgs::new(low, &Environment::default()).expect(line);
        let options = [("own".to_owned(), options)];
        let clock = ClockFacts {
            source: "tsc".to_owned(),
            why: String::new(),
            hz_numerator: 1,
            hz_denominator: 1,
            frequency_from: String::new(),
            frequency_error_ppm: None,
            cycles_from: None,
            no_cycles: None,
        };
        let one = NonZeroU64::MIN;
        let frequency = Frequency {
            numerator: one,
            denominator: one,
            error_ppm: None,
        };
        settings(&high, &HashMap::from(options), 5, &clock, frequency)
    }

    #[test]
    fn a_case_without_options_has_the_common_settings() {
        let settings = settings_of("--bench", CaseOptions::default());
        assert_eq!(*settings.of("own"), settings.common);
        assert_eq!(settings.common, CaseSettings::default());
        assert_eq!((settings.seed, settings.clock.as_str()), (5, "tsc"));
        let pinned = WorkerCpus {
            cpus: vec![3],
            kinds: vec![CoreKind::Efficiency],
        };
        let run = run_settings(&settings, &[], &pinned);
        assert_eq!(run.core_kinds, Some(vec!["efficiency".to_owned()]));
        assert_eq!(
            (run.launches, run.confidence, run.cpus),
            (20, 0.99, vec![3])
        );
    }

    #[test]
    fn the_header_has_the_launches_of_the_cases_that_run() {
        let options = CaseOptions {
            launches: Some(50),
            ..CaseOptions::default()
        };
        let settings = settings_of("--bench", options);
        let [own, other] = ["own", "other"].map(|id| Case {
            id: id.to_owned(),
            ..Case::default()
        });
        for (cases, expected) in [
            (vec![own.clone()], (50, None)),
            (vec![other.clone()], (20, None)),
            (vec![other, own], (50, Some(20))),
        ] {
            let run = run_settings(&settings, &cases, &WorkerCpus::default());
            assert_eq!((run.launches, run.fewest_launches), expected);
        }
    }

    #[test]
    fn eight_launches_and_sweeps_have_limits_of_their_own() {
        let options = CaseOptions {
            interval_time_ns: Some(9_000),
            shared_worker: Some((4, 8)),
            ..CaseOptions::default()
        };
        let own = *settings_of("--bench", options).of("own");
        assert_eq!((own.limit_ns, own.shared_worker), (9_000, Some(4)));
        assert_eq!((own.launches, own.launches_fixed), (8, false));
        assert_eq!(own.budget_ns, CaseSettings::default().budget_ns);
        // Flags are limits of both.
        let own = *settings_of("--max-time 7us --launches 3", options).of("own");
        assert_eq!(
            (own.limit_ns, own.budget_ns, own.launches),
            (7_000, 7_000, 3)
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
        assert_eq!((common.min_iterations(), own.min_iterations()), (3, 3));
        assert_eq!(
            (common.budget_ns, own.budget_ns),
            (CaseSettings::default().budget_ns, 7)
        );
        assert_eq!(
            (common.options.precision, own.options.precision),
            (None, Some(0.1))
        );
    }
}
