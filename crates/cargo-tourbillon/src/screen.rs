//! What stdout can show.

use std::env;
use std::io::{self, IsTerminal};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches};
use tourbillon_report::Style;

/// Width without a terminal.
const USUAL_WIDTH: usize = 80;

/// The value of `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal, unless the environment disables it.
    Auto,
    Always,
    Never,
}

/// The flag `--color`.
pub(crate) fn argument() -> Arg {
    let whens = PossibleValuesParser::new(["auto", "always", "never"]);
    Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .help("Colour: auto, always or never")
        .hide_possible_values(true)
        .value_parser(whens.map(|when| match when.as_str() {
            "always" => Color::Always,
            "never" => Color::Never,
            _ => Color::Auto,
        }))
        .default_value("auto")
}

/// The value of `--color`.
pub(crate) fn color(matches: &ArgMatches) -> Color {
    matches.get_one("color").copied().unwrap_or(Color::Auto)
}

/// The style of text on stdout.
pub(crate) fn style(color: Color) -> Style {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    Style {
        width: tourbillon_os::terminal_width(&stdout).map_or(USUAL_WIDTH, usize::from),
        unicode: !terminal || shows_unicode(|name| env::var(name).ok()),
        color: colored(color, terminal, |name| env::var(name).ok()),
    }
}

fn colored(color: Color, terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name| variable(name).is_some_and(|value: String| !value.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            terminal
                && !set("NO_COLOR")
                && !set("CI")
                && variable("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Whether the locale is UTF-8; without one, UTF-8 is assumed.
fn shows_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        move |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        for (color, terminal, variables, expected) in [
            (Color::Auto, true, [("TERM", "xterm")].as_slice(), true),
            (Color::Auto, false, &[], false),
            (Color::Auto, true, &[("NO_COLOR", "1")], false),
            (Color::Auto, true, &[("NO_COLOR", "")], true),
            (Color::Auto, true, &[("CI", "true")], false),
            (Color::Auto, true, &[("TERM", "dumb")], false),
            (Color::Always, false, &[("NO_COLOR", "1")], true),
            (Color::Never, true, &[], false),
        ] {
            let found = colored(color, terminal, with(variables));
            assert_eq!(found, expected, "{color:?} {terminal} {variables:?}");
        }
    }

    #[test]
    fn the_first_locale_that_is_set_decides() {
        for (variables, expected) in [
            ([].as_slice(), true),
            (&[("LANG", "en_US.UTF-8")], true),
            (&[("LANG", "C")], false),
            (
                &[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")],
                true,
            ),
            (&[("LC_ALL", "POSIX"), ("LANG", "en_US.UTF-8")], false),
        ] {
            assert_eq!(shows_unicode(with(variables)), expected, "{variables:?}");
        }
    }
}
