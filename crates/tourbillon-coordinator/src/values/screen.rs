//! What a terminal shows, by what was typed and by the environment.

/// The value of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// On a terminal, unless the environment decides otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// The words of `--color`, for [`choice`](tourbillon_values::choice).
    pub const WORDS: [(&'static str, ColorChoice); 3] = [
        ("auto", ColorChoice::Auto),
        ("always", ColorChoice::Always),
        ("never", ColorChoice::Never),
    ];
}

/// Whether to colour a text. `variable` reads an environment variable.
///
/// A choice other than `Auto` decides; else, in this order: `NO_COLOR` (no-color.org) switches colours
/// off, `CLICOLOR_FORCE` (bixense.com/clicolors) on; else a terminal gets colours unless `TERM` is `dumb`. A
/// variable that is empty counts as unset, as does a `CLICOLOR_FORCE` of 0.
///
/// # Examples
///
/// ```
/// use tourbillon_coordinator::values::{ColorChoice, is_colored};
///
/// assert!(is_colored(ColorChoice::Auto, true, |_| None));
/// assert!(!is_colored(ColorChoice::Auto, false, |_| None));
/// ```
pub fn is_colored(
    choice: ColorChoice,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    let value = |name| variable(name).filter(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if value("NO_COLOR").is_some() => false,
        ColorChoice::Auto if value("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto => is_terminal && value("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// Whether a terminal shows more than ASCII, by the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set;
/// where none is, it is taken for a modern one.
///
/// # Examples
///
/// ```
/// use tourbillon_coordinator::values::shows_unicode;
///
/// assert!(shows_unicode(|_| None));
/// assert!(!shows_unicode(|name| (name == "LANG").then(|| "C".to_owned())));
/// ```
pub fn shows_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let mut values = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable);
    values.find(|value| !value.is_empty()).is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn flag_before_environment_before_terminal() {
        for (choice, is_terminal, variables, expected) in [
            (ColorChoice::Auto, true, &[][..], true),
            (ColorChoice::Auto, false, &[], false),
            (ColorChoice::Auto, true, &[("NO_COLOR", "1")], false),
            (ColorChoice::Auto, true, &[("NO_COLOR", "")], true),
            // It is for progress.
            (ColorChoice::Auto, true, &[("CI", "true")], true),
            (ColorChoice::Auto, true, &[("TERM", "dumb")], false),
            (ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (
                ColorChoice::Auto,
                true,
                &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                false,
            ),
            (ColorChoice::Never, true, &[("CLICOLOR_FORCE", "1")], false),
            (ColorChoice::Always, false, &[("NO_COLOR", "1")], true),
        ] {
            let colored = is_colored(choice, is_terminal, of(variables));
            assert_eq!(colored, expected, "{choice:?} {is_terminal} {variables:?}");
        }
    }

    #[test]
    fn locales() {
        for (variables, expected) in [
            (&[][..], true),
            (&[("LANG", "en_US.UTF-8")], true),
            (&[("LANG", "de_DE.utf8")], true),
            (&[("LANG", "C")], false),
            (&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")], false),
            (&[("LC_ALL", ""), ("LANG", "en_US.UTF-8")], true),
        ] {
            assert_eq!(shows_unicode(of(variables)), expected, "{variables:?}");
        }
    }
}
