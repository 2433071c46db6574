//! The working tree, built in several ways.

use std::env;

use super::shop::{Shop, text};

pub(super) fn of_the_working_tree(shop: &Shop) {
    let with = [
        "--with",
        "features=simd",
        "--with",
        "rustflags=--cfg=special; env=SHELF=top",
        "--with",
        "profile=fat",
    ];
    let prepared = shop.prepared(&[&["--bench", "speed"], &with[..]].concat());
    assert_eq!((prepared.builds.len(), prepared.comparisons.len()), (4, 3));
    for (number, added) in [
        (0, &["shop/speed::simd"][..]),
        (1, &["shop/speed::shelved[n=3]", "shop/speed::special"]),
        (2, &["shop/speed::unchecked"]),
    ] {
        let both = if number == 1 { 3 } else { 4 };
        assert_eq!(prepared.cases(number).len(), both, "{prepared:?}");
        assert_eq!(
            prepared.only(number, "only_candidate"),
            added,
            "{prepared:?}"
        );
        assert_eq!(prepared.comparisons[number]["reference"], "working tree");
        assert_eq!(
            text(&prepared.builds[number + 1]["label"]),
            with[number * 2 + 1]
        );
        assert_ne!(prepared.path(0, 0), prepared.path(number + 1, 0));
    }
    // With LTO, too, functions can be reordered if the linker supports it.
    let fixed = |build: usize| &prepared.executables(build)[0]["fixed"];
    assert_eq!(fixed(3), fixed(0));

    // The toolchain that rustup selected, by name.
    if let Ok(toolchain) = env::var("RUSTUP_TOOLCHAIN") {
        let setting = format!("toolchain={toolchain}");
        let prepared = shop.prepared(&["--bench", "speed", "--with", &setting]);
        assert_eq!(
            prepared.builds[0]["toolchain"],
            prepared.builds[1]["toolchain"]
        );
    }

    let before = shop
        .cache()
        .join("builds")
        .read_dir()
        .expect("a folder")
        .count();
    let ran = shop.compare(&["--with", "features=simd", "--with", "toolchain=no-such"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    let message = "error: the toolchain no-such cannot be used: ";
    assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
    assert_eq!(
        shop.cache()
            .join("builds")
            .read_dir()
            .expect("a folder")
            .count(),
        before
    );

    let ran = shop.compare(&["--with", "features=nope"]);
    assert_eq!(ran.code, Some(101), "{ran:?}");
    assert!(
        ran.stderr.contains("error: features=nope does not build"),
        "{}",
        ran.stderr
    );
}
