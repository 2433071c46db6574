//! From a command line as typed to a process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tourbillon_tool::exit::Stop;

use crate::shell_syntax::refusal;
use crate::wire::{Job, Output};

/// The shell that runs what is not measured, and measured commands with `-S`.
const DEFAULT_SHELL: &str = if cfg!(windows) { "cmd.exe" } else { "sh" };

/// What runs a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// The system, after the line was split into words; a line that needs a shell is refused.
    #[default]
    Unset,
    /// The system, whatever the words are.
    None,
    /// A shell: its program, and the arguments before the line.
    Program(Vec<String>),
}

impl Shell {
    /// The shell with which commands run that are not measured, if measured ones have none.
    pub fn default_shell() -> Shell {
        Shell::of_words(vec![DEFAULT_SHELL.to_owned()])
    }

    /// A shell, with its own flag before a line.
    fn of_words(mut words: Vec<String>) -> Shell {
        let name = words
            .first()
            .map_or("", String::as_str)
            .to_ascii_lowercase();
        let is_of_windows = ["cmd", "cmd.exe"].contains(&name.as_str());
        let flag = if is_of_windows { "/C" } else { "-c" };
        words.push(flag.to_owned());
        Shell::Program(words)
    }

    /// Parses `none`, `default`, or the command line of a shell such as `bash --norc`.
    ///
    /// # Errors
    ///
    /// When it is none of them; the text says what to write.
    pub fn parse(text: &str) -> Result<Shell, String> {
        match text {
            "none" => return Ok(Shell::None),
            "default" => return Ok(Shell::default_shell()),
            _ => {}
        }
        let words = shell_words::split(text).map_err(|error| format!("{text:?}: {error}"))?;
        if words.is_empty() {
            return Err("an empty shell; write sh, bash, default or none".to_owned());
        }
        Ok(Shell::of_words(words))
    }
}

/// A command line in words, with the variables before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    /// `NAME=VALUE`, as typed before the program.
    pub(crate) variables: Vec<String>,
    /// The program and its arguments.
    pub(crate) arguments: Vec<String>,
}

impl Words {
    /// Splits a command line as a POSIX shell does, without expanding anything; with a shell, its words and the
    /// whole line as the last one.
    pub(crate) fn of(line: &str, shell: &Shell) -> Result<Words, Stop> {
        if let Shell::Program(shell) = shell {
            let mut arguments = shell.clone();
            // Shells take flags after `-c`, too, which this would be.
            let space = if line.starts_with(['-', '+']) {
                " "
            } else {
                ""
            };
            arguments.push(format!("{space}{line}"));
            return Ok(Words {
                variables: Vec::new(),
                arguments,
            });
        }
        let mut words = shell_words::split(line).map_err(|_| {
            let what = format!("{line:?} has a quotation mark or a backslash without its end");
            Stop::Usage(format!("{what}; close it, or use --shell sh"))
        })?;
        if let (Shell::Unset, Some(why)) = (shell, refusal(line)) {
            return Err(Stop::Usage(why));
        }
        let count = words.iter().take_while(|word| is_variable(word)).count();
        let arguments = words.split_off(count);
        if arguments.is_empty() {
            return Err(Stop::Usage(format!("{line:?} names no program")));
        }
        Ok(Words {
            variables: words,
            arguments,
        })
    }
}

/// Whether a word sets a variable, as before a command in a shell.
fn is_variable(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(is_part) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The process of a command.
pub(crate) fn job(
    words: &Words,
    variables: &[String],
    folder: Option<&str>,
    input: Option<&str>,
    output: Output,
) -> Result<Job, Stop> {
    let added = || variables.iter().chain(&words.variables);
    let named = |name: &OsStr| {
        added().any(|variable| {
            let (own, _) = variable.split_once('=').unwrap_or((variable, ""));
            name == own
        })
    };
    let inherited = env::vars_os()
        .filter(|(name, _)| !named(name))
        .map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            name
        });
    // The last value of a variable counts.
    let mut own: Vec<OsString> = Vec::new();
    for variable in added() {
        let name = variable.split_inclusive('=').next().unwrap_or_default();
        own.retain(|other| !other.as_encoded_bytes().starts_with(name.as_bytes()));
        own.push(variable.into());
    }
    let environment: Vec<OsString> = inherited.chain(own).collect();
    let mut own = added().filter_map(|variable| variable.strip_prefix("PATH="));
    let path = if named("PATH".as_ref()) {
        own.next_back().map(OsString::from)
    } else {
        env::var_os("PATH")
    };
    let name = &words.arguments[0];
    let program = found(name, path.as_deref(), folder.map(Path::new)).ok_or_else(|| {
        let advice = if cfg!(windows) {
            "check the name and PATH; write a path with / or in single quotes; what only cmd.exe knows needs -S"
        } else {
            "check the name and PATH; a function or an alias of a shell needs --shell"
        };
        Stop::Usage(format!("there is no program {name:?}; {advice}"))
    })?;
    Ok(Job {
        program: program.into_os_string(),
        arguments: words.arguments.iter().map(OsString::from).collect(),
        environment,
        folder: folder.map(OsString::from),
        input: input.map(OsString::from),
        output,
        shows_stderr: false,
        timeout_ns: None,
        counters: Vec::new(),
    })
}

/// The path of a program: one with a `/` is relative to the folder of the command, others are looked for in `PATH`.
fn found(name: &str, path: Option<&OsStr>, folder: Option<&Path>) -> Option<PathBuf> {
    let beside = |path: PathBuf| match folder {
        Some(folder) if path.is_relative() => folder.join(path),
        _ => path,
    };
    if name.contains(std::path::is_separator) {
        let own = PathBuf::from(name);
        let found = program_at(beside(own.clone()))?;
        // The process is in its folder when it becomes the program; not on Windows.
        return Some(if cfg!(windows) { found } else { own });
    }
    let mut folders = env::split_paths(path?).map(|folder| folder.join(name));
    folders.find_map(|path| program_at(beside(path)))
}

/// The program that a path names.
#[cfg(unix)]
fn program_at(path: PathBuf) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let about = path.metadata().ok()?;
    (about.is_file() && about.permissions().mode() & 0o111 != 0).then_some(path)
}

/// The program that a path names, with or without its extension.
#[cfg(not(unix))]
fn program_at(path: PathBuf) -> Option<PathBuf> {
    let with_end = |end: &str| {
        let mut path = path.clone().into_os_string();
        path.push(end);
        PathBuf::from(path)
    };
    let mut all = ["", ".exe", ".com"].map(with_end).into_iter();
    all.find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Words {
        Words::of(line, &Shell::Unset).expect("it is a command")
    }

    #[test]
    fn lines_are_split_as_by_a_shell_that_expands_nothing() {
        for (line, expected) in [
            ("sort -n numbers", &["sort", "-n", "numbers"][..]),
            ("grep 'a  b' \"c d\" e\\ f", &["grep", "a  b", "c d", "e f"]),
            ("echo '$HOME' \\*", &["echo", "$HOME", "*"]),
            ("echo ''", &["echo", ""]),
        ] {
            assert_eq!(words(line).arguments, expected, "{line}");
        }
        for mistake in ["echo 'a", "echo \"a", "", "  ", "A=1", "echo $HOME", "ls *"] {
            assert!(Words::of(mistake, &Shell::Unset).is_err(), "{mistake}");
        }
        let literal = Words::of("echo $HOME * |", &Shell::None).expect("it is a command");
        assert_eq!(literal.arguments, ["echo", "$HOME", "*", "|"]);
    }

    #[test]
    fn a_line_is_no_flag_of_its_shell() {
        for (line, expected) in [("echo -n", "echo -n"), ("-i", " -i"), ("+x", " +x")] {
            let shell = Shell::parse("sh").expect("a shell");
            let words = Words::of(line, &shell).expect("it is a command");
            assert_eq!(words.arguments, ["sh", "-c", expected]);
        }
    }

    #[test]
    fn variables_come_before_the_program() {
        let both = words("A=1 LC_ALL='a b' sort B=2");
        assert_eq!(both.variables, ["A=1", "LC_ALL=a b"]);
        assert_eq!(both.arguments, ["sort", "B=2"]);
        assert_eq!(words("./a=b c").arguments, ["./a=b", "c"]);
        assert_eq!(words("1=2").arguments, ["1=2"]);
    }

    #[test]
    fn a_shell_gets_the_whole_line() {
        let shell = Shell::parse("bash --norc").expect("a shell");
        let line = Words::of("a | b", &shell).expect("any line");
        assert_eq!(line.arguments, ["bash", "--norc", "-c", "a | b"]);
        assert_eq!(Shell::parse("none"), Ok(Shell::None));
        assert_eq!(Shell::parse("default"), Ok(Shell::default_shell()));
        let of_windows = Shell::Program(vec!["CMD.exe".to_owned(), "/C".to_owned()]);
        assert_eq!(Shell::parse("CMD.exe"), Ok(of_windows));
        assert!(Shell::parse("").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_in_the_path_and_the_last_variable_counts() {
        let line = words("A=2 sh -c true");
        let variables = ["A=1".to_owned(), "PATH=/nowhere:/bin:/usr/bin".to_owned()];
        let job = job(&line, &variables, None, None, Output::Null).expect("sh is there");
        let program = job.program.to_str().expect("a path");
        assert!(["/bin/sh", "/usr/bin/sh"].contains(&program), "{program}");
        let of = |name: &str| {
            let all = job.environment.iter().filter_map(|one| one.to_str());
            all.filter(|one| one.starts_with(name)).collect::<Vec<_>>()
        };
        assert_eq!(of("A="), ["A=2"]);
        assert_eq!(of("PATH="), ["PATH=/nowhere:/bin:/usr/bin"]);
        assert_eq!(found("sh", Some("/nowhere".as_ref()), None), None);
        assert_eq!(
            found("./sh", None, Some("/bin".as_ref())),
            Some("./sh".into())
        );
        assert_eq!(found("/bin", None, None), None);
    }
}
