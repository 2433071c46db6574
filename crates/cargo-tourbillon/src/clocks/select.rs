//! Selects sources by name.

use super::subject::Subject;

/// Least similarity, from 0 to 1, for a suggestion.
const ALIKE: f64 = 0.7;

/// The sources with these names, in the order of the names; all sources without names.
///
/// # Errors When a name is unknown; the text suggests another one.
pub(super) fn select(subjects: Vec<Subject>, names: &[String]) -> Result<Vec<Subject>, String> {
    if names.is_empty() {
        return Ok(subjects);
    }
    let mut left = subjects;
    let mut selected: Vec<Subject> = Vec::new();
    for name in names {
        if selected.iter().any(|subject| subject.name == *name) {
            continue;
        }
        match left.iter().position(|subject| subject.name == *name) {
            Some(at) => selected.push(left.remove(at)),
            None => {
                let known = selected
                    .iter()
                    .chain(&left)
                    .map(|subject| subject.name.as_str());
                return Err(unknown(name, &known.collect::<Vec<_>>()));
            }
        }
    }
    Ok(selected)
}

fn unknown(name: &str, known: &[&str]) -> String {
    let score = |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), candidate);
    let nearest = known.iter().max_by(|a, b| score(a).total_cmp(&score(b)));
    match nearest.filter(|nearest| score(nearest) >= ALIKE) {
        Some(nearest) => format!("unknown source `{name}`; did you mean `{nearest}`?"),
        None => format!(
            "unknown source `{name}`; known are {}",
            known.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Vec<Subject> {
        ["rdtsc", "monotonic", "monotonic_raw"]
            .map(|name| Subject {
                name: name.to_owned(),
                counts: "wall".to_owned(),
                own_time: false,
                behind: String::new(),
                change: None,
                safe: true,
                reason: None,
                reader: None,
            })
            .into()
    }

    fn selected(names: &[&str]) -> Result<Vec<String>, String> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let selected = select(subjects(), &names)?;
        Ok(selected.into_iter().map(|subject| subject.name).collect())
    }

    #[test]
    fn names_choose_in_their_order_and_once() {
        let all = ["rdtsc", "monotonic", "monotonic_raw"];
        assert_eq!(selected(&[]).unwrap(), all);
        let two = ["monotonic_raw", "rdtsc"];
        assert_eq!(
            selected(&["monotonic_raw", "rdtsc", "monotonic_raw"]).unwrap(),
            two
        );
    }

    #[test]
    fn a_name_that_is_nearly_right_gets_a_suggestion() {
        for (typed, meant) in [
            ("monotone", "monotonic"),
            ("RDTSC", "rdtsc"),
            ("rdtcs", "rdtsc"),
        ] {
            let text = selected(&["monotonic_raw", typed]).unwrap_err();
            let expected = format!("no source is called `{typed}`; did you mean `{meant}`?");
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_name_that_is_nothing_like_any_gets_the_list() {
        let text = selected(&["xyz"]).unwrap_err();
        assert_eq!(
            text,
            "no source is called `xyz`; there are rdtsc, monotonic, monotonic_raw"
        );
    }
}
