//! Mistakes that are reported before anything is built.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folder::Folder;
use crate::program::{Ran, command};
use crate::records::{header, lines, store_lines};

fn compare(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(&[&["tourbillon", "compare", "--build-only"], arguments].concat());
    command
        .env("TOURBILLON_CACHE", folder.join("cache"))
        // The folder is within the repository of these tests.
        .env(
            "GIT_CEILING_DIRECTORIES",
            folder.parent().expect("a folder"),
        )
        .current_dir(folder);
    command.output().expect("the program starts").into()
}

#[test]
fn mistakes_are_reported_before_anything_is_built() {
    let folder = Folder::new("compare-mistakes");
    fs::write(folder.join("text"), "no executable").expect("a file");
    for (arguments, code, expected) in [
        (
            &["main"][..],
            1,
            "is not in a git repository; compare executables with --bin OLD NEW",
        ),
        // HEAD, and the working tree.
        (
            &[],
            1,
            "is not in a git repository; compare executables with --bin OLD NEW",
        ),
        (&["main", "--with", "features=a"], 1, "cannot be used with"),
        (&["a", "b", "c"], 1, "'c'"),
        (
            &["--with", "feature=a"],
            1,
            "unknown setting \"feature\"; did you mean features?",
        ),
        (
            &["main", "--margin", "x"],
            1,
            "\"x\" is not a percentage; write 1% or 0.01",
        ),
        (&["main", "--layouts", "0"], 1, "0 is not in 1..=10000"),
        (
            &["main", "--format", "md"],
            1,
            "--format md is for verdicts",
        ),
        (
            &["--bin", "text", "gone"],
            1,
            "text is not a bench target that uses tourbillon",
        ),
        (&["--bin", "gone", "text"], 1, "gone is not a file"),
        (&["saved:gone"], 1, "no build is saved as \"gone\""),
    ] {
        let ran = compare(&folder, arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(code), ""),
            "{arguments:?}: {ran:?}"
        );
        assert!(
            ran.stderr.contains(expected),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
    }
}

fn git(folder: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=Shop", "-c", "user.email=shop@shop"])
        .args(["-c", "commit.gpgsign=false"])
        .args(words)
        .current_dir(folder);
    assert!(git.status().expect("git starts").success(), "git {words:?}");
}

#[test]
fn names_that_are_no_revisions_are_explained() {
    let folder = Folder::new("compare-names");
    let header = header(1, "model A");
    store_lines(&folder.join("store"), &header, lines(&header, 100));
    let mistake = |name: &str| {
        let ran = compare(&folder, &["--store", "store", "HEAD", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        ran.stderr
    };
    git(&folder, &["init", "--quiet", "-b", "master"]);
    assert_eq!(
        mistake("main"),
        "error: HEAD cannot be built: this repository has no commit yet; commit, or use `cargo \
         tourbillon save`\n"
    );

    git(&folder, &["commit", "--quiet", "--allow-empty", "-m", "1"]);
    let unknown = |name: &str, branches: &str| {
        format!(
            "git does not know the revision {name:?}; the local {branches}; fetch it with `git fetch`, \
             or find one with `git log --oneline --all`\n"
        )
    };
    let master = "branch is master";
    assert_eq!(
        mistake("main"),
        format!("error: {}", unknown("main", master))
    );
    // By its form, and as a part of the name of a stored case.
    for name in ["primes/100", "primes[n=100]", "prime::next", "add"] {
        // After `::` is a case.
        let revision = name.split("::").next().expect("a part");
        let expected = unknown(revision, master);
        let expected = format!("error: a filter goes after `--`, and {expected}");
        assert_eq!(mistake(name), expected);
    }

    for number in 1..10 {
        git(&folder, &["branch", &format!("topic-{number}")]);
    }
    let text = mistake("main");
    assert!(text.contains("the local branches are "), "{text}");
    assert!(text.contains(" and 2 more; fetch"), "{text}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let folder = Folder::new("compare-cache");
    fs::write(folder.join("cache"), "in the way").expect("a file");
    let ran = compare(&folder, &["main"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    for expected in [
        "cache\" cannot be created: ",
        "with the variable TOURBILLON_CACHE",
    ] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[cfg(unix)]
mod scripts {
    use tourbillon_coordinator::runner::PROTOCOL;
    use tourbillon_record::{Frame, Hello, WORKER_ARGUMENT};

    use super::*;
    use crate::records::listed;

    /// A script that answers as a bench binary would.
    fn script(folder: &Path, name: &str, hello: &str, cases: &[&str]) {
        let list: String = cases.iter().map(|case| listed(case)).collect();
        let text = format!(
            "#!/bin/sh\ncase \"$1\" in\n{WORKER_ARGUMENT}) cat <<'END'\n{hello}\nEND\n;;\n\
             *) cat <<'END'\n{list}END\n;;\nesac\n"
        );
        crate::folder::script(&folder.join(name), &text);
    }

    fn hello(protocol: u32, engine: &str) -> String {
        let engine = engine.to_owned();
        Frame::Hello(Hello { protocol, engine }).encode()
    }

    #[test]
    fn executables_that_cannot_be_compared_are_reported() {
        let folder = Folder::new("compare-scripts");
        let ours = hello(PROTOCOL, "one");
        script(&folder, "one", &ours, &["a", "b"]);
        script(&folder, "two", &ours, &["b", "c"]);
        script(&folder, "three", &ours, &["c"]);
        script(&folder, "engine", &hello(PROTOCOL, "two"), &["a"]);
        script(&folder, "protocol", &hello(PROTOCOL + 1, "one"), &["a"]);
        script(&folder, "silent", "nothing of ours", &["a"]);
        let of_shell = |name: &str, text: &str| {
            crate::folder::script(
                &folder.join(name),
                &format!("#!/bin/sh\n# {WORKER_ARGUMENT}\n{text}\n"),
            );
        };
        of_shell("crash", "kill -SEGV $$");
        of_shell("refuses", "echo 'no such option' >&2; exit 7");
        let ran = compare(&folder, &["--bin", "one", "two"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        let end = "one and two have 1 case in common not known how both sides were built, in 1 executable: what \
                   differs besides the code is not named";
        assert!(words.join(" ").ends_with(end), "{}", ran.stdout);
        assert_eq!(ran.stderr, "only in one: a\nonly in two: c\n");
        for (other, code, expected) in [
            ("three", 1, "error: one and three have no case in common; "),
            (
                "engine",
                1,
                "error: one of one and of engine use different versions of tourbillon; ",
            ),
            (
                "protocol",
                1,
                "error: protocol of protocol has another protocol version than this cargo tourbillon; ",
            ),
            (
                "silent",
                5,
                "error: silent of silent does not start as a worker; ",
            ),
            (
                "crash",
                5,
                "error: crash of crash ended by signal 11 when it was started as a worker\n",
            ),
            (
                "refuses",
                5,
                "error: refuses of refuses exited with code 7 when it was started as a worker; stderr ends with: \
                 no such option; its main must",
            ),
        ] {
            let ran = compare(&folder, &["--bin", "one", other]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
            assert!(ran.stderr.contains(expected), "{other}: {}", ran.stderr);
        }
        let left = fs::read_dir(folder.join("cache/builds"))
            .expect("a folder")
            .flatten();
        let half = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("unfin"));
        assert_eq!(half.count(), 0);
    }
}
