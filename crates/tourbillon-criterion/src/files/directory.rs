//! Folders of files, where criterion has them.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

use tourbillon_record::store::Store;

use crate::process::Named;

/// Longest name of a folder in bytes.
const LONGEST: usize = 64;

/// The folder of all files: `CRITERION_HOME`, else `criterion` in the target folder, which is that of the executable
/// where `CARGO_TARGET_DIR` does not name one.
pub(crate) fn root() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(home) = variable("CRITERION_HOME") {
        return PathBuf::from(home);
    }
    if let Some(target) = variable("CARGO_TARGET_DIR") {
        return PathBuf::from(target).join("criterion");
    }
    let executable = env::current_exe().unwrap_or_default();
    // The store of runs is in the target folder, too.
    match Store::locate(None, None, &executable) {
        Ok(store) => store.with_file_name("criterion"),
        Err(_) => Path::new("target").join("criterion"),
    }
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

/// The folders of the benchmarks of a suite, in the order of their registration.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    taken: HashSet<PathBuf>,
}

impl Directories {
    /// The folder of the next benchmark; where it is taken, with a number from 2 up at its end.
    pub(crate) fn next(&mut self, named: &Named) -> PathBuf {
        let base = directory_of(named);
        let mut directory = base.clone();
        let mut number = 2;
        while !self.taken.insert(directory.clone()) {
            let mut numbered = base.clone().into_os_string();
            numbered.push(format!("_{number}"));
            directory = numbered.into();
            number += 1;
        }
        directory
    }
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
    fn folders_of_one_name_are_numbered() {
        let named = |group: &str| Named {
            group: group.to_owned(),
            ..Named::default()
        };
        let mut directories = Directories::default();
        let found = ["a/b", "a?b", "c", "a/b"].map(|group| directories.next(&named(group)));
        assert_eq!(
            found.map(|one| one.display().to_string()),
            ["a_b", "a_b_2", "c", "a_b_3"]
        );
    }
}
