//! How alike successive values of a series are, from its turning points.

use std::f64::consts::PI;

/// By how much a deviation has to be larger where successive values are alike, at least 1:
/// sqrt((1 + r) / (1 - r)), where r is the correlation of successive values as far as the series shows it.
///
/// Three successive values of a normal autoregression of order 1 turn, which is to rise and then to fall or the
/// reverse, with the probability acos((r - 1) / 2) / pi: two thirds where values are exchangeable, whatever their
/// distribution. A step or an outlier changes few turns. Equal values count as if they were in random order. One
/// standard error is added to the share (Kendall and Stuart, "The Advanced Theory of Statistics", vol. 3, on turning
/// points, for the variance).
pub(crate) fn shrinkage(values: &[f64]) -> f64 {
    let triples = values.windows(3);
    let count = triples.len() as f64;
    if count == 0.0 {
        return 1.0;
    }
    let turns: f64 = triples
        .map(|triple| turning(triple[1] - triple[0], triple[2] - triple[1]))
        .sum();
    let error = ((16.0 * count + 3.0) / 90.0).sqrt();
    let share = ((turns + error) / count).min(1.0);
    let correlation = (1.0 + 2.0 * (PI * share).cos()).clamp(0.0, 0.95);
    ((1.0 + correlation) / (1.0 - correlation)).sqrt()
}

/// The probability that two successive differences have opposite signs once equal values are in random order.
fn turning(first: f64, second: f64) -> f64 {
    if first == 0.0 && second == 0.0 {
        2.0 / 3.0
    } else if first == 0.0 || second == 0.0 {
        0.5
    } else {
        f64::from(u8::from((first > 0.0) != (second > 0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change_points::tests::normal;
    use tourbillon_stats::Rng;

    #[test]
    fn alike_values_in_a_row_need_a_larger_deviation() {
        let mut rng = Rng::new(11);
        let mut value = 0.0;
        let mut alike = Vec::new();
        for _ in 0..200 {
            value = 0.6 * value + normal(&mut rng);
            alike.push(value);
        }
        let shrunk = shrinkage(&alike);
        // Of a correlation of 0.6 the factor is 2.
        assert!((1.3..2.5).contains(&shrunk), "{shrunk}");
        let independent: Vec<f64> = (0..200).map(|_| normal(&mut rng)).collect();
        assert!(shrinkage(&independent) < 1.2);
        assert!(shrinkage(&[1.0; 9]) <= 1.0);
    }
}
