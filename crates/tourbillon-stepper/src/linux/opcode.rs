//! What has to be known of an instruction to follow a program.

/// A kind of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    /// One that a step executes as a whole.
    Plain,
    /// A call of a function.
    Call,
    /// A return from one.
    Return,
    /// A call of the system.
    SystemCall,
    /// One that is repeated, of this many bytes: a step executes one round of it.
    Repeated(u64),
    /// A breakpoint.
    Breakpoint,
    /// The beginning of a transaction, which a step ends.
    Transaction,
}

/// Reads the instruction at the beginning of these bytes (Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 2, chapter 2 and appendix A).
pub(super) fn opcode(bytes: &[u8]) -> Opcode {
    let mut repeats = false;
    let mut at = 0;
    // Legacy prefixes and REX.
    while let Some(0x26 | 0x2E | 0x36 | 0x3E | 0x40..=0x4F | 0x64..=0x67 | 0xF0 | 0xF2 | 0xF3) =
        bytes.get(at)
    {
        repeats |= matches!(bytes[at], 0xF2 | 0xF3);
        at += 1;
    }
    let [code, next, ..] = bytes[at..] else {
        return Opcode::Plain;
    };
    match (code, next) {
        (0xE8, _) => Opcode::Call,
        // The middle bits of the second byte belong to the operation.
        (0xFF, next) if next >> 3 & 7 == 2 => Opcode::Call,
        (0xC2 | 0xC3, _) => Opcode::Return,
        (0x0F, 0x05) => Opcode::SystemCall,
        (0xA4..=0xA7 | 0xAA..=0xAF, _) if repeats => Opcode::Repeated(at as u64 + 1),
        (0xCC, _) => Opcode::Breakpoint,
        (0xC7, 0xF8) => Opcode::Transaction,
        _ => Opcode::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_recognized_behind_their_prefixes() {
        for (bytes, expected) in [
            // nop; add rax, 1; vaddps
            (&[0x90, 0x90][..], Opcode::Plain),
            (&[0x48, 0x83, 0xC0, 0x01], Opcode::Plain),
            (&[0xC5, 0xFC, 0x58, 0xC1], Opcode::Plain),
            // call; call rax; call [rip+8]; call with prefixes of a thread-local; jmp rax; push rax by FF
            (&[0xE8, 0, 0, 0, 0], Opcode::Call),
            (&[0xFF, 0xD0], Opcode::Call),
            (&[0xFF, 0x15, 8, 0, 0, 0], Opcode::Call),
            (&[0x66, 0x66, 0x48, 0xE8, 0, 0, 0, 0], Opcode::Call),
            (&[0xFF, 0xE0], Opcode::Plain),
            (&[0xFF, 0xF0], Opcode::Plain),
            // ret; rep ret; ret 8
            (&[0xC3, 0x90], Opcode::Return),
            (&[0xF3, 0xC3], Opcode::Plain),
            (&[0xF3, 0xC3, 0x90], Opcode::Return),
            (&[0xC2, 8, 0], Opcode::Return),
            (&[0x0F, 0x05], Opcode::SystemCall),
            // movsb; rep movsb; rep stosq; repne scasb
            (&[0xA4, 0x90], Opcode::Plain),
            (&[0xF3, 0xA4, 0x90], Opcode::Repeated(2)),
            (&[0xF3, 0x48, 0xAB, 0x90], Opcode::Repeated(3)),
            (&[0xF2, 0xAE, 0x90], Opcode::Repeated(2)),
            // int3; xbegin
            (&[0xCC, 0x90], Opcode::Breakpoint),
            (&[0xC7, 0xF8, 0, 0, 0, 0], Opcode::Transaction),
            (&[0xF3], Opcode::Plain),
        ] {
            assert_eq!(opcode(bytes), expected, "{bytes:x?}");
        }
    }
}
