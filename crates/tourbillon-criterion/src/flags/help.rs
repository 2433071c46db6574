//! The help of a suite: that of Tourbillon's bench programs, with criterion's flags where they belong.

use std::ffi::OsStr;

/// What is different in a suite: paragraphs of the help, each with the flags to add or to replace.
const OWN: &str = include_str!("help.txt");

/// The help of a suite, made from that of bench programs.
pub(super) fn help(of_programs: &str) -> String {
    merged(of_programs, OWN)
}

/// Whether a word is a flag of a suite, or the `--bench` that cargo adds.
pub(super) fn is_flag(word: &OsStr) -> bool {
    let is_own = |word: &str| {
        OWN.split("\n\n")
            .flat_map(flags)
            .any(|flag| names(&flag).any(|name| name == word))
    };
    tourbillon_coordinator::args::is_flag(word) || word.to_str().is_some_and(is_own)
}

/// A text whose paragraphs have those of `own` in them: flags below a common heading are replaced or added at its end,
/// a paragraph that begins with the same two words is replaced, and other ones come before the environment.
fn merged(base: &str, own: &str) -> String {
    let mut paragraphs: Vec<String> = base.trim_end().split("\n\n").map(str::to_owned).collect();
    for own in own.trim_end().split("\n\n") {
        let heading = first_line(own);
        let same_heading = |other: &String| first_line(other) == heading;
        if let Some(base) = paragraphs.iter_mut().find(|other| same_heading(other)) {
            *base = with_flags(base, own);
            continue;
        }
        let same_words = |other: &String| first_words(other) == first_words(own);
        match paragraphs.iter().position(same_words) {
            Some(at) => own.clone_into(&mut paragraphs[at]),
            None => {
                let is_environment = |other: &String| first_line(other) == "Environment:";
                let at = paragraphs.iter().position(is_environment);
                paragraphs.insert(at.unwrap_or(paragraphs.len()), own.to_owned());
            }
        }
    }
    paragraphs.join("\n\n") + "\n"
}

fn first_line(paragraph: &str) -> &str {
    paragraph.lines().next().unwrap_or_default()
}

fn first_words(paragraph: &str) -> Vec<&str> {
    paragraph.split_whitespace().take(2).collect()
}

/// A paragraph with the flags of another one that has the same heading.
fn with_flags(base: &str, own: &str) -> String {
    let mut all = flags(base);
    for flag in flags(own) {
        let is_it = |other: &String| names(other).any(|name| names(&flag).any(|own| own == name));
        match all.iter().position(is_it) {
            Some(at) => all[at] = flag,
            None => all.push(flag),
        }
    }
    all.insert(0, first_line(base).to_owned());
    all.join("\n")
}

/// The flags below a heading, each with the lines that explain it.
fn flags(paragraph: &str) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    for line in paragraph.lines().skip(1) {
        match flags.last_mut() {
            Some(last) if !line.trim_start().starts_with('-') => {
                last.push('\n');
                last.push_str(line);
            }
            _ => flags.push(line.to_owned()),
        }
    }
    flags
}

/// The names of a flag, short and long: what is before the two spaces that separate its explanation.
fn names(flag: &str) -> impl Iterator<Item = &str> {
    let named = first_line(flag).trim_start().split("  ").next();
    let words = named.unwrap_or_default().split([' ', ',']);
    words.filter(|word| word.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "\
Usage: x

A FILTER selects.

What to do:
  -h, --help              print this help
      --test              run once
                          only

Environment:
  V                       a variable
";

    #[test]
    fn flags_are_replaced_or_added_below_their_heading() {
        let own = "\
A FILTER is an expression.

What to do:
      --test              run each
      --quick             be quick

More:
  -n, --noplot            write no page
";
        let expected = "\
Usage: x

A FILTER is an expression.

What to do:
  -h, --help              print this help
      --test              run each
      --quick             be quick

More:
  -n, --noplot            write no page

Environment:
  V                       a variable
";
        assert_eq!(merged(BASE, own), expected);
    }

    #[test]
    fn a_suite_has_one_text() {
        let base = tourbillon::program::text(tourbillon_coordinator::args::Mode::Help, "suite");
        let help = help(&base);
        for own in [
            "-b, --baseline NAME",
            "--output-format",
            "--sample-size",
            "--exact  ",
            "--skip PATTERN",
        ] {
            assert_eq!(help.matches(own).count(), 1, "{own}: {help}");
        }
        assert_eq!(help.matches("A FILTER").count(), 1, "{help}");
        assert!(help.lines().all(|line| line.len() <= 80), "{help}");
        // Each heading of the suite's text is one of the bench programs, except for the last.
        let headings = OWN.split("\n\n").map(first_line);
        let others = headings.filter(|heading| !base.lines().any(|line| line == *heading));
        assert_eq!(
            others.collect::<Vec<_>>(),
            [
                "A FILTER is a regular expression and selects the benchmarks in whose id it is",
                "Accepted as by criterion, without effect:"
            ]
        );
    }
}
