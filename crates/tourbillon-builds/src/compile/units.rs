//! What one build consists of, by the names that cargo gave it: a target directory has the notes of other builds, too.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

/// Length of the hash that cargo appends to the names of files and folders.
const HASH: usize = 16;

/// The libraries, programs and build scripts of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units {
    hashes: BTreeSet<String>,
    /// Programs, of which cargo names a file without a hash.
    programs: BTreeSet<String>,
}

impl Units {
    /// Adds a file or folder that cargo names.
    pub(crate) fn add(&mut self, path: &Path) {
        match hash(path) {
            Some((_, hash)) => self.hashes.insert(hash.to_owned()),
            None => self.programs.insert(crate_name(path)),
        };
    }

    /// Whether a file of notes may be of this build.
    pub(crate) fn have(&self, notes: &Path) -> bool {
        hash(notes).is_none_or(|(name, hash)| {
            self.hashes.contains(hash) || self.programs.contains(&name.replace('-', "_"))
        })
    }
}

/// The name and the hash of a file such as `deps/shop-0123456789abcdef.d`, or of the folder that it is in.
fn hash(path: &Path) -> Option<(&str, &str)> {
    let folder = path.parent().and_then(Path::file_name);
    let names = [path.file_name(), folder].into_iter().flatten();
    names.filter_map(OsStr::to_str).find_map(of_cargo)
}

/// The name and the hash that cargo made a name of, such as `shop-0123456789abcdef.d`.
pub(crate) fn of_cargo(name: &str) -> Option<(&str, &str)> {
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let (name, hash) = stem.rsplit_once('-')?;
    is_hash(hash).then_some((name, hash))
}

pub(crate) fn is_hash(text: &str) -> bool {
    text.len() == HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The name that the compiler has for a program.
fn crate_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_other_builds_are_known() {
        let mut units = Units::default();
        for path in [
            "t/release/deps/libshop-0123456789abcdef.rmeta",
            "t/release/build/shop-1123456789abcdef/build-script-build",
            "t/release/build/shop-2123456789abcdef/out",
            "t/release/the-tool",
        ] {
            units.add(Path::new(path));
        }
        for (notes, is_there) in [
            ("deps/shop-0123456789abcdef.d", true),
            ("deps/shop-f123456789abcdef.d", false),
            ("deps/other-f123456789abcdef.d", false),
            (
                "build/shop-1123456789abcdef/build_script_build-1123456789abcdef.d",
                true,
            ),
            ("build/shop-2123456789abcdef/output", true),
            ("build/shop-f123456789abcdef/output", false),
            // A program's hash is not named, so each of its name may be of this build.
            ("deps/the_tool-f123456789abcdef.d", true),
            ("the-tool.d", true),
            // Of a layout that is not known.
            ("units/shop/notes.d", true),
        ] {
            let path = Path::new("t/release").join(notes);
            assert_eq!(units.have(&path), is_there, "{notes}");
        }
    }
}
