//! Names in less room than they need, so that no two of them look alike.

use std::collections::HashMap;

use crate::escape::{cut_around, shortened};

/// Names, each in as many columns, cut where they are longer: in the middle, and where others would look the same,
/// around what tells them apart.
pub(crate) fn labels(names: &[(String, usize)], ellipsis: &str) -> Vec<String> {
    let mut labels: Vec<String> = names
        .iter()
        .map(|(name, room)| shortened(name, *room, ellipsis))
        .collect();
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, label) in labels.iter().enumerate() {
        alike.entry(label).or_default().push(at);
    }
    let alike: Vec<Vec<usize>> = alike.into_values().filter(|all| all.len() > 1).collect();
    for all in alike {
        let first = names[all[0]].0.as_str();
        let others = all.iter().map(|at| names[*at].0.as_str());
        let (mut start, mut end) = (first.len(), first.len());
        for other in others.filter(|other| *other != first) {
            start = start.min(common(first.chars(), other.chars()));
            end = end.min(common(first.chars().rev(), other.chars().rev()));
        }
        if start == first.len() {
            // One name several times.
            continue;
        }
        for at in all {
            let (name, room) = &names[at];
            // Both ends may overlap: of "aa" and "aaa".
            let end = (name.len() - end.min(name.len())).max(start);
            labels[at] = cut_around(name, *room, ellipsis, start..end);
        }
    }
    labels
}

/// Bytes that two texts begin with alike.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let both = one.zip(other).take_while(|(one, other)| one == other);
    both.map(|(letter, _)| letter.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], room: usize) -> Vec<String> {
        let names: Vec<_> = names
            .iter()
            .map(|name| ((*name).to_owned(), room))
            .collect();
        labels(&names, "…")
    }

    #[test]
    fn names_with_equal_ends_are_cut_around_what_differs() {
        let names = [
            "sort --stable --parallel=1 --buffer-size=10M numbers.txt",
            "sort --stable --parallel=16 --buffer-size=10M numbers.txt",
            "cat",
        ];
        let cut = of(&names, 24);
        assert_eq!(
            cut,
            [
                "sort -…parallel=1…rs.txt",
                "sort -…arallel=16…rs.txt",
                "cat"
            ]
        );
        assert_eq!(of(&names, 60), names);
        // Others are cut as before.
        assert_eq!(of(&names[..1], 24), ["sort --stabl…numbers.txt"]);
        assert_eq!(of(&[names[0], names[0]], 10), ["sort ….txt", "sort ….txt"]);
    }

    #[test]
    fn no_label_is_wider_than_its_room() {
        for room in 0..40 {
            for names in [
                ["a".repeat(40), "a".repeat(41)],
                ["é語".repeat(20), "é".to_owned() + &"é語".repeat(20)],
                ["x".repeat(30) + "ab", "x".repeat(30) + "b"],
            ] {
                let names = names.each_ref().map(String::as_str);
                for label in of(&names, room) {
                    assert!(crate::display_width(&label) <= room, "{label} {room}");
                }
            }
        }
    }
}
