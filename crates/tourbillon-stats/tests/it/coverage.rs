//! Intervals have the coverage that they state, counted over all cases where that is possible.

use tourbillon_stats::{Confidence, Interval, Rng, Sample, TooFew, median_interval};
use tourbillon_stats::{signed_rank_interval, widest_interval};

const LEVELS: [f64; 7] = [0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999];

type Method = fn(&Sample, Confidence) -> Result<Interval, TooFew>;

/// Every way to put signs to 1, 5, 25, .. 5^(n-1): all that a symmetric distribution about 0 can do
/// to a sample of these sizes, each way equally likely. No two of the averages are equal, nor is any 0.
fn sign_vectors(n: u32) -> impl Iterator<Item = Vec<f64>> {
    (0..1_u32 << n).map(move |signs| {
        let signed = |i: u32| {
            let size = f64::from(5_u32.pow(i));
            if signs >> i & 1 == 1 { size } else { -size }
        };
        (0..n).map(signed).collect()
    })
}

/// The numbers from which an interval takes its ends.
fn values_themselves(values: &[f64]) -> Vec<f64> {
    values.to_vec()
}

fn walsh_averages(values: &[f64]) -> Vec<f64> {
    let from = |i: usize| values[i..].iter().map(move |y| (values[i] + y) / 2.0);
    (0..values.len()).flat_map(from).collect()
}

/// For all samples, levels and sizes up to `most`: the interval covers 0 in exactly the stated share
/// of cases, which is at least the requested one. An interval that starts and ends one number further
/// in, or any interval where there is none, covers less often than requested.
fn covers_as_claimed(method: Method, numbers: fn(&[f64]) -> Vec<f64>, most: u32) {
    for n in 1..=most {
        for level in LEVELS {
            let confidence = Confidence::new(level).unwrap();
            let (mut covered, mut covered_by_inner) = (0_u32, 0_u32);
            let mut claimed = 1.0;
            for values in sign_vectors(n) {
                let mut ends = numbers(&values);
                ends.sort_by(f64::total_cmp);
                let inner = match method(&Sample::new(values).unwrap(), confidence) {
                    Ok(interval) => {
                        claimed = interval.confidence;
                        covered += u32::from(interval.contains(0.0));
                        let low = ends.iter().position(|&e| e == interval.lower).unwrap();
                        let high = ends.len() - 1 - low;
                        assert_eq!(interval.upper, ends[high], "n = {n}, {level}");
                        &ends[low + 1..high.max(low + 1)]
                    }
                    Err(too_few) => {
                        assert_eq!(too_few.needed, confidence.values_needed());
                        assert!(too_few.got == n as usize && too_few.got < too_few.needed);
                        covered += 1;
                        &ends[..]
                    }
                };
                let around = |low: &f64, high: &f64| *low <= 0.0 && 0.0 <= *high;
                let inside = inner
                    .first()
                    .zip(inner.last())
                    .is_some_and(|(l, h)| around(l, h));
                covered_by_inner += u32::from(inside);
            }
            let share = |count| f64::from(count) / f64::from(1_u32 << n);
            assert_eq!(share(covered), claimed, "n = {n}, {level}");
            assert!(claimed >= level, "n = {n}, {level}: {claimed}");
            assert!(
                share(covered_by_inner) < level,
                "n = {n}, {level}: too long"
            );
        }
    }
}

#[test]
fn order_statistics_cover_in_exactly_the_share_of_cases_that_they_claim() {
    covers_as_claimed(median_interval, values_themselves, 12);
}

#[test]
fn signed_ranks_cover_in_exactly_the_share_of_cases_that_they_claim() {
    covers_as_claimed(signed_rank_interval, walsh_averages, 10);
}

#[test]
fn the_widest_interval_covers_in_exactly_the_share_of_cases_that_it_claims() {
    for n in 2..=12 {
        let (mut covered, mut cases, mut claimed) = (0, 0, 0.0);
        for values in sign_vectors(n) {
            let interval = widest_interval(&Sample::new(values).unwrap()).unwrap();
            covered += u32::from(interval.contains(0.0));
            cases += 1;
            claimed = interval.confidence;
        }
        assert_eq!(f64::from(covered) / f64::from(cases), claimed, "n = {n}");
    }
}

#[test]
fn twenty_launches_of_a_skewed_time_are_covered() {
    // Approximate: 20 000 samples of 1 / u^2, as skewed as times get; the median is 4. Expected
    // 99.74 %, standard deviation 0.036 %. The mean of these values does not even exist.
    let mut rng = Rng::new(20);
    let mut covered = 0_u32;
    for _ in 0..20_000 {
        let launch = |_| {
            let unit = ((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
            1.0 / (unit * unit)
        };
        let sample = Sample::new((0..20).map(launch).collect()).unwrap();
        let interval = median_interval(&sample, Confidence::P99).unwrap();
        covered += u32::from(interval.contains(4.0));
    }
    let share = f64::from(covered) / 20_000.0;
    assert!((share - 0.9974).abs() < 0.0015, "{share}");
}

#[test]
fn ties_only_make_intervals_cover_more_often() {
    // Exact: every sample of n values out of -1, 0, 1 with weights 1 2 1, symmetric about 0.
    let n = 7;
    let methods: [Method; 2] = [median_interval, signed_rank_interval];
    for method in methods {
        for level in [0.5, 0.8, 0.95] {
            let confidence = Confidence::new(level).unwrap();
            let (mut covered, mut total) = (0.0, 0.0);
            for case in 0..3_u32.pow(n) {
                let digits = (0..n).map(|i| case / 3_u32.pow(i) % 3);
                let values: Vec<f64> = digits.map(|d| f64::from(d) - 1.0).collect();
                let zeros = values.iter().filter(|v| v.abs() < 0.5).count();
                let weight = f64::from(1_u32 << zeros);
                let interval = method(&Sample::new(values).unwrap(), confidence).unwrap();
                total += weight;
                if interval.contains(0.0) {
                    covered += weight;
                }
            }
            assert!(covered / total >= level, "{level}: {}", covered / total);
        }
    }
}
