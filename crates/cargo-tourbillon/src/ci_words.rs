//! `--flags TEXT`: the flags that a job keeps in one text.

use std::ffi::OsString;

use crate::ci::NAME;
use crate::exit::Stop;

const FLAG: &str = "--flags";

/// A command line with the words of `--flags` in its place, split as a shell does, without running or expanding
/// anything. Others stay as they are.
///
/// # Errors
///
/// When a quotation mark is not closed.
pub(crate) fn expanded(arguments: Vec<OsString>) -> Result<Vec<OsString>, Stop> {
    if arguments.get(1).is_none_or(|name| name != NAME) {
        return Ok(arguments);
    }
    let mut all = Vec::new();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let text = match argument.to_str() {
            // What follows is for bench programs.
            Some("--") => {
                all.push(argument);
                break;
            }
            Some(FLAG) => rest.next(),
            Some(typed) => match typed
                .strip_prefix(FLAG)
                .and_then(|typed| typed.strip_prefix('='))
            {
                Some(text) => Some(text.into()),
                None => {
                    all.push(argument);
                    continue;
                }
            },
            None => {
                all.push(argument);
                continue;
            }
        };
        match text {
            Some(text) => all.extend(words(&text)?),
            // Its value is missing, which is reported when flags are read.
            None => all.push(argument),
        }
    }
    all.extend(rest);
    Ok(all)
}

fn words(text: &OsString) -> Result<Vec<OsString>, Stop> {
    let Some(typed) = text.to_str() else {
        return Err(Stop::Usage(format!("{FLAG} is not UTF-8: {text:?}")));
    };
    match shell_words::split(typed) {
        Ok(words) => Ok(words.into_iter().map(OsString::from).collect()),
        Err(_) => Err(Stop::Usage(format!(
            "{FLAG} has a quotation mark without its pair: {typed:?}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(arguments: &[&str]) -> Result<Vec<String>, Stop> {
        let words = arguments.iter().map(OsString::from).collect();
        let words = super::expanded(words)?;
        Ok(words
            .into_iter()
            .map(|word| word.into_string().expect("text"))
            .collect())
    }

    #[test]
    fn every_line_counts_and_quotation_marks_hold_words_together() {
        let text = "--gate 2%\n  --undecided fail\n# a comment\n--missing=fail -p 'a b' \"c d\" e\\ f $(x) *\n-- sort\n";
        let all = expanded(&["x", "ci", "-o", "d", "--flags", text, "--time", "1s"]);
        let expected = [
            "x",
            "ci",
            "-o",
            "d",
            "--gate",
            "2%",
            "--undecided",
            "fail",
            "--missing=fail",
            "-p",
            "a b",
            "c d",
            "e f",
            "$(x)",
            "*",
            "--",
            "sort",
            "--time",
            "1s",
        ];
        assert_eq!(all.expect("words"), expected);
        let all = expanded(&["x", "ci", "--flags=--gate 2%", "--flags= \n"]);
        assert_eq!(all.expect("words"), ["x", "ci", "--gate", "2%"]);
    }

    #[test]
    fn a_mark_without_an_end_is_a_mistake() {
        for text in ["--gate '2%", "--gate \"2%", "--gate 2%\n--missing 'fail"] {
            let Err(Stop::Usage(why)) = expanded(&["x", "ci", "--flags", text]) else {
                panic!("{text}");
            };
            assert!(why.starts_with("--flags has a quotation mark"), "{why}");
        }
    }

    #[test]
    fn others_stay_as_they_are() {
        for arguments in [
            &["x", "compare", "--flags", "a b"][..],
            &["x", "ci", "--", "--flags", "a b"],
            &["x", "ci", "--flags"],
            &["x"],
        ] {
            assert_eq!(expanded(arguments).expect("words"), arguments);
        }
    }
}
