//! What lines consist of.

use tourbillon_criterion_files::Estimate;

/// The column in which the times begin.
pub(super) const COLUMN: usize = 24;

/// Colours, if there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// A text in a colour: the parameter of an escape sequence.
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// `time:   [lower point upper]`
    pub(super) fn three(self, title: &str, [lower, point, upper]: [String; 3]) -> String {
        let (lower, upper) = (self.paint("2", &lower), self.paint("2", &upper));
        format!("{title}[{lower} {} {upper}]\n", self.paint("1", &point))
    }
}

/// The lower end, the middle and the upper end of an interval as `show` shows them.
pub(super) fn ends(of: &Estimate, show: impl Fn(f64) -> String) -> [String; 3] {
    [of.lower, of.point, of.upper].map(show)
}
