//! Makes one save of many changes: editors write a file beside the old one and rename it, and save several at once.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// A save is complete after this time without another change: formatters run right after it.
const QUIET_NS: u64 = 50_000_000;
/// A save is complete after this time at the latest, from its first change.
const LONGEST_NS: u64 = 1_000_000_000;

/// Changes that may be a part of one save.
#[derive(Debug, Default)]
pub(super) struct Debounce {
    files: BTreeSet<PathBuf>,
    first_ns: u64,
    last_ns: u64,
}

impl Debounce {
    /// Adds files that changed until now.
    pub(super) fn note(&mut self, now_ns: u64, files: impl IntoIterator<Item = PathBuf>) {
        for file in files {
            if self.files.is_empty() {
                self.first_ns = now_ns;
            }
            self.last_ns = now_ns;
            self.files.insert(file);
        }
    }

    /// How long until the save is complete; `None` without a change.
    pub(super) fn left_ns(&self, now_ns: u64) -> Option<u64> {
        if self.files.is_empty() {
            return None;
        }
        let end_ns = (self.last_ns + QUIET_NS).min(self.first_ns + LONGEST_NS);
        Some(end_ns.saturating_sub(now_ns))
    }

    /// The files, which are no part of a later save.
    pub(super) fn take(&mut self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_save_ends_when_no_file_changes() {
        let mut save = Debounce::default();
        assert_eq!(save.left_ns(7), None);
        save.note(100 * MS, ["b".into(), "a".into()]);
        assert_eq!(save.left_ns(100 * MS), Some(50 * MS));
        save.note(140 * MS, ["a".into()]);
        assert_eq!(save.left_ns(140 * MS), Some(50 * MS));
        save.note(150 * MS, []);
        assert_eq!(save.left_ns(191 * MS), Some(0));
        let files = ["a", "b"].map(PathBuf::from);
        assert_eq!(save.take(), BTreeSet::from(files));
        assert_eq!(save.left_ns(191 * MS), None);
    }

    #[test]
    fn a_file_that_never_rests_delays_a_save_by_a_second() {
        let mut save = Debounce::default();
        for now in 0..99 {
            save.note(10 * now * MS, ["log".into()]);
            assert!(save.left_ns(10 * now * MS) > Some(0), "{now}");
        }
        save.note(1_000 * MS, ["log".into()]);
        assert_eq!(save.left_ns(1_000 * MS), Some(0));
    }
}
