//! Comparing texts of several lines.

/// Fails where the texts differ, showing both and the first line that does. What is expected may
/// begin on a line of its own.
#[track_caller]
pub(crate) fn same(actual: &str, expected: &str) {
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    if actual == expected {
        return;
    }
    let differing = actual
        .split('\n')
        .zip(expected.split('\n'))
        .enumerate()
        .find(|(_, (actual, expected))| actual != expected);
    let first = match differing {
        Some((line, (actual, expected))) => {
            format!(
                "line {}:\n  is     {actual:?}\n  not    {expected:?}",
                line + 1
            )
        }
        None => "one has more lines".to_owned(),
    };
    panic!("texts differ, {first}\n--- is\n{actual}--- was to be\n{expected}---");
}
