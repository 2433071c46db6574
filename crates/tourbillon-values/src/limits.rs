//! Most bytes of the files that are read. `docs/reference/limits.md` lists them.

/// A file of settings: `tourbillon.toml`, `tourbillon-accepted.toml`, the name of a baseline, a file of passwords.
pub const SETTINGS_BYTES: u64 = 1 << 20;

/// A description: a manifest, a lock file or a configuration of cargo, `build.json`, a link line, a report of clocks,
/// the event of a CI job, the steps of an op, a ledger of attempts.
pub const DESCRIPTION_BYTES: u64 = 1 << 26;

/// What a program prints when it lists its cases.
pub const LIST_BYTES: u64 = 1 << 28;

/// The summary of a run in a history.
pub const SUMMARY_BYTES: u64 = 1 << 28;

/// An answer of the server of an index.
pub const ANSWER_BYTES: u64 = 1 << 30;

/// Settings, notices and notifications of the server of an index, which it sends unasked.
pub const ANNOUNCED_BYTES: u64 = 1 << 20;

/// An executable, an object or a library.
pub const EXECUTABLE_BYTES: u64 = 1 << 32;

/// A record, also one that comes through a pipe.
pub const RECORD_BYTES: u64 = 1 << 32;

/// A number of bytes in the largest unit that divides it.
#[must_use]
pub fn shown(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units
        .into_iter()
        .find(|(size, _)| bytes.is_multiple_of(*size));
    let (size, unit) = unit.unwrap_or((1, "bytes"));
    format!("{} {unit}", bytes / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_limit() {
        let page = include_str!("../../../docs/reference/limits.md");
        let source = include_str!("limits.rs");
        let names = source.lines().filter(|line| line.starts_with("pub const "));
        assert_eq!(names.count(), 8);
        for (row, bytes) in [
            ("| settings: ", SETTINGS_BYTES),
            ("| descriptions: ", DESCRIPTION_BYTES),
            ("| the list of the cases", LIST_BYTES),
            ("| summaries of a history", SUMMARY_BYTES),
            ("| an answer of a server", ANSWER_BYTES),
            ("| what such a server sends unasked", ANNOUNCED_BYTES),
            ("| executables, objects and libraries", EXECUTABLE_BYTES),
            ("| a record", RECORD_BYTES),
        ] {
            let line = page.lines().find(|line| line.starts_with(row));
            let line = line.unwrap_or_else(|| panic!("{row}"));
            assert!(line.contains(&format!(" {} ", shown(bytes))), "{line}");
        }
    }

    #[test]
    fn limits_have_a_unit() {
        assert_eq!(shown(1 << 32), "4 GiB");
        assert_eq!(shown(1 << 20), "1 MiB");
        assert_eq!(shown(1000), "1000 bytes");
    }
}
