//! A program that was linked with each input section apart, and with its relocations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use object::elf::{
    EM_X86_64, R_X86_64_COPY, R_X86_64_IRELATIVE, R_X86_64_NONE, R_X86_64_RELATIVE, SHF_ALLOC,
    SHF_EXECINSTR, SHN_ABS, SHT_RELA, STT_FUNC, STT_GNU_IFUNC, STT_SECTION, STT_TLS,
};
use object::read::elf::{ElfFile64, FileHeader, Rela, SectionHeader, Sym, SymbolTable};
use object::{LittleEndian, SectionIndex, SymbolIndex};

use super::atom::{Atom, Edge, Reference, Target};
use super::loading::{ENDIAN, Loading, called, tls_address};
use super::place::Place;
use super::relocation::{field, is_load, is_relative};
use super::sections::{Section, Sections};
use super::unwinding::frames;

type Header = object::elf::FileHeader64<LittleEndian>;
type Symbol = object::elf::Sym64<LittleEndian>;
type Symbols<'f> = SymbolTable<'f, Header>;

/// Symbols of the linker whose meaning is the same in all programs; others have the size of the program in them.
const OF_LINKER: [&str; 5] = [
    "__dso_handle",
    "__ehdr_start",
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
    "_TLS_MODULE_BASE_",
];
const OF_SIZE: [&str; 10] = [
    "__bss_start",
    "__executable_start",
    "__rela_iplt_start",
    "__rela_iplt_end",
    "_edata",
    "_end",
    "_etext",
    "edata",
    "end",
    "etext",
];

/// Its atoms, and what the system does with it.
#[derive(Debug)]
pub(super) struct Program<'f> {
    atoms: Vec<Atom<'f>>,
    /// The atoms of all sections of a name.
    pub(super) groups: HashMap<&'f str, Vec<u32>>,
    /// Where it begins.
    pub(super) entry: Place,
    /// What other programs and libraries may call, by its name; and what chooses functions when it is loaded. Versions of
    /// a function, and functions of several files, have one name.
    pub(super) exports: BTreeMap<&'f str, Vec<Place>>,
    /// What the dynamic table names for the system to call.
    pub(super) called: Vec<Place>,
    /// The versions of what libraries are asked for, by its name.
    pub(super) imports: BTreeMap<&'f str, BTreeSet<&'f [u8]>>,
    pub(super) loading: Loading,
}

impl<'f> Program<'f> {
    /// Reads an executable.
    ///
    /// # Errors
    ///
    /// What is not understood.
    pub(super) fn read(file: &'f [u8]) -> Result<Program<'f>, &'static str> {
        let elf = ElfFile64::<LittleEndian>::parse(file).map_err(|_| "it is no executable")?;
        if elf.elf_header().e_machine(ENDIAN) != EM_X86_64 {
            return Err("relocations of its processor are not known");
        }
        Reading::new(&elf, file)
            .and_then(|reading| reading.program(&elf, file))
            .ok_or("its sections cannot be read")?
    }

    pub(super) fn atom(&self, number: u32) -> &Atom<'f> {
        &self.atoms[number as usize]
    }

    pub(super) fn atoms(&self) -> &[Atom<'f>] {
        &self.atoms
    }

    /// Gives an atom a part that does not count.
    pub(super) fn ignore(&mut self, atom: u32, start: u64, width: u64) {
        let references = &mut self.atoms[atom as usize].references;
        let at = references.partition_point(|one| one.start < start);
        references.insert(
            at,
            Reference {
                start,
                width,
                kind: R_X86_64_NONE,
                target: Target::Fixed(0),
            },
        );
    }
}

/// What a relative field is in, where the address that it counts from is known.
#[derive(Clone, Copy)]
enum From {
    /// The end of an instruction that loads a register: the second half of a constant is four bytes on.
    Load,
    /// The beginning of a table of distances from there.
    Table,
}

/// What is known while a program is read.
struct Reading<'f> {
    sections: Sections<'f>,
    atoms: Vec<Atom<'f>>,
    symbols: Symbols<'f>,
    /// Where the memory of each thread has its pattern.
    tls: u64,
}

impl<'f> Reading<'f> {
    fn new(elf: &ElfFile64<'f, LittleEndian>, file: &'f [u8]) -> Option<Reading<'f>> {
        let (sections, atoms) = Sections::read(elf, file)?;
        Some(Reading {
            sections,
            atoms,
            symbols: *elf.elf_symbol_table(),
            tls: tls_address(elf),
        })
    }

    fn program(
        mut self,
        elf: &ElfFile64<'f, LittleEndian>,
        file: &'f [u8],
    ) -> Option<Result<Program<'f>, &'static str>> {
        let mut exports = self.name_atoms()?;
        let mut imports: BTreeMap<&str, BTreeSet<&[u8]>> = BTreeMap::new();
        let symbols = elf.elf_dynamic_symbol_table();
        let versions = elf.elf_section_table().versions(ENDIAN, file).ok()?;
        for (index, symbol) in symbols.enumerate() {
            let name = symbols.symbol_name(ENDIAN, symbol).ok()?;
            let name = std::str::from_utf8(name).ok()?;
            if symbol.is_undefined(ENDIAN) {
                let version = match &versions {
                    Some(versions) => versions
                        .version(versions.version_index(ENDIAN, index))
                        .ok()?,
                    None => None,
                };
                let name_of_version = version.map_or(&[][..], |version| version.name());
                imports.entry(name).or_default().insert(name_of_version);
            } else if !OF_SIZE.contains(&name) || symbol.st_type() == STT_FUNC {
                let place = self.sections.at(self.address(symbol)?)?;
                exports.entry(name).or_default().push(place);
            }
        }
        self.add_references(elf, file)?;
        if let Err(why) = self.add_loaded_references(elf, file)? {
            return Some(Err(why));
        }
        if self.add_frames().is_none() {
            return Some(Err("its tables for unwinding are not known"));
        }
        let entry = self.sections.at(elf.elf_header().e_entry(ENDIAN))?;
        let called = called(elf, file)?;
        let called: Option<Vec<Place>> = called.map(|address| self.sections.at(address)).collect();
        Some(Ok(Program {
            loading: Loading::read(elf, file)?,
            called: called?,
            imports,
            groups: self.sections.groups,
            atoms: self.atoms,
            entry,
            exports,
        }))
    }

    /// Gives atoms the names of what they begin with; what chooses functions.
    fn name_atoms(&mut self) -> Option<BTreeMap<&'f str, Vec<Place>>> {
        let mut choosing: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        for (index, symbol) in self.symbols.enumerate() {
            let section = self.symbols.symbol_section(ENDIAN, symbol, index).ok()?;
            let section = section.and_then(|section| self.sections.get(section));
            let name = self.symbols.symbol_name(ENDIAN, symbol).ok()?;
            let (Ok(name), Some(section), false) = (
                std::str::from_utf8(name),
                section,
                symbol.st_type() == STT_SECTION,
            ) else {
                continue;
            };
            let place = self.place_of(symbol, section)?;
            if symbol.st_type() == STT_GNU_IFUNC {
                choosing.entry(name).or_default().push(place);
            }
            let atom = &mut self.atoms[place.atom as usize];
            if place.offset == 0 && (atom.name.is_empty() || symbol.st_type() == STT_FUNC) {
                atom.name = name;
            }
        }
        Some(choosing)
    }

    /// The place of a symbol that is defined in a section.
    fn place_of(&self, symbol: &Symbol, section: &Section<'_>) -> Option<Place> {
        section.place(self.address(symbol)?.checked_sub(section.address)?)
    }

    fn address(&self, symbol: &Symbol) -> Option<u64> {
        let is_of_thread = symbol.st_type() == STT_TLS;
        let base = if is_of_thread { self.tls } else { 0 };
        symbol.st_value(ENDIAN).checked_add(base)
    }

    /// Adds what the relocations of the objects name.
    fn add_references(&mut self, elf: &ElfFile64<'f, LittleEndian>, file: &'f [u8]) -> Option<()> {
        for header in elf.elf_section_table().iter() {
            let is_loaded = header.sh_flags(ENDIAN) & u64::from(SHF_ALLOC) != 0;
            if header.sh_type(ENDIAN) != SHT_RELA || is_loaded {
                continue;
            }
            let Some(section) = self
                .sections
                .get(SectionIndex(header.sh_info(ENDIAN) as usize))
                .cloned()
            else {
                continue;
            };
            let (relocations, _) = header.rela(ENDIAN, file).ok()??;
            for relocation in relocations {
                let kind = relocation.r_type(ENDIAN, false);
                if kind == R_X86_64_NONE {
                    continue;
                }
                let offset = relocation.r_offset(ENDIAN).checked_sub(section.address)?;
                let place = section.place(offset)?;
                let start = u64::try_from(place.offset).ok()?;
                let atom = &self.atoms[place.atom as usize];
                let bytes = atom.bytes;
                let from = if atom.flags & u64::from(SHF_EXECINSTR) == 0 {
                    (start == 0).then_some(From::Table)
                } else {
                    is_load(bytes, start).then_some(From::Load)
                };
                let reference = match field(kind, start, bytes) {
                    Some((start, width)) => Reference {
                        start,
                        width,
                        kind,
                        target: self.target(relocation, kind, from)?,
                    },
                    None => Reference {
                        start,
                        width: 0,
                        kind,
                        target: Target::Unknown("a relocation of a kind that is not known"),
                    },
                };
                self.atoms[place.atom as usize].references.push(reference);
            }
        }
        for atom in &mut self.atoms {
            atom.references.sort_by_key(|one| (one.start, one.kind));
        }
        Some(())
    }

    /// What a relocation names.
    fn target(
        &self,
        relocation: &object::elf::Rela64<LittleEndian>,
        kind: u32,
        from: Option<From>,
    ) -> Option<Target<'f>> {
        let addend = relocation.r_addend(ENDIAN);
        let index = SymbolIndex(relocation.r_sym(ENDIAN, false) as usize);
        let symbol = self.symbols.symbol(index).ok()?;
        let name = std::str::from_utf8(self.symbols.symbol_name(ENDIAN, symbol).ok()?).ok()?;
        let section = self.symbols.symbol_section(ENDIAN, symbol, index).ok()?;
        let defined_in = section.and_then(|section| self.sections.get(section));
        // A function of the program may have such a name, too.
        if let Some((array, edge)) = bounded(name)
            && defined_in.is_none_or(|section| section.name == array)
        {
            let known = self.sections.groups.get_key_value(array.as_str());
            let group = known.map_or("", |(name, _)| name);
            return Some(Target::Group(group, edge, addend));
        }
        if OF_LINKER.contains(&name) {
            return Some(Target::Symbol(name, addend));
        }
        if OF_SIZE.contains(&name) {
            return Some(Target::Unknown("the size of the program"));
        }
        if section.is_none() {
            return Some(if symbol.st_shndx(ENDIAN) == SHN_ABS {
                Target::Fixed(symbol.st_value(ENDIAN).wrapping_add_signed(addend))
            } else {
                Target::Symbol(name, addend)
            });
        }
        let Some(section) = defined_in else {
            return Some(Target::Unknown("a table of the linker"));
        };
        if symbol.st_type() != STT_SECTION {
            let mut place = self.place_of(symbol, section)?;
            place.offset = place.offset.checked_add(addend)?;
            return Some(Target::Place(place));
        }
        if !section.is_divided() {
            let place = section.place(0)?;
            return Some(Target::Place(Place {
                offset: addend,
                ..place
            }));
        }
        let place = section.place(u64::try_from(addend).ok()?)?;
        let size = self.atoms[place.atom as usize].size;
        // Compilers name constants by their section only where nothing is added to its address in the end.
        let is_known = match from {
            Some(From::Load) => u64::try_from(place.offset + 4).is_ok_and(|half| half < size),
            Some(From::Table) => true,
            None => !is_relative(kind),
        };
        Some(if is_known {
            Target::Place(place)
        } else {
            Target::Unknown("a place between constants")
        })
    }

    /// Adds what is copied from libraries when the program is loaded, and looks whether all addresses that are filled in
    /// then are references.
    fn add_loaded_references(
        &mut self,
        elf: &ElfFile64<'f, LittleEndian>,
        file: &'f [u8],
    ) -> Option<Result<(), &'static str>> {
        let symbols = elf.elf_dynamic_symbol_table();
        for header in elf.elf_section_table().iter() {
            let is_loaded = header.sh_flags(ENDIAN) & u64::from(SHF_ALLOC) != 0;
            if header.sh_type(ENDIAN) != SHT_RELA || !is_loaded {
                continue;
            }
            let (relocations, _) = header.rela(ENDIAN, file).ok()??;
            for relocation in relocations {
                let kind = relocation.r_type(ENDIAN, false);
                let place = self.sections.at(relocation.r_offset(ENDIAN));
                let Some(place) = place.filter(|_| kind != R_X86_64_IRELATIVE) else {
                    continue;
                };
                let atom = &mut self.atoms[place.atom as usize];
                let start = u64::try_from(place.offset).ok()?;
                if kind == R_X86_64_COPY {
                    let index = SymbolIndex(relocation.r_sym(ENDIAN, false) as usize);
                    let symbol = symbols.symbol(index).ok()?;
                    let name = symbols.symbol_name(ENDIAN, symbol).ok()?;
                    atom.references.push(Reference {
                        start,
                        width: 0,
                        kind,
                        target: Target::Symbol(std::str::from_utf8(name).ok()?, 0),
                    });
                    atom.references.sort_by_key(|one| (one.start, one.kind));
                } else if kind == R_X86_64_RELATIVE && atom.reference_at(start).is_none() {
                    return Some(Err("an address in it is that of no relocation"));
                }
            }
        }
        Some(Ok(()))
    }

    /// Gives functions what unwinding them reads.
    fn add_frames(&mut self) -> Option<()> {
        for (address, section) in std::mem::take(&mut self.sections.unwinding) {
            for mut frame in frames(section, address)? {
                let place = self.sections.at(frame.start)?;
                frame.start = u64::try_from(place.offset).ok()?;
                for pointer in [frame.personality, frame.table].into_iter().flatten() {
                    let place = self.sections.at(pointer)?;
                    frame.places.push(place);
                }
                self.atoms[place.atom as usize].frames.push(frame);
            }
        }
        for atom in &mut self.atoms {
            atom.frames.sort_by_key(|frame| frame.start);
        }
        Some(())
    }
}

/// The name of the sections whose bounds a symbol of the linker is, and which of them.
fn bounded(name: &str) -> Option<(String, Edge)> {
    if let Some(section) = name.strip_prefix("__start_") {
        return Some((section.to_owned(), Edge::Start));
    }
    if let Some(section) = name.strip_prefix("__stop_") {
        return Some((section.to_owned(), Edge::End));
    }
    let array = name.strip_prefix("__")?;
    let (array, edge) = match array.strip_suffix("_start") {
        Some(array) => (array, Edge::Start),
        None => (array.strip_suffix("_end")?, Edge::End),
    };
    let is_array = matches!(array, "preinit_array" | "init_array" | "fini_array");
    is_array.then(|| (format!(".{array}"), edge))
}
