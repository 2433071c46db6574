/// The pieces of a text that an ASCII character divides, such as its lines.
///
/// What `str::split` does, without its machinery for patterns of all kinds, which the compiler makes
/// anew for each crate that goes into a bench binary.
///
/// # Examples
///
/// ```
/// use tourbillon_report::Pieces;
/// let mut pieces = Pieces::divided("key: a: b", b':');
/// assert_eq!(pieces.next(), Some("key"));
/// assert_eq!(pieces.rest(), Some(" a: b"));
/// ```
#[derive(Debug)]
pub struct Pieces<'a> {
    rest: Option<&'a str>,
    divider: u8,
}

impl<'a> Pieces<'a> {
    /// What `divider`, an ASCII character, divides.
    pub fn divided(text: &'a str, divider: u8) -> Pieces<'a> {
        Pieces {
            rest: Some(text),
            divider,
        }
    }

    /// The lines of a text; a line feed at its end begins an empty one.
    pub fn of(text: &'a str) -> Pieces<'a> {
        Pieces::divided(text, b'\n')
    }

    /// What comes behind the last divider that was passed; `None` when all pieces were given out.
    pub fn rest(&self) -> Option<&'a str> {
        self.rest
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && bytes[at] != self.divider {
            at += 1;
        }
        self.rest = text.get(at + 1..);
        Some(&text[..at])
    }
}

#[cfg(test)]
mod tests {
    use super::Pieces;

    #[test]
    fn pieces_are_those_of_split() {
        for text in ["", "\n", "a", "a\n", "\na", "é\n\nb"] {
            assert!(Pieces::of(text).eq(text.split('\n')), "{text:?}");
        }
    }
}
