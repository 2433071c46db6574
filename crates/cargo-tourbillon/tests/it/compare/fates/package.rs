//! A package whose cases behave as a variable demands, in a certain process: builds that differ in
//! nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tourbillon_record::Run;

use crate::facade_build::{PROFILE, cached, lend, target_of};
use crate::folder::Folder;
use crate::pipe::Pipe;
use crate::program::{Ran, command};

/// What it uses of the facade.
const FEATURES: &str = "\"mem\"";

/// FATE is `WHAT`, or `WHAT:N`: in the N-th process of this build that runs the case `doomed`.
const BENCH: &str = r#"
use std::io::Write;
use tourbillon::{Bencher, hide};

#[cfg(not(feature = "bare"))]
#[global_allocator]
static ALLOC: tourbillon::mem::Meter = tourbillon::mem::Meter::system();

fn main() -> std::process::ExitCode { tourbillon::main() }

fn fate() -> String { std::env::var("FATE").unwrap_or_default() }

fn file(name: &str) -> std::path::PathBuf {
    std::path::Path::new(&std::env::var_os("FATES").expect("a folder")).join(name)
}

#[tourbillon::bench]
fn steady(b: Bencher<'_>) {
    b.iter(|| vec![0_u8; hide(64)]);
}

/// More and more allocations, up to twenty, and by chance one or two more: rows are far apart, and
/// none is like another.
#[tourbillon::bench]
fn varying(b: Bencher<'_>) {
    let chance = std::hash::RandomState::new();
    let mut calls = 0_u64;
    b.iter(move || {
        calls += 1;
        let by_chance = std::hash::BuildHasher::hash_one(&chance, calls) % 3;
        let more = (calls / 50).min(20) + by_chance;
        (0..more).map(|n| hide(vec![n; 8]).len()).sum::<usize>()
    });
}

/// A hundred times slower, and greedier, in a build with a fate.
#[tourbillon::bench]
fn greedy(b: Bencher<'_>) {
    let more = !fate().is_empty();
    b.iter(|| {
        let steps = if more { 10_000 } else { 100 };
        let sum: u64 = (0..hide(steps)).sum();
        (sum, vec![0_u8; hide(64)], more.then(|| vec![0_u8; hide(128)]))
    });
}

#[tourbillon::bench]
fn doomed(b: Bencher<'_>) {
    let fate = fate();
    let (what, at) = fate.split_once(':').unwrap_or((&fate, ""));
    let mut met = !what.is_empty();
    let mut steps = 100;
    if let Ok(at) = at.parse::<u64>() {
        let starts = file("starts");
        let mut starts = std::fs::File::options().create(true).append(true).open(starts).expect("a file");
        starts.write_all(b"+").expect("a byte");
        let number = starts.metadata().expect("its length").len();
        met = number == at;
        // Now faster, now slower: never decided.
        steps = if number % 2 == 0 { 10 } else { 1_000 };
    }
    let mut calls = 0_u64;
    b.iter(|| {
        calls += 1;
        if met && calls == 100 {
            happen(what);
        }
        (0..hide(steps)).sum::<u64>()
    });
}

fn happen(what: &str) {
    match what {
        "waits" => {
            let mut pipe = std::fs::File::options().write(true).open(file("arrived")).expect("a pipe");
            write!(pipe, "{}", std::process::id()).expect("a reader");
            drop(pipe);
            loop { std::thread::park() }
        }
        "panics" => panic!("no luck"),
        "prints" => println!("{{\"type\":\"bye\"}} and more"),
        "exits" => std::process::exit(7),
        _ => {}
    }
}

/// Hangs in a build whose fate it is, and has a timeout.
#[tourbillon::bench(timeout = "1s")]
fn watched(b: Bencher<'_>) {
    let hangs = fate() == "hangs";
    b.iter(|| {
        while hangs {
            std::thread::park();
        }
        hide(1)
    });
}

#[tourbillon::bench]
fn refuses() -> Result<u64, String> {
    if fate() == "refuses" { Err("by design".to_owned()) } else { Ok(hide(1)) }
}

/// The list has two.
fn numbers() -> Vec<u64> {
    let listing = std::env::args().any(|word| word == "--list");
    if listing || fate() != "forgets" { vec![1, 2] } else { vec![1] }
}

#[tourbillon::bench(args = numbers())]
fn listed(n: u64) -> u64 { hide(n) }

/// Work that takes a hundred times longer in a build with a fate.
fn work() -> impl FnMut() -> u64 {
    let steps: u64 = if fate().is_empty() { 2_000 } else { 200_000 };
    move || (0..hide(steps)).sum()
}

#[tourbillon::bench(clock = cpu)]
fn computed(b: Bencher<'_>) { b.iter(work()); }

#[tourbillon::bench]
fn cold(b: Bencher<'_>) { b.isolated().iter(work()); }

/// Isolated in a build with a fate only, or in one without.
#[tourbillon::bench(args(without = [true, false]))]
fn seldom(b: Bencher<'_>, without: bool) {
    let b = if fate().is_empty() == without { b.isolated() } else { b };
    b.iter(|| hide(1));
}

/// Touches four new pages, eight in a build with a fate.
#[tourbillon::bench]
fn touching(b: Bencher<'_>) {
    let pages = if fate().is_empty() { 4 } else { 8 };
    b.iter(|| touch(hide(pages)));
}

#[cfg(not(target_os = "linux"))]
fn touch(_pages: usize) {}

#[cfg(target_os = "linux")]
fn touch(pages: usize) {
    unsafe extern "C" {
        fn mmap(at: *mut u8, length: usize, access: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
        fn munmap(at: *mut u8, length: usize) -> i32;
    }
    // Private and of no file.
    let start = unsafe { mmap(std::ptr::null_mut(), 4096 * pages, 3, 0x22, -1, 0) };
    for page in 0..pages {
        unsafe { start.add(4096 * page).write_volatile(1) };
    }
    unsafe { munmap(start, 4096 * pages) };
}
"#;

pub(super) struct Fates {
    arrived: Pipe,
    folder: Folder,
}

impl Fates {
    pub(super) fn new() -> Fates {
        let folder = Folder::new("compare-fates");
        let fates = Fates {
            arrived: Pipe::make(folder.join("arrived")),
            folder,
        };
        let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tourbillon");
        let package = fates.package();
        for folder in ["benches", "src"] {
            fs::create_dir_all(package.join(folder)).expect("a folder");
        }
        let manifest = format!(
            "[package]\nname = \"fates\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             {PROFILE}[features]\nbare = []\n[[bench]]\nname = \"met\"\nharness = false\n\
             [dev-dependencies]\ntourbillon = {{ path = {facade:?}, features = [{FEATURES}] }}\n"
        );
        fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
        fs::write(package.join("src/lib.rs"), "").expect("a library");
        fs::write(package.join("benches/met.rs"), BENCH).expect("a bench");
        let cached = cached(&fates.cache(), &package);
        lend(FEATURES, &package.join("target"));
        lend(FEATURES, &target_of(&cached, "variations", &package));
        fates
    }

    pub(super) fn package(&self) -> PathBuf {
        self.folder.join("package")
    }

    fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    pub(super) fn store(&self) -> PathBuf {
        self.folder.join("store")
    }

    /// `compare` with a build of another fate, brief unless the arguments have `--time`.
    fn command(&self, setting: &str, arguments: &[&str], filters: &[&str]) -> Command {
        let _ = fs::remove_file(self.folder.join("starts"));
        let _ = fs::remove_dir_all(self.store());
        let folder = self.store();
        let store = folder.to_str().expect("a path");
        let mut words = vec!["tourbillon", "compare", "--with", setting];
        words.extend([
            "--offline",
            "--profile",
            "dev",
            "--layouts",
            "1",
            "--seed",
            "7",
        ]);
        words.extend(["--store", store]);
        if !arguments.contains(&"--time") {
            words.extend(["--time", "1ms"]);
        }
        words.extend(arguments);
        words.push("--");
        words.extend(filters);
        let mut command = command(&words);
        for name in [
            "TOURBILLON_STORE",
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_TARGET_DIR",
            "FATE",
        ] {
            command.env_remove(name);
        }
        command
            .env("TOURBILLON_CACHE", self.cache())
            .env("CARGO_TERM_COLOR", "never")
            .env("FATES", &*self.folder)
            .current_dir(self.package());
        command
    }

    pub(super) fn compare(&self, setting: &str, arguments: &[&str], filters: &[&str]) -> Ran {
        let output = self.command(setting, arguments, filters).output();
        output.expect("the program starts").into()
    }

    pub(super) fn start(&self, setting: &str, arguments: &[&str], filters: &[&str]) -> Child {
        let mut command = self.command(setting, arguments, filters);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Waits for the worker that waits; its process id.
    pub(super) fn arrived(&self) -> String {
        self.arrived.read()
    }

    /// The record of the last comparison.
    pub(super) fn record(&self) -> Run {
        let folder = self.store().join("comparisons/runs/fates/met");
        let entries = fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let file = paths
            .into_iter()
            .find(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
        Run::parse(&fs::read_to_string(file.expect("a record")).expect("a file")).expect("a run")
    }
}
