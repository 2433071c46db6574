//! How often the compiler starts: a pair that was compared is not compiled again, and what decides a build compiles it.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::shop::{Prepared, Shop};
use super::twins::twins;
use crate::program::Ran;

/// Two revisions of a workspace whose compiler is counted.
struct Counted {
    shop: Shop,
}

impl Counted {
    fn new(test: &str) -> Counted {
        let shop = twins(test, ["a"]);
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *--crate-name*) echo >> {:?} ;; esac\nexec \"$@\"\n",
            shop.folder.join("started")
        );
        let wrapper = shop.folder.join("wrapper");
        fs::write(&wrapper, script).expect("a file");
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("changed");
        Counted { shop }
    }

    /// Makes the revisions `one` and `two` of what is there.
    fn commit(&self) {
        self.shop.commit("one");
        self.shop.write("notes.txt", "second\n");
        self.shop.commit("two");
    }

    /// Compares both: how often the compiler was started for a crate, and what the case says.
    fn compared(&self, variables: &[(&str, &str)]) -> (usize, String) {
        let started = self.shop.folder.join("started");
        fs::write(&started, "").expect("a file");
        let flags =
            "compare --build-only --offline --profile dev --layouts 1 --format jsonl one two";
        let words: Vec<&str> = flags.split(' ').collect();
        let mut command = self.shop.command("a", &words);
        command.env("RUSTC_WRAPPER", self.shop.folder.join("wrapper"));
        command.envs(variables.iter().copied());
        let ran: Ran = command.output().expect("it starts").into();
        let prepared = Prepared::of(&ran);
        let cases = prepared.cases(0).into_iter();
        let who: Vec<&str> = cases.filter(|case| *case != "both").collect();
        let lines = fs::read_to_string(started).expect("a file");
        (lines.lines().count(), who.join(" "))
    }

    /// Compares both: what the case says, with a compiler.
    fn compiled(&self, variables: &[(&str, &str)], who: &str) {
        let (count, found) = self.compared(variables);
        assert!(count > 0 && found == who, "{count} {found}");
    }

    /// The same without any.
    fn kept(&self, variables: &[(&str, &str)], who: &str) {
        assert_eq!(self.compared(variables), (0, who.to_owned()));
    }

    fn clone(&self) -> PathBuf {
        let entries = fs::read_dir(self.shop.cache().join("repositories")).expect("a folder");
        let mut clones = entries.map(|entry| entry.expect("an entry").path().join("clone"));
        clones.find(|clone| clone.is_dir()).expect("a clone")
    }
}

fn package(name: &str) -> String {
    format!("[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n")
}

/// A build script whose package says `who`, with what it prints besides.
fn script(who: &str, printed: &str) -> String {
    format!(
        "fn main() {{ println!(\"{printed}\"); println!(\"cargo::rustc-env=WHO={{}}\", {who}); }}\n"
    )
}

fn set_old(file: &Path) {
    let opened = File::options().append(true).open(file);
    opened
        .and_then(|file| file.set_modified(UNIX_EPOCH))
        .expect("a date");
}

#[test]
fn a_pair_is_compiled_once_for_what_its_build_script_reads() {
    let counted = Counted::new("compilations-within");
    let shop = &counted.shop;
    let who = "std::env::var(\"SHOP_WHO\").unwrap_or(\"ada\".to_owned())";
    shop.write(
        "a/build.rs",
        &script(who, "cargo::rerun-if-env-changed=SHOP_WHO"),
    );
    shop.write("a/src/lib.rs", "pub const WHO: &str = env!(\"WHO\");\n");
    counted.commit();
    counted.compiled(&[], "ada");
    counted.kept(&[], "ada");
    let bob = [("SHOP_WHO", "bob")];
    counted.compiled(&bob, "bob");
    counted.kept(&bob, "bob");
    counted.kept(&[], "ada");
    let flags = [("RUSTFLAGS", "--cfg=other")];
    counted.compiled(&flags, "ada");
    counted.kept(&flags, "ada");
    // By hand, or by code that was built: what is kept is that of the commit, and so is what is built next.
    let source = counted.clone().join("a/src/lib.rs");
    fs::write(&source, "pub const WHO: &str = \"edited\";\n").expect("a file");
    set_old(&source);
    counted.kept(&[], "ada");
    fs::write(&source, "pub const WHO: &str = \"edited\";\n").expect("a file");
    set_old(&source);
    counted.compiled(&[("SHOP_WHO", "eve")], "eve");
    // A commit of a file that is older than all builds.
    shop.write("a/src/lib.rs", "pub const WHO: &str = \"old\";\n");
    set_old(&shop.repository().join("a/src/lib.rs"));
    shop.git(&["commit", "--quiet", "--all", "-m", "old"]);
    for tag in ["one", "two"] {
        shop.git(&["tag", "--force", tag]);
    }
    counted.compiled(&[], "old");
    counted.kept(&[], "old");
}

#[test]
fn a_pair_with_a_package_elsewhere_is_compiled_once_for_what_that_has() {
    let counted = Counted::new("compilations-elsewhere");
    let shop = &counted.shop;
    let write = |file: &str, text: &str| {
        let path = shop.folder.join("elsewhere").join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"other\"]\nresolver = \"3\"\n",
    );
    write("other/Cargo.toml", &package("other"));
    write("other/src/lib.rs", "pub const WHO: &str = \"ada\";\n");
    let manifest = shop.repository().join("a/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let other = shop.folder.join("elsewhere/other");
    let dependency = format!("[dependencies]\nother = {{ path = {other:?} }}\n");
    shop.write("a/Cargo.toml", &(manifest + &dependency));
    // Its build script is run again wherever another revision was built.
    shop.write("a/build.rs", "fn main() {}\n");
    shop.write("a/src/lib.rs", "pub use other::WHO;\n");
    counted.commit();
    counted.compiled(&[], "ada");
    counted.kept(&[], "ada");
    write("other/src/lib.rs", "pub const WHO: &str = \"bob\";\n");
    counted.compiled(&[], "bob");
    counted.kept(&[], "bob");
    // A file that nothing names, and all that a build script without a word may read.
    write("other/build.rs", &script("\"carl\"", "none"));
    write("other/src/lib.rs", "pub const WHO: &str = env!(\"WHO\");\n");
    counted.compiled(&[], "carl");
    counted.kept(&[], "carl");
    write("other/texts/new", "1");
    counted.compiled(&[], "carl");
    counted.kept(&[], "carl");
    // Cargo goes by dates, as it does in the working tree; what is kept is not used.
    write("other/src/lib.rs", "pub const WHO: &str = \"dora\";\n");
    set_old(&other.join("src/lib.rs"));
    assert!(counted.compared(&[]).0 > 0);
    write("other/src/lib.rs", "pub const WHO: &str = env!(\"WHO\");\n");
    // What its manifest inherits.
    let workspace = "[workspace]\nmembers = [\"other\"]\nresolver = \"3\"\n[workspace.package]\nedition = \"2021\"\n";
    write("Cargo.toml", workspace);
    counted.compiled(&[], "carl");
    counted.kept(&[], "carl");
}

#[test]
fn what_a_checkout_or_a_clone_changes_in_a_submodule_is_in_no_build() {
    let counted = Counted::new("compilations-submodule");
    let shop = &counted.shop;
    let part = shop.folder.join("part");
    fs::create_dir_all(part.join("src")).expect("a folder");
    fs::write(part.join("Cargo.toml"), package("part")).expect("a file");
    let source = "pub const WHO: &str = \"ada\";\n";
    fs::write(part.join("src/lib.rs"), source).expect("a file");
    for words in [
        &["init", "--quiet", "-b", "main"][..],
        &["add", "."],
        &["commit", "--quiet", "-m", "part"],
    ] {
        shop.git(&[&["-C", "../part"], words].concat());
    }
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
    ];
    let path = part.to_str().expect("a path");
    shop.git(&[&add[..], &[path, "a/part"]].concat());
    let manifest = shop.repository().join("a/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let dependency = "[dependencies]\npart = { path = \"part\" }\n";
    shop.write("a/Cargo.toml", &(manifest + dependency));
    shop.write("a/src/lib.rs", "pub use part::WHO;\n");
    counted.commit();
    counted.compiled(&[], "ada");
    for place in [shop.repository(), counted.clone()] {
        let file = place.join("a/part/src/lib.rs");
        fs::write(&file, source.replace("ada", "bob")).expect("a file");
        set_old(&file);
        counted.kept(&[], "ada");
    }
    let file = counted.clone().join("a/part/src/lib.rs");
    fs::write(&file, source.replace("ada", "bob")).expect("a file");
    counted.compiled(&[("RUSTFLAGS", "--cfg=other")], "ada");
}
