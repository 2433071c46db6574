//! The relocations of x86-64 whose field and meaning are known.

use object::elf::{
    R_X86_64_32, R_X86_64_32S, R_X86_64_64, R_X86_64_DTPOFF32, R_X86_64_DTPOFF64,
    R_X86_64_GOTPC32_TLSDESC, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_GOTTPOFF,
    R_X86_64_PC32, R_X86_64_PC64, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX, R_X86_64_TLSDESC_CALL,
    R_X86_64_TLSGD, R_X86_64_TLSLD, R_X86_64_TPOFF32,
};

/// A direct jump, and an instruction that does nothing.
const JUMP: u8 = 0xE9;
const NO_OPERATION: u8 = 0x90;

/// Where the field of a relocation is, and its length; `None` for a kind that is not known. `bytes` is what the linker
/// wrote: it makes a direct jump of an indirect one, whose field begins a byte earlier.
pub(super) fn field(kind: u32, offset: u64, bytes: &[u8]) -> Option<(u64, u64)> {
    let width = match kind {
        R_X86_64_64 | R_X86_64_PC64 | R_X86_64_DTPOFF64 => 8,
        R_X86_64_TLSDESC_CALL => 0,
        R_X86_64_PC32
        | R_X86_64_PLT32
        | R_X86_64_GOTPCREL
        | R_X86_64_GOTPCRELX
        | R_X86_64_REX_GOTPCRELX
        | R_X86_64_32
        | R_X86_64_32S
        | R_X86_64_TLSGD
        | R_X86_64_TLSLD
        | R_X86_64_DTPOFF32
        | R_X86_64_GOTTPOFF
        | R_X86_64_TPOFF32
        | R_X86_64_GOTPC32_TLSDESC => 4,
        _ => return None,
    };
    let at = |place: u64| bytes.get(usize::try_from(place).ok()?).copied();
    let is_jump = kind == R_X86_64_GOTPCRELX
        && offset >= 2
        && at(offset - 2) == Some(JUMP)
        && at(offset + 3) == Some(NO_OPERATION);
    Some((if is_jump { offset - 1 } else { offset }, width))
}

/// Whether what is added to an address is the distance from the end of the field, so that it may lead before the target.
pub(super) fn is_relative(kind: u32) -> bool {
    !matches!(
        kind,
        R_X86_64_64
            | R_X86_64_32
            | R_X86_64_32S
            | R_X86_64_TPOFF32
            | R_X86_64_DTPOFF32
            | R_X86_64_DTPOFF64
    )
}
