//! Signals to the program alone, as supervisors send them: those that it starts get none.

use std::fs;
use std::path::{Path, PathBuf};
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
    let code = (signal != "-KILL").then_some(130);
    assert_eq!(status.code(), code, "{signal}");
    has_ended(&other);
}

/// A repository with a package that needs nothing, and a script that is cargo, except that it builds `builds`.
fn package_and_cargo(folder: &Folder, builds: &str) -> [PathBuf; 2] {
    let [root, cargo] = ["root", "cargo"].map(|name| folder.join(name));
    fs::create_dir_all(root.join("benches")).expect("a folder");
    fs::write(
        root.join("Cargo.toml"),
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n[lib]\npath = \"lib.rs\"\n",
    )
    .expect("a file");
    fs::write(root.join("lib.rs"), "").expect("a file");
    repository(&root);
    let real = env!("CARGO");
    let text = format!("#!/bin/sh\ncase \"$1\" in bench) {builds};; esac\nexec '{real}' \"$@\"\n");
    script(&cargo, &text);
    [root, cargo]
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
    let started = folder.join("started");
    let builds = format!("echo $$ > '{}'; exec sleep 1000", started.display());
    let [root, cargo] = package_and_cargo(&folder, &builds);
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

/// As the compilers that cargo starts do: one that went on would write into the directory of the next build.
#[cfg(target_os = "linux")]
#[test]
fn what_a_build_has_started_does_not_outlive_its_comparison() {
    let folder = Folder::new("killed-build");
    let started = folder.join("started");
    let compiler = format!("echo $$ > \"{}\"; exec sleep 1000", started.display());
    let [root, cargo] = package_and_cargo(&folder, &format!("sh -c '{compiler}'; exit 101"));
    for (signal, subcommand) in [
        ("-KILL", "compare HEAD"),
        ("-KILL", "run"),
        ("-KILL", "history backfill HEAD"),
        ("-TERM", "compare HEAD"),
    ] {
        let _ = fs::remove_file(&started);
        let words: Vec<&str> = subcommand.split(' ').collect();
        let mut program = command(&words);
        program
            .current_dir(&root)
            .env("CARGO", &cargo)
            .env("TOURBILLON_CACHE", folder.join("cache"))
            .env("TOURBILLON_STORE", folder.join("store"));
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

/// The folder with the files of a commit, which may be large, is in the cache, where it is removed another time.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_bisection_of_lock_files_leaves_nothing_among_the_temporary_files() {
    let folder = Folder::new("killed-bisection");
    let [started, temporary, cache] =
        ["started", "temporary", "cache"].map(|name| folder.join(name));
    fs::create_dir(&temporary).expect("a folder");
    let [root, cargo] = package_and_cargo(&folder, "true");
    let queried = format!(
        "#!/bin/sh\necho $$ > '{}'\nexec sleep 1000\n",
        started.display()
    );
    script(&cargo, &queried);
    for (name, version) in [("Cargo.lock", "0.1.0"), ("new.lock", "0.1.1")] {
        let text = format!(
            "version = 4\n[[package]]\nname = \"strap\"\nversion = {version:?}\nsource = \"registry+r\"\n"
        );
        fs::write(root.join(name), text).expect("a file");
    }
    let words = "history bisect sum --deps Cargo.lock new.lock";
    let words: Vec<&str> = words.split(' ').collect();
    for signal in ["-KILL", "-TERM"] {
        let _ = fs::remove_file(&started);
        let mut program = command(&words);
        program
            .current_dir(&root)
            .env("CARGO", &cargo)
            .env("TMPDIR", &temporary)
            .env("TOURBILLON_CACHE", &cache)
            .env("TOURBILLON_STORE", folder.join("store"));
        ends(program, signal, &started);
        let left = fs::read_dir(&temporary).expect("a folder").count();
        assert_eq!(left, 0, "{signal}");
    }
    let builds = || {
        fs::read_dir(cache.join("builds"))
            .expect("a folder")
            .count()
    };
    assert_eq!(builds(), 1, "that of the killed one");
    let mut pruned = command(&["cache", "--shrink", "0"]);
    pruned.env("TOURBILLON_CACHE", &cache);
    assert!(pruned.status().expect("it starts").success());
    assert_eq!(builds(), 0);
}
