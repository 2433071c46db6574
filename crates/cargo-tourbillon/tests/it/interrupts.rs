//! Signals to the program alone, as supervisors send them: those that it starts get none.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, script};
use crate::program::command;

/// What `get` gives, once it gives something; a minute at most.
fn soon<T>(what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(got) = get() {
            return got;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} takes more than a minute");
}

fn kill(signal: &str, process: &str) {
    let status = Command::new("kill").args([signal, process]).status();
    assert!(status.expect("kill starts").success());
}

/// Waits for the end of a process.
fn has_ended(process: &str) {
    soon("the end of cargo", || {
        let mut kill = Command::new("kill");
        let asked = kill.args(["-0", process]).stderr(Stdio::null()).status();
        (!asked.expect("kill starts").success()).then_some(())
    });
}

/// Its id, once it has written all of it.
fn id(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.strip_suffix('\n')?.to_owned())
}

/// A repository with one commit of what is in the folder.
fn repository(root: &Path) {
    for words in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--allow-empty", "--message=first"],
    ] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(words);
        let status = git.current_dir(root).status();
        assert!(status.expect("git starts").success());
    }
}

/// Sends a signal once a program that this one starts has told its id: both end.
fn ends(mut program: Command, signal: &str, started: &Path) {
    let mut child = program.spawn().expect("the program starts");
    let other = soon("the other program", || id(started));
    kill(signal, &child.id().to_string());
    let status = soon("the end", || child.try_wait().expect("it is ours"));
    assert_eq!(status.code(), Some(130), "{signal}");
    has_ended(&other);
}

#[test]
fn a_build_without_an_end_does_not_keep_a_history_from_ending() {
    let folder = Folder::new("interrupts");
    let [root, cargo, started] = ["root", "cargo", "started"].map(|name| folder.join(name));
    fs::create_dir(&root).expect("a folder");
    repository(&root);
    let builds = format!(
        "#!/bin/sh\ntest \"$1\" = bench || exit 101\necho $$ > '{}'\nexec sleep 1000\n",
        started.display()
    );
    script(&cargo, &builds);
    let mut program = command(&["history", "--history", "../history", "backfill", "main"]);
    program
        .current_dir(&root)
        .env("CARGO", &cargo)
        .env("TOURBILLON_CACHE", folder.join("cache"))
        .env("TOURBILLON_STORE", folder.join("store"));
    ends(program, "-TERM", &started);
}

/// What cargo is while it builds what `compare` compares: it tells its id and has no end.
#[test]
fn a_build_does_not_outlive_its_comparison() {
    let folder = Folder::new("interrupted-build");
    let [root, cargo, started] = ["root", "cargo", "started"].map(|name| folder.join(name));
    fs::create_dir_all(root.join("benches")).expect("a folder");
    fs::write(
        root.join("Cargo.toml"),
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n[lib]\npath = \"lib.rs\"\n",
    )
    .expect("a file");
    fs::write(root.join("lib.rs"), "").expect("a file");
    repository(&root);
    let real = env!("CARGO");
    let builds = format!(
        "#!/bin/sh\ncase \"$1\" in bench|rustc) echo $$ > '{}'; exec sleep 1000;; esac\nexec '{real}' \"$@\"\n",
        started.display()
    );
    script(&cargo, &builds);
    for (signal, store) in [("-TERM", "one"), ("-HUP", "two"), ("-INT", "three")] {
        // It is written anew.
        let _ = fs::remove_file(&started);
        let mut program = command(&["compare", "HEAD"]);
        program
            .current_dir(&root)
            .env("CARGO", &cargo)
            .env("TOURBILLON_CACHE", folder.join("cache"))
            .env("TOURBILLON_STORE", folder.join(store));
        ends(program, signal, &started);
    }
}

/// An interrupted query is no answer: no revision, no repository, no record to keep.
#[test]
fn a_query_of_git_does_not_outlive_its_command() {
    let folder = Folder::new("interrupted-git");
    let [root, programs, started] = ["root", "programs", "started"].map(|name| folder.join(name));
    fs::create_dir(&root).expect("a folder");
    fs::create_dir(&programs).expect("a folder");
    repository(&root);
    let queried = format!(
        "#!/bin/sh\necho $$ > '{}'\nexec sleep 1000\n",
        started.display()
    );
    script(&programs.join("git"), &queried);
    let path = std::env::var("PATH").expect("a search path");
    for (words, signal) in [
        (&["history", "prune", "--last", "1"][..], "-TERM"),
        (&["history", "log", "sort"], "-INT"),
        (&["compare", "HEAD~1"], "-TERM"),
    ] {
        let _ = fs::remove_file(&started);
        let mut program = command(words);
        program
            .current_dir(&root)
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("TOURBILLON_CACHE", folder.join("cache"))
            .env("TOURBILLON_STORE", folder.join("store"));
        ends(program, signal, &started);
    }
}
