//! Cargo and its toolchain, and how flags for the compiler are passed to it.

use std::env;
use std::path::{Path, PathBuf, absolute};

use toml::Table;
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::configuration::{CARGO_HOME, files_for};
use crate::error::{Error, Result};
use crate::invocation::{Flag, Invocation, PlainWord};
use crate::source::git::REPOSITORY_VARIABLES;
use crate::source::subject::Variation;

/// The cargo that started this program, else the one in the search path.
#[must_use]
pub fn cargo() -> Invocation {
    let named = env::var_os("CARGO").filter(|name| !name.is_empty());
    Invocation::new(named.unwrap_or_else(|| "cargo".into()))
}

/// A toolchain, as it applies in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    /// Its name for rustup, when a variation names one.
    name: Option<PlainWord>,
    /// The output of `rustc --version --verbose`.
    pub(crate) version: String,
    sysroot: PathBuf,
    /// Whether it is another one than that of the cargo that started this program.
    is_other: bool,
}

/// By which rustup and cargo name a toolchain and its programs.
const OF_TOOLCHAIN: [&str; 3] = ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"];

/// Variables with paths that a cargo in another folder would take from there.
const PATH_VARIABLES: [&str; 4] = [
    CARGO_HOME,
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
];

impl Toolchain {
    /// The folder of the compiler and the standard library.
    pub(crate) fn sysroot(&self) -> &Path {
        &self.sysroot
    }

    /// The toolchain of a variation, else the one that the folder uses.
    pub(crate) fn of(variation: &Variation, folder: &Path) -> Result<Toolchain> {
        let name = variation.toolchain.clone();
        let shown = name.as_ref().map_or("of this folder", PlainWord::as_str);
        let rustc = || program(name.as_ref(), "rustc");
        Ok(Toolchain {
            version: queried(rustc(), &["--version", "--verbose"], folder, shown)?,
            sysroot: queried(rustc(), &["--print", "sysroot"], folder, shown)?.into(),
            name,
            is_other: false,
        })
    }

    /// The one that rustup chooses for a folder, whatever was chosen for this program.
    pub(crate) fn chosen_in(folder: &Path) -> Result<Toolchain> {
        let rustc = || without_toolchain(Invocation::new("rustc"));
        let shown = format!("of {folder:?}");
        Ok(Toolchain {
            version: queried(rustc(), &["--version", "--verbose"], folder, &shown)?,
            sysroot: queried(rustc(), &["--print", "sysroot"], folder, &shown)?.into(),
            name: None,
            is_other: true,
        })
    }

    /// The first line of the compiler's version.
    pub(crate) fn short(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// Cargo of this toolchain.
    pub(crate) fn cargo(&self) -> Invocation {
        match &self.name {
            Some(name) => program(Some(name), "cargo"),
            None if self.is_other => without_toolchain(Invocation::new("cargo")),
            None => cargo(),
        }
    }

    /// Cargo of this toolchain in a folder that may select another one.
    pub(crate) fn cargo_elsewhere(&self) -> Invocation {
        let mut cargo = self.cargo();
        if self.name.is_none() {
            cargo.process().env("RUSTUP_TOOLCHAIN", &self.sysroot);
        }
        for name in REPOSITORY_VARIABLES {
            cargo.process().env_remove(name);
        }
        let is_used = |name: &&str| self.name.is_none() || !OF_TOOLCHAIN.contains(name);
        for name in PATH_VARIABLES.into_iter().filter(is_used) {
            if let Some(path) = path_in(name) {
                cargo.process().env(name, path);
            }
        }
        cargo
    }
}

/// The path in a variable, from the folder of this program. Of a program, a name alone is in the search path.
fn path_in(name: &str) -> Option<PathBuf> {
    let path = env::var_os(name).map(PathBuf::from);
    let path = path.filter(|path| name == CARGO_HOME || path.components().count() > 1);
    path.and_then(|path| absolute(path).ok())
}

/// The programs that variables name by a path.
pub(crate) fn programs_in_variables() -> impl Iterator<Item = PathBuf> {
    let files = PATH_VARIABLES.into_iter().filter_map(path_in);
    files.filter(|path| path.is_file())
}

/// The folder of the compiler that this folder uses.
pub(crate) fn own_sysroot() -> Option<PathBuf> {
    let folder = env::current_dir().ok()?;
    let toolchain = Toolchain::of(&Variation::default(), &folder).ok()?;
    Some(toolchain.sysroot)
}

/// A program of a toolchain that rustup knows, or the one in the search path.
fn program(toolchain: Option<&PlainWord>, program: &'static str) -> Invocation {
    let Some(toolchain) = toolchain else {
        return Invocation::new(program);
    };
    let mut rustup = Invocation::new("rustup");
    rustup.words(&["run"]).plain(toolchain).words(&[program]);
    without_toolchain(rustup)
}

/// Without what cargo sets for its own toolchain.
fn without_toolchain(mut program: Invocation) -> Invocation {
    for name in OF_TOOLCHAIN {
        program.process().env_remove(name);
    }
    program
}

/// What a compiler prints in a folder.
fn queried(
    mut rustc: Invocation,
    words: &[&'static str],
    folder: &Path,
    shown: &str,
) -> Result<String> {
    if !folder.is_dir() {
        return Err(Error::Environment(format!("the folder {folder:?} is gone")));
    }
    rustc.words(words).process().current_dir(folder);
    let why = match rustc.output() {
        Ok(output) if output.status.success() => {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let first = stderr.lines().next().unwrap_or("rustc printed nothing");
            first.trim_start_matches("error: ").to_owned()
        }
        Err(error) => error.to_string(),
    };
    Err(Error::Environment(format!(
        "the toolchain {shown} cannot be used: {why}; `rustup toolchain list` lists the installed ones"
    )))
}

/// Adds compiler flags to those that are in effect; gives the flag of cargo by which it gets them, if any. It stands behind
/// the command, as others do: of those before it, cargo takes `--config` only where there is none behind it.
///
/// Cargo takes them from one source: `CARGO_ENCODED_RUSTFLAGS`, else `RUSTFLAGS`, else all
/// `target.*.rustflags` of its configuration, else `build.rustflags`. `--config` adds to the lists of the
/// configuration, so flags are added to the source that is in effect.
pub(crate) fn add_rustflags(
    cargo: &mut Invocation,
    flags: &[String],
    folder: &Path,
) -> Option<Flag> {
    if flags.is_empty() {
        return None;
    }
    for (name, separator) in [("CARGO_ENCODED_RUSTFLAGS", "\u{1f}"), ("RUSTFLAGS", " ")] {
        if let Ok(present) = env::var(name) {
            let mut all = vec![present.as_str()];
            all.extend(flags.iter().map(String::as_str));
            all.retain(|flag| !flag.is_empty());
            cargo.process().env(name, all.join(separator));
            return None;
        }
    }
    let by_target = files_for(folder)
        .filter_map(|file| regular_file::read_text(&file, DESCRIPTION_BYTES).ok())
        .any(|text| has_flags_of_targets(&text));
    let start = if by_target {
        "--config=target.'cfg(all())'.rustflags="
    } else {
        "--config=build.rustflags="
    };
    let value = toml::Value::from(flags.to_vec()).to_string();
    Some(Flag::new(start, value))
}

fn has_flags_of_targets(text: &str) -> bool {
    // Cargo reports a file that cannot be parsed.
    let table = text.parse::<Table>().unwrap_or_default();
    let targets = table.get("target").and_then(toml::Value::as_table);
    targets.is_some_and(|targets| {
        let mut each = targets.values();
        each.any(|target| target.get("rustflags").is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_targets_are_recognised() {
        for (text, expected) in [
            ("", false),
            ("[build]\nrustflags = ['-g']", false),
            ("[target.x86_64-unknown-linux-gnu]\nlinker = 'cc'", false),
            (
                "[target.x86_64-unknown-linux-gnu]\nrustflags = ['-g']",
                true,
            ),
            ("target.'cfg(unix)'.rustflags = '-g'", true),
            ("no toml", false),
        ] {
            assert_eq!(has_flags_of_targets(text), expected, "{text}");
        }
    }

    #[test]
    fn flags_are_quoted() {
        let flags = vec![r#"--cfg=a="b\c""#.to_owned(), "-g".to_owned()];
        let mut cargo = Invocation::new("cargo");
        // Neither variable is set where tests run.
        let added = add_rustflags(&mut cargo, &flags, Path::new("/no/such/folder"));
        let Some(flag) = added else {
            return;
        };
        let word = flag.word().into_string().expect("text");
        let config = word.strip_prefix("--config=");
        let table: Table = config.expect("one word").parse().expect("TOML");
        let value = table["build"]["rustflags"].as_array().expect("a list");
        assert_eq!(value[0].as_str(), Some(flags[0].as_str()));
    }

    #[test]
    fn rustup_gets_a_name() {
        let name = PlainWord::new("nightly-2026-01-01").expect("a name");
        let mut rustup = program(Some(&name), "rustc");
        let words: Vec<_> = rustup.process().get_args().collect();
        assert_eq!(words, ["run", "nightly-2026-01-01", "rustc"]);
    }
}
