//! Keeps what an executable is linked from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::link_line::{LinkLine, Word};

/// The file with the link line.
pub const LINE: &str = "link.json";

/// Keeps in `folder` what the linker reads from below `own`, and makes the line refer to the
/// copies.
///
/// Other inputs belong to the toolchain or the system and stay where they are. Libraries are
/// hard-linked where possible, because compiler and cargo replace them and never write into them;
/// objects are rewritten in place and therefore copied.
///
/// # Errors When a file cannot be kept.
pub fn keep(line: &mut LinkLine, own: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, word) in line.words.iter_mut().enumerate() {
        let Word::Plain(text) = word else { continue };
        let path = PathBuf::from(&*text);
        if !path.starts_with(own) || !path.is_file() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{number}-{name}");
        let kept = folder.join(&name);
        let library = path.extension().is_some_and(|ending| ending == "rlib");
        if !library || fs::hard_link(&path, &kept).is_err() {
            fs::copy(&path, &kept)?;
        }
        *word = Word::Input(name);
    }
    fs::write(folder.join(LINE), line.to_json().to_string())
}

/// Removes what `-Csave-temps` leaves next to an executable in the target directory, and the
/// executable: without it cargo builds it again when needed.
pub fn tidy(executable: &Path, line: &LinkLine) {
    // Files that cannot be removed do no harm.
    let Some((folder, stem)) = executable.parent().zip(executable.file_stem()) else {
        return;
    };
    let prefix = format!("{}.", stem.to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_file(executable);
    for word in &line.words {
        let Word::Plain(text) = word else { continue };
        // The compiler's temporary folder, which `save-temps` keeps, too.
        let Some(around) = Path::new(text).parent() else {
            continue;
        };
        let name = around.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("rustc") && around.parent() == Some(folder) {
            let _ = fs::remove_dir_all(around);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_kept_and_leftovers_go() {
        let root = std::env::temp_dir().join(format!("tourbillon-objects-{}", std::process::id()));
        let deps = root.join("target/deps");
        fs::create_dir_all(deps.join("rustcAb1")).expect("a folder");
        let files = ["b-1", "b-1.x.o", "b-1.x.bc", "b-1.d", "b-10.o", "lib.rlib"];
        for file in files.iter().chain(&["rustcAb1/symbols.o"]) {
            fs::write(deps.join(file), file).expect("a file");
        }
        let plain = |path: &Path| Word::Plain(path.to_string_lossy().into_owned());
        let raw = LinkLine {
            program: "cc".to_owned(),
            words: vec![
                plain(&deps.join("rustcAb1/symbols.o")),
                plain(&deps.join("b-1.x.o")),
                plain(&deps.join("lib.rlib")),
                plain(Path::new("-lc")),
                plain(&deps),
                plain(Path::new(file!())),
                Word::Output,
            ],
            ..LinkLine::default()
        };
        let mut line = raw.clone();
        let kept = root.join("kept");
        keep(&mut line, &root.join("target"), &kept).expect("kept");
        let input = |name: &str| Word::Input(name.to_owned());
        assert_eq!(
            line.words[..3],
            [
                input("0-symbols.o"),
                input("1-b-1.x.o"),
                input("2-lib.rlib")
            ]
        );
        assert_eq!(line.words[3..], raw.words[3..]);
        tidy(&deps.join("b-1"), &raw);
        let mut left: Vec<_> = fs::read_dir(&deps)
            .expect("a folder")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["b-10.o", "lib.rlib"]);
        assert_eq!(fs::read(kept.join("1-b-1.x.o")).expect("kept"), b"b-1.x.o");
        let text = fs::read_to_string(kept.join(LINE)).expect("a line");
        let value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(LinkLine::from_json(&value), Some(line));
        let _ = fs::remove_dir_all(&root);
    }
}
