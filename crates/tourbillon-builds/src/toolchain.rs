//! The toolchain that builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::git::PLACES;
use super::variation::Variation;
use crate::Stop;
use crate::cargo;

/// A toolchain, as it applies in one folder.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Its name for rustup, when a variation names one.
    name: Option<String>,
    /// The output of `rustc --version --verbose`.
    pub version: String,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The toolchain of a variation, else the one that the folder uses.
    pub fn of(variation: &Variation, folder: &Path) -> Result<Toolchain, Stop> {
        let name = variation.toolchain.clone();
        let ask = |words: &[&str]| -> Result<String, Stop> {
            let output = program(name.as_deref(), "rustc")
                .args(words)
                .current_dir(folder)
                .stdin(Stdio::null())
                .output();
            let shown = name.as_deref().unwrap_or("of this folder");
            let unusable = |why: &str| {
                let what = format!("the toolchain {shown} cannot be used: {why}");
                Stop::Environment(format!(
                    "{what}; `rustup toolchain list` lists the installed ones"
                ))
            };
            match output {
                Ok(output) if output.status.success() => {
                    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
                }
                Ok(output) => {
                    let stderr = String::from_utf8_lossy(&output.stderr);
                    let first = stderr.lines().next().unwrap_or("rustc printed nothing");
                    Err(unusable(first.trim_start_matches("error: ")))
                }
                Err(error) => Err(unusable(&error.to_string())),
            }
        };
        Ok(Toolchain {
            version: ask(&["--version", "--verbose"])?,
            sysroot: PathBuf::from(ask(&["--print", "sysroot"])?),
            name,
        })
    }

    /// The first line of the compiler's version.
    pub fn short(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// Cargo of this toolchain.
    pub fn cargo(&self) -> Command {
        match &self.name {
            Some(name) => program(Some(name), "cargo"),
            None => cargo(),
        }
    }

    /// Cargo of this toolchain in a folder that may select another one: revisions are built with
    /// the toolchain of the working tree, so that only the code differs.
    pub fn cargo_elsewhere(&self) -> Command {
        let mut command = self.cargo();
        if self.name.is_none() {
            command.env("RUSTUP_TOOLCHAIN", &self.sysroot);
        }
        for name in PLACES {
            command.env_remove(name);
        }
        command
    }
}

/// A program of a toolchain that rustup knows, or the one in the search path.
fn program(toolchain: Option<&str>, program: &str) -> Command {
    let Some(toolchain) = toolchain else {
        return Command::new(program);
    };
    let mut command = Command::new("rustup");
    command.args(["run", toolchain, program]);
    // Cargo sets these for its own toolchain.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}
