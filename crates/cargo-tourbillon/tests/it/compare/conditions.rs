//! What a commit contains is part of the change; what no commit contains is the same on both sides. A row of
//! docs/decisions/0034-conditions.md each.

use std::fs;

use tourbillon_record::{Entry, Fact, FactValue, Header};

use super::shop::{Prepared, Shop};
use super::twins::twins;
use crate::folder::Folder;
use crate::program::Ran;

/// Tells the level of optimisation, a variable, or what is in the file that it names, the flags of the compiler, and
/// whether a target is named.
const SCRIPT: &str = r#"
fn main() {
    let level = std::env::var("OPT_LEVEL").expect("cargo sets it");
    let value = std::env::var("SHOP_DATA").unwrap_or_default();
    let value = std::fs::read_to_string(&value).unwrap_or(value);
    println!("cargo::rustc-env=LEVEL={level}");
    println!("cargo::rerun-if-env-changed=SHOP_DATA");
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags = flags.replace('\u{1f}', " ");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let triple = std::env::var("TARGET").expect("cargo sets it");
    let target = if out.contains(&triple) { "+target" } else { "" };
    println!("cargo::rustc-env=WHO={level}{value}{flags}{target}");
}
"#;

/// A repository, and a cache that is not below the same folder.
pub(super) struct Place {
    pub(super) shop: Shop,
    cache: Folder,
}

impl Place {
    pub(super) fn new(test: &str) -> Place {
        let shop = twins(&format!("conditions-{test}"), ["a"]);
        shop.write("a/build.rs", SCRIPT);
        shop.write("a/src/lib.rs", "pub const WHO: &str = env!(\"WHO\");\n");
        let bench = shop.repository().join("a/benches/speed.rs");
        let bench = fs::read_to_string(bench).expect("a bench");
        let header = Header {
            tourbillon: "0".to_owned(),
            facts: vec![Fact {
                name: "opt_level".to_owned(),
                value: FactValue::Text("LEVEL".to_owned()),
            }],
            ..Header::default()
        };
        let header = Entry::Header(&header).encode();
        let start = "fn main() {\n";
        let shows = format!(
            "{start}    if std::env::args().any(|word| word == \"--show-config\") {{\n        \
             return println!(\"{{}}\", {header:?}.replace(\"LEVEL\", env!(\"LEVEL\")));\n    }}\n"
        );
        shop.write("a/benches/speed.rs", &bench.replace(start, &shows));
        fs::create_dir_all(shop.repository().join("a/.cargo")).expect("a folder");
        shop.commit("plain");
        Place {
            shop,
            cache: Folder::new(&format!("conditions-{test}-cache")),
        }
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        let path = self.shop.repository().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn ran(&self, revision: &str, variables: &[(&str, &str)]) -> Ran {
        self.run_in("repository", &format!("{FLAGS} {revision}"), variables)
    }

    /// Runs the program in the package of a checkout beside the repository.
    fn run_in(&self, checkout: &str, line: &str, variables: &[(&str, &str)]) -> Ran {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = self.shop.command("a", &words);
        command
            .current_dir(self.shop.folder.join(checkout).join("a"))
            .env("TOURBILLON_CACHE", self.cache.join("deep"))
            .env_remove("SHOP_DATA")
            .envs(variables.iter().copied());
        command.output().expect("the program starts").into()
    }

    /// What the revision and the working tree were built with.
    pub(super) fn sides(&self, revision: &str, variables: &[(&str, &str)]) -> [String; 2] {
        self.sides_in("repository", revision, variables)
    }

    fn sides_in(&self, checkout: &str, revision: &str, variables: &[(&str, &str)]) -> [String; 2] {
        let words = format!("{FLAGS} {revision}");
        let prepared = Prepared::of(&self.run_in(checkout, &words, variables));
        let compared = &prepared.comparisons[0];
        assert!(compared["built_otherwise"].is_null(), "{prepared:?}");
        ["only_reference", "only_candidate"].map(|side| {
            let mut all = prepared.only(0, side);
            all.extend(prepared.cases(0));
            all.retain(|case| *case != "both");
            all.concat()
        })
    }
}

pub(super) const FLAGS: &str =
    "compare --build-only --offline --profile dev --layouts 1 --format jsonl";
pub(super) const LEVEL: &str = "[profile.dev]\nopt-level = ";
const DATA: &str = "[env]\nSHOP_DATA = { value = \"data\", relative = true }\n";

#[test]
fn untracked_configuration_is_that_of_both_sides() {
    let place = Place::new("untracked");
    assert_eq!(place.sides("plain", &[]), ["0", "0"]);
    place.write("a/.cargo/config.toml", &format!("{LEVEL}1"));
    assert_eq!(place.sides("plain", &[]), ["1", "1"]);
    // As part of the key of kept builds.
    place.write("a/.cargo/config.toml", &format!("{LEVEL}2"));
    assert_eq!(place.sides("plain", &[]), ["2", "2"]);
    // Nearer files decide.
    place.write(
        ".cargo/config.toml",
        &format!("{LEVEL}3\n[env]\nSHOP_DATA = \"-root\""),
    );
    assert_eq!(place.sides("plain", &[]), ["2-root", "2-root"]);
    // Variables decide over files.
    let variables = [("CARGO_PROFILE_DEV_OPT_LEVEL", "1")];
    assert_eq!(place.sides("plain", &variables), ["1-root", "1-root"]);
    // Of two names, cargo takes this one.
    place.write("a/.cargo/config", &format!("{LEVEL}0"));
    assert_eq!(place.sides("plain", &[]), ["0-root", "0-root"]);
}

#[test]
fn tracked_configuration_is_that_of_its_side() {
    let place = Place::new("tracked");
    place.write("a/.cargo/config.toml", &format!("{LEVEL}1"));
    place.shop.commit("one");
    place.write("a/.cargo/config.toml", &format!("{LEVEL}2"));
    assert_eq!(
        place.sides("one", &[]),
        ["1", "2"],
        "changed and not committed"
    );
    place
        .shop
        .git(&["rm", "--quiet", "--cached", "a/.cargo/config.toml"]);
    place.shop.git(&["commit", "--quiet", "-m", "without"]);
    assert_eq!(place.sides("HEAD", &[]), ["2", "2"], "no longer tracked");
    assert_eq!(
        place.sides("one", &[]),
        ["1", "2"],
        "the commit has one at its place"
    );
    // What it includes and no commit has is that of the working tree.
    let including = "include = [{ path = \"local.toml\", optional = true }]\n";
    place.write("a/.cargo/config.toml", including);
    place.shop.git(&["add", "--force", "a/.cargo/config.toml"]);
    place.shop.git(&["commit", "--quiet", "-m", "including"]);
    place.write("a/.cargo/local.toml", &format!("{LEVEL}3"));
    assert_eq!(place.sides("HEAD", &[]), ["3", "3"], "included");
}

#[test]
fn configuration_in_folders_above_is_that_of_both_sides() {
    let place = Place::new("above");
    let above = place.shop.folder.join(".cargo");
    fs::create_dir(&above).expect("a folder");
    let write = |text: &str| fs::write(above.join("config.toml"), text).expect("a file");
    fs::write(place.shop.folder.join("data"), "-above").expect("a file");
    write(&format!("{LEVEL}1\n{DATA}"));
    assert_eq!(place.sides("plain", &[]), ["1-above", "1-above"]);
    place.write("a/.cargo/config.toml", &format!("{LEVEL}2"));
    assert_eq!(place.sides("plain", &[]), ["2-above", "2-above"]);
    fs::remove_dir_all(&above).expect("removed");
    assert_eq!(place.sides("plain", &[]), ["2", "2"]);
    // What is above the clones alone is refused.
    let beside = place.cache.join(".cargo");
    fs::create_dir(&beside).expect("a folder");
    fs::write(beside.join("config.toml"), "").expect("a file");
    let refused = place.ran("plain", &[]);
    assert_eq!(refused.code, Some(5), "{refused:?}");
    assert!(refused.stderr.contains("TOURBILLON_CACHE"), "{refused:?}");
}

#[test]
fn relative_paths_lead_to_files_of_the_commit_or_else_of_the_working_tree() {
    let place = Place::new("relative");
    place.write(".gitignore", "Cargo.lock\n.cargo\n");
    place.write("a/data", "-one");
    place.shop.commit("one");
    place.write("a/data", "-changed");
    place.write("a/.cargo/config.toml", DATA);
    assert_eq!(place.sides("one", &[]), ["0-one", "0-changed"]);
    place.shop.git(&["rm", "--quiet", "--cached", "a/data"]);
    place.shop.git(&["commit", "--quiet", "-m", "without"]);
    assert_eq!(place.sides("HEAD", &[]), ["0-changed", "0-changed"]);
    // A head decides nothing about its base: with a file, a link or a repository of its own.
    place.shop.git(&["add", "--force", "a/data"]);
    place.shop.git(&["commit", "--quiet", "-m", "with"]);
    let [base, head] = place.sides("HEAD~1", &[]);
    assert_eq!(head, "0-changed");
    assert!(!base.contains("changed"), "{base}");
}

#[cfg(unix)]
#[test]
fn links_of_a_head_configure_no_base() {
    let place = Place::new("links");
    fs::remove_dir(place.shop.repository().join("a/.cargo")).expect("removed");
    place.write("a/own/config.toml", &format!("{LEVEL}3"));
    std::os::unix::fs::symlink("own", place.shop.repository().join("a/.cargo")).expect("a link");
    place.shop.commit("head");
    assert_eq!(place.sides("plain", &[]), ["0", "3"]);
    place
        .shop
        .git(&["rm", "--quiet", "--cached", "a/own/config.toml"]);
    place
        .shop
        .git(&["commit", "--quiet", "-m", "the link alone"]);
    assert_eq!(place.sides("plain", &[]), ["0", "3"]);
}

#[test]
fn what_was_built_otherwise_is_named() {
    let place = Place::new("otherwise");
    let fact = |revision: &str, variables: &[(&str, &str)]| {
        let prepared = Prepared::of(&place.ran(revision, variables));
        let compared = &prepared.comparisons[0];
        (
            compared["changed_files"].to_string(),
            compared["built_otherwise"].as_str().map(str::to_owned),
        )
    };
    let variables = [("CARGO_PROFILE_DEV_OPT_LEVEL", "1")];
    assert_eq!(
        fact("plain", &variables),
        ("[]".to_owned(), None),
        "both sides"
    );
    // What a commit changes is no accident.
    place.write("a/.cargo/config.toml", &format!("{LEVEL}2"));
    place.shop.commit("two");
    let changed = ("[\"a/.cargo/config.toml\"]".to_owned(), None);
    assert_eq!(fact("plain", &[]), changed);
    // A build of an earlier day, with a variable that is not set today.
    let saved = place.run_in(
        "repository",
        "save --offline --profile dev before",
        &variables,
    );
    assert_eq!(saved.code, Some(0), "{saved:?}");
    let (files, otherwise) = fact("before", &[]);
    let otherwise = otherwise.expect("what differs");
    assert_eq!(files, "[]");
    assert!(
        otherwise.starts_with("built otherwise: opt_level 1, now 2,"),
        "{otherwise}"
    );
}

/// Equal code under many arrangements of configuration and variables.
#[test]
fn equal_code_is_built_alike() {
    let place = Place::new("alike");
    place.write("a/shared", "-changed");
    let host = "x86_64-unknown-linux-gnu";
    for (configuration, variables, expected) in [
        ("", &[][..], "0"),
        ("", &[("RUSTFLAGS", "--cfg=v")], "0--cfg=v"),
        ("", &[("CARGO_PROFILE_DEV_OPT_LEVEL", "1")], "1"),
        ("[build]\nrustflags = ['--cfg=b']", &[], "0--cfg=b"),
        (
            "[build]\nrustflags = ['--cfg=b']",
            &[("RUSTFLAGS", "--cfg=v")],
            "0--cfg=v",
        ),
        (
            "[target.'cfg(all())']\nrustflags = ['--cfg=t']",
            &[],
            "0--cfg=t",
        ),
        ("[env]\nSHOP_DATA = '-env'", &[], "0-env"),
        (
            "[env]\nSHOP_DATA = '-env'",
            &[("SHOP_DATA", "-variable")],
            "0-variable",
        ),
        ("[build]\nbuild-dir = 'built'", &[], "0"),
        ("[build]\ntarget-dir = 'elsewhere'", &[], "0"),
        ("", &[("CARGO_TARGET_DIR", "relative")], "0"),
        (host, &[], "0+target"),
    ] {
        if configuration == host && !(cfg!(all(target_os = "linux", target_arch = "x86_64"))) {
            continue;
        }
        let text = match configuration {
            name if name == host => format!("[build]\ntarget = '{host}'"),
            text => text.to_owned(),
        };
        place.write("a/.cargo/config.toml", &text);
        let sides = place.sides("plain", variables);
        assert_eq!(sides, [expected, expected], "{text} {variables:?}");
    }
}

/// In checkouts of other kinds, each with an untracked file of its own.
#[test]
fn equal_code_is_built_alike_in_every_checkout() {
    let place = Place::new("checkouts");
    let repository = place.shop.repository();
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        place.shop.git(&["config", setting, "true"]);
    }
    place.write(
        "a/src/lib.rs",
        "pub const WHO: &str = env!(\"WHO\"); // changed\n",
    );
    place.shop.commit("last");
    let url = format!("file://{}", repository.display());
    for (name, words, revision) in [
        (
            "linked",
            &["worktree", "add", "--quiet", "../linked"][..],
            "plain",
        ),
        (
            "partial",
            &["clone", "--quiet", "--filter=blob:none", &url, "../partial"],
            "HEAD~1",
        ),
        (
            "treeless",
            &["clone", "--quiet", "--filter=tree:0", &url, "../treeless"],
            "HEAD~1",
        ),
        (
            "shallow",
            &["clone", "--quiet", "--depth=1", &url, "../shallow"],
            "HEAD",
        ),
        (
            "sparse",
            &["clone", "--quiet", "--sparse", &url, "../sparse"],
            "HEAD~1",
        ),
    ] {
        place.shop.git(words);
        if name == "sparse" {
            place
                .shop
                .git(&["-C", "../sparse", "sparse-checkout", "set", "a"]);
        }
        let own = format!("../{name}/a/.cargo/config.toml");
        place.write(&own, &format!("{LEVEL}1"));
        assert_eq!(place.sides_in(name, revision, &[]), ["1", "1"], "{name}");
    }
}

/// With two toolchains of rustup.
#[test]
fn a_tracked_toolchain_is_that_of_its_side() {
    let listed = std::process::Command::new("rustup")
        .args(["toolchain", "list"])
        .output();
    let text = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned());
    if !text.is_ok_and(|text| text.contains("nightly")) {
        return;
    }
    let place = Place::new("toolchain");
    let choose = |name: &str| {
        place.write(
            "rust-toolchain.toml",
            &format!("[toolchain]\nchannel = \"{name}\"\n"),
        );
    };
    let toolchains = |revision: &str, source: Option<&str>| {
        let flags = "compare --build-only --offline --profile dev --layouts 1 --format jsonl";
        let words: Vec<&str> = flags.split(' ').chain([revision]).collect();
        let mut command = place.shop.command("a", &words);
        // As rustup starts it.
        command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        match source {
            None => command.env_remove("RUSTUP_TOOLCHAIN_SOURCE"),
            Some(source) => command
                .env("RUSTUP_TOOLCHAIN", "nightly")
                .env("RUSTUP_TOOLCHAIN_SOURCE", source),
        };
        let prepared = Prepared::of(&command.output().expect("it starts").into());
        [0, 1].map(|side| {
            prepared.builds[side]["toolchain"]
                .to_string()
                .contains("nightly")
        })
    };
    choose("stable");
    place.shop.commit("stable");
    choose("nightly");
    assert_eq!(toolchains("stable", None), [false, true], "tracked");
    assert_eq!(toolchains("plain", None), [false, true], "no file and one");
    assert_eq!(toolchains("stable", Some("toolchain-file")), [false, true]);
    assert_eq!(toolchains("stable", Some("cli")), [true, true], "asked for");
    fs::remove_file(place.shop.repository().join("rust-toolchain.toml")).expect("removed");
    fs::write(
        place.shop.folder.join("rust-toolchain.toml"),
        "[toolchain]\nchannel = \"nightly\"\n",
    )
    .expect("a file");
    assert_eq!(toolchains("plain", None), [true, true], "in a folder above");
}
