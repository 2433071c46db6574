//! Revisions, against the working tree and against each other.

use std::fs;

use super::shop::{Shop, text};

pub(super) fn a_revision_and_the_working_tree(shop: &Shop) {
    let before = shop.snapshot();
    let prepared = shop.prepared(&["v1"]);
    let (old, new) = (&prepared.builds[0], &prepared.builds[1]);
    assert!(text(&old["label"]).starts_with("v1 ("), "{old}");
    assert_eq!(
        (&old["dirty"], &new["dirty"]),
        (&false.into(), &true.into())
    );
    assert_eq!(new["label"], "working tree");
    assert!(text(&old["toolchain"]).starts_with("rustc "), "{old}");
    assert_eq!(old["toolchain"], new["toolchain"]);
    assert_eq!(prepared.cases(0), ["shop/more::more", "shop/speed::sum"]);
    assert_eq!(prepared.only(0, "only_reference"), ["shop/speed::gone"]);
    assert_eq!(
        prepared.only(0, "only_candidate"),
        [
            "shop/speed::added",
            "shop/speed::dirty",
            "shop/speed::shelved[n=0]"
        ]
    );
    let message = format!("only in {}: gone\n", text(&old["label"]));
    assert!(prepared.stderr.contains(&message), "{}", prepared.stderr);
    assert_eq!(
        prepared.executables(0)[0]["engine"],
        prepared.executables(1)[0]["engine"]
    );

    let after = shop.snapshot();
    let changed = after
        .iter()
        .find(|(path, file)| before.get(*path) != Some(file));
    assert_eq!(changed.map(|(path, _)| path), None);
    assert_eq!(before.len(), after.len());
}

pub(super) fn cached_builds_are_reused(shop: &Shop) {
    let before = shop.snapshot();
    let first = shop.prepared(&["v1"]);
    let again = shop.prepared(&["v1"]);
    assert!(!again.stderr.contains("Compiling"), "{}", again.stderr);
    for (build, executable) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let path = first.path(build, executable);
        assert_eq!(path, again.path(build, executable));
        assert!(
            path.starts_with(shop.cache().to_str().expect("text")),
            "{path}"
        );
    }
    assert!(before == shop.snapshot(), "something was written");
    // The placements were linked the first time.
    let placed = &again.executables(0)[0];
    if placed["fixed"].is_null() {
        assert_eq!(
            (&placed["layouts"], &placed["link_ns"]),
            (&2.into(), &().into())
        );
    }
}

pub(super) fn the_lock_file_of_the_checkout_stays_as_it_is(shop: &Shop) {
    let file = shop.repository().join("Cargo.lock");
    let lock = fs::read(&file).expect("a lock file");
    // None, as where it is ignored by git, and one that lacks every package.
    for before in [None, Some("version = 4\n")] {
        fs::remove_file(&file).expect("removed");
        if let Some(text) = before {
            fs::write(&file, text).expect("a file");
        }
        shop.prepared(&["v1"]);
        let after = fs::read_to_string(&file).ok();
        assert_eq!(after.as_deref(), before);
        if before.is_none() {
            fs::write(&file, "").expect("a file");
        }
    }
    fs::write(&file, lock).expect("a lock file");
}

pub(super) fn damaged_builds_are_made_again(shop: &Shop) {
    let first = shop.prepared(&["v1"]);
    for build in [0, 1] {
        let path = first.path(build, 0);
        let whole = fs::read(path).expect("an executable");
        let mut flipped = whole.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        for damaged in [Vec::new(), flipped] {
            // By another file, since a worker that is still ending would make this one busy.
            fs::write(path.to_owned() + ".new", damaged).expect("a file");
            fs::rename(path.to_owned() + ".new", path).expect("damaged");
            let again = shop.prepared(&["v1"]);
            let message = format!("{path:?} is damaged in the cache; ");
            assert_eq!(
                again.stderr.matches(&message).count(),
                1,
                "{}",
                again.stderr
            );
            assert_eq!(path, again.path(build, 0));
            let healed = fs::read(path).expect("an executable");
            assert_eq!(healed.len(), whole.len());
        }
    }
    let healed = shop.prepared(&["v1"]);
    assert!(!healed.stderr.contains("damaged"), "{}", healed.stderr);
}

pub(super) fn two_revisions_and_filters(shop: &Shop) {
    // From a folder inside; the working tree is not looked at, so that it need not compile.
    let speed = fs::read_to_string(shop.repository().join("shop/benches/speed.rs"));
    shop.write("shop/benches/speed.rs", "no Rust at all");
    let prepared = shop.prepared_in("core", &["v1", "v2", "-p", "shop", "--bench", "speed"], &[]);
    assert_eq!(prepared.builds.len(), 2);
    assert_eq!(prepared.executables(0).len(), 1);
    assert_eq!(prepared.cases(0), ["shop/speed::sum"]);
    assert_eq!(prepared.only(0, "only_candidate"), ["shop/speed::added"]);

    let prepared = shop.prepared_in("", &["v1", "v2"], &["more"]);
    assert_eq!(prepared.cases(0), ["shop/more::more"]);
    assert!(prepared.only(0, "only_reference").is_empty());

    let ran = shop.compare_in("", &["v1", "v2"], &["zzz"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{ran:?}");
    let message = "error: the filters select nothing on either side; ";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert!(!ran.stderr.contains("did you mean"), "{}", ran.stderr);
    let ran = shop.compare_in("", &["v1", "v2"], &["--skip", "x", "moer"]);
    let message = "the working tree; did you mean more?";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    shop.write("shop/benches/speed.rs", &speed.expect("a file"));
}

pub(super) fn shards_of_the_cases(shop: &Shop) {
    let of = |partition: &str| {
        let words = ["v1", "v2", "--partition", partition];
        let prepared = shop.prepared_in("shop", &words, &[]);
        let cases = prepared.cases(0).into_iter().map(str::to_owned);
        cases.collect::<Vec<String>>()
    };
    let all = ["shop/more::more", "shop/speed::sum"];
    // In the order of the targets' names.
    assert_eq!(of("slice:1/2"), all[..1]);
    assert_eq!(of("slice:2/2"), all[1..]);
    let mut hashed = [of("hash:1/2"), of("hash:2/2")].concat();
    hashed.sort();
    assert_eq!(hashed, all);
    assert_eq!(of("slice:3/3"), [""; 0]);
}

pub(super) fn a_gate(shop: &Shop) {
    let gate = "[gate]\nrelative = \"2%\"\nabsolute = \"5ns\"\n[gate.cases]\n\"more\" = { relative = \"7%\" }\n";
    shop.write("tourbillon.toml", gate);
    let of = |flags: &[&str], case: usize| {
        let prepared = shop.prepared_in("shop", &[&["v1", "v2"], flags].concat(), &[]);
        let cases = prepared.comparisons[0]["cases"].as_array().expect("cases");
        let case = cases
            .iter()
            .find(|found| text(&found["case"]) == ["shop/speed::sum", "shop/more::more"][case])
            .expect("a case");
        (case["gate"].as_f64(), case["gate_ns"].as_f64())
    };
    assert_eq!(of(&[], 0), (Some(0.02), Some(5.0)));
    assert_eq!(of(&["--gate", "3%"], 0), (Some(0.03), None));
    assert_eq!(of(&["--gate", "3%"], 1), (Some(0.07), None));
    shop.write("tourbillon.toml", "[gate]\nrelative = \"two\"\n");
    let ran = shop.compare(&["v1", "v2"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let message = "\"two\" is not a percentage; write 1% or 0.01";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    fs::remove_file(shop.repository().join("tourbillon.toml")).expect("removed");
}

pub(super) fn revisions_that_cannot_be_compared(shop: &Shop) {
    for (revision, code, expected) in [
        (
            "bare",
            1,
            "bare (@) has no bench target; compare with a revision that has",
        ),
        (
            "foreign",
            1,
            "foreign (@) has a bench target foreign, which does not use tourbillon; compare with",
        ),
        (
            "broken",
            101,
            "broken (@) does not build; cargo's message is above",
        ),
        (
            "astray",
            101,
            "its shop/Cargo.toml has the path dependency \"../../elsewhere\"",
        ),
        (
            "nope",
            1,
            "git does not know the revision \"nope\"; the local branch is main; fetch it with `git fetch`",
        ),
    ] {
        let ran = shop.compare(&[revision, "v2"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
        let stderr = plain(&ran.stderr);
        assert!(stderr.contains(expected), "{revision}: {stderr}");
    }
    let ran = shop.compare(&["broken"]);
    assert!(
        ran.stderr.contains("cannot find value `nothing`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("it is checked out in"),
        "{}",
        ran.stderr
    );
    // The clone is as good as before.
    assert_eq!(shop.prepared(&["v1", "v2"]).builds.len(), 2);
}

/// A text with `@` for the names of commits in parentheses.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, rest_of_text)) = rest.split_once('(') {
        let (inside, after) = rest_of_text.split_once(')').unwrap_or((rest_of_text, ""));
        let commit = inside.len() == 7 && inside.chars().all(|c| c.is_ascii_hexdigit());
        plain += &format!("{before}({})", if commit { "@" } else { inside });
        rest = after;
    }
    plain + rest
}
