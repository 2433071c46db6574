//! The text of `--help`, from the table of flags.

use std::fmt::Write;

use super::flag::Flag;
use super::flags::GROUPS;

/// The column in which explanations begin.
const EXPLANATIONS: usize = 26;
const WIDTH: usize = 80;

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
            let _ = write!(text, "{:names$}", "");
            if entry.help.is_empty() {
                add_wrapped(&mut text, names, &entry.label);
                continue;
            }
            text += &entry.label;
            let column = names + entry.label.len();
            if column + 2 > EXPLANATIONS {
                let _ = write!(text, "\n{:EXPLANATIONS$}", "");
            } else {
                let _ = write!(text, "{:1$}", "", EXPLANATIONS - column);
            }
            add_wrapped(&mut text, EXPLANATIONS, &entry.help);
        }
    }
    text + TAIL
}

/// Adds words from a column on, each as far to the left as it fits.
fn add_wrapped(text: &mut String, from: usize, words: &str) {
    let mut column = from;
    for word in words.split(' ') {
        let is_first = column == from;
        if !is_first && column + 1 + word.len() > WIDTH {
            let _ = write!(text, "\n{:from$}", "");
            column = from;
        } else if !is_first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests;
