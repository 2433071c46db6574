//! What only a shell understands of a command line. Without a shell, the program would get it as it is: `<big.txt` is
//! then a name that no program looks up, and its run a quick failure.

use std::fmt::Write as _;

use tourbillon_tool::exit::Stop;

use crate::parameters::Combination;

/// A part of a line that means something to a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax<'l> {
    pub(crate) text: &'l str,
    meaning: Meaning<'l>,
    /// Where the text begins and ends in the line.
    span: (usize, usize),
}

/// What a shell does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning<'l> {
    /// Reads, writes or copies a stream: with the operator, and the word after it as typed.
    Redirection(&'l str, &'l str),
    /// Runs several commands.
    Several,
    /// Replaces a text by a value, the output of a command or a home folder.
    Replacement,
    /// Replaces a pattern by names of files.
    Pattern,
    /// Ignores the rest.
    Comment,
}

/// Fails if a value that is put into a line may be code of the shell that runs it.
pub(crate) fn refuse_code(flag: &str, line: &str, combination: &Combination) -> Result<(), Stop> {
    let is_used = |name: &str| line.contains(&format!("{{{name}}}"));
    let mut used = combination.iter().filter(|(name, _)| is_used(name));
    match used.find(|(_, value)| may_be_code(value)) {
        None => Ok(()),
        Some((name, value)) => Err(Stop::Usage(format!(
            "{flag} {line:?} runs in a shell, and may find code in the value {value:?} of {name}; write --shell sh if that \
             is meant"
        ))),
    }
}

/// Whether a shell may find the end of a word, a command or another program in a text that is put into a line of its own.
fn may_be_code(value: &str) -> bool {
    let of_system = if cfg!(windows) { "%^" } else { "'\\" };
    "$`;&|<>()\n\""
        .chars()
        .chain(of_system.chars())
        .any(|letter| value.contains(letter))
}

/// The first unquoted and unescaped part of a line that means something to a shell. `$` and backticks mean it in double
/// quotes, too.
pub(crate) fn first(line: &str) -> Option<Syntax<'_>> {
    let mut is_double = false;
    // Where the word begins that a character belongs to.
    let mut word = 0;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        let rest = &line[at..];
        let found = |count: usize, meaning| {
            Some(Syntax {
                text: &line[at..at + count],
                meaning,
                span: (at, at + count),
            })
        };
        match letter {
            '\\' => {
                letters.next();
            }
            '"' => is_double = !is_double,
            '$' if is_replaced(&rest[1..], is_double) => {
                return found(replaced(rest), Meaning::Replacement);
            }
            '`' => return found(replaced(rest), Meaning::Replacement),
            _ if is_double => {}
            '\'' => {
                letters.find(|(_, letter)| *letter == '\'');
            }
            '<' | '>' => return Some(redirection(line, word, at)),
            '&' if rest.starts_with("&>") => return Some(redirection(line, at, at)),
            '\n' if rest.trim().is_empty() => return None,
            '|' | '&' | ';' | '(' | ')' | '\n' => {
                let is_twice = matches!(rest.get(..2), Some("||" | "&&"));
                return found(1 + usize::from(is_twice), Meaning::Several);
            }
            _ if letter.is_whitespace() => word = at + letter.len_utf8(),
            '*' | '?' => return found(1, Meaning::Pattern),
            '[' if in_word(rest).contains(']') => {
                return found(in_word(rest).len(), Meaning::Pattern);
            }
            '~' if is_home(&line[word..at], &rest[1..]) => {
                return found(in_word(rest).len(), Meaning::Replacement);
            }
            '#' if word == at => return found(1, Meaning::Comment),
            _ => {}
        }
    }
    None
}

/// The characters up to the next blank or operator.
fn in_word(text: &str) -> &str {
    &text[..text.find(ends_word).unwrap_or(text.len())]
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || "|&;<>()".contains(letter)
}

/// Whether a shell replaces what follows a `$`.
fn is_replaced(after: &str, is_double: bool) -> bool {
    match after.chars().next() {
        // Of some shells: quotation marks with escapes.
        Some('\'' | '"') => !is_double,
        Some(letter) => letter.is_ascii_alphanumeric() || "_{(@*#?-$!".contains(letter),
        None => false,
    }
}

/// The length of a replacement, as it is quoted in messages: `$NAME`, or to a closing character.
fn replaced(text: &str) -> usize {
    let end = match text.as_bytes().get(..2) {
        Some(b"$(") => text.find(')'),
        Some(b"${") => text.find('}'),
        Some(_) if text.starts_with('`') => text[1..].find('`').map(|at| at + 1),
        _ => {
            let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let end = text[1..].find(|letter| !is_of_name(letter));
            return 1 + end
                .unwrap_or(text.len() - 1)
                .max(usize::from(text.len() > 1));
        }
    };
    end.map_or(text.len(), |at| at + 1)
}

/// Whether `~` after this beginning of its word is a home folder.
fn is_home(before: &str, after: &str) -> bool {
    let next = after.chars().next();
    let ends = next.is_none_or(|letter| letter == '/' || letter.is_whitespace());
    let is_user = next.is_some_and(|letter| letter.is_ascii_alphabetic());
    before.is_empty() && (ends || is_user) || before.ends_with('=') && ends
}

/// A redirection whose operator has its first `<` or `>` at a place, and whose word begins before it.
fn redirection(line: &str, word: usize, at: usize) -> Syntax<'_> {
    let is_number = line[word..at].bytes().all(|byte| byte.is_ascii_digit());
    let start = if is_number { word } else { at };
    let operators = |letter: char| "<>&|".contains(letter);
    let length = line[at..].find(|letter| !operators(letter));
    let end = at + length.unwrap_or(line.len() - at);
    let target = &line[end..];
    let blank = target.len() - target.trim_start().len();
    let target = in_quotes(&target[blank..]);
    let span = (start, end + blank + target.len());
    Syntax {
        text: line[start..span.1].trim_end(),
        meaning: Meaning::Redirection(&line[start..end], target),
        span,
    }
}

/// The first word, with its quotation marks and blanks in them.
fn in_quotes(text: &str) -> &str {
    let mut quote = None;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => {
                letters.next();
            }
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, None) if ends_word(letter) => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Flags that do without a shell what the redirections of a line do, and the line without them; `None` where no flag
/// does it.
fn flags_for(line: &str) -> Option<(String, String)> {
    let mut flags = String::new();
    let mut rest = line.to_owned();
    while let Some(syntax) = first(&rest) {
        let Meaning::Redirection(operator, target) = syntax.meaning else {
            return None;
        };
        let plain = shell_words::split(target).ok()?;
        let flag = match (operator, plain.as_slice()) {
            // What is not shown is discarded already.
            (">" | ">|" | "1>" | "2>" | "2>>" | "&>" | ">&", [file]) if file == "/dev/null" => None,
            ("2>&", [number]) if number == "1" => None,
            ("<" | "0<", [file]) if file == "/dev/null" => None,
            ("<" | "0<", [file]) => Some(("--input", file)),
            (">" | ">|" | "1>", [file]) => Some(("--output", file)),
            _ => return None,
        };
        if first(target).is_some() {
            return None;
        }
        if let Some((flag, file)) = flag {
            let _ = write!(flags, "{flag} {} ", shell_words::quote(file));
        }
        let (start, end) = syntax.span;
        rest = format!("{} {}", rest[..start].trim_end(), rest[end..].trim_start());
    }
    Some((flags, rest.trim().to_owned()))
}

/// Why a line without a shell is refused, and what to write; `None` where it is not.
pub(crate) fn refusal(line: &str) -> Option<String> {
    let syntax = first(line)?;
    let quoted = shell_words::quote(line);
    let instead = match syntax.meaning {
        Meaning::Redirection(..) => flags_for(line)
            .filter(|(_, rest)| !rest.is_empty())
            .map(|(flags, rest)| format!("{flags}{}", shell_words::quote(&rest))),
        Meaning::Several => folder_for(line).or_else(|| {
            let advice =
                "one of the commands, with --input, --output, --setup or --prepare for the others";
            Some(advice.to_owned())
        }),
        Meaning::Replacement => {
            Some("the line in double quotes, so that your own shell replaces it".to_owned())
        }
        Meaning::Pattern => Some("the names".to_owned()),
        Meaning::Comment => None,
    };
    let part = syntax.text;
    let mut text = format!(
        "{line:?} has {part:?}, which only a shell understands; write -S {quoted} for a shell"
    );
    if let Some(instead) = instead {
        let _ = write!(text, ", or {instead}");
    }
    text += ", or -N if the program is to get it as it is";
    Some(text)
}

/// `cd DIR && COMMAND` without a shell.
fn folder_for(line: &str) -> Option<String> {
    let (folder, command) = line.trim_start().strip_prefix("cd ")?.split_once("&&")?;
    let is_plain = |text| first(text).is_none();
    let words = shell_words::split(folder).ok()?;
    let [folder] = words.as_slice() else {
        return None;
    };
    is_plain(command).then(|| {
        let [folder, command] = [folder, command.trim()].map(shell_words::quote);
        format!("--folder {folder} {command}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines without a meaning to a shell, each with the words that a program gets.
    const PLAIN: [(&str, &[&str]); 22] = [
        ("awk '{print $1}'", &["awk", "{print $1}"]),
        ("awk \"{print \\$1}\"", &["awk", "{print $1}"]),
        (
            "find . -exec ls {} \\;",
            &["find", ".", "-exec", "ls", "{}", ";"],
        ),
        ("grep '<big.txt'", &["grep", "<big.txt"]),
        ("grep \"a|b&&c\" f", &["grep", "a|b&&c", "f"]),
        ("grep a\\|b f", &["grep", "a|b", "f"]),
        ("grep foo$ f", &["grep", "foo$", "f"]),
        ("grep \"a$\" f", &["grep", "a$", "f"]),
        (
            "echo '*.txt' \\*.txt \"*.txt\"",
            &["echo", "*.txt", "*.txt", "*.txt"],
        ),
        ("echo a~b a:~/b", &["echo", "a~b", "a:~/b"]),
        ("echo '~/x' \\~/x", &["echo", "~/x", "~/x"]),
        ("[ -f x ]", &["[", "-f", "x", "]"]),
        ("echo a[b", &["echo", "a[b"]),
        ("echo a#b '#' c", &["echo", "a#b", "#", "c"]),
        ("echo {a,b} a=b", &["echo", "{a,b}", "a=b"]),
        ("echo \"it's\"", &["echo", "it's"]),
        ("echo 'a\\'b", &["echo", "a\\b"]),
        ("echo \"a\\\"b;\"", &["echo", "a\"b;"]),
        ("echo \"a'b\" ';'", &["echo", "a'b", ";"]),
        ("echo é '…|…'", &["echo", "é", "…|…"]),
        ("sed s/a/b/ f\n", &["sed", "s/a/b/", "f"]),
        ("A=1 LC_ALL=C sort", &["A=1", "LC_ALL=C", "sort"]),
    ];

    #[test]
    fn plain_lines_are_not_refused_and_have_the_words_of_a_shell() {
        for (line, words) in PLAIN {
            assert_eq!(first(line), None, "{line}");
            assert_eq!(shell_words::split(line).expect("words"), words, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_makes_the_same_words_of_plain_lines() {
        for (line, words) in PLAIN {
            let script = format!("printf '%s\\n' {line}");
            let output = std::process::Command::new("sh")
                .args(["-c", &script])
                .output();
            let output = String::from_utf8(output.expect("sh starts").stdout).expect("text");
            assert_eq!(output.lines().collect::<Vec<_>>(), words, "{line}");
        }
    }

    #[test]
    fn what_means_something_to_a_shell_is_found_attached_or_not() {
        for (line, found) in [
            ("python3 count.py <big.txt", "<big.txt"),
            ("python3 count.py < big.txt", "< big.txt"),
            ("count<big.txt", "<big.txt"),
            ("make 2>/dev/null", "2>/dev/null"),
            ("make 2>&1", "2>&1"),
            ("make a2>/dev/null", ">/dev/null"),
            ("make >out.txt x", ">out.txt"),
            ("make >'a b' x", ">'a b'"),
            ("make &>out", "&>out"),
            ("cat <<EOF", "<<EOF"),
            ("a&&b", "&&"),
            ("a && b", "&&"),
            ("a||b", "||"),
            ("a | b", "|"),
            ("a|b", "|"),
            ("a;b", ";"),
            ("a ;", ";"),
            ("sleep 9&", "&"),
            ("(a)", "("),
            ("a\nb", "\n"),
            ("ls $HOME", "$HOME"),
            ("ls \"$HOME/x y\"", "$HOME"),
            ("ls ${HOME}/x", "${HOME}"),
            ("make -j $(nproc)", "$(nproc)"),
            ("make -j `nproc` x", "`nproc`"),
            ("make -j \"`nproc`\"", "`nproc`"),
            ("echo $1 $?", "$1"),
            ("echo $? x", "$?"),
            ("echo $$", "$$"),
            ("echo $'a'", "$'"),
            ("ls *.txt", "*"),
            ("ls file?.txt", "?"),
            ("ls [ab].txt", "[ab].txt"),
            ("ls ~/x", "~/x"),
            ("ls ~", "~"),
            ("ls ~root", "~root"),
            ("A=~/x ls", "~/x"),
            ("make # all", "#"),
            ("LC_ALL=C sort <in", "<in"),
            ("echo 'a' \"b\" c;", ";"),
        ] {
            assert_eq!(first(line).map(|syntax| syntax.text), Some(found), "{line}");
            assert!(
                refusal(line).is_some_and(|text| text.contains("write -S ")),
                "{line}"
            );
        }
    }

    #[test]
    fn a_refusal_has_the_line_without_a_shell() {
        for (line, expected) in [
            ("count.py <big.txt", ", or --input big.txt count.py,"),
            ("count.py < 'a b' x", ", or --input 'a b' 'count.py x',"),
            (
                "sort -n <in >out 2>/dev/null",
                ", or --input in --output out 'sort -n',",
            ),
            ("make 2>&1 >/dev/null", ", or make,"),
            ("cd sub && make all", ", or --folder sub 'make all',"),
            ("cd a b && make", "one of the commands, with --input"),
            ("cd a && make | cat", "one of the commands, with --input"),
            ("make; cat log", "one of the commands, with --input"),
            ("sort <$F", "for a shell, or -N"),
            ("sort >>log", "for a shell, or -N"),
            ("sort <in | uniq", "for a shell, or -N"),
            ("sort 2>log", "for a shell, or -N"),
            ("cat <<EOF", "for a shell, or -N"),
            ("ls $HOME", "in double quotes"),
            ("ls *.txt", ", or the names,"),
        ] {
            let text = refusal(line).expect("it is refused");
            assert!(text.contains(expected), "{line}: {text}");
            let shell = format!("write -S {} for a shell", shell_words::quote(line));
            assert!(text.contains(&shell), "{line}: {text}");
        }
    }
}
