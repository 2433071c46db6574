//! Measures a kernel with the engine.

use std::num::NonZeroU64;

use tourbillon_analysis::{Frequency, Rules, Tally, estimate};
use tourbillon_clock::{Clock, wall};
use tourbillon_engine::{About, WINDOW_BYTES, WINDOW_ITEMS, measure};
use tourbillon_record::{Absence, Metric, Plan, Visit};
use tourbillon_runner::CaseSettings;
use tourbillon_stats::Confidence;

use super::judge::{Row, Shown};
use super::kernel::Kernel;

/// Visits of a kernel, in this process.
const VISITS: u32 = 11;
/// Nanoseconds for the batches of a visit.
const VISIT_NS: u64 = 20_000_000;

/// Measures a kernel; gives its row and its visits.
pub(super) fn row(mut kernel: Kernel, clock: &Clock) -> (Row, Vec<Visit>) {
    let frequency = clock.frequency();
    let frequency = Frequency {
        numerator: NonZeroU64::new(frequency.numerator).unwrap_or(NonZeroU64::MIN),
        denominator: NonZeroU64::new(frequency.denominator).unwrap_or(NonZeroU64::MIN),
        error_ppm: frequency.error_ppm,
    };
    let visit = |launch| {
        let plan = Plan {
            case: kernel.name.clone(),
            launch,
            seed: wall::unix_ns(),
            clock: clock.name().to_owned(),
            tick_hz: frequency.hz(),
            budget_ns: VISIT_NS,
            batch_ns: CaseSettings::default().batch_ns,
            min_iterations: 0,
            window_items: WINDOW_ITEMS,
            window_bytes: WINDOW_BYTES,
            length: None,
            against: None,
            turns: None,
            memory: false,
            metric: None,
            contended_from: None,
        };
        let about = About {
            terminal: "landmark",
            drop_inside: false,
            isolated: false,
            ops_per_iteration: 1,
            throughput: None,
            measures: None,
        };
        measure(kernel.arm.as_mut(), about, &plan, clock, &mut |_| ()).ok()
    };
    let visits: Vec<_> = (0..VISITS).filter_map(visit).collect();
    let rules = Rules {
        frequency,
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let results = estimate(&kernel.name, &visits, &Tally::default(), &rules);
    let cycles = results
        .iter()
        .find(|result| result.metric == Metric::Cycles);
    let shown = match cycles.map(|result| (result, &result.estimate)) {
        Some((result, Ok(cycles))) => Shown::Cycles {
            cycles: *cycles,
            lower: result.lower,
            upper: result.upper,
        },
        Some((_, Err(Absence::BelowResolution))) => Shown::BelowResolution,
        _ => Shown::Nothing,
    };
    let row = Row {
        name: kernel.name,
        truth: kernel.cycles,
        shown,
    };
    (row, visits)
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;
    use tourbillon_engine::Chained;

    use super::*;

    fn script() -> Script {
        Script::new()
            .hz(1_000_000_000)
            .read_cost(10, 10)
            .core_cycle(0.25)
    }

    #[test]
    fn a_scripted_kernel_measures_as_what_it_costs() {
        let script = script();
        let clock = Clock::scripted(&script);
        let body = move |x: u64| {
            script.advance_cycles(300.0);
            x
        };
        let arm = Box::new(Chained::new(body, 1));
        let (row, visits) = row(
            Kernel {
                name: "x".to_owned(),
                cycles: 300.0,
                arm,
            },
            &clock,
        );
        let Shown::Cycles {
            cycles,
            lower,
            upper,
        } = row.shown
        else {
            panic!("{row:?}");
        };
        assert!((cycles - 300.0).abs() < 0.01, "{cycles}");
        assert!(lower.unwrap() <= 300.0 && upper.unwrap() >= 300.0);
        assert_eq!(row.truth, 300.0);
        assert_eq!(visits.len(), VISITS as usize);
    }
}
