//! Texts for the log of a job, which its runner reads for commands, and JSON, wherever it goes.

use crate::escape::is_visible;

/// Variables of services whose runners obey what lines of a log say: GitHub, Azure Pipelines and TeamCity.
const RUNNERS: [&str; 3] = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];
/// What begins a command of theirs anywhere in a line.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// A text for the log of a job, whose runner obeys `::name::` at the beginning of a line, after blanks too, and what
/// begins as `##[name]`, `##vso[name]` or `##teamcity[name]` anywhere. Without such a runner, which the environment tells,
/// the text as it is. Nothing changes in [JSON](escape_json), which has no such command.
pub fn escape_commands(text: String) -> String {
    let mut runners = RUNNERS.iter();
    if runners.any(|variable| std::env::var_os(variable).is_some()) {
        no_commands(&text)
    } else {
        text
    }
}

fn no_commands(text: &str) -> String {
    let lines = text.split_inclusive(['\n', '\r']).map(|line| {
        let command = line.trim_start();
        let (blanks, _) = line.split_at(line.len() - command.len());
        let mark = if command.starts_with("::") { "\\" } else { "" };
        format!("{blanks}{mark}{command}")
    });
    COMMANDS
        .iter()
        .fold(lines.collect(), |text: String, begin| {
            text.replace(begin, &begin.replace("##", "##\\"))
        })
}

/// JSON in which no text is obeyed by a terminal or by the runner of a job: the same values, with an escape in place of
/// every character that [`escape`](crate::escape) replaces, and of the bracket of a command. A line of JSON never begins
/// with colons.
///
/// # Examples
///
/// ```
/// use tourbillon_present::escape_json;
/// let json = "[\"\u{202e}é\", \"##[error]\"]".to_owned();
/// assert_eq!(escape_json(json), r###"["\u202eé", "##\u005berror]"]"###);
/// ```
pub fn escape_json(json: String) -> String {
    let is_blank = |c: char| matches!(c, '\n' | '\r' | '\t');
    let is_plain = |c: char| (' '..='~').contains(&c) || is_blank(c);
    let has_command = || COMMANDS.iter().any(|begin| json.contains(begin));
    if json.chars().all(is_plain) && !has_command() {
        return json;
    }
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        let ends_command = || {
            let begun = |begin: &&str| {
                begin
                    .strip_suffix('[')
                    .is_some_and(|all| safe.ends_with(all))
            };
            COMMANDS.iter().any(begun)
        };
        if (is_blank(c) || is_visible(c)) && !(c == '[' && ends_command()) {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command_of_a_runner() {
        for (text, expected) in [
            ("a::b ::c\n", "a::b ::c\n"),
            (
                "::error::x\n  ::error::y\n\n::",
                "\\::error::x\n  \\::error::y\n\n\\::",
            ),
            ("a\r::error::x\r\n", "a\r\\::error::x\r\n"),
            ("a ##[error]x", "a ##\\[error]x"),
            ("a ##vso[b ###vso[c", "a ##\\vso[b ###\\vso[c"),
            ("a ##teamcity[b]", "a ##\\teamcity[b]"),
            ("a ##vso [b]", "a ##vso [b]"),
            ("", ""),
        ] {
            assert_eq!(no_commands(text), expected, "{text:?}");
        }
    }

    #[test]
    fn json_has_no_command_and_the_same_values() {
        for (json, expected) in [
            ("[[], \"#[a]\"]\n", "[[], \"#[a]\"]\n"),
            (
                "[\"##[a]\", \"é##vso[b]\"]",
                "[\"##\\u005ba]\", \"é##vso\\u005bb]\"]",
            ),
            ("{\"##teamcity[\": 1}", "{\"##teamcity\\u005b\": 1}"),
            (
                "[\n\t\"\u{9b}\u{e0001}\"\r\n]",
                "[\n\t\"\\u009b\\udb40\\udc01\"\r\n]",
            ),
        ] {
            let safe = escape_json(json.to_owned());
            assert_eq!(safe, expected);
            assert_eq!(no_commands(&safe), safe);
        }
    }
}
