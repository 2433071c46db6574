//! The text of `--help`, from the table of flags.

use std::fmt::Write;

use super::flags::GROUPS;

/// The column in which explanations begin.
const EXPLANATIONS: usize = 26;
const WIDTH: usize = 80;

const HEAD: &str = "\
Measures the benchmarks in this program.

Usage: PROGRAM [FLAGS] [FILTER]...
   or: cargo bench [--bench TARGET] -- [FLAGS] [FILTER]...

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

/// The help text, with a line break at its end.
pub fn help(program: &str) -> String {
    let mut text = HEAD.replace("PROGRAM", program);
    for (heading, flags) in GROUPS {
        let _ = write!(text, "\n{heading}:\n");
        for flag in flags {
            let mut names = match (flag.short, flag.name) {
                ("", name) if name.starts_with("--") => format!("      {name}"),
                ("", name) => format!("  {name}"),
                (short, name) => format!("  {short}, {name}"),
            };
            if !flag.value.is_empty() {
                let _ = write!(names, " {}", flag.value);
            }
            let mut explanation = flag.help.to_owned();
            if !flag.default.is_empty() {
                let _ = write!(explanation, " [{}]", flag.default);
            }
            let _ = write!(text, "{names:EXPLANATIONS$}");
            add_wrapped(&mut text, &explanation);
        }
    }
    text + TAIL
}

/// Adds the words of an explanation, each as far to the left as it fits.
fn add_wrapped(text: &mut String, explanation: &str) {
    let mut column = EXPLANATIONS;
    for word in explanation.split(' ') {
        let is_first = column == EXPLANATIONS;
        if !is_first && column + 1 + word.len() > WIDTH {
            let _ = write!(text, "\n{:EXPLANATIONS$}", "");
            column = EXPLANATIONS;
        } else if !is_first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}
