//! The known word that somebody may have meant.

/// The one of `known` that is fewest edits away from `word`, if that is few enough to be a slip.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .iter()
        .map(|known| (edits(word, known), *known))
        .min()
        .filter(|(edits, _)| *edits <= limit)
        .map(|(_, known)| known)
}

/// `a`, `b`, `c` and so on in backticks, for a message.
pub(crate) fn listed(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn
/// `from` into `to`.
fn edits(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=from.len() {
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::{edits, nearest};

    #[test]
    fn distances() {
        assert_eq!(edits("", "args"), 4);
        assert_eq!(edits("args", "args"), 0);
        assert_eq!(edits("arg", "args"), 1);
        assert_eq!(edits("agrs", "args"), 1);
        assert_eq!(edits("types", "tags"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["args", "types", "tags", "max_time", "min_time"];
        assert_eq!(nearest("arg", &known), Some("args"));
        assert_eq!(nearest("type", &known), Some("types"));
        assert_eq!(nearest("maxtime", &known), Some("max_time"));
        assert_eq!(nearest("counters", &known), None);
        assert_eq!(nearest("x", &known), None);
        assert_eq!(nearest("", &[]), None);
    }
}
