//! From a command line as typed to a process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::wire::{Job, Output};
use tourbillon_tool::exit::Stop;

/// The shell that runs what is not measured, and measured commands with `--shell default`.
const DEFAULT_SHELL: &str = "sh";

/// Words that mean something to a shell alone.
const FOR_SHELLS: [&str; 11] = [
    "|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1", "&>",
];

/// What runs a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shell {
    /// The system, after the line was split into words.
    None,
    /// A shell: its program, and the arguments before the line.
    Program(Vec<String>),
}

impl Shell {
    /// The shell with which commands run that are not measured, if measured ones have none.
    pub(crate) fn default_shell() -> Shell {
        Shell::Program(vec![DEFAULT_SHELL.to_owned(), "-c".to_owned()])
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
        let mut words = shell_words::split(text).map_err(|error| format!("{text:?}: {error}"))?;
        if words.is_empty() {
            return Err("an empty shell; write sh, bash, default or none".to_owned());
        }
        words.push("-c".to_owned());
        Ok(Shell::Program(words))
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

    /// A word that was probably meant for a shell.
    pub(crate) fn for_a_shell(&self) -> Option<&str> {
        let mut arguments = self.arguments.iter().map(String::as_str);
        arguments.find(|word| FOR_SHELLS.contains(word))
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
        let advice = "check the name and PATH; a function or an alias of a shell needs --shell";
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
    })
}

/// The path of a program: one with a `/` is relative to the folder of the command, others are looked for in `PATH`.
fn found(name: &str, path: Option<&OsStr>, folder: Option<&Path>) -> Option<PathBuf> {
    let beside = |path: PathBuf| match folder {
        Some(folder) if path.is_relative() => folder.join(path),
        _ => path,
    };
    if name.contains('/') {
        // The process is in its folder when it becomes the program.
        let own = PathBuf::from(name);
        return is_program(&beside(own.clone())).then_some(own);
    }
    let folders = env::split_paths(path?).map(|folder| folder.join(name));
    folders.map(beside).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Words {
        Words::of(line, &Shell::None).expect("it is a command")
    }

    #[test]
    fn lines_are_split_as_by_a_shell_that_expands_nothing() {
        for (line, expected) in [
            ("sort -n numbers", &["sort", "-n", "numbers"][..]),
            ("grep 'a  b' \"c d\" e\\ f", &["grep", "a  b", "c d", "e f"]),
            ("echo $HOME *", &["echo", "$HOME", "*"]),
            ("echo ''", &["echo", ""]),
        ] {
            assert_eq!(words(line).arguments, expected, "{line}");
        }
        for mistake in ["echo 'a", "echo \"a", "", "  ", "A=1"] {
            assert!(Words::of(mistake, &Shell::None).is_err(), "{mistake}");
        }
    }

    #[test]
    fn a_line_is_no_flag_of_its_shell() {
        for (line, expected) in [("echo -n", "echo -n"), ("-i", " -i"), ("+x", " +x")] {
            let words = Words::of(line, &Shell::default_shell()).expect("it is a command");
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
        assert!(Shell::parse("").is_err());
        assert_eq!(words("a | b").for_a_shell(), Some("|"));
        assert_eq!(words("a b").for_a_shell(), None);
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
