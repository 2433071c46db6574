//! Which compiler builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::git::PLACES;
use super::variation::Variation;
use crate::Stop;
use crate::cargo;

/// A toolchain, as it is used in one folder.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// A name for rustup, where one was asked for.
    name: Option<String>,
    /// What the compiler says of itself.
    pub version: String,
    /// Where it is.
    sysroot: PathBuf,
}

impl Toolchain {
    /// The toolchain of a variation, else the one that is used in a folder.
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
                    "{what}; `rustup toolchain list` shows what there is"
                ))
            };
            match output {
                Ok(output) if output.status.success() => {
                    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
                }
                Ok(output) => {
                    let said = String::from_utf8_lossy(&output.stderr);
                    let said = said.lines().next().unwrap_or("it says nothing");
                    Err(unusable(said.trim_start_matches("error: ")))
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

    /// The first line of what the compiler says of itself.
    pub fn short(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// Cargo of this toolchain, in the folder that it was found for.
    pub fn cargo(&self) -> Command {
        match &self.name {
            Some(name) => program(Some(name), "cargo"),
            None => cargo(),
        }
    }

    /// Cargo of this toolchain in a folder that may name another one: revisions are built with the
    /// toolchain of the working tree, so that the code is all that differs.
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

/// A program of a toolchain that rustup knows, or of the one that is used anyway.
fn program(toolchain: Option<&str>, program: &str) -> Command {
    let Some(toolchain) = toolchain else {
        return Command::new(program);
    };
    let mut command = Command::new("rustup");
    command.args(["run", toolchain, program]);
    // What cargo says to its subcommands is about its own toolchain.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}
