//! Files that flags, variables and configuration name: what they contain decides how code is compiled.

use std::path::{Path, PathBuf};

/// Finds the existing files that a text names, relative to a folder.
pub(crate) fn named_files(text: &str, folder: &Path) -> Vec<PathBuf> {
    let mut named = named_paths(text, folder);
    named.retain(|path| path.is_file());
    named
}

/// Finds what a text names that is there, relative to a folder: a quoted part, what follows its last `=`, or a word.
pub(crate) fn named_paths(text: &str, folder: &Path) -> Vec<PathBuf> {
    // Cargo separates encoded flags by the second.
    let parts = text.split(['"', '\'', '\x1f', '\n']);
    let values = parts
        .clone()
        .filter_map(|part| Some(part.rsplit_once('=')?.1));
    let words = parts
        .clone()
        .flat_map(|part| part.split([' ', '\t', '=', '@', ',']));
    let paths = parts
        .chain(values)
        .chain(words)
        .filter(|path| !path.is_empty());
    paths
        .map(|path| folder.join(path))
        .filter(|path| path.is_absolute() && path.exists())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_found_wherever_they_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let (plain, spaced) = (folder.path().join("a"), folder.path().join("b c"));
        for file in [&plain, &spaced] {
            fs::write(file, "").expect("a file");
        }
        for (text, expected) in [
            ("RUSTC=<plain>", &plain),
            ("RUSTFLAGS=-g @<plain> -O", &plain),
            (
                "CARGO_ENCODED_RUSTFLAGS=-g\x1f-Cprofile-use=<spaced>\x1f-O",
                &spaced,
            ),
            ("-Clink-arg=-Wl,-T,<plain>", &plain),
            ("--config=build.rustc='<spaced>'", &spaced),
            (
                "[build]\nrustflags = [\"-Cprofile-use=<spaced>\", '-g']",
                &spaced,
            ),
            ("[build]\nrustc = 'b c'", &spaced),
        ] {
            let text = text.replace("<plain>", &plain.to_string_lossy());
            let text = text.replace("<spaced>", &spaced.to_string_lossy());
            assert_eq!(
                named_files(&text, folder.path()).first(),
                Some(expected),
                "{text}"
            );
        }
        assert!(named_files("a = \"x\"", Path::new("")).is_empty());
    }
}
