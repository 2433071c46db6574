//! Links an executable again with its sections in another order, from objects that were kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::{fmt, fs, io};

use tempfile::TempDir;
use tourbillon_values::limits::{DESCRIPTION_BYTES, EXECUTABLE_BYTES};
use tourbillon_values::regular_file;

use crate::invocation::{Flag, Invocation};
use crate::placement::dialect::Dialect;
use crate::placement::elf::Symbol;
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::objects::functions;

/// The file with the link line, next to the objects.
pub(crate) const LINE: &str = "link.json";

/// Why an executable has one placement only: that of its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRelinkable {
    /// Only one placement was requested.
    NotRequested,
    /// It was built elsewhere; there are no objects to link.
    NoObjects,
    /// The compiler did not print how it links.
    NotShown,
    /// The linker is not on this machine: its name.
    NoLinker(String),
    /// The linker cannot reorder sections: its name.
    Linker(String),
    /// The linker reads what other builds replace: a word of its line.
    Replaced(String),
    /// Linking it again failed: the linker's message.
    Failed(String),
}

impl fmt::Display for NotRelinkable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRelinkable::NotRequested => f.write_str("only one placement was requested"),
            NotRelinkable::NoObjects => f.write_str(
                "it was built elsewhere, so its objects are missing; name the revision instead of \
                 the file",
            ),
            NotRelinkable::NotShown => f.write_str("the compiler did not print how it links"),
            NotRelinkable::NoLinker(name) => {
                write!(f, "the linker {name} is missing; install it")
            }
            NotRelinkable::Linker(name) => write!(
                f,
                "{name} cannot reorder functions; link with LLD, on Linux also with mold \
                 (rustflags: {})",
                if cfg!(target_env = "msvc") {
                    "-Clinker=rust-lld"
                } else {
                    "-Clink-arg=-fuse-ld=lld"
                }
            ),
            NotRelinkable::Replaced(word) => write!(
                f,
                "its linker reads {word:?}, which other builds may replace"
            ),
            NotRelinkable::Failed(message) => write!(f, "linking it again failed: {message}"),
        }
    }
}

/// Longest part of the linker's message that is passed on, in characters.
const LONGEST_MESSAGE: usize = 400;

/// Words that leave symbols out, which relocations name.
const STRIPPING: [&str; 3] = ["-s", "-Wl,-s", "-Wl,--strip-all"];
/// Parts of words by which a file or a symbol is put at a place.
const ARRANGING: [&str; 3] = ["-Wl,-T", "--script", "--defsym"];

/// The words by which each section of the objects stays apart, with its relocations.
pub(crate) const APART: &str = "-Wl,--unique,--emit-relocs";
/// For each section lld looks for the first one of its segment among all (`findFirstSection` in
/// lld/ELF/LinkerScript.cpp): 210,000 sections take more than four minutes, and 2 s in one segment.
pub(crate) const IN_ONE_SEGMENT: &str = "-Wl,--omagic";

/// What an executable is linked from, and how.
#[derive(Clone, Debug)]
pub(crate) struct Relink {
    objects: PathBuf,
    line: LinkLine,
    dialect: Dialect,
    form: Form,
}

/// The order of sections.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order<'o> {
    /// By a seed, regardless of names.
    Seed(u64),
    /// By a list of names, with one more object if given.
    Names {
        list: &'o str,
        extra: Option<&'o [u8]>,
    },
}

/// How a linker takes the number of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// LLD: a pattern of names, and its number.
    Pattern,
    /// Mold: the number.
    Seed,
}

impl Form {
    fn flag(self, order: u32) -> Flag {
        let start = match self {
            Form::Pattern => "-Wl,--shuffle-sections=*=",
            Form::Seed => "-Wl,--shuffle-sections=",
        };
        Flag::new(start, order.to_string())
    }
}

impl Relink {
    /// Reads the objects that were kept in a folder.
    pub(crate) fn open(objects: &Path) -> Result<Relink, NotRelinkable> {
        let text = regular_file::read_text(&objects.join(LINE), DESCRIPTION_BYTES)
            .map_err(|_| NotRelinkable::NoObjects)?;
        let line: LinkLine = serde_json::from_str(&text).map_err(|_| NotRelinkable::NotShown)?;
        if let Some(word) = line.replaced {
            return Err(NotRelinkable::Replaced(word));
        }
        Ok(Relink {
            objects: objects.to_owned(),
            dialect: Dialect::of(&line),
            line,
            form: Form::Pattern,
        })
    }

    /// The same for mold, if mold links: mold crashes on an argument that is not a number.
    pub(crate) fn for_mold(&self) -> Option<Relink> {
        let form = Form::Seed;
        let mold = self.linker_name().starts_with("mold");
        mold.then(|| Relink {
            form,
            ..self.clone()
        })
    }

    /// The first line of the linker's version.
    pub(crate) fn linker_name(&self) -> String {
        self.line.linker_name(self.dialect.version())
    }

    /// The functions that the linker can order, from the objects and libraries that it reads; `None` if the
    /// executable has their names.
    pub(crate) fn functions(&self) -> Option<Vec<Symbol>> {
        if !self.dialect.reads_objects() {
            return None;
        }
        let mut found = Vec::new();
        for word in &self.line.words {
            let path = match word {
                Word::Input(name) => self.objects.join(name),
                Word::Plain(text) if text.ends_with(".rlib") => PathBuf::from(text),
                Word::Plain(_) | Word::Output | Word::OutputAfter(_) => continue,
            };
            // A file that cannot be read is one that the linker names.
            if let Ok(file) = regular_file::read(&path, EXECUTABLE_BYTES) {
                found.extend(functions(&file));
            }
        }
        Some(found)
    }

    /// Links the executable to `path`; missing folders are created.
    pub(crate) fn link(&self, order: Order<'_>, path: &Path) -> Result<(), NotRelinkable> {
        let folder = path.parent().unwrap_or(&self.objects);
        let failed = |error: io::Error| NotRelinkable::Failed(error.to_string());
        fs::create_dir_all(folder).map_err(failed)?;
        // Another process may be linking the same placement.
        let own = TempDir::new_in(folder).map_err(failed)?;
        let unfinished = own.path().join(path.file_name().unwrap_or_default());
        let mut linker = self.again(&unfinished, |_| true);
        match order {
            Order::Names { list, extra } => {
                // Code and data begin on a page of their own, whatever precedes them. Unnamed
                // sections keep their sequence, which one more section would change.
                if let Some(extra) = extra {
                    let object = own.path().join("room.o");
                    fs::write(&object, extra).map_err(failed)?;
                    linker.path(&object);
                }
                let names = own.path().join("sequence");
                fs::write(&names, list).map_err(failed)?;
                self.dialect.order_by(&mut linker, &names);
            }
            Order::Seed(seed) => {
                linker.flags(&[self.form.flag(number(seed))]);
            }
        }
        self.run(linker, &unfinished)?;
        fs::rename(&unfinished, path).map_err(failed)
    }

    /// Links the executable to `path`, in a folder of its own, with each section of the objects apart, and with their relocations: the same code at
    /// other addresses, of which is known what it refers to. It is not to be started.
    pub(crate) fn link_apart(&self, path: &Path) -> Result<(), NotRelinkable> {
        let texts = self.line.words.iter().filter_map(|word| match word {
            Word::Plain(text) => Some(text.as_str()),
            Word::Input(_) | Word::Output | Word::OutputAfter(_) => None,
        });
        let failed = |why: &str| Err(NotRelinkable::Failed(why.to_owned()));
        if self.dialect != Dialect::Elf {
            return failed("its linker does not write relocations into executables");
        }
        let mut is_lld = false;
        for text in texts {
            is_lld |= text == "-fuse-ld=lld";
            if text.contains("plugin") {
                return failed("the linker generates its code");
            }
            if ARRANGING.iter().any(|word| text.contains(word)) || text == "-T" {
                return failed("a script of the linker arranges it");
            }
        }
        let mut linker = self.again(path, |word| !STRIPPING.contains(&word));
        linker.words(&[APART]);
        if is_lld {
            linker.words(&[IN_ONE_SEGMENT]);
        }
        self.run(linker, path)
    }

    /// Runs the linker, and looks at what it read, as far as that is known.
    fn run(&self, mut linker: Invocation, output: &Path) -> Result<(), NotRelinkable> {
        let rule = rule_of(output);
        let output = linker.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => NotRelinkable::NoLinker(self.line.program.clone()),
            _ => NotRelinkable::Failed(error.to_string()),
        })?;
        if !output.status.success() {
            return Err(self.refused(&output));
        }
        // Other dialects write none.
        let rule = regular_file::read_text(&rule, DESCRIPTION_BYTES).unwrap_or_default();
        match self.line.shared.first_read(&rule) {
            Some(file) => Err(NotRelinkable::Replaced(file)),
            None => Ok(()),
        }
    }

    /// The linker with those of the words that it had, in the folder of its output, where no relative path leads to
    /// anything.
    fn again(&self, output: &Path, keeps: impl Fn(&str) -> bool) -> Invocation {
        let mut linker = self.line.linker();
        linker
            .process()
            .current_dir(output.parent().unwrap_or(&self.objects));
        for word in &self.line.words {
            match word {
                Word::Plain(text) if !keeps(text) => continue,
                Word::Plain(text) => linker.verbatim([text]),
                Word::Input(name) => linker.path(&self.objects.join(name)),
                Word::Output => linker.path(output),
                Word::OutputAfter(start) => linker.verbatim([joined(start, output)]),
            };
        }
        if self.dialect == Dialect::Elf {
            let rule = Flag::new("--dependency-file=", rule_of(output));
            linker.words(&["-Xlinker"]).flags(&[rule]);
        }
        linker.words(&[self.dialect.without_debug()]);
        linker
    }

    fn refused(&self, output: &Output) -> NotRelinkable {
        // Microsoft's linker writes its messages to stdout.
        let text = [&output.stderr[..], &output.stdout].concat();
        let text = String::from_utf8_lossy(&text);
        if text.contains(self.dialect.order_option()) {
            return NotRelinkable::Linker(self.linker_name());
        }
        let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
        NotRelinkable::Failed(lines.join("; ").chars().take(LONGEST_MESSAGE).collect())
    }
}

/// Where a linker writes what it read, as a rule of make.
fn rule_of(output: &Path) -> PathBuf {
    output.with_extension("read")
}

/// An option with a path as its value.
fn joined(option: &str, path: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

/// The number of an order: linkers take 0 for a new order each time, and the greatest number for
/// the reverse order.
pub(crate) fn number(seed: u64) -> u32 {
    let folded = seed % u64::from(u32::MAX - 1);
    u32::try_from(folded).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_an_order_of_its_own_kind() {
        assert_eq!(number(0), 1);
        assert_eq!(number(7), 8);
        assert_eq!(number(u64::from(u32::MAX) - 2), u32::MAX - 1);
        assert_eq!(number(u64::from(u32::MAX) - 1), 1);
        assert!((1..u32::MAX).contains(&number(u64::MAX)));
        let flag = Form::Pattern.flag(8);
        assert_eq!(flag.word(), "-Wl,--shuffle-sections=*=8");
    }
}
