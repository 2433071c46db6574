//! Commits that cannot be measured, and what is no fault of theirs.

use std::fs;

use crate::compare::{Shop, twins};
use crate::folder::script;
use crate::program::Ran;

/// Measures the commits of a range.
fn backfill(shop: &Shop, range: &str, variables: &[(&str, &str)]) -> Ran {
    let place = ["history", "--history", "../../history"];
    let words = [
        &place[..],
        &["backfill", range, "--offline", "--profile", "dev"],
    ]
    .concat();
    let mut command = shop.command("one", &words);
    let output = command.envs(variables.iter().copied()).output();
    output.expect("the program starts").into()
}

/// How many commits are noted as broken.
fn noted(shop: &Shop) -> usize {
    let folder = fs::read_dir(shop.folder.join("history/failures"));
    folder.map_or(0, Iterator::count)
}

#[test]
fn a_program_that_ends_as_if_it_was_interrupted_keeps_no_other_from_being_measured() {
    let shop = twins("broken-commits", ["one"]);
    let bench = fs::read_to_string(shop.repository().join("one/benches/speed.rs"));
    let bench = bench.expect("a file");
    for (tag, end) in [
        ("code", "std::process::exit(130)"),
        (
            "killed",
            "std::process::Command::new(\"sh\").args([\"-c\", \"kill -9 $PPID\"]).status().unwrap();",
        ),
        // It says so with a title and a bell of the terminal.
        (
            "failed",
            "eprintln!(\"\\u{1b}]0;title\\u{7}\"); std::process::exit(70)",
        ),
        ("flags", "std::process::exit(1)"),
        ("room", "std::process::exit(5)"),
        // As if a case had failed, and without a record.
        ("empty", "std::process::exit(3)"),
    ] {
        let main = "fn main() {\n";
        let ends = format!(
            "{main}    if std::env::args().any(|word| word == \"--no-store\") {{ {end} }}\n"
        );
        shop.write("one/benches/speed.rs", &bench.replacen(main, &ends, 1));
        shop.commit(tag);
    }
    let ran = backfill(&shop, "none..main", &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = backfill(&shop, "v1..main", &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("\\u{1b}]0;title\\u{7}\n"), "{ran:?}");
    assert!(!ran.stderr.contains(['\u{1b}', '\u{7}']), "{ran:?}");
    let ended = " cannot be measured: its program was ended by a signal\n";
    assert_eq!(ran.stderr.matches(ended).count(), 2, "{ran:?}");
    assert!(
        ran.stderr.contains("cannot be measured: shop/speed "),
        "{ran:?}"
    );
    assert!(
        ran.stderr.contains("its record cannot be read: "),
        "{ran:?}"
    );
    // Those are tried again that a signal ended, that did not know a flag, and that lacked room.
    assert_eq!(noted(&shop), 2);
}

/// As where there is too little memory for cargo, a compiler or a linker.
#[cfg(unix)]
#[test]
fn a_build_that_a_signal_ends_breaks_no_commit() {
    let shop = twins("broken-memory", ["one"]);
    let (cargo, real) = (shop.folder.join("cargo"), env!("CARGO"));
    for ends in [
        "kill -s KILL $$",
        "echo '(signal: 9, SIGKILL: kill)' >&2; exit 101",
    ] {
        let builds =
            format!("#!/bin/sh\ncase \"$1\" in bench) {ends};; esac\nexec '{real}' \"$@\"\n");
        script(&cargo, &builds);
        let ran = backfill(&shop, "main", &[("CARGO", cargo.to_str().expect("a path"))]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let ended = " cannot be measured: its build was ended by a signal\n";
        assert_eq!(ran.stderr.matches(ended).count(), 1, "{ran:?}");
        assert_eq!(noted(&shop), 0);
    }
}

#[test]
fn a_disk_without_room_breaks_no_commit() {
    let shop = twins("broken-disk", ["one"]);
    let (cargo, real) = (shop.folder.join("cargo"), env!("CARGO"));
    // As if nothing could be written there any more.
    let builds = format!(
        "#!/bin/sh\ncase \"$1\" in bench) rm -r \"$TOURBILLON_CACHE\"; exit 101;; esac\nexec '{real}' \"$@\"\n"
    );
    script(&cargo, &builds);
    let ran = backfill(&shop, "main", &[("CARGO", cargo.to_str().expect("a path"))]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("cannot be written to"), "{ran:?}");
    assert_eq!(noted(&shop), 0);
}
