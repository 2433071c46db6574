//! What is loaded of a Mach-O file: the sections of its segments, and what the dynamic linker reads. Discarded are the
//! table of symbols, the signature, and what only debuggers read. A file with any other command has no image.

use object::Endianness;
use object::macho::{
    LC_BUILD_VERSION, LC_CODE_SIGNATURE, LC_DATA_IN_CODE, LC_DYLD_CHAINED_FIXUPS,
    LC_DYLD_EXPORTS_TRIE, LC_DYLD_INFO, LC_DYLD_INFO_ONLY, LC_DYSYMTAB, LC_FUNCTION_STARTS,
    LC_LOAD_DYLIB, LC_LOAD_DYLINKER, LC_LOAD_WEAK_DYLIB, LC_MAIN, LC_RPATH, LC_SEGMENT_64,
    LC_SOURCE_VERSION, LC_SYMTAB, LC_UUID, LC_VERSION_MIN_MACOSX, LinkeditDataCommand, MH_EXECUTE,
    MachHeader64, S_ATTR_PURE_INSTRUCTIONS, S_ATTR_SOME_INSTRUCTIONS,
};
use object::read::macho::{LoadCommandData, MachHeader, Section, Segment};

use super::image::{Image, part};

/// The segment of all tables.
const TABLES: &[u8] = b"__LINKEDIT";

/// The first segment of a program.
const CODE: &[u8] = b"__TEXT";

pub(super) fn image(file: &[u8]) -> Option<Image> {
    let header = MachHeader64::<Endianness>::parse(file, 0).ok()?;
    let endian = header.endian().ok()?;
    if header.filetype(endian) != MH_EXECUTE {
        return None;
    }
    let mut image = Image::default();
    image.add(part(file, 0, 16)?);
    image.add(&header.flags(endian).to_le_bytes());
    // Where symbols are bound by the table of symbols, that would count, too.
    let mut is_bound = false;
    let mut commands = header.load_commands(endian, file, 0).ok()?;
    while let Some(command) = commands.next().ok()? {
        match command.cmd() {
            LC_SEGMENT_64 => add_segment(&mut image, command, endian, file)?,
            LC_DYLD_INFO | LC_DYLD_INFO_ONLY => {
                let info = command.dyld_info().ok()??;
                for (start, length) in [
                    (info.rebase_off, info.rebase_size),
                    (info.bind_off, info.bind_size),
                    (info.weak_bind_off, info.weak_bind_size),
                    (info.lazy_bind_off, info.lazy_bind_size),
                    (info.export_off, info.export_size),
                ] {
                    image.add(part(
                        file,
                        start.get(endian).into(),
                        length.get(endian).into(),
                    )?);
                }
                is_bound = true;
            }
            LC_DYLD_CHAINED_FIXUPS | LC_DYLD_EXPORTS_TRIE => {
                let table = command.data::<LinkeditDataCommand<Endianness>>().ok()?;
                let [start, length] = [table.dataoff, table.datasize].map(|one| one.get(endian));
                image.add(part(file, start.into(), length.into())?);
                is_bound |= command.cmd() == LC_DYLD_CHAINED_FIXUPS;
            }
            LC_LOAD_DYLIB | LC_LOAD_WEAK_DYLIB => {
                let library = command.dylib().ok()??;
                let name = command.string(endian, library.dylib.name).ok()?;
                if !name.starts_with(b"/") {
                    image.note_relative_libraries();
                }
                image.add(command.raw_data());
            }
            LC_RPATH => {
                image.note_relative_libraries();
                image.add(command.raw_data());
            }
            LC_LOAD_DYLINKER
            | LC_MAIN
            | LC_BUILD_VERSION
            | LC_VERSION_MIN_MACOSX
            | LC_SOURCE_VERSION => image.add(command.raw_data()),
            LC_SYMTAB | LC_DYSYMTAB | LC_UUID | LC_CODE_SIGNATURE | LC_FUNCTION_STARTS
            | LC_DATA_IN_CODE => {}
            _ => return None,
        }
    }
    is_bound.then_some(image)
}

/// Adds the description of a segment and the contents of its sections.
fn add_segment(
    image: &mut Image,
    command: LoadCommandData<'_, Endianness>,
    endian: Endianness,
    file: &[u8],
) -> Option<()> {
    let (segment, sections) = command.segment_64().ok()??;
    if segment.name() == TABLES {
        return Some(());
    }
    image.add(command.raw_data());
    for section in segment.sections(endian, sections).ok()? {
        let contents = section.data(endian, file).ok()?;
        if section.flags(endian) & (S_ATTR_PURE_INSTRUCTIONS | S_ATTR_SOME_INSTRUCTIONS) == 0 {
            image.add(contents);
        } else {
            image.add_code(contents);
        }
        image.note_address(section.addr(endian), contents);
    }
    if segment.name() == CODE {
        image.addresses.base = segment.vmaddr(endian);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command with these words after its number and its length.
    fn command(number: u32, words: &[u32]) -> Vec<u8> {
        let length = 8 + 4 * words.len() as u32;
        let words = [number, length].into_iter().chain(words.iter().copied());
        words.flat_map(u32::to_le_bytes).collect()
    }

    fn name(text: &str) -> [u32; 4] {
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        [0, 4, 8, 12].map(|at| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")))
    }

    /// A program with this code, these bindings, this id, and more commands.
    fn program(code: u8, bindings: u8, id: u32, more: &[u8]) -> Vec<u8> {
        const CODE: u32 = 0x800;
        let [segment, section] = ["__TEXT", "__text"].map(name);
        let range = [0x1000, 0, 0x1000, 0, 0, 0, 0x1000, 0];
        let of_section = [0x1800, 0, 16, 0, CODE, 0, 0, 0, 0, 0, 0, 0];
        let text = [
            &segment[..],
            &range,
            &[5, 5, 1, 0],
            &section,
            &segment,
            &of_section,
        ]
        .concat();
        let fixups = command(LC_DYLD_CHAINED_FIXUPS, &[CODE + 16, 16]);
        let commands = [
            command(LC_SEGMENT_64, &text),
            fixups,
            command(LC_UUID, &[id; 4]),
        ]
        .concat();
        let count = if more.is_empty() { 3 } else { 4 };
        let size = (commands.len() + more.len()) as u32;
        // 64 bits, Arm.
        let header = [0xfeed_facf, 0x0100_000c, 0, MH_EXECUTE, count, size, 0, 0];
        let mut file: Vec<u8> = header
            .iter()
            .flat_map(|word: &u32| word.to_le_bytes())
            .collect();
        file.extend([&commands, more].concat());
        file.resize(CODE as usize, 0);
        file.extend([code; 16]);
        file.extend([bindings; 16]);
        file
    }

    #[test]
    fn the_id_does_not_count_and_bindings_do() {
        let of = |code, bindings, id| image(&program(code, bindings, id, &[]));
        let expected = of(1, 2, 3);
        assert!(expected.is_some());
        assert_eq!(of(1, 2, 4), expected);
        assert_ne!(of(7, 2, 3), expected);
        assert_ne!(of(1, 7, 3), expected);
    }

    #[test]
    fn other_commands_are_not_known() {
        let of = |more: &[u8]| image(&program(1, 2, 3, more));
        let path = command(LC_RPATH, &[12, u32::from_le_bytes(*b"/a\0\0")]);
        assert!(of(&path).expect("an image").has_relative_libraries());
        assert_eq!(of(&command(0x3333, &[])), None);
    }
}
