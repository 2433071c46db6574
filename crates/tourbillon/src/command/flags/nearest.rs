//! The word that somebody who mistyped probably meant.
//!
//! For options of the attribute and flags of the command line; why in two places says `duration.rs`.

/// Longest word that is compared; all that are known are shorter.
const LONGEST: usize = 32;

/// The candidate with the fewest edits from `typed`; `None` when all are too far for a typing
/// error: more than a third of the letters, at least one.
pub(crate) fn nearest<'a>(typed: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let mut found = None;
    let mut fewest = usize::MAX;
    for candidate in candidates {
        let edits = edits(typed.as_bytes(), candidate.as_bytes());
        // Of a word without a letter that stays, anything would be a mistyped form.
        let likely = edits <= (candidate.len() / 3).max(1) && edits < candidate.len();
        if likely && edits < fewest {
            fewest = edits;
            found = Some(*candidate);
        }
    }
    found
}

/// Edits (insert, remove, replace, swap two neighbours) that turn `a` into `b`: the optimal string
/// alignment distance. Words that are too long are infinitely far.
fn edits(a: &[u8], b: &[u8]) -> usize {
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut rows = [[0; LONGEST + 1]; LONGEST + 1];
    for i in 0..a.len() + 1 {
        for j in 0..b.len() + 1 {
            if i == 0 || j == 0 {
                rows[i][j] = i + j;
                continue;
            }
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = cost;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{edits, nearest};

    #[test]
    fn edits_are_counted() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("launches", "launches", 0),
            ("luanches", "launches", 1),
            ("launch", "launches", 2),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edits(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_likely_words_are_offered() {
        let words = ["launches", "list", "seed", "no-store", "store"];
        for (typed, expected) in [
            ("launch", Some("launches")),
            ("sede", Some("seed")),
            ("nostore", Some("no-store")),
            ("stor", Some("store")),
            ("lits", Some("list")),
            ("baseline", None),
            ("", None),
            ("lists-of-very-many-different-things", None),
        ] {
            assert_eq!(nearest(typed, &words), expected, "{typed}");
        }
    }
}
