//! What cargo draws on a terminal that it does not see, because its stderr is [relayed](crate::ErrorRelay).

use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;

use toml::Table;
use tourbillon_os::{follow_escapes, terminal_width};

use crate::compile::configuration::texts_for;
use crate::invocation::Invocation;

/// Has cargo draw for the terminal that it does not see: colours, and the line of progress. Not where the user chooses.
pub(crate) fn draw_for_terminal(cargo: &mut Invocation) {
    let stderr = io::stderr();
    let has_variable = |name: &str| env::var_os(name).is_some();
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if !stderr.is_terminal() || !follow_escapes(&stderr) || is_dumb || has_variable("NO_COLOR") {
        return;
    }
    let is_of_terminal = |name: &str| name.starts_with("CARGO_TERM_");
    let mut names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let own = cargo.process().get_current_dir().map(Path::to_owned);
    let folder = own.or_else(|| env::current_dir().ok()).unwrap_or_default();
    let mut texts = texts_for(&folder).into_iter();
    if names.any(|name| is_of_terminal(&name)) || texts.any(|(_, text)| chooses(&text)) {
        return;
    }
    let process = cargo.process();
    process.env("CARGO_TERM_COLOR", "always");
    let width = terminal_width(&stderr).filter(|_| !has_variable("CI"));
    if let Some(width) = width {
        process
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", width.to_string());
    }
}

/// Whether a configuration of cargo says what it prints.
fn chooses(text: &[u8]) -> bool {
    let table = String::from_utf8_lossy(text).parse::<Table>();
    table.is_ok_and(|table| table.contains_key("term"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_may_choose() {
        for (text, expected) in [
            ("", false),
            ("[build]\njobs = 1", false),
            ("[term]\nquiet = true", true),
            ("term.color = 'never'", true),
            ("no toml", false),
        ] {
            assert_eq!(chooses(text.as_bytes()), expected, "{text}");
        }
    }
}
