//! The `.comment` section of this program, in which compilers and linkers sign what they made.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::fact::Known;

/// Most bytes of a comment that are read: a few hundred are usual.
const MOST_COMMENT: u64 = 64 * 1024;

/// The signatures of this program; none where there is no such section.
pub(super) fn read() -> Vec<String> {
    let comment = own().unwrap_or_default();
    let comment = String::from_utf8_lossy(&comment);
    let entries = comment.split('\0').filter(|entry| !entry.is_empty());
    entries.map(str::to_owned).collect()
}

/// The linker, by its signature.
pub(super) fn linker(signatures: &[String]) -> Known<String> {
    let mut names = signatures.iter().filter_map(|signature| {
        let is_mold = signature.starts_with("mold ");
        let name = signature.strip_prefix("Linker: ");
        name.or_else(|| is_mold.then_some(signature.as_str()))
    });
    match names.next() {
        // What follows the version is where the linker was built.
        Some(name) => Ok(name.split('(').next().unwrap_or(name).trim_end().to_owned()),
        None if signatures.is_empty() => Err("no comment section names it".to_owned()),
        None => Err("it left no name, as GNU ld never does".to_owned()),
    }
}

fn own() -> Option<Vec<u8>> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    comment(&mut |offset, size| part(&mut file, offset, size))
}

/// The `.comment` section of a 64-bit little-endian ELF file (ELF-64 object file format 1.5, 1998).
///
/// `part` reads a number of bytes at an offset of the file.
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
fn number(bytes: &[u8], at: u64, length: u64) -> u64 {
    let digits = (0..length)
        .rev()
        .map(|place| bytes.get((at + place) as usize));
    digits.fold(0, |value, byte| value << 8 | u64::from(*byte.unwrap_or(&0)))
}

fn part(file: &mut File, offset: u64, size: u64) -> Option<Vec<u8>> {
    if size > MOST_COMMENT {
        return None;
    }
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes).ok()?;
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

    #[test]
    fn linkers() {
        for (signatures, expected) in [
            (
                &[
                    "rustc version 1.95.0",
                    "Linker: LLD 22.1.2 (/x/y 1cb4)",
                    "GCC: 12",
                ][..],
                Ok("LLD 22.1.2"),
            ),
            (
                &[
                    "GCC: (Debian) 12.2.0",
                    "mold 2.30.0 (compatible with GNU ld)",
                ],
                Ok("mold 2.30.0"),
            ),
            (
                &["GCC: (Debian) 12.2.0"],
                Err("it left no name, as GNU ld never does"),
            ),
            (&[], Err("no comment section names it")),
        ] {
            let signed: Vec<String> = signatures.iter().map(|&text| text.to_owned()).collect();
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(linker(&signed), expected, "{signatures:?}");
        }
    }
}
