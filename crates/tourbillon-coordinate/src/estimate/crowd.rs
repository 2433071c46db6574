use tourbillon_record::Chain;

use super::chain::{NEIGHBOURS, readings_before, sorted};

/// How much longer than multiplications additions may take, as a fraction, before a neighbour is
/// taken to hold them up. Without one the two agreed to 0.15 % (one standard deviation of a
/// neighbourhood); with one that was busy all the time additions took 2 to 3 % longer.
const BUSY: f64 = 0.0025;
/// Readings that tell anything.
const FEWEST: usize = 5;

/// Whether a neighbour kept the units of the core busy, from one batch to the next.
///
/// Two processors that the system shows may be one core. What runs on the other one takes units from
/// whatever is measured, some percent of it; which, depends on the instructions. Multiplications that
/// wait for each other hardly notice; additions do on some processors, and there their ratio tells. On
/// others the empty loop does ([`EmptyLoop`](super::empty_loop::EmptyLoop)).
pub(crate) struct Crowd {
    /// Batches taken before each reading, ascending.
    at: Vec<u64>,
    /// Excess of the additions in the neighbourhood of each reading, as a fraction.
    excess: Vec<f64>,
}

impl Crowd {
    /// Reads it from a chain; `None` where no additions stand beside it, or too few.
    #[inline(never)]
    pub(crate) fn of(chain: &Chain) -> Option<Crowd> {
        let additions = chain.additions.as_ref()?;
        let mut crowd = Crowd {
            at: Vec::new(),
            excess: Vec::new(),
        };
        let (mut multiplied, mut added) = (Vec::new(), Vec::new());
        for index in 0..chain.at.len() {
            let at = chain.at[index];
            let one = difference(&chain.short_ticks, &chain.long_ticks, index);
            let other = difference(&additions.short_ticks, &additions.long_ticks, index);
            let in_order = crowd.at.last().is_none_or(|last| *last <= at);
            if let (Some(one), Some(other), true) = (one, other, in_order) {
                crowd.at.push(at);
                multiplied.push(one);
                added.push(other);
            }
        }
        if crowd.at.len() < FEWEST {
            return None;
        }
        for index in 0..crowd.at.len() {
            let first = index.saturating_sub(NEIGHBOURS);
            let last = crowd.at.len().min(index + NEIGHBOURS + 1);
            let excess = middle(&added[first..last]) / middle(&multiplied[first..last]) - 1.0;
            crowd.excess.push(excess);
        }
        Some(crowd)
    }

    /// Whether there was a neighbour while a batch ran, counted from 0.
    pub(crate) fn during(&self, batch: u64) -> bool {
        let after = readings_before(&self.at, batch);
        let next = after.min(self.excess.len() - 1);
        let excess = f64::midpoint(self.excess[after.saturating_sub(1)], self.excess[next]);
        excess > BUSY
    }
}

/// Long less short, where both were read and make sense.
fn difference(short: &[u64], long: &[u64], index: usize) -> Option<f64> {
    let ticks = long.get(index)?.saturating_sub(*short.get(index)?);
    (ticks > 0).then_some(ticks as f64)
}

/// The mean without the least and the largest, one of which an interruption may be; no number
/// without values.
fn middle(values: &[f64]) -> f64 {
    let Some(sample) = sorted(values) else {
        return f64::NAN;
    };
    let sorted = sample.as_slice();
    let inner = match sorted {
        [_, inner @ .., _] if !inner.is_empty() => inner,
        few => few,
    };
    let mut sum = 0.0;
    for value in inner {
        sum += value;
    }
    sum / inner.len() as f64
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Additions;

    use super::*;

    /// A reading before every third batch, additions longer by these parts per thousand.
    fn chain(excess: &[u64]) -> Chain {
        Chain {
            of: "multiplications of 3 cycles".to_owned(),
            short_cycles: 1_800,
            long_cycles: 18_000,
            at: (0..excess.len() as u64).map(|index| index * 3).collect(),
            short_ticks: vec![1_300; excess.len()],
            long_ticks: vec![11_300; excess.len()],
            additions: Some(Box::new(Additions {
                short_ticks: vec![1_300; excess.len()],
                long_ticks: excess.iter().map(|e| 11_300 + 10 * e).collect(),
            })),
        }
    }

    #[test]
    fn a_neighbour_is_noticed_while_it_is_there() {
        let mut excess = vec![0; 40];
        excess[20..].fill(25);
        let crowd = Crowd::of(&chain(&excess)).unwrap();
        assert!(!crowd.during(0));
        assert!(!crowd.during(3 * 14));
        assert!(crowd.during(3 * 22));
        assert!(crowd.during(3 * 39));
        assert!(crowd.during(1_000));
    }

    #[test]
    fn a_single_reading_that_was_interrupted_is_no_neighbour() {
        let mut excess = vec![1; 40];
        excess[20] = 900;
        let crowd = Crowd::of(&chain(&excess)).unwrap();
        for batch in 0..120 {
            assert!(!crowd.during(batch), "{batch}");
        }
    }

    #[test]
    fn without_additions_or_with_few_readings_nothing_is_said() {
        let mut without = chain(&[25; 40]);
        without.additions = None;
        assert!(Crowd::of(&without).is_none());
        assert!(Crowd::of(&chain(&[25; 4])).is_none());
        let mut torn = chain(&[25; 40]);
        torn.additions.as_mut().unwrap().long_ticks.truncate(3);
        assert!(Crowd::of(&torn).is_none());
    }
}
