//! The sequence of an executable's functions in a placement.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU64;
use std::sync::Arc;

use tourbillon_stats::Rng;

use crate::key::Digest;
use crate::placement::elf::Symbol;

/// One in this many shared symbols is placed among those that are not shared, so that these do not
/// begin at the same address in all placements.
const AMONG_OTHERS: NonZeroU64 = NonZeroU64::new(64).expect("not zero");

/// What two executables share: functions and data of one name and size.
///
/// They have the same addresses in both executables, in every placement, so effects of placement
/// are the same for both.
#[derive(Clone, Debug)]
pub struct Shared {
    names: Arc<HashSet<String>>,
    /// Identifies the set in file names.
    pub(crate) key: String,
}

impl Shared {
    pub(crate) fn by(one: &[Symbol], other: &[Symbol]) -> Shared {
        let [one, other] = [sizes(one), sizes(other)];
        let shared = one
            .iter()
            .filter(|(name, size)| other.get(*name) == Some(size));
        let names: Vec<&str> = shared.map(|(name, _)| *name).collect();
        let digest = names.iter().fold(Digest::default(), Digest::part);
        Shared {
            key: digest.key()[..16].to_owned(),
            names: Arc::new(names.into_iter().map(str::to_owned).collect()),
        }
    }
}

/// The count and total size of the symbols of each name.
fn sizes(symbols: &[Symbol]) -> BTreeMap<&str, (usize, u64)> {
    let mut sizes = BTreeMap::new();
    for symbol in symbols {
        let (count, bytes) = sizes.entry(symbol.name.as_str()).or_insert((0, 0));
        *count += 1;
        *bytes += symbol.bytes;
    }
    sizes
}

/// Orders names by a seed, one name per line, as linkers read it: shared names first, then the
/// others.
///
/// The position of a name depends on the name and the seed only, so that both builds order what
/// they share alike. Names that are not shared are ordered without the compiler's hash, which
/// changes more often than the code.
pub(crate) fn sequence(symbols: &[Symbol], shared: &Shared, seed: u64) -> String {
    let mut drawn: Vec<(bool, u64, u64, &str)> = symbols
        .iter()
        .map(|symbol| {
            let name = symbol.name.as_str();
            let own = draw(name, seed);
            let among_others = Rng::new(own).below(AMONG_OTHERS) == 0;
            if shared.names.contains(name) && !among_others {
                (false, own, 0, name)
            } else {
                (true, draw(stem(name), seed), own, name)
            }
        })
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    let mut text = String::new();
    for (_, _, _, name) in drawn {
        text.push_str(name);
        text.push('\n');
    }
    text
}

/// A name without the hash at its end: `17h`, sixteen digits, `E`.
fn stem(name: &str) -> &str {
    let path = name.split(".llvm.").next().unwrap_or(name);
    let cut = path.len().wrapping_sub(20);
    match path.get(cut..) {
        Some(end) if end.starts_with("17h") && end.ends_with('E') => &path[..cut],
        _ => path,
    }
}

/// A number for a name: FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv), mixed with the seed.
fn draw(name: &str, seed: u64) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    for byte in name.as_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    Rng::new(hash).derive(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Vec<Symbol> {
        let symbol = |name: T| Symbol {
            name: name.as_ref().to_owned(),
            bytes: 10,
        };
        names.into_iter().map(symbol).collect()
    }

    fn numbered(numbers: impl Iterator<Item = u32>) -> Vec<Symbol> {
        symbols(numbers.map(|number| format!("f{number}")))
    }

    #[test]
    fn what_builds_share_comes_first_and_in_one_sequence() {
        let old = numbered(0..200);
        let mut new = numbered((50..250).rev());
        // Of another size, and so no longer the same.
        new[100].bytes += 1;
        let shared = Shared::by(&old, &new);
        assert_eq!(shared.names.len(), 149);
        assert_eq!(shared.key, Shared::by(&new, &old).key);
        assert_ne!(shared.key, Shared::by(&old, &old).key);
        for seed in 0..8 {
            let [old, new] = [&old, &new].map(|symbols| sequence(symbols, &shared, seed));
            let [mut olds, mut news] = [&old, &new].map(|text| text.lines());
            let first = olds.by_ref().zip(news.by_ref());
            let alike = first.take_while(|(old, new)| old == new).count();
            // Except those that are put among the others.
            assert!((135..=149).contains(&alike), "{alike}");
            assert_eq!((old.lines().count(), new.lines().count()), (200, 200));
        }
    }

    #[test]
    fn every_seed_is_another_sequence() {
        let all = numbered(0..20);
        let shared = Shared::by(&all, &all);
        let first = |seed| {
            let text = sequence(&all, &shared, seed);
            text.lines().next().map(str::to_owned)
        };
        let firsts: std::collections::BTreeSet<_> = (0..100).map(first).collect();
        // All of twenty, except by chance: one is missing with a probability of 12 %.
        assert!(firsts.len() > 15, "{firsts:?}");
    }

    #[test]
    fn what_is_not_shared_does_not_begin_at_one_place() {
        let (old, new) = (numbered(0..200), numbered(1..200));
        let shared = Shared::by(&old, &new);
        let offset = |seed| {
            let text = sequence(&old, &shared, seed);
            text.lines().position(|name| name == "f0")
        };
        let offsets: std::collections::BTreeSet<_> = (0..32).map(offset).collect();
        assert!(offsets.len() > 4, "{offsets:?}");
    }

    #[test]
    fn a_hash_does_not_move_a_name() {
        let [one, other] = ["17h0123456789abcdefE", "17hfedcba9876543210E.llvm.77"]
            .map(|end| format!("_ZN1a1b{end}"));
        assert_eq!(stem(&one), "_ZN1a1b");
        assert_eq!(stem(&other), stem(&one));
        assert_eq!(stem("main"), "main");
        let none = Shared::by(&[], &[]);
        let offset = |name: &str, seed| {
            let all = symbols(["c", "d", "e", "f", "g", name]);
            let text = sequence(&all, &none, seed);
            text.lines().position(|line| line == name)
        };
        for seed in 0..16 {
            assert_eq!(offset(&one, seed), offset(&other, seed));
        }
    }
}
