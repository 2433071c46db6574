//! The architecture and the system of an executable.

use std::env::consts;
use std::path::Path;

use object::{Architecture, BinaryFormat, File, Object};
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

/// As Rust names both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    pub(crate) architecture: &'static str,
    pub(crate) system: &'static str,
}

impl Platform {
    /// This program's.
    pub(crate) const OWN: Platform = Platform {
        architecture: consts::ARCH,
        system: consts::OS,
    };
}

/// The platform of an executable; that of this program where the file does not tell.
pub(crate) fn platform_of(executable: &Path) -> Platform {
    let bytes = regular_file::read(executable, EXECUTABLE_BYTES).unwrap_or_default();
    read(&bytes).unwrap_or(Platform::OWN)
}

fn read(bytes: &[u8]) -> Option<Platform> {
    let file = File::parse(bytes).ok()?;
    let architecture = match file.architecture() {
        Architecture::X86_64 => "x86_64",
        Architecture::I386 => "x86",
        Architecture::Aarch64 => "aarch64",
        Architecture::Arm => "arm",
        Architecture::Riscv64 => "riscv64",
        Architecture::PowerPc64 => "powerpc64",
        Architecture::S390x => "s390x",
        Architecture::LoongArch64 => "loongarch64",
        _ => return None,
    };
    let system = match file.format() {
        BinaryFormat::MachO => "macos",
        BinaryFormat::Pe => "windows",
        // Most systems do not say in the file which one they are.
        BinaryFormat::Elf if !matches!(consts::OS, "macos" | "windows") => consts::OS,
        BinaryFormat::Elf => "linux",
        _ => return None,
    };
    Some(Platform {
        architecture,
        system,
    })
}

#[cfg(test)]
mod tests {
    use object::Endianness;
    use object::write;

    use super::*;

    #[test]
    fn a_file_tells_what_it_is_for() {
        for (format, of, expected) in [
            (BinaryFormat::Elf, Architecture::Aarch64, "aarch64"),
            (BinaryFormat::Elf, Architecture::X86_64, "x86_64"),
            (BinaryFormat::MachO, Architecture::Aarch64, "aarch64"),
        ] {
            let file = write::Object::new(format, of, Endianness::Little);
            let found = read(&file.write().expect("an object")).expect("a platform");
            assert_eq!(found.architecture, expected);
            let is_mac = format == BinaryFormat::MachO;
            assert_eq!(found.system == "macos", is_mac || consts::OS == "macos");
        }
        assert_eq!(read(b"#!/bin/sh\n"), None);
        let own = std::env::current_exe().expect("this program");
        assert_eq!(platform_of(&own), Platform::OWN);
    }
}
