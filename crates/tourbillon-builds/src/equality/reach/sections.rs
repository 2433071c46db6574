//! The sections of a program, divided into atoms.

use std::collections::HashMap;
use std::iter;

use object::elf::{
    SHF_ALLOC, SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS, SHF_TLS, SHF_WRITE, SHT_FINI_ARRAY,
    SHT_INIT_ARRAY, SHT_NOBITS, SHT_PREINIT_ARRAY, SHT_PROGBITS, SHT_X86_64_UNWIND,
};
use object::read::elf::{ElfFile64, SectionHeader};
use object::{LittleEndian, SectionIndex};

use super::atom::Atom;
use super::loading::ENDIAN;
use super::place::Place;

/// What linkers make themselves: nothing in it comes from an object.
const OF_LINKER: [&str; 9] = [
    ".interp",
    ".got",
    ".got.plt",
    ".plt",
    ".plt.got",
    ".plt.sec",
    ".iplt",
    ".eh_frame_hdr",
    ".relro_padding",
];
/// What says how to unwind.
const UNWINDING: &str = ".eh_frame";
/// A pointer.
const WORD: u64 = 8;
/// The kinds of sections that hold pointers to functions which the system calls.
const ARRAYS: [u32; 3] = [SHT_PREINIT_ARRAY, SHT_INIT_ARRAY, SHT_FINI_ARRAY];
/// Most atoms of a section. One that is not in the file has any size, and each of its bytes may be an atom.
const MOST: u64 = 1 << 22;
/// Marks an atom that is not in the file, among flags of its section.
pub(super) const IS_ZERO: u64 = 1 << 63;

/// A section that came from an object.
#[derive(Clone, Debug)]
pub(super) struct Section<'f> {
    pub(super) name: &'f str,
    pub(super) address: u64,
    size: u64,
    /// The number of its first atom; where its atoms begin.
    first: u32,
    starts: Vec<u64>,
}

impl Section<'_> {
    /// The atom at a distance from its beginning.
    pub(super) fn place(&self, offset: u64) -> Option<Place> {
        let number = self
            .starts
            .partition_point(|start| *start <= offset)
            .checked_sub(1)?;
        (offset <= self.size).then_some(())?;
        Some(Place {
            atom: self.first + u32::try_from(number).ok()?,
            offset: i64::try_from(offset - self.starts[number]).ok()?,
        })
    }

    /// Whether it has several atoms, or would have with more in it.
    pub(super) fn is_divided(&self) -> bool {
        self.starts.len() > 1
    }
}

/// Those of a program.
#[derive(Debug, Default)]
pub(super) struct Sections<'f> {
    /// By their numbers in the file.
    by_number: HashMap<SectionIndex, Section<'f>>,
    /// By address, without those that each thread has.
    by_address: Vec<Section<'f>>,
    pub(super) groups: HashMap<&'f str, Vec<u32>>,
    /// The contents of what says how to unwind, and where it is.
    pub(super) unwinding: Vec<(u64, &'f [u8])>,
}

impl<'f> Sections<'f> {
    pub(super) fn read(
        elf: &ElfFile64<'f, LittleEndian>,
        file: &'f [u8],
    ) -> Option<(Sections<'f>, Vec<Atom<'f>>)> {
        let mut sections = Sections::default();
        let mut atoms = Vec::new();
        let table = elf.elf_section_table();
        for (index, header) in table.enumerate() {
            let name = std::str::from_utf8(table.section_name(ENDIAN, header).ok()?).ok()?;
            let kind = header.sh_type(ENDIAN);
            let is_from_object = ARRAYS.contains(&kind)
                || matches!(kind, SHT_PROGBITS | SHT_NOBITS | SHT_X86_64_UNWIND);
            let flags = header.sh_flags(ENDIAN);
            if !is_from_object || flags & u64::from(SHF_ALLOC) == 0 || OF_LINKER.contains(&name) {
                continue;
            }
            let bytes = header.data(ENDIAN, file).ok()?;
            let (address, size) = (header.sh_addr(ENDIAN), header.sh_size(ENDIAN));
            if name == UNWINDING {
                sections.unwinding.push((address, bytes));
                continue;
            }
            let section = Section {
                name,
                address,
                size,
                first: u32::try_from(atoms.len()).ok()?,
                starts: starts(kind, flags, header.sh_entsize(ENDIAN), size, bytes),
            };
            let counted = SHF_WRITE | SHF_EXECINSTR | SHF_TLS | SHF_MERGE | SHF_STRINGS;
            let is_zero = kind == SHT_NOBITS;
            let ends = section.starts.iter().skip(1).copied().chain([size]);
            for (start, end) in section.starts.iter().zip(ends) {
                sections
                    .groups
                    .entry(name)
                    .or_default()
                    .push(atoms.len() as u32);
                let part = usize::try_from(*start).ok()?..usize::try_from(end).ok()?;
                atoms.push(Atom {
                    flags: flags & u64::from(counted) | if is_zero { IS_ZERO } else { 0 },
                    align: header.sh_addralign(ENDIAN),
                    size: end - start,
                    bytes: if is_zero { &[] } else { bytes.get(part)? },
                    ..Atom::default()
                });
            }
            if !(is_zero && flags & u64::from(SHF_TLS) != 0) {
                sections.by_address.push(section.clone());
            }
            sections.by_number.insert(index, section);
        }
        // Of two at one address, what has a size is the later one.
        sections
            .by_address
            .sort_by_key(|section| (section.address, section.size));
        Some((sections, atoms))
    }

    pub(super) fn get(&self, index: SectionIndex) -> Option<&Section<'f>> {
        self.by_number.get(&index)
    }

    /// What is at an address.
    pub(super) fn at(&self, address: u64) -> Option<Place> {
        let after = self
            .by_address
            .partition_point(|section| section.address <= address);
        let section = self.by_address.get(after.checked_sub(1)?)?;
        let offset = address - section.address;
        if offset < section.size {
            section.place(offset)
        } else {
            None
        }
    }
}

/// Where the atoms of a section begin: constants that the linker merges and pointers in lists are atoms of their own, each
/// other section is one.
fn starts(kind: u32, flags: u64, entry: u64, size: u64, bytes: &[u8]) -> Vec<u64> {
    let has = |flag: u32| flags & u64::from(flag) != 0;
    let width = match entry {
        _ if ARRAYS.contains(&kind) => WORD,
        1.. if has(SHF_MERGE) => entry,
        _ => size,
    };
    let is_text = has(SHF_MERGE) && has(SHF_STRINGS);
    if is_text && width == 1 {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0);
        let others = ends
            .map(|(at, _)| at as u64 + 1)
            .filter(|start| *start < size);
        let all: Vec<u64> = iter::once(0)
            .chain(others)
            .take(MOST as usize + 1)
            .collect();
        return if all.len() as u64 > MOST {
            vec![0]
        } else {
            all
        };
    }
    if is_text || width == 0 || !size.is_multiple_of(width) || size == 0 || size / width > MOST {
        return vec![0];
    }
    (0..size)
        .step_by(usize::try_from(width).unwrap_or(usize::MAX))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_linker_merges_is_divided() {
        let merged = u64::from(SHF_ALLOC | SHF_MERGE);
        let texts = merged | u64::from(SHF_STRINGS);
        let of = |kind, flags, entry, bytes: &[u8]| {
            starts(kind, flags, entry, bytes.len() as u64, bytes)
        };
        assert_eq!(of(SHT_PROGBITS, merged, 4, &[0; 12]), [0, 4, 8]);
        assert_eq!(of(SHT_PROGBITS, texts, 1, b"ab\0c\0"), [0, 3]);
        assert_eq!(of(SHT_INIT_ARRAY, 0, 0, &[0; 16]), [0, 8]);
        // Wide texts, part of an entry, code.
        assert_eq!(of(SHT_PROGBITS, texts, 2, &[0; 8]), [0]);
        assert_eq!(of(SHT_PROGBITS, merged, 8, &[0; 12]), [0]);
        assert_eq!(of(SHT_PROGBITS, 0, 0, &[0; 12]), [0]);
        // Without contents, of any size; and more texts than a program has.
        let zero = |size| starts(SHT_NOBITS, merged, 1, size, &[]);
        assert_eq!(zero(3), [0, 1, 2]);
        assert_eq!(zero(1 << 40), [0]);
        assert_eq!(of(SHT_PROGBITS, texts, 1, &vec![0; MOST as usize + 2]), [0]);
    }

    #[test]
    fn a_place_is_in_the_last_atom_that_begins_before_it() {
        let section = Section {
            name: "",
            address: 0x100,
            size: 12,
            first: 7,
            starts: vec![0, 4],
        };
        let at = |offset| {
            section
                .place(offset)
                .map(|place| (place.atom, place.offset))
        };
        assert_eq!(at(3), Some((7, 3)));
        assert_eq!(at(4), Some((8, 0)));
        assert_eq!(at(12), Some((8, 8)), "its end");
        assert_eq!(at(13), None);
    }
}
