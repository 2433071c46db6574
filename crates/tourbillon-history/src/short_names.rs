//! Commits as they are printed.

use crate::index::IndexedRun;

/// Digits of a commit in texts.
const DIGITS: usize = 9;

/// The commit of a run as it is printed.
pub(crate) fn short(run: &IndexedRun) -> &str {
    run.commit.as_deref().map_or("no commit", short_commit)
}

/// A commit as it is printed.
pub(crate) fn short_commit(commit: &str) -> &str {
    commit.get(..DIGITS).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_shortened() {
        assert_eq!(short_commit("0123456789abcdef"), "012345678");
        assert_eq!(short_commit("abc"), "abc");
    }
}
