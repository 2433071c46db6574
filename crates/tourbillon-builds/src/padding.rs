//! Padding before the heap: an object with zeros only, which take no space in the file.

/// Bytes of the header of a file, and of that of a section.
const HEADER: usize = 64;
const SECTION: usize = 64;
/// Names of its sections: none, the zeros, the names.
const NAMES: &[u8] = b"\0.bss.room\0.shstrtab\0";
const ZEROS_NAME: u32 = 1;
const NAMES_NAME: u32 = 11;
/// Types of sections: names, and zeros.
const TEXTS: u32 = 3;
const ZEROS: u32 = 8;
/// Writable, allocated, and kept although nothing refers to it.
const KEPT: u64 = 0x20_0003;

/// An object with `bytes` of zeros for the machine of `executable`, a little-endian 64-bit ELF file
/// (System V ABI, chapter 4). `None` for other files.
///
/// The heap begins after a program's zeros.
pub fn padding(executable: &[u8], bytes: u64) -> Option<Vec<u8>> {
    let header = executable.get(..HEADER)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let sections = (HEADER + NAMES.len()).next_multiple_of(8);
    let mut object = header.to_vec();
    let mut put = |at: usize, value: &[u8]| object[at..at + value.len()].copy_from_slice(value);
    // To be linked; machine and version, at 18, and the flags, at 48, are the executable's.
    put(16, &1_u16.to_le_bytes());
    put(24, &[0; 16]);
    put(40, &(sections as u64).to_le_bytes());
    put(54, &[0; 4]);
    put(58, &(SECTION as u16).to_le_bytes());
    put(60, &3_u16.to_le_bytes());
    put(62, &2_u16.to_le_bytes());
    object.extend_from_slice(NAMES);
    object.resize(sections + SECTION, 0);
    object.extend(section(ZEROS_NAME, ZEROS, KEPT, bytes));
    object.extend(section(NAMES_NAME, TEXTS, 0, NAMES.len() as u64));
    Some(object)
}

/// The header of a section that follows the file's header.
fn section(name: u32, kind: u32, flags: u64, bytes: u64) -> Vec<u8> {
    let mut section = Vec::with_capacity(SECTION);
    section.extend(name.to_le_bytes());
    section.extend(kind.to_le_bytes());
    for value in [flags, 0, HEADER as u64, bytes, 0, 1, 0] {
        section.extend(value.to_le_bytes());
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_the_room_that_was_asked_for() {
        let mut executable = vec![0; 100];
        executable[..6].copy_from_slice(b"\x7fELF\x02\x01");
        executable[18] = 0x3E;
        let object = padding(&executable, 0x5000).expect("an object");
        assert_eq!((object[16], object[18]), (1, 0x3E));
        let sections = usize::from(object[40]);
        assert_eq!(object.len(), sections + 3 * SECTION);
        let zeros = &object[sections + SECTION..sections + 2 * SECTION];
        assert_eq!(zeros[32..40], 0x5000_u64.to_le_bytes());
        assert_eq!(padding(b"MZ", 1), None);
    }
}
