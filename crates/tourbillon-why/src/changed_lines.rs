//! The lines of a diff that were executed.

use std::collections::BTreeSet;

use crate::profile::Profile;

/// Lines that are listed.
const MOST: usize = 16;

/// A line that a diff removes or adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedLine {
    /// Whether it is added.
    pub(crate) is_new: bool,
    /// As from the root of the repository.
    pub(crate) file: String,
    pub(crate) number: u32,
    pub(crate) text: String,
    /// Instructions of the line, of the side that has it.
    pub(crate) count: u64,
}

/// The executed pieces of a diff, those with most instructions first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) lines: Vec<ChangedLine>,
    /// How many more lines such pieces have.
    pub(crate) more: usize,
    /// The names of the functions with such lines.
    pub(crate) functions: BTreeSet<String>,
}

/// Pieces of a diff without lines around them, of which a line was executed on a side.
pub(crate) fn changed(diff: &str, sides: [&Profile; 2]) -> Changed {
    let mut pieces: Vec<Vec<ChangedLine>> = pieces(diff);
    let mut functions = BTreeSet::new();
    for line in pieces.iter_mut().flatten() {
        let key = (line.file.clone(), line.number);
        if let Some(counted) = sides[usize::from(line.is_new)].lines.get(&key) {
            line.count = counted.count;
            functions.extend(counted.functions.iter().cloned());
        }
    }
    let weight = |piece: &Vec<ChangedLine>| piece.iter().map(|line| line.count).sum::<u64>();
    pieces.retain(|piece| weight(piece) > 0);
    pieces.sort_by_key(|piece| std::cmp::Reverse(weight(piece)));
    let mut lines = pieces.concat();
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    Changed {
        lines,
        more,
        functions,
    }
}

/// The pieces of a diff.
fn pieces(diff: &str) -> Vec<Vec<ChangedLine>> {
    let mut pieces: Vec<Vec<ChangedLine>> = Vec::new();
    let (mut files, mut numbers, mut left) = ([String::new(), String::new()], [0; 2], [0; 2]);
    for line in diff.lines() {
        let side = match line.as_bytes().first() {
            Some(b'-') => Some(0),
            Some(b'+') => Some(1),
            _ => None,
        };
        // Within a piece, `--- a` may be a line that was removed.
        if let Some(side) = side.filter(|side| left[*side] > 0) {
            left[side] -= 1;
            if let Some(piece) = pieces.last_mut() {
                piece.push(ChangedLine {
                    is_new: side == 1,
                    file: files[side].clone(),
                    number: numbers[side],
                    text: line[1..].trim_end().to_owned(),
                    count: 0,
                });
            }
            numbers[side] = numbers[side].saturating_add(1);
        } else if let Some(file) = line.strip_prefix("--- ") {
            files[0] = file
                .strip_prefix("a/")
                .unwrap_or(file)
                .trim_end()
                .to_owned();
        } else if let Some(file) = line.strip_prefix("+++ ") {
            files[1] = file
                .strip_prefix("b/")
                .unwrap_or(file)
                .trim_end()
                .to_owned();
        } else if let Some((old, new)) = ranges(line) {
            numbers = [old.0, new.0];
            left = [old.1, new.1];
            pieces.push(Vec::new());
        }
    }
    pieces
}

/// The first lines and the numbers of lines of `@@ -7,2 +7 @@`.
fn ranges(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let rest = line.strip_prefix("@@ -")?;
    let (ranges, _) = rest.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((range(old)?, range(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::LineCount;

    const DIFF: &str = "diff --git a/src/lib.rs b/src/lib.rs
index 1..2 100644
--- a/src/lib.rs
+++ b/src/lib.rs
@@ -7,2 +7,3 @@ fn sum()
-    for x in xs {
--- a line
+    for at in 0..xs.len() {
+++ b
+    }
@@ -20 +21,0 @@
-}
diff --git a/src/new.rs b/src/new.rs
--- /dev/null
+++ b/src/new.rs
@@ -0,0 +1 @@
+fn cold() {}
";

    fn profile(lines: &[(&str, u32, u64)]) -> Profile {
        let lines = lines.iter().map(|(file, line, count)| {
            let count = LineCount {
                count: *count,
                functions: [format!("f{line}")].into(),
                ..LineCount::default()
            };
            (((*file).to_owned(), *line), count)
        });
        Profile {
            lines: lines.collect(),
            ..Profile::default()
        }
    }

    #[test]
    fn executed_pieces_are_listed_with_the_counts_of_their_side() {
        let before = profile(&[("src/lib.rs", 8, 5), ("src/lib.rs", 9, 70)]);
        let now = profile(&[("src/lib.rs", 7, 40), ("src/lib.rs", 21, 9)]);
        let found = changed(DIFF, [&before, &now]);
        let shown: Vec<_> = found
            .lines
            .iter()
            .map(|line| (line.is_new, line.number, line.text.as_str(), line.count))
            .collect();
        assert_eq!(
            shown,
            [
                (false, 7, "    for x in xs {", 0),
                (false, 8, "-- a line", 5),
                (true, 7, "    for at in 0..xs.len() {", 40),
                (true, 8, "++ b", 0),
                (true, 9, "    }", 0),
            ]
        );
        assert_eq!(found.more, 0);
        assert_eq!(Vec::from_iter(&found.functions), ["f7", "f8"]);
    }

    #[test]
    fn many_lines_are_counted() {
        let mut diff = "--- a/b/x.rs\n+++ b/b/x.rs\n@@ -0,0 +1,40 @@\n".to_owned();
        diff += &"+x\n".repeat(40);
        let now = profile(&[("b/x.rs", 3, 1)]);
        let found = changed(&diff, [&Profile::default(), &now]);
        assert_eq!((found.lines.len(), found.more), (MOST, 40 - MOST));
    }

    #[test]
    fn no_part_of_a_diff_panics() {
        for end in 0..DIFF.len() {
            pieces(&DIFF[..end]);
        }
        pieces("@@ -1 +99999999999999 @@\n@@ -4294967295,2 +1 @@\n-a\n-b\n");
    }
}
