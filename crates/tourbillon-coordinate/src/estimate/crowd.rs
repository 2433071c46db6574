use tourbillon_record::{Chain, Visit};
use tourbillon_stats::median;

use super::chain::{NEIGHBOURS, readings_before, sorted};

/// How much longer than multiplications additions may take, as a fraction, before a neighbour is
/// taken to hold them up. Without one the two agreed to 0.15 % (one standard deviation of a
/// neighbourhood); with one that was busy all the time additions took 2 to 3 % longer.
const BUSY: f64 = 0.0025;
/// Readings that tell anything.
const FEWEST: usize = 5;
/// How much longer the empty loop takes in a launch beside a neighbour than in the quick ones, at least,
/// and in one without at most. On Zen 4 it took 0.9 to 1.1 cycles a turn in launches that were quick, 1.5 to
/// 2.1 in those that were slow, and something in between in 1 of 300.
const SHARED: f64 = 1.45;
const ALONE: f64 = 1.2;
/// Launches that are quick: a single one may be for another reason.
const QUICK: usize = 3;
/// One launch in so many may be in between: where more are, the loop scatters, and tells nothing.
const BETWEEN: usize = 10;

/// Whether a neighbour kept the units of the core busy, from one batch to the next.
///
/// Two processors that the system shows may be one core. What runs on the other one takes units from
/// whatever is measured, some percent of it; which, depends on the instructions. Multiplications that
/// wait for each other hardly notice, additions do: their ratio tells.
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

/// What the empty loop cost in a visit beside the chain of multiplications, so that the clock of the core
/// does not matter; `None` where that was not read, or the body is not judged.
///
/// Two processors that are one core fetch instructions in turn: a loop of two instructions, which is
/// nothing but fetching, takes up to twice as long while the other one works, whatever that does.
#[inline(never)]
pub(crate) fn empty_loop(visit: &Visit) -> Option<f64> {
    let chain = visit.chain.as_ref().filter(|_| visit.length.slope)?;
    let empty = typical(&visit.empty.short_ticks, &visit.empty.long_ticks)?;
    Some(empty / typical(&chain.short_ticks, &chain.long_ticks)?)
}

/// What it costs at most without a neighbour, by what it cost in the launches of a case.
#[inline(never)]
pub(crate) fn most_alone(empty_loops: &[f64]) -> f64 {
    let Some(sample) = sorted(empty_loops) else {
        return f64::INFINITY;
    };
    let Some(quick) = sample.as_slice().get(QUICK - 1) else {
        return f64::INFINITY;
    };
    let mut between = 0;
    for cost in empty_loops {
        between += usize::from(*cost > ALONE * quick && *cost <= SHARED * quick);
    }
    if between * BETWEEN > empty_loops.len() {
        f64::INFINITY
    } else {
        SHARED * quick
    }
}

/// The median of long less short.
fn typical(short: &[u64], long: &[u64]) -> Option<f64> {
    let mut differences = Vec::new();
    for index in 0..short.len() {
        if let Some(difference) = difference(short, long, index) {
            differences.push(difference);
        }
    }
    Some(median(&sorted(&differences)?))
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
    fn the_empty_loop_tells_where_launches_are_of_two_kinds() {
        let mut costs = vec![1.0; 12];
        assert_eq!(most_alone(&costs), SHARED);
        costs.extend([1.5, 1.9, 2.0, 1.7]);
        assert_eq!(most_alone(&costs), SHARED);
        // One of seventeen in between is a launch half of which had a neighbour; two tell that it scatters.
        costs.push(1.3);
        assert_eq!(most_alone(&costs), SHARED);
        costs.push(1.4);
        assert_eq!(most_alone(&costs), f64::INFINITY);
        // Two quick launches do not make the others slow.
        assert_eq!(most_alone(&[0.5, 0.5, 1.0, 1.0, 1.0]), SHARED);
        assert_eq!(most_alone(&[1.0, 2.0]), f64::INFINITY);
        assert_eq!(most_alone(&[]), f64::INFINITY);
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
