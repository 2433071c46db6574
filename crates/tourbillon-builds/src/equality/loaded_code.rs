//! The images of executables of any form, and of the libraries beside them.

use std::fs::{self, DirEntry};
use std::io;

use object::FileKind;
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

use super::image::Image;
use super::{elf, macho, pe};
use crate::cache::build::Executable;

/// What is loaded of an executable; `None` for a file whose form is not known in all parts.
pub(super) fn loaded(file: &[u8]) -> Option<Image> {
    match FileKind::parse(file).ok()? {
        FileKind::Elf64 => elf::image(file),
        FileKind::MachO64 => macho::image(file),
        FileKind::Pe64 => pe::image(file),
        _ => None,
    }
}

/// What is loaded of the shared libraries that were built with an executable, each with its name.
pub(super) fn loaded_libraries(executable: &Executable) -> io::Result<Image> {
    let mut files = Vec::new();
    for entry in executable.libraries().iter().flat_map(fs::read_dir) {
        files.extend(
            entry
                .collect::<io::Result<Vec<_>>>()?
                .iter()
                .map(DirEntry::path),
        );
    }
    files.sort();
    let mut all = Image::default();
    for path in files {
        let file = regular_file::read(&path, EXECUTABLE_BYTES)?;
        all.add(path.file_name().unwrap_or_default().as_encoded_bytes());
        match loaded(&file) {
            Some(image) => all.add_image(&image),
            None => all.add(&file),
        }
    }
    Ok(all)
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
