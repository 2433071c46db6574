//! The functions in objects of Windows and macOS, and in libraries of them.

use std::collections::BTreeMap;

use object::read::archive::ArchiveFile;
use object::{BinaryFormat, File, Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::placement::elf::Symbol;

/// The functions that a linker can order in an object or in the objects of a library; none in other files.
pub(crate) fn functions(file: &[u8]) -> Vec<Symbol> {
    let Ok(library) = ArchiveFile::parse(file) else {
        return File::parse(file).map_or_else(|_| Vec::new(), |object| of(&object));
    };
    let members = library.members().flatten();
    let objects = members.filter_map(|member| File::parse(member.data(file).ok()?).ok());
    objects.flat_map(|object| of(&object)).collect()
}

/// The functions of an object, in the order of their names.
fn of(object: &File<'_>) -> Vec<Symbol> {
    let is_macho = object.format() == BinaryFormat::MachO;
    // By section and address: neither format has sizes.
    let mut starts: BTreeMap<(usize, u64), Vec<&str>> = BTreeMap::new();
    for symbol in object.symbols() {
        let is_function = symbol.is_definition() && symbol.kind() == SymbolKind::Text;
        let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) else {
            continue;
        };
        // What begins a section has the section's name in some objects.
        if is_function && !name.is_empty() && !name.starts_with('.') {
            starts
                .entry((section.0, symbol.address()))
                .or_default()
                .push(name);
        }
    }
    let mut functions = Vec::new();
    let mut following = starts.keys().copied().skip(1);
    for (&(section, start), names) in &starts {
        let next = following.next().filter(|(other, _)| *other == section);
        let end = next.map(|(_, address)| address).or_else(|| {
            let section = object
                .section_by_index(object::SectionIndex(section))
                .ok()?;
            // Addresses of Mach-O are those of the file, of COFF those of the section.
            let first = if is_macho { section.address() } else { 0 };
            Some(first + section.size())
        });
        functions.extend(names.iter().map(|name| Symbol {
            name: (*name).to_owned(),
            bytes: end.unwrap_or(start).saturating_sub(start),
        }));
    }
    functions.sort_by(|one, other| one.name.cmp(&other.name));
    functions
}

#[cfg(test)]
mod tests {
    use object::write::{self, StandardSection, SymbolSection};
    use object::{Architecture, Endianness, SymbolFlags, SymbolScope};

    use super::*;

    /// An object with a function of 16 and one of 32 bytes, each in a section of its own or both in one.
    fn object(format: BinaryFormat) -> Vec<u8> {
        let mut object = write::Object::new(format, Architecture::X86_64, Endianness::Little);
        for (name, bytes) in [("second", 16), ("first", 32)] {
            let own = match format {
                BinaryFormat::MachO => object.section_id(StandardSection::Text),
                _ => object.add_subsection(StandardSection::Text, name.as_bytes()),
            };
            let at = object.append_section_data(own, &vec![0x90; bytes], 16);
            object.add_symbol(write::Symbol {
                name: name.as_bytes().to_vec(),
                value: at,
                size: bytes as u64,
                kind: SymbolKind::Text,
                scope: SymbolScope::Linkage,
                weak: false,
                section: SymbolSection::Section(own),
                flags: SymbolFlags::None,
            });
        }
        object.write().expect("an object")
    }

    fn expected(prefix: &str) -> Vec<Symbol> {
        [("first", 32), ("second", 16)]
            .map(|(name, bytes)| Symbol {
                name: format!("{prefix}{name}"),
                bytes,
            })
            .to_vec()
    }

    #[test]
    fn functions_have_names_and_sizes() {
        assert_eq!(functions(&object(BinaryFormat::Coff)), expected(""));
        assert_eq!(functions(&object(BinaryFormat::MachO)), expected("_"));
    }

    #[test]
    fn a_library_has_the_functions_of_its_objects() {
        let object = object(BinaryFormat::Coff);
        let mut library = b"!<arch>\n".to_vec();
        for (name, data) in [("lib.rmeta/", &b"no object "[..]), ("a.o/", &object)] {
            let length = data.len();
            let head = format!("{name:<16}{0:<12}{0:<6}{0:<6}{1:<8}{length:<10}`\n", 0, 644);
            library.extend(head.as_bytes());
            library.extend(data);
            if length % 2 == 1 {
                library.push(b'\n');
            }
        }
        assert_eq!(functions(&library), expected(""));
    }

    #[test]
    fn other_files_have_none() {
        for file in [&b""[..], b"MZ and more", b"!<arch>\n"] {
            assert_eq!(functions(file), []);
        }
    }
}
