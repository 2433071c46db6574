//! Figures: digits, units, and the words after them.

use tourbillon_record::{CaseResult, Metric, OwnMetric, Scale, ScaleUnit};
use tourbillon_report::{Figure, Ratio, Style, measured};

fn time(value: f64, half_width: Option<f64>) -> String {
    Figure::within(value, half_width).time(&Style::default())
}

fn shown(metric: Metric, own: Option<(&str, &str)>, value: f64) -> String {
    let result = CaseResult {
        metric,
        own: own.map(|(name, unit)| OwnMetric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            ..OwnMetric::default()
        }),
        ..CaseResult::default()
    };
    measured(&result, Figure::exact(value), &Style::default())
}

#[test]
fn digits_stop_where_the_interval_does() {
    for (value, half_width, expected) in [
        (4.4123, 0.0088, "4.412 ns"),
        (4.4123, 0.012, "4.41 ns"),
        (4.4123, 0.0999, "4.41 ns"),
        (4.4123, 0.1, "4.4 ns"),
        (4.4123, 1.0, "4 ns"),
        // Never more than four digits, nor fewer than the integer part has, nor none.
        (17.312_34, 1e-9, "17.31 ns"),
        (829_412.0, 300_000.0, "829 µs"),
        (0.3, 2.0, "0.3 ns"),
        (0.024_12, 0.0003, "0.0241 ns"),
    ] {
        assert_eq!(
            time(value, Some(half_width)),
            expected,
            "{value} {half_width}"
        );
    }
}

#[test]
fn three_digits_without_an_interval_and_four_when_exact() {
    assert_eq!(time(4.4123, None), "4.41 ns");
    assert_eq!(time(829_412.0, None), "829 µs");
    assert_eq!(time(4.4123, Some(0.0)), "4.412 ns");
}

#[test]
fn rounding_moves_a_value_by_half_of_the_half_width_at_most() {
    let mut value = 1.0;
    while value < 900.0 {
        for relative in [0.0011, 0.004, 0.0099, 0.01, 0.05, 0.3] {
            let half_width = value * relative;
            let text = time(value, Some(half_width));
            let shown: f64 = text.trim_end_matches(" ns").parse().unwrap();
            // Four digits are all there are: of 1000 the last one is 0.1 %.
            let finest = 0.5e-3 * 10_f64.powi(value.log10().floor() as i32);
            assert!(
                (shown - value).abs() <= (half_width / 2.0).max(finest) * 1.000_001,
                "{value} ± {half_width} is shown as {text}"
            );
        }
        value *= 1.037;
    }
}

#[test]
fn the_unit_is_chosen_after_rounding() {
    for (value, half_width, expected) in [
        (999.4, 1.0, "999 ns"),
        (999.97, 0.1, "1.000 µs"),
        (999_999.9, 0.1, "1.000 ms"),
        (9.999_96, 1e-9, "10.00 ns"),
        (2.07e9, 3e6, "2.070 s"),
        (3.2e12, 1e9, "3200 s"),
        (-0.31, 0.04, "-0.31 ns"),
    ] {
        assert_eq!(time(value, Some(half_width)), expected);
    }
}

#[test]
fn cycles_have_prefixes() {
    for (value, half_width, expected) in [
        (15.83, 0.03, "15.83"),
        (4096.3, 2.0, "4096"),
        (9999.7, 0.1, "10.00 k"),
        (12_345.0, 200.0, "12.3 k"),
        (136.9e6, 0.4e6, "136.9 M"),
        (2.98e6, 0.02e6, "2.98 M"),
        (7.5e14, 1e13, "750 T"),
    ] {
        let figure = Figure::within(value, Some(half_width));
        assert_eq!(figure.cycles(), expected);
    }
}

#[test]
fn the_farther_end_counts() {
    let figure = Figure::new(10.0, Some(9.9), Some(10.4));
    assert!((figure.relative().unwrap() - 0.04).abs() < 1e-12);
    let figure = Figure::new(10.0, Some(9.5), Some(10.1));
    assert!((figure.relative().unwrap() - 0.05).abs() < 1e-12);
    assert_eq!(Figure::new(10.0, Some(9.9), None).half_width, None);
}

#[test]
fn changes_since_another_run_are_shares() {
    let text = |estimate, lower, upper| {
        let ratio = Ratio {
            metric: Metric::Cycles,
            estimate,
            lower,
            upper,
        };
        ratio.text(&Style::default())
    };
    assert_eq!(text(1.0112, 0.9931, 1.0288), "≈");
    assert_eq!(text(1.0112, 1.0101, 1.0119), "+1.12 %");
    assert_eq!(text(0.38, 0.36, 0.41), "−62 %");
    assert_eq!(text(12.3, 8.1, 17.0), "×12");
}

#[test]
fn ascii_has_no_micro_sign() {
    let style = Style {
        unicode: false,
        ..Style::default()
    };
    assert_eq!(Figure::exact(1234.0).time(&style), "1.234 us");
}

#[test]
fn units_of_a_suite_replace_ours() {
    let unit = |from, name: &str| ScaleUnit {
        from,
        shown: 1.0,
        unit: name.to_owned(),
        falls: false,
    };
    let result = CaseResult {
        metric: Metric::Own,
        own: Some(OwnMetric {
            name: "Sent".to_owned(),
            unit: "bytes".to_owned(),
            ..OwnMetric::default()
        }),
        units: Scale(vec![unit(1.0, "octets"), unit(1e3, "kilo\u{1b}octets")]),
        ..CaseResult::default()
    };
    for (value, half_width, expected) in [
        (48.0, Some(0.0), "48 octets"),
        (0.0, Some(0.0), "0 octets"),
        (48.25, Some(0.02), "48.25 octets"),
        (4_000.0, Some(0.0), r"4 kilo\u{1b}octets"),
        (4_321.0, Some(20.0), r"4.32 kilo\u{1b}octets"),
        (54_321_000.0, None, r"54321 kilo\u{1b}octets"),
    ] {
        let figure = Figure::within(value, half_width);
        assert_eq!(measured(&result, figure, &Style::default()), expected);
    }
}

#[test]
fn only_wall_time_goes_without_a_word() {
    for (metric, expected) in [
        (Metric::Time, "1.234 µs"),
        (Metric::CpuTime, "1.234 µs cpu"),
        (Metric::UserTime, "1.234 µs user"),
        (Metric::KernelTime, "1.234 µs kernel"),
        (Metric::Cycles, "1234"),
    ] {
        assert_eq!(shown(metric, None, 1234.0), expected);
    }
}

#[test]
fn own_metrics_have_their_unit_and_their_name() {
    for (name, unit, value, expected) in [
        ("retries", "retries", 3.2, "3.200 retries"),
        ("retries", "retries", 0.0, "0 retries"),
        ("retries", "retries", 3.0, "3 retries"),
        ("pause", "ns", 0.0, "0 ns pause"),
        ("frames", "frames", 123_456.0, "123.5 k frames"),
        ("sent", "bytes", 4_096.0, "4096 B sent"),
        ("sent", "bytes", 40_960.0, "40.00 KiB sent"),
        ("sent", "bytes", 1_000.5, "1000 B sent"),
        (
            "kernel of the device",
            "ns",
            1_234.0,
            "1234 ns kernel of the device",
        ),
        ("energy", "m\nJ", 7.5, "7.500 m\\nJ energy"),
    ] {
        assert_eq!(shown(Metric::Own, Some((name, unit)), value), expected);
    }
}
