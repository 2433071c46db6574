//! This program between cargo and the compiler: it has a bench target leave its objects and print how it is linked.
//!
//! Cargo compares neither the wrapper nor what it adds with those of an earlier build, and puts them into no name: all
//! that is built stays up to date. What is added is in a file, because macros read the words of the compiler and put them
//! into the program. So the executable is the same to the byte.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tempfile::TempDir;
use toml::{Table, Value};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::configuration::{files_for, settings_of};
use crate::error::{Error, Result};
use crate::invocation::{Flag, Invocation};
use crate::placement::link_line::LinkLine;

/// The variable with the folder that has a file of more words for each output that is to get them.
const LINES: &str = "TOURBILLON_LINK_LINES";
/// The variable with the user's own wrapper.
const NEXT: &str = "TOURBILLON_RUSTC_WRAPPER";

/// By which cargo names a wrapper, the first before all configuration and the second before its files.
const NAMES: [&str; 2] = ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"];
const CONFIG: &str = "--config";

/// Runs the compiler with the words of this process where it is the wrapper, and nothing else; `None` where it is not. To be
/// called before anything else: what a process ignores, the compiler would ignore, too.
pub fn wrapped() -> Option<io::Result<ExitCode>> {
    let lines = env::var_os(LINES)?;
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    words.first()?;
    let wanted = output_of(&words).map(|name| Path::new(&lines).join(name));
    // The compiler is among the words.
    let mut all = env::var_os(NEXT).into_iter().chain(words);
    let mut compiler = Invocation::new(all.next()?);
    compiler.verbatim(all);
    if let Some(more) = wanted.filter(|more| more.is_file()) {
        compiler.flags(&[Flag::new("@", more)]);
    }
    compiler.process().env_remove(LINES).env_remove(NEXT);
    Some(run(compiler))
}

/// In place of this process, so that signals and the exit code are those of the compiler.
#[cfg(unix)]
fn run(mut compiler: Invocation) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(compiler.process().exec())
}

#[cfg(not(unix))]
fn run(mut compiler: Invocation) -> io::Result<ExitCode> {
    let status = compiler.process().status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The name of a compiler's output without its ending: `sort-0123456789abcdef`. The hash is of one target in one build.
fn output_of(words: &[OsString]) -> Option<OsString> {
    let name = words.iter().position(|word| word == "--crate-name")?;
    let mut name = words.get(name + 1)?.clone();
    let ends = |word: &OsString| Some(word.to_str()?.strip_prefix("extra-filename=")?.to_owned());
    name.push(words.iter().find_map(ends)?);
    Some(name)
}

/// The link lines of executables that cargo makes.
pub(crate) struct LinkLines(TempDir);

impl LinkLines {
    /// Those of executables with these paths, in a new folder.
    pub(crate) fn of<'e>(
        executables: impl Iterator<Item = &'e Path>,
        around: &Path,
    ) -> io::Result<LinkLines> {
        let lines = LinkLines(TempDir::new_in(around)?);
        for executable in executables {
            let printed = lines.printed(executable);
            // The compiler takes text alone.
            if let Some(path) = printed.to_str() {
                let more = format!("-Csave-temps\n--print=link-args={path}\n");
                File::create_new(printed.with_extension(""))?.write_all(more.as_bytes())?;
            }
        }
        Ok(lines)
    }

    /// The line of an executable that was made; `None` when the compiler did not print it.
    pub(crate) fn read(&self, executable: &Path) -> Option<LinkLine> {
        let text = regular_file::read_text(&self.printed(executable), DESCRIPTION_BYTES);
        LinkLine::parse(&text.ok()?)
    }

    fn printed(&self, executable: &Path) -> PathBuf {
        let name = executable.file_stem().unwrap_or_default();
        self.0.path().join(name).with_extension("printed")
    }

    /// Makes this program the wrapper of a cargo that runs in `folder`, after which comes the user's. Adds to `flags`, the
    /// last of cargo's.
    pub(crate) fn wrap(
        &self,
        cargo: &mut Invocation,
        flags: &mut Vec<Flag>,
        folder: &Path,
    ) -> Result<()> {
        let own = env::current_exe()
            .map_err(|error| Error::Environment(format!("no path of this program: {error}")))?;
        let [first, second] = NAMES.map(|name| value_of(cargo, name));
        let is_free = first.is_none();
        let next = first
            .or_else(|| of_flags(flags, folder))
            .or(second)
            .or_else(|| files_for(folder).find_map(|file| of_table(&settings_of(&file)?)))
            .filter(|next| !next.is_empty());
        // A build script that names the variable is run again where its value is another one.
        match own.to_str().filter(|_| is_free) {
            Some(own) => flags.push(Flag::new(
                "--config=build.rustc-wrapper=",
                Value::from(own).to_string(),
            )),
            None => drop(cargo.process().env(NAMES[0], &own)),
        }
        let process = cargo.process().env(LINES, self.0.path());
        // What cargo knows of the compiler is kept for one wrapper: that of the user.
        process.env("CARGO_CACHE_RUSTC_INFO", "0");
        match next {
            Some(next) => process.env(NEXT, program(&next, folder)),
            None => process.env_remove(NEXT),
        };
        Ok(())
    }
}

/// The value that a variable has for a program.
fn value_of(program: &mut Invocation, name: &str) -> Option<OsString> {
    let mut own = program.process().get_envs();
    match own.find(|(own, _)| *own == name) {
        Some((_, value)) => value.map(OsStr::to_owned),
        None => env::var_os(name),
    }
}

/// The wrapper in the last setting on cargo's command line that has one: `KEY=VALUE`, or a file.
fn of_flags(flags: &[Flag], folder: &Path) -> Option<OsString> {
    let settings = flags.iter().rev().filter(|flag| flag.name() == CONFIG);
    let mut texts = settings.map(|flag| {
        let value = flag.value();
        let read = regular_file::read_text(&folder.join(value), DESCRIPTION_BYTES);
        read.unwrap_or_else(|_| value.to_string_lossy().into_owned())
    });
    texts.find_map(|text| of_table(&text.parse().ok()?))
}

fn of_table(table: &Table) -> Option<OsString> {
    let wrapper = table.get("build")?.get("rustc-wrapper")?.as_str();
    wrapper.map(OsString::from)
}

/// A program that is named in a folder; one without a folder is in the search path.
fn program(name: &OsStr, folder: &Path) -> PathBuf {
    let path = Path::new(name);
    match path.components().count() {
        1 => path.to_owned(),
        _ => folder.join(path),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_output_has_the_name_that_cargo_gives_it() {
        let name =
            |words: &str| output_of(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        let words = "/bin/rustc --crate-name so_rt a.rs --cfg test -C metadata=1 -C extra-filename=-0a --out-dir d";
        assert_eq!(name(words), Some("so_rt-0a".into()));
        for words in [
            "rustc -vV",
            "rustc - --crate-name ___",
            "rustc --crate-name",
        ] {
            assert_eq!(name(words), None, "{words}");
        }
    }

    #[test]
    fn the_wrapper_of_the_user_comes_next() {
        let around = tempfile::tempdir().expect("a folder");
        let folder = around.path().join("a");
        fs::create_dir_all(folder.join(".cargo")).expect("a folder");
        fs::create_dir(around.path().join(".cargo")).expect("a folder");
        let write = |file: &str, text: &str| {
            fs::write(around.path().join(file), text).expect("a file");
        };
        let next = |flags: &[&str], variables: &[(&str, &str)]| {
            let mut cargo = Invocation::new("cargo");
            for name in NAMES {
                cargo.process().env_remove(name);
            }
            cargo.process().envs(variables.iter().copied());
            let flags = flags.iter().map(|value| Flag::new("--config=", *value));
            let mut flags: Vec<Flag> = flags.collect();
            let count = flags.len();
            let lines = LinkLines::of([].into_iter(), around.path()).expect("a folder");
            let wrapped = lines.wrap(&mut cargo, &mut flags, &folder);
            wrapped.expect("a path");
            // By one of both.
            let is_set =
                value_of(&mut cargo, NAMES[0]) == env::current_exe().ok().map(OsString::from);
            assert_eq!(is_set, flags.len() == count, "{flags:?}");
            value_of(&mut cargo, NEXT).map(PathBuf::from)
        };
        let at = |file: &str| Some(around.path().join(file));
        write(".cargo/config.toml", "build.rustc-wrapper = 'bin/far'");
        assert_eq!(next(&[], &[]), at("bin/far"));
        write("a/.cargo/config.toml", "build.rustc-wrapper = 'near'");
        assert_eq!(next(&[], &[]), Some("near".into()));
        write("a/.cargo/config.toml", "include = 'more.toml'");
        write("a/.cargo/more.toml", "build.rustc-wrapper = 'bin/more'");
        assert_eq!(next(&[], &[]), at("a/bin/more"));
        let by_configuration = [(NAMES[1], "b/variable")];
        assert_eq!(next(&[], &by_configuration), at("a/b/variable"));
        let flags = [
            "build.rustc-wrapper='one'",
            "build.rustc-wrapper='two'",
            "build.jobs=1",
        ];
        assert_eq!(next(&flags, &by_configuration), Some("two".into()));
        write("more.toml", "build.rustc-wrapper = 'bin/of-file'");
        assert_eq!(next(&["../more.toml"], &[]), at("a/bin/of-file"));
        assert_eq!(next(&flags, &[(NAMES[0], "first")]), Some("first".into()));
        assert_eq!(next(&flags, &[(NAMES[0], "")]), None);
    }
}
