//! Folders of files, where criterion has them.

use std::env;
use std::path::{Path, PathBuf};

use super::named::Named;

/// Longest name of a folder in bytes.
const LONGEST: usize = 64;

/// The folder of all files: `CRITERION_HOME`, else `criterion` in the target folder.
pub(crate) fn root() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(home) = variable("CRITERION_HOME") {
        return PathBuf::from(home);
    }
    let target = variable("CARGO_TARGET_DIR").map(PathBuf::from);
    let of_executable = || target_of(&env::current_exe().ok()?);
    let target = target.or_else(of_executable);
    target
        .unwrap_or_else(|| PathBuf::from("target"))
        .join("criterion")
}

/// The target folder of an executable that cargo built: `target` of `target/release/deps/name`.
fn target_of(executable: &Path) -> Option<PathBuf> {
    let deps = executable.parent()?;
    let is_deps = deps.file_name().is_some_and(|name| name == "deps");
    is_deps.then(|| deps.parent()?.parent().map(Path::to_owned))?
}

/// The folder of a benchmark below [`root`].
pub(crate) fn directory_of(named: &Named) -> PathBuf {
    let parts = [
        Some(&named.group),
        named.function.as_ref(),
        named.parameter.as_ref(),
    ];
    parts
        .into_iter()
        .flatten()
        .map(|part| file_name(part))
        .collect()
}

/// A part of an id as the name of a folder.
fn file_name(part: &str) -> String {
    const REPLACED: &[char] = &['?', '"', '/', '\\', '*', '<', '>', ':', '|', '^'];
    let name = part.replace(REPLACED, "_");
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let name = &name[..end];
    if cfg!(windows) {
        name.trim_end().to_lowercase()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_criterion() {
        let named = Named {
            group: "a/b".to_owned(),
            function: Some("f: *?".to_owned()),
            parameter: Some("ä".repeat(40)),
        };
        let folder = directory_of(&named);
        let parts: Vec<String> = folder
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        assert_eq!(parts, ["a_b", "f_ __", &"ä".repeat(32)]);
    }

    #[test]
    fn the_target_folder_is_above_the_executable() {
        let of = |path| target_of(Path::new(path));
        let found = of("target/release/deps/suite-0123456789abcdef");
        assert_eq!(found, Some(PathBuf::from("target")));
        assert_eq!(of("bin/suite"), None);
    }
}
