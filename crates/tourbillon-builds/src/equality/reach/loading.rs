//! What the system does with a program before it runs, besides its code.

use object::elf::{
    DT_AUDIT, DT_AUXILIARY, DT_DEPAUDIT, DT_FILTER, DT_FINI, DT_FLAGS, DT_FLAGS_1, DT_INIT,
    DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_STRTAB, DT_SYMBOLIC, PT_DYNAMIC, PT_GNU_RELRO,
    PT_GNU_STACK, PT_INTERP, PT_TLS, SHF_ALLOC, SHF_TLS, SHT_NOBITS, SHT_NOTE,
};
use object::read::elf::{Dyn, ElfFile64, FileHeader, ProgramHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectSection};

use crate::equality::elf::{BUILD_ID, build_id};

pub(super) const ENDIAN: LittleEndian = LittleEndian;

/// The segments and entries that count whatever a case reaches, as they are in the file: the size of the memory of each
/// thread and of the stack, the libraries, the loader.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Loading {
    numbers: Vec<u64>,
    texts: Vec<Vec<u8>>,
}

/// Entries of the dynamic table that are numbers, and those that are texts.
const NUMBERS: [i64; 3] = [DT_FLAGS, DT_FLAGS_1, DT_SYMBOLIC];
const TEXTS: [i64; 7] = [
    DT_NEEDED,
    DT_RPATH,
    DT_RUNPATH,
    DT_AUDIT,
    DT_DEPAUDIT,
    DT_FILTER,
    DT_AUXILIARY,
];

impl Loading {
    pub(super) fn read(elf: &ElfFile64<'_, LittleEndian>, file: &[u8]) -> Option<Loading> {
        let header = elf.elf_header();
        let mut numbers = vec![header.e_type(ENDIAN).into(), header.e_flags(ENDIAN).into()];
        let mut texts = Vec::new();
        let mut entries = Vec::new();
        for segment in elf.elf_program_headers() {
            let kind = segment.p_type(ENDIAN);
            match kind {
                PT_TLS => numbers.extend(memory_of_threads(elf)?),
                PT_GNU_STACK => {
                    numbers.extend([segment.p_memsz(ENDIAN), segment.p_flags(ENDIAN).into()]);
                }
                PT_INTERP => texts.push(segment.data(ENDIAN, file).ok()?.to_vec()),
                PT_DYNAMIC => {
                    let dynamic = segment.dynamic(ENDIAN, file).ok()?.into_iter().flatten();
                    entries.extend(dynamic.map(|one| (one.d_tag(ENDIAN), one.d_val(ENDIAN))));
                }
                PT_GNU_RELRO => {}
                _ => continue,
            }
            numbers.push(kind.into());
        }
        let strings = entries.iter().find(|(tag, _)| *tag == DT_STRTAB);
        for (tag, value) in &entries {
            if NUMBERS.contains(tag) {
                numbers.extend([tag.cast_unsigned(), *value]);
            } else if TEXTS.contains(tag) {
                let (_, address) = strings?;
                let mut segments = elf.elf_program_headers().iter();
                let text = segments.find_map(|segment| {
                    let range = segment.data_range(ENDIAN, file, *address, *value);
                    range.ok()??;
                    let all = segment.data(ENDIAN, file).ok()?;
                    let start = address
                        .checked_add(*value)?
                        .checked_sub(segment.p_vaddr(ENDIAN))?;
                    let text = all.get(usize::try_from(start).ok()?..)?;
                    text.split(|byte| *byte == 0).next()
                })?;
                numbers.push(tag.cast_unsigned());
                texts.push(text.to_vec());
            }
        }
        for section in elf.sections() {
            let header = section.elf_section_header();
            let is_loaded = header.sh_flags(ENDIAN) & u64::from(SHF_ALLOC) != 0;
            if header.sh_type(ENDIAN) == SHT_NOTE && is_loaded {
                let note = section.data().ok()?;
                if section.name().ok()? != BUILD_ID || build_id(note).is_none() {
                    texts.push(note.to_vec());
                }
            }
        }
        Some(Loading { numbers, texts })
    }
}

/// How much of the memory of each thread has contents, its size, and its alignment, as in a program whose segments are
/// aligned. In one that was linked apart it begins anywhere, and what is skipped before a section depends on the size of
/// all code before it.
fn memory_of_threads(elf: &ElfFile64<'_, LittleEndian>) -> Option<[u64; 3]> {
    let table = elf.elf_section_table().iter();
    let parts = table.filter(|header| header.sh_flags(ENDIAN) & u64::from(SHF_TLS) != 0);
    let parts = parts.map(|header| {
        let has_contents = header.sh_type(ENDIAN) != SHT_NOBITS;
        let (size, align) = (header.sh_size(ENDIAN), header.sh_addralign(ENDIAN));
        (has_contents, size, align)
    });
    laid_out(parts)
}

/// The contents, the size and the alignment of parts, each of which has contents or none, a size and an alignment.
fn laid_out(parts: impl Iterator<Item = (bool, u64, u64)>) -> Option<[u64; 3]> {
    let (mut contents, mut end, mut strictest) = (0, 0_u64, 1);
    for (has_contents, size, align) in parts {
        let align = align.max(1);
        end = end.checked_next_multiple_of(align)?.checked_add(size)?;
        strictest = strictest.max(align);
        if has_contents {
            contents = end;
        }
    }
    Some([contents, end, strictest])
}

/// The addresses of the functions that the dynamic table names for the system to call, which no section has to list.
pub(super) fn called(
    elf: &ElfFile64<'_, LittleEndian>,
    file: &[u8],
) -> Option<impl Iterator<Item = u64>> {
    let mut addresses = Vec::new();
    for segment in elf.elf_program_headers() {
        let dynamic = segment.dynamic(ENDIAN, file).ok()?.into_iter().flatten();
        for entry in dynamic {
            let is_called = [DT_INIT, DT_FINI].contains(&entry.d_tag(ENDIAN));
            addresses.extend(is_called.then(|| entry.d_val(ENDIAN)));
        }
    }
    Some(addresses.into_iter())
}

/// Where the pattern of the memory of each thread begins; 0 without one.
pub(super) fn tls_address(elf: &ElfFile64<'_, LittleEndian>) -> u64 {
    let mut segments = elf.elf_program_headers().iter();
    let own = segments.find(|segment| segment.p_type(ENDIAN) == PT_TLS);
    own.map_or(0, |segment| segment.p_vaddr(ENDIAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_threads_begins_aligned() {
        let of = |parts: &[(bool, u64, u64)]| laid_out(parts.iter().copied());
        assert_eq!(of(&[]), Some([0, 0, 1]));
        let parts = [(true, 0x60, 8), (false, 1, 1), (false, 128, 64)];
        assert_eq!(of(&parts), Some([0x60, 0x100, 64]));
        // Alike in size, and in another order.
        let parts = [(true, 0x60, 8), (false, 128, 64), (false, 1, 1)];
        assert_eq!(of(&parts), Some([0x60, 0x101, 64]));
        assert_eq!(of(&[(false, 8, 0)]), Some([0, 8, 1]));
        // A damaged file.
        assert_eq!(of(&[(true, u64::MAX, 1), (true, 1, 1)]), None);
        assert_eq!(of(&[(true, 3, 1), (true, 1, u64::MAX)]), None);
    }
}
