//! The facade as packages of tests get it compiled: once, and lent to each of their target directories.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tourbillon_record::store::file_name;

use crate::program::command;

/// The profile of packages that borrow the facade, in their manifests.
pub(crate) const PROFILE: &str = "[profile.dev]\ndebug = false\n";

/// Variables that would have cargo compile it otherwise.
const OTHERWISE: [&str; 3] = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"];

/// The target directory with the facade, for each list of its features.
static COMPILED: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The folder that a cache of builds has for the repository of a folder, or for a workspace without one. The cache is
/// made.
pub(crate) fn cached(cache: &Path, folder: &Path) -> PathBuf {
    let mut made = command(&["tourbillon", "cache"]);
    let made = made.env("TOURBILLON_CACHE", cache).output();
    assert!(made.expect("the program starts").status.success());
    let output = Command::new("git")
        .args(["rev-parse", "--path-format=absolute", "--git-common-dir"])
        .current_dir(folder)
        .output()
        .expect("git starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let root = match printed.trim_end() {
        "" => folder.to_string_lossy(),
        repository => repository.into(),
    };
    cache.join("repositories").join(file_name(&root))
}

/// A target directory in such a folder, for a workspace.
pub(crate) fn target_of(cached: &Path, kind: &str, workspace: &Path) -> PathBuf {
    let name = file_name(&workspace.to_string_lossy());
    cached.join(kind).join(name)
}

/// Puts the compiled facade into a target directory that is not there yet. Cargo compiles what it does not take for
/// fresh.
pub(crate) fn lend(features: &str, target: &Path) {
    let mut all = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let from = all
        .entry(features.to_owned())
        .or_insert_with(|| compiled(features))
        .join("debug");
    let into = target.join("debug");
    fs::create_dir_all(&into).expect("a folder");
    // Cargo compares the times of files, which have to stay.
    let status = Command::new("cp")
        .arg("-a")
        .args(PARTS.map(|part| from.join(part)))
        .arg(into)
        .status();
    assert!(status.expect("cp starts").success());
}

/// What of a target directory is that of dependencies.
const PARTS: [&str; 3] = ["deps", "build", ".fingerprint"];

/// The facade with these features, compiled as a comparison compiles it. The folder stays, for the next run.
fn compiled(features: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("facade-{}", features.trim_matches('"')));
    for inner in ["benches", "src"] {
        fs::create_dir_all(folder.join(inner)).expect("a folder");
    }
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tourbillon");
    let manifest = format!(
        "[package]\nname = \"borrows\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n{PROFILE}\
         [[bench]]\nname = \"nothing\"\nharness = false\n\
         [dev-dependencies]\ntourbillon = {{ path = {facade:?}, features = [{features}] }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/lib.rs"), "").expect("a library");
    fs::write(folder.join("benches/nothing.rs"), "fn main() {}\n").expect("a bench");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline", "--bench", "nothing"]);
    for name in OTHERWISE {
        cargo.env_remove(name);
    }
    let status = cargo
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(&folder)
        .status();
    assert!(status.expect("cargo starts").success());
    folder.join("target")
}
