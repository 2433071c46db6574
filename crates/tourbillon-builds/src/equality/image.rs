//! What of an executable is loaded.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;

use super::panic_files::Addresses;
use crate::compile::program_variables::OF_PROGRAMS;

/// All that a system maps or interprets when it starts an executable. What differs with the folder and the moment of a
/// build is absent or zero: its id, dates, the place and the contents of debug information and of symbols that only
/// debuggers read.
#[derive(Debug, Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    /// Where in them instructions are.
    code: Vec<Range<usize>>,
    has_relative_libraries: bool,
    pub(super) addresses: Addresses,
    lower: OnceCell<Vec<u8>>,
    /// The texts that instructions move, with small letters.
    moved: OnceCell<BTreeSet<Vec<u8>>>,
}

impl PartialEq for Image {
    fn eq(&self, other: &Image) -> bool {
        self.bytes == other.bytes && self.has_relative_libraries == other.has_relative_libraries
    }
}

impl Image {
    /// Adds a part, so that no other division into parts gives the same bytes.
    pub(super) fn add(&mut self, part: &[u8]) {
        (self.lower, self.moved) = Default::default();
        self.bytes.extend((part.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(part);
    }

    /// Adds a part with instructions.
    pub(super) fn add_code(&mut self, part: &[u8]) {
        self.add(part);
        let end = self.bytes.len();
        self.code.push(end - part.len()..end);
    }

    /// That the part that was added last is at this address.
    pub(super) fn note_address(&mut self, address: u64, part: &[u8]) {
        let end = self.bytes.len();
        let place = end - part.len()..end;
        self.addresses.parts.push((address, place));
    }

    /// Adds what is loaded with it.
    pub(super) fn add_image(&mut self, other: &Image) {
        let start = self.bytes.len() + size_of::<u64>();
        self.add(&other.bytes);
        let code = other.code.iter();
        self.code
            .extend(code.map(|range| start + range.start..start + range.end));
        self.has_relative_libraries |= other.has_relative_libraries;
    }

    /// That libraries are searched relative to the folder of the executable, or to the current one.
    pub(super) fn note_relative_libraries(&mut self) {
        self.has_relative_libraries = true;
    }

    pub(super) fn has_relative_libraries(&self) -> bool {
        self.has_relative_libraries
    }

    /// Whether a program of it may name a file: by its name, in whatever case, or by parts of it where optimised code
    /// holds a short text in its instructions.
    pub(super) fn may_name(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        memmem::find(self.lower(), lower.as_bytes()).is_some() || self.builds(&lower)
    }

    /// Whether a program of it may name a folder, as it is written.
    pub(super) fn may_name_folder(&self, name: &str) -> bool {
        self.names(name) || self.builds(&name.to_ascii_lowercase())
    }

    /// Whether a program of it may ask for a variable that cargo sets when it runs it.
    pub(super) fn may_take(&self, variable: &str) -> bool {
        // The rest of the name may be that of a program.
        let is_of_program = variable.starts_with(OF_PROGRAMS);
        let name = if is_of_program { OF_PROGRAMS } else { variable };
        let code = self.code.iter().cloned();
        let mut moved = code.flat_map(|range| texts(&self.bytes[range]));
        // Most of them are of large letters, and most words of messages are not.
        self.names(name) || moved.any(|text| is_part(text, name))
    }

    /// Whether instructions have parts of a name.
    fn builds(&self, name: &str) -> bool {
        let moved = self.moved.get_or_init(|| {
            let code = self.code.iter().cloned();
            let all = code.flat_map(|range| texts(&self.bytes[range]));
            all.map(<[u8]>::to_ascii_lowercase).collect()
        });
        moved.iter().any(|text| is_part(text, name))
    }

    /// Its bytes with small letters.
    fn lower(&self) -> &[u8] {
        self.lower.get_or_init(|| self.bytes.to_ascii_lowercase())
    }

    /// Whether a text is in it.
    pub(super) fn names(&self, text: &str) -> bool {
        memmem::find(&self.bytes, text.as_bytes()).is_some()
    }

    /// Whether a program of it may start or read what was built in a target directory: it names one of its files, and not
    /// only as the source of code that a build script wrote, in the message of a panic.
    pub(super) fn names_built(&self, target: &str) -> bool {
        let mut places = memmem::find_iter(&self.bytes, target.as_bytes()).peekable();
        if places.peek().is_none() {
            return false;
        }
        let of_panics = self.addresses.panic_files(&self.bytes);
        places.any(|at| !of_panics.contains(&at))
    }

    #[cfg(test)]
    pub(super) fn from_text(text: &str) -> Image {
        let mut image = Image::default();
        image.add(text.as_bytes());
        image
    }
}

/// The start of `/proc/self`, which the standard library opens in every program. Of another path with these letters, what
/// follows them is found by itself.
const OF_SYSTEM: &[u8] = b"/proc/se";

/// The texts that instructions of x86-64 move, of four or eight bytes.
fn texts(code: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_text = |text: &&[u8]| {
        let mut bytes = text.iter();
        let is_name = bytes.all(|byte| byte.is_ascii_alphanumeric() || b"._-+/\\".contains(byte));
        is_name && *text != OF_SYSTEM
    };
    let moved = (0..code.len()).filter_map(|at| match code[at..] {
        // To a register of 64 bits, of 32 bits, to memory.
        [0x48 | 0x49, 0xB8..=0xBF, ..] => code.get(at + 2..at + 10),
        [0xB8..=0xBF, ..] => code.get(at + 1..at + 5),
        [0xC7, mode, ..] if mode & 0x38 == 0 => {
            let has_index = usize::from(mode & 7 == 4 && mode >> 6 != 3);
            let distance = match mode >> 6 {
                1 => 1,
                2 => 4,
                _ => 0,
            };
            let start = at + 2 + has_index + distance;
            code.get(start..start + 4)
        }
        _ => None,
    });
    moved.filter(is_text)
}

/// Whether a text may be a part of a path with a name in it: five letters of the name, four of a short name, or its
/// first two after a separator.
fn is_part(text: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    let is_much = |shared: usize| shared >= 5 || shared >= 4 && 2 * shared > name.len();
    let before = (0..text.len()).any(|shift| {
        let shared = (text.len() - shift).min(name.len());
        let is_after_separator = shift > 0 && matches!(text[shift - 1], b'/' | b'\\');
        let is_enough = is_much(shared) || is_after_separator && shared >= 2;
        is_enough && text[shift..shift + shared] == name[..shared]
    });
    let within = (1..name.len()).any(|shift| {
        let shared = (name.len() - shift).min(text.len());
        is_much(shared) && name[shift..shift + shared] == text[..shared]
    });
    before || within
}

/// Makes bytes of a file zero; `None` if it does not have them.
pub(super) fn blank(file: &mut [u8], start: usize, length: usize) -> Option<()> {
    let end = start.checked_add(length)?;
    file.get_mut(start..end)?.fill(0);
    Some(())
}

/// So many bytes of a file.
pub(super) fn part(file: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    file.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_named_by_all_but_files_of_panics() {
        const TARGET: &str = "/w/target";
        // A pointer, a length, a line and a column; then the text, from address 24.
        let of = |pointer: u64, length: usize, line: u32, text: &str| {
            let mut part = pointer.to_le_bytes().to_vec();
            part.extend(length.to_le_bytes());
            part.extend([line, 5].iter().flat_map(|one| one.to_le_bytes()));
            part.extend(text.as_bytes());
            part
        };
        let made = "/w/target/release/build/a-1/out/made.rs";
        let ended = format!("{made}\0");
        let read = format!("{made}\0{made}");
        let many = format!("{made}/w/target/release/tool\0");
        for (pointer, line, text, expected) in [
            (24, 1, &*ended, false),
            // As in PE and Mach-O files.
            (0x1_4000_0018, 1, &*ended, false),
            (0x20_0001_4000_0018, 1, &*ended, false),
            (25, 1, &*ended, true),
            (24, 0, &*ended, true),
            // A text of the program.
            (24, 1, made, true),
            (24, 1, &*read, true),
            (24, 1, &*many, true),
            (24, 1, "/w/other/release/tool", false),
        ] {
            let part = of(pointer, made.len(), line, text);
            let mut image = Image::default();
            image.add(&part);
            assert_eq!(image.names_built(TARGET), text.contains(TARGET));
            image.note_address(0, &part);
            image.addresses.base = 0x1_4000_0000;
            assert_eq!(
                image.names_built(TARGET),
                expected,
                "{pointer:#x} {line} {text:?}"
            );
            // Code that is loaded with another program has addresses of its own.
            let mut with = Image::default();
            with.add_image(&image);
            assert_eq!(with.names_built(TARGET), text.contains(TARGET));
        }
    }

    #[test]
    fn folders_are_named_in_instructions() {
        let in_code = b"\xc7\x00test\xc6\x40\x04s";
        let mut image = Image::default();
        image.add(in_code);
        assert!(!image.may_name_folder("tests"), "in data");
        image.add_code(in_code);
        assert!(image.may_name_folder("tests"));
        assert!(!image.may_name_folder("examples"));
    }

    #[test]
    fn parts_of_a_path_are_found_in_instructions() {
        let may_name = |code: &[u8], name: &str| {
            let mut image = Image::default();
            image.add_code(code);
            (image.may_name(name), image.may_name_folder(name))
        };
        // movabs rax, "./README"; mov dword [rax + 7], "E.md" and the same in another order; mov dword [rax], "./do"
        let readme: &[u8] = b"\x48\xb8./README\xc7\x40\x07E.md";
        let behind: &[u8] = b"\xc7\x00../R\x48\xb8EADME.md";
        let docs: &[u8] = b"\xc7\x00./do\x66\xc7\x40\x04cs";
        for (code, name) in [(readme, "README.md"), (behind, "Readme.md"), (docs, "docs")] {
            assert_eq!(may_name(code, name), (true, true), "{name}");
            assert_eq!(may_name(code, "guide"), (false, false));
        }
        // A word that many programs have is too little of a longer name.
        assert_eq!(may_name(b"\xc7\x00json", "settings.json"), (false, false));
        // What the system has in every program is no start of a name; the rest of one is.
        let own: &[u8] = b"\x48\xb8/proc/se\xc7\x40\x08lf/e";
        let other: &[u8] = b"\x48\xb8/proc/se\x48\xb8curity.m";
        assert_eq!(may_name(own, "SECURITY.md"), (false, false));
        assert_eq!(may_name(other, "SECURITY.md"), (true, true));
        // No text that is moved.
        assert_eq!(may_name(b"\x90./do\x90cs", "docs"), (false, false));
    }

    #[test]
    fn parts_are_told_apart() {
        let of = |parts: [&str; 2]| {
            let mut image = Image::default();
            parts.iter().for_each(|part| image.add(part.as_bytes()));
            image
        };
        assert_eq!(of(["a", "bc"]), of(["a", "bc"]));
        assert_ne!(of(["a", "bc"]), of(["ab", "c"]));
    }
}
