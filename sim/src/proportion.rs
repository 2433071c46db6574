/// A number of times out of a number of tries, and what follows about its probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    /// How often it happened.
    pub times: u64,
    /// Out of how many.
    pub of: u64,
}

impl Proportion {
    /// Counts what happened.
    pub fn count(outcomes: impl IntoIterator<Item = bool>) -> Proportion {
        let mut found = Proportion { times: 0, of: 0 };
        for outcome in outcomes {
            found.times += u64::from(outcome);
            found.of += 1;
        }
        found
    }

    /// The share, 0 of nothing.
    pub fn share(self) -> f64 {
        self.times as f64 / self.of.max(1) as f64
    }

    /// The smallest probability that is not refuted: with it, so many or more would come up with
    /// probability `error`. One-sided bound of Clopper and Pearson, Biometrika 26 (1934), p. 404.
    pub fn at_least(self, error: f64) -> f64 {
        if self.times == 0 {
            return 0.0;
        }
        root(|p| beta(p, self.times as f64, (self.of - self.times + 1) as f64) - error)
    }

    /// The largest probability that is not refuted, one-sided as well.
    pub fn at_most(self, error: f64) -> f64 {
        let failures = Proportion {
            times: self.of - self.times,
            ..self
        };
        1.0 - failures.at_least(error)
    }
}

/// Where a function that grows from 0 to 1 becomes positive.
fn root(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if function(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun, 26.5.8),
/// evaluated from the front after Lentz.
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let tiny = 1e-300;
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    let (mut c, mut d) = (1.0, 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0), tiny));
    let mut fraction = d;
    for m in 1..2_000_u32 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / nonzero(1.0 + even * d, tiny);
        c = nonzero(1.0 + even / c, tiny);
        fraction *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / nonzero(1.0 + odd * d, tiny);
        c = nonzero(1.0 + odd / c, tiny);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front.exp() * fraction / a
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// Logarithm of the gamma function: Stirling's series from 10 on, by steps of the recurrence below.
fn ln_gamma(mut x: f64) -> f64 {
    let mut product = 1.0;
    while x < 10.0 {
        product *= x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - f64::ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_where_the_binomial_tail_is() {
        // Approximate; the oracle sums the tail itself.
        let tail = |k: u32, n: u32, p: f64| -> f64 {
            (k..=n)
                .map(|i| {
                    let ways =
                        (1..=i).fold(1.0, |ways, j| ways * f64::from(n - j + 1) / f64::from(j));
                    ways * p.powi(i as i32) * (1.0 - p).powi((n - i) as i32)
                })
                .sum()
        };
        for (times, of) in [(1, 10), (3, 20), (99, 100), (250, 300), (5, 5)] {
            let proportion = Proportion {
                times: times.into(),
                of: of.into(),
            };
            let bound = proportion.at_least(0.025);
            assert!(
                (tail(times, of, bound) - 0.025).abs() < 1e-9,
                "{times}/{of}"
            );
        }
    }

    #[test]
    fn the_rule_of_three() {
        let clean = Proportion {
            times: 0,
            of: 3_000,
        };
        // 1 - 0.05^(1/3000) = 0.000998079.
        assert!((clean.at_most(0.05) - 0.000_998_079).abs() < 1e-8);
        assert_eq!(clean.at_least(0.05), 0.0);
        let all = Proportion {
            times: 10_000,
            of: 10_000,
        };
        assert!((all.at_most(0.05) - 1.0).abs() < 1e-15);
        let many = Proportion {
            times: 9_900,
            of: 10_000,
        };
        assert!(many.at_least(0.025) > 0.9878 && many.at_most(0.025) < 0.9920);
    }
}
