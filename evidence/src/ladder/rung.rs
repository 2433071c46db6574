use std::fmt;

/// Columns of a page.
const WIDTH: usize = 80;

/// One rung: a wrong figure, the right one, and why the first is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// What is done.
    pub name: &'static str,
    /// What it says, in nanoseconds per call, in words where it says more than a figure.
    pub wrong: String,
    /// What is right, in nanoseconds per call.
    pub right: String,
    /// Why, in a sentence.
    pub why: &'static str,
}

impl Rung {
    pub(super) fn new(
        name: &'static str,
        wrong: impl Into<Figure>,
        right: impl Into<Figure>,
        why: &'static str,
    ) -> Rung {
        Rung {
            name,
            wrong: wrong.into().0,
            right: right.into().0,
            why,
        }
    }
}

/// A figure in words.
pub(super) struct Figure(pub(super) String);

impl From<f64> for Figure {
    fn from(ns: f64) -> Figure {
        let decimals = if ns.abs() < 100.0 { 2 } else { 0 };
        Figure(format!("{ns:.decimals$} ns"))
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<28}{:>24}{:>24}", self.name, self.wrong, self.right)?;
        let mut line = String::from("   ");
        for word in self.why.split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                writeln!(f, "{line}")?;
                line = String::from("   ");
            }
            line.push(' ');
            line.push_str(word);
        }
        writeln!(f, "{line}")
    }
}

#[cfg(test)]
mod tests {
    use super::Rung;

    #[test]
    fn a_rung_is_a_line_and_a_sentence_within_eighty_columns() {
        let why = "because of this and of that, and because no reader ever looks at a figure twice once \
                   it has been printed";
        let rung = Rung::new("a name", 1234.5, 0.5, why);
        let text = rung.to_string();
        assert!(text.starts_with("a name   "), "{text}");
        assert!(
            text.contains(" 1234 ns ") && text.contains("0.50 ns\n    because"),
            "{text}"
        );
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}
