//! A fictitious machine for tests.

use super::report::{Machine, Report, Row, Rung, Tsc};

/// Four sources: one finer than its readings, one coarser, one unsafe, one absent.
pub(super) fn report() -> Report {
    Report {
        machine: Machine {
            processor: "Example 9000".to_owned(),
            processors: 2,
            os: "Linux 6.18".to_owned(),
            arch: "x86_64".to_owned(),
            guest: Some(true),
            core_hz: Some(4e9),
            kernel_source: Some("tsc".to_owned()),
            kernel_alternatives: vec!["kvm-clock".to_owned()],
        },
        tsc: Tsc {
            generation: Some("invariant".to_owned()),
            flags: vec!["constant_tsc".to_owned(), "nonstop_tsc".to_owned()],
            hz: Some(2.6e9),
            frequency_from: Some("/proc/cpuinfo".to_owned()),
            error_ppm: Some(0.4),
            rungs: rungs(),
            deviation_ppm: Some(-0.012),
            bound_ppm: Some(0.02),
            baseline_ns: Some(2_300_000_000),
            chosen: "tsc".to_owned(),
            why: "invariant, the kernel's own clock source".to_owned(),
            refused: None,
        },
        sources: vec![fine(), coarse(), unsuitable(), absent()],
    }
}

/// One source of the frequency without a value, one with, and a measurement.
fn rungs() -> Vec<Rung> {
    let states = |from: &str, hz, error_ppm| Rung {
        from: from.to_owned(),
        hz: Some(hz),
        error_ppm: Some(error_ppm),
        reason: None,
    };
    vec![
        Rung {
            from: "cpuid leaf 15h".to_owned(),
            reason: Some("the processor does not state its crystal".to_owned()),
            ..Rung::default()
        },
        states("/proc/cpuinfo", 2.6e9, 0.4),
        states("measured", 2.600_01e9, 31.0),
    ]
}

fn fine() -> Row {
    Row {
        name: "rdtsc".to_owned(),
        counts: "wall".to_owned(),
        tick_ns: Some(1.0 / 2.6),
        granularity_ns: Some(10.0),
        resolution_min_ns: Some(10.0),
        resolution_mean_ns: Some(10.62),
        resolution_median_ns: Some(10.0),
        resolution_spread: Some(0.031),
        regime: Some("latency".to_owned()),
        read_median_ns: Some(8.36),
        read_p99_ns: Some(11.2),
        pair_ns: Some(16.9),
        pair_p99_ns: Some(24.0),
        negative: 0,
        behind: "rdtsc (TSC)".to_owned(),
        change: None,
        available: true,
        safe: true,
        reason: None,
    }
}

fn coarse() -> Row {
    Row {
        name: "monotonic_coarse".to_owned(),
        tick_ns: Some(1.0),
        granularity_ns: Some(4e6),
        resolution_min_ns: Some(4e6),
        resolution_mean_ns: Some(4.1e6),
        resolution_median_ns: Some(4e6),
        resolution_spread: Some(0.0),
        regime: Some("resolution".to_owned()),
        read_median_ns: Some(5.21),
        read_p99_ns: Some(6.0),
        pair_ns: Some(10.4),
        pair_p99_ns: Some(12.0),
        negative: 3,
        behind: "vDSO (timer tick)".to_owned(),
        change: Some("build the kernel with a higher CONFIG_HZ".to_owned()),
        ..fine()
    }
}

fn unsuitable() -> Row {
    Row {
        name: "cpuid;rdtsc".to_owned(),
        read_median_ns: Some(21_400.0),
        read_p99_ns: Some(39_000.0),
        safe: false,
        reason: Some("cpuid leaves a virtual machine: tens of microseconds".to_owned()),
        ..fine()
    }
}

fn absent() -> Row {
    Row {
        name: "rdpmc".to_owned(),
        counts: "cycles".to_owned(),
        reason: Some("this machine has no performance counters".to_owned()),
        ..Row::default()
    }
}
