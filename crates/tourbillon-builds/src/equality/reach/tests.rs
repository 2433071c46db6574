//! Programs of rustc that differ in one place, each with what is then measured.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::placement::relink::{APART, IN_ONE_SEGMENT};

/// Registers as `tourbillon` does.
const FACADE: &str = r#"
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
#[repr(C)]
pub struct Origin {
    pub package: Option<&'static str>, pub module: &'static str, pub function: &'static str,
    pub file: &'static str, pub line: u32, pub column: u32, pub compiler: &'static str,
}
#[repr(C)]
pub struct Entry {
    pub origin: Origin, pub cases: fn(u64) -> u64, pub before: AtomicPtr<Entry>,
}
static LAST: AtomicPtr<Entry> = AtomicPtr::new(std::ptr::null_mut());
impl Entry {
    pub fn register(&'static self) {
        let own = std::ptr::from_ref(self).cast_mut();
        self.before.store(LAST.swap(own, Relaxed), Relaxed);
    }
}
pub fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut next = LAST.load(Relaxed);
    while let Some(entry) = unsafe{ next.as_ref() } {
        if entry.origin.function == wanted { println!("{}", (entry.cases)(7)); }
        next = entry.before.load(Relaxed);
    }
}
#[macro_export]
macro_rules! bench {
    ($name:ident, $body:expr) => {
        const _: () = {
            static __TOURBILLON_ENTRY: $crate::Entry = $crate::Entry {
                origin: $crate::Origin {
                    package: Some("shop"), module: module_path!(), function: stringify!($name),
                    file: file!(), compiler: "", line: line!(), column: column!(),
                },
                cases: __tourbillon_cases,
                before: std::sync::atomic::AtomicPtr::new(std::ptr::null_mut()),
            };
            fn __tourbillon_cases(n: u64) -> u64 { let body: fn(u64) -> u64 = $body; body(n) }
            #[used]
            #[unsafe(link_section = ".init_array")]
            static __TOURBILLON_CONSTRUCTOR: extern "C" fn() = {
                extern "C" fn register() { __TOURBILLON_ENTRY.register(); }
                register
            };
        };
    };
}
"#;

const LIBRARY: &str = r#"
// A place for code.
use std::cell::Cell;
use std::sync::atomic::AtomicU64;
#[inline(never)]
pub fn helper(n: u64) -> u64 { n.rotate_left(3) ^ 50 }
#[inline]
pub fn inlined(n: u64) -> u64 { n.wrapping_mul(31) }
pub trait Shape: Sync { fn area(&self, n: u64) -> u64; }
pub struct Square;
pub struct Circle(pub u64);
impl Shape for Square { fn area(&self, n: u64) -> u64 { n.wrapping_mul(n) } }
impl Shape for Circle { fn area(&self, n: u64) -> u64 { n.wrapping_mul(n + 3) / self.0 } }
pub static SHAPES: [&dyn Shape; 2] = [&Square, &Circle(2)];
pub static TABLE: [u64; 4] = [11, 12, 13, 14];
#[repr(align(64))]
pub struct Line(pub Cell<u64>);
thread_local! {
    pub static LOCAL: Cell<u64> = const { Cell::new(7) };
    pub static LINE: Line = const { Line(Cell::new(0)) };
}
#[inline(never)]
pub fn largest<T: Ord + Copy>(all: &[T]) -> T { *all.iter().max().unwrap() }
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn plain(n: u64) -> u64 { n ^ 77 }
pub static ONE: AtomicU64 = AtomicU64::new(0);
pub static OTHER: AtomicU64 = AtomicU64::new(0);
#[inline(never)]
pub fn item(all: &[u64], n: u64) -> u64 { all[n as usize] + all[n as usize / 2] }
#[inline(never)]
#[track_caller]
pub fn caller() -> u64 { std::panic::Location::caller().line().into() }
pub fn text(n: u64) -> String { format!("{n} of many") }
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __start_work(n: u64) -> u64 { n ^ 21 }
#[unsafe(no_mangle)]
pub extern "C" fn first_of_all() { ONE.fetch_add(17, std::sync::atomic::Ordering::Relaxed); }
type Kept = Cell<Option<&'static std::panic::Location<'static>>>;
#[track_caller]
pub fn keep(kept: &Kept) { kept.set(Some(std::panic::Location::caller())); panic!("kept"); }
"#;

const SUITE: &str = r#"
use library::*;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
unsafe extern "C" { fn plain(n: u64) -> u64; fn __start_work(n: u64) -> u64; }
facade::bench!(helping, |n| helper(n) + 1000);
facade::bench!(inlining, |n| inlined(n));
facade::bench!(shapes, |n| black_box(&SHAPES)[n as usize % 2].area(n));
facade::bench!(table, |n| black_box(&TABLE)[n as usize % 4]);
facade::bench!(local, |n| LOCAL.get() + LINE.with(|line| line.0.replace(n)));
facade::bench!(generic, |n| largest(black_box(&[n, n / 2])));
facade::bench!(linked, |n| unsafe{ plain(n) });
facade::bench!(counting, |n| ONE.fetch_add(n, Relaxed) + OTHER.fetch_add(n, Relaxed));
facade::bench!(checked, |n| item(black_box(&[n, n, n]), n) + black_box(&[n; 3])[n as usize]);
facade::bench!(line, |n| n + black_box(u64::from(line!())));
facade::bench!(place, |n| n + caller());
facade::bench!(allocating, |n| text(n).len() as u64);
facade::bench!(started, |n| unsafe{ __start_work(n) });
facade::bench!(kept, |n| {
    let kept = std::cell::Cell::new(None);
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| keep(&kept)));
    n + kept.get().map_or(0, |place| u64::from(place.line()))
});
fn main() { facade::main() }
"#;

/// Registers nothing before `main`.
const CRITERION: &str = r#"
use library::*;
fn main() {
    let n = std::env::args().count() as u64;
    let cases: [fn(u64) -> u64; 2] = [|n| helper(n), |n| item(&[n, n, n], n)];
    println!("{}", cases[n as usize % 2](n));
}
"#;

const ALL: [&str; 14] = [
    "helping",
    "inlining",
    "shapes",
    "table",
    "local",
    "generic",
    "linked",
    "counting",
    "checked",
    "line",
    "place",
    "allocating",
    "started",
    "kept",
];

fn rustc(folder: &Path, arguments: &[&str]) {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    let output = rustc
        .args(["--edition=2024", "-O", "-Cdebuginfo=1", "-L."])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("rustc starts");
    assert!(output.status.success(), "{output:?}");
}

fn program(folder: &Path, library: &str, suite: &str) -> Vec<u8> {
    fs::write(folder.join("library.rs"), library).expect("a file");
    fs::write(folder.join("suite.rs"), suite).expect("a file");
    rustc(folder, &["--crate-type=rlib", "library.rs"]);
    rustc(
        folder,
        &[
            "suite.rs",
            "--extern=facade=libfacade.rlib",
            "--extern=library=liblibrary.rlib",
            &format!(
                "-Clink-arg={APART},{}",
                IN_ONE_SEGMENT.trim_start_matches("-Wl,")
            ),
            // Called before all else, and in no list of sections.
            "-Clink-arg=-Wl,-init=first_of_all",
        ],
    );
    fs::read(folder.join("suite")).expect("a program")
}

/// The cases that are measured; all of them with a reason for that.
fn measured(files: [&[u8]; 2]) -> (BTreeSet<String>, String) {
    let ids: Vec<String> = ALL
        .iter()
        .map(|name| format!("shop/suite::{name}"))
        .collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    match reached(files, &ids) {
        Ok(found) => {
            let reasons = found
                .iter()
                .filter_map(|(id, why)| Some((id, why.as_ref()?)));
            let name = |id: &str| id.trim_start_matches("shop/suite::").to_owned();
            let text = reasons.clone().map(|(id, why)| format!("{id}: {why}\n"));
            (
                reasons.clone().map(|(id, _)| name(id)).collect(),
                text.collect(),
            )
        }
        Err(why) => (ALL.map(str::to_owned).into(), why),
    }
}

#[test]
fn cases_that_a_change_does_not_reach_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("facade.rs"), FACADE).expect("a file");
    rustc(folder, &["--crate-type=rlib", "facade.rs"]);
    let before = program(folder, LIBRARY, SUITE);
    if memchr::memmem::find(&before, b"Linker: LLD").is_none() {
        // Compilers before 1.90 use the linker of the system.
        return;
    }
    let (found, why) = measured([&before, &before]);
    assert_eq!(found, BTreeSet::new(), "{why}");
    let comment = "// A place for code.\n// And one more line.";
    let here = "// A place for code.";
    let end = "panic!(\"kept\"); }";
    let last = "panic!(\"kept\"); }\n#[inline(never)]\npub fn last(n: u64) -> u64 { n + 5 }";
    for (from, to, expected) in [
        // In the library.
        (here, comment, &["none"][..]),
        (here, "pub fn unused(n: u64) -> u64 { n + 5 }", &["none"]),
        ("^ 50", "^ 51", &["helping"]),
        ("wrapping_mul(31)", "wrapping_mul(37)", &["inlining"]),
        ("n + 3", "n + 4", &["shapes"]),
        ("&Circle(2)", "&Circle(5)", &["shapes"]),
        ("13, 14", "13, 15", &["table"]),
        ("Cell::new(7)", "Cell::new(8)", &["local"]),
        (".max()", ".min()", &["generic"]),
        ("n ^ 77", "n ^ 78", &["linked"]),
        ("n ^ 21", "n ^ 22", &["started"]),
        (
            "OTHER: AtomicU64 = AtomicU64::new(0)",
            "OTHER: AtomicU64 = AtomicU64::new(1)",
            &["counting"],
        ),
        ("all[n as usize / 2]", "all[n as usize / 4]", &["checked"]),
        ("of many", "of more", &["allocating"]),
        ("fn helper", "fn renamed", &["none"]),
        // What was the last function of an object has less padding in its rules for unwinding.
        (end, last, &["none"]),
        ("align(64)", "align(128)", &ALL),
        // In the suite.
        (
            "use library::*;",
            "// More.\n// And more.\nuse library::*;",
            &["line", "place", "kept"],
        ),
        ("+ 1000", "+ 1001", &["helping"]),
        ("OTHER.fetch_add", "ONE.fetch_add", &["counting"]),
        ("[n, n / 2]", "[n, n / 3]", &["generic"]),
        ("fn main", "static EARLY: () = ();\nfn main", &["none"]),
    ] {
        let replaced = |text: &str| text.replace(from, to);
        let suite = replaced(SUITE).replace(
            "helper(",
            if to == "fn renamed" {
                "renamed("
            } else {
                "helper("
            },
        );
        let after = program(folder, &replaced(LIBRARY), &suite);
        let (found, why) = measured([&before, &after]);
        let expected = expected.iter().filter(|name| **name != "none");
        let expected: BTreeSet<String> = expected.map(|name| (*name).to_owned()).collect();
        assert_eq!(found, expected, "{from} -> {to}: {why}");
    }
    for (from, to) in [
        (
            "fn main",
            "#[used]\n#[unsafe(link_section = \".init_array\")]\nstatic EARLY: extern \"C\" fn() = { extern \"C\" fn early() { println!(); } early };\nfn main",
        ),
        (
            "fn main",
            "struct Own;\nunsafe impl std::alloc::GlobalAlloc for Own {\nunsafe extern \"Rust\" fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 { unsafe{ std::alloc::System.alloc(layout) } }\nunsafe extern \"Rust\" fn dealloc(&self, at: *mut u8, layout: std::alloc::Layout) { unsafe{ std::alloc::System.dealloc(at, layout) } } }\n#[global_allocator]\nstatic OWN: Own = Own;\nfn main",
        ),
        ("fn main() { ", "fn main() { println!(\"more\"); "),
        ("fetch_add(17", "fetch_add(18"),
    ] {
        let after = program(folder, &LIBRARY.replace(from, to), &SUITE.replace(from, to));
        let (found, why) = measured([&before, &after]);
        assert_eq!(found.len(), ALL.len(), "{to}: {why}");
    }
    // A hook may read the line of a check that failed.
    let hook =
        "fn main() { std::panic::set_hook(Box::new(|info| { black_box(info.location()); })); ";
    let hooked = SUITE.replace("fn main() { ", hook);
    let before = program(folder, LIBRARY, &hooked);
    let after = program(folder, &LIBRARY.replace(here, comment), &hooked);
    let (found, why) = measured([&before, &after]);
    assert!(found.contains("checked"), "{why}");
    let before = program(folder, LIBRARY, CRITERION);
    for (from, to, expected) in [
        (here, comment, 0),
        (here, "pub fn unused(n: u64) -> u64 { n + 5 }", 0),
        ("13, 14", "13, 15", 0),
        ("^ 50", "^ 51", ALL.len()),
    ] {
        let after = program(folder, &LIBRARY.replace(from, to), CRITERION);
        let (found, why) = measured([&before, &after]);
        assert_eq!(found.len(), expected, "{from} -> {to}: {why}");
    }
}
