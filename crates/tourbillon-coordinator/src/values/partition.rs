//! Partitions: the part of a suite that one of several machines measures.

use std::fmt;

use tourbillon_record::Shard;
use tourbillon_values::choice;
use tourbillon_values::count;

use crate::values::fnv1a::fnv1a;
use crate::values::shard_variables::shard_of_engine;

/// Most shards of a partition.
const MOST_SHARDS: u64 = 1_000_000;

/// Names of methods.
const METHODS: [(&str, PartitionMethod); 2] = [
    ("hash", PartitionMethod::Hash),
    ("slice", PartitionMethod::Slice),
];

/// How cases are divided among shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionMethod {
    /// By the id of the case. A case stays in its shard when others are added or removed.
    Hash,
    /// By the position of the case among the selected ones: one after the other to each shard.
    Slice,
}

impl PartitionMethod {
    /// The name, such as `hash`.
    pub fn name(self) -> &'static str {
        match self {
            PartitionMethod::Hash => "hash",
            PartitionMethod::Slice => "slice",
        }
    }

    /// The shard of a case, from 1 to `shards`: `hash(id) % shards + 1`, or `position % shards + 1`. `position`
    /// is that among the selected cases, from 0. The hash is FNV-1a of 64 bits (Fowler, Noll and Vo;
    /// draft-eastlake-fnv), finished by the mixer of `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014), because
    /// the lowest bit of FNV-1a depends on the lowest bits of the bytes only.
    ///
    /// # Panics
    ///
    /// When `shards` is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon_coordinator::values::PartitionMethod;
    ///
    /// assert_eq!(PartitionMethod::Slice.shard_of("shop/sort::heap", 5, 4), 2);
    /// // Wherever the case is.
    /// let [first, later] = [0, 5].map(|at| PartitionMethod::Hash.shard_of("shop/sort::heap", at, 4));
    /// assert_eq!(first, later);
    /// ```
    pub fn shard_of(self, id: &str, position: u64, shards: u64) -> u64 {
        let number = match self {
            PartitionMethod::Hash => mix(fnv1a(id)),
            PartitionMethod::Slice => position,
        };
        number % shards + 1
    }
}

/// A shard of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// How cases are divided.
    pub method: PartitionMethod,
    /// The number of the shard, from 1.
    pub shard: u64,
    /// How many shards there are, at least 1.
    pub shards: u64,
}

impl Partition {
    /// Reads `METHOD:I/N`, such as `hash:1/4`, or `auto`: what the engine that started this process has put
    /// into its environment, by hash. `auto/N` is for engines that number their processes and do not count
    /// them, `slice:auto` is by position. `variable` gives the value of a variable of the environment.
    ///
    /// # Errors
    ///
    /// What is wrong with the text or the variables, and what to write.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon_coordinator::values::Partition;
    ///
    /// let none = |_: &str| None;
    /// let partition = Partition::parse("hash:2/4", &none).unwrap();
    /// assert_eq!((partition.shard, partition.shards), (2, 4));
    ///
    /// let buildkite = |name: &str| match name {
    ///     "BUILDKITE_PARALLEL_JOB" => Some("0".to_owned()),
    ///     "BUILDKITE_PARALLEL_JOB_COUNT" => Some("8".to_owned()),
    ///     _ => None,
    /// };
    /// let partition = Partition::parse("auto", &buildkite).unwrap();
    /// assert_eq!(partition.to_string(), "hash:1/8");
    /// ```
    pub fn parse(
        text: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Partition, String> {
        let form = || format!("{text:?} is not a partition; write hash:1/4, slice:1/4 or auto");
        let (method, place) = match text.split_once(':') {
            Some((method, place)) => (choice(method, &METHODS)?, place),
            None if text.starts_with("auto") => (PartitionMethod::Hash, text),
            None => return Err(form()),
        };
        let (shard, shards) = match place.split_once('/') {
            Some(("auto", shards)) => shard_of_engine(variable, Some(count(shards, MOST_SHARDS)?))?,
            None if place == "auto" => shard_of_engine(variable, None)?,
            Some((shard, shards)) => {
                let shards = count(shards, MOST_SHARDS)?;
                (count(shard, shards)?, shards)
            }
            None => return Err(form()),
        };
        Ok(Partition {
            method,
            shard,
            shards,
        })
    }

    /// Whether a case belongs to this shard. `position` is that among the selected cases, from 0.
    pub fn takes(&self, id: &str, position: u64) -> bool {
        self.method.shard_of(id, position, self.shards) == self.shard
    }

    /// What the record of this shard tells of it; `ids` are those of the cases of all shards.
    pub fn record<'c>(&self, ids: impl IntoIterator<Item = &'c str>) -> Shard {
        let (mut cases, mut sum) = (0, 0_u64);
        for id in ids {
            cases += 1;
            sum = sum.wrapping_add(mix(fnv1a(id)));
        }
        Shard {
            method: self.method.name().to_owned(),
            number: self.shard,
            of: self.shards,
            cases,
            ids: Some(sum),
        }
    }

    /// The same shard for a program whose cases come after `cases` others: what [`takes`](Partition::takes) at
    /// a position of the program is what this one takes at `cases` more.
    pub fn after(&self, cases: u64) -> Partition {
        match self.method {
            PartitionMethod::Hash => *self,
            PartitionMethod::Slice => {
                let behind = self.shard - 1 + self.shards - cases % self.shards;
                Partition {
                    shard: behind % self.shards + 1,
                    ..*self
                }
            }
        }
    }
}

/// Finds out which of the selected cases are in a shard, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShardFilter {
    partition: Option<Partition>,
    /// How many cases came before.
    position: u64,
}

impl ShardFilter {
    /// That of a shard; without one, all cases are in it.
    pub const fn new(partition: Option<Partition>) -> ShardFilter {
        ShardFilter {
            partition,
            position: 0,
        }
    }

    /// Whether the next case, which has this id, is in the shard.
    pub fn takes_next(&mut self, id: &str) -> bool {
        let position = self.position;
        self.position += 1;
        self.partition
            .is_none_or(|partition| partition.takes(id, position))
    }
}

/// As it is typed.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.method.name(), self.shard, self.shards)
    }
}

fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: [PartitionMethod; 2] = [PartitionMethod::Hash, PartitionMethod::Slice];

    fn parsed(text: &str) -> Result<Partition, String> {
        Partition::parse(text, &|_| None)
    }

    fn ids(count: usize) -> Vec<String> {
        let id = |number: usize| {
            let (group, size) = (number / 10, 1 << (number % 10));
            format!("shop/sort::group_{group}::heap[n={size}]")
        };
        (0..count).map(id).collect()
    }

    #[test]
    fn what_is_printed_is_what_is_read() {
        for text in ["hash:1/4", "hash:4/4", "slice:2/3", "slice:1/1"] {
            assert_eq!(parsed(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn an_engine_numbers_the_shards_of_both_methods() {
        let variable = |name: &str| (name == "JOB_COMPLETION_INDEX").then(|| "2".to_owned());
        for (text, expected) in [
            ("auto/3", "hash:3/3"),
            ("hash:auto/4", "hash:3/4"),
            ("slice:auto/9", "slice:3/9"),
        ] {
            let partition = Partition::parse(text, &variable).expect(text);
            assert_eq!(partition.to_string(), expected);
        }
        assert!(Partition::parse("auto", &variable).is_err());
    }

    #[test]
    fn mistakes_name_what_to_write() {
        for (text, expected) in [
            (
                "1/4",
                "\"1/4\" is not a partition; write hash:1/4, slice:1/4 or auto",
            ),
            (
                "hash:4",
                "\"hash:4\" is not a partition; write hash:1/4, slice:1/4 or auto",
            ),
            ("hash:0/4", "\"0\" is too few; at least 1"),
            ("hash:5/4", "\"5\" is too many; at most 4"),
            ("slice:1/0", "\"0\" is too few; at least 1"),
            ("slice:a/2", "\"a\" is not a whole number from 1 to 2"),
            ("hsah:1/2", "\"hsah\" is not known; did you mean hash?"),
            ("count:1/2", "\"count\" is not known; known are hash, slice"),
            (
                "automatic",
                "\"automatic\" is not a partition; write hash:1/4, slice:1/4 or auto",
            ),
        ] {
            assert_eq!(parsed(text).expect_err(text), expected);
        }
    }

    #[test]
    fn each_case_is_in_exactly_one_shard() {
        let ids = ids(1_000);
        for (method, shards) in METHODS.iter().flat_map(|&m| (1..=16).map(move |n| (m, n))) {
            for (position, id) in (0..).zip(&ids) {
                let takes = |shard| {
                    let partition = Partition {
                        method,
                        shard,
                        shards,
                    };
                    partition.takes(id, position)
                };
                let count = (1..=shards).filter(|&shard| takes(shard)).count();
                assert_eq!(count, 1, "{method:?} {shards} {id}");
            }
        }
    }

    #[test]
    fn a_record_names_the_cases_of_all_shards() {
        let of = |shard: &str, ids: &[&str]| {
            let partition = parsed(shard).expect("a shard");
            partition.record(ids.iter().copied()).ids
        };
        let all = of("hash:1/2", &["a/b::c", "a/b::d"]);
        assert_eq!(of("hash:2/2", &["a/b::d", "a/b::c"]), all);
        assert_ne!(of("hash:1/2", &["a/b::c", "a/b::e"]), all);
    }

    #[test]
    fn the_shards_of_a_hash_are_about_equal() {
        let ids = ids(1_000);
        for shards in 2..=16 {
            let mut sizes = vec![0_u32; shards];
            for id in &ids {
                let shard = PartitionMethod::Hash.shard_of(id, 0, shards as u64);
                sizes[shard as usize - 1] += 1;
            }
            let mean = 1_000.0 / shards as f64;
            let largest = f64::from(sizes.into_iter().max().unwrap_or(0));
            assert!(largest <= 1.35 * mean, "{shards}: {largest}");
        }
    }

    #[test]
    fn the_mapping_is_the_one_that_was_published() {
        // id, then its shard of 2, 3, 4, 8 and 16.
        let golden = include_str!("../../tests/golden/partition-hash.txt");
        let rows = golden.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for row in rows {
            let mut cells = row.split('\t');
            let id = cells.next().expect("an id");
            let shards =
                [2, 3, 4, 8, 16].map(|shards| PartitionMethod::Hash.shard_of(id, 0, shards));
            let expected: Vec<u64> = cells.map(|cell| cell.parse().expect(row)).collect();
            assert_eq!(shards.as_slice(), expected, "{id}");
            count += 1;
        }
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn new_cases_move_none_of_a_hash_and_those_behind_of_a_slice() {
        let before = ids(100);
        let mut after = before.clone();
        after.splice(
            50..50,
            (0..100).map(|number| format!("shop/new::n{number}")),
        );
        let shards = |ids: &[String], method: PartitionMethod| -> Vec<(String, u64)> {
            let shard =
                |(position, id): (u64, &String)| (id.clone(), method.shard_of(id, position, 7));
            (0..).zip(ids).map(shard).collect()
        };
        let moved = |method| {
            let (old, new) = (shards(&before, method), shards(&after, method));
            old.iter().filter(|one| !new.contains(one)).count()
        };
        assert_eq!(moved(PartitionMethod::Hash), 0);
        // A hundred is not a multiple of seven.
        assert_eq!(moved(PartitionMethod::Slice), 50);
    }

    #[test]
    fn slices_go_on_from_program_to_program() {
        for (shards, first) in (1..=5).flat_map(|n| (0..12).map(move |first| (n, first))) {
            for shard in 1..=shards {
                let method = PartitionMethod::Slice;
                let whole = Partition {
                    method,
                    shard,
                    shards,
                };
                let program = whole.after(first);
                for position in 0..10 {
                    assert_eq!(
                        program.takes("a", position),
                        whole.takes("a", first + position),
                        "{whole} {first} {position}"
                    );
                }
            }
        }
        let hash = parsed("hash:2/5").expect("a partition");
        assert_eq!(hash.after(3), hash);
    }
}
