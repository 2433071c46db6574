//! How marks of a series look.

use crate::path::Path;

/// Which of up to three series a mark belongs to. They differ in colour, in the pattern of their lines, and,
/// by the caller's choice, in the [`Shape`] of their dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The main series.
    First,
    /// What it is compared with.
    Second,
    /// A third one.
    Third,
}

impl Ink {
    /// The series by number; the fourth looks like the first.
    pub fn nth(number: usize) -> Ink {
        [Ink::First, Ink::Second, Ink::Third][number % 3]
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            Ink::First => "a",
            Ink::Second => "b",
            Ink::Third => "c",
        }
    }
}

/// The shape of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled circle.
    Round,
    /// A filled square.
    Square,
    /// A filled triangle that points up.
    Up,
    /// A filled triangle that points down.
    Down,
    /// A circle that is not filled.
    Ring,
    /// A short upright line, for dense series.
    Stroke,
    /// A short lying line, for many values at one place.
    Dash,
}

impl Shape {
    /// The shape of the dots of a series by number.
    pub fn nth(number: usize) -> Shape {
        [
            Shape::Round,
            Shape::Square,
            Shape::Up,
            Shape::Ring,
            Shape::Down,
        ][number % 5]
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            Shape::Round => "d",
            Shape::Square => "q",
            Shape::Up | Shape::Down => "f s",
            Shape::Ring => "o",
            Shape::Stroke | Shape::Dash => "s",
        }
    }

    /// Adds the shape around a point.
    pub(crate) fn add(self, path: &mut Path, x: f64, y: f64) {
        match self {
            Shape::Round | Shape::Square => path.go(x, y).around("h0"),
            Shape::Up => path.go(x, y - 4.0).around("l4 7h-8z"),
            Shape::Down => path.go(x, y + 4.0).around("l4-7h-8z"),
            Shape::Ring => path.go(x - 3.0, y).around("a3 3 0 1 0 6 0a3 3 0 1 0-6 0"),
            Shape::Stroke => path.go(x, y - 3.0).up_to(y + 3.0),
            Shape::Dash => path.go(x - 4.0, y).across(x + 4.0),
        };
    }
}
