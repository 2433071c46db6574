use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::chain::sorted;

/// How far above the median a batch may be, as a fraction, whatever the others do.
const HIT: f64 = 0.04;
/// Or in standard deviations, estimated robustly.
const APART: f64 = 5.0;

/// The batches of one length without those that an interruption hit: they stand far above the others.
///
/// A long batch is hit twice as often as a short one, so that the median of all the long ones lies
/// higher among those that were not hit than that of the short ones; their difference would be too
/// large, by 0.05 % where a tenth is hit. Both lengths are treated alike, and no spread is computed
/// from what is left.
#[inline(never)]
pub(crate) fn unhit(batches: Sample) -> Sample {
    let centre = median(&batches);
    let limit = centre + (HIT * centre).max(APART * MAD_TO_STDDEV * mad(&batches));
    let mut kept = batches.as_slice();
    while let Some((longest, others)) = kept.split_last()
        && *longest > limit
    {
        kept = others;
    }
    // The median itself is always kept.
    match sorted(kept) {
        Some(kept) => kept,
        None => batches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(values: &[f64]) -> Vec<f64> {
        unhit(Sample::new(values.to_vec()).unwrap())
            .as_slice()
            .to_vec()
    }

    #[test]
    fn only_what_stands_far_above_is_left_out() {
        assert_eq!(
            kept(&[100.0, 101.0, 99.0, 134.0, 100.0, 103.0]),
            [99.0, 100.0, 100.0, 101.0, 103.0]
        );
        // What is below was not hit, and a wide scatter has nothing far above.
        assert_eq!(kept(&[50.0, 100.0, 100.0]), [50.0, 100.0, 100.0]);
        let wide = [80.0, 90.0, 100.0, 110.0, 130.0];
        assert_eq!(kept(&wide), wide);
        assert_eq!(kept(&[0.0, 0.0]), [0.0, 0.0]);
    }
}
