//! A shard of the cases of a comparison.

use tourbillon_coordinator::values::Partition;

use crate::pairing::Comparison;

impl Comparison {
    /// Keeps the cases of a shard, of those that both builds have.
    pub(crate) fn keep_shard(&mut self, partition: Partition) {
        let all = std::mem::take(&mut self.cases);
        let ids = all.iter().map(|paired| paired.case.id.as_str());
        self.shard = Some(partition.record(ids));
        // Builds have their executables in any order; slices need one on all machines.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&at| self.executables(all[at].pair)[1].name());
        let mut positions = vec![0; all.len()];
        for (position, at) in (0..).zip(order) {
            positions[at] = position;
        }
        let kept = positions
            .into_iter()
            .zip(all)
            .filter(|(position, paired)| partition.takes(&paired.case.id, *position));
        self.cases = kept.map(|(_, paired)| paired).collect();
    }

    /// How many cases all shards together compare: those whose verdicts have to hold together.
    pub(crate) fn cases_of_all_shards(&self) -> usize {
        let shard = self.shard.as_ref();
        shard.map_or(self.cases.len(), |shard| shard.cases as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tourbillon_builds::{Build, Executable};
    use tourbillon_coordinator::values::PartitionMethod;
    use tourbillon_record::Case;

    use super::*;

    /// Two cases of each target, which are in this order.
    fn comparison(targets: [&str; 2]) -> Comparison {
        let executable = |target: &str| Executable {
            package: "shop".to_owned(),
            target: target.to_owned(),
            path: PathBuf::new(),
            engine: "e".to_owned(),
            protocol: tourbillon_coordinator::runner::PROTOCOL,
            ..Executable::default()
        };
        let build = Build {
            executables: targets.map(executable).into(),
            ..Build::default()
        };
        let list = |target: &str| {
            let case = |name: &str| Case {
                id: format!("shop/{target}::{name}"),
                ..Case::default()
            };
            ["a", "b"].map(case).to_vec()
        };
        let lists = targets.map(list);
        Comparison::of((&build, &lists), (&build, &lists)).expect("cases")
    }

    fn ids(comparison: &Comparison) -> Vec<&str> {
        let ids = comparison
            .cases
            .iter()
            .map(|paired| paired.case.id.as_str());
        ids.collect()
    }

    #[test]
    fn a_shard_does_not_depend_on_the_order_of_executables() {
        for method in [PartitionMethod::Hash, PartitionMethod::Slice] {
            let mut all = Vec::new();
            for shard in 1..=3 {
                let shards = 3;
                let partition = Partition {
                    method,
                    shard,
                    shards,
                };
                let [mut one, mut other] = [["map", "sort"], ["sort", "map"]].map(comparison);
                one.keep_shard(partition);
                other.keep_shard(partition);
                assert_eq!(one.shard, other.shard);
                let (mut ones, mut others) = (ids(&one), ids(&other));
                ones.sort_unstable();
                others.sort_unstable();
                assert_eq!(ones, others, "{partition}");
                all.extend(ones.iter().map(|&id| id.to_owned()));
                assert_eq!(one.cases_of_all_shards(), 4);
            }
            all.sort();
            assert_eq!(
                all,
                ["shop/map::a", "shop/map::b", "shop/sort::a", "shop/sort::b"]
            );
        }
    }
}
