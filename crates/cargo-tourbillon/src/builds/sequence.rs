//! The sequence of an executable's functions in a placement.

use tourbillon_stats::Rng;

/// Puts names into a sequence that a seed decides, a name a line, as linkers read it.
///
/// Where a name comes depends on itself and the seed, and not on the others: two builds have what they
/// have in common in one sequence. So what placement does is mostly done to both, and what only one of
/// them has pushes what follows it, as it would anywhere. The compiler's hash at the end of a
/// name changes with less than the code does, so names that differ in it alone stay together.
pub(crate) fn sequence(names: &[String], seed: u64) -> String {
    let mut drawn: Vec<(u64, u64, &str)> = names
        .iter()
        .map(|name| (draw(stem(name), seed), draw(name, seed), name.as_str()))
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    let mut text = String::new();
    for (_, _, name) in drawn {
        text.push_str(name);
        text.push('\n');
    }
    text
}

/// A name without the hash that the compiler ends it with: `17h`, sixteen digits, `E`.
fn stem(name: &str) -> &str {
    let path = name.split(".llvm.").next().unwrap_or(name);
    let cut = path.len().wrapping_sub(20);
    match path.get(cut..) {
        Some(end) if end.starts_with("17h") && end.ends_with('E') => &path[..cut],
        _ => path,
    }
}

/// A number for a name: FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv), stirred with the seed.
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

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_builds_have_in_common_is_in_one_sequence() {
        let old: Vec<String> = (0..200).map(|number| format!("f{number}")).collect();
        let mut new: Vec<String> = (50..250).rev().map(|number| format!("f{number}")).collect();
        new.push("f60".to_owned());
        for seed in 0..8 {
            let [old, new] = [&old, &new].map(|names| sequence(names, seed));
            let common = |text: &str, other: &str| -> Vec<String> {
                let other: Vec<&str> = other.lines().collect();
                let own = text.lines().filter(|name| other.contains(name));
                own.map(str::to_owned).collect()
            };
            assert_eq!(new.lines().count(), 200);
            assert_eq!(common(&old, &new), common(&new, &old));
            assert_eq!(common(&old, &new).len(), 150);
        }
    }

    #[test]
    fn every_seed_is_another_sequence() {
        let names: Vec<String> = (0..20).map(|number| format!("f{number}")).collect();
        let first = |seed| sequence(&names, seed).lines().next().map(str::to_owned);
        let firsts: std::collections::BTreeSet<_> = (0..100).map(first).collect();
        // All of twenty but for chance: one is missing with a probability of 12 %.
        assert!(firsts.len() > 15, "{firsts:?}");
    }

    #[test]
    fn a_hash_does_not_move_a_name() {
        let [one, other] = ["17h0123456789abcdefE", "17hfedcba9876543210E.llvm.77"]
            .map(|end| format!("_ZN1a1b{end}"));
        assert_eq!(stem(&one), "_ZN1a1b");
        assert_eq!(stem(&other), stem(&one));
        assert_eq!(stem("main"), "main");
        let others = ["c", "d", "e", "f", "g"];
        let place = |name: &str, seed| {
            let mut all = names(&others);
            all.push(name.to_owned());
            sequence(&all, seed).lines().position(|line| line == name)
        };
        for seed in 0..16 {
            assert_eq!(place(&one, seed), place(&other, seed));
        }
    }
}
