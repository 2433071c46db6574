//! Programs that are the same on both sides are not measured, and others are.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::shop::{Shop, text};
use crate::facade_build::{cached, lend, target_of};
use crate::program::{Ran, command};

/// One case reads a file, and both a table that is part of the program.
const BENCH: &str = "const TABLE: &[u8] = include_bytes!(\"../data/table\");\n\
    fn first() -> u64 { u64::from(TABLE[tourbillon::hide(0)]) }\n\
    #[tourbillon::bench]\nfn sum() -> u64 { core_of_shop::sum(first()) }\n\
    #[tourbillon::bench]\nfn file() -> u64 { std::fs::read(\"data/input\").map_or(0, |read| read[0].into()) }\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

const CORE: &str = "pub fn sum(n: u64) -> u64 { (0..n).sum() }\n";

/// In sequence, because slow builds are shared.
#[test]
fn equal_programs_are_not_measured() {
    let shop = Shop::new("equal-programs");
    shop.lend_facade();
    fs::create_dir_all(shop.repository().join("shop/data")).expect("a folder");
    shop.write("shop/data/table", "12");
    shop.write("shop/data/input", "12");
    shop.write("core/src/lib.rs", CORE);
    shop.write("shop/benches/speed.rs", BENCH);
    shop.commit("start");
    shop.write("README.md", "new");
    shop.commit("docs");
    documentation_changes_nothing(&shop);
    a_gate_and_shards_know_unchanged_cases(&shop);
    a_gate_checks_what_is_unchanged(&shop);
    for (file, text, is_measured) in [
        // A comment below all code.
        ("core/src/lib.rs", format!("{CORE}// The end.\n"), false),
        ("shop/data/input", "21".to_owned(), true),
        ("shop/data/table", "21".to_owned(), true),
        // Lines are part of the program.
        (
            "shop/benches/speed.rs",
            format!("// A comment.\n{BENCH}"),
            true,
        ),
    ] {
        shop.write(file, &text);
        shop.commit("next");
        let verdicts = verdicts(&compare(&shop, &["next~", "next", "--format", "jsonl"]));
        let expected = |verdict: &&Value| (text_of(verdict) == "unchanged") != is_measured;
        assert_eq!(
            verdicts.iter().filter(expected).count(),
            2,
            "{file}: {verdicts:?}"
        );
        if file == "shop/data/input" {
            let explained = explained(&shop);
            let why = "shop/speed has the same machine code in both builds and is measured: shop/data/input differs \
                       and may be read";
            assert!(explained.contains(why), "{explained}");
        }
        shop.git(&["tag", "--delete", "next"]);
    }
    the_working_tree_is_compared_like_a_revision(&shop);
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        only_cases_that_reach_a_change_are_measured(&shop);
        libraries_of_build_scripts_are_those_of_their_build(&shop);
        programs_read_what_was_built_with_them(&shop);
        features_that_other_packages_select_count(&shop);
    }
}

fn text_of(verdict: &Value) -> &str {
    text(&verdict["verdict"])
}

fn verdicts(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = ran.stdout.lines();
    let values = lines.map(|line| serde_json::from_str::<Value>(line).expect(line));
    values.filter(|line| line["type"] == "verdict").collect()
}

fn store(shop: &Shop) -> PathBuf {
    shop.folder.join("store")
}

fn compare(shop: &Shop, arguments: &[&str]) -> Ran {
    compare_in(shop, "1", arguments)
}

/// With so many placements.
fn compare_in(shop: &Shop, layouts: &str, arguments: &[&str]) -> Ran {
    let store = store(shop);
    let common = [
        "--offline",
        "--profile",
        "dev",
        "--time",
        "1ms",
        "--layouts",
        layouts,
    ];
    let of_store = [
        "--bench",
        "speed",
        "--store",
        store.to_str().expect("a path"),
    ];
    let words = [&["compare"], &common[..], &of_store, arguments].concat();
    let output = shop.command("", &words).output();
    output.expect("the program starts").into()
}

/// What `explain` has about the newest comparison of a case, on one line.
fn explained(shop: &Shop) -> String {
    explained_of(shop, "file")
}

fn explained_of(shop: &Shop, case: &str) -> String {
    let mut explain = shop.command("", &["explain", case, "--store"]);
    let output = explain.arg(store(shop)).output().expect("it starts");
    let words = Ran::from(output).stdout;
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn documentation_changes_nothing(shop: &Shop) {
    let ran = compare(shop, &["start", "docs"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in ["= sum", "= file"] {
        let found = ran
            .stdout
            .lines()
            .find(|row| row.starts_with(line))
            .expect(line);
        assert!(found.contains(" unchanged "), "{found}");
        assert!(found.trim_end().ends_with(" same machine code"), "{found}");
    }
    assert!(ran.stdout.contains("2 unchanged \u{b7}"), "{ran:?}");
    let ran = compare(shop, &["start", "docs", "--format", "jsonl"]);
    let all = verdicts(&ran);
    let launches = |verdict: &Value| verdict["launches"].as_u64();
    assert!(
        all.iter()
            .all(|one| text_of(one) == "unchanged" && launches(one) == Some(0)),
        "{all:?}"
    );
    assert!(
        explained(shop).contains("file against start"),
        "{}",
        explained(shop)
    );
    for flags in [&["--measure-unchanged"][..], &["--documentation", "*.txt"]] {
        let words = [&["start", "docs", "--format", "jsonl"], flags].concat();
        let all = verdicts(&compare(shop, &words));
        assert!(all.iter().all(|one| text_of(one) != "unchanged"), "{all:?}");
    }
}

/// Shards of a suite, and the gate of each and of all.
fn a_gate_and_shards_know_unchanged_cases(shop: &Shop) {
    let _ = fs::remove_dir_all(store(shop));
    for part in ["slice:1/2", "slice:2/2"] {
        let ran = compare(
            shop,
            &["start", "docs", "--gate", "p99=2%", "--partition", part],
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stdout.contains("no case is slower than allowed"),
            "{ran:?}"
        );
    }
    let mut merge = command(&[
        "tourbillon",
        "merge",
        "--gate",
        "2%",
        "--undecided",
        "fail",
        "-o",
    ]);
    merge.arg(shop.folder.join("all.jsonl")).arg(store(shop));
    let ran = Ran::from(merge.output().expect("it starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("2 cases in 2 shards; 2 unchanged"),
        "{ran:?}"
    );
}

/// A program that does something else for a reason that is not looked at: what lies beside it.
fn a_gate_checks_what_is_unchanged(shop: &Shop) {
    let suite = "static CALLS: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| {\n\
        let own = std::env::current_exe().expect(\"a path\");\n\
        let mut files = own.ancestors().map(|above| above.join(\"build.json\"));\n\
        let file = files.find_map(|file| std::fs::read_to_string(file).ok());\n\
        if file.expect(\"a file\").contains(\"longer\") { 10_000 } else { 10 }\n});\n\
        #[tourbillon::bench]\nfn calls() -> u64 { (0..*CALLS).map(tourbillon::hide).sum() }\n\
        #[tourbillon::bench]\nfn one() -> u64 { tourbillon::hide(1) }\n\
        fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    shop.write("shop/benches/speed.rs", suite);
    shop.commit("shorter");
    shop.write("core/src/lib.rs", &format!("{CORE}// The end.\n"));
    shop.commit("longer");
    let words = ["shorter", "longer", "--format", "jsonl"];
    let all = verdicts(&compare(shop, &words));
    assert!(all.iter().all(|one| text_of(one) == "unchanged"), "{all:?}");
    let ran = compare(shop, &[&words[..], &["--gate", "10%"]].concat());
    assert!(!ran.stdout.contains("\"verdict\":\"unchanged\""), "{ran:?}");
    let explained = explained_of(shop, "calls");
    let why = "is measured: calls: in a check, one build took ";
    assert!(explained.contains(why), "{explained}");
    shop.write("core/src/lib.rs", CORE);
    shop.write("shop/benches/speed.rs", BENCH);
    shop.commit("before");
}

/// It lies in another folder, and files that are not tracked count, too.
fn the_working_tree_is_compared_like_a_revision(shop: &Shop) {
    let cached = cached(&shop.cache(), &shop.repository());
    lend("", &target_of(&cached, "tree", &shop.repository()));
    shop.write("README.md", "newer");
    let words = ["HEAD", "--format", "jsonl"];
    // Without a revision it is compared with that.
    let all = verdicts(&compare(shop, &words[1..]));
    assert!(all.iter().all(|one| text_of(one) == "unchanged"), "{all:?}");
    shop.write("shop/data/new", "");
    let all = verdicts(&compare(shop, &words));
    assert!(all.iter().all(|one| text_of(one) != "unchanged"), "{all:?}");
}

/// The library and a place in the suite change, and one of two cases calls the library.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn only_cases_that_reach_a_change_are_measured(shop: &Shop) {
    shop.git(&["checkout", "--quiet", "--force", "docs"]);
    shop.git(&["clean", "--quiet", "--force", "-d"]);
    // Unoptimised, an index is a call that gets its line.
    let suite = BENCH.replace("read[0].into()", "read.len() as u64");
    shop.write("shop/benches/speed.rs", &suite);
    shop.commit("reaching");
    let core = "pub fn sum(n: u64) -> u64 { (0..n).map(|one| one + 1).sum() }\n";
    shop.write("core/src/lib.rs", core);
    shop.write("shop/benches/speed.rs", &format!("// A comment.\n{suite}"));
    shop.commit("reached");
    let words = ["reaching", "reached", "--format", "jsonl"];
    let all = verdicts(&compare_in(shop, "2", &words));
    let of = |case: &str| {
        let named = |verdict: &&Value| text(&verdict["case"]).ends_with(case);
        text_of(all.iter().find(named).expect(case))
    };
    assert_eq!(of("::file"), "unchanged", "{}", explained(shop));
    assert_ne!(of("::sum"), "unchanged", "{all:?}");
    let why = explained_of(shop, "sum");
    let expected = "It is measured: it reaches core_of_shop::sum, which differs.";
    assert!(why.contains(expected), "{why}");
    let gated = [&words[..], &["--gate", "2%"]].concat();
    let all = verdicts(&compare_in(shop, "2", &gated));
    let passes =
        |verdict: &&Value| text_of(verdict) == "unchanged" && text(&verdict["gate"]) == "pass";
    assert_eq!(all.iter().filter(passes).count(), 1, "{all:?}");
    let words = [&words[..], &["--measure-unchanged"]].concat();
    let all = verdicts(&compare_in(shop, "2", &words));
    assert!(all.iter().all(|one| text_of(one) != "unchanged"), "{all:?}");
}

/// Both builds have the same target directory, where the linker finds the library of the last one.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn libraries_of_build_scripts_are_those_of_their_build(shop: &Shop) {
    let script = r#"fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let ran = |program: &str, words: &[&str]| {
        let ran = std::process::Command::new(program).args(words).current_dir(&out).status();
        assert!(ran.unwrap().success());
    };
    std::fs::write(format!("{out}/work.c"), "unsigned long long work(void) { BODY }").unwrap();
    ran("cc", &["-c", "work.c"]);
    ran("ar", &["crs", "libwork.a", "work.o"]);
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=static:-bundle=work");
}
"#;
    let suite = "use shop as _;\nunsafe extern \"C\" { safe fn work() -> u64; }\n\
        #[tourbillon::bench]\nfn foreign() -> u64 { work() }\n\
        #[tourbillon::bench]\nfn own() -> u64 { tourbillon::hide(1) }\n\
        fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    shop.write("shop/benches/speed.rs", suite);
    for (name, body) in [("brief", "return 1;"), ("long", "return 2;")] {
        shop.write("shop/build.rs", &script.replace("BODY", body));
        shop.commit(name);
    }
    let words = ["brief", "long", "--format", "jsonl"];
    let all = verdicts(&compare_in(shop, "2", &words));
    for verdict in &all {
        let is_own = text(&verdict["case"]).ends_with("::own");
        assert_eq!(text_of(verdict) == "unchanged", is_own, "{all:?}");
    }
    assert_eq!(all.len(), 2, "{all:?}");
}

/// In the target directory that they name.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn programs_read_what_was_built_with_them(shop: &Shop) {
    let script = r#"fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    // As a generator of code does for a benchmark of parsers.
    std::fs::write(format!("{out}/table.rs"), "NUMBER").unwrap();
    println!("cargo:rustc-env=SHOP_TABLE={out}/table.rs");
}
"#;
    let suite = |number: &str| {
        format!(
            "#[tourbillon::bench]\nfn table() -> usize {{\n    \
             let read = std::fs::read(env!(\"SHOP_TABLE\")).unwrap();\n    \
             assert_eq!(read, b\"{number}\");\n    read.len()\n}}\n\
             fn main() -> std::process::ExitCode {{ tourbillon::main() }}\n"
        )
    };
    for number in ["1", "2"] {
        shop.write("shop/build.rs", &script.replace("NUMBER", number));
        shop.write("shop/benches/speed.rs", &suite(number));
        shop.commit(&format!("table-{number}"));
    }
    // The second time, the builds are kept.
    for _ in 0..2 {
        let words = ["table-1", "table-2", "--format", "jsonl"];
        let all = verdicts(&compare(shop, &words));
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(
            all[0]["reference_ns"].as_f64().map(|ns| ns > 0.0),
            Some(true),
            "{all:?}"
        );
    }
    // What is kept apart from the directory would read another table.
    let file = shop.folder.join("tables.tar.gz");
    let of_cargo = ["--offline", "--profile", "dev", "--bench", "speed"];
    for words in [
        &[
            "bundle",
            file.to_str().expect("a path"),
            "table-1",
            "table-2",
        ][..],
        &["save", "tables"],
    ] {
        let output = shop.command("", &[words, &of_cargo].concat()).output();
        let ran = Ran::from(output.expect("it starts"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let why = "name their target directory";
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
}

/// Cargo selects them for all packages that it builds; the objects are those of its executables.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn features_that_other_packages_select_count(shop: &Shop) {
    let manifest = fs::read_to_string(shop.repository().join("Cargo.toml")).expect("a manifest");
    let members = manifest.replace("\"core\"]", "\"core\", \"other\"]");
    shop.write("Cargo.toml", &members);
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n")
    };
    let core = package("core-of-shop") + "[features]\nextra = []\n";
    shop.write("core/Cargo.toml", &core);
    let other = "[dependencies]\ncore-of-shop = { path = \"../core\", features = [\"extra\"] }\n";
    fs::create_dir_all(shop.repository().join("other/src")).expect("a folder");
    shop.write("other/Cargo.toml", &(package("other") + other));
    shop.write("other/src/lib.rs", "");
    shop.write("shop/benches/speed.rs", BENCH);
    for number in ["1", "2"] {
        let core = "pub fn sum(n: u64) -> u64 { if cfg!(feature = \"extra\") { n + NUMBER } else { n } }\n";
        shop.write("core/src/lib.rs", &core.replace("NUMBER", number));
        shop.commit(&format!("extra-{number}"));
    }
    let words = ["extra-1", "extra-2", "--format", "jsonl"];
    let all = verdicts(&compare_in(shop, "2", &words));
    assert_eq!(all.len(), 2, "{all:?}");
    for verdict in &all {
        let is_file = text(&verdict["case"]).ends_with("::file");
        assert_eq!(text_of(verdict) == "unchanged", is_file, "{all:?}");
    }
    let why = explained_of(shop, "sum");
    let expected = "It is measured: it reaches core_of_shop::sum, which differs.";
    assert!(why.contains(expected), "{why}");
    let of_shop = [&words[..], &["-p", "shop"]].concat();
    let all = verdicts(&compare_in(shop, "2", &of_shop));
    assert!(all.iter().all(|one| text_of(one) == "unchanged"), "{all:?}");
    let builds = fs::read_dir(shop.cache().join("builds")).expect("a folder");
    let places = builds.map(|entry| entry.expect("an entry").path().join("0"));
    let linked = places.filter(|place| place.join("objects.d").is_dir());
    assert!(
        linked
            .map(|place| are_those_of_the_executable(&place))
            .count()
            >= 4
    );
}

/// Links the objects of a build again, as they were linked.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn are_those_of_the_executable(place: &std::path::Path) {
    let objects = place.join("objects.d");
    let again = place.with_file_name("again");
    let line = fs::read(objects.join("link.json")).expect("a line");
    let line: Value = serde_json::from_slice(&line).expect("JSON");
    let mut linker = std::process::Command::new(text(&line["program"]));
    for pair in line["environment"].as_array().expect("variables") {
        linker.env(text(&pair[0]), text(&pair[1]));
    }
    for word in line["words"].as_array().expect("words") {
        match (word["Plain"].as_str(), word["Input"].as_str()) {
            (Some(plain), _) => linker.arg(plain),
            (_, Some(input)) => linker.arg(objects.join(input)),
            _ => linker.arg(&again),
        };
    }
    assert!(linker.status().expect("a linker").success(), "{place:?}");
    let read = |path: &std::path::Path| fs::read(path).expect("a program");
    assert!(read(&again) == read(&place.join("speed")), "{place:?}");
    fs::remove_file(again).expect("removed");
}
