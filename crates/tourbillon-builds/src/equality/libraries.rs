//! Shared libraries: both programs load those of this machine, unless a build can change them.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

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
    variables.find(|name| env::var_os(name).is_some_and(|value| leads_into(&value, folders)))
}

fn leads_into(value: &OsStr, folders: &[&PathBuf]) -> bool {
    // Of relative paths, Windows has some in every PATH.
    let is_changeable = |path: PathBuf| {
        let is_relative = !cfg!(windows) && path.is_relative();
        is_relative || folders.iter().any(|folder| path.starts_with(folder))
    };
    !value.is_empty() && env::split_paths(value).any(is_changeable)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_of_builds_are_changeable() {
        let target = PathBuf::from("/w/target");
        let of = |value: &str| leads_into(value.as_ref(), &[&target]);
        assert!(!of(""));
        assert!(!of("/usr/lib:/opt/lib"));
        for value in [
            "/usr/lib:/w/target/release/deps",
            "lib",
            "/usr/lib:",
            ":/usr/lib",
        ] {
            assert!(of(value), "{value}");
        }
    }
}
