//! The same bits on every machine.

use tourbillon_stats::{Confidence, Rng, Sample, median_interval, signed_rank_interval};

#[test]
fn large_samples_give_these_bits_everywhere() {
    let mut rng = Rng::new(2024);
    let values = (0..1_000).map(|_| (rng.next_u64() >> 40) as f64).collect();
    let sample = Sample::new(values).unwrap();
    let order = median_interval(&sample, Confidence::P99).unwrap();
    let signed = signed_rank_interval(&sample, Confidence::P99).unwrap();
    // Exact: written down once. Both confidences come out of long sums, the second one of an
    // exponential function too.
    let ends = [order.lower, order.upper, signed.lower, signed.upper];
    assert_eq!(ends, [7_754_983.0, 9_506_284.0, 8_093_089.5, 8_908_226.5]);
    assert_eq!(order.confidence.to_bits(), 0x3FEF_B938_B6B3_13DF);
    assert_eq!(signed.confidence.to_bits(), 0x3FEF_AE1A_3E74_E8A8);
}
