//! Which values of a series are compared with each other, where several machines of one kind measured it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use tourbillon_stats::{Sample, median};

/// The values of a series in groups, each with a score.
///
/// Every machine has a level of its own, drawn from those of its kind, and which machine measures has nothing to do with
/// the code. So the first values of all machines are one group, in which machines are in random order, and the further
/// values of each machine are another. A score is the rank in the group, between 0 and 1: it does not depend on the
/// level of the machine, nor on its scatter. Where one machine made all values they are one group, and are their scores.
pub(crate) struct MachineGroups {
    values: Vec<f64>,
    scores: Vec<f64>,
    /// The group of each value.
    groups: Vec<usize>,
    /// For each group its places in the series.
    places: Vec<Vec<usize>>,
}

impl MachineGroups {
    /// `machines` has a number for the machine of each value.
    pub(crate) fn new(values: &[f64], machines: &[usize]) -> MachineGroups {
        let mut seen = HashMap::new();
        let is_one = machines.windows(2).all(|two| two[0] == two[1]);
        let group = |machine: &usize| {
            let next = seen.len() + 1;
            match seen.entry(*machine) {
                Entry::Occupied(known) if !is_one => *known.get(),
                first => {
                    first.or_insert(next);
                    0
                }
            }
        };
        let groups: Vec<usize> = machines.iter().map(group).collect();
        let mut places = vec![Vec::new(); seen.len() + 1];
        for (place, group) in groups.iter().enumerate() {
            places[*group].push(place);
        }
        let mut scores = values.to_vec();
        if !is_one {
            for own in &places {
                set_ranks(values, own, &mut scores);
            }
        }
        MachineGroups {
            values: values.to_vec(),
            scores,
            groups,
            places,
        }
    }

    /// The scores at these places.
    pub(crate) fn scores(&self, places: &[usize]) -> Vec<f64> {
        places.iter().map(|place| self.scores[*place]).collect()
    }

    /// All scores, one group after the other.
    pub(crate) fn by_group(&self) -> Vec<f64> {
        self.scores(&self.places.concat())
    }

    /// The places before and after one, the nearest first, whose groups have values on both of its sides; of each at
    /// most so many.
    pub(crate) fn around(&self, place: usize, most: usize) -> [Vec<usize>; 2] {
        let is_around = |at: &usize| self.is_around(place, *at);
        let after = place..self.groups.len();
        [
            (0..place).rev().filter(is_around).take(most).collect(),
            after.filter(is_around).take(most).collect(),
        ]
    }

    /// Such places in a range, in their order.
    pub(crate) fn around_within(&self, place: usize, range: Range<usize>) -> Vec<usize> {
        range.filter(|at| self.is_around(place, *at)).collect()
    }

    /// Whether the group of the value at `at` has values on both sides of a place.
    fn is_around(&self, place: usize, at: usize) -> bool {
        match self.places[self.groups[at]][..] {
            [first, .., last] => first < place && place <= last,
            _ => false,
        }
    }

    /// The levels of the values from `begin` to `place` and from there to `end`. The later one is that many times the
    /// earlier one as values are, in their median, of the level that their group had before.
    pub(crate) fn levels(&self, [begin, place, end]: [usize; 3]) -> [f64; 2] {
        let values = &self.values;
        // Records have finite values only.
        let level = |part: Vec<f64>| Sample::new(part).map(|part| median(&part)).ok();
        let [old, new] = [begin..place, place..end].map(|part| values[part].to_vec());
        let [old, new] = [old, new].map(|part| level(part).unwrap_or(0.0));
        if self.places[0].len() == values.len() {
            return [old, new];
        }
        let mut before: HashMap<usize, Vec<f64>> = HashMap::new();
        for (group, value) in self.groups[begin..place].iter().zip(&values[begin..place]) {
            before.entry(*group).or_default().push(*value);
        }
        let before = before.into_iter();
        let before: HashMap<usize, f64> = before
            .filter_map(|(group, part)| Some((group, level(part)?)))
            .collect();
        let ratio = |at: usize| Some(values[at] / before.get(&self.groups[at])?);
        let ratios = (place..end).filter_map(ratio);
        let ratios = ratios.filter(|ratio| ratio.is_finite()).collect();
        [old, level(ratios).map_or(new, |ratio| old * ratio)]
    }
}

/// Sets the ranks of the values at these places; equal ones have the same.
fn set_ranks(values: &[f64], places: &[usize], scores: &mut [f64]) {
    let mut sorted = places.to_vec();
    sorted.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut below = 0.0;
    for equal in sorted.chunk_by(|one, other| values[*one] == values[*other]) {
        let count = equal.len() as f64;
        for place in equal {
            scores[*place] = (below + count / 2.0) / places.len() as f64;
        }
        below += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_machine_is_one_group_with_its_values() {
        let groups = MachineGroups::new(&[3.0, 1.0, 2.0], &[5, 5, 5]);
        assert_eq!(groups.by_group(), [3.0, 1.0, 2.0]);
        assert_eq!(groups.around(1, 9), [vec![0], vec![1, 2]]);
        let levels = groups.levels([0, 1, 3]);
        assert_eq!(levels, [3.0, 1.5]);
    }

    #[test]
    fn machines_that_come_once_are_one_group() {
        let groups = MachineGroups::new(&[30.0, 10.0, 20.0, 20.0], &[0, 1, 2, 3]);
        assert_eq!(groups.by_group(), [0.875, 0.125, 0.5, 0.5]);
        assert_eq!(groups.around(2, 9), [vec![1, 0], vec![2, 3]]);
        assert_eq!(groups.around(2, 1), [vec![1], vec![2]]);
    }

    #[test]
    fn values_count_beside_those_of_their_machine() {
        // The first values of both machines, then those of one at 100, of the other at 50: one tenth more from place 6.
        let machines = [0, 1, 0, 0, 1, 1, 0, 1];
        let values = [100.0, 50.0, 100.0, 101.0, 50.0, 50.5, 110.0, 55.0];
        let groups = MachineGroups::new(&values, &machines);
        assert_eq!(groups.scores(&[6, 7]), [2.5 / 3.0; 2]);
        assert_eq!(groups.scores(&[2, 4]), [0.5 / 3.0; 2]);
        // The first ones are not on both sides of it.
        assert_eq!(groups.around(6, 9), [vec![5, 4, 3, 2], vec![6, 7]]);
        let [old, new] = groups.levels([0, 6, 8]);
        assert!((new / old - 1.095).abs() < 0.01, "{old} {new}");
        // Another machine from place 4 on.
        let groups = MachineGroups::new(&values, &[0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(groups.around(4, 9), [vec![0], vec![4]]);
    }
}
