//! The programs of a package, which its bench targets may find from where they are, and start.

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

use super::image::Image;
use super::loaded_code::loaded;
use crate::cache::build::Executable;

/// The programs that are not the same on both sides, and that one of these images may start, or one of the programs where
/// they start any; each with its file of the second side.
pub(super) fn differing_programs<'e>(
    sides: [&'e Executable; 2],
    images: [&Image; 2],
) -> Vec<(&'e str, PathBuf)> {
    let names = sides.iter().flat_map(|side| &side.programs);
    let names: BTreeSet<&str> = names.map(String::as_str).collect();
    let is_named = |name: &&str| images.iter().any(|image| image.may_start(name));
    if !names.iter().any(is_named) {
        return Vec::new();
    }
    let of_programs = sides.iter().flat_map(|side| side.programs());
    let of_programs = Vec::from_iter(of_programs.map(|file| read(&file)));
    let may_start = |name: &str| {
        let mut programs = of_programs.iter();
        programs.any(|image| image.as_ref().is_none_or(|image| image.may_start(name)))
    };
    let differing = names.into_iter().filter(|name| {
        (is_named(name) || may_start(name)) && !is_same(sides.map(|side| file(side, name)))
    });
    // Of one that is not there any more, nothing is known.
    let found = differing.map(|name| (name, file(sides[1], name).unwrap_or_default()));
    found.collect()
}

/// Whether an executable with this image may start a program that names what is built in a target directory.
pub(super) fn starts_what_names_built(
    executable: &Executable,
    image: &Image,
    target: &str,
) -> bool {
    let mut started = executable.programs.iter();
    started.any(|name| {
        let program = || read(&file(executable, name)?);
        image.may_start(name) && program().is_none_or(|program| program.names_built(target))
    })
}

fn file(side: &Executable, name: &str) -> Option<PathBuf> {
    side.programs().find(|file| file.ends_with(name))
}

fn is_same([one, other]: [Option<PathBuf>; 2]) -> bool {
    let image = |file: Option<PathBuf>| read(&file?);
    let [one, other] = [image(one), image(other)];
    one.is_some() && one == other
}

fn read(file: &Path) -> Option<Image> {
    loaded(&regular_file::read(file, EXECUTABLE_BYTES).ok()?)
}

impl Image {
    /// Whether a program of it may start one of this name: it has the name as it is written.
    fn may_start(&self, name: &str) -> bool {
        self.may_name_folder(name.strip_suffix(EXE_SUFFIX).unwrap_or(name))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;
    use crate::compile::targets::Target;

    #[test]
    fn a_program_that_differs_counts_where_it_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = regular_file::read(&std::env::current_exe().expect("a path"), EXECUTABLE_BYTES);
        let own = own.expect("a program");
        let side = |name: &str, bytes: &[u8]| {
            let place = folder.path().join(name);
            fs::create_dir_all(place.join("deps")).expect("a folder");
            fs::write(place.join("tool"), bytes).expect("a file");
            Executable {
                programs: vec!["tool".to_owned()],
                ..Executable::new(&Target::default(), place.join("deps/speed"))
            }
        };
        let one = side("one", &own);
        let mut entry = own.clone();
        // Where it begins.
        entry[0x18] ^= 1;
        let (same, other) = (side("same", &own), side("other", &entry));
        let none = Executable::new(&Target::default(), folder.path().join("speed"));
        let differing = |other: &Executable, text: &str| {
            let image = Image::from_text(text);
            let found = differing_programs([&one, other], [&image, &image]);
            found.first().map(|(name, _)| (*name).to_owned())
        };
        assert_eq!(differing(&same, "../tool"), None);
        for changed in [&other, &none] {
            assert_eq!(differing(changed, "../tool").as_deref(), Some("tool"));
            assert_eq!(differing(changed, "work"), None);
        }
    }
}
