"""Edits of `works`: hostile ones change what cases do, harmless ones do not.

Each is a name, the cases that it touches, and what it replaces in which files; a whole file where nothing is replaced.
A hostile edit shall leave no case *unchanged* that it touches; a harmless one all cases that it does not touch.
"""

PARTS, WHEELS, DIAL, LIB = "parts/src/lib.rs", "parts/src/wheels.rs", "dial/src/lib.rs", "src/lib.rs"
WORK, OTHER, TOOLS, MANIFEST = "benches/work.rs", "benches/other.rs", "tools/src/lib.rs", "Cargo.toml"
ALL = None
NONE = ()
OF_FAR = ("far", "with_argument[n=3]", "with_argument[n=4]")
OF_LINES = ("line", "caller")
OF_INPUT = (
    "far", "wheels", "inlined", "generic", "by_name", "jumps", "texts", "default_method", "by_macro", "assembled", "dialled",
    "turned", "closure",
)
MAIN = "fn main() -> ExitCode {\n"
ALLOCATOR = """struct Own;
unsafe impl std::alloc::GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        unsafe { std::alloc::System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: std::alloc::Layout) {
        unsafe { std::alloc::System.dealloc(at, layout) }
    }
}
#[global_allocator]
static ALLOCATOR: Own = Own;

"""
EARLY = """
#[used]
#[unsafe(link_section = ".init_array")]
static EARLY: extern "C" fn() = {
    extern "C" fn early() {
        COUNTER.fetch_add(1, Ordering::Relaxed);
    }
    early
};
"""


def profile(line):
    return [(MANIFEST, "# Built fast: its times are not reported.", f"[profile.bench]\n{line}\n\n# Built fast: its times are not reported.")]


def script(line):
    return [("build.rs", '    println!("cargo:rerun', f'    println!("{line}");\n    println!("cargo:rerun')]


HOSTILE = [
    ("a constant far away", OF_FAR, [(PARTS, "1_234_577", "1_234_579")]),
    ("what a called function calls", OF_FAR, [(PARTS, "n ^ FAR", "n | FAR")]),
    ("a called function", OF_FAR, [(PARTS, "rotate_left(5)", "rotate_left(6)")]),
    ("a function of a vtable", ("wheels",), [(WHEELS, "n + 3", "n + 4")]),
    ("another function of a vtable", ("wheels",), [(WHEELS, "wrapping_mul(8)", "wrapping_mul(9)")]),
    ("a value behind a vtable", ("wheels",), [(WHEELS, "&Large(2)", "&Large(3)")]),
    ("the order of a table of objects", ("wheels",), [(WHEELS, "[&Small, &Large(2)]", "[&Large(2), &Small]")]),
    ("an inlined helper", ("inlined",), [(PARTS, "wrapping_mul(31)", "wrapping_mul(33)")]),
    ("the end of an inlined helper", ("inlined",), [(PARTS, "^ 3\n", "^ 4\n")]),
    ("a generic of another crate", ("generic",), [(PARTS, ".copied().max()", ".copied().min()")]),
    ("what a generic gets", ("generic",), [(WORK, "[1, INPUT, 3]", "[1, INPUT, 4]")]),
    ("a static's initialiser", ("statics",), [(PARTS, "AtomicU64::new(17)", "AtomicU64::new(18)")]),
    ("a thread-local", ("local", "dropped"), [(PARTS, "Cell::new(23)", "Cell::new(24)")]),
    ("a function that is linked by name", ("by_name",), [(PARTS, "wrapping_sub(41)", "wrapping_sub(42)")]),
    *(
        (f"an arm of a table of jumps: {new}", ("jumps",), [(PARTS, f"=> {old},", f"=> {new},")])
        for old, new in [
            ("n / 3", "n / 5"), ("n * 5", "n * 6"), ("n ^ 7", "n ^ 9"), ("n << 2", "n << 3"),
            ("n.rotate_left(9)", "n.rotate_left(10)"), ("n & 0xFF", "n & 0x7F"),
        ]
    ),
    ("a float", ("floats",), [(PARTS, "1.0625", "1.0626")]),
    ("another float", ("floats",), [(PARTS, "+ 0.5", "+ 0.75")]),
    ("a text", ("texts",), [(PARTS, "of many", "of more")]),
    ("the length of a text", ("texts",), [(PARTS, '"wheel {n}', '"wheels {n}')]),
    ("what is dropped", ("dropped",), [(PARTS, "self.0 & 0", "self.0")]),
    ("what dropping does to a thread-local", ("dropped",), [(PARTS, "local.get() ^ 1", "local.get() ^ 2")]),
    ("a default method", ("default_method",), [(PARTS, "wrapping_mul(29)", "wrapping_mul(30)")]),
    ("a method in place of the default",
     ("default_method",),
     [(PARTS, "impl Turning for Winding {}", "impl Turning for Winding {\n    fn turned(&self, n: u64) -> u64 {\n        n + self.0\n    }\n}")]),
    ("an argument of a constant function", ("computed",), [(PARTS, "computed(12)", "computed(13)")]),
    ("a constant function", ("computed",), [(PARTS, "{ 1 } else", "{ 2 } else")]),
    ("an argument of a macro", ("by_macro",), [(PARTS, "steps!(stepped, 6)", "steps!(stepped, 7)")]),
    ("a macro", ("by_macro",), [(PARTS, "sum.rotate_left(1) ^ step", "sum.rotate_left(2) ^ step")]),
    ("the line of a call", ("caller", "line"), [(WORK, "const INPUT", "// More.\nconst INPUT")]),
    ("the line of line!()", ("line",), [(WORK, "#[bench]\nfn line", "// More.\n#[bench]\nfn line")]),
    ("a checked access", ("checked",), [(PARTS, "all[at / 2]", "all[at / 3]")]),
    ("a weak symbol", ("weak",), [(PARTS, "mov $51", "mov $52")]),
    ("what a resolver chooses", ("resolved",), [(PARTS, "mov $61", "mov $62")]),
    ("a resolver", ("resolved",), [(PARTS, '"lea parts_first(%rip), %rax",', '"nop",\n    "lea parts_first(%rip), %rax",')]),
    ("inline assembly", ("assembled",), [(PARTS, "+ 71]", "+ 72]")]),
    ("a constant of a dependency", ("dialled",), [(DIAL, "{ 60 }", "{ 61 }")]),
    ("an inlined function of a dependency", ("dialled",), [(DIAL, "wrapping_add(9)", "wrapping_add(10)")]),
    ("a dependency's feature", ("dialled",), [(MANIFEST, 'path = "dial" }', 'path = "dial", features = ["fine"] }')]),
    ("a dependency's default feature", ("dialled",), [("dial/Cargo.toml", "default = []", 'default = ["fine"]')]),
    ("what a build script writes", ("built",), [("build.rs", "[3_u64, 5, 7]", "[3_u64, 6, 7]")]),
    ("what a build script sets", ("turned",), [("build.rs", ", 40)", ", 50)")]),
    ("a file that is included", ("embedded",), [("texts/words.txt", "hairspring", "hairsprings")]),
    ("a file that is read", ("reading",), [("times/noon.txt", "twelve", "midday")]),
    ("a new file in a folder that is listed", ("reading",), [("times/dawn.txt", None, "six\n")]),
    ("a closure", ("closure",), [(WORK, "wrapping_mul(19)", "wrapping_mul(21)")]),
    ("what a closure has", ("closure",), [(WORK, "black_box(4)", "black_box(5)")]),
    ("what calls a closure", ("closure",), [(LIB, "work(n) + 1", "work(n) + 2")]),
    ("a static of the benchmark", ("shared",), [(WORK, "AtomicU64::new(2)]", "AtomicU64::new(3)]")]),
    ("which static is read", ("shared",), [(WORK, "OWN[1].load", "OWN[0].load")]),
    ("the end of a case", OF_FAR[1:], [(WORK, "^ 5\n", "^ 6\n")]),
    ("a function of a shared library", ("library",), [(WORK, "fn cos(", "fn sin("), (WORK, "{ cos(", "{ sin(")]),
    ("what is called by name", ("by_name",), [(WORK, "fn parts_by_name(n", "fn parts_resolved(n"), (WORK, "{ parts_by_name(", "{ parts_resolved(")]),
    ("a constant of the benchmarks", OF_INPUT, [(WORK, "INPUT: u64 = 77", "INPUT: u64 = 78")]),
    ("a new thread-local",
     ("far",),
     [(PARTS, "    between(n).rot", "    MORE.with(|more| more.set(n));\n    between(n).rot"),
      (PARTS, "    pub static LOCAL", "    pub static MORE: Cell<u64> = const { Cell::new(0) };\n    pub static LOCAL")]),
    ("the allocator", ALL, [(WORK, MAIN, ALLOCATOR + MAIN)]),
    ("what runs before main", ALL, [(PARTS, "/// Nothing that is used.", EARLY + "\n/// Nothing that is used.")]),
    ("main", ALL, [(WORK, MAIN, MAIN + "    black_box(parts::counted());\n")]),
    ("the level of optimisation", ALL, profile("opt-level = 1")),
    ("assertions for debugging", ALL, profile("debug-assertions = true")),
    ("checks of overflows", OF_FAR[1:], profile("overflow-checks = true") + [(WORK, "black_box(n)) ^ 5", "black_box(n + 1)) ^ 5")]),
    ("flags of the compiler", ALL, [(".cargo/config.toml", None, '[build]\nrustflags = ["-Ctarget-cpu=x86-64-v2"]\n')]),
    ("the size of the stack", ALL, script("cargo:rustc-link-arg-benches=-Wl,-z,stack-size=4194304")),
    ("what the linker has run first",
     ALL,
     script("cargo:rustc-link-arg-benches=-Wl,-init=parts_early")
     + [(PARTS, "/// Nothing that is used.",
         '#[unsafe(no_mangle)]\npub extern "C" fn parts_early() {\n    COUNTER.fetch_add(1, Ordering::Relaxed);\n}\n\n/// Nothing that is used.')]),
]

UNUSED = "/// Nothing that is used."


def added(text, file=PARTS, before=UNUSED):
    return [(file, before, text + "\n\n" + before)]


HARMLESS = [
    *((f"a comment in {file}", NONE, [(file, "//! ", "// A comment.\n\n//! ")]) for file in [PARTS, WHEELS, DIAL, LIB, TOOLS, OTHER]),
    ("a comment in the middle", NONE, [(PARTS, "/// A table of jumps.", "// Of eight.\n/// A table of jumps.")]),
    ("a comment in the benchmarks", OF_LINES, [(WORK, "//! A case", "//! A case, one\n//! for each.\n//! A case")]),
    ("a comment at the end of the benchmarks", NONE, [(WORK, MAIN, "// The end.\n" + MAIN)]),
    ("README", NONE, [("README.md", "# Works", "# The works\n\nMore.")]),
    *((f"a new {file}", NONE, [(file, None, "# Text\n")]) for file in [
        "CHANGELOG.md", "docs/guide.md", "LICENSE-MIT", ".github/workflows/ci.yml", "rustfmt.toml", "clippy.toml",
        ".editorconfig", "CONTRIBUTING.md", "docs/pictures/a.svg", ".vscode/settings.json", "NOTICE", "SECURITY.md",
    ]),
    (".gitignore", NONE, [(".gitignore", "/target", "/target\n*.swp")]),
    ("a private function that is not used", NONE, [(PARTS, "n + 2", "n + 3")]),
    ("the name of a private function that is not used", NONE, [(PARTS, "private(n)", "hidden(n)"), (PARTS, "fn private", "fn hidden")]),
    ("the name of a private function", NONE, [(PARTS, "between(n)", "amid(n)"), (PARTS, "fn between", "fn amid")]),
    ("the name of a parameter", NONE, [(PARTS, "scaled(x: f64)", "scaled(value: f64)"), (PARTS, "    x * 1.0625", "    value * 1.0625")]),
    ("the name of a variable in a macro",
     NONE,
     [(PARTS, "let mut sum = n;", "let mut all = n;"), (PARTS, "sum = sum.rotate_left(1) ^ step;", "all = all.rotate_left(1) ^ step;"),
      (PARTS, "            sum\n", "            all\n")]),
    ("a new function", NONE, added("pub fn more(n: u64) -> u64 {\n    n + 7\n}")),
    ("a new function that is not inlined", NONE, added("#[inline(never)]\npub fn more(n: u64) -> u64 {\n    n.pow(3)\n}")),
    ("a new type", NONE, added("pub struct More(pub u64);")),
    ("a new trait", NONE, added("pub trait More {\n    fn more(&self) -> u64;\n}")),
    ("a new constant", NONE, added("pub const MORE: u64 = 3;")),
    ("a new static", NONE, added("pub static MORE: u64 = 3;")),
    ("a new alias", NONE, added("pub type More = u64;")),
    ("a new macro", NONE, added("#[macro_export]\nmacro_rules! more {\n    () => {\n        1\n    };\n}")),
    ("a new generic function", NONE, added("pub fn more<T: Ord>(one: T, other: T) -> T {\n    one.min(other)\n}")),
    ("a test module", NONE, added("#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {\n        assert_eq!(super::near(1), super::near(1));\n    }\n}")),
    ("a new function of a dependency", NONE, added("/// More.\npub fn more() -> u64 {\n    MARKS\n}", DIAL, "/// Where a hand is.")),
    ("a new function of the library", NONE, added("/// More.\npub fn more() -> u64 {\n    5\n}", LIB, "/// A file that")),
    ("a new function of the benchmarks", NONE, [(WORK, MAIN, "#[allow(dead_code)]\nfn more() -> u64 {\n    6\n}\n\n" + MAIN)]),
    ("a new case", NONE, [(WORK, MAIN, "#[bench]\nfn more() -> u64 {\n    black_box(3)\n}\n\n" + MAIN)]),
    ("a case fewer", NONE, [(WORK, "#[bench]\nfn library", "#[allow(dead_code)]\nfn library")]),
    ("a file that is not read", NONE, [("texts/unread.txt", "regulator", "chronometer")]),
    ("a new Rust file that is not read", NONE, [("tools/src/new.rs", None, "pub fn new() {}\n")]),
    ("another crate", NONE, [(TOOLS, "n * 2", "n + n")]),
    ("a test of another crate", NONE, [(TOOLS, "doubled(2), 4", "doubled(3), 6")]),
    ("another bench target", NONE, [(OTHER, "+ 6", "+ 7")]),
    ("a case of another bench target", NONE, [(OTHER, "fn main", "#[bench]\nfn more() -> u64 {\n    1\n}\n\nfn main")]),
    ("a new test", NONE, [("tests/new.rs", None, "#[test]\nfn new() {}\n")]),
    ("a new example", NONE, [("examples/new.rs", None, "fn main() {}\n")]),
    ("a comment of documentation", NONE, [(PARTS, "#[inline(never)]\npub fn near", "/// Near.\n#[inline(never)]\npub fn near")]),
    ("an attribute for callers", NONE, [(PARTS, "#[inline(never)]\npub fn near", "#[must_use]\n#[inline(never)]\npub fn near")]),
    ("an attribute for the linter", NONE, [(PARTS, "#[inline(never)]\npub fn named", "#[allow(clippy::all)]\n#[inline(never)]\npub fn named")]),
    ("a function in several lines", NONE, [(PARTS, "    x * 1.0625 + 0.5", "    x\n        * 1.0625\n        + 0.5")]),
    ("an assertion for debugging", NONE, [(PARTS, "    n ^ FAR", "    debug_assert!(n < u64::MAX);\n    n ^ FAR")]),
    ("a module in a folder", NONE, [("parts/src/wheels/mod.rs", None, WHEELS), (WHEELS, None, None)]),
    ("the order of functions",
     NONE,
     [(PARTS, "#[inline(never)]\npub fn scaled(x: f64) -> f64 {\n    x * 1.0625 + 0.5\n}\n\n", ""),
      (PARTS, UNUSED, "#[inline(never)]\npub fn scaled(x: f64) -> f64 {\n    x * 1.0625 + 0.5\n}\n\n" + UNUSED)]),
    ("a version", NONE, [("parts/Cargo.toml", "0.1.0", "0.1.1")]),
    ("a version of the package", NONE, [(MANIFEST, 'name = "works"\nversion = "0.1.0"', 'name = "works"\nversion = "0.1.1"')]),
    ("a new dependency", NONE, [(MANIFEST, "tourbillon = { path", 'tools = { path = "tools" }\ntourbillon = { path')]),
    ("a description", NONE, [(MANIFEST, 'edition = "2024"', 'edition = "2024"\ndescription = "Works"')]),
    ("a feature that is not used", NONE, [("parts/Cargo.toml", 'edition = "2024"', 'edition = "2024"\n\n[features]\nmore = []')]),
    ("a comment in the manifest", NONE, [(MANIFEST, "[dependencies]", "# What it needs.\n[dependencies]")]),
    ("imports", NONE, [(WORK, "use std::hint::black_box;\nuse std::process::ExitCode;", "use std::process::ExitCode;\nuse std::hint::black_box;")]),
    ("a build script's comment", NONE, [("build.rs", "//! Writes", "//! First writes")]),
]
