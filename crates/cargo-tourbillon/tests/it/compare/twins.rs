//! Packages that cargo does not distinguish: of one name and relative path in two workspaces.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tourbillon_coordinator::runner::PROTOCOL;
use tourbillon_record::{Frame, Hello, WORKER_ARGUMENT};

use super::shop::{Prepared, Shop};
use crate::facade_build::PROFILE;
use crate::folder::Folder;
use crate::program::Ran;
use crate::records::listed;

/// A repository of workspaces that differ in the name of a case only. All are older than their
/// builds.
pub(crate) fn twins<const N: usize>(test: &str, workspaces: [&str; N]) -> Shop {
    let shop = Shop {
        folder: Folder::new(test),
    };
    fs::create_dir_all(shop.repository()).expect("a folder");
    shop.git(&["init", "--quiet", "-b", "main"]);
    shop.write(".gitignore", "Cargo.lock\n");
    let hello = Frame::Hello(Hello {
        protocol: PROTOCOL,
        engine: "one".to_owned(),
    })
    .encode();
    let [both, own] = ["both", "WHO"].map(listed);
    let bench = format!(
        "fn main() {{\n    if std::env::args().any(|word| word == std::hint::black_box({WORKER_ARGUMENT:?})) {{\n        \
         println!(\"{{}}\", {hello:?});\n    }} else {{\n        print!(\"{{}}{{}}\", {both:?}, \
         {own:?}.replace(\"WHO\", shop::WHO));\n    }}\n}}\n"
    );
    for workspace in workspaces {
        for folder in ["benches", "src"] {
            let folder = shop.repository().join(workspace).join(folder);
            fs::create_dir_all(folder).expect("a folder");
        }
        let write = |file: &str, text: &str| shop.write(&format!("{workspace}/{file}"), text);
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"shop\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
                 [[bench]]\nname = \"speed\"\nharness = false\n{PROFILE}"
            ),
        );
        let who = Path::new(workspace).file_name().expect("a name");
        write("src/lib.rs", &format!("pub const WHO: &str = {who:?};\n"));
        write("benches/speed.rs", &bench);
    }
    shop.commit("v1");
    shop
}

/// Asserts that both builds are of the workspace.
fn are_of(prepared: &Prepared, who: &str) {
    let mut expected = ["both", who];
    expected.sort_unstable();
    assert_eq!(prepared.cases(0), expected, "{prepared:?}");
    for side in ["only_reference", "only_candidate"] {
        assert!(prepared.only(0, side).is_empty(), "{prepared:?}");
    }
}

#[test]
fn two_workspaces_of_a_repository_are_distinguished() {
    let shop = twins("compare-twins", ["one", "other"]);
    for who in ["one", "other"] {
        // The clone, and the working tree in a target directory that both share.
        let prepared = shop.prepared_in(who, &["v1"], &[]);
        are_of(&prepared, who);
        let why = "building working tree, this once with all dependencies, as after `cargo clean`: other workspaces may be built in ";
        assert!(prepared.stderr.contains(why), "{prepared:?}");
        shop.write(&format!("{who}/src/more.rs"), "");
        let again = shop.prepared_in(who, &["v1"], &[]);
        assert!(
            again.stderr.contains("building working tree\n"),
            "{again:?}"
        );
    }
    for who in ["one", "other"] {
        let with = ["--with", "env=SHELF=top"];
        are_of(&shop.prepared_in(who, &with, &[]), who);
    }
}

#[test]
fn two_worktrees_of_a_repository_are_distinguished() {
    let shop = twins("compare-worktrees", ["a", "b"]);
    shop.git(&["worktree", "add", "--quiet", "worktree"]);
    shop.write("worktree/a/src/lib.rs", "pub const WHO: &str = \"c\";\n");
    for (within, who) in [("a", "a"), ("worktree/a", "c")] {
        let with = ["--with", "env=SHELF=top"];
        are_of(&shop.prepared_in(within, &with, &[]), who);
    }
}

#[test]
fn a_working_tree_is_built_where_cargo_bench_builds_it() {
    let shop = twins("compare-tree", ["a", "b"]);
    let flags = "compare --build-only --offline --profile dev --layouts 1 v1";
    let words: Vec<&str> = flags.split(' ').collect();
    let mut command = shop.command("a", &words);
    let output = command.env_remove("CARGO_TARGET_DIR").output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(shop.repository().join("a/target/debug/deps").is_dir());
    assert!(ran.stderr.contains("building working tree\n"), "{ran:?}");
    let of_clone = "), this once with all dependencies, as after `cargo clean`: its clone has a target directory of its own\n";
    assert!(ran.stderr.contains(of_clone), "{ran:?}");
    let place = fs::read_dir(shop.cache().join("repositories"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.is_dir());
    assert!(!place.expect("a place").join("tree").exists());
}

/// Three packages of one workspace have benchmarks: one with the feature, one that depends on it, and one without.
#[test]
fn a_feature_of_one_package_is_one_of_it_alone() {
    let shop = twins("compare-features", ["a", "b", "c"]);
    let manifest = shop.repository().join("a/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let member = |name: &str| {
        let member = manifest.replace("[workspace]\n", "").replace(PROFILE, "");
        member.replace("\"shop\"", &format!("{name:?}"))
    };
    shop.write(
        "Cargo.toml",
        &format!("[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"b\", \"c\"]\n{PROFILE}"),
    );
    shop.write("a/Cargo.toml", &(member("shop") + "[features]\nx = []\n"));
    shop.write(
        "a/src/lib.rs",
        "#[cfg(feature = \"x\")]\npub const WHO: &str = \"x\";\n",
    );
    for (name, more) in [
        ("b", ""),
        ("c", "[dependencies]\nshop = { path = \"../a\" }\n"),
    ] {
        shop.write(&format!("{name}/Cargo.toml"), &(member(name) + more));
        let of_shop = shop.repository().join("a/benches/speed.rs");
        let own = if name == "b" {
            "b::WHO"
        } else {
            "&[\"c-\", shop::WHO].concat()"
        };
        let bench = fs::read_to_string(of_shop)
            .expect("a bench")
            .replace("shop::WHO", own)
            .replace("both", &format!("both-{name}"));
        shop.write(&format!("{name}/benches/speed.rs"), &bench);
    }
    shop.commit("v2");
    let both = ["v2", "--workspace", "--features", "shop/x"];
    let prepared = shop.prepared_in("", &both, &[]);
    assert_eq!(
        prepared.cases(0),
        ["b", "both", "both-b", "both-c", "c-x", "x"],
        "{prepared:?}"
    );
}

/// The folders of packages outside of the workspace that stored builds name, each of a build.
fn outside(shop: &Shop) -> BTreeSet<Vec<PathBuf>> {
    let builds = fs::read_dir(shop.cache().join("builds"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().join("build.json"));
    let read = builds.filter_map(|file| fs::read(file).ok());
    read.map(|json| {
        let mut build: Value = serde_json::from_slice(&json).expect("a build");
        serde_json::from_value(build["outside"].take()).expect("folders")
    })
    .collect()
}

#[test]
fn packages_outside_the_workspace_of_their_benches_are_known() {
    let shop = twins("compare-outside", ["a", "b"]);
    let manifest = shop.repository().join("a/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    shop.write("b/Cargo.toml", &manifest.replace("\"shop\"", "\"other\""));
    let dependency = "[dependencies]\nother = { path = \"../b\" }\n";
    shop.write("a/Cargo.toml", &(manifest + dependency));
    shop.commit("v2");
    shop.prepared_in("a", &["v1", "v2"], &[]);
    let of_revisions = outside(&shop);
    shop.prepared_in("a", &["v2"], &[]);
    let with_tree = outside(&shop);
    let mut folders = of_revisions.iter().flatten();
    let clone = folders.next().expect("a package of v2").clone();
    let tree = shop.repository().join("b");
    assert!(clone.ends_with("b") && clone != tree, "{clone:?}");
    let [of_v1, of_v2, of_tree] = [vec![], vec![clone], vec![tree]];
    assert_eq!(of_revisions, [of_v1.clone(), of_v2.clone()].into());
    assert_eq!(with_tree, [of_v1, of_v2, of_tree].into());
}
