"""Pairs of builds of `mill`, each with a known reason for another time.

Each is a name, which is that of its case too, what the second build changes, the classes that are right, the functions of
which one is to come first (a part of the name; the changed one, or one that only the changed line calls), and what
replaces what in which files. Files below vendor/ are those of crates from the registry.
"""

MANIFEST, BENCH = "Cargo.toml", "pairs.rs"
MORE, SAME = ("more work",), ("same work, slower",)

POISON = """
struct Poisoning;

// SAFETY: all memory is the system's.
unsafe impl std::alloc::GlobalAlloc for Poisoning {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        let memory = unsafe { std::alloc::System.alloc(layout) };
        for at in 0..if memory.is_null() { 0 } else { layout.size() } {
            unsafe { memory.add(at).write_volatile(0xA5) };
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: std::alloc::Layout) {
        for at in 0..layout.size() {
            unsafe { memory.add(at).write_volatile(0x5A) };
        }
        unsafe { std::alloc::System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Poisoning = Poisoning;

fn bytes("""


def own(name, *replacements):
    return [(f"src/{name}.rs", old, new) for old, new in replacements]


PAIRS = [
    ("bounds", "checks of bounds are back (adler2)", MORE, ("adler2",),
     [("vendor/adler2/src/algo.rs", "in remainder_chunk.chunks_exact(4)", "in remainder_chunk.chunks(4)")]),
    ("vectors", "an early end: no vectors", MORE, ("vectors::brighter",),
     own("vectors", ("        *point =", "        if *point == 0 {\n            break;\n        }\n        *point ="))),
    ("inline", "no longer inlined (siphasher)", MORE, ("c_rounds",),
     [("vendor/siphasher/src/sip.rs",
       "impl Sip for Sip13Rounds {\n    #[inline]", "impl Sip for Sip13Rounds {\n    #[inline(never)]")]),
    ("hash", "another hash function (foldhash)", MORE, ("hash::found", "Hasher", "hash_one", "sip"),
     own("hash", ("foldhash::fast::FixedState", "std::hash::BuildHasherDefault<std::hash::DefaultHasher>"))),
    ("spill", "an allocation in the loop (smallvec)", ("allocations",), ("spill::lengths", "smallvec"),
     own("spill", ("; 16]", "; 4]"))),
    ("clone", "clones (semver)", ("allocations",), ("clone::newest", "semver"),
     own("clone", ("= &all[0]", "= all[0].clone()"), ("version > newest", "*version > newest"),
         ("newest = version;", "newest = version.clone();"))),
    ("chain", "one chain in place of two", SAME, ("chain::mixed",), own("chain", ("other = (other ^ p", "one = (one ^ p"))),
    ("cache", "a table beyond the first cache", SAME, ("cache::",), own("cache", ("1 << 11", "1 << 16"))),
    ("branches", "branches that nothing predicts", SAME, ("branches::",), own("branches", ("        all.sort_unstable();\n", ""))),
    ("pages", "memory that is always new", ("page faults",), ("pages::",), own("pages", ("RING: usize = PIECE", "RING: usize = 1 << 30"))),
    ("lock", "a lock for each number", ("costlier instructions", MORE[0]), ("lock::added",),
     own("lock", ("    let mut sum = total.lock().unwrap();\n", ""),
         ("{\n        *sum =", "{\n        let mut sum = total.lock().unwrap();\n        *sum ="))),
    ("write", "a system call per op", ("system calls",), ("write::logged",),
     own("write", ("Log = BufWriter<File>", "Log = File"), ("BufWriter::new(file)", "file"), ("{BufWriter, Write}", "Write"))),
    ("assertion", "an assertion", MORE, ("assertion::find",), own("assertion", ("debug_assert!", "assert!"))),
    ("allocator", "another allocator", ("allocations",), ("Poisoning", "alloc"), [(BENCH, "\nfn bytes(", POISON)]),
    ("level", "opt-level = 1", ("built otherwise",), ("level::", "core::iter", "Iterator"),
     [(MANIFEST, 'debug = "line-tables-only"', 'debug = "line-tables-only"\nopt-level = 1')]),
    ("version", "indexmap 1.9 in place of 2.14", MORE, ("version::", "indexmap", "Hasher", "hash"),
     [(MANIFEST, "=2.14.2", "=1.9.3")]),
    ("placement", "a loop across a line of the cache", SAME, ("placement::",), own("placement", (".skip 62", ".skip 57"))),
    ("sleep", "a pause between attempts", ("waiting",), ("sleep::",),
     own("sleep", ("        spin();", "        std::thread::sleep(std::time::Duration::from_micros(1));"))),
    ("format", "formatting in place of itoa", MORE, ("format::", "fmt"),
     own("format", ("    let mut buffer = itoa::Buffer::new();\n", "    use std::fmt::Write;\n"),
         ("text.push_str(buffer.format(*number))", 'write!(text, "{number}").unwrap()'))),
    ("structure", "a list in place of a set (hashbrown)", MORE, ("structure::known",),
     own("structure", ("HashSet<u32, foldhash::fast::FixedState>", "Vec<u32>"), ("use std::collections::HashSet;\n\n", ""))),
    ("repeated", "the same work in each round (memchr)", MORE, ("repeated::", "memchr"),
     own("repeated", ("    let finder = Finder::new(word);\n", ""), ("finder.find(", "Finder::new(word).find("))),
    ("division", "a remainder in place of a mask", ("costlier instructions",), ("division::",),
     own("division", ("(at ^ key) & (size - 1)", "(at ^ key) % size"))),
    ("recursion", "calls in place of a loop", MORE, ("recursion::",),
     own("recursion", (
         "    let mut sum = 7_u32;\n    for byte in bytes.iter().rev() {\n        sum = sum.rotate_left(5) ^ u32::from(*byte);\n    }\n    sum\n",
         "    match bytes {\n        [] => 7,\n        [byte, rest @ ..] => checksum(rest).rotate_left(5) ^ u32::from(*byte),\n    }\n"))),
    ("copy", "a copy of 32 KiB", ("costlier instructions",), ("copy::",), own("copy", ("let own = picture;", "let own = &picture.clone();"))),
]
