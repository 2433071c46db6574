//! What stands in the `d` of a path: coordinates to a tenth of a unit, in few characters.

/// A coordinate.
pub(crate) fn at(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 {
        (tenths / 10).to_string()
    } else {
        format!("{:.1}", tenths as f64 / 10.0)
    }
}

/// A path of commands.
#[derive(Debug, Default)]
pub(crate) struct Path(pub(crate) String);

impl Path {
    pub(crate) fn go(&mut self, x: f64, y: f64) -> &mut Path {
        self.0.push_str(&format!("M{} {}", at(x), at(y)));
        self
    }

    pub(crate) fn line(&mut self, x: f64, y: f64) -> &mut Path {
        self.0.push_str(&format!("L{} {}", at(x), at(y)));
        self
    }

    pub(crate) fn across(&mut self, x: f64) -> &mut Path {
        self.0.push_str(&format!("H{}", at(x)));
        self
    }

    pub(crate) fn up_to(&mut self, y: f64) -> &mut Path {
        self.0.push_str(&format!("V{}", at(y)));
        self
    }

    /// Commands that are relative to where the path is.
    pub(crate) fn then(&mut self, commands: &str) -> &mut Path {
        self.0.push_str(commands);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        for (value, expected) in [(12.0, "12"), (12.04, "12"), (-0.26, "-0.3"), (0.04, "0")] {
            assert_eq!(at(value), expected);
        }
    }
}
