//! Files that are records, and others.

use tourbillon_record::Header;

use super::*;

#[test]
fn a_run_has_the_hash_of_its_lines() {
    let golden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tourbillon-record/tests/golden/schema-1-run.jsonl"
    );
    let one = fs::read(golden).expect("a record");
    let both = parse(&[one.as_slice(), &one].concat()).expect("two runs");
    let alone = parse(&one).expect("a run");
    assert_eq!((alone.len(), both.len()), (1, 2));
    // `sha256sum schema-1-run.jsonl`
    assert_eq!(
        alone[0].sha256,
        "0d946372995b2c92f8bf6b6b3727a1ae6d820e212d3b7eca820a8f5826f465ac"
    );
    assert!(both.iter().all(|stored| stored.sha256 == alone[0].sha256));
}

#[test]
fn a_comparison_that_was_killed_at_once_is_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let located = Located {
        store: Store::open(folder.path()),
        packages: None,
    };
    let begun = || {
        let store = comparisons(&located.store);
        let writer = store.begin(&Header::default()).expect("a file");
        writer.path().to_owned()
    };
    begun();
    for left in ["", "{\"type\":\"header\",\"sch", "\0\0\0"] {
        fs::write(begun(), left).expect("written");
        assert_eq!(located.comparisons().expect(left).len(), 1);
    }
    fs::write(begun(), "{}\n").expect("written");
    let error = located.comparisons().expect_err("no record");
    assert!(format!("{error:?}").contains("not a header"), "{error:?}");
}

#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    for device in ["/dev/zero", "/dev/urandom", "/dev/null"] {
        let error = bytes(Path::new(device)).expect_err(device).to_string();
        assert!(error.contains("a device"), "{error}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    assert!(bytes(folder.path()).is_err());
    // A sparse file of a terabyte.
    let sparse = folder.path().join("sparse");
    let file = fs::File::create(&sparse).expect("a file");
    if file.set_len(1 << 40).is_ok() {
        let error = bytes(&sparse).expect_err("a terabyte").to_string();
        assert!(error.contains("too long"), "{error}");
    }
    fs::write(&sparse, "a\nb").expect("a file");
    assert_eq!(text(&sparse).expect("text"), "a\nb");
}
