use std::ffi::OsString;
use std::io::IsTerminal;

/// What the environment has to say about the command line: variables and terminals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `TOURBILLON_STORE`, unless it is empty.
    pub(super) store: Option<OsString>,
    /// `NO_COLOR`, unless it is empty (no-color.org).
    pub(super) no_color: bool,
    /// `CLICOLOR_FORCE`, unless it is empty or 0 (bixense.com/clicolors).
    pub(super) force_color: bool,
    /// `TERM` is `dumb`: a terminal that knows no escape sequences.
    pub(super) dumb: bool,
    /// `CI` is set: nobody watches.
    pub(super) ci: bool,
    /// Whether stdout is a terminal.
    pub(super) stdout_is_terminal: bool,
    /// Whether stderr is a terminal.
    pub(super) stderr_is_terminal: bool,
}

impl Environment {
    /// Reads the environment of this process.
    #[inline(never)]
    pub(crate) fn read() -> Environment {
        Environment {
            store: set("TOURBILLON_STORE"),
            no_color: set("NO_COLOR").is_some(),
            force_color: set("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
            dumb: set("TERM").is_some_and(|value| value == "dumb"),
            ci: set("CI").is_some(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }
}

/// The value of a variable, unless it is empty.
#[inline(never)]
fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
