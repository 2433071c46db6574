//! ELF files: the symbols of executables, and padding objects.

use object::elf::{SHF_ALLOC, SHF_GNU_RETAIN, SHF_WRITE};
use object::read::elf::ElfFile64;
use object::write;
use object::{
    Architecture, BinaryFormat, Endianness, FileFlags, LittleEndian, Object, ObjectSymbol,
    SectionFlags, SectionKind, SymbolKind,
};

/// A named function or datum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// The machine of an executable, and its flags for the linker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    architecture: Architecture,
    flags: FileFlags,
}

/// The functions and data that an executable defines, in the order of its table, and its machine; `None`
/// if it is not a little-endian 64-bit ELF file.
pub(crate) fn read(file: &[u8]) -> Option<(Vec<Symbol>, Machine)> {
    let elf = ElfFile64::<LittleEndian>::parse(file).ok()?;
    let mut symbols = Vec::new();
    for symbol in elf.symbols() {
        let is_named = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data);
        if is_named
            && symbol.is_definition()
            && let Ok(name) = symbol.name()
            && !name.is_empty()
        {
            symbols.push(Symbol {
                name: name.to_owned(),
                bytes: symbol.size(),
            });
        }
    }
    let machine = Machine {
        architecture: elf.architecture(),
        flags: elf.flags(),
    };
    Some((symbols, machine))
}

/// An object of zeros, which take no space in the file. The heap begins after a program's zeros.
pub(crate) fn padding(machine: Machine, bytes: u64) -> Option<Vec<u8>> {
    let mut object =
        write::Object::new(BinaryFormat::Elf, machine.architecture, Endianness::Little);
    object.flags = machine.flags;
    let name = b".bss.room".to_vec();
    let section = object.add_section(Vec::new(), name, SectionKind::UninitializedData);
    object.append_section_bss(section, bytes, 1);
    // Kept although nothing refers to it.
    object.section_mut(section).flags = SectionFlags::Elf {
        sh_flags: u64::from(SHF_WRITE | SHF_ALLOC | SHF_GNU_RETAIN),
    };
    object.write().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(
        target_os = "linux",
        target_pointer_width = "64",
        target_endian = "little"
    ))]
    #[test]
    fn this_executable_has_this_function() {
        use object::ObjectSection;

        let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        let (symbols, machine) = read(&own).expect("an ELF file");
        let this = "this_executable_has_this_function";
        let mut all = symbols.iter();
        assert!(all.any(|symbol| symbol.name.contains(this) && symbol.bytes > 0));
        assert!(symbols.iter().any(|symbol| symbol.name == "main"));

        let object = padding(machine, 0x5000).expect("an object");
        assert!(object.len() < 0x1000, "zeros take no space");
        let object = ElfFile64::<LittleEndian>::parse(&*object).expect("an ELF file");
        assert_eq!(object.architecture(), machine.architecture);
        let room = object.section_by_name(".bss.room").expect("a section");
        assert_eq!(room.size(), 0x5000);
    }

    #[test]
    fn other_files_have_none() {
        for file in [&b""[..], b"MZ and more", b"\x7fELF\x02\x01"] {
            assert!(read(file).is_none());
        }
    }
}
