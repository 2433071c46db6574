//! The word that somebody who mistyped probably meant.

/// The candidate with the fewest edits from `typed`; `None` when all are too far for a typing
/// error: more than a third of the letters, at least one.
pub(crate) fn nearest<'a>(
    typed: &str,
    candidates: &mut dyn Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed: Vec<char> = typed.chars().collect();
    candidates
        .map(|candidate| {
            (
                edits(&typed, &candidate.chars().collect::<Vec<_>>()),
                candidate,
            )
        })
        .filter(|&(edits, candidate)| edits <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, remove, replace, swap two neighbours) that turn `a` into `b`: the optimal string
/// alignment distance.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before_last[j - 1] + 1);
            }
            row.push(cost);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
            let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(edits(&x, &y), expected, "{a} {b}");
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
        ] {
            assert_eq!(nearest(typed, &mut words.into_iter()), expected, "{typed}");
        }
    }
}
