//! Texts with numbers.

use crate::text::owned;

/// Texts, each with the number that it came with first; in the order of the texts.
#[derive(Debug, Default)]
pub(crate) struct Numbered(Vec<(String, usize)>);

impl Numbered {
    /// The number of a text, if it is there.
    pub(crate) fn of(&self, text: &str) -> Option<usize> {
        Some(self.0[self.place(text).ok()?].1)
    }

    /// Adds a text, unless it is there already; then its number stays, and is returned.
    #[inline(never)]
    pub(crate) fn add(&mut self, text: &str, number: usize) -> Option<usize> {
        match self.place(text) {
            Ok(at) => Some(self.0[at].1),
            Err(at) => {
                self.0.insert(at, (owned(text), number));
                None
            }
        }
    }

    #[inline(never)]
    fn place(&self, text: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| known.as_str().cmp(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;

    #[test]
    fn the_first_number_stays() {
        let mut numbered = Numbered::default();
        for (text, number, before) in [("b", 0, None), ("a", 1, None), ("b", 2, Some(0))] {
            assert_eq!(numbered.add(text, number), before, "{text}");
        }
        assert_eq!(numbered.of("a"), Some(1));
        assert_eq!(numbered.of("b"), Some(0));
        assert_eq!(numbered.of("c"), None);
    }
}
