//! Finds the program that executes ops instruction by instruction: `cargo-tourbillon`.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::runner::NOT_HERE;

/// The path of the program, set for bench programs that it starts itself.
pub const STEPPER_VARIABLE: &str = "TOURBILLON_STEPPER";
/// Its name.
const PROGRAM: &str = "cargo-tourbillon";

/// The path of the program, or why it cannot be started, and what to do.
pub(super) fn stepper() -> Result<PathBuf, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(NOT_HERE.to_owned());
    }
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let mut places = candidates(set).into_iter();
    places.find(|path| path.is_file()).ok_or_else(|| {
        if let Some(path) = set(STEPPER_VARIABLE) {
            return format!("{STEPPER_VARIABLE} is {path:?}, not the absolute path of a file");
        }
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "{PROGRAM}, which steps ops, is neither in a folder of PATH nor in that of cargo's programs; install the \
             package, version {version}, with `cargo install`"
        )
    })
}

/// Where the program may be: where the variable says; else in folders as a shell looks for programs, and where cargo
/// installs them. Never in one that depends on the current folder, where others may have put a program.
fn candidates(set: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    if let Some(path) = set(STEPPER_VARIABLE) {
        places.push(path.into());
    } else {
        let folders = set("PATH").unwrap_or_default();
        for folder in env::split_paths(&folders) {
            places.push(folder.join(PROGRAM));
        }
        let cargo = set("CARGO_HOME").map(PathBuf::from);
        let of_user = || Some(PathBuf::from(set("HOME")?).join(".cargo"));
        if let Some(cargo) = cargo.or_else(of_user) {
            places.push(cargo.join("bin").join(PROGRAM));
        }
    }
    places.retain(|path| path.is_absolute());
    places
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn places(set: &[(&str, &str)]) -> Vec<PathBuf> {
        let value = |name: &str| {
            let found = set.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| OsString::from(value))
        };
        candidates(value)
    }

    #[test]
    fn the_program_is_looked_for_as_a_shell_does() {
        let path = ("PATH", "/usr/local/bin:/usr/bin");
        let expected = [
            "/usr/local/bin/cargo-tourbillon",
            "/usr/bin/cargo-tourbillon",
        ];
        let all = places(&[path, ("CARGO_HOME", "/cargo"), ("HOME", "/users/a")]);
        assert_eq!(all[..2], expected.map(PathBuf::from));
        assert_eq!(all[2..], [PathBuf::from("/cargo/bin/cargo-tourbillon")]);
        let of_home = places(&[("HOME", "/users/a")]);
        assert_eq!(
            of_home,
            [PathBuf::from("/users/a/.cargo/bin/cargo-tourbillon")]
        );
        assert_eq!(places(&[]), [] as [PathBuf; 0]);
    }

    #[test]
    fn the_variable_comes_first() {
        let set = [("TOURBILLON_STEPPER", "/a/b"), ("PATH", "/usr/bin")];
        assert_eq!(places(&set), [PathBuf::from("/a/b")]);
    }

    #[test]
    fn nothing_of_the_current_folder_is_started() {
        for path in [":", ".", "./", "bin:..", "::target/debug:"] {
            assert_eq!(places(&[("PATH", path)]), [] as [PathBuf; 0], "{path}");
        }
        for name in ["TOURBILLON_STEPPER", "CARGO_HOME", "HOME"] {
            assert_eq!(
                places(&[(name, "some/where")]),
                [] as [PathBuf; 0],
                "{name}"
            );
        }
        let mixed = places(&[("PATH", ":/usr/bin:.")]);
        assert_eq!(mixed, [PathBuf::from("/usr/bin/cargo-tourbillon")]);
    }
}
