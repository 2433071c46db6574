//! Reference kernels: code of known cost, measured like a benchmark.

mod kernels;
mod nearness;

use std::num::NonZeroU64;

use tourbillon_analysis::{Frequency, Rules, Tally, contended_share, estimate};
use tourbillon_clock::{Clock, wall};
use tourbillon_coordinator::runner::CaseSettings;
use tourbillon_engine::{About, WINDOW_BYTES, WINDOW_ITEMS, measure};
use tourbillon_record::{Absence, LaunchSamples, Metric, Plan};
use tourbillon_stats::Confidence;

use self::kernels::{Kernel, multiplier};
use super::finding::Finding;
use super::tree::{Known, Tree};

pub(super) use self::nearness::{KernelRow, Shown};

/// The measured kernels.
pub(super) struct Examined {
    /// A row for each.
    pub(super) rows: Vec<KernelRow>,
    /// Their assessment, or why there is nothing to measure.
    pub(super) finding: Finding,
    /// Share of contended launches, if known.
    pub(super) contended: Option<f64>,
}

/// Measures them.
pub(super) fn examined(clock: &Clock, tree: &Tree) -> Examined {
    let known = known(clock, tree);
    let outcome = match &known {
        Ok((rows, _)) => nearness::assess(rows),
        Err(reason) => Err(reason.clone()),
    };
    let (rows, launches) = known.unwrap_or_default();
    Examined {
        rows,
        finding: Finding {
            check: "reference kernels",
            outcome,
        },
        contended: contended_share(&launches),
    }
}

fn known(clock: &Clock, tree: &Tree) -> Known<(Vec<KernelRow>, Vec<LaunchSamples>)> {
    if cfg!(debug_assertions) {
        return Err(
            "this program was built without optimisation; build it with --release".to_owned(),
        );
    }
    clock
        .reference_chain()
        .map_err(|absence| format!("no cycles: {absence}"))?;
    let cpuinfo = tree.read("/proc/cpuinfo").unwrap_or_default();
    Ok(measured(clock, &cpuinfo))
}

/// A row for each kernel whose cost is known on this processor, and all launches.
pub(super) fn measured(clock: &Clock, cpuinfo: &str) -> (Vec<KernelRow>, Vec<LaunchSamples>) {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for kernel in kernels::all(multiplier(cpuinfo)) {
        let (row, launches) = row(kernel, clock);
        rows.push(row);
        all.extend(launches);
    }
    (rows, all)
}

/// Launches of a kernel, in this process.
const LAUNCHES: u32 = 11;
/// Nanoseconds for the batches of a launch.
const LAUNCH_NS: u64 = 20_000_000;

/// Measures a kernel; gives its row and its launches.
fn row(mut kernel: Kernel, clock: &Clock) -> (KernelRow, Vec<LaunchSamples>) {
    let frequency = clock.frequency();
    let frequency = Frequency {
        numerator: NonZeroU64::new(frequency.numerator).unwrap_or(NonZeroU64::MIN),
        denominator: NonZeroU64::new(frequency.denominator).unwrap_or(NonZeroU64::MIN),
        error_ppm: frequency.error_ppm,
    };
    let launch = |launch| {
        let plan = Plan {
            case: kernel.name.clone(),
            launch,
            seed: wall::unix_ns(),
            clock: clock.name().to_owned(),
            tick_hz: frequency.hz(),
            budget_ns: LAUNCH_NS,
            batch_ns: CaseSettings::default().batch_ns,
            min_iterations: 0,
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
        };
        let about = About {
            terminal: "reference_kernel",
            drop_inside: false,
            isolated: false,
            ops_per_iteration: 1,
            throughput: None,
            measures: None,
        };
        measure(kernel.arm.as_mut(), about, &plan, clock, &mut |_| ()).ok()
    };
    let launches: Vec<_> = (0..LAUNCHES).filter_map(launch).collect();
    let rules = Rules {
        frequency,
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let results = estimate(&kernel.name, &launches, &Tally::default(), &rules);
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
    let row = KernelRow {
        name: kernel.name,
        truth: kernel.cycles,
        shown,
    };
    (row, launches)
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
        let (row, launches) = row(
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
        assert_eq!(launches.len(), LAUNCHES as usize);
    }
}
