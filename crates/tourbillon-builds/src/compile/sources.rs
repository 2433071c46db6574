//! The files of a build, as the compiler noted them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::surroundings::read;
use crate::compile::targets::Compiled;

/// The Rust sources among the files of [`compiled_files`]: what else was read is data that a program may read again.
pub(crate) fn sources(
    compiled: &[Compiled],
    workspace: &Path,
    checkout: &Path,
) -> Option<BTreeSet<PathBuf>> {
    let checkout = checkout.canonicalize().ok()?;
    let files = compiled_files(compiled, workspace)?.into_iter();
    let own = files.filter_map(|file| Some(file.strip_prefix(&checkout).ok()?.to_owned()));
    let is_source = |file: &PathBuf| file.extension().is_some_and(|end| end == "rs");
    Some(own.filter(is_source).collect())
}

/// The files of what was compiled. `workspace` is the folder in which cargo starts the compiler for the packages in it.
/// `None` where the compiler's notes are not found.
pub(crate) fn compiled_files(compiled: &[Compiled], workspace: &Path) -> Option<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for one in compiled {
        let is_member = one.folder.starts_with(workspace);
        let base = if is_member { workspace } else { &one.folder };
        let mut is_noted = false;
        for notes in one.files.iter().filter_map(|file| notes_of(file)) {
            let text = regular_file::read_text(&notes, DESCRIPTION_BYTES).ok()?;
            for file in read(&text) {
                is_noted = true;
                files.extend(base.join(file).canonicalize());
            }
        }
        if !is_noted {
            return None;
        }
    }
    Some(files)
}

/// The files, and not the folders, that build scripts say they read. Of each, what it printed is among its files.
pub(crate) fn files_of_scripts(scripts: &[Compiled]) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for (script, printed) in scripts
        .iter()
        .flat_map(|one| one.files.iter().map(move |file| (one, file)))
    {
        let text = regular_file::read_text(printed, DESCRIPTION_BYTES).unwrap_or_default();
        files.extend(read(&text).flat_map(|file| script.folder.join(file).canonicalize()));
    }
    files.retain(|file| file.is_file());
    files
}

/// The notes on a file: `deps/libshop-123.rlib` has `deps/shop-123.d`, a build script those in its folder.
fn notes_of(file: &Path) -> Option<PathBuf> {
    let stem = file.file_stem()?.to_str()?;
    let names = [stem, stem.strip_prefix("lib").unwrap_or(stem)];
    let mut beside = names
        .iter()
        .map(|name| file.with_file_name(format!("{name}.d")));
    beside.find(|notes| notes.is_file()).or_else(|| {
        let entries = fs::read_dir(file.parent()?).ok()?.flatten();
        let mut notes = entries.map(|entry| entry.path());
        let is_script = stem.starts_with("build-script");
        notes.find(|path| is_script && path.extension().is_some_and(|end| end == "d"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_that_the_compiler_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for (path, text) in [
            ("w/a/src/lib.rs", ""),
            ("w/a/src/data.txt", ""),
            ("w/a/build.rs", ""),
            ("w/other/data.rs", ""),
            ("outside/src/lib.rs", ""),
            (
                "t/deps/a-1.d",
                "t/deps/a-1.d: a/src/lib.rs\n\na/src/lib.rs:\na/src/data.txt:\n",
            ),
            ("t/build/a-2/build_script_build-2.d", "a/build.rs:\n"),
            ("t/deps/out-3.d", "src/lib.rs:\n"),
        ] {
            let path = at(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let compiled = |package: &str, file: &str| Compiled {
            folder: at(package),
            files: vec![at(file)],
        };
        let all = [
            compiled("w/a", "t/deps/liba-1.rlib"),
            compiled("w/a", "t/build/a-2/build-script-build"),
            compiled("outside", "t/deps/libout-3.rmeta"),
        ];
        let found = sources(&all, &at("w"), &at("w")).expect("notes");
        assert_eq!(
            found,
            ["a/build.rs", "a/src/lib.rs"].map(PathBuf::from).into()
        );
        let unknown = [compiled("w/a", "t/deps/liba-9.rlib")];
        assert_eq!(sources(&unknown, &at("w"), &at("w")), None);
    }
}
