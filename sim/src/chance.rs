use std::f64::consts::TAU;

use tourbillon_stats::Rng;

/// Draws from the distributions of which the virtual machine is made.
///
/// Not the same to the last bit everywhere, for the platform's logarithm is in it.
#[derive(Clone, Debug)]
pub struct Chance {
    rng: Rng,
    /// The second of two normal values that were made together.
    spare: Option<f64>,
}

impl Chance {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Chance {
        Chance {
            rng: Rng::new(seed),
            spare: None,
        }
    }

    /// A seed for something that draws by itself.
    pub fn seed(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Between 0 and 1, neither of them included.
    pub fn uniform(&mut self) -> f64 {
        ((self.rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Whether something happened that has this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// A fair coin.
    pub fn coin(&mut self) -> bool {
        self.rng.coin()
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.rng.shuffle(items);
    }

    /// Standard normal (Box and Muller, Annals of Mathematical Statistics 29 (1958), p. 610).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let (sine, cosine) = (TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * sine);
        radius * cosine
    }

    /// Exponential, with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * self.uniform().ln()
    }

    /// Pareto from `least` on: above x with probability (least / x)^`shape`. Has no variance for a
    /// shape of 2 and less.
    pub fn pareto(&mut self, least: f64, shape: f64) -> f64 {
        least * self.uniform().powf(-1.0 / shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean of so many draws.
    fn mean(mut draw: impl FnMut(&mut Chance) -> f64) -> f64 {
        let mut chance = Chance::new(3);
        (0..100_000).map(|_| draw(&mut chance)).sum::<f64>() / 100_000.0
    }

    #[test]
    fn distributions_have_their_moments() {
        // Bounds at five standard errors.
        assert!((mean(Chance::uniform) - 0.5).abs() < 0.005);
        assert!(mean(Chance::normal).abs() < 0.016);
        assert!((mean(|c| c.normal().powi(2)) - 1.0).abs() < 0.023);
        assert!((mean(|c| c.exponential(3.0)) - 3.0).abs() < 0.05);
        let above = mean(|c| f64::from(u8::from(c.pareto(2.0, 1.5) > 8.0)));
        assert!((above - 0.125).abs() < 0.006, "{above}");
    }
}
