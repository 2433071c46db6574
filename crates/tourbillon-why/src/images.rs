//! The files that are mapped into a program: their symbols, their lines, their code.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use addr2line::gimli::{AbbreviationsCacheStrategy, Dwarf, EndianSlice, LittleEndian, SectionId};
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};
use tourbillon_stepper::{Mapping, Trace};
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

use crate::debug_extent::is_too_much;
use crate::frame::{Frame, short_path};

/// Bytes of the longest name of a symbol: names share their bytes, and a file could have any number of long ones.
const LONGEST_SYMBOL: usize = 1 << 14;
/// Those of the longest name as people write it.
const LONGEST_NAME: usize = 1 << 12;

type Bytes<'d> = EndianSlice<'d, LittleEndian>;

/// Which instruction it is, whatever the address at which its file is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The number of its mapping's file.
    pub(crate) image: usize,
    /// The address that the file has for it.
    pub(crate) address: u64,
}

/// The contents of the files in which instructions were executed.
#[derive(Debug)]
pub(crate) struct Contents {
    mappings: Vec<Mapping>,
    /// Each file once.
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Debug sections of the files that are not stored as they are read.
    sections: Vec<Vec<(SectionId, Vec<u8>)>>,
}

impl Contents {
    /// Reads the files. One that cannot be read has no symbols.
    pub(crate) fn read(steps: &Trace) -> Contents {
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for mapping in &steps.mappings {
            let is_executed = || {
                let mut addresses = steps.steps.iter().map(|step| step.address);
                addresses.any(|address| mapping.has(address))
            };
            if !files.iter().any(|(path, _)| *path == mapping.path) && is_executed() {
                let bytes = regular_file::read(&mapping.path, EXECUTABLE_BYTES);
                files.push((mapping.path.clone(), bytes.unwrap_or_default()));
            }
        }
        Contents {
            mappings: steps.mappings.clone(),
            sections: files.iter().map(|(_, bytes)| sections(bytes)).collect(),
            files,
        }
    }

    /// The same without lines.
    pub(crate) fn without_lines(mut self) -> Contents {
        self.sections.iter_mut().for_each(Vec::clear);
        self
    }

    /// Their symbols and lines; files of the checkout are named from its root.
    pub(crate) fn images(&self, root: Option<&Path>) -> Images<'_> {
        let files = self.files.iter().zip(&self.sections);
        Images {
            mappings: &self.mappings,
            images: files
                .map(|((path, bytes), sections)| Image::new(path, bytes, sections))
                .collect(),
            root: root.map(Path::to_owned),
        }
    }
}

/// What debug sections say.
fn dwarf(sections: &[(SectionId, Vec<u8>)]) -> Option<Dwarf<Bytes<'_>>> {
    let loaded = Dwarf::load(|id| {
        let found = sections.iter().find(|(section, _)| *section == id);
        let bytes = found.map_or(&[][..], |(_, bytes)| bytes);
        Ok::<_, addr2line::gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    });
    let mut dwarf = loaded.ok()?;
    // Units can share a table of them, too.
    dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::Duplicates);
    Some(dwarf)
}

/// The debug sections of an ELF file; none for another file, none that is compressed, and none of a file with
/// [more in them](is_too_much) than compilers write.
fn sections(bytes: &[u8]) -> Vec<(SectionId, Vec<u8>)> {
    let Ok(file) = ElfFile64::<object::LittleEndian>::parse(bytes) else {
        return Vec::new();
    };
    let wanted = [
        SectionId::DebugAbbrev,
        SectionId::DebugAddr,
        SectionId::DebugAranges,
        SectionId::DebugInfo,
        SectionId::DebugLine,
        SectionId::DebugLineStr,
        SectionId::DebugRanges,
        SectionId::DebugRngLists,
        SectionId::DebugStr,
        SectionId::DebugStrOffsets,
    ];
    let read = |id: SectionId| {
        let section = file.section_by_name(id.name())?;
        Some((id, section.uncompressed_data().ok()?.into_owned()))
    };
    let found: Vec<(SectionId, Vec<u8>)> = wanted.into_iter().filter_map(read).collect();
    if dwarf(&found).is_some_and(|whole| is_too_much(&whole)) {
        return Vec::new();
    }
    found
}

/// The files of a program in memory.
pub(crate) struct Images<'d> {
    mappings: &'d [Mapping],
    images: Vec<Image<'d>>,
    root: Option<PathBuf>,
}

/// One of them.
struct Image<'d> {
    path: &'d Path,
    /// The last part of its path.
    name: Cow<'d, str>,
    /// By their addresses.
    symbols: Vec<Symbol<'d>>,
    /// Parts of the file: where each begins in it, its bytes, and the address of the first.
    segments: Vec<(u64, &'d [u8], u64)>,
    lines: Option<addr2line::Context<Bytes<'d>>>,
}

/// A function as the file names it.
#[derive(Clone, Debug)]
pub(crate) struct Symbol<'d> {
    pub(crate) start: u64,
    /// The address after its last instruction.
    pub(crate) end: u64,
    /// In the file, which may have the same bytes for any number of symbols.
    mangled: &'d str,
}

impl Symbol<'_> {
    /// Its name as people write it.
    pub(crate) fn name(&self) -> String {
        demangled(self.mangled)
    }
}

impl<'d> Image<'d> {
    fn new(path: &'d Path, bytes: &'d [u8], sections: &'d [(SectionId, Vec<u8>)]) -> Image<'d> {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let mut image = Image {
            path,
            name: name.to_string_lossy(),
            symbols: Vec::new(),
            segments: Vec::new(),
            lines: None,
        };
        let Ok(file) = ElfFile64::<object::LittleEndian>::parse(bytes) else {
            return image;
        };
        image.symbols = symbols(&file);
        for segment in file.segments() {
            if let Ok(bytes) = segment.data() {
                let (offset, _) = segment.file_range();
                image.segments.push((offset, bytes, segment.address()));
            }
        }
        if sections.iter().any(|(id, _)| *id == SectionId::DebugInfo) {
            image.lines =
                dwarf(sections).and_then(|whole| addr2line::Context::from_dwarf(whole).ok());
        }
        image
    }

    /// The address of what is at a place of the file.
    fn address(&self, offset: u64) -> Option<u64> {
        let mut segments = self.segments.iter();
        segments.find_map(|(start, bytes, address)| {
            let within = offset.checked_sub(*start)?;
            let is_within = within < bytes.len() as u64;
            address.checked_add(within).filter(|_| is_within)
        })
    }

    fn symbol(&self, address: u64) -> Option<&Symbol<'d>> {
        let after = self
            .symbols
            .partition_point(|symbol| symbol.start <= address);
        let symbol = self.symbols[..after].last()?;
        (address < symbol.end).then_some(symbol)
    }
}

/// The functions of a file, by their addresses, each address once.
fn symbols<'d>(file: &ElfFile64<'d, object::LittleEndian>) -> Vec<Symbol<'d>> {
    let all = file.symbols().chain(file.dynamic_symbols());
    let functions = all.filter(|symbol| {
        symbol.is_definition() && symbol.kind() == SymbolKind::Text && symbol.address() > 0
    });
    let mut symbols: Vec<Symbol<'_>> = functions
        .filter_map(|symbol| {
            let name = symbol.name().ok().filter(|name| !name.is_empty())?;
            Some(Symbol {
                start: symbol.address(),
                end: symbol.address().saturating_add(symbol.size()),
                mangled: beginning(name),
            })
        })
        .collect();
    // Of several names of one function, the shortest one: `malloc` and `__libc_malloc`.
    symbols.sort_by(|one, other| {
        let key = |symbol: &Symbol<'_>| {
            let has_no_size = symbol.end == symbol.start;
            (symbol.start, has_no_size, symbol.mangled.len())
        };
        key(one)
            .cmp(&key(other))
            .then_with(|| one.mangled.cmp(other.mangled))
    });
    symbols.dedup_by_key(|symbol| symbol.start);
    for at in 0..symbols.len() {
        let next = symbols.get(at + 1).map_or(u64::MAX, |next| next.start);
        let symbol = &mut symbols[at];
        if symbol.end == symbol.start {
            // Written in assembly, without a size.
            symbol.end = next;
        }
    }
    symbols
}

/// A name that is not too long.
fn beginning(name: &str) -> &str {
    let mut end = name.len().min(LONGEST_SYMBOL);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// A name as people write it, without the hash of its crate; of one that refers to itself and becomes long, the beginning.
pub(crate) fn demangled(name: &str) -> String {
    let mut short = ShortName(String::new());
    let is_whole = write!(short, "{:#}", rustc_demangle::demangle(name)).is_ok();
    let ShortName(text) = short;
    if is_whole { text } else { text + ".." }
}

/// A name of limited length.
struct ShortName(String);

impl fmt::Write for ShortName {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST_NAME {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

impl<'d> Images<'d> {
    /// Which instruction is at an address of the program; `None` outside of all files.
    pub(crate) fn place(&self, address: u64) -> Option<Place> {
        let mapping = self.mappings.iter().find(|mapping| mapping.has(address))?;
        let mut paths = self.images.iter().map(|image| image.path);
        let image = paths.position(|path| path == mapping.path)?;
        let offset = (address - mapping.start).checked_add(mapping.offset)?;
        let address = self.images[image].address(offset).unwrap_or(offset);
        Some(Place { image, address })
    }

    /// Whether an instruction is in this file.
    pub(crate) fn is_of(&self, place: Place, path: &Path) -> bool {
        self.images[place.image].path == path
    }

    /// The function that has an instruction; `None` where the file names none.
    pub(crate) fn symbol(&self, place: Place) -> Option<&Symbol<'d>> {
        self.images[place.image].symbol(place.address)
    }

    /// The name of a function without a symbol, by its file and address.
    pub(crate) fn unnamed(&self, place: Place) -> String {
        format!("{}+{:#x}", self.images[place.image].name, place.address)
    }

    /// The machine code from an address on, up to the end of its segment.
    pub(crate) fn code(&self, place: Place) -> &[u8] {
        let mut segments = self.images[place.image].segments.iter();
        let found = segments.find_map(|(_, bytes, start)| {
            let within = place.address.checked_sub(*start)?;
            bytes.get(usize::try_from(within).ok()?..)
        });
        found.unwrap_or_default()
    }

    /// Whether its line is known. The standard library has lines in programs that have none of their own.
    pub(crate) fn has_line(&self, place: Place) -> bool {
        let frames = self.inlined(place);
        frames
            .iter()
            .any(|frame| frame.path.is_some() && !frame.is_of_std())
    }

    /// The functions that an instruction belongs to, the innermost one first; those that are inlined come before the
    /// one that has the code. `entry` is where that one begins if the file does not name it.
    pub(crate) fn frames(&self, place: Place, entry: Option<Place>) -> Vec<Frame> {
        let mut frames = self.inlined(place);
        let outer = match self.symbol(place) {
            Some(symbol) => symbol.name(),
            None => self.unnamed(
                entry
                    .filter(|entry| entry.image == place.image)
                    .unwrap_or(place),
            ),
        };
        if frames.is_empty() {
            frames.push(Frame::default());
        }
        if let Some(last) = frames.last_mut() {
            if last.function.is_empty() {
                last.function.clone_from(&outer);
            }
            last.symbol = Some(outer);
            let start = self.symbol(place).map(|symbol| Place {
                address: symbol.start,
                ..place
            });
            // Code of a function may come from a line of another file, or from none.
            let first = start.and_then(|start| self.inlined(start).pop());
            last.home = first.and_then(|first| first.file);
        }
        frames
    }

    /// The same as debug information has them; the last one is the function that has the code.
    fn inlined(&self, place: Place) -> Vec<Frame> {
        let lines = self.images[place.image].lines.as_ref();
        let found = lines.map(|lines| lines.find_frames(place.address).skip_all_loads());
        let Some(Ok(mut found)) = found else {
            return Vec::new();
        };
        let mut frames = Vec::new();
        while let Ok(Some(frame)) = found.next() {
            let location = frame.location.as_ref();
            let path = location.and_then(|location| location.file);
            let file = path.map(|path| short_path(path, self.root.as_deref()));
            let name = frame
                .function
                .as_ref()
                .and_then(|name| name.raw_name().ok());
            frames.push(Frame {
                function: name.map_or_else(String::new, |name| demangled(&name)),
                symbol: None,
                path: path.map(PathBuf::from),
                home: file.clone(),
                file,
                line: location.and_then(|location| location.line),
            });
        }
        frames
    }

    /// The places at which functions with such a name begin.
    pub(crate) fn entries(&self, is_wanted: impl Fn(&str) -> bool) -> HashSet<Place> {
        let images = self.images.iter().enumerate();
        let entries = images.flat_map(|(image, one)| {
            let symbols = one
                .symbols
                .iter()
                .filter(|symbol| is_wanted(&symbol.name()));
            symbols.map(move |symbol| (image, symbol.start))
        });
        entries
            .map(|(image, address)| Place { image, address })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded() {
        assert_eq!(beginning("sort"), "sort");
        let long = "é".repeat(LONGEST_SYMBOL);
        assert_eq!(beginning(&format!("a{long}")).len(), LONGEST_SYMBOL - 1);
        assert_eq!(demangled("_RNvC4shop4sort"), "shop::sort");
        let long = "x".repeat(LONGEST_NAME);
        assert_eq!(demangled(&long), long);
        assert_eq!(demangled(&format!("{long}x")), "..");
    }
}
