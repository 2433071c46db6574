//! Asks cargo to describe this workspace, for the benchmarks that read its answer.
//!
//! At build time, because some twenty processes measure a benchmark: a cargo in the set-up of
//! each would take longer than what is measured. `--no-deps` omits packages that are not in the
//! workspace, so the answer needs no network and does not depend on what has been downloaded.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), String> {
    let package = variable("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&package)
        .parent()
        .ok_or("the package has no parent folder")?;
    let answer = Command::new(variable("CARGO")?)
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !answer.status.success() {
        let reason = String::from_utf8_lossy(&answer.stderr);
        return Err(format!(
            "cargo metadata failed in {}: {reason}",
            root.display()
        ));
    }
    let file = PathBuf::from(variable("OUT_DIR")?).join("metadata.json");
    fs::write(&file, answer.stdout)
        .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    for manifest in manifests(root)? {
        println!("cargo::rerun-if-changed={}", manifest.display());
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("the variable {name} of the build: {error}"))
}

/// What the answer depends on.
fn manifests(root: &Path) -> Result<Vec<PathBuf>, String> {
    let crates = root.join("crates");
    let entries = fs::read_dir(&crates)
        .map_err(|error| format!("{} cannot be listed: {error}", crates.display()))?;
    let members = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path().join("Cargo.toml"));
    let mut manifests: Vec<PathBuf> = members.filter(|manifest| manifest.is_file()).collect();
    manifests.push(root.join("Cargo.toml"));
    manifests.push(root.join("examples/Cargo.toml"));
    Ok(manifests)
}
