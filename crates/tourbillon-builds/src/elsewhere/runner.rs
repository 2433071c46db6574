//! The program that runs others on another machine.

use std::path::Path;

use crate::invocation::Invocation;

/// The words before those of a program that runs elsewhere, such as `ssh` and `pi`.
///
/// What follows them is made of letters, digits and `/._-` alone: `ssh` joins its words and has a shell read them, whose
/// syntax is that of the user there, while `docker exec` passes them as they are. Everything else is in files that were
/// sent before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    words: Vec<String>,
}

impl Runner {
    /// With these words; `None` without any.
    #[must_use]
    pub fn new(words: Vec<String>) -> Option<Runner> {
        let is_named = words.first().is_some_and(|first| !first.is_empty());
        is_named.then_some(Runner { words })
    }

    /// A program there, its flags, and the path of a file or folder there, whose characters need no quotes.
    #[must_use]
    pub fn invocation(&self, words: &[&'static str], path: &str) -> Invocation {
        let is_plain =
            |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
        debug_assert!(path.starts_with('/') && path.chars().all(is_plain));
        let mut runner = Invocation::new(&self.words[0]);
        runner
            .verbatim(&self.words[1..])
            .words(words)
            .path(Path::new(path));
        runner
    }

    /// As it was typed, nearly.
    #[must_use]
    pub fn name(&self) -> String {
        self.words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_words_come_first() {
        let words = ["ssh", "-p", "22", "pi"].map(str::to_owned).to_vec();
        let runner = Runner::new(words).expect("a runner");
        let mut invocation = runner.invocation(&["rm", "-rf"], "/var/x-1");
        let process = invocation.process();
        assert_eq!(process.get_program(), "ssh");
        assert_eq!(
            Vec::from_iter(process.get_args()),
            ["-p", "22", "pi", "rm", "-rf", "/var/x-1"]
        );
        assert_eq!(runner.name(), "ssh -p 22 pi");
        assert_eq!(Runner::new(Vec::new()), None);
        assert_eq!(Runner::new(vec![String::new()]), None);
    }
}
