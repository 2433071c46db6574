//! What a linker reads from folders in which other builds write, kept.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tourbillon_values::regular_file;

use crate::placement::dialect::Dialect;
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::relink::LINE;
use crate::placement::shared_folders::SharedFolders;

/// Keeps in `folder` what the linker reads from shared folders, and makes the line refer to the copies. Libraries that it
/// searches are found as it would find them, and shared folders are not searched again.
///
/// Other inputs belong to the toolchain or the system and stay where they are. Libraries of the compiler are hard-linked
/// where possible, because compiler and cargo replace them and never write into them; other files are rewritten in place
/// and therefore copied.
///
/// # Errors
///
/// When a file cannot be kept.
pub(crate) fn keep_objects(
    mut line: LinkLine,
    shared: &SharedFolders,
    folder: &Path,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let searched = Searched::of(&mut line, shared);
    let mut is_static = false;
    for (number, word) in line.words.iter_mut().enumerate() {
        let Word::Plain(text) = word else { continue };
        is_static |= text.contains("-Bstatic") || ["-static", "-static-pie"].contains(&&**text);
        is_static &= !text.contains("-Bdynamic");
        let path = match searched.library(text, is_static) {
            Some(found) => found,
            None => shared.located(text),
        };
        let (path, true) = path else { continue };
        if !path.is_file() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{number}-{name}");
        let kept = folder.join(&name);
        let library = path.extension().is_some_and(|ending| ending == "rlib");
        if !library || fs::hard_link(&path, &kept).is_err() {
            regular_file::copy(&path, &kept)?;
        }
        if is_thin_archive(&kept) {
            line.replaced = Some(text.clone());
        }
        *word = Word::Input(name);
    }
    let plain = line.words.iter().filter_map(|word| match word {
        Word::Plain(text) => Some(text),
        Word::Input(_) | Word::Output | Word::OutputAfter(_) => None,
    });
    let mut all = [&line.program].into_iter().chain(plain);
    let named = all.find(|word| shared.are_named_by(word)).cloned();
    line.replaced = line.replaced.or(named);
    line.shared = shared.clone();
    fs::write(folder.join(LINE), serde_json::to_vec(&line)?)
}

/// Whether a file is an archive that names its members in place of having them.
fn is_thin_archive(path: &Path) -> bool {
    const START: &[u8] = b"!<thin>\n";
    let mut start = [0; START.len()];
    let read = regular_file::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == START
}

/// The folders that a linker searches for libraries, in their order.
struct Searched {
    dialect: Dialect,
    /// Each with whether it is shared.
    folders: Vec<(PathBuf, bool)>,
}

impl Searched {
    /// Takes the shared ones out of the line.
    fn of(line: &mut LinkLine, shared: &SharedFolders) -> Searched {
        let dialect = Dialect::of(line);
        let mut folders = Vec::new();
        let mut kept = Vec::new();
        let mut words = std::mem::take(&mut line.words).into_iter();
        while let Some(word) = words.next() {
            let folder = match &word {
                Word::Plain(text) => dialect.searched(text),
                Word::Input(_) | Word::Output | Word::OutputAfter(_) => None,
            };
            // The folder may be a word of its own.
            let next = if folder == Some("") {
                words.next()
            } else {
                None
            };
            let folder = match &next {
                Some(Word::Plain(text)) => Some(text.as_str()),
                _ => folder,
            };
            let located = folder.map(|folder| shared.located(folder));
            let is_shared = located.as_ref().is_some_and(|(_, is_shared)| *is_shared);
            folders.extend(located);
            if !is_shared {
                kept.push(word);
                kept.extend(next);
            }
        }
        line.words = kept;
        Searched { dialect, folders }
    }

    /// The library that a word asks for, and whether it is in a shared folder; `None` where it asks for none, or for one of
    /// the system.
    fn library(&self, word: &str, is_static: bool) -> Option<(PathBuf, bool)> {
        let names = self.dialect.libraries(word, is_static);
        self.folders.iter().find_map(|(folder, is_shared)| {
            let mut paths = names.iter().map(|name| folder.join(name));
            let found = paths.find(|path| path.is_file())?;
            Some((found, *is_shared))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkout with its target directory, and a line that links from both.
    struct Linked {
        folder: tempfile::TempDir,
        shared: SharedFolders,
    }

    impl Linked {
        fn new() -> Linked {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path().to_owned();
            let files = [
                "checkout/own.o",
                "checkout/lib/libown.a",
                "target/deps/b-1.x.o",
                "target/deps/lib.rlib",
                "target/out/libwork.a",
                "target/out/libwork.so",
                "system/libsystem.a",
                "target/out/libsystem.a",
                "checkout/rust/libstd.rlib",
            ];
            for file in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, file).expect("a file");
            }
            let (checkout, target) = (root.join("checkout"), root.join("target"));
            let shared = SharedFolders::new(
                [checkout.as_path(), &target].into_iter(),
                &checkout.join("rust"),
                &checkout,
            );
            Linked { folder, shared }
        }

        /// A word in which `$` stands for the folder, and slashes for what separates the parts of a path.
        fn word(&self, text: &str) -> String {
            let root = self.folder.path().to_string_lossy();
            let text = text.replace('/', std::path::MAIN_SEPARATOR_STR);
            text.replace('$', &root)
        }

        /// The line that is kept of one with [these words](Linked::word).
        fn keep(&self, words: &[&str]) -> LinkLine {
            let root = self.folder.path();
            let plain = |word: &&str| Word::Plain(self.word(word));
            let line = LinkLine {
                program: "cc".to_owned(),
                words: words.iter().map(plain).chain([Word::Output]).collect(),
                ..LinkLine::default()
            };
            let kept = root.join("kept");
            keep_objects(line, &self.shared, &kept).expect("kept");
            let text = fs::read_to_string(kept.join(LINE)).expect("a line");
            serde_json::from_str(&text).expect("JSON")
        }
    }

    #[test]
    fn what_builds_write_is_kept_and_the_rest_stays() {
        let linked = Linked::new();
        let line = linked.keep(&[
            "$/target/deps/b-1.x.o",
            "$/target/deps/lib.rlib",
            "$/checkout/own.o",
            "own.o",
            "$/checkout/rust/libstd.rlib",
            "-lc",
            "$/target/deps",
            "-L",
            "$/checkout/rust",
        ]);
        let names: Vec<String> = line.words.iter().map(|word| format!("{word:?}")).collect();
        let inputs = ["0-b-1.x.o", "1-lib.rlib", "2-own.o", "3-own.o"];
        for (name, expected) in names.iter().zip(inputs) {
            assert_eq!(*name, format!("Input({expected:?})"));
        }
        assert!(names[4..].iter().all(|name| !name.starts_with("Input")));
        let kept = linked.folder.path().join("kept/0-b-1.x.o");
        assert_eq!(fs::read(kept).expect("kept"), b"target/deps/b-1.x.o");
        // A folder that is no input.
        let expected = linked.word("$/target/deps");
        assert_eq!(line.replaced, Some(expected));
    }

    #[test]
    fn libraries_are_kept_as_the_linker_finds_them() {
        let linked = Linked::new();
        let line = linked.keep(&[
            "-Wl,-Bstatic",
            "-lwork",
            "-lsystem",
            "-Wl,-Bdynamic",
            "-lwork",
            "-lown",
            "-lc",
            "-L$/system",
            "-L",
            "$/target/out",
            "-Llib",
        ]);
        let plain = |text: &str| Word::Plain(text.to_owned());
        let input = |text: &str| Word::Input(text.to_owned());
        let expected = [
            plain("-Wl,-Bstatic"),
            input("1-libwork.a"),
            plain("-lsystem"),
            plain("-Wl,-Bdynamic"),
            input("4-libwork.so"),
            input("5-libown.a"),
            plain("-lc"),
            plain(&linked.word("-L$/system")),
            Word::Output,
        ];
        assert_eq!(line.words, expected);
        assert_eq!(line.replaced, None);
    }

    #[test]
    fn what_is_read_in_another_way_is_named() {
        let linked = Linked::new();
        let thin = linked.folder.path().join("target/out/libthin.a");
        fs::write(thin, "!<thin>\n").expect("a file");
        let line = linked.keep(&["-lthin", "-L$/target/out"]);
        assert_eq!(line.replaced.as_deref(), Some("-lthin"));
        fs::write(linked.folder.path().join("checkout/exports.map"), "").expect("a file");
        for word in [
            "-Wl,--version-script=exports.map",
            "-Wl,-T,$/checkout/exports.map",
            "-Wl,-rpath,$/target/out",
            "@words",
        ] {
            assert!(linked.keep(&[word]).replaced.is_some(), "{word}");
        }
        for word in ["-Wl,--gc-sections", "-B$/checkout/rust/bin", "-lmissing"] {
            assert_eq!(linked.keep(&[word]).replaced, None, "{word}");
        }
    }
}
