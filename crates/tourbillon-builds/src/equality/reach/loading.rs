//! What the system does with a program before it runs, besides its code.

use object::elf::{
    DT_AUDIT, DT_AUXILIARY, DT_DEPAUDIT, DT_FILTER, DT_FINI, DT_FLAGS, DT_FLAGS_1, DT_INIT,
    DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_STRTAB, DT_SYMBOLIC, PT_DYNAMIC, PT_GNU_RELRO,
    PT_GNU_STACK, PT_INTERP, PT_TLS, SHF_ALLOC, SHT_NOTE,
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
                PT_TLS => numbers.extend([
                    segment.p_filesz(ENDIAN),
                    segment.p_memsz(ENDIAN),
                    segment.p_align(ENDIAN),
                ]),
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
