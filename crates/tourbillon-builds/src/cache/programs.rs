//! The programs of a package around its bench targets, as in a folder of cargo: these may look for them from where they
//! are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tourbillon_values::regular_file;

use crate::key::Digest;

/// The folder of executables below that of programs, as cargo calls it.
pub(crate) const DEPS: &str = "deps";

/// Whether the folder of a file has this name.
pub(crate) fn is_in_deps(file: &Path) -> bool {
    let name = file.parent().and_then(Path::file_name);
    name.is_some_and(|name| name == DEPS)
}

/// The folder of an executable in the cache, with all that belongs to it.
pub(crate) fn around(executable: &Path) -> &Path {
    let own = executable.parent().unwrap_or(executable);
    match own.parent() {
        Some(above) if is_in_deps(executable) => above,
        _ => own,
    }
}

/// Copies programs into a folder. What several executables of a build have is one file.
pub(super) fn copy(programs: &[PathBuf], folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for program in programs {
        let name = program.file_name().unwrap_or_default();
        // Names in the description of a build are text, as cargo has them.
        let Some(text) = name.to_str() else { continue };
        names.push(text.to_owned());
        let of_others = others(folder).into_iter().map(|other| other.join(name));
        let is_linked = of_others
            .filter(|other| is_same(other, program))
            .any(|other| fs::hard_link(other, folder.join(name)).is_ok());
        if !is_linked {
            regular_file::copy(program, &folder.join(name))?;
        }
    }
    Ok(names)
}

/// The folders beside one.
fn others(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.parent().map(fs::read_dir).into_iter().flatten();
    let paths = entries.flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| path != folder).collect()
}

/// Whether files have the same contents, of which the first is a regular one.
fn is_same(one: &Path, other: &Path) -> bool {
    let length =
        |path: &Path| fs::symlink_metadata(path).map(|about| (about.is_file(), about.len()));
    let hash = |path: &Path| Some(Digest::default().file(path).ok()?.key());
    matches!((length(one), length(other)), (Ok(one), Ok(other)) if one == other)
        && hash(one).is_some_and(|own| hash(other) == Some(own))
}

/// Makes programs appear in a folder: they are in one of a build, which does not change.
pub(crate) fn lend(programs: &[PathBuf], folder: &Path) -> io::Result<()> {
    for program in programs {
        let name = program.file_name().unwrap_or_default();
        let place = folder.join(name);
        if place.exists() {
            continue;
        }
        // It leads nowhere.
        let _ = fs::remove_file(&place);
        #[cfg(unix)]
        {
            // Also where the cache is moved.
            let above = program
                .parent()
                .and_then(|above| folder.strip_prefix(above).ok());
            let up: Option<PathBuf> = above.map(|below| below.iter().map(|_| "..").collect());
            let target = up.map_or_else(|| program.clone(), |up| up.join(name));
            std::os::unix::fs::symlink(target, &place)?;
        }
        #[cfg(not(unix))]
        fs::hard_link(program, &place).or_else(|_| regular_file::copy(program, &place))?;
    }
    Ok(())
}
