//! Folders of benchmarks.

use std::path::PathBuf;

use super::{BenchmarkName, UniqueNames};

/// Longest name of a folder in bytes.
const LONGEST: usize = 64;

/// The folder of a benchmark below that of all benchmarks.
pub fn directory_of(named: &BenchmarkName) -> PathBuf {
    let parts = [
        Some(&named.group),
        named.function.as_ref(),
        named.parameter.as_ref(),
    ];
    parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(|part| folder_name(part))
        .collect()
}

/// The folders of several benchmarks, in the order in which they are asked for.
#[derive(Debug)]
pub struct Directories(UniqueNames);

impl Default for Directories {
    fn default() -> Directories {
        Directories(UniqueNames::new("_"))
    }
}

impl Directories {
    /// The folder of the next benchmark; where it is taken, with a number from 2 up at its end.
    pub fn next(&mut self, named: &BenchmarkName) -> PathBuf {
        self.0.next(&directory_of(named).to_string_lossy()).into()
    }
}

/// A part of an id, or the name of a baseline, as the name of a folder, never that of a folder above.
pub fn folder_name(part: &str) -> String {
    const REPLACED: &[char] = &['?', '"', '/', '\\', '*', '<', '>', ':', '|', '^'];
    if matches!(part, "." | "..") {
        return "_".repeat(part.len());
    }
    let is_replaced = |c: char| REPLACED.contains(&c) || c.is_control();
    let mut name = part.replace(is_replaced, "_");
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.truncate(end);
    if cfg!(windows) {
        on_windows(&name)
    } else {
        name
    }
}

/// The name of a folder on Windows, which tells no names apart by case, drops blanks and full stops at their end,
/// and keeps some for devices in every folder.
fn on_windows(name: &str) -> String {
    let mut name = name.trim_end_matches(['.', ' ']).to_lowercase();
    let device = name.split('.').next().unwrap_or_default().trim_end();
    let is_device = match device.as_bytes() {
        b"con" | b"prn" | b"aux" | b"nul" => true,
        [start @ .., b'0'..=b'9'] => matches!(start, b"com" | b"lpt"),
        _ => false,
    };
    if is_device || name.is_empty() {
        name.insert(0, '_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(group: &str) -> BenchmarkName {
        BenchmarkName {
            group: group.to_owned(),
            ..BenchmarkName::default()
        }
    }

    #[test]
    fn folders_are_those_of_criterion() {
        let named = BenchmarkName {
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
    fn an_empty_part_is_no_folder_and_takes_none() {
        let of = |parameter: Option<&str>| BenchmarkName {
            function: Some("f".to_owned()),
            parameter: parameter.map(str::to_owned),
            ..alone("g")
        };
        let mut taken = Directories::default();
        assert_eq!(taken.next(&of(None)), PathBuf::from("g/f"));
        assert_eq!(taken.next(&of(Some(""))), PathBuf::from("g/f_2"));
    }

    #[test]
    fn no_folder_is_above_that_of_all_benchmarks() {
        for (group, expected) in [
            ("..", "__"),
            (".", "_"),
            ("/etc", "_etc"),
            ("../x", ".._x"),
            ("a\0b\n", "a_b_"),
        ] {
            assert_eq!(directory_of(&alone(group)), PathBuf::from(expected));
        }
    }

    #[test]
    fn names_of_devices_are_no_folders_of_windows() {
        for (name, expected) in [
            ("Sort", "sort"),
            ("con", "_con"),
            ("NUL.txt", "_nul.txt"),
            ("com1 .x", "_com1 .x"),
            ("lpt9", "_lpt9"),
            ("console", "console"),
            ("com", "com"),
            ("com12", "com12"),
            ("a. .", "a"),
            (" .", "_"),
            ("ä", "ä"),
        ] {
            assert_eq!(on_windows(name), expected);
        }
    }

    #[test]
    fn folders_of_one_name_are_numbered() {
        let mut directories = Directories::default();
        let found = ["a/b", "a?b", "c", "a/b"].map(|group| directories.next(&alone(group)));
        assert_eq!(
            found.map(|one| one.display().to_string()),
            ["a_b", "a_b_2", "c", "a_b_3"]
        );
        // A name that ends as a number does is taken, too.
        let found = ["a_b_4", "a/b"].map(|group| directories.next(&alone(group)));
        assert_eq!(found, ["a_b_4", "a_b_5"].map(PathBuf::from));
    }
}
