//! Bundles.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::Ran;

use super::shop::{Prepared, Shop, text};

/// The program on another machine: another cache, no checkout, and these folders of programs.
fn elsewhere(shop: &Shop, programs: &str, arguments: &[&str]) -> Ran {
    let folder = shop.folder.join("elsewhere");
    fs::create_dir_all(&folder).expect("a folder");
    let mut command = shop.command("", arguments);
    command
        .current_dir(&folder)
        .env("TOURBILLON_CACHE", shop.folder.join("other-cache"))
        .env("PATH", programs);
    for name in ["CARGO", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command.output().expect("the program starts").into()
}

pub(super) fn a_machine_without_a_toolchain_compares(shop: &Shop) {
    let both = shop.folder.join("both.tar.gz");
    let file = both.to_str().expect("a path");
    let flags = [
        "--offline",
        "--profile",
        "dev",
        "--workspace",
        "--bench",
        "speed",
    ];
    let bundle = [&["bundle", file, "v1"], &flags[..]].concat();
    let made: Ran = shop
        .command("", &bundle)
        .output()
        .expect("it starts")
        .into();
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.starts_with("v1 ("), "{}", made.stdout);
    let folder = shop.folder.join("nowhere");
    let nowhere = folder.to_str().expect("a path");
    let listed = elsewhere(shop, nowhere, &["bundle", file, "--list"]);
    assert_eq!((listed.code, listed.stdout), (Some(0), made.stdout));
    assert!(
        !shop.folder.join("other-cache").exists(),
        "nothing is unpacked"
    );

    let prepare = [
        "compare",
        "--bundle",
        file,
        "--build-only",
        "--layouts",
        "2",
        "--format",
        "jsonl",
    ];
    let alone = Prepared::of(&elsewhere(shop, nowhere, &prepare));
    assert_eq!(alone.cases(0), ["shop/speed::sum"]);
    for build in 0..2 {
        let executable = &alone.executables(build)[0];
        assert_eq!(executable["layouts"], 1);
        assert_eq!(executable["fixed"], "the linker cc is missing; install it");
        let path = Path::new(text(&executable["path"]));
        assert!(
            path.starts_with(shop.folder.join("other-cache/builds")),
            "{path:?}"
        );
    }
    // The linker of this machine makes as many placements as on the one that built.
    let here = shop.prepared(&["v1", "--bench", "speed"]);
    let programs = std::env::var("PATH").expect("a path");
    let linked = Prepared::of(&elsewhere(shop, &programs, &prepare));
    for build in 0..2 {
        let (here, linked) = (&here.executables(build)[0], &linked.executables(build)[0]);
        assert_eq!(linked["layouts"], here["layouts"], "{linked}");
        assert_eq!(linked["engine"], here["engine"]);
    }
    let listed = elsewhere(shop, nowhere, &["run", "--bundle", file, "--list"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.stdout.contains("dirty"), "{}", listed.stdout);
    let quick = ["--store", "store", "--launches", "2", "--max-time", "1ms"];
    let ran = elsewhere(
        shop,
        nowhere,
        &[&["run", "--bundle", file, "sum"], &quick[..]].concat(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(shop.folder.join("elsewhere/store/runs/shop/speed").is_dir());
    a_plan_is_what_the_shards_measure(shop, file, nowhere);
    mistakes(shop, file, nowhere);
}

fn a_plan_is_what_the_shards_measure(shop: &Shop, file: &str, nowhere: &str) {
    let plan = |format: &str| {
        let words = [
            "plan", "--shards", "2", "--method", "slice", "--format", format,
        ];
        let ran = elsewhere(shop, nowhere, &[&words[..], &["--bundle", file]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let lines = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("JSON lines")
    };
    let planned = lines(&plan("jsonl"));
    let mut expected = String::new();
    for partition in ["slice:1/2", "slice:2/2"] {
        let of_shard: Vec<&str> = planned
            .iter()
            .filter(|line| line["partition"] == partition)
            .map(|line| text(&line["case"]))
            .collect();
        let count = of_shard.len();
        assert!(count > 0, "{planned:?}");
        let noun = if count == 1 { "case" } else { "cases" };
        expected += &format!("{partition}  {count} {noun}\n");
        let run = ["run", "--bundle", file, "--partition", partition];
        let quick = ["--launches", "2", "--max-time", "1ms", "--format", "jsonl"];
        let store = ["--store", "shards"];
        let ran = elsewhere(shop, nowhere, &[&run[..], &quick, &store].concat());
        let record = lines(&ran.stdout);
        let cases: Vec<&str> = record
            .iter()
            .filter(|line| line["type"] == "case")
            .map(|line| text(&line["id"]))
            .collect();
        assert_eq!(cases, of_shard, "{ran:?}");
    }
    assert_eq!(plan("text"), expected);
}

fn mistakes(shop: &Shop, file: &str, nowhere: &str) {
    for (arguments, code, message) in [
        (
            &["compare", "--bundle", file][..],
            5,
            "name the store with --store DIR",
        ),
        (
            &[
                "compare",
                "--bundle",
                file,
                "--build-only",
                "--bench",
                "more",
            ],
            1,
            "no bench target of the bundle is selected",
        ),
        (
            &["compare", "v1", "--bundle", file],
            1,
            "cannot be used with",
        ),
        (
            &["compare", "--bundle", "none.tar.gz", "--build-only"],
            5,
            "\"none.tar.gz\" cannot be read",
        ),
        (&["bundle", file, "--list", "v1"], 1, "cannot be used with"),
        (
            &["run", "--bundle", file],
            5,
            "name the store with --store DIR",
        ),
        (
            &["run", "--bundle", file, "--features", "simd"],
            1,
            "--features is for cargo, and --bundle builds nothing",
        ),
    ] {
        let ran = elsewhere(shop, nowhere, arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}
