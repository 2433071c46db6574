//! The `.comment` section of this program: compilers and linkers sign there what they made.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::text::owned;
use tourbillon_report::Pieces;

/// Most bytes of a comment that are looked at: a few hundred are usual.
const MOST_COMMENT: u64 = 64 * 1024;

/// What was signed, one by one; nothing where there is no such section.
#[inline(never)]
pub(super) fn entries() -> Vec<String> {
    let mut entries = Vec::new();
    let comment = own().unwrap_or_default();
    for entry in Pieces::divided(&String::from_utf8_lossy(&comment), 0) {
        if !entry.is_empty() {
            entries.push(owned(entry));
        }
    }
    entries
}

fn own() -> Option<Vec<u8>> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    comment(&mut |offset, size| part(&mut file, offset, size))
}

/// The `.comment` section of a 64-bit little-endian ELF file (ELF-64 object file format 1.5, 1998).
///
/// `part` reads so many bytes at an offset of the file.
fn comment(part: &mut dyn FnMut(u64, u64) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let header = part(0, 64)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (entry, count) = (number(&header, 58, 2), number(&header, 60, 2));
    if entry < 64 {
        return None;
    }
    let sections = part(number(&header, 40, 8), entry * count)?;
    let mut content = |index: u64| {
        let at = index * entry;
        part(number(&sections, at + 24, 8), number(&sections, at + 32, 8))
    };
    let names = content(number(&header, 62, 2))?;
    for index in 0..count {
        let name = number(&sections, index * entry, 4) as usize;
        if let Some(name) = names.get(name..)
            && name.starts_with(b".comment\0")
        {
            return content(index);
        }
    }
    None
}

/// A little-endian number of `length` bytes; beyond the end there are zeros.
#[inline(never)]
fn number(bytes: &[u8], at: u64, length: u64) -> u64 {
    let mut value = 0;
    for place in 0..length {
        if let Some(byte) = bytes.get((at + place) as usize) {
            value |= u64::from(*byte) << (8 * place);
        }
    }
    value
}

fn part(file: &mut File, offset: u64, size: u64) -> Option<Vec<u8>> {
    if size > MOST_COMMENT {
        return None;
    }
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    let mut have = 0;
    while have < bytes.len() {
        match file.read(&mut bytes[have..]) {
            Ok(more) if more > 0 => have += more,
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with two sections: the names, and the comment.
    fn elf() -> Vec<u8> {
        let mut file = vec![0; 64 + 2 * 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[40] = 64;
        file[58] = 64;
        file[60] = 2;
        let names = b"\0.comment\0";
        let text = b"Linker: LLD 1\0";
        let at = file.len() as u8;
        file[64 + 24] = at;
        file[64 + 32] = names.len() as u8;
        file[128] = 1;
        file[128 + 24] = at + names.len() as u8;
        file[128 + 32] = text.len() as u8;
        file.extend_from_slice(names);
        file.extend_from_slice(text);
        file
    }

    fn comment_of(file: &[u8]) -> Option<Vec<u8>> {
        comment(&mut |offset, size| {
            let start = usize::try_from(offset).ok()?;
            let end = start.checked_add(usize::try_from(size).ok()?)?;
            file.get(start..end).map(<[u8]>::to_vec)
        })
    }

    #[test]
    fn a_comment_is_found() {
        assert_eq!(comment_of(&elf()).as_deref(), Some(&b"Linker: LLD 1\0"[..]));
    }

    #[test]
    fn a_damaged_file_has_none_and_does_no_harm() {
        let whole = elf();
        for length in 0..whole.len() {
            assert_eq!(comment_of(&whole[..length]), None, "{length}");
        }
        for at in 0..192 {
            let mut damaged = whole.clone();
            damaged[at] = 0xff;
            let _ = comment_of(&damaged);
        }
    }
}
