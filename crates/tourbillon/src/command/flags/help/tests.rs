//! The help as the table of flags says it.

use std::fmt::Write as _;

use tourbillon_report::Pieces;

use super::super::flag::{Flag, Group};
use super::super::table::FLAGS;
use super::help;

/// Columns of the help.
const WIDTH: usize = 80;

/// Column in which the explanations begin.
const INDENT: usize = 26;

/// What the help is to say.
fn drawn() -> String {
    let mut text = String::from(
        "Measures the benchmarks in this program.\n\n\
         Usage: PROGRAM [FLAGS] [FILTER]...\n   \
         or: cargo bench [--bench TARGET] -- [FLAGS] [FILTER]...\n\n\
         A FILTER selects the cases whose id contains it; several select what any of them\n\
         selects.\n",
    );
    for group in &Group::ALL {
        let _ = write!(text, "\n{}:\n", group.heading());
        for flag in FLAGS {
            if flag.group == *group {
                push_flag(&mut text, flag);
            }
        }
    }
    text.push_str(
        "\nEnvironment:\n  \
         TOURBILLON_STORE        the folder of the store, where --store is not given\n  \
         NO_COLOR, CLICOLOR_FORCE, CI\n                          \
         colours and progress, where --color is not given\n\
         \nExit codes: 0 fine, and where nothing was selected, which is said; 1 usage,\n\
         3 a case failed, 5 store or environment, 101 a panic outside of the cases,\n\
         130 interrupted; cargo itself ends with 101 where it cannot build, and with\n\
         --no-fail-fast where a program failed\n",
    );
    text
}

fn push_flag(text: &mut String, flag: &Flag) {
    let mut name = match flag.short {
        Some(short) if flag.long.is_empty() => format!("-{short}"),
        Some(short) => format!("-{short}, --{}", flag.long),
        None => format!("    --{}", flag.long),
    };
    if !flag.value.is_empty() {
        name.push(' ');
        name.push_str(flag.value);
    }
    let start = text.len();
    let _ = write!(text, "  {name:<width$}", width = INDENT - 2);
    let mut column = text.len() - start;
    if column > INDENT {
        let _ = write!(text, "\n{:INDENT$}", "");
        column = INDENT;
    }
    let mut first = true;
    for word in Pieces::divided(flag.help, b' ') {
        if !first && column + 1 + word.len() > WIDTH {
            let _ = write!(text, "\n{:INDENT$}", "");
            column = INDENT;
        } else if !first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
        first = false;
    }
    text.push('\n');
}

#[test]
fn the_text_is_what_the_table_says() {
    let drawn = drawn();
    if std::env::var_os("TOURBILLON_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/command/flags/help.txt");
        std::fs::write(path, &drawn).expect("the source folder");
        return;
    }
    let told = "help.txt is another; run this test with TOURBILLON_BLESS=1";
    assert_eq!(drawn, super::TEXT, "{told}");
}

#[test]
fn every_flag_is_in_it_and_no_line_is_too_long() {
    let help = help("sorting");
    assert!(help.contains("Usage: sorting [FLAGS]"), "{help}");
    for flag in FLAGS {
        let name = match flag.long {
            "" => "-Z NAME".to_owned(),
            long => format!("--{long}"),
        };
        assert!(help.contains(&name), "{name}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= WIDTH, "{line}");
        assert_eq!(line.trim_end(), line);
    }
}
