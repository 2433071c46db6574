//! The command that linked an executable.

use std::process::Stdio;

use serde::{Deserialize, Serialize};

use crate::invocation::Invocation;
use crate::placement::shared_folders::SharedFolders;

/// The command that rustc ran to link an executable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LinkLine {
    /// Variables that it sets.
    pub(crate) environment: Vec<(String, String)>,
    /// Variables that it removes.
    pub(crate) unset: Vec<String>,
    /// The folder that it changes to, if any.
    pub(crate) folder: Option<String>,
    pub(crate) program: String,
    pub(crate) words: Vec<Word>,
    /// A word by which it reads what other builds may replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<String>,
    /// The folders in which other builds write.
    #[serde(default)]
    pub(crate) shared: SharedFolders,
}

/// An argument of the linker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Word {
    /// Verbatim.
    Plain(String),
    /// A kept file, by its name.
    Input(String),
    /// The path of the executable.
    Output,
    /// The path of the executable after this text: `/OUT:` of Microsoft's linker.
    OutputAfter(String),
}

impl LinkLine {
    /// Parses the output of `--print link-args`: a command as the standard library prints it for
    /// debugging, with words quoted like Rust literals.
    pub(crate) fn parse(text: &str) -> Option<LinkLine> {
        let mut line = LinkLine::default();
        let mut tokens = tokens(text.trim())?.into_iter().peekable();
        let bare = |token: Option<&Token>, text: &str| {
            token.is_some_and(|token| !token.quoted && token.text == text)
        };
        if bare(tokens.peek(), "cd") {
            tokens.next();
            line.folder = Some(tokens.next()?.text);
            tokens.next().filter(|and| bare(Some(and), "&&"))?;
        }
        if bare(tokens.peek(), "env") {
            tokens.next();
            while bare(tokens.peek(), "-u") {
                tokens.next();
                line.unset.push(tokens.next()?.text);
            }
        }
        while let Some(token) = tokens.next_if(|token| token.name.is_some()) {
            line.environment.push((token.name?, token.text));
        }
        line.program = tokens.next().filter(|token| token.quoted)?.text;
        let mut output = false;
        for token in tokens {
            line.words.push(if std::mem::take(&mut output) {
                Word::Output
            } else if let Some(start) = microsoft_output(&token.text) {
                Word::OutputAfter(start.to_owned())
            } else {
                output = token.text == "-o";
                Word::Plain(token.text)
            });
        }
        let is_output = |word: &Word| matches!(word, Word::Output | Word::OutputAfter(_));
        line.words.iter().any(is_output).then_some(line)
    }

    /// The linker without its arguments.
    pub(crate) fn linker(&self) -> Invocation {
        let mut linker = Invocation::new(&self.program);
        let process = linker.process();
        process
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null());
        for name in &self.unset {
            process.env_remove(name);
        }
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        linker
    }

    /// The first line of the linker's version, which the word `version` asks for.
    pub(crate) fn linker_name(&self, version: &'static str) -> String {
        // Arguments that select the linker.
        let selects = ["-fuse-ld", "-B", "--ld-path", "-m", "-flavor", "link"];
        let mut linker = self.linker();
        linker.verbatim(self.words.iter().filter_map(|word| match word {
            Word::Plain(text) if selects.iter().any(|start| text.starts_with(start)) => Some(text),
            _ => None,
        }));
        let printed = match linker.words(&[version]).output() {
            Ok(output) => output.stdout,
            Err(_) => Vec::new(),
        };
        let text = String::from_utf8_lossy(&printed);
        match text.lines().next().map(str::trim) {
            None | Some("") => format!("the linker of {}", self.program),
            Some(name) => name.to_owned(),
        }
    }
}

/// The option of Microsoft's linker that the path of the executable follows.
fn microsoft_output(word: &str) -> Option<&str> {
    let start = word.get(.."/OUT:".len())?;
    let is_option = start.eq_ignore_ascii_case("/OUT:") || start.eq_ignore_ascii_case("-OUT:");
    is_option.then_some(start)
}

/// A word of a command.
#[derive(Debug)]
struct Token {
    /// The name before `=`, if it sets a variable.
    name: Option<String>,
    text: String,
    quoted: bool,
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find([' ', '"']).unwrap_or(rest.len());
        let (bare, tail) = rest.split_at(end);
        let (token, tail) = match tail.strip_prefix('"') {
            Some(literal) => {
                let (text, tail) = unquoted(literal)?;
                let name = match bare {
                    "" => None,
                    bare => Some(bare.strip_suffix('=')?.to_owned()),
                };
                let quoted = true;
                (Token { name, text, quoted }, tail)
            }
            None => {
                let (name, text, quoted) = (None, bare.to_owned(), false);
                (Token { name, text, quoted }, tail)
            }
        };
        tokens.push(token);
        rest = tail.trim_start();
    }
    Some(tokens)
}

/// The value of a literal after its opening quotation mark, and the rest of the text.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'u' => {
                    let (_, braced) = text[at..].split_once('{')?;
                    let (digits, _) = braced.split_once('}')?;
                    // The digits and both braces.
                    characters.nth(digits.len() + 1)?;
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On Windows the standard library prints neither variables nor the folder.
    #[test]
    #[cfg(unix)]
    fn a_command_is_read_back() {
        let awkward = "a \"b\" \\ é \u{7f} \n\t =";
        let mut command = std::process::Command::new("/usr/bin/my cc");
        command
            .args(["-m64", awkward, "-o", "/t/out", "-Wl,--gc-sections"])
            .env("PATH", awkward)
            .env("LC_ALL", "C")
            .env_remove("GONE");
        let line = LinkLine::parse(&format!("{command:?}\n")).expect("a command");
        assert_eq!(line.program, "/usr/bin/my cc");
        let plain = |text: &str| Word::Plain(text.to_owned());
        let words = [
            plain("-m64"),
            plain(awkward),
            plain("-o"),
            Word::Output,
            plain("-Wl,--gc-sections"),
        ];
        assert_eq!(line.words, words);
        let environment = [("LC_ALL", "C"), ("PATH", awkward)];
        assert_eq!(
            line.environment,
            environment.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert_eq!(line.unset, ["GONE"]);
        let json = serde_json::to_string(&line).expect("JSON");
        assert_eq!(
            serde_json::from_str::<LinkLine>(&json).expect("a line"),
            line
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_is_read() {
        let mut command = std::process::Command::new("cc");
        command.args(["-o", "x"]).current_dir("/a b");
        let line = LinkLine::parse(&format!("{command:?}")).expect("a command");
        assert_eq!(line.folder.as_deref(), Some("/a b"));
    }

    /// As the standard library prints it on Windows.
    #[test]
    fn paths_of_servers_are_read() {
        let text = concat!(
            r#""\\\\server\\tools\\link.exe" "/NOLOGO" "\\\\?\\UNC\\server\\share\\a b\\x.o" "#,
            r#""/OUT:\\\\server\\share\\target\\x.exe""#,
        );
        let line = LinkLine::parse(text).expect("a command");
        assert_eq!(line.program, r"\\server\tools\link.exe");
        let words = [
            Word::Plain("/NOLOGO".to_owned()),
            Word::Plain(r"\\?\UNC\server\share\a b\x.o".to_owned()),
            Word::OutputAfter("/OUT:".to_owned()),
        ];
        assert_eq!(line.words, words);
    }

    #[test]
    fn what_is_no_command_is_none() {
        for text in [
            "",
            "cc -o x",
            "\"cc\" \"x",
            "A=1 \"cc\"",
            "\"cc\" \"a.o\"",
            "cd \"x\" \"cc\"",
        ] {
            assert_eq!(LinkLine::parse(text), None, "{text}");
        }
    }
}
