//! The text of `--help`, from the table of flags.

use std::fmt::Write;

use tourbillon_present::{Style, padded, paragraph};

use super::flag::Flag;
use super::flags::GROUPS;

/// The column in which explanations begin.
const EXPLANATIONS: usize = 26;

const HEAD: &str = "\
Measures the benchmarks in this program.

Usage: PROGRAM [FLAGS] [FILTER]...
   or: cargo bench [--bench TARGET] -- [FLAGS] [FILTER]...

";

const FILTERS: &str = "\
A FILTER selects the cases whose id contains it, and those that are printed with
it, such as sort/100; several select what any of them selects.
";

const TAIL: &str = "
Environment:
  TOURBILLON_CONFIG       the file of defaults, where --config is not given
  TOURBILLON_STORE        the folder of the store, where --store is not given
  TOURBILLON_LOCK         the folder of the lock for which programs wait that
                          measure; none for no lock [/tmp]
  NO_COLOR, CLICOLOR_FORCE, CI
                          colours and progress, where --color is not given

Exit codes: 0 success, also where nothing was selected; 1 usage, 3 a case
failed or none has a number, 5 store or environment, 101 a panic outside of
the cases, 130 interrupted; cargo itself ends with 101 where it cannot build,
and with --no-fail-fast where a program failed
";

/// Flags below a common heading.
#[derive(Clone, Debug)]
pub struct HelpGroup {
    /// The heading.
    pub heading: &'static str,
    /// The flags.
    pub entries: Vec<HelpEntry>,
}

/// A flag, or several that are explained together.
#[derive(Clone, Debug)]
pub struct HelpEntry {
    /// All names.
    pub names: Vec<&'static str>,
    /// The names with their values, as they are printed.
    pub label: String,
    /// The explanation; empty where the heading says it all.
    pub help: String,
}

/// The help text of a bench program, with a line break at its end.
pub fn help(program: &str) -> String {
    help_text(program, FILTERS, &help_groups())
}

/// The flags of bench programs.
pub fn help_groups() -> Vec<HelpGroup> {
    let group = |(heading, flags): (&'static str, &[Flag])| HelpGroup {
        heading,
        entries: flags.iter().map(HelpEntry::new).collect(),
    };
    GROUPS.into_iter().map(group).collect()
}

impl HelpEntry {
    fn new(flag: &Flag) -> HelpEntry {
        let names: Vec<&str> = flag.names().collect();
        let mut help = flag.explanation();
        if !flag.default.is_empty() {
            let _ = write!(help, " [{}]", flag.default);
        }
        HelpEntry {
            label: label(&names, flag.value),
            names,
            help,
        }
    }
}

/// Names with a value, as they are printed.
pub fn label(names: &[&str], value: &str) -> String {
    let label = names.join(", ");
    if value.is_empty() {
        label
    } else {
        format!("{label} {value}")
    }
}

/// The help text of a program with these flags, with a line break at its end. `filters` says what a FILTER is.
pub fn help_text(program: &str, filters: &str, groups: &[HelpGroup]) -> String {
    let mut text = HEAD.replace("PROGRAM", program) + filters;
    for group in groups {
        let _ = write!(text, "\n{}:\n", group.heading);
        for entry in &group.entries {
            let names = if entry.label.starts_with("--") { 6 } else { 2 };
            let (label, style) = (padded("", names) + &entry.label, Style::default());
            if entry.help.is_empty() {
                text += &paragraph(&padded("", names), &entry.label, &style);
            } else if label.len() + 2 > EXPLANATIONS {
                text += &format!("{label}\n");
                text += &paragraph(&padded("", EXPLANATIONS), &entry.help, &style);
            } else {
                text += &paragraph(&padded(&label, EXPLANATIONS), &entry.help, &style);
            }
        }
    }
    text + TAIL
}

#[cfg(test)]
mod tests;
