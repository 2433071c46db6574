//! What changes in the working tree while it is built, as if its user saved a file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::program::Ran;

use super::shop::Shop;
use super::twins::twins;

/// Whether the working tree that was saved counts as changed, and the messages about it.
fn saved(shop: &Shop, environment: &[(&str, &str)]) -> (bool, String) {
    let words = ["save", "tree", "--offline", "--profile", "dev"];
    let mut command = shop.command("one", &words);
    let output = command.envs(environment.iter().copied()).output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (ran.stdout.contains(", changed, "), ran.stderr)
}

fn status(shop: &Shop) -> String {
    let mut git = Command::new("git");
    let output = git
        .args(["status", "--short"])
        .current_dir(shop.repository());
    String::from_utf8(output.output().expect("git starts").stdout).expect("text")
}

/// A build script that writes a file when it first runs.
fn script(shop: &Shop, file: &str, text: &str) {
    let script = format!(
        "fn main() {{ println!(\"cargo:rerun-if-changed=build.rs\"); std::fs::write({file:?}, {text:?}).unwrap(); }}\n"
    );
    shop.write("one/build.rs", &script);
    shop.commit(&format!("writes-{}", file.len()));
}

#[test]
fn what_is_edited_while_it_is_built_is_no_commit() {
    let shop = twins("edited-files", ["one"]);
    // Cargo makes a lock file, which git ignores.
    let (is_changed, said) = saved(&shop, &[]);
    assert!(!is_changed && !said.contains("was built"), "{said}");
    shop.write("notes.txt", "one\n");
    script(&shop, "../notes.txt", "two\n");
    let (is_changed, said) = saved(&shop, &[]);
    let named = "tracked files were changed while working tree was built, by cargo or others: it counts as changed";
    assert!(is_changed && said.contains(named), "{said}");
    assert!(!said.contains("built again"), "{said}");
    shop.git(&["checkout", "--quiet", "notes.txt"]);
    script(&shop, "src/lib.rs", "pub const WHO: &str = \"edited\";\n");
    let (is_changed, said) = saved(&shop, &[]);
    let named = "one/src/lib.rs\" was changed while working tree was built; it is built again\n";
    assert!(is_changed && said.contains(named), "{said}");
    assert_eq!(said.matches("building working tree").count(), 2, "{said}");
}

#[test]
fn a_tracked_lock_file_that_cargo_completes_is_a_change() {
    let shop = twins("edited-lock", ["one"]);
    saved(&shop, &[]);
    shop.write(".gitignore", "");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["generate-lockfile", "--offline", "--quiet"]);
    let locked = cargo.current_dir(shop.repository().join("one")).status();
    assert!(locked.expect("cargo starts").success());
    shop.commit("locked");
    assert!(!saved(&shop, &[]).0);
    let manifest = fs::read_to_string(shop.repository().join("one/Cargo.toml")).expect("a file");
    shop.write("one/Cargo.toml", &manifest.replace("0.0.0", "0.0.1"));
    shop.commit("outdated");
    let (is_changed, said) = saved(&shop, &[]);
    assert!(is_changed && said.contains("by cargo or others"), "{said}");
    assert_eq!(status(&shop), "", "what cargo did is undone");
}

/// Executables and what they are linked from are compiled one after the other; meanwhile, a file is edited once.
fn is_built_again(test: &str, file: &str, edited: &str, undone: Option<&str>) {
    let shop = twins(test, ["one"]);
    let source = fs::read_to_string(shop.repository().join("one/src/lib.rs")).expect("a file");
    let source = source + "pub const TABLE: &[u8] = include_bytes!(\"table\");\n";
    shop.write("one/src/lib.rs", &source);
    shop.write("one/src/table", "1\n");
    let read = "fn main() { println!(\"cargo:rerun-if-changed=read\"); }\n";
    shop.write("one/build.rs", read);
    shop.write("one/read", "1\n");
    let outside = shop.folder.join("outside");
    fs::create_dir_all(outside.join("src")).expect("a folder");
    let package = "[package]\nname = \"outside\"\nedition = \"2024\"\n";
    fs::write(outside.join("Cargo.toml"), package).expect("a file");
    fs::write(outside.join("src/lib.rs"), "").expect("a file");
    let manifest = fs::read_to_string(shop.repository().join("one/Cargo.toml")).expect("a file");
    let needed = "[dependencies]\noutside = { path = \"../../outside\" }\n";
    shop.write("one/Cargo.toml", &(manifest + needed));
    shop.commit("start");
    let wrapper = shop.folder.join("wrapper");
    let file = shop.repository().join(file);
    let is_done = shop.folder.join("done");
    let undone = undone.map_or_else(String::new, |text| format!("echo '{text}' > {file:?}"));
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *' @'*) [ -e {is_done:?} ] || {{ touch {is_done:?}; \
         echo '{edited}' > {file:?}; \"$@\"; code=$?; {undone}\nexit $code; }} ;; esac\nexec \"$@\"\n"
    );
    fs::write(&wrapper, script).expect("a file");
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("changed");
    let variables = [("RUSTC_WRAPPER", wrapper.to_str().expect("a path"))];
    let (is_changed, said) = saved(&shop, &variables);
    let named = "a source was changed while working tree was built; it is built again\n";
    assert_eq!(is_changed, undone.is_empty(), "{said}");
    assert!(said.contains(named), "{said}");
    // The first one would be found by the next build of what it was compiled from.
    let builds = fs::read_dir(shop.cache().join("builds")).expect("a folder");
    let builds = builds.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir()));
    assert_eq!(builds.count(), 1);
}

#[test]
fn both_compilations_are_of_one_source() {
    let edited = "pub const WHO: &str = \"edited\";";
    is_built_again("edited-objects", "one/src/lib.rs", edited, None);
}

#[test]
fn both_compilations_have_the_same_data() {
    is_built_again("edited-data", "one/src/table", "2", None);
    is_built_again("undone-data", "one/src/table", "2", Some("1"));
}

#[test]
fn both_compilations_have_the_same_files_elsewhere() {
    is_built_again(
        "undone-outside",
        "../outside/src/lib.rs",
        "pub fn two() {}",
        Some(""),
    );
    is_built_again("undone-read", "one/read", "2", Some("1"));
}

#[test]
fn what_is_always_built_is_not_edited() {
    let shop = twins("edited-never", ["one"]);
    let script = "fn main() { println!(\"cargo:rerun-if-changed=missing\"); }\n";
    shop.write("one/build.rs", script);
    shop.commit("always");
    let (is_changed, said) = saved(&shop, &[]);
    assert!(!is_changed && !said.contains("built again"), "{said}");
}

/// While executables are stored, after cargo has ended.
#[test]
fn an_interrupt_leaves_the_lock_file_of_the_user() {
    let shop = twins("edited-interrupt", ["one"]);
    let started = shop.folder.join("started");
    let bench = fs::read_to_string(shop.repository().join("one/benches/speed.rs"));
    let hello = "        println!";
    let slow = format!(
        "        std::fs::write({started:?}, \"\").unwrap();\n        std::thread::sleep(std::time::Duration::from_secs(3));\n{hello}"
    );
    let bench = bench.expect("a file").replacen(hello, &slow, 1);
    shop.write("one/benches/speed.rs", &bench);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["generate-lockfile", "--offline", "--quiet"]);
    let made = cargo.current_dir(shop.repository().join("one")).status();
    assert!(made.expect("cargo starts").success());
    let lock = shop.repository().join("one/Cargo.lock");
    // Cargo writes it without this line.
    let own = format!(
        "# of the user\n{}",
        fs::read_to_string(&lock).expect("a file")
    );
    fs::write(&lock, &own).expect("a file");
    let mut command = shop.command("one", &["save", "tree", "--offline", "--profile", "dev"]);
    let mut child = command.spawn().expect("the program starts");
    while !started.exists() {
        assert!(child.try_wait().expect("it is ours").is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_ne!(fs::read_to_string(&lock).expect("a file"), own);
    let mut kill = Command::new("kill");
    let sent = kill.args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success());
    assert_eq!(child.wait().expect("it is ours").code(), Some(130));
    assert_eq!(fs::read_to_string(&lock).expect("a file"), own);
}
