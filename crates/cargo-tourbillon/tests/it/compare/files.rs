//! Two executables.

use std::fs;

use super::shop::Shop;

pub(super) fn executables(shop: &Shop) {
    let builds = shop.prepared(&["v1", "v2", "--bench", "speed"]);
    let (old, new) = (shop.folder.join("old"), shop.folder.join("new"));
    fs::copy(builds.path(0, 0), &old).expect("a copy");
    fs::copy(builds.path(1, 0), &new).expect("a copy");
    // Neither a repository nor a package is needed.
    let words = ["--bin", "../old", "../new"];
    let ran = shop.compare_in("", &words, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout
            .contains("../old and ../new have 1 case in common\n"),
        "{}",
        ran.stdout
    );
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = "1 placement: it was built elsewhere, so its objects are missing; name the \
                   revision instead of the file";
    assert!(words.contains(message), "{}", ran.stdout);
    // The cache has a copy.
    let prepared = shop.prepared(&["--bin", "../old", "../new"]);
    fs::remove_file(&old).expect("removed");
    assert!(fs::exists(prepared.path(0, 0)).expect("looked at"));
    let ran = shop.compare(&["--bin", "../old", "../new"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr
            .contains("../old is not a file; --bin takes two executables"),
        "{}",
        ran.stderr
    );
}
