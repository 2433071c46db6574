//! Passes compiler flags to cargo.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::de::DeTable;

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

/// Adds compiler flags to those that are in effect.
///
/// Cargo takes them from one source: `CARGO_ENCODED_RUSTFLAGS`, else `RUSTFLAGS`, else all
/// `target.*.rustflags` of its configuration, else `build.rustflags`. `--config` adds to the lists
/// of the configuration, so flags are added to the source that is in effect.
pub fn add(cargo: &mut Command, flags: &[String], folder: &Path) {
    if flags.is_empty() {
        return;
    }
    for (name, joint) in [("CARGO_ENCODED_RUSTFLAGS", SEPARATOR), ("RUSTFLAGS", " ")] {
        if let Ok(present) = env::var(name) {
            let mut all: Vec<&str> = vec![present.as_str()];
            all.extend(flags.iter().map(String::as_str));
            all.retain(|flag| !flag.is_empty());
            cargo.env(name, all.join(joint));
            return;
        }
    }
    let by_target = files(folder).iter().any(|file| {
        let text = fs::read_to_string(file).unwrap_or_default();
        has_flags_of_targets(&text)
    });
    let list: Vec<String> = flags.iter().map(|flag| quoted(flag)).collect();
    let place = if by_target {
        "target.'cfg(all())'.rustflags"
    } else {
        "build.rustflags"
    };
    cargo.args(["--config", &format!("{place}=[{}]", list.join(","))]);
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The possible files of cargo's configuration for a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folder
        .ancestors()
        .map(|around| around.join(".cargo"))
        .collect();
    folders.extend(home());
    let names = ["config.toml", "config"];
    let files = folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)));
    files.collect()
}

/// Cargo's home folder.
pub fn home() -> Option<PathBuf> {
    let named = env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    match named {
        Some(home) => Some(PathBuf::from(home)),
        None => Some(env::home_dir()?.join(".cargo")),
    }
}

fn has_flags_of_targets(text: &str) -> bool {
    let Ok(table) = DeTable::parse(text) else {
        // Cargo reports the error.
        return false;
    };
    let targets = table
        .get_ref()
        .get("target")
        .and_then(|all| all.get_ref().as_table());
    targets.is_some_and(|targets| {
        let mut each = targets.values().filter_map(|one| one.get_ref().as_table());
        each.any(|one| one.contains_key("rustflags"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_targets_are_seen() {
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
    fn strings_are_quoted() {
        assert_eq!(quoted(r#"--cfg=a="b\c""#), r#""--cfg=a=\"b\\c\"""#);
    }

    #[test]
    fn the_configuration_is_looked_for_upwards() {
        let files = files(Path::new("/a/b"));
        assert_eq!(files[0], Path::new("/a/b/.cargo/config.toml"));
        assert!(files.contains(&PathBuf::from("/.cargo/config")));
    }
}
