//! What can go wrong when a clock is named or a frequency is stated.

use std::fmt;

/// Why there is no such clock or no such frequency.
///
/// The kinds are private so that new sources can bring new reasons; the `is_*` functions tell
/// apart what a caller may want to treat differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    UnknownName,
    Unavailable,
    ZeroFrequency,
}

impl Error {
    #[cold]
    pub(crate) fn unknown_name(name: &str) -> Self {
        Self {
            kind: Kind::UnknownName,
            text: format!("no clock is called {name:?}; the clocks are tsc, cntvct and monotonic"),
        }
    }

    #[cold]
    pub(crate) fn unavailable(source: &str, reason: &str) -> Self {
        Self {
            kind: Kind::Unavailable,
            text: format!(
                "clock {source} cannot be read here: {reason}; use monotonic, which every system has"
            ),
        }
    }

    #[cold]
    pub(crate) fn zero_frequency(numerator: u64, denominator: u64) -> Self {
        Self {
            kind: Kind::ZeroFrequency,
            text: format!(
                "{numerator}/{denominator} ticks per second is no frequency; state both as positive numbers"
            ),
        }
    }

    /// Whether the name is not that of any time source.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        self.kind == Kind::UnknownName
    }

    /// Whether the source exists, but not on this machine.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.kind == Kind::Unavailable
    }

    /// Whether a frequency was stated that is not a positive number of ticks per second.
    #[must_use]
    pub fn is_zero_frequency(&self) -> bool {
        self.kind == Kind::ZeroFrequency
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
