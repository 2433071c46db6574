//! Lock files of a package whose dependencies are in a registry of the repository.

use std::fs::{self, File};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::*;

/// Where cargo thinks that the registry is.
const REGISTRY: &str = "sparse+http://localhost/";

/// A package of the registry: name, version, and those that it depends on with what it needs of them.
type Package = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const OLD: [Package; 5] = [
    ("alpha", "1.0.0", &[("beta", "1.0.0")]),
    ("beta", "1.0.0", &[]),
    ("epsilon", "1.0.0", &[("zeta", "=1.0.0")]),
    ("gamma", "1.0.0", &[]),
    ("zeta", "1.0.0", &[]),
];
/// Of `epsilon` and `zeta` none can be updated alone.
const NEW: [Package; 5] = [
    ("alpha", "1.1.0", &[("beta", "1.1.0")]),
    ("beta", "1.1.0", &[]),
    ("epsilon", "1.1.0", &[("zeta", "=1.1.0")]),
    ("gamma", "1.1.0", &[]),
    ("zeta", "1.1.0", &[]),
];

/// Adds packages to a registry as cargo reads it from a folder.
fn publish(registry: &Path, packages: &[Package]) {
    fs::create_dir_all(registry).expect("a folder");
    for (name, version, dependencies) in packages {
        let mut manifest = format!(
            "[package]\nname = {name:?}\nversion = {version:?}\nedition = \"2024\"\n[dependencies]\n"
        );
        let mut known = Vec::new();
        for (other, needed) in *dependencies {
            manifest += &format!("{other} = {needed:?}\n");
            known.push(format!(
                r#"{{"name":{other:?},"req":{needed:?},"features":[],"optional":false,"default_features":true,"target":null,"kind":"normal"}}"#
            ));
        }
        let path = registry.join(format!("{name}-{version}.crate"));
        let file = File::create(&path).expect("a file");
        let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
        for (file, text) in [("Cargo.toml", manifest.as_str()), ("src/lib.rs", "")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            let path = format!("{name}-{version}/{file}");
            archive
                .append_data(&mut header, path, text.as_bytes())
                .expect("an entry");
        }
        archive
            .into_inner()
            .and_then(GzEncoder::finish)
            .expect("an archive");
        let digest = Sha256::digest(fs::read(&path).expect("a file"));
        let sum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let index = registry.join("index").join(&name[..2]).join(&name[2..4]);
        fs::create_dir_all(&index).expect("a folder");
        let index = index.join(name);
        let mut lines = fs::read_to_string(&index).unwrap_or_default();
        lines += &format!(
            r#"{{"name":{name:?},"vers":{version:?},"deps":[{}],"cksum":"{sum}","features":{{}},"yanked":false}}"#,
            known.join(",")
        );
        fs::write(&index, lines + "\n").expect("a file");
    }
}

fn run(program: &str, root: &Path, words: &[&'static str]) {
    let mut command = match program {
        "git" => git(root),
        _ => cargo(),
    };
    command.process().current_dir(root);
    let done = command.words(words).output().expect("it starts");
    assert!(done.status.success(), "{words:?}: {done:?}");
}

/// A repository with the newest versions in its lock file, and the older lock file beside it.
fn repository() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path();
    let write = |file: &str, text: &str| {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        ".cargo/config.toml",
        &format!(
            "[registries.own]\nindex = {REGISTRY:?}\n[source.own]\nregistry = {REGISTRY:?}\nreplace-with = \"folder\"\n\
             [source.folder]\nlocal-registry = \"registry\"\n"
        ),
    );
    let mut manifest =
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n"
            .to_owned();
    for name in ["alpha", "gamma", "epsilon"] {
        manifest += &format!("{name} = {{ version = \"1\", registry = \"own\" }}\n");
    }
    write("Cargo.toml", &manifest);
    write("src/lib.rs", "");
    let lock = ["generate-lockfile", "--offline", "--quiet"];
    publish(&root.join("registry"), &OLD);
    run("cargo", root, &lock);
    fs::rename(root.join(LOCK), root.join("old.lock")).expect("a file");
    publish(&root.join("registry"), &NEW);
    run("cargo", root, &lock);
    run("git", root, &["init", "--quiet"]);
    run("git", root, &["add", "--all"]);
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    run(
        "git",
        root,
        &[&identity[..], &["commit", "--quiet", "--message=new"]].concat(),
    );
    folder
}

fn steps(root: &Path, old: &str, new: &str) -> Result<LockSteps> {
    let path = |name: &str| root.join(name).to_string_lossy().into_owned();
    let own = TempDir::new().expect("a folder");
    let cache = Cache::at(own.path());
    let made = lock_steps(root, [&path(old), &path(new)], true, &cache);
    // Nothing is left there.
    let left = fs::read_dir(cache.builds()).expect("a folder");
    assert_eq!(left.count(), 0);
    made
}

#[test]
fn a_commit_has_one_update_more_than_the_one_before() {
    let folder = repository();
    let root = folder.path();
    let made = steps(root, "old.lock", LOCK).expect("commits");
    let updates: Vec<&str> = made
        .steps
        .iter()
        .map(|(_, update)| update.as_str())
        .collect();
    assert_eq!(
        updates,
        [
            "beta 1.0.0 -> 1.1.0",
            "alpha 1.0.0 -> 1.1.0",
            "epsilon 1.0.0 -> 1.1.0, zeta 1.0.0 -> 1.1.0",
            "gamma 1.0.0 -> 1.1.0",
        ]
    );
    let repository = Repository::around(root).expect("a repository");
    let lock = |commit: &str| {
        let text = repository.text(commit, Path::new(LOCK), DESCRIPTION_BYTES);
        text.expect("a file").expect("a lock file")
    };
    let kept = |name: &str| {
        let text = fs::read_to_string(root.join(name)).expect("a file");
        text.trim_end().to_owned()
    };
    assert_eq!(lock(&made.start), kept("old.lock"));
    assert_eq!(lock(&made.steps[3].0), kept(LOCK));
    // The other files are those of the commit, on no branch, and nothing of the user's changed.
    let text = repository.text(&made.start, Path::new("Cargo.toml"), DESCRIPTION_BYTES);
    assert_eq!(text.expect("a file"), Some(kept("Cargo.toml")));
    let mut status = git(root);
    assert_eq!(
        query(status.words(&["status", "--porcelain"])).expect("git"),
        ""
    );
    let mut branches = git(root);
    branches
        .words(&["for-each-ref", "--contains"])
        .plain(&known(&made.start).expect("a commit"));
    assert_eq!(query(&mut branches).expect("git"), "");
    // The same lock files give the same commits, also where a revision has one.
    assert_eq!(steps(root, "old.lock", LOCK).expect("commits"), made);
    let old = root.join("old.lock").to_string_lossy().into_owned();
    let own = TempDir::new().expect("a folder");
    let again = lock_steps(root, [&old, "HEAD"], true, &Cache::at(own.path()));
    assert_eq!(again.expect("commits").steps, made.steps);
}

#[test]
fn mistakes_name_what_is_wrong() {
    let folder = repository();
    let root = folder.path();
    let own = root.join(LOCK);
    let unfit = fs::read_to_string(&own)
        .expect("a file")
        .replace("\"gamma\"", "\"delta\"");
    fs::write(root.join("unfit.lock"), unfit).expect("a file");
    fs::write(root.join("text.lock"), "text").expect("a file");
    for (old, expected) in [
        (LOCK, "the same versions of all packages"),
        ("unfit.lock", "does not fit the manifests of HEAD"),
        ("text.lock", "is no lock file of cargo"),
        ("nothing.lock", "is neither a file nor a revision"),
    ] {
        let error = steps(root, old, LOCK).expect_err(old).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let outside = TempDir::new().expect("a folder");
    let cache = Cache::at(outside.path());
    let error = lock_steps(outside.path(), ["a", "b"], true, &cache).expect_err("no repository");
    assert!(error.to_string().contains("no git repository"), "{error}");
}
