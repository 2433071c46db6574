//! Programs load the shared libraries that were built with them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::shop::{Shop, text};
use crate::program::Ran;

/// As CMake does: the linker finds a name without a version, and programs load one with it.
const SCRIPT: &str = r##"fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let text = "#include <stdio.h>\n#include <stdlib.h>\nunsigned long long work(void) {\n    \
        FILE *file = fopen(getenv(\"WORKED\"), \"a\");\n    \
        fputs(\"NUMBER\", file);\n    fclose(file);\n    return 1;\n}\n";
    std::fs::write(format!("{out}/work.c"), text).unwrap();
    let words = ["-shared", "-fPIC", "-Wl,-soname,libwork.so.1", "-o", "libwork.so.1", "work.c"];
    let ran = std::process::Command::new("cc").args(words).current_dir(&out).status();
    assert!(ran.unwrap().success());
    std::fs::copy(format!("{out}/libwork.so.1"), format!("{out}/libwork.so")).unwrap();
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=dylib=work");
}
"##;

const SUITE: &str = "use shop as _;\nunsafe extern \"C\" { safe fn work() -> u64; }\n\
    #[tourbillon::bench]\nfn foreign() -> u64 { work() }\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

/// What the libraries wrote that were loaded, each its number once.
fn loaded(shop: &Shop, command: &mut Command) -> (Ran, String) {
    let worked = shop.folder.join("worked");
    let _ = fs::remove_file(&worked);
    let output = command.env("WORKED", &worked).output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut numbers = Vec::from_iter(fs::read_to_string(worked).unwrap_or_default().chars());
    numbers.sort_unstable();
    numbers.dedup();
    (ran, numbers.into_iter().collect())
}

/// The verdict on the one case, and the libraries that were loaded for it.
fn compared(shop: &Shop, mut command: Command) -> (String, String) {
    let (ran, numbers) = loaded(shop, &mut command);
    let lines = ran.stdout.lines();
    let values = lines.map(|line| serde_json::from_str::<Value>(line).expect(line));
    let mut verdicts = values.filter(|line| line["type"] == "verdict");
    let verdict = verdicts.next().expect("a verdict");
    (text(&verdict["verdict"]).to_owned(), numbers)
}

/// Starts the program of its package, which needs the library; the suite itself does not.
const STARTING: &str = "use shop as _;\n#[tourbillon::bench]\nfn foreign() -> bool {\n    \
    let tool = std::env::var_os(\"CARGO_BIN_EXE_tool\").unwrap();\n    \
    let ended = std::process::Command::new(tool).status().unwrap();\n    \
    assert!(ended.success());\n    true\n}\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

const TOOL: &str = "use shop as _;\nunsafe extern \"C\" { safe fn work() -> u64; }\n\
    fn main() { assert_eq!(work(), 1); }\n";

#[test]
fn programs_that_are_started_load_the_libraries_of_their_build() {
    let shop = Shop::new("started-libraries");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    shop.write("shop/benches/speed.rs", STARTING);
    fs::create_dir_all(shop.repository().join("shop/src/bin")).expect("a folder");
    shop.write("shop/src/bin/tool.rs", TOOL);
    for number in ["1", "2"] {
        shop.write("shop/build.rs", &SCRIPT.replace("NUMBER", number));
        shop.commit(&format!("library-{number}"));
    }
    let store = shop.folder.join("store");
    let of_builds = |words: &[&str]| {
        let of_cargo = ["--offline", "--profile", "dev", "--bench", "speed"];
        let quick = "--time 1ms --layouts 1 --format jsonl --store";
        let quick = Vec::from_iter(quick.split(' '));
        let mut command = shop.command("", &[&["compare"], words, &of_cargo, &quick].concat());
        command.arg(&store);
        compared(&shop, command)
    };
    let (verdict, numbers) = of_builds(&["library-1", "library-2"]);
    assert!(
        verdict != "unchanged" && numbers == "12",
        "{verdict} {numbers}"
    );
    shop.write("shop/build.rs", &SCRIPT.replace("NUMBER", "3"));
    let (verdict, numbers) = of_builds(&["library-2"]);
    assert!(
        verdict != "unchanged" && numbers == "23",
        "{verdict} {numbers}"
    );
}

#[test]
fn programs_load_the_libraries_of_their_build() {
    let shop = Shop::new("shared-libraries");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    shop.write("shop/benches/speed.rs", SUITE);
    for number in ["1", "2"] {
        shop.write("shop/build.rs", &SCRIPT.replace("NUMBER", number));
        shop.commit(&format!("library-{number}"));
    }
    let of_cargo = ["--offline", "--profile", "dev", "--bench", "speed"];
    let store = shop.folder.join("store");
    let quick = [
        "--time",
        "1ms",
        "--layouts",
        "1",
        "--format",
        "jsonl",
        "--store",
    ];
    let compare = |words: &[&str]| {
        let words = [&["compare"], words, &quick].concat();
        let mut command = shop.command("", &words);
        command.arg(&store);
        command
    };
    let of_builds = |words: &[&str]| compared(&shop, compare(&[words, &of_cargo].concat()));
    let (verdict, numbers) = of_builds(&["library-1", "library-2"]);
    assert!(
        verdict != "unchanged" && numbers == "12",
        "{verdict} {numbers}"
    );

    // The same executable with another library is another build.
    let (verdict, numbers) = of_builds(&["library-2"]);
    assert_eq!((verdict.as_str(), numbers.as_str()), ("unchanged", ""));
    shop.write("shop/build.rs", &SCRIPT.replace("NUMBER", "3"));
    let (verdict, numbers) = of_builds(&["library-2"]);
    assert!(
        verdict != "unchanged" && numbers == "23",
        "{verdict} {numbers}"
    );

    let mut run = shop.command("", &[&["run"], &of_cargo[..]].concat());
    run.args(["--launches", "2", "--max-time", "1ms", "--store"]);
    assert_eq!(loaded(&shop, run.arg(&store)).1, "3");

    let bundle = shop.folder.join("libraries.tar.gz");
    let file = bundle.to_str().expect("a path");
    let words = [&["bundle", file, "library-1", "library-2"], &of_cargo[..]].concat();
    loaded(&shop, &mut shop.command("", &words));
    let mut elsewhere = compare(&["--bundle", file]);
    elsewhere.env("TOURBILLON_CACHE", shop.folder.join("other-cache"));
    let (verdict, numbers) = compared(&shop, elsewhere);
    assert!(
        verdict != "unchanged" && numbers == "12",
        "{verdict} {numbers}"
    );
    files_load_what_is_beside_them(&shop, &compare);
}

/// As programs are shipped; the copies in the cache are beside nothing.
fn files_load_what_is_beside_them(shop: &Shop, compare: &dyn Fn(&[&str]) -> Command) {
    let path = format!(
        "{}\nfn rpath() {{ println!(\"cargo:rustc-link-arg-benches=-Wl,-rpath,$ORIGIN\") }}\n",
        SCRIPT.replace("fn main() {", "fn main() {\n    rpath();")
    );
    for number in ["4", "5"] {
        shop.write("shop/build.rs", &path.replace("NUMBER", number));
        shop.commit(&format!("library-{number}"));
    }
    let prepared = shop.prepared(&["library-4", "library-5", "--bench", "speed"]);
    let files = [0, 1].map(|side| {
        let built = Path::new(prepared.path(side, 0));
        let folder = shop.folder.join(format!("shipped-{side}"));
        fs::create_dir_all(&folder).expect("a folder");
        for file in [built, &built.with_file_name("libraries.d/libwork.so.1")] {
            let copy = folder.join(file.file_name().expect("a name"));
            fs::copy(file, copy).expect("a copy");
        }
        folder.join("speed").to_str().expect("a path").to_owned()
    });
    let (verdict, numbers) = compared(shop, compare(&["--bin", &files[0], &files[1]]));
    assert!(
        verdict != "unchanged" && numbers == "45",
        "{verdict} {numbers}"
    );
}
