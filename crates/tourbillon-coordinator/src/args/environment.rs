//! The environment of a command line.

use std::ffi::OsString;
use std::io::IsTerminal;

/// The environment of the command line: variables and terminals.
#[derive(Clone, Debug)]
pub struct Environment {
    pub(super) variable: fn(&str) -> Option<OsString>,
    pub(super) stdout_is_terminal: bool,
    pub(super) stderr_is_terminal: bool,
}

impl Environment {
    /// The environment of this process.
    pub fn read() -> Environment {
        Environment {
            variable: |name| std::env::var_os(name),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// A variable that is set and not empty.
    pub(super) fn value(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
impl Default for Environment {
    fn default() -> Environment {
        Environment {
            variable: |_| None,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }
}
