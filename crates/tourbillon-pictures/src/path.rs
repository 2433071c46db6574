//! Paths, with coordinates to a tenth of a unit in few characters.

use maud::{Markup, PreEscaped};

/// A coordinate.
pub(crate) fn at(value: f64) -> String {
    number(tenths(value))
}

fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// So many tenths, without what SVG does without: `12`, `1.5`, `-.5`.
fn number(tenths: i64) -> String {
    let (whole, part) = (tenths.abs() / 10, tenths.abs() % 10);
    let sign = if tenths < 0 { "-" } else { "" };
    match (whole, part) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// A path of commands, each relative or not, whichever is shorter.
#[derive(Debug, Default)]
pub(crate) struct Path {
    commands: String,
    /// Where it is, and where its part began, in tenths of a unit.
    place: (i64, i64),
    start: (i64, i64),
}

impl Path {
    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// The path as an element; nothing where it is empty.
    pub(crate) fn element(&self, class: &str) -> Markup {
        let commands = &self.commands;
        if commands.is_empty() {
            return Markup::default();
        }
        PreEscaped(format!("<path class=\"{class}\" d=\"{commands}\"/>"))
    }

    pub(crate) fn go(&mut self, x: f64, y: f64) -> &mut Path {
        self.pair("M", "m", (x, y));
        self.start = self.place;
        self
    }

    pub(crate) fn line(&mut self, x: f64, y: f64) -> &mut Path {
        self.pair("L", "l", (x, y));
        self
    }

    pub(crate) fn across(&mut self, x: f64) -> &mut Path {
        let x = tenths(x);
        let own = format!("H{}", number(x));
        self.push(own, format!("h{}", number(x - self.place.0)));
        self.place.0 = x;
        self
    }

    pub(crate) fn up_to(&mut self, y: f64) -> &mut Path {
        let y = tenths(y);
        let own = format!("V{}", number(y));
        self.push(own, format!("v{}", number(y - self.place.1)));
        self.place.1 = y;
        self
    }

    /// Back to where this part began.
    pub(crate) fn close(&mut self) -> &mut Path {
        self.commands.push('z');
        self.place = self.start;
        self
    }

    /// Commands that end where they begin.
    pub(crate) fn around(&mut self, commands: &str) -> &mut Path {
        self.commands.push_str(commands);
        self
    }

    fn pair(&mut self, own: &str, relative: &str, (x, y): (f64, f64)) {
        let command = |name: &str, x: i64, y: i64| {
            let space = if y < 0 { "" } else { " " };
            format!("{name}{}{space}{}", number(x), number(y))
        };
        let (x, y) = (tenths(x), tenths(y));
        let own = command(own, x, y);
        let relative = command(relative, x - self.place.0, y - self.place.1);
        self.push(own, relative);
        self.place = (x, y);
    }

    fn push(&mut self, own: String, relative: String) {
        let is_shorter = !self.commands.is_empty() && relative.len() < own.len();
        self.commands
            .push_str(if is_shorter { &relative } else { &own });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        for (value, expected) in [
            (12.0, "12"),
            (12.04, "12"),
            (1.26, "1.3"),
            (-0.26, "-.3"),
            (0.04, "0"),
            (-0.04, "0"),
        ] {
            assert_eq!(at(value), expected);
        }
    }

    #[test]
    fn commands_are_relative_where_that_is_shorter() {
        let mut path = Path::default();
        path.go(100.0, 20.0)
            .across(112.5)
            .up_to(19.5)
            .line(7.0, 1.0);
        path.go(113.0, 20.0).around("h0").go(120.0, 20.0);
        assert_eq!(path.commands, "M100 20h12.5v-.5L7 1M113 20h0m7 0");
        let mut path = Path::default();
        path.go(100.0, 100.0)
            .across(200.0)
            .up_to(150.0)
            .close()
            .go(101.0, 100.0);
        assert_eq!(path.commands, "M100 100H200v50zm1 0");
    }

    #[test]
    fn relative_commands_do_not_drift() {
        let mut path = Path::default();
        path.go(100.0, 100.0);
        for step in 1..1000 {
            path.go(100.0 + f64::from(step) / 30.0, 100.0);
        }
        assert_eq!(path.place, (1333, 1000));
    }
}
