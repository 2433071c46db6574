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
/// Loads a register, and of its operand what says that it is relative to the instruction.
const LOAD: u8 = 0x8B;
const RELATIVE_MODE: u8 = 0x05;

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

/// Whether a field ends an instruction that loads a register: nothing is between it and the address that it counts from.
pub(super) fn is_load(bytes: &[u8], start: u64) -> bool {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let before = bytes.get(..start).and_then(<[u8]>::last_chunk::<2>);
    matches!(before, Some([LOAD, mode]) if mode & 0xC7 == RELATIVE_MODE)
}

#[cfg(test)]
mod tests {
    use object::elf::{R_X86_64_GOTPC32, R_X86_64_TLSDESC_CALL};

    use super::*;

    #[test]
    fn a_field_is_where_the_linker_wrote_it() {
        let indirect = [0xFF, 0x25, 1, 2, 3, 4];
        let direct = [0xE9, 1, 2, 3, 4, 0x90];
        assert_eq!(field(R_X86_64_GOTPCRELX, 2, &indirect), Some((2, 4)));
        assert_eq!(field(R_X86_64_GOTPCRELX, 2, &direct), Some((1, 4)));
        assert_eq!(field(R_X86_64_PC32, 2, &direct), Some((2, 4)));
        assert_eq!(field(R_X86_64_64, 0, &[0; 8]), Some((0, 8)));
        assert_eq!(field(R_X86_64_TLSDESC_CALL, 0, &[0xFF, 0x10]), Some((0, 0)));
        assert_eq!(field(R_X86_64_GOTPC32, 0, &[0; 4]), None);
        assert!(is_load(&[0x8B, 0x3D, 0, 0, 0, 0], 2));
        assert!(!is_load(&[0x81, 0x3D, 0, 0, 0, 0, 1, 0, 0, 0], 2));
        assert!(!is_load(&[0x8B, 0x7C, 0x24, 0], 2));
    }
}
