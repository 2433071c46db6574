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
    include_bytes!("arms/awaited.rs"),
    include_bytes!("arms/chain.rs"),
    include_bytes!("arms/controlled.rs"),
    include_bytes!("arms/counted.rs"),
    include_bytes!("arms/empty.rs"),
    include_bytes!("arms/inputs.rs"),
    include_bytes!("arms/iterate.rs"),
    include_bytes!("arms/moving.rs"),
    include_bytes!("arms/rendezvous.rs"),
    include_bytes!("arms/state.rs"),
    include_bytes!("arms/stream.rs"),
    include_bytes!("arms/threads.rs"),
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
/// The compiler's interpreter takes the steps, in every build of a bench binary, and a call costs it
/// more than the arithmetic: sixteen bytes a step, and no call but the one that reads them.
///
/// A step is two rounds of a Feistel network whose function is a multiplication, the high half of the
/// product folded onto the low one: for every word another permutation of the hash, and for every hash
/// another one of the word, so that a change of one word cannot be lost in it. The multiplier is
/// 2^64 divided by the golden section.
const fn absorb(hash: u128, file: &[u8]) -> u128 {
    const MULTIPLIER: u128 = 0x9e37_79b9_7f4a_7c15;
    let (mut left, mut right) = ((hash >> 64) as u64, hash as u64);
    let (words, rest) = file.as_chunks();
    let (count, rest, length) = (words.len(), number(rest), file.len() as u128);
    let mut at = 0;
    while at < count + 2 {
        let word = if at < count {
            u128::from_ne_bytes(words[at])
        } else if at == count {
            rest
        } else {
            length
        };
        left ^= (word >> 64) as u64;
        let product = left as u128 * MULTIPLIER;
        right ^= word as u64 ^ (product >> 64) as u64 ^ product as u64;
        let product = right as u128 * MULTIPLIER;
        left ^= (product >> 64) as u64 ^ product as u64;
        at += 1;
    }
    (left as u128) << 64 | right as u128
}

/// The number of fewer than sixteen bytes.
const fn number(bytes: &[u8]) -> u128 {
    let mut number = 0;
    let mut at = 0;
    while at < bytes.len() {
        number = number << 8 | bytes[at] as u128;
        at += 1;
    }
    number
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
