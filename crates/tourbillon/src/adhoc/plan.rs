//! How one process measures without a coordinator.

use std::num::NonZeroU64;
use std::time::Duration;

use tourbillon_analysis::Frequency;
use tourbillon_clock::Clock;
use tourbillon_coordinator::runner::CaseSettings;
use tourbillon_engine::{About, Arm, WINDOW_BYTES, WINDOW_ITEMS};
use tourbillon_record::Plan;

/// The plan of a measurement on `clock`, with a seed of its own.
pub(super) fn plan(name: &str, clock: &Clock, time: Duration, min_iterations: u64) -> Plan {
    Plan {
        case: name.to_owned(),
        launch: 0,
        seed: tourbillon_clock::wall::unix_ns(),
        clock: clock.name().to_owned(),
        tick_hz: frequency(clock).hz(),
        budget_ns: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        batch_ns: CaseSettings::default().batch_ns,
        min_iterations,
        window_items: WINDOW_ITEMS,
        window_bytes: WINDOW_BYTES,
        batch_shape: None,
        turns: None,
        memory: false,
        stepped: None,
        events: None,
        metric: None,
        contended_from: None,
        core_kind: None,
    }
}

/// The frequency of `clock`, for estimates.
pub(super) fn frequency(clock: &Clock) -> Frequency {
    let frequency = clock.frequency();
    Frequency {
        numerator: NonZeroU64::new(frequency.numerator).unwrap_or(NonZeroU64::MIN),
        denominator: NonZeroU64::new(frequency.denominator).unwrap_or(NonZeroU64::MIN),
        error_ppm: frequency.error_ppm,
    }
}

/// Runs a body once, where nothing is measured.
pub(super) fn run_once(arm: &mut dyn Arm, clock: &Clock) {
    // What it returns is not asked for.
    let _ = arm.first(clock);
}

/// A body without modifiers.
pub(super) fn about(terminal: &'static str, ops_per_iteration: u64) -> About {
    About {
        terminal,
        drop_inside: false,
        isolated: false,
        ops_per_iteration,
        throughput: None,
        measures: None,
    }
}
