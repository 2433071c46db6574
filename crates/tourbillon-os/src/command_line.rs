//! Command lines and environments as Windows takes them: one text each, in UTF-16.

use std::collections::BTreeMap;

const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;

/// The command line of a program and its arguments, without a 0 at its end.
///
/// Programs split it by the rules of `CommandLineToArgvW`: blanks separate, quotation marks enclose, and
/// backslashes count only before a quotation mark.
pub(crate) fn command_line(program: &[u16], arguments: &[Vec<u16>]) -> Vec<u16> {
    // The name of the program is taken up to the next quotation mark; a path has none.
    let mut line = vec![QUOTE];
    line.extend(program);
    line.push(QUOTE);
    for argument in arguments {
        line.push(u16::from(b' '));
        add_argument(&mut line, argument);
    }
    line
}

fn add_argument(line: &mut Vec<u16>, argument: &[u16]) {
    let separates = |unit: &u16| [b' ', b'\t', b'\n', 0x0b].map(u16::from).contains(unit);
    let is_quoted = argument.is_empty() || argument.iter().any(separates);
    if is_quoted {
        line.push(QUOTE);
    }
    let mut backslashes = 0;
    for &unit in argument {
        if unit == QUOTE {
            // Twice, and one for the quotation mark.
            line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1));
        }
        backslashes = if unit == BACKSLASH {
            backslashes + 1
        } else {
            0
        };
        line.push(unit);
    }
    if is_quoted {
        line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
        line.push(QUOTE);
    }
}

/// An environment, with the 0 after each variable and the one at its end.
///
/// Of two variables whose names differ in case only, the later one counts.
pub(crate) fn environment_block(
    variables: impl IntoIterator<Item = (Vec<u16>, Vec<u16>)>,
) -> Vec<u16> {
    // In the order of the names in upper case, as the system keeps it.
    let mut sorted: BTreeMap<Vec<u16>, (Vec<u16>, Vec<u16>)> = BTreeMap::new();
    for (name, value) in variables {
        let key = String::from_utf16_lossy(&name).to_uppercase();
        sorted.insert(key.encode_utf16().collect(), (name, value));
    }
    let mut block = Vec::new();
    for (name, value) in sorted.into_values() {
        block.extend(name);
        block.push(u16::from(b'='));
        block.extend(value);
        block.push(0);
    }
    if block.is_empty() {
        // Even an empty one ends with two.
        block.push(0);
    }
    block.push(0);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn line(arguments: &[&str]) -> String {
        let arguments: Vec<_> = arguments.iter().map(|text| units(text)).collect();
        String::from_utf16(&command_line(&units(r"C:\b c\é.exe"), &arguments)).unwrap()
    }

    #[test]
    fn arguments_are_quoted_where_they_must_be() {
        for (argument, expected) in [
            ("plain", "plain"),
            ("", r#""""#),
            ("a b", r#""a b""#),
            (r"C:\a\", r"C:\a\"),
            (r"C:\a b\", r#""C:\a b\\""#),
            (r#"say "x""#, r#""say \"x\"""#),
            (r#"\""#, r#"\\\""#),
            (r#"a\\"b"#, r#"a\\\\\"b"#),
            ("größe\t1", "\"größe\t1\""),
            ("%PATH%^&", "%PATH%^&"),
        ] {
            assert_eq!(line(&[argument]), format!(r#""C:\b c\é.exe" {expected}"#));
        }
        assert_eq!(line(&["a", "b"]), r#""C:\b c\é.exe" a b"#);
        assert_eq!(line(&[]), r#""C:\b c\é.exe""#);
    }

    #[test]
    fn paths_of_servers_and_paths_without_limits_stay() {
        for (path, expected) in [
            (r"\\server\share\b.exe", r"\\server\share\b.exe"),
            (r"\\server\my share\", r#""\\server\my share\\""#),
            (r"\\?\C:\a b\c", r#""\\?\C:\a b\c""#),
            (r"\\?\UNC\server\share", r"\\?\UNC\server\share"),
        ] {
            assert_eq!(line(&[path]), format!(r#""C:\b c\é.exe" {expected}"#));
            let program = String::from_utf16(&command_line(&units(path), &[])).unwrap();
            assert_eq!(program, format!("\"{path}\""));
        }
    }

    #[test]
    fn an_environment_is_sorted_and_later_variables_count() {
        let block = |variables: &[(&str, &str)]| {
            let variables = variables.iter();
            let pairs = variables.map(|(name, value)| (units(name), units(value)));
            String::from_utf16(&environment_block(pairs)).unwrap()
        };
        assert_eq!(
            block(&[("b", "2"), ("Path", "old"), ("A", ""), ("PATH", "x=y")]),
            "A=\0b=2\0PATH=x=y\0\0"
        );
        assert_eq!(block(&[]), "\0\0");
    }
}
