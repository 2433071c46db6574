//! Words: one of a list, and the one that was meant.

/// The value of the known word that was typed.
///
/// # Errors
///
/// That the word is unknown, with the nearest one or all that are known.
///
/// # Examples
///
/// ```
/// let known = [("auto", 0), ("always", 1), ("never", 2)];
/// assert_eq!(tourbillon_values::choice("never", &known), Ok(2));
/// assert_eq!(
///     tourbillon_values::choice("alway", &known).unwrap_err(),
///     "\"alway\" is not known; did you mean always?"
/// );
/// ```
pub fn choice<T: Copy>(typed: &str, known: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, value)) = known.iter().find(|(word, _)| *word == typed) {
        return Ok(*value);
    }
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    Err(match nearest(typed, words.iter().copied()) {
        Some(meant) => format!("{typed:?} is not known; did you mean {meant}?"),
        None => format!("{typed:?} is not known; known are {}", words.join(", ")),
    })
}

/// The values of known words with commas between them, in the order in which they were typed.
///
/// # Errors
///
/// As [`choice`], for the first unknown word; and that a word is there twice.
///
/// # Examples
///
/// ```
/// let known = [("mean", 'm'), ("max", 'x')];
/// assert_eq!(tourbillon_values::choices("max, mean", &known), Ok(vec!['x', 'm']));
/// assert_eq!(
///     tourbillon_values::choices("max,sum", &known).unwrap_err(),
///     "\"sum\" is not known; known are mean, max"
/// );
/// ```
pub fn choices<T: Copy + PartialEq>(typed: &str, known: &[(&str, T)]) -> Result<Vec<T>, String> {
    let mut values = Vec::new();
    for word in typed.split(',').map(str::trim) {
        let value = choice(word, known)?;
        if values.contains(&value) {
            return Err(format!("{word:?} is there twice; write it once"));
        }
        values.push(value);
    }
    Ok(values)
}

/// Most bytes of what may be a typing error: the edits of longer texts would take time and memory.
const LONGEST_TYPED: usize = 100;

/// The candidate with the fewest edits from `typed`; `None` when all are too far for a typing error: more
/// than a third of the letters, at least one. A text of more than 100 bytes is none.
///
/// # Examples
///
/// ```
/// let flags = ["launches", "list", "seed"];
/// assert_eq!(tourbillon_values::nearest("luanches", flags), Some("launches"));
/// assert_eq!(tourbillon_values::nearest("baseline", flags), None);
/// ```
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = |candidate: &str| (candidate.len() / 3).max(1);
    let candidates = candidates
        .into_iter()
        .take_while(|_| typed.len() <= LONGEST_TYPED);
    let scored = candidates
        // As many edits are needed as letters are missing: of a long candidate none are counted.
        .filter(|candidate| typed.len().abs_diff(candidate.len()) <= most(candidate))
        .map(|candidate| (edits(typed.as_bytes(), candidate.as_bytes()), candidate))
        // Any text is so near to a word of which no letter stays.
        .filter(|(edits, candidate)| *edits <= most(candidate) && *edits < candidate.len());
    scored
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Of names with slashes between their parts, the [`nearest`] to `typed`: whole parts, as many as `typed` has; or the
/// first name that has `typed` in it when case is ignored.
///
/// # Examples
///
/// ```
/// use tourbillon_values::nearest_name;
/// let names = ["sort/heap/100", "sort/quick/100"];
/// assert_eq!(nearest_name("hep/100", names).as_deref(), Some("heap/100"));
/// assert_eq!(nearest_name("Quick", names).as_deref(), Some("sort/quick/100"));
/// assert_eq!(nearest_name("map", names), None);
/// ```
pub fn nearest_name<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if typed.len() > LONGEST_TYPED {
        return None;
    }
    let names: Vec<&str> = names.into_iter().collect();
    let (count, lower) = (typed.split('/').count(), typed.to_lowercase());
    let has_typed = |name: &&&str| !typed.is_empty() && name.to_lowercase().contains(&lower);
    if let Some(name) = names.iter().find(has_typed) {
        return Some((*name).to_owned());
    }
    let parts_of = |name: &&str| -> Vec<String> {
        let parts: Vec<&str> = name.split('/').collect();
        parts.windows(count).map(|some| some.join("/")).collect()
    };
    let parts: Vec<String> = names.iter().flat_map(parts_of).collect();
    nearest(typed, parts.iter().map(String::as_str)).map(str::to_owned)
}

/// Edits (insert, remove, replace, swap two adjacent ones) that turn `a` into `b`: the optimal string
/// alignment distance.
fn edits(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
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
    use super::{choice, edits, nearest, nearest_name};

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
        ] {
            assert_eq!(nearest(typed, words), expected, "{typed}");
        }
        // Their edits would take a table of gigabytes.
        let [typed, candidate] = ["x", "y"].map(|letter| letter.repeat(100_000_000));
        assert_eq!(nearest(&typed, ["seed", &candidate]), None);
        assert_eq!(nearest_name(&typed, ["seed", &candidate]), None);
    }

    #[test]
    fn an_unknown_word_gets_the_known_ones() {
        assert_eq!(choice("b", &[("a", 1), ("b", 2)]), Ok(2));
        assert_eq!(
            choice("xml", &[("text", 1), ("jsonl", 2)]).unwrap_err(),
            "\"xml\" is not known; known are text, jsonl"
        );
    }
}
