//! Flags of bench programs.

use tourbillon_coordinator::args::{find_flag, find_suite_flag, is_of_measuring};
use tourbillon_coordinator::values::Partition;

/// Whether a flag of the bench programs has a value.
pub fn has_value(flag: &str) -> bool {
    find_flag(flag).is_some_and(|flag| !flag.value.is_empty())
}

/// Reads a shard, `auto` from the environment of this process.
pub fn partition(typed: &str) -> Result<Partition, String> {
    // Bytes that are no text are no number either, which the message says.
    let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
    Partition::parse(typed, &variable)
}

/// Whether arguments of a bench program select some of its cases only.
pub fn is_filtered(arguments: &[String]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if find_flag(name).is_some_and(|flag| flag.selects) || !word.starts_with('-') {
            return true;
        }
        let has_value_in_suites = find_suite_flag(word).is_some_and(|flag| !flag.value.is_empty());
        if has_value(word) || has_value_in_suites {
            words.next();
        }
    }
    false
}

/// The flag among arguments of a bench program that would decide how a run measures: a comparison starts it otherwise.
pub fn flag_of_runs(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let (name, has_own) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word.as_str(), false),
        };
        if is_of_measuring(name) {
            return Some(name);
        }
        if has_value(name) && !has_own {
            words.next();
        }
    }
    None
}

/// Where arguments of a bench program have the flag that selects cases which are marked to be ignored.
pub fn ignored_flag(arguments: &[String]) -> Option<usize> {
    let mut words = arguments.iter().enumerate();
    while let Some((at, word)) = words.next() {
        match word.as_str() {
            "--ignored" | "--include-ignored" => return Some(at),
            "--" => return None,
            _ if has_value(word) => {
                words.next();
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_of_ignored_cases_is_found() {
        for (line, expected) in [
            ("sort --ignored", Some(1)),
            ("--include-ignored --exact", Some(0)),
            ("--skip=a --ignored", Some(1)),
            ("--skip --ignored", None),
            ("--exact -- --ignored", None),
            ("ignored", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(ignored_flag(&words), expected, "{line}");
        }
    }

    #[test]
    fn flags_of_runs_are_found() {
        for (line, expected) in [
            ("sort --launches 3", Some("--launches")),
            ("--cpus=0,1", Some("--cpus")),
            ("--skip --launches --exact sort", None),
            ("--tag slow --ignored -- --launches", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(flag_of_runs(&words), expected, "{line}");
        }
    }

    #[test]
    fn filters_are_recognised() {
        for (line, expected) in [
            ("--bench", false),
            ("--bench sort", true),
            ("--bench --launches 5 --format jsonl", false),
            ("--bench --tag slow", true),
            ("--bench --config quick.toml --test-threads 1", false),
            ("--bench --save-baseline main --measurement-time 5", false),
            ("--bench -s main sort", true),
            ("--bench --seed=1 --skip=x", true),
            ("--bench --partition hash:1/2", true),
            ("--include-ignored --ignored", true),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_filtered(&words), expected, "{line}");
        }
    }
}
