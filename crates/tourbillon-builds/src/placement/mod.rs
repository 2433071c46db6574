//! Placements of an executable: the same code at other addresses.

pub(crate) mod dialect;
pub(crate) mod elf;
pub(crate) mod kept_inputs;
pub(crate) mod link_line;
pub(crate) mod objects;
pub(crate) mod relink;
pub(crate) mod sequence;
pub(crate) mod shared_folders;

use std::path::{Path, PathBuf};
use std::{fs, io};

use tourbillon_clock::Stopwatch;
use tourbillon_stats::Rng;
use tourbillon_values::limits::{EXECUTABLE_BYTES, SETTINGS_BYTES};
use tourbillon_values::regular_file;

use crate::cache::programs::{DEPS, around, lend};
use crate::error::Log;
use crate::key::Digest;
use crate::placement::elf::{Machine, Symbol, padding};
use crate::placement::relink::{NotRelinkable, Order, Relink, number};
use crate::placement::sequence::{Shared, sequence};

/// Upper bound of the number of pages before the heap, which are never touched, and their size.
const MOST_PAGES: u64 = 4096;
const PAGE: u64 = 4096;
/// The file with the hash of a placement, in the same folder.
const HASH: &str = "linked.hash";
/// Label of the random sequence of their number.
const ROOM: u64 = 1;

/// What an executable is linked from, and the placements that were made of it.
///
/// The compiler puts every function into a section of its own, and the linker orders the sections
/// by a seed: by their names, so that what two builds share has the same sequence in both, if the
/// linker supports that. The code is the same at other addresses. Symbols are kept, debug
/// information is not: writing it takes longer than everything else.
#[derive(Clone, Debug)]
pub struct Placements {
    relink: Relink,
    /// The folder of the placements.
    placed: PathBuf,
    /// The name of the program.
    name: String,
    /// The programs of its package, which a placement has above its folder, as the executable has.
    programs: Vec<PathBuf>,
    /// Functions and data whose sequence the linker takes; empty if it takes none.
    symbols: Vec<Symbol>,
    /// The machine of the executable, for the padding object.
    machine: Option<Machine>,
    /// Receives messages about damage.
    log: Log,
}

/// An executable in one of its placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its file.
    pub path: PathBuf,
    /// Nanoseconds that linking took; `None` if it existed already.
    pub link_ns: Option<u64>,
}

impl Placements {
    /// The placements of the executable `name` from the objects in a folder; they are made in
    /// `placed`. Checks that linking works and that placements differ.
    pub(crate) fn open(
        objects: &Path,
        placed: &Path,
        name: &str,
        programs: Vec<PathBuf>,
        log: Log,
    ) -> Result<Placements, NotRelinkable> {
        let mut placements = Placements {
            relink: Relink::open(objects)?,
            placed: placed.to_owned(),
            name: name.to_owned(),
            programs,
            symbols: Vec::new(),
            machine: None,
            log,
        };
        if let Some(functions) = placements.relink.functions() {
            placements.symbols = functions;
            placements.differ_by_names()?;
            return Ok(placements);
        }
        let Err(reason) = placements.differ() else {
            placements.learn_symbols()?;
            return Ok(placements);
        };
        placements.relink = placements.relink.for_mold().ok_or(reason)?;
        placements.differ()?;
        Ok(placements)
    }

    /// Fails if two placements are equal: some linkers ignore options that they do not know.
    fn differ(&self) -> Result<(), NotRelinkable> {
        self.are_different(&self.shuffled(0)?, &self.shuffled(1)?)
    }

    /// The same for a linker that takes names only.
    fn differ_by_names(&self) -> Result<(), NotRelinkable> {
        let shared = self.shared(self);
        let (one, other) = (self.get(0, &shared)?, self.get(1, &shared)?);
        self.are_different(&one.path, &other.path)
    }

    fn are_different(&self, one: &Path, other: &Path) -> Result<(), NotRelinkable> {
        let read = |path: &Path| {
            regular_file::read(path, EXECUTABLE_BYTES)
                .map_err(|error| NotRelinkable::Failed(error.to_string()))
        };
        if read(one)? == read(other)? {
            Err(NotRelinkable::Linker(self.relink.linker_name()))
        } else {
            Ok(())
        }
    }

    /// Orders by names from now on, if the linker supports that.
    fn learn_symbols(&mut self) -> Result<(), NotRelinkable> {
        let shuffled = self.shuffled(0)?;
        let file = regular_file::read(&shuffled, EXECUTABLE_BYTES).unwrap_or_default();
        if let Some((symbols, machine)) = elf::read(&file) {
            self.symbols = symbols;
            self.machine = Some(machine);
        }
        if self.get(0, &self.shared(self)).is_err() {
            self.symbols.clear();
        }
        Ok(())
    }

    /// Whether shared symbols have the same addresses in two placements of one seed.
    pub fn are_alike(&self) -> bool {
        !self.symbols.is_empty()
    }

    /// Whether both are the placements of one executable: a build compared with itself.
    pub fn are_those_of(&self, other: &Placements) -> bool {
        self.placed == other.placed && self.name == other.name
    }

    /// Padding before the heap, drawn for each placement, the same for both executables. If their
    /// sizes decided where the heap begins, a difference of one page would be the same in all
    /// placements, and for some code it changes the time by several per cent.
    fn room(&self, seed: u64) -> Option<Vec<u8>> {
        let bytes = Rng::new(seed).derive(ROOM) % MOST_PAGES * PAGE;
        padding(self.machine?, bytes)
    }

    /// What the executable shares with another one.
    pub fn shared(&self, other: &Placements) -> Shared {
        Shared::by(&self.symbols, &other.symbols)
    }

    fn path(&self, seed: u64, shared: Option<&Shared>) -> PathBuf {
        let order = number(seed);
        let folder = match shared {
            Some(shared) if self.are_alike() => format!("{order}-{}", shared.key),
            _ => order.to_string(),
        };
        let folder = self.placed.join(folder);
        if self.programs.is_empty() {
            folder.join(&self.name)
        } else {
            folder.join(DEPS).join(&self.name)
        }
    }

    /// The executable in the placement of a seed, linked if it does not exist (about 0.05 s), with an
    /// order for what is `shared`.
    ///
    /// # Errors
    ///
    /// When it cannot be linked: files were removed since the build was read.
    pub fn get(&self, seed: u64, shared: &Shared) -> Result<Placed, NotRelinkable> {
        self.linked(seed, Some(shared))
    }

    /// The same without regard to names.
    fn shuffled(&self, seed: u64) -> Result<PathBuf, NotRelinkable> {
        self.linked(seed, None).map(|placed| placed.path)
    }

    fn linked(&self, seed: u64, shared: Option<&Shared>) -> Result<Placed, NotRelinkable> {
        let path = self.path(seed, shared);
        let mut link_ns = None;
        if !self.is_whole(&path) {
            let stopwatch = Stopwatch::start();
            self.link(seed, shared, &path)?;
            link_ns = Some(stopwatch.elapsed_ns());
        }
        Ok(Placed { path, link_ns })
    }

    /// Whether a placement exists and is undamaged.
    fn is_whole(&self, path: &Path) -> bool {
        if !path.exists() {
            return false;
        }
        let whole = matches!(
            (
                hash_of(path),
                regular_file::read_text(&hash_file(path), SETTINGS_BYTES)
            ),
            (Ok(now), Ok(linked)) if now == linked
        );
        if !whole {
            (self.log)(&format!(
                "{path:?} is damaged in the cache; it is linked again\n"
            ));
        }
        whole
    }

    fn link(&self, seed: u64, shared: Option<&Shared>, path: &Path) -> Result<(), NotRelinkable> {
        let (list, room);
        let order = match shared.filter(|_| self.are_alike()) {
            None => Order::Seed(seed),
            Some(shared) => {
                list = sequence(&self.symbols, shared, seed);
                room = self.room(seed);
                Order::Names {
                    list: &list,
                    extra: room.as_deref(),
                }
            }
        };
        self.relink.link(order, path)?;
        let lent = lend(&self.programs, around(path));
        let kept = lent
            .and_then(|()| hash_of(path))
            .and_then(|hash| fs::write(hash_file(path), hash));
        kept.map_err(|error| NotRelinkable::Failed(error.to_string()))
    }
}

/// The file with the hash of a placement.
fn hash_file(path: &Path) -> PathBuf {
    path.with_file_name(HASH)
}

fn hash_of(path: &Path) -> io::Result<String> {
    Ok(Digest::default().file(path)?.key())
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::placement::link_line::{LinkLine, Word};
    use crate::placement::relink::LINE;

    /// A linker that is a script.
    fn scripted(test: &str, script: &str) -> Result<Placements, NotRelinkable> {
        let folder = std::env::temp_dir().join(format!("tourbillon-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let text = folder.join("text");
        fs::write(&text, format!("#!/bin/sh\n{script}\n")).expect("a script");
        // By another process: whatever this one starts meanwhile would have it open for writing.
        let program = folder.join("linker");
        let mut install = Command::new("install");
        let status = install
            .args(["-m", "755"])
            .arg(&text)
            .arg(&program)
            .status();
        assert!(status.expect("install starts").success());
        let line = LinkLine {
            program: program.to_string_lossy().into_owned(),
            words: vec![Word::Plain("-fuse-ld=old".to_owned()), Word::Output],
            ..LinkLine::default()
        };
        fs::write(folder.join(LINE), serde_json::to_vec(&line).expect("JSON")).expect("a file");
        let opened = Placements::open(&folder, &folder.join("placed"), "speed", Vec::new(), |_| ());
        if opened.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        opened
    }

    #[test]
    fn a_placement_is_linked_once() {
        // The output is the second argument; what is written is the last, the seed.
        let script = r#"for last; do :; done; echo "$last" >> "$2""#;
        let placements = scripted("placed-once", script).expect("it links");
        let one = placements.shuffled(41).expect("a placement");
        assert_eq!(
            one.file_name().and_then(|name| name.to_str()),
            Some("speed")
        );
        assert_eq!(placements.shuffled(41).expect("a placement"), one);
        let text = fs::read_to_string(&one).expect("a file");
        assert_eq!(text, "-Wl,--shuffle-sections=*=42\n");
        assert_ne!(placements.shuffled(42).expect("a placement"), one);
        // One that is empty or changed is linked again.
        for damage in ["", "-Wl,--shuffle-sections=*=43\n"] {
            fs::write(&one, damage).expect("a file");
            assert_eq!(placements.shuffled(41).expect("a placement"), one);
            let healed = fs::read_to_string(&one).expect("a file");
            assert_eq!(healed, text);
        }
        let _ = fs::remove_dir_all(placements.placed.with_file_name(""));
    }

    #[test]
    fn mold_is_told_in_its_own_way() {
        let script = r#"
            for last; do :; done
            case "$last" in
                *--version) echo "mold 1.10.1 (compatible with GNU ld)" ;;
                *=\*=*) echo "terminate called: stoul" >&2; exit 1 ;;
                *) echo "$last" > "$2" ;;
            esac"#;
        let placements = scripted("mold", script).expect("it links");
        let one = placements.shuffled(41).expect("a placement");
        let text = fs::read_to_string(one).expect("a file");
        assert_eq!(text, "-Wl,--shuffle-sections=42\n");
        let _ = fs::remove_dir_all(placements.placed.with_file_name(""));
    }

    #[test]
    fn a_linker_that_knows_no_order_is_named() {
        let script = r#"echo "unrecognized option '--shuffle-sections=*=1'" >&2; exit 1"#;
        let reason = scripted("old-linker", script).expect_err("it does not link");
        let NotRelinkable::Linker(name) = reason else {
            panic!("another reason: {reason}")
        };
        assert!(name.starts_with("the linker of "), "{name}");
        // It passes over what it does not know.
        let reason = scripted("deaf-linker", r#"test "$#" -lt 3 || echo same > "$2""#);
        assert!(matches!(
            reason.expect_err("no order"),
            NotRelinkable::Linker(_)
        ));
        let reason = scripted("broken-linker", "echo no such file >&2; exit 1");
        assert_eq!(
            reason.expect_err("it does not link"),
            NotRelinkable::Failed("no such file".to_owned())
        );
    }
}
