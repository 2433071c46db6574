//! What a program says that was started without a flag.

use std::ffi::OsString;

use tourbillon_os::HAS_PROCESSES;
use tourbillon_report::shell_operand;

/// How to measure with a program that has run each body once because its command line asks for nothing else. `None`
/// where cargo started it, or a test runner, which names cargo to the program, too; and where nothing can be measured.
pub fn measuring_hint(
    arguments: &[OsString],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<String> {
    let is_asked = arguments.iter().any(|word| word == "--test");
    if is_asked || !HAS_PROCESSES || variable("CARGO").is_some() {
        return None;
    }
    let program = shell_operand(&arguments.first()?.to_string_lossy(), true);
    Some(format!(
        "each body ran once, and nothing was measured; to measure: {program} --bench, or cargo bench\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(words: &[&str], variable: Option<&str>) -> Option<String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        measuring_hint(&words, |name| (Some(name) == variable).then(OsString::new))
    }

    #[test]
    fn only_a_program_that_was_started_by_hand_says_it() {
        let expected = "each body ran once, and nothing was measured; to measure: './a b' --bench, or cargo bench\n";
        assert_eq!(hint(&["./a b"], None).as_deref(), Some(expected));
        assert!(hint(&["./a", "sort"], Some("HOME")).is_some());
        assert_eq!(hint(&["./a"], Some("CARGO")), None);
        assert_eq!(hint(&["./a", "--test"], None), None);
        assert_eq!(hint(&[], None), None);
    }
}
