//! Which engine measured, in which process.

/// Identity of this engine: a hash of the source of everything that runs while a clock is running
/// or decides when it does. Two records with different engines are not judged together.
///
/// Made by a macro, because the compiler's interpreter would take a sixth of this crate's build for it.
pub static IDENTITY: &str = tourbillon_macros::digest!(
    "src/loops/mod.rs",
    "src/loops/hide.rs",
    "src/loops/keep.rs",
    "src/loops/registers.rs",
    "src/arms/futures.rs",
    "src/arms/awaited_inputs.rs",
    "src/arms/calls.rs",
    "src/arms/op_count.rs",
    "src/arms/iterate.rs",
    "src/arms/moving.rs",
    "src/arms/rendezvous.rs",
    "src/arms/own_timing.rs",
    "src/arms/stream.rs",
    "src/arms/threads.rs",
    "src/arms/windows.rs",
    "src/calibrate/mod.rs",
    "src/calibrate/pilot.rs",
    "src/calibrate/warmup.rs",
    "src/sample/mod.rs",
    "src/sample/fence.rs",
    "src/sample/probes.rs",
    "src/interleave/mod.rs",
    "src/interleave/prepare.rs",
    "src/interleave/turns.rs",
    "src/find.rs",
    "src/heartbeat.rs",
    "src/meter.rs",
    "src/randomize_layout.rs",
    "src/launch.rs",
);

/// The id of this process; 1 on systems that have a single one and number none, such as WebAssembly.
pub fn process_id() -> u32 {
    if cfg!(any(unix, windows)) {
        std::process::id()
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::IDENTITY;

    #[test]
    fn the_identity_is_a_hash() {
        assert_eq!(IDENTITY.len(), 16);
        assert!(IDENTITY.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert_ne!(IDENTITY, tourbillon_macros::digest!("src/loops/mod.rs"));
    }
}
