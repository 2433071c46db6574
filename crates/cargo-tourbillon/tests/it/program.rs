//! Running the program of this package.

use std::process::{Command, Output, Stdio};

/// The program with arguments, in a fixed environment.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-tourbillon"));
    command.args(arguments).stdin(Stdio::null());
    for name in [
        "CARGO_TARGET_DIR",
        "TOURBILLON_CONFIG",
        "TOURBILLON_INDEX",
        "NO_COLOR",
        "CI",
        "GITHUB_ACTIONS",
        "LC_ALL",
        "LC_CTYPE",
        "LANG",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    // Tests do not wait for each other, nor for what else measures.
    command.env("TOURBILLON_LOCK", "none");
    command
}

/// The output and exit code of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// `None` after a signal.
    pub(crate) code: Option<i32>,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
            code: output.status.code(),
        }
    }
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    command(arguments)
        .output()
        .expect("the program starts")
        .into()
}

/// Runs the program, which must succeed, and parses its output as JSON.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("stdout is JSON")
}
