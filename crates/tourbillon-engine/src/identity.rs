//! Which engine measured.

/// Identity of this engine: a hash of the source of everything that runs while a clock is running
/// or decides when it does. Two records with different engines are not judged together.
///
/// Made by a macro, for the compiler's interpreter would take a sixth of this crate's build for it.
pub static IDENTITY: &str = tourbillon_macros::digest!(
    "src/bits.rs",
    "src/keep.rs",
    "src/hide.rs",
    "src/loops.rs",
    "src/fenced.rs",
    "src/alone.rs",
    "src/arms/awaited.rs",
    "src/arms/chain.rs",
    "src/arms/controlled.rs",
    "src/arms/counted.rs",
    "src/arms/empty.rs",
    "src/arms/inputs.rs",
    "src/arms/iterate.rs",
    "src/arms/moving.rs",
    "src/arms/rendezvous.rs",
    "src/arms/state.rs",
    "src/arms/stream.rs",
    "src/arms/threads.rs",
    "src/budget.rs",
    "src/contention.rs",
    "src/pilot.rs",
    "src/prepare.rs",
    "src/warmup.rs",
    "src/sampling.rs",
    "src/alternate.rs",
    "src/heartbeat.rs",
    "src/meter.rs",
    "src/together.rs",
    "src/turns.rs",
    "src/randomize_layout.rs",
    "src/visit.rs",
);

#[cfg(test)]
mod tests {
    use super::IDENTITY;

    #[test]
    fn the_identity_is_a_hash() {
        assert_eq!(IDENTITY.len(), 16);
        assert!(IDENTITY.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert_ne!(IDENTITY, tourbillon_macros::digest!("src/loops.rs"));
    }
}
