//! How linkers are asked for an order of functions.

use std::path::Path;

use crate::invocation::{Flag, Invocation};
use crate::placement::link_line::{LinkLine, Word};

/// A family of linkers with options of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// ELF: LLD and mold, through a compiler driver.
    Elf,
    /// Windows: Microsoft's linker and LLD in its place.
    Coff,
    /// Windows: LLD in place of GNU ld, through a compiler driver.
    MinGw,
    /// macOS: Apple's linker and LLD in its place, through a compiler driver.
    MachO,
}

impl Dialect {
    /// The dialect of the linker that a line starts.
    pub(crate) fn of(line: &LinkLine) -> Dialect {
        let program = line.program.rsplit(['/', '\\']).next().unwrap_or_default();
        let program = program.to_ascii_lowercase();
        let has = |wanted: &[&str]| {
            line.words.iter().any(|word| match word {
                Word::Plain(text) => wanted.contains(&&**text),
                Word::Input(_) | Word::Output | Word::OutputAfter(_) => false,
            })
        };
        let is_lld_link = program.starts_with("rust-lld") && has(&["link"]);
        match program.trim_end_matches(".exe") {
            "link" | "lld-link" => Dialect::Coff,
            _ if is_lld_link => Dialect::Coff,
            _ if has(&["-Wl,-dead_strip", "-dynamiclib"]) => Dialect::MachO,
            _ if has(&["-Wl,--nxcompat", "-Wl,--dynamicbase"]) => Dialect::MinGw,
            _ => Dialect::Elf,
        }
    }

    /// Whether names of functions are read from the objects: these linkers take no number for an order, and some
    /// executables have no names.
    pub(crate) fn reads_objects(self) -> bool {
        self != Dialect::Elf
    }

    /// The word that leaves debug information out.
    pub(crate) fn without_debug(self) -> &'static str {
        match self {
            Dialect::Elf | Dialect::MinGw => "-Wl,--strip-debug",
            Dialect::Coff => "/DEBUG:NONE",
            Dialect::MachO => "-Wl,-S",
        }
    }

    /// The folder that a word makes the linker search for libraries; empty if it is the next word.
    pub(crate) fn searched(self, word: &str) -> Option<&str> {
        if self != Dialect::Coff {
            return word.strip_prefix("-L");
        }
        let (start, folder) = word.split_at_checked("/LIBPATH:".len())?;
        start.eq_ignore_ascii_case("/LIBPATH:").then_some(folder)
    }

    /// The names of the library that a word asks for, in the order in which they are looked for in a folder.
    pub(crate) fn libraries(self, word: &str, is_static: bool) -> Vec<String> {
        let name = match word.strip_prefix("-l") {
            _ if self == Dialect::Coff => return vec![word.to_owned()],
            Some(name) => name,
            None => return Vec::new(),
        };
        if let Some(file) = name.strip_prefix(':') {
            return vec![file.to_owned()];
        }
        let endings: &[&str] = match self {
            Dialect::MachO => &[".dylib", ".tbd", ".a"],
            Dialect::MinGw if !is_static => &[".dll.a", ".a", ".dll"],
            Dialect::Elf if !is_static => &[".so", ".a"],
            Dialect::Elf | Dialect::MinGw | Dialect::Coff => &[".a"],
        };
        let of = |ending: &&str| format!("lib{name}{ending}");
        endings.iter().map(of).collect()
    }

    /// Adds the words that order functions as a file lists them. Compiler drivers split what follows `-Wl` at commas,
    /// which the path may have.
    pub(crate) fn order_by(self, linker: &mut Invocation, list: &Path) {
        match self {
            Dialect::Elf => linker
                .words(&["-Wl,-z,separate-loadable-segments,--no-warn-symbol-ordering"])
                .words(&["-Xlinker"])
                .flags(&[Flag::new("--symbol-ordering-file=", list)]),
            // A linker that adds to its earlier output keeps the order. 4037: a name that is not linked.
            Dialect::Coff => linker
                .words(&["/INCREMENTAL:NO", "/IGNORE:4037"])
                .flags(&[Flag::new("/ORDER:@", list)]),
            Dialect::MinGw => linker
                .words(&["-Xlinker"])
                .flags(&[Flag::new("-Xlink=/order:@", list)]),
            Dialect::MachO => linker
                .words(&["-Xlinker", "-order_file", "-Xlinker"])
                .path(list),
        };
    }

    /// A part of the option that a linker without orders rejects, as its message has it.
    pub(crate) fn order_option(self) -> &'static str {
        match self {
            Dialect::Elf => "shuffle-sections",
            Dialect::Coff => "ORDER",
            Dialect::MinGw => "-Xlink",
            Dialect::MachO => "order_file",
        }
    }

    /// The word that makes a linker print its version.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Dialect::Coff => "--version",
            Dialect::Elf | Dialect::MinGw => "-Wl,--version",
            Dialect::MachO => "-Wl,-v",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as rustc prints them, shortened; on Windows without variables.
    const MICROSOFT: &str = r#""C:\\Program Files\\VC\\bin\\HostX64\\x64\\link.exe" "/NOLOGO" "C:\\t\\rustcAb1\\symbols.o" "C:\\t\\deps\\sort-1.rcgu.o" "C:\\rust\\lib\\libstd-1.rlib" "kernel32.lib" "/NXCOMPAT" "/OUT:C:\\t\\deps\\sort-1.exe" "/OPT:REF,ICF" "/DEBUG""#;
    const RUST_LLD: &str = r#""rust-lld" "-flavor" "link" "/NOLOGO" "a.o" "/OUT:sort.exe""#;
    const MINGW: &str = r#"LC_ALL="C" "x86_64-w64-mingw32-gcc" "-fuse-ld=lld" "-Wl,--dynamicbase" "-m64" "a.o" "-o" "sort.exe" "-Wl,--gc-sections""#;
    const APPLE: &str = r#"env -u IPHONEOS_DEPLOYMENT_TARGET LC_ALL="C" "cc" "/t/symbols.o" "/t/deps/a.o" "-lSystem" "-arch" "arm64" "-mmacosx-version-min=11.0.0" "-o" "/t/deps/sort-1" "-Wl,-dead_strip" "-nodefaultlibs""#;
    const LINUX: &str = r#""cc" "-m64" "a.o" "-o" "sort" "-Wl,--gc-sections" "-fuse-ld=lld""#;

    #[test]
    fn recorded_lines_have_their_dialects() {
        for (text, expected) in [
            (MICROSOFT, Dialect::Coff),
            (RUST_LLD, Dialect::Coff),
            (MINGW, Dialect::MinGw),
            (APPLE, Dialect::MachO),
            (LINUX, Dialect::Elf),
        ] {
            let line = LinkLine::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(Dialect::of(&line), expected, "{text}");
        }
    }

    #[test]
    fn microsofts_line_is_read_whole() {
        let line = LinkLine::parse(MICROSOFT).expect("a line");
        assert!(line.program.ends_with(r"x64\link.exe"), "{}", line.program);
        assert_eq!(line.words[6], Word::OutputAfter("/OUT:".to_owned()));
        assert_eq!(
            line.words[1],
            Word::Plain(r"C:\t\rustcAb1\symbols.o".to_owned())
        );
    }

    #[test]
    fn libraries_have_the_names_that_are_looked_for() {
        for (dialect, word, is_static, expected) in [
            (Dialect::Elf, "-lz", false, &["libz.so", "libz.a"][..]),
            (Dialect::Elf, "-lz", true, &["libz.a"]),
            (Dialect::Elf, "-l:z.o", true, &["z.o"]),
            (Dialect::Elf, "-Lz", false, &[]),
            (
                Dialect::MinGw,
                "-lz",
                false,
                &["libz.dll.a", "libz.a", "libz.dll"],
            ),
            (
                Dialect::MachO,
                "-lz",
                false,
                &["libz.dylib", "libz.tbd", "libz.a"],
            ),
            (Dialect::Coff, "z.lib", false, &["z.lib"]),
        ] {
            assert_eq!(dialect.libraries(word, is_static), expected, "{word}");
        }
        assert_eq!(Dialect::Coff.searched("/libpath:C:\\t"), Some("C:\\t"));
        assert_eq!(Dialect::Elf.searched("-L"), Some(""));
        assert_eq!(Dialect::Elf.searched("-lz"), None);
    }

    #[test]
    fn orders_are_files_of_names() {
        for (dialect, expected) in [
            (
                Dialect::Elf,
                "-Wl,-z,separate-loadable-segments,--no-warn-symbol-ordering|-Xlinker|\
                 --symbol-ordering-file=/a b,-o,c",
            ),
            (
                Dialect::Coff,
                "/INCREMENTAL:NO|/IGNORE:4037|/ORDER:@/a b,-o,c",
            ),
            (Dialect::MinGw, "-Xlinker|-Xlink=/order:@/a b,-o,c"),
            (Dialect::MachO, "-Xlinker|-order_file|-Xlinker|/a b,-o,c"),
        ] {
            let mut linker = Invocation::new("cc");
            dialect.order_by(&mut linker, Path::new("/a b,-o,c"));
            let words: Vec<_> = linker.process().get_args().collect();
            assert!(
                cfg!(windows) || words.join("|".as_ref()) == expected,
                "{words:?}"
            );
        }
    }
}
