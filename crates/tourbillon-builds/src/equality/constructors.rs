//! The order in which a system calls constructors, before `main`, and destructors.
//!
//! A linker sorts them by the numbers in the names of their sections, and does not where sections are kept apart. So their
//! order is that of the program that runs.

use std::collections::HashMap;

use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};

/// The sections with their addresses, which linkers put together.
const LISTS: [&str; 5] = [
    ".preinit_array",
    ".init_array",
    ".ctors",
    ".dtors",
    ".fini_array",
];

/// What registers a benchmark is called in any order.
const REGISTERS: &str = "__TOURBILLON_CONSTRUCTOR";

/// Whether two executables call those that both have in the same order.
pub(super) fn have_same_order(files: [&[u8]; 2]) -> bool {
    let [Some(one), Some(other)] = files.map(called) else {
        return false;
    };
    let common = |own: &[String], other: &[String]| -> Vec<String> {
        let common = own.iter().filter(|name| other.contains(name));
        common.cloned().collect()
    };
    common(&one, &other) == common(&other, &one)
}

/// Their names, in the order of their lists; `None` where one is not known.
fn called(file: &[u8]) -> Option<Vec<String>> {
    let elf = ElfFile64::<LittleEndian>::parse(file).ok()?;
    let mut written = HashMap::new();
    for (at, relocation) in elf.dynamic_relocations().into_iter().flatten() {
        if relocation.target() == RelocationTarget::Absolute {
            written.insert(at, relocation.addend() as u64);
        }
    }
    let functions = elf
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text);
    let names: HashMap<u64, &str> = functions
        .filter_map(|function| Some((function.address(), function.name().ok()?)))
        .collect();
    let mut called = Vec::new();
    for section in elf.sections() {
        let list = section.name().ok()?;
        if !LISTS.contains(&list) {
            continue;
        }
        for (number, word) in section.data().ok()?.chunks_exact(8).enumerate() {
            let at = section.address() + 8 * number as u64;
            let value = u64::from_le_bytes(word.try_into().ok()?);
            let function = written.get(&at).copied().unwrap_or(value);
            // The ends of lists.
            if [0, u64::MAX].contains(&function) {
                continue;
            }
            let name = names.get(&function)?;
            if !name.contains(REGISTERS) {
                called.push(format!("{list} {name}"));
            }
        }
    }
    Some(called)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    const TWO: &str = r#"
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
static LAST: AtomicU64 = AtomicU64::new(0);
#[unsafe(no_mangle)] extern "C" fn one() { LAST.store(1, Relaxed); }
#[unsafe(no_mangle)] extern "C" fn two() { LAST.store(2, Relaxed); }
#[used] #[unsafe(link_section = ".init_array.ONE")] static ONE: extern "C" fn() = one;
#[used] #[unsafe(link_section = ".init_array.TWO")] static TWO: extern "C" fn() = two;
fn main() { std::process::exit(LAST.load(Relaxed) as i32 + MORE); }
"#;

    #[test]
    fn constructors_have_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = |name: &str, [one, two]: [&str; 2], more: &str, flags: &[&str]| {
            let text = TWO.replace("array.ONE", &format!("array.{one}"));
            let text = text.replace("array.TWO", &format!("array.{two}"));
            let source = folder.path().join(name).with_extension("rs");
            fs::write(&source, text.replace("MORE", more)).expect("a file");
            let mut rustc = Command::new("rustc");
            rustc
                .args(["--edition=2024", "-O"])
                .args(flags)
                .arg(&source);
            let built = rustc.current_dir(folder.path()).status();
            assert!(built.expect("rustc starts").success());
            fs::read(folder.path().join(name)).expect("a program")
        };
        let first = program("first", ["00200", "00100"], "0", &[]);
        let same = program("same", ["00300", "00200"], "5", &[]);
        let other = program("other", ["00200", "00300"], "0", &[]);
        let stripped = program("stripped", ["00200", "00100"], "0", &["-Cstrip=symbols"]);
        let of_first = called(&first).expect("names");
        let of_us: Vec<&str> = of_first
            .iter()
            .filter_map(|name| name.strip_prefix(".init_array "))
            .filter(|name| ["one", "two"].contains(name))
            .collect();
        assert_eq!(of_us, ["two", "one"]);
        assert!(have_same_order([&first, &same]));
        assert!(!have_same_order([&first, &other]));
        assert!(!have_same_order([&first, &stripped]));
    }
}
