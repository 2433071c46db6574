//! The help of a suite: that of Tourbillon's bench programs, with criterion's flags where they belong.

use std::ffi::OsStr;

use tourbillon_coordinator::args::{
    HelpEntry, HelpGroup, SUITE_GROUPS, SuiteFlag, find_suite_flag, help_groups, help_label,
    help_text,
};

const FILTERS: &str = "\
A FILTER is a regular expression and selects the benchmarks in whose id it is
found; several select what any of them selects.
";

/// The help of a suite.
pub(super) fn help(program: &str) -> String {
    let mut groups = help_groups();
    for (heading, flags) in SUITE_GROUPS {
        let entries = entries(flags);
        match groups.iter_mut().find(|group| group.heading == heading) {
            Some(group) => entries.into_iter().for_each(|entry| put(group, entry)),
            None => groups.push(HelpGroup { heading, entries }),
        }
    }
    help_text(program, FILTERS, &groups)
}

/// Whether a word is a flag of a suite, or the `--bench` that cargo adds.
pub(super) fn is_flag(word: &OsStr) -> bool {
    let is_own = |word: &str| find_suite_flag(word).is_some();
    tourbillon_coordinator::args::is_flag(word) || word.to_str().is_some_and(is_own)
}

/// Flags without a help share that of the next one, if there is one.
fn entries(flags: &[SuiteFlag]) -> Vec<HelpEntry> {
    let mut entries: Vec<HelpEntry> = Vec::new();
    for flag in flags {
        let label = help_label(flag.names, flag.value);
        match entries.last_mut().filter(|last| last.help.is_empty()) {
            Some(last) => {
                last.names.extend(flag.names);
                last.label += &format!(", {label}");
                flag.help.clone_into(&mut last.help);
            }
            None => entries.push(HelpEntry {
                names: flag.names.to_vec(),
                label,
                help: flag.help.to_owned(),
            }),
        }
    }
    entries
}

/// Adds an entry, or puts it in the place of that of the same flag.
fn put(group: &mut HelpGroup, entry: HelpEntry) {
    let is_it = |other: &HelpEntry| other.names.iter().any(|name| entry.names.contains(name));
    match group.entries.iter().position(is_it) {
        Some(at) => group.entries[at] = entry,
        None => group.entries.push(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_has_one_text() {
        let help = help("suite");
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
        // Each heading of the suite's flags is one of the bench programs, except for the last.
        let known = help_groups();
        let is_new = |heading: &&str| known.iter().all(|group| group.heading != *heading);
        let headings = SUITE_GROUPS.iter().map(|(heading, _)| *heading);
        let new: Vec<&str> = headings.filter(is_new).collect();
        assert_eq!(new, ["Accepted as by criterion, without effect"]);
    }

    #[test]
    fn flags_are_replaced_or_added_below_their_heading() {
        let help = help("suite");
        for expected in [
            "  -q, --quiet             results and failures only\n",
            "      --warm-up-time S, --measurement-time S\n                          their sum",
            "      --quick             as --launches 8\n",
            "  -c, --color, --colour WHEN\n                          auto, always or never [auto]\n",
            "\n      --sample-size N, --nresamples N, --confidence-level F,\n      --significance-level F,",
        ] {
            assert!(help.contains(expected), "{expected}: {help}");
        }
        assert!(!help.contains("      --color"), "{help}");
    }
}
