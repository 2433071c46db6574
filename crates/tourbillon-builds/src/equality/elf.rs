//! What is loaded of an ELF file: its segments, without the build id and the place of the section headers.

use object::elf::{
    DT_AUDIT, DT_AUXILIARY, DT_DEPAUDIT, DT_FILTER, DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_STRSZ,
    DT_STRTAB, ET_DYN, ET_EXEC, NT_GNU_BUILD_ID, PF_X, PT_INTERP, PT_LOAD, SHF_ALLOC,
};
use object::read::elf::{Dyn, ElfFile64, FileHeader, ProgramHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectSection, RelocationTarget};

use super::image::{Image, blank, part};

const ENDIAN: LittleEndian = LittleEndian;

/// `e_shoff`; then `e_shentsize`, `e_shnum` and `e_shstrndx`: where they are in the header, and their lengths.
const OF_SECTIONS: [(usize, usize); 2] = [(40, 8), (58, 6)];

/// Sections that programs read of themselves to name functions and lines. Their sizes do not differ with the folder of a
/// build, those of others do.
const OF_BACKTRACES: [&str; 3] = [".symtab", ".debug_info", ".debug_abbrev"];

/// The section of the note that has another value in each build.
pub(super) const BUILD_ID: &str = ".note.gnu.build-id";
/// Lengths of what linkers put there: 64 bits, MD5 or UUID, SHA-1.
const LENGTHS: [usize; 3] = [8, 16, 20];

/// The build id in the section that has it; `None` where the section has other notes, too, which a program may have put
/// there and read.
pub(super) fn build_id(section: &[u8]) -> Option<&[u8]> {
    let number = |at: usize| Some(u32::from_le_bytes(*section.get(at..)?.first_chunk()?));
    let (header, id) = section.split_at_checked(16)?;
    let is_it = number(0) == Some(4)
        && number(4) == u32::try_from(id.len()).ok()
        && number(8) == Some(NT_GNU_BUILD_ID)
        && header.ends_with(b"GNU\0")
        && LENGTHS.contains(&id.len());
    is_it.then_some(id)
}

pub(super) fn image(file: &[u8]) -> Option<Image> {
    let elf = ElfFile64::<LittleEndian>::parse(file).ok()?;
    let header = elf.elf_header();
    if !matches!(header.e_type(ENDIAN), ET_EXEC | ET_DYN) {
        return None;
    }
    let mut plain = file.to_vec();
    for (start, length) in OF_SECTIONS {
        blank(&mut plain, start, length)?;
    }
    for section in elf.sections().filter(|one| one.name() == Ok(BUILD_ID)) {
        if let Some(id) = build_id(section.data().ok()?) {
            let start = (id.as_ptr() as usize).checked_sub(file.as_ptr() as usize)?;
            blank(&mut plain, start, id.len())?;
        }
    }
    let mut image = Image::default();
    image.add(part(&plain, 0, u64::from(header.e_ehsize(ENDIAN)))?);
    let segments = elf.elf_program_headers();
    let size = u64::from(header.e_phentsize(ENDIAN)) * segments.len() as u64;
    image.add(part(&plain, header.e_phoff(ENDIAN), size)?);
    for segment in segments
        .iter()
        .filter(|one| one.p_type(ENDIAN) == PT_INTERP)
    {
        image.add(segment.data(ENDIAN, file).ok()?);
    }
    for segment in segments.iter().filter(|one| one.p_type(ENDIAN) == PT_LOAD) {
        let (start, length) = segment.file_range(ENDIAN);
        let part = part(&plain, start, length)?;
        if segment.p_flags(ENDIAN) & PF_X == 0 {
            image.add(part);
        } else {
            image.add_code(part);
        }
        image.note_address(segment.p_vaddr(ENDIAN), part);
    }
    let relocations = elf.dynamic_relocations().into_iter().flatten();
    image.addresses.pointers = relocations
        .filter(|(_, one)| one.target() == RelocationTarget::Absolute)
        .map(|(slot, one)| (slot, one.addend().cast_unsigned()))
        .collect();
    for section in elf.sections() {
        if section.elf_section_header().sh_flags(ENDIAN) & u64::from(SHF_ALLOC) == 0 {
            let name = section.name().ok()?;
            image.add(name.as_bytes());
            if OF_BACKTRACES.contains(&name) {
                image.add(&section.size().to_le_bytes());
            }
        }
    }
    if has_relative_libraries(&elf, file)? {
        image.note_relative_libraries();
    }
    Some(image)
}

/// Whether a folder of libraries in it, or a library, is not absolute, or the linker is to load others besides; `None`
/// if that cannot be read.
fn has_relative_libraries(elf: &ElfFile64<'_, LittleEndian>, file: &[u8]) -> Option<bool> {
    let segments = elf.elf_program_headers();
    let mut entries = Vec::new();
    for segment in segments {
        let dynamic = segment.dynamic(ENDIAN, file).ok()?;
        let tags = dynamic.into_iter().flatten();
        entries.extend(tags.map(|entry| (entry.d_tag(ENDIAN), entry.d_val(ENDIAN))));
    }
    let value = |tag: i64| entries.iter().find(|(one, _)| *one == tag);
    let others = [DT_AUDIT, DT_DEPAUDIT, DT_FILTER, DT_AUXILIARY].map(value);
    if others.iter().any(Option::is_some) {
        return Some(true);
    }
    let named = |tag: i64| matches!(tag, DT_RPATH | DT_RUNPATH | DT_NEEDED);
    for (tag, offset) in entries.iter().filter(|(tag, _)| named(*tag)) {
        let [(_, address), (_, size)] = [value(DT_STRTAB)?, value(DT_STRSZ)?];
        let within =
            |segment: &_| ProgramHeader::data_range(segment, ENDIAN, file, *address, *size);
        let loads = segments.iter().filter(|one| one.p_type(ENDIAN) == PT_LOAD);
        let strings = loads.filter_map(|segment| within(segment).ok()?).next()?;
        let path = strings.get(usize::try_from(*offset).ok()?..)?;
        let path = path.split(|byte| *byte == 0).next()?;
        // `$ORIGIN` is the folder of the program, wherever it is.
        let is_absolute = |path: &[u8]| path.starts_with(b"/") && !path.contains(&b'$');
        let is_relative = if *tag == DT_NEEDED {
            // Without a slash it is searched in the folders.
            path.contains(&b'/') && !is_absolute(path)
        } else {
            !path.split(|byte| *byte == b':').all(is_absolute)
        };
        if is_relative {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(all(
    test,
    target_os = "linux",
    target_pointer_width = "64",
    target_endian = "little"
))]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;

    /// A program with this value, compiled in a folder of its own.
    fn compiled(folder: &Path, value: u32, flags: &[&str]) -> Vec<u8> {
        let text = format!("fn main() {{ std::process::exit({value}) }}");
        compiled_text(folder, &text, flags)
    }

    fn compiled_text(folder: &Path, text: &str, flags: &[&str]) -> Vec<u8> {
        fs::create_dir_all(folder).expect("a folder");
        fs::write(folder.join("main.rs"), text).expect("a source");
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        let status = rustc
            .args(["main.rs", "-g"])
            .args(flags)
            .current_dir(folder)
            .status();
        assert!(status.expect("rustc starts").success());
        fs::read(folder.join("main")).expect("a program")
    }

    /// A static that the program reads, in a section of notes that stands before the linker's own.
    #[test]
    fn a_note_of_the_program_is_no_build_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = |name: &str, value: u8| {
            let text = format!(
                r#"#[repr(C)] pub struct Note([u32; 3], [u8; 4], [u8; 20]);
                #[used] #[unsafe(link_section = ".note.aaa")]
                pub static NOTE: Note = Note([4, 20, 3], *b"GNU\0", [{value}; 20]);
                fn main() {{ std::process::exit(std::hint::black_box(&NOTE).2[0].into()) }}"#
            );
            let at = folder.path().join(name);
            compiled_text(&at, &text, &["--edition=2024", "-Clink-arg=-Wl,--build-id"])
        };
        let (one, other) = (program("one", 3), program("other", 4));
        assert_ne!(image(&one).expect("one"), image(&other).expect("other"));
        // Notes that a linker joined.
        let note = [&[4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0][..], b"GNU\0", &[7; 8]].concat();
        assert_eq!(build_id(&note), Some(&[7; 8][..]));
        assert_eq!(build_id(&note.repeat(2)), None);
    }

    #[test]
    fn programs_are_told_by_their_code() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| -> PathBuf { folder.path().join(name) };
        let with_id = "-Clink-arg=-Wl,--build-id";
        let one = compiled(&at("one"), 3, &[with_id]);
        let moved = compiled(&at("a/longer/name"), 3, &[with_id]);
        assert_ne!(one, moved, "their debug information names the folder");
        let expected = image(&one).expect("an executable");
        assert_eq!(image(&moved).as_ref(), Some(&expected));
        assert!(!expected.has_relative_libraries());
        // A program reads its symbols and lines when it names the functions that it is in.
        for flag in ["-Cstrip=symbols", "-Cstrip=debuginfo", "-Cdebuginfo=0"] {
            let stripped = compiled(&at("one"), 3, &[with_id, flag]);
            assert_ne!(image(&stripped).as_ref(), Some(&expected), "{flag}");
        }
        let other = compiled(&at("one"), 4, &[with_id]);
        assert_ne!(image(&other).as_ref(), Some(&expected));
        for (path, expected) in [
            ("$ORIGIN/../lib", true),
            ("/opt/lib", false),
            ("/opt/lib:", true),
            ("/$ORIGIN/../lib", true),
        ] {
            let flag = format!("-Clink-arg=-Wl,-rpath,{path}");
            let found = image(&compiled(&at("one"), 3, &[&flag])).expect("an executable");
            assert_eq!(found.has_relative_libraries(), expected, "{path}");
        }
    }

    /// What a build script wrote is compiled, and read when the program runs.
    #[test]
    fn the_file_of_a_panic_is_told_from_one_that_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = folder.path().join("target/out/made.rs");
        fs::create_dir_all(made.parent().expect("a folder")).expect("a folder");
        let panics = "fn made(n: usize) -> u8 { [1, 2, 3][std::hint::black_box(n)] }";
        fs::write(&made, panics).expect("a source");
        let target = folder.path().join("target");
        let target = target.to_str().expect("a path");
        let read = format!("std::fs::read({made:?}).map_or(0, |read| read.len() as u8)");
        let program = |of: &str| format!("fn main() {{ std::process::exit(({of}).into()) }}");
        let both = |of: &str| format!("include!({made:?}); {}", program(of));
        for (text, expected) in [
            (both("made(1)"), false),
            (program(&read), true),
            (both(&format!("made(1) + {read}")), true),
        ] {
            for flag in ["-Copt-level=0", "-Copt-level=3"] {
                let program = compiled_text(&folder.path().join("one"), &text, &[flag]);
                let image = image(&program).expect("an executable");
                assert!(image.names(target), "{text}");
                assert_eq!(image.names_built(target), expected, "{flag} {text}");
            }
        }
    }

    #[test]
    fn every_loaded_byte_counts() {
        let own = fs::read(std::env::current_exe().expect("a path")).expect("a file");
        let expected = image(&own).expect("an executable");
        let elf = ElfFile64::<LittleEndian>::parse(&*own).expect("an ELF file");
        for segment in elf
            .elf_program_headers()
            .iter()
            .filter(|one| one.p_type(ENDIAN) == PT_LOAD)
        {
            let (start, length) = segment.file_range(ENDIAN);
            let last = (start + length) as usize - 1;
            let mut changed = own.clone();
            changed[last] ^= 1;
            assert_ne!(image(&changed).as_ref(), Some(&expected), "{last}");
        }
    }
}
