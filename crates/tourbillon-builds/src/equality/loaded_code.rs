//! The image of an executable of any form.

use object::FileKind;

use super::image::Image;
use super::{elf, macho, pe};

/// What is loaded of an executable; `None` for a file whose form is not known in all parts.
pub(super) fn loaded(file: &[u8]) -> Option<Image> {
    match FileKind::parse(file).ok()? {
        FileKind::Elf64 => elf::image(file),
        FileKind::MachO64 => macho::image(file),
        FileKind::Pe64 => pe::image(file),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_have_none() {
        let files = [
            &b""[..],
            b"#!/bin/sh\n",
            b"\x7fELF\x02\x01",
            b"MZ",
            b"\xcf\xfa\xed\xfe",
        ];
        for file in files {
            assert_eq!(loaded(file), None);
        }
    }
}
