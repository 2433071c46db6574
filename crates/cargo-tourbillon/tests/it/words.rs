//! The words that programs get: values that look like flags stay values.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::{Folder, script};
use crate::program::{Ran, command};

/// Values that are flags, or more, to cargo, git, rustup or a linker.
const HOSTILE: [&str; 11] = [
    "--config=build.rustc-wrapper=\"./x.sh\"",
    "-p=..",
    "--upload-pack=touch x",
    "--output=x",
    "--manifest-path",
    "-",
    "--",
    "-h",
    "@file",
    "+nightly",
    "-x\n--all",
];

/// A program that was started.
#[derive(Debug)]
struct Started {
    name: String,
    words: Vec<String>,
}

/// A folder with a repository, in which programs write their words to a file.
struct Recorded {
    folder: Folder,
    programs: PathBuf,
}

impl Recorded {
    /// `None` where there is no git.
    fn new(test: &str) -> Option<Recorded> {
        let folder = Folder::new(test);
        let programs = folder.join("programs");
        fs::create_dir(&programs).expect("a folder");
        for name in ["git", "rustc", "rustup", "cargo"] {
            // Cargo finds no project, so that nothing is built.
            let then = match name {
                "cargo" => "exit 101".to_owned(),
                _ => format!("exec {} \"$@\"", real(name).display()),
            };
            let text = format!(
                "#!/bin/sh\n{{ printf '\\001{name}\\000'; test $# = 0 || printf '%s\\000' \"$@\"; }} \
                 >> \"$WORDS\"\n{then}\n"
            );
            script(&programs.join(name), &text);
        }
        let recorded = Recorded { folder, programs };
        let root = recorded.root();
        fs::create_dir(&root).expect("a folder");
        let git = |words: &[&str]| {
            let status = Command::new("git")
                .args(["-c", "user.name=a", "-c", "user.email=a@b"])
                .args(words)
                .current_dir(&root)
                .status();
            status.is_ok_and(|status| status.success())
        };
        let is_made = git(&["init", "--quiet", "--initial-branch=main"])
            && git(&["commit", "--quiet", "--allow-empty", "--message=first"])
            && git(&["commit", "--quiet", "--allow-empty", "--message=second"]);
        is_made.then_some(recorded)
    }

    fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// Runs the program, and gives what it started.
    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (Ran, Vec<Started>) {
        let log = self.folder.join("log");
        let _ = fs::remove_file(&log);
        let mut command = command(&[&["tourbillon"], arguments].concat());
        let path = std::env::var("PATH").unwrap_or_default();
        let output = command
            .env("PATH", format!("{}:{path}", self.programs.display()))
            .env("CARGO", self.programs.join("cargo"))
            .env("WORDS", &log)
            .env("TOURBILLON_CACHE", self.folder.join("cache"))
            .env("TOURBILLON_STORE", self.folder.join("store"))
            .env_remove("GITHUB_EVENT_PATH")
            .env_remove("GITHUB_BASE_REF")
            .envs(variables.iter().copied())
            .current_dir(self.root())
            .output();
        let text = fs::read(&log).unwrap_or_default();
        let text = String::from_utf8(text).expect("text");
        let started = text
            .split('\u{1}')
            .skip(1)
            .map(|one| {
                let mut words = one.trim_end_matches('\0').split('\0').map(str::to_owned);
                Started {
                    name: words.next().expect("a name"),
                    words: words.collect(),
                }
            })
            .collect();
        (output.expect("the program starts").into(), started)
    }
}

/// The program that the search path has.
fn real(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found = all.into_iter().find(|path| path.is_file());
    found.unwrap_or_else(|| Path::new("/nonexistent").join(name))
}

/// Fails if a program gets the value as a word before the end of its flags.
fn check(started: &[Started], value: &str) {
    let peeled = format!("{value}^{{commit}}");
    for Started { name, words } in started {
        let is_end = |word: &&String| *word == "--end-of-options" || *word == "--";
        let end = words.iter().position(|word| is_end(&word));
        let flags = &words[..end.unwrap_or(words.len())];
        assert!(
            flags.iter().all(|word| word != value && *word != peeled),
            "{name} got {value:?} among its flags: {words:?}"
        );
    }
}

/// The words of a program that was started with this one first.
fn words_of<'s>(started: &'s [Started], program: &str, first: &str) -> &'s [String] {
    let is_it = |one: &&Started| one.name == program && one.words.iter().any(|word| word == first);
    let found = started.iter().find(is_it);
    &found
        .unwrap_or_else(|| panic!("{program} {first} was not started: {started:?}"))
        .words
}

#[test]
fn cargo_gets_values_in_one_word_with_their_flags() {
    let Some(recorded) = Recorded::new("words-cargo") else {
        return;
    };
    for value in HOSTILE {
        let joined = |flag: &str| format!("{flag}={value}");
        let (ran, started) = recorded.run(&["run", "-p", value, "--bench", value], &[]);
        assert_eq!(ran.code, Some(101), "{}", ran.stderr);
        let expected = [
            "bench",
            "--no-run",
            &joined("--package"),
            &joined("--bench"),
            "--message-format=json-render-diagnostics",
        ];
        assert_eq!(words_of(&started, "cargo", "bench"), expected);
        let flags = ["--package", "--bench", "--features", "--profile"].map(joined);
        let typed: Vec<&str> = flags.iter().map(String::as_str).collect();
        let (_, started) = recorded.run(&[&["compare", "HEAD"], &typed[..]].concat(), &[]);
        check(&started, value);
        let words = words_of(&started, "cargo", "bench");
        for word in typed {
            assert!(words.iter().any(|one| one == word), "{word} in {words:?}");
        }
    }
}

#[test]
fn git_gets_revisions_after_the_end_of_its_flags() {
    let Some(recorded) = Recorded::new("words-git") else {
        return;
    };
    for value in HOSTILE {
        let base = format!("--base={value}");
        let head = format!("--head={value}");
        let branch = format!("--branch={value}");
        let index = recorded.folder.join("index");
        let index = format!("--index={}", index.display());
        let output = recorded.folder.join("ci");
        let output = format!("--output={}", output.display());
        for (arguments, variables) in [
            (&["ci", &output, &base][..], &[][..]),
            (&["ci", &output, &head, "--base=main"], &[]),
            (&["ci", &output], &[("GITHUB_BASE_REF", value)]),
            (&["ci", &output], &[("CI_COMMIT_BEFORE_SHA", value)]),
            (
                &["ci", &output],
                &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", value)],
            ),
            (&["history", &index, "log", "a", &branch], &[]),
            (&["history", &index, "accept", "--", value, "a", "b"], &[]),
        ] {
            let (ran, started) = recorded.run(arguments, variables);
            assert_ne!(ran.code, Some(0), "{arguments:?} {variables:?}");
            check(&started, value);
            assert!(
                started.iter().any(|one| one.name == "git"),
                "{arguments:?}: {}",
                ran.stderr
            );
        }
    }
    let names = fs::read_dir(recorded.root()).expect("a folder").count();
    assert_eq!(names, 1, "no program wrote a file beside .git");
}

#[test]
fn rustup_gets_names_alone() {
    let Some(recorded) = Recorded::new("words-rustup") else {
        return;
    };
    for value in HOSTILE {
        let setting = format!("--with=toolchain={value}");
        let (ran, started) = recorded.run(&["compare", "HEAD", &setting], &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(
            started.iter().all(|one| one.name != "rustup"),
            "{started:?}"
        );
        let (ran, started) = recorded.run(&["compare", &setting], &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("is no name"), "{}", ran.stderr);
        assert!(
            started.iter().all(|one| one.name != "rustup"),
            "{started:?}"
        );
    }
    let (_, started) = recorded.run(&["compare", "--with=toolchain=no-such-one"], &[]);
    let words = words_of(&started, "rustup", "run");
    assert_eq!(words[..3], ["run", "no-such-one", "rustc"]);
}
