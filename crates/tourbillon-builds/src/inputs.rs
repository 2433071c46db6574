//! What executables depend on.

use std::env;
use std::fs;

use super::cache::refused;
use super::configuration;
use super::key::{Digest, Key};
use super::subject::Selection;
use super::toolchain::Toolchain;
use super::variation::Variation;
use crate::Stop;
use crate::targets::Target;

/// Hashes what executables depend on besides the code: flags, variables, the toolchain, and whether
/// their objects are kept.
pub fn digest(
    selection: &Selection,
    variation: &Variation,
    toolchain: &Toolchain,
    place: bool,
) -> Digest {
    let mut variables: Vec<String> = env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, _)| builds_otherwise(name))
        .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
        .collect();
    variables.sort();
    let home = configuration::home().map(|home| home.join("config.toml"));
    let configured = home.and_then(|file| fs::read(file).ok());
    Digest::new()
        .part(env!("CARGO_PKG_VERSION"))
        .part([u8::from(place)])
        .parts(&variation.parts())
        .parts(&selection.for_bench(variation))
        .part(&toolchain.version)
        .parts(&variables)
        .part(configured.unwrap_or_default())
}

/// Whether the value of a variable can change what cargo or the compiler builds.
fn builds_otherwise(name: &str) -> bool {
    let prefixes = [
        "CARGO_PROFILE_",
        "CARGO_BUILD_",
        "CARGO_TARGET_",
        "CARGO_ENCODED_",
    ];
    let target_directory = [
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_TARGET_TMPDIR",
    ];
    let alone = ["RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_BOOTSTRAP"];
    alone.contains(&name)
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
            && !target_directory.contains(&name)
}

/// Adds the contents of the executables.
pub fn contents(mut digest: Digest, targets: &[Target]) -> Result<Key, Stop> {
    for target in targets {
        let path = &target.executable;
        digest = digest
            .part(&target.package)
            .part(&target.name)
            .file(path)
            .map_err(|error| refused(path, "read", &error))?;
    }
    Ok(digest.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_change_the_build_are_in_the_key() {
        for (name, expected) in [
            ("RUSTFLAGS", true),
            ("CARGO_PROFILE_BENCH_LTO", true),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", true),
            ("CARGO_TARGET_DIR", false),
            ("CARGO_BUILD_TARGET_DIR", false),
            ("HOME", false),
            ("CARGO", false),
        ] {
            assert_eq!(builds_otherwise(name), expected, "{name}");
        }
    }
}
