//! Estimates do not depend on order, unit, origin, direction, or duplication.
//!
//! All comparisons are exact unless stated otherwise: values are small whole numbers, shifts are whole
//! numbers and factors powers of two, so that nothing rounds but means and deviations.

use std::num::NonZeroU64;

use tourbillon_stats::{
    Confidence, Interval, Rng, Sample, difference_of_medians, hodges_lehmann, mad, mean, median,
    median_interval, paired_slopes, quantile, signed_rank_interval, stddev,
};

/// Samples of 1 to 60 whole numbers, many with ties, some with outliers.
fn samples() -> impl Iterator<Item = Vec<f64>> {
    let mut rng = Rng::new(42);
    (0..300).map(move |round| {
        let range = NonZeroU64::new([3, 50, 100_000][round % 3]).unwrap();
        (0..1 + round / 5)
            .map(|_| {
                let value = rng.below(range) as f64 - 20.0;
                let outlier = rng.next_u64().is_multiple_of(20);
                if outlier { value * 1024.0 } else { value }
            })
            .collect()
    })
}

fn sample(values: &[f64]) -> Sample {
    Sample::new(values.to_vec()).unwrap()
}

fn mapped(values: &[f64], f: impl Fn(f64) -> f64) -> Sample {
    Sample::new(values.iter().map(|&v| f(v)).collect()).unwrap()
}

/// Estimates of location, which move with the values.
fn places(s: &Sample) -> [f64; 4] {
    let quartile = quantile(s, 0.25).unwrap();
    [median(s), hodges_lehmann(s), quartile, s.max()]
}

fn intervals(s: &Sample) -> Vec<Interval> {
    let ninety = Confidence::new(0.9).unwrap();
    let both = [median_interval(s, ninety), signed_rank_interval(s, ninety)];
    both.into_iter().filter_map(Result::ok).collect()
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-12 * scale.max(1.0)
}

#[test]
fn order() {
    let mut rng = Rng::new(1);
    for mut values in samples() {
        let before = sample(&values);
        rng.shuffle(&mut values);
        let after = sample(&values);
        assert_eq!(places(&before), places(&after));
        assert_eq!(intervals(&before), intervals(&after));
        let spreads = |s: &Sample| (mean(s).to_bits(), stddev(s).map(f64::to_bits), mad(s));
        assert_eq!(spreads(&before), spreads(&after));
    }
}

#[test]
fn origin() {
    for values in samples() {
        let (here, there) = (sample(&values), mapped(&values, |v| v + 1000.0));
        assert_eq!(places(&here).map(|p| p + 1000.0), places(&there));
        assert_eq!(mad(&here), mad(&there));
        for (a, b) in intervals(&here).iter().zip(intervals(&there)) {
            assert_eq!((a.lower + 1000.0, a.upper + 1000.0), (b.lower, b.upper));
            assert_eq!(a.confidence, b.confidence);
        }
        // Approximate: both round.
        let scale = here.max().abs() + here.min().abs();
        assert!(close(mean(&here) + 1000.0, mean(&there), scale));
        let sds = (stddev(&here).unwrap_or(0.0), stddev(&there).unwrap_or(0.0));
        assert!(close(sds.0, sds.1, scale));
    }
}

#[test]
fn unit() {
    for values in samples() {
        let here = sample(&values);
        for factor in [0.125, 4096.0] {
            let there = mapped(&values, |v| v * factor);
            assert_eq!(places(&here).map(|p| p * factor), places(&there));
            assert_eq!(mad(&here) * factor, mad(&there));
            assert_eq!(mean(&here) * factor, mean(&there));
            assert_eq!(stddev(&here).map(|s| s * factor), stddev(&there));
            for (a, b) in intervals(&here).iter().zip(intervals(&there)) {
                assert_eq!((a.lower * factor, a.upper * factor), (b.lower, b.upper));
            }
        }
    }
}

#[test]
fn direction() {
    for values in samples() {
        let (here, there) = (sample(&values), mapped(&values, |v| -v));
        assert_eq!(median(&here), -median(&there));
        assert_eq!(hodges_lehmann(&here), -hodges_lehmann(&there));
        assert_eq!(mad(&here), mad(&there));
        let quartiles = (
            quantile(&here, 0.25).unwrap(),
            quantile(&there, 0.75).unwrap(),
        );
        assert_eq!(quartiles.0, -quartiles.1);
        for (a, b) in intervals(&here).iter().zip(intervals(&there)) {
            assert_eq!((a.lower, a.upper), (-b.upper, -b.lower));
        }
    }
}

#[test]
fn duplication() {
    for values in samples() {
        let (once, twice) = (
            sample(&values),
            sample(&[&values[..], &values[..]].concat()),
        );
        assert_eq!(median(&once), median(&twice));
        assert_eq!(mad(&once), mad(&twice));
        assert_eq!((once.min(), once.max()), (twice.min(), twice.max()));
        // Approximate: sums of twice as many round differently.
        assert!(close(
            mean(&once),
            mean(&twice),
            once.max().abs() + once.min().abs()
        ));
    }
}

#[test]
fn estimates_lie_where_they_belong() {
    for values in samples() {
        let s = sample(&values);
        assert!(places(&s).iter().all(|&p| s.min() <= p && p <= s.max()));
        assert!(s.min() <= mean(&s) && mean(&s) <= s.max());
        let mut last = f64::NEG_INFINITY;
        for step in 0..=40 {
            let q = quantile(&s, f64::from(step) / 40.0).unwrap();
            assert!(q >= last && q <= s.max());
            last = q;
        }
        let mut widths = [0.0, 0.0];
        for level in [0.5, 0.9, 0.99, 0.999] {
            let confidence = Confidence::new(level).unwrap();
            let order = median_interval(&s, confidence);
            let signed = signed_rank_interval(&s, confidence);
            assert!(order.is_err() || order.unwrap().contains(median(&s)));
            assert!(signed.is_err() || signed.unwrap().contains(hodges_lehmann(&s)));
            // More confidence is never had from a shorter interval.
            for (width, interval) in widths.iter_mut().zip([order, signed]) {
                if let Ok(interval) = interval {
                    assert!(interval.half_width() >= *width);
                    *width = interval.half_width();
                }
            }
        }
    }
}

#[test]
fn a_cost_per_batch_does_not_show_in_the_cost_per_op() {
    let ops = NonZeroU64::new(64).unwrap();
    for values in samples() {
        // Batches of cost c + v for 64 ops of 5 and their doubles, for several c.
        let slope = |fixed: f64| {
            let short = mapped(&values, |v| fixed + v + 320.0);
            let long = mapped(&values, |v| fixed + v + 640.0);
            difference_of_medians(&short, &long, ops)
        };
        assert_eq!(slope(0.0).per_op, 5.0);
        assert_eq!(slope(4096.0).per_op, 5.0);
        assert_eq!(slope(4096.0).fixed_cost, slope(0.0).fixed_cost + 4096.0);
        let rounds: Vec<_> = values.iter().map(|v| (v + 320.0, v + 640.0)).collect();
        let slopes = paired_slopes(&rounds, ops).unwrap();
        assert!(slopes.as_slice().iter().all(|&s| s == 5.0));
    }
}
