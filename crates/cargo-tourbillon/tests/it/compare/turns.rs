//! Two programs at once, and one that is interrupted.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::shop::{Prepared, Shop};
use super::twins::twins;
use crate::folder::script;
use crate::pipe::Pipe;
use crate::program::Ran;

/// A cargo that stops before a subcommand until a file lets it continue; `objects` is its second call for executables.
pub(crate) struct Stopping {
    program: PathBuf,
    arrived: Pipe,
    go: Pipe,
}

impl Stopping {
    pub(crate) fn at(shop: &Shop, subcommand: &str) -> Stopping {
        let pipe = |name: &str| {
            let path = shop.folder.join(format!("{name}-{subcommand}"));
            // Of an earlier one.
            let _ = fs::remove_file(&path);
            Pipe::make(path)
        };
        let stopping = Stopping {
            program: shop.folder.join(format!("cargo-{subcommand}")),
            arrived: pipe("arrived"),
            go: pipe("go"),
        };
        let text = format!(
            "#!/bin/sh\nsubcommand=$1\ncase \"$*\" in *rustc-wrapper*) subcommand=objects ;; esac\n\
             if [ \"$subcommand\" = {subcommand} ]; then echo here > {:?}; read line < {:?}; fi\n\
             exec {:?} \"$@\"\n",
            stopping.arrived.path(),
            stopping.go.path(),
            env!("CARGO")
        );
        script(&stopping.program, &text);
        stopping
    }

    /// Waits until it has stopped.
    pub(crate) fn wait(&self) {
        assert_eq!(self.arrived.read(), "here\n");
    }

    fn go_on(&self) {
        self.go.write("go\n");
    }

    /// `compare` that stops.
    fn compare(&self, shop: &Shop, words: &[&str]) -> Child {
        self.start(shop, &[&COMPARE, words].concat())
    }

    /// The program that stops, in a process group of its own.
    pub(crate) fn start(&self, shop: &Shop, words: &[&str]) -> Child {
        let mut command = shop.command("", words);
        command.env("CARGO", &self.program).process_group(0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }
}

const COMPARE: [&str; 10] = [
    "compare",
    "--build-only",
    "--offline",
    "--profile",
    "dev",
    "--layouts",
    "2",
    "--format",
    "jsonl",
    "--bench=speed",
];

/// Adds a new case, so that the build is not in the cache.
fn change(shop: &Shop, name: &str) {
    let file = shop.repository().join("shop/benches/speed.rs");
    let text = fs::read_to_string(&file).expect("a file");
    let case = format!("#[tourbillon::bench]\nfn {name}() -> u64 {{ 1 }}\n");
    fs::write(file, text + &case).expect("a file");
}

pub(super) fn one_waits_for_the_other(shop: &Shop) {
    let stopping = Stopping::at(shop, "bench");
    let first = stopping.compare(shop, &["v1"]);
    stopping.wait();
    let mut command = shop.command("", &[&COMPARE[..], &["v2"]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut second = command.spawn().expect("the program starts");
    let mut stderr = BufReader::new(second.stderr.take().expect("a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("a line");
    assert_eq!(
        line,
        "waiting: another cargo tourbillon is building this repository\n"
    );
    stopping.go_on();
    let others = std::thread::spawn(move || {
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).expect("text");
        rest
    });
    // It takes what the first one has built: cargo, which would stop, starts no more.
    let first = Prepared::of(&first.wait_with_output().expect("it ends").into());
    let second = Prepared::of(&second.wait_with_output().expect("it ends").into());
    others.join().expect("it is read");
    assert_eq!(first.path(1, 0), second.path(1, 0));
    assert_ne!(first.path(0, 0), second.path(0, 0));
}

/// Sends SIGINT to the process group of a program, as Ctrl-C does, and waits until it ends.
pub(crate) fn interrupt(child: &mut Child) {
    let group = format!("-{}", child.id());
    let status = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(status.expect("kill starts").success());
    if !ends(child) {
        let status = Command::new("kill").args(["-KILL", "--", &group]).status();
        assert!(status.expect("kill starts").success());
        panic!(
            "SIGINT has no effect: where tests run with `nohup` or in the background it is ignored"
        );
    }
}

/// Whether a program ends in a minute.
fn ends(child: &mut Child) -> bool {
    for _ in 0..600 {
        if child.try_wait().expect("it is ours").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

pub(super) fn interrupted_while_building(shop: &Shop) {
    change(shop, "interrupted");
    let before = shop.snapshot();
    // While a folder of the cache is being filled.
    let stopping = Stopping::at(shop, "objects");
    let mut child = stopping.compare(shop, &["v2"]);
    stopping.wait();
    let unfinished = || {
        let builds = fs::read_dir(shop.cache().join("builds")).expect("a folder");
        builds
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.starts_with("unfinished-"))
            .count()
    };
    assert_eq!(unfinished(), 1);
    interrupt(&mut child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    assert!(before == shop.snapshot(), "something was written");

    let prepared = shop.prepared(&["v2", "--bench", "speed"]);
    assert_eq!(prepared.cases(0).len(), 2);
    assert_eq!(unfinished(), 0);
}

/// While the working tree is built, and its reference waits to be measured.
#[test]
fn what_a_comparison_uses_is_not_removed_under_it() {
    let shop = twins("compare-removed", ["one"]);
    let stopping = Stopping::at(&shop, "bench");
    let mut command = shop.command("one", &[&COMPARE[..], &["v1"]].concat());
    command.env("CARGO", &stopping.program);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    stopping.wait();
    stopping.go_on();
    stopping.wait();
    let removed = || -> Ran {
        let command = shop.command("one", &["cache", "--remove", "all"]).output();
        command.expect("the program starts").into()
    };
    let beside = removed();
    assert_eq!(beside.code, Some(0), "{beside:?}");
    assert!(beside.stderr.contains("\"v1 ("), "{beside:?}");
    let stay = "\" is used by another cargo tourbillon and stays; remove it when that has ended\n";
    // The build and the clone.
    assert!(beside.stderr.matches(stay).count() >= 2, "{beside:?}");
    stopping.go_on();
    // Once objects are there, cargo is asked again.
    stopping.wait();
    stopping.go_on();
    let prepared = Prepared::of(&child.wait_with_output().expect("it ends").into());
    assert!(Path::new(prepared.path(0, 0)).is_file());
    let after = removed();
    assert!(!after.stderr.contains("stays"), "{after:?}");
    assert!(!Path::new(prepared.path(0, 0)).exists());
}
