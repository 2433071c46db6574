//! A first benchmark.

use std::fs;

use crate::folder::{Folder, run};
#[cfg(unix)]
use crate::program::Ran;

/// A package with this manifest.
fn package(name: &str, manifest: &str) -> Folder {
    let folder = Folder::new(name);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("src/lib.rs"), "").expect("a file");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    folder
}

#[test]
fn a_package_gets_a_first_benchmark_once() {
    let manifest = "# ours\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let folder = package("init", manifest);
    let ran = run(&folder, &["init", "--bench", "parser"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let changed = read("Cargo.toml");
    assert!(changed.starts_with(manifest), "{changed}");
    for line in [
        "tourbillon = ",
        "[[bench]]",
        "name = \"parser\"",
        "harness = false",
        "[profile.bench.package.shop]\ndebug = \"line-tables-only\"",
    ] {
        assert!(changed.contains(line), "{line} in\n{changed}");
    }
    assert!(read("benches/parser.rs").contains("fn concat()"));
    assert!(
        ran.stdout.ends_with("next: cargo bench --bench parser\n"),
        "{ran:?}"
    );
    // Nothing that is there is changed.
    let again = run(&folder, &["init", "--bench", "parser"]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.contains("nothing was changed"), "{again:?}");
    assert_eq!(read("Cargo.toml"), changed);
    // As where it was killed before the manifest was written.
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    let after = run(&folder, &["init", "--bench", "parser"]);
    assert_eq!(after.code, Some(0), "{after:?}");
    assert_eq!(read("Cargo.toml"), changed);
    // A file of the user is none of that.
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::write(folder.join("benches/parser.rs"), "// Mine.\n").expect("a file");
    let other = run(&folder, &["init", "--bench", "parser"]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert_eq!(read("Cargo.toml"), manifest);
    // Nor is a link, wherever it leads.
    #[cfg(unix)]
    {
        let link = folder.join("benches/mine.rs");
        std::os::unix::fs::symlink("not/yet", &link).expect("a link");
        let other = run(&folder, &["init", "--bench", "mine"]);
        assert_eq!(other.code, Some(1), "{other:?}");
        assert!(other.stderr.contains("nothing was changed"), "{other:?}");
        assert!(link.is_symlink());
    }
}

#[test]
fn lines_end_as_they_did() {
    let manifest = "[package]\r\nname = \"shop\"\r\nversion = \"0.1.0\"\r\nedition = \"2024\"\r\n\r\n[workspace]\r\n";
    let folder = package("init-lines", manifest);
    let ran = run(&folder, &["init"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let changed = fs::read_to_string(folder.join("Cargo.toml")).expect("a file");
    assert!(changed.starts_with(manifest), "{changed:?}");
    assert_eq!(
        changed.matches('\n').count(),
        changed.matches("\r\n").count()
    );
}

#[test]
fn a_member_is_edited_and_not_its_root() {
    let folder = Folder::new("init-member");
    fs::create_dir_all(folder.join("a/src")).expect("a folder");
    fs::write(
        folder.join("Cargo.toml"),
        "[workspace]\nmembers = [\"a\"]\n",
    )
    .expect("a file");
    fs::write(
        folder.join("a/Cargo.toml"),
        "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    )
    .expect("a file");
    let outside = run(&folder, &["init"]);
    assert_eq!(outside.code, Some(1), "{outside:?}");
    assert!(outside.stderr.contains("has no [package]"), "{outside:?}");
    let member = folder.join("a");
    fs::write(member.join("src/lib.rs"), "").expect("a file");
    let ran = run(&member, &["init"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let root = fs::read_to_string(folder.join("Cargo.toml")).expect("a file");
    assert_eq!(root, "[workspace]\nmembers = [\"a\"]\n");
    // The folder of the tests is in a workspace that this package is no member of.
    let stray = Folder::new("init-stray");
    fs::write(stray.join("Cargo.toml"), "[package]\nname = \"b\"\n").expect("a file");
    let refused = run(&stray, &["init"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("cargo does not take"),
        "{refused:?}"
    );
    let bad = run(&member, &["init", "--bench", "../x"]);
    assert_eq!(bad.code, Some(1), "{bad:?}");
    assert!(bad.stderr.contains("letters, digits"), "{bad:?}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_whole_is_not_begun() {
    let long = "x".repeat(100_000);
    let manifest = format!(
        "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n# {long}\n"
    );
    let folder = package("init-limit", &manifest);
    let limited = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 50; exec \"$0\" \"$@\""])
        .args([env!("CARGO_BIN_EXE_cargo-tourbillon"), "tourbillon", "init"])
        .current_dir(&*folder)
        .output();
    let ran: Ran = limited.expect("a shell").into();
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("cannot be written"), "{ran:?}");
    let read = fs::read_to_string(folder.join("Cargo.toml"));
    assert_eq!(read.expect("a file"), manifest);
    assert!(!folder.join("benches").exists());
}
