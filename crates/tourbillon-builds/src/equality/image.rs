//! What of an executable is loaded.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

/// All that a system maps or interprets when it starts an executable. What differs with the folder and the moment of a
/// build is absent or zero: its id, dates, the place and the contents of debug information and of symbols that only
/// debuggers read.
#[derive(Debug, Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    /// Where in them instructions are.
    code: Vec<Range<usize>>,
    has_relative_libraries: bool,
    lower: OnceCell<Vec<u8>>,
}

impl PartialEq for Image {
    fn eq(&self, other: &Image) -> bool {
        self.bytes == other.bytes && self.has_relative_libraries == other.has_relative_libraries
    }
}

impl Image {
    /// Adds a part, so that no other division into parts gives the same bytes.
    pub(super) fn add(&mut self, part: &[u8]) {
        self.bytes.extend((part.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(part);
    }

    /// Adds a part with instructions.
    pub(super) fn add_code(&mut self, part: &[u8]) {
        self.add(part);
        let end = self.bytes.len();
        self.code.push(end - part.len()..end);
    }

    /// That libraries are searched relative to the folder of the executable, or to the current one.
    pub(super) fn note_relative_libraries(&mut self) {
        self.has_relative_libraries = true;
    }

    pub(super) fn has_relative_libraries(&self) -> bool {
        self.has_relative_libraries
    }

    /// Whether a program of it may name a file: by its name, in whatever case, or by its beginning where optimised code
    /// holds a short text in its instructions.
    pub(super) fn may_name(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        beginning(name).is_some_and(|text| memmem::find(&self.bytes, text).is_some())
            || memmem::find(self.lower(), lower.as_bytes()).is_some()
    }

    /// Whether a program of it may name a folder: by its name, or by its beginning in instructions. In data, words begin
    /// like the usual names of folders.
    pub(super) fn may_name_folder(&self, name: &str) -> bool {
        let in_code = |text| {
            let mut code = self.code.iter().cloned();
            code.any(|range| memmem::find(&self.bytes[range], text).is_some())
        };
        self.names(name) || beginning(name).is_some_and(in_code)
    }

    /// Its bytes with small letters.
    fn lower(&self) -> &[u8] {
        self.lower.get_or_init(|| self.bytes.to_ascii_lowercase())
    }

    /// Whether a text is in it.
    pub(super) fn names(&self, text: &str) -> bool {
        memmem::find(&self.bytes, text.as_bytes()).is_some()
    }

    #[cfg(test)]
    pub(super) fn from_text(text: &str) -> Image {
        let mut image = Image::default();
        image.add(text.as_bytes());
        image
    }
}

/// What is in one instruction of a short text that optimised code holds in its instructions.
fn beginning(name: &str) -> Option<&[u8]> {
    let is_short = (4..16).contains(&name.len());
    let length = if name.len() < 8 { 4 } else { 8 };
    name.as_bytes().get(..length).filter(|_| is_short)
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
