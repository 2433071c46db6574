//! A word in many lines.

use memchr::memmem::Finder;

pub fn lines() -> Vec<String> {
    (0..10).map(|n| format!("{n} customers bought a clock")).collect()
}

pub fn with(lines: &[String], word: &str) -> usize {
    let finder = Finder::new(word);
    lines
        .iter()
        .filter(|line| finder.find(line.as_bytes()).is_some())
        .count()
}
