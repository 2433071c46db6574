//! Which engine measured.

/// Identity of this engine: a hash of the source of everything that runs while a clock is running
/// or decides when it does. Two records with different engines are not judged together.
pub const IDENTITY: &str = match core::str::from_utf8(&TEXT) {
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
    include_bytes!("arms/state.rs"),
    include_bytes!("budget.rs"),
    include_bytes!("pilot.rs"),
    include_bytes!("warmup.rs"),
    include_bytes!("sampling.rs"),
    include_bytes!("surroundings.rs"),
    include_bytes!("visit.rs"),
];

/// FNV-1a, 64 bits, over all sources.
const fn hash() -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut file = 0;
    while file < SOURCES.len() {
        let source = SOURCES[file];
        let mut at = 0;
        while at < source.len() {
            hash = (hash ^ source[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    hash
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
