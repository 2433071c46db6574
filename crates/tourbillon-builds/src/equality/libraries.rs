//! Shared libraries: both programs load those of this machine, unless a build can change them.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variables that name libraries, or folders that are searched for them.
const VARIABLES: &[&str] = if cfg!(windows) {
    &["PATH"]
} else {
    &[
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_LIBRARY_PATH",
        "DYLD_FRAMEWORK_PATH",
        "DYLD_FALLBACK_LIBRARY_PATH",
        "DYLD_INSERT_LIBRARIES",
    ]
};

/// The variable by which a library in one of the folders, or relative to the current one, is loaded.
pub(super) fn changeable_library(folders: &[&PathBuf]) -> Option<&'static str> {
    let mut variables = VARIABLES.iter().copied();
    variables.find(|name| {
        env::var_os(name)
            .is_some_and(|value| paths(name, &value).any(|path| leads_into(&path, folders)))
    })
}

/// The paths in the value of a variable; an empty one is the current folder.
#[cfg(unix)]
fn paths<'v>(name: &str, value: &'v OsStr) -> impl Iterator<Item = PathBuf> + use<'v> {
    use std::os::unix::ffi::OsStrExt;
    // Glibc separates by these, too, and skips empty names of libraries.
    let (other, has_empty) = match name {
        "LD_LIBRARY_PATH" => (b';', true),
        "LD_PRELOAD" => (b' ', false),
        _ => (b':', true),
    };
    let is_empty = value.is_empty();
    let parts = value
        .as_bytes()
        .split(move |byte| [b':', other].contains(byte));
    let parts = parts.filter(move |part| !is_empty && (has_empty || !part.is_empty()));
    parts.map(|part| PathBuf::from(OsStr::from_bytes(part)))
}

#[cfg(not(unix))]
fn paths<'v>(_name: &str, value: &'v OsStr) -> impl Iterator<Item = PathBuf> + use<'v> {
    let paths = env::split_paths(value);
    paths.filter(|path| !path.as_os_str().is_empty())
}

fn leads_into(path: &Path, folders: &[&PathBuf]) -> bool {
    // Of relative paths, Windows has some in every PATH. `$ORIGIN` is the folder of the program, wherever it is.
    let is_relative = !cfg!(windows)
        && (path.is_relative() || path.as_os_str().as_encoded_bytes().contains(&b'$'));
    let real = path.canonicalize();
    let is_below = |folder: &&PathBuf| {
        let real_folder = folder.canonicalize();
        let is_real =
            matches!((&real, &real_folder), (Ok(path), Ok(folder)) if path.starts_with(folder));
        is_real || path.starts_with(folder)
    };
    is_relative || folders.iter().any(is_below)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn is_changeable(name: &str, value: &str, folder: &Path) -> bool {
        paths(name, value.as_ref()).any(|path| leads_into(&path, &[&folder.to_owned()]))
    }

    #[test]
    fn folders_of_builds_are_changeable() {
        let of = |value: &str| is_changeable("LD_LIBRARY_PATH", value, Path::new("/w/target"));
        assert!(!of(""));
        assert!(!of("/usr/lib:/opt/lib"));
        for value in [
            "/usr/lib:/w/target/release/deps",
            "/usr/lib;/w/target/release/deps",
            "lib",
            "/usr/lib:",
            ":/usr/lib",
            "/opt/$ORIGIN/lib",
        ] {
            assert!(of(value), "{value}");
        }
    }

    #[test]
    fn preloaded_libraries_are_separated_by_spaces() {
        let of = |value: &str| is_changeable("LD_PRELOAD", value, Path::new("/w/target"));
        assert!(!of("/usr/lib/a.so /usr/lib/b.so: "));
        assert!(of("/usr/lib/a.so /w/target/release/libb.so"));
        assert!(of("b.so"));
    }

    #[test]
    fn links_to_folders_of_builds_are_changeable() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("target");
        std::fs::create_dir_all(target.join("deps")).expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(target.join("deps"), &link).expect("a link");
        let named = link.to_str().expect("a path");
        assert!(is_changeable("LD_LIBRARY_PATH", named, &target));
        assert!(!is_changeable(
            "LD_LIBRARY_PATH",
            named,
            &folder.path().join("other")
        ));
    }
}
