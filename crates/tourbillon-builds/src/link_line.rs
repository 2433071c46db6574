//! The command that linked an executable.

use serde_json::{Value, json};

/// The command that rustc ran to link an executable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkLine {
    /// Variables that it sets.
    pub environment: Vec<(String, String)>,
    /// Variables that it removes.
    pub unset: Vec<String>,
    /// The folder that it changes to, if any.
    pub folder: Option<String>,
    pub program: String,
    pub words: Vec<Word>,
}

/// An argument of the linker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Verbatim.
    Plain(String),
    /// A kept file, by its name.
    Input(String),
    /// The path of the executable.
    Output,
}

impl LinkLine {
    /// Parses the output of `--print link-args`: a command as the standard library prints it for
    /// debugging, with words quoted like Rust literals.
    pub fn parse(text: &str) -> Option<LinkLine> {
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
            } else {
                output = token.text == "-o";
                Word::Plain(token.text)
            });
        }
        line.words.contains(&Word::Output).then_some(line)
    }

    /// For a file next to its inputs.
    pub fn to_json(&self) -> Value {
        let words: Vec<Value> = self.words.iter().map(Word::to_json).collect();
        json!({
            "environment": self.environment,
            "unset": self.unset,
            "folder": self.folder,
            "program": self.program,
            "words": words,
        })
    }

    pub fn from_json(value: &Value) -> Option<LinkLine> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts =
            |value: &Value| -> Option<Vec<String>> { value.as_array()?.iter().map(text).collect() };
        let environment = value["environment"].as_array()?.iter();
        let words = value["words"].as_array()?.iter();
        Some(LinkLine {
            environment: environment
                .map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
                .collect::<Option<_>>()?,
            unset: texts(&value["unset"])?,
            folder: text(&value["folder"]),
            program: text(&value["program"])?,
            words: words.map(Word::from_json).collect::<Option<_>>()?,
        })
    }
}

impl Word {
    fn to_json(&self) -> Value {
        match self {
            Word::Plain(text) => json!(text),
            Word::Input(name) => json!({ "input": name }),
            Word::Output => json!({ "output": true }),
        }
    }

    fn from_json(value: &Value) -> Option<Word> {
        if let Some(text) = value.as_str() {
            return Some(Word::Plain(text.to_owned()));
        }
        match value["input"].as_str() {
            Some(name) => Some(Word::Input(name.to_owned())),
            None => (value["output"] == true).then_some(Word::Output),
        }
    }
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
        let token = match tail.strip_prefix('"') {
            Some(literal) => {
                let (value, tail) = unquoted(literal)?;
                rest = tail;
                let name = match bare {
                    "" => None,
                    bare => Some(bare.strip_suffix('=')?.to_owned()),
                };
                Token {
                    name,
                    text: value,
                    quoted: true,
                }
            }
            None => {
                rest = tail;
                Token {
                    name: None,
                    text: bare.to_owned(),
                    quoted: false,
                }
            }
        };
        tokens.push(token);
        rest = rest.trim_start();
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
    use std::process::Command;

    use super::*;

    #[test]
    fn a_command_is_read_back() {
        let awkward = "a \"b\" \\ é \u{7f} \n\t =";
        let mut command = Command::new("/usr/bin/my cc");
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
        assert_eq!(LinkLine::from_json(&line.to_json()), Some(line));
    }

    #[test]
    fn a_folder_is_read() {
        let mut command = Command::new("cc");
        command.args(["-o", "x"]).current_dir("/a b");
        let line = LinkLine::parse(&format!("{command:?}")).expect("a command");
        assert_eq!(line.folder.as_deref(), Some("/a b"));
    }

    #[test]
    fn inputs_survive_the_file() {
        let line = LinkLine {
            program: "cc".to_owned(),
            words: vec![Word::Input("1-a.o".to_owned()), Word::Output],
            ..LinkLine::default()
        };
        assert_eq!(LinkLine::from_json(&line.to_json()), Some(line));
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
