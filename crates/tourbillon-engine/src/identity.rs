//! Which engine measured.

/// Identity of this engine: a hash of the source of everything that runs while a clock is running
/// or decides when it does. Two records with different engines are not judged together.
pub static IDENTITY: &str = match core::str::from_utf8(&TEXT) {
    Ok(text) => text,
    Err(_) => panic!("hexadecimal digits are text"),
};

const TEXT: [u8; 16] = hexadecimal(hash());

const SOURCES: &[&[u8]] = &[
    include_bytes!("bits.rs"),
    include_bytes!("keep.rs"),
    include_bytes!("hide.rs"),
    include_bytes!("loops.rs"),
    include_bytes!("arms/chain.rs"),
    include_bytes!("arms/controlled.rs"),
    include_bytes!("arms/counted.rs"),
    include_bytes!("arms/empty.rs"),
    include_bytes!("arms/inputs.rs"),
    include_bytes!("arms/iterate.rs"),
    include_bytes!("arms/moving.rs"),
    include_bytes!("arms/state.rs"),
    include_bytes!("arms/stream.rs"),
    include_bytes!("budget.rs"),
    include_bytes!("pilot.rs"),
    include_bytes!("prepare.rs"),
    include_bytes!("warmup.rs"),
    include_bytes!("sampling.rs"),
    include_bytes!("alternate.rs"),
    include_bytes!("life.rs"),
    include_bytes!("meter.rs"),
    include_bytes!("together.rs"),
    include_bytes!("turns.rs"),
    include_bytes!("surroundings.rs"),
    include_bytes!("visit.rs"),
];

/// 64 bits over all sources; both halves of the hash count.
const fn hash() -> u64 {
    let mut hash = 0;
    let mut file = 0;
    while file < SOURCES.len() {
        hash = absorb(hash, SOURCES[file]);
        file += 1;
    }
    (hash ^ hash >> 64) as u64
}

/// The hash of what came before and of this file.
///
/// Sixteen bytes a step: the compiler's interpreter takes the steps, in every build of a bench
/// binary, and a step a byte takes it three times as long. A step is a different permutation of the
/// hash for every word, so that a change of one word cannot be lost in it. The multiplier is that of
/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv); the rotation brings down the high
/// bits, which a multiplication only moves up.
const fn absorb(mut hash: u128, file: &[u8]) -> u128 {
    hash = step(hash, file.len() as u128);
    let (words, rest) = file.as_chunks();
    let mut at = 0;
    while at < words.len() {
        hash = step(hash, u128::from_le_bytes(words[at]));
        at += 1;
    }
    at = 0;
    while at < rest.len() {
        hash = step(hash, rest[at] as u128);
        at += 1;
    }
    hash
}

const fn step(hash: u128, word: u128) -> u128 {
    (hash ^ word)
        .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        .rotate_left(59)
}

const fn hexadecimal(number: u64) -> [u8; 16] {
    let mut text = [0; 16];
    let mut at = 0;
    while at < 16 {
        text[at] = b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize];
        at += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_of_a_source_is_another_identity() {
        let file: Vec<u8> = (0..61).collect();
        let original = absorb(7, &file);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                assert_ne!(absorb(7, &changed), original, "bit {bit} of byte {at}");
            }
            assert_ne!(absorb(7, &file[..at]), original, "cut at {at}");
        }
        assert_ne!(absorb(8, &file), original, "another file before it");
        let moved = absorb(absorb(0, &file[..8]), &file[8..]);
        assert_ne!(moved, absorb(absorb(0, &file[..16]), &file[16..]));
    }

    #[test]
    fn the_identity_is_hexadecimal_and_of_these_sources() {
        assert_eq!(IDENTITY, format!("{:016x}", hash()));
        assert!(SOURCES.iter().all(|source| source.len() > 100));
    }
}
