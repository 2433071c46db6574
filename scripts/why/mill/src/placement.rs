//! A loop of two instructions.

pub fn counted(mut count: u64) -> u64 {
    // SAFETY: it counts down, and has no other effect.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "jmp 2f",
            ".skip 62, 0x90",
            "2:",
            "sub {count}, 1",
            "jnz 2b",
            count = inout(reg) count,
            options(nomem, nostack)
        );
    }
    count
}
