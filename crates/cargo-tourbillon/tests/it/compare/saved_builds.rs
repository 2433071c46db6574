//! Saved builds.

use crate::program::Ran;

use super::shop::Shop;

fn save(shop: &Shop, arguments: &[&str]) -> Ran {
    let output = shop.command("", &[&["save"], arguments].concat()).output();
    output.expect("the program starts").into()
}

pub(super) fn builds_are_saved(shop: &Shop) {
    let ran = save(shop, &["--list"]);
    assert_eq!(
        ran.stdout,
        "no saved builds; `cargo tourbillon save NAME` makes one\n"
    );
    let flags = ["--offline", "--profile", "dev", "--bench", "speed"];
    let ran = save(shop, &[&["before"], &flags[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.starts_with("before: shop/speed of "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(", changed, rustc "), "{}", ran.stdout);
    assert_eq!(save(shop, &["--list"]).stdout, ran.stdout);

    // A saved build has as many placements as the original.
    let prepared = shop.prepared(&["before", "--bench", "speed"]);
    assert_eq!(prepared.builds[0]["label"], "before");
    assert_eq!(prepared.cases(0).len(), 4);
    assert_eq!(
        prepared.executables(0)[0]["layouts"],
        prepared.executables(1)[0]["layouts"]
    );
    assert!(
        prepared.path(0, 0).contains("/saved/before/"),
        "{prepared:?}"
    );

    // Nothing takes it from under a program that measures it.
    let path = prepared.path(0, 0);
    let (cache, _) = path.split_once("/saved/before/").expect("a saved build");
    let used = std::fs::File::open(format!("{cache}/saved/before/used")).expect("its lock");
    used.lock_shared().expect("a lock");
    for arguments in [
        &["--remove", "before"][..],
        &[&["before"], &flags[..]].concat(),
    ] {
        let ran = save(shop, arguments);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        let message = "the build that is saved as \"before\" is being measured";
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    drop(used);

    shop.git(&["branch", "before", "v1"]);
    let ran = shop.compare(&["before"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let message = "before is a revision and a saved build; write refs/heads/before or saved:before";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    let prepared = shop.prepared(&["saved:before", "refs/heads/before", "--bench", "speed"]);
    assert_eq!(prepared.cases(0), ["shop/speed::sum"]);

    let ran = save(shop, &["--remove", "before"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    for arguments in [
        &["compare", "saved:before", "--build-only"][..],
        &["save", "--remove", "before"],
    ] {
        let ran: Ran = shop
            .command("", arguments)
            .output()
            .expect("it starts")
            .into();
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let message = "error: no build is saved as \"before\"; `cargo tourbillon save --list`";
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}
