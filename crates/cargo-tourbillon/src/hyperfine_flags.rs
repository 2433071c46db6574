//! Lines of hyperfine, 1.20 and 2, that are not ours as they are: what is written in their place.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use tourbillon_present::shell_word;

use crate::exit::Stop;

/// A flag of hyperfine that is not ours.
struct Foreign {
    names: &'static [&'static str],
    takes_value: bool,
    /// What stands for the flag with a value.
    instead: fn(&str) -> Vec<String>,
    why: &'static str,
}

const FOREIGN: [Foreign; 5] = [
    Foreign {
        names: &["--style"],
        takes_value: true,
        instead: |value| {
            words(match value {
                "basic" | "nocolor" => &["--color", "never"],
                "color" | "full" => &["--color", "always"],
                "none" => &[">/dev/null"],
                _ => &[],
            })
        },
        why: "colours are --color, and a pipe gets none",
    },
    Foreign {
        names: &["-u", "--time-unit"],
        takes_value: true,
        instead: |_| Vec::new(),
        why: "the unit fits the size",
    },
    Foreign {
        names: &["--export-asciidoc", "--export-orgmode"],
        takes_value: true,
        instead: |file| vec!["--export-markdown".to_owned(), file.to_owned()],
        why: "tables are written as Markdown or CSV",
    },
    Foreign {
        names: &["--min-benchmarking-time"],
        takes_value: true,
        instead: |seconds| vec!["--time".to_owned(), format!("{seconds}s")],
        why: "the time to measure is --time",
    },
    Foreign {
        names: &["--debug-mode"],
        takes_value: false,
        instead: |_| Vec::new(),
        why: "`show` and `explain` print all of a record",
    },
];

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

/// The hint for a line of hyperfine that clap does not know: a command in place of a subcommand, or a flag; then the line
/// as typed, with what stands for its flags here.
pub(crate) fn hint_for(error: &clap::Error) -> Option<String> {
    if let Some(ContextValue::String(line)) = error.get(ContextKind::InvalidSubcommand)
        && line.contains(char::is_whitespace)
    {
        let line = shell_word(line, true);
        return Some(format!(
            "{line} is no subcommand; to measure it: tourbillon commands {line}"
        ));
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = flag.split('=').next().unwrap_or(flag);
    let foreign = of(name).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let typed: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let why = foreign.why;
    Some(format!(
        "{name} is hyperfine's: {why}; write {}",
        rewritten(&typed)
    ))
}

fn of(name: &str) -> Option<&'static Foreign> {
    FOREIGN.iter().find(|foreign| foreign.names.contains(&name))
}

/// A line of this program, the program first, without flags that are not ours.
fn rewritten(typed: &[String]) -> String {
    let (program, typed) = typed.split_first().map_or(("", typed), |(first, rest)| {
        let name = Path::new(first).file_stem();
        (name.and_then(|name| name.to_str()).unwrap_or(first), rest)
    });
    let is_named = typed.first().is_some_and(|word| word == "tourbillon");
    let mut line = match program {
        "cargo-tourbillon" if is_named => "cargo".to_owned(),
        "cargo-tourbillon" => "cargo tourbillon".to_owned(),
        program => program.to_owned(),
    };
    let mut rest = typed.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            line = rest.fold(line + " --", |line, word| {
                line + " " + &shell_word(word, true)
            });
            break;
        }
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (word.as_str(), None),
        };
        let Some(foreign) = of(name) else {
            line = line + " " + &shell_word(word, true);
            continue;
        };
        let value = match attached {
            None if foreign.takes_value => rest.next().map(String::as_str),
            attached => attached,
        };
        for word in (foreign.instead)(value.unwrap_or_default()) {
            let is_redirection = word.starts_with('>');
            let word = if is_redirection {
                word
            } else {
                shell_word(&word, true)
            };
            line = line + " " + &word;
        }
    }
    line
}

/// Shells that the `-S` of hyperfine 1 took as its value.
const SHELLS: [&str; 9] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "none", "default", "cmd.exe",
];

/// Fails if the first command is a shell alone: `-S` has had no value since hyperfine 2.
pub(crate) fn refuse_shell_as_command(commands: &[String]) -> Result<(), Stop> {
    let Some(first) = commands.first().filter(|_| commands.len() > 1) else {
        return Ok(());
    };
    let mut words = first.split_ascii_whitespace();
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    if !SHELLS.contains(&name) || words.any(|word| !word.starts_with('-') || word == "-c") {
        return Ok(());
    }
    let shell = shell_word(first, true);
    Err(Stop::Usage(format!(
        "-S takes no value, as in hyperfine 2; write --shell {shell} for what follows, or --shell default to measure {first:?}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(typed: &str) -> String {
        rewritten(&shell_words::split(typed).expect("words"))
    }

    #[test]
    fn lines_of_hyperfine_are_rewritten() {
        for (typed, expected) in [
            (
                "tourbillon commands --style basic 'sort -n' b",
                "tourbillon commands --color never 'sort -n' b",
            ),
            (
                "x/tourbillon commands --style=full a",
                "tourbillon commands --color always a",
            ),
            (
                "tourbillon commands -u ms --style auto a",
                "tourbillon commands a",
            ),
            (
                "/b/cargo-tourbillon tourbillon commands --export-orgmode 'a b' c",
                "cargo tourbillon commands --export-markdown 'a b' c",
            ),
            (
                "cargo-tourbillon commands --min-benchmarking-time 2.5 --debug-mode a",
                "cargo tourbillon commands --time 2.5s a",
            ),
            (
                "tourbillon commands --style none -- a -u",
                "tourbillon commands >/dev/null -- a -u",
            ),
        ] {
            assert_eq!(line(typed), expected);
        }
    }

    #[test]
    fn a_shell_after_the_flag_without_a_value_is_refused() {
        let refused = |commands: &[&str]| refuse_shell_as_command(&words(commands)).is_err();
        for first in ["bash", "bash --norc", "/bin/zsh", "none"] {
            assert!(refused(&[first, "true"]), "{first}");
        }
        for commands in [
            &["bash"][..],
            &["bash -c :", "x"],
            &["bash x.sh", "x"],
            &["true", "sh"],
        ] {
            assert!(!refused(commands), "{commands:?}");
        }
    }
}
