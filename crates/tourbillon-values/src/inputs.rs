//! The files that this process has read, by which an output that would replace one is refused.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What tells a file from all others, whatever path leads to it: its device and number, or its whole path.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// In place of a path: stdin.
const STDIN: &str = "-";

static READ: Mutex<Option<Read>> = Mutex::new(None);

#[derive(Default)]
struct Read {
    files: HashMap<Identity, PathBuf>,
    /// What is read as soon as it is there.
    names: Vec<PathBuf>,
}

/// Notes that a file is read. [`regular_file`](crate::regular_file) and [`named_file`](crate::named_file) do.
pub fn note(path: &Path) {
    if let Some(identity) = identity(path) {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let read = read.get_or_insert_default();
        read.files.insert(identity, path.to_owned());
    }
}

/// Notes that a file is read, and that one of its name would be later, such as the journal of a database.
pub fn note_name(path: &Path) {
    note(path);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.get_or_insert_default().names.push(path.to_owned());
}

/// The path by which this process has read a file that another path leads to, or would read it.
pub fn read_as(path: &Path) -> Option<PathBuf> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.as_ref()?;
    let file = identity(path).and_then(|identity| read.files.get(&identity));
    // A file that was removed may have left its number to a new one.
    let file = file.filter(|file| is_same(file, path));
    let named = || read.names.iter().find(|name| is_same_place(name, path));
    file.or_else(named).cloned()
}

/// Whether two paths name one place in one folder, whether or not a file is there.
pub fn is_same_place(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let around = path.parent().filter(|around| *around != Path::new(""));
        let around = fs::canonicalize(around.unwrap_or(Path::new(".")));
        Some(around.ok()?.join(path.file_name()?))
    };
    place(one).is_some_and(|one| place(other) == Some(one))
}

/// Whether what is read and another path lead to one file: through links, and by hard links where the system tells.
pub fn is_same(read: &Path, other: &Path) -> bool {
    identity(read).is_some_and(|read| identity(other) == Some(read))
}

/// `None` for what is not there, and for a pipe or a terminal, which may be read and written: nothing is replaced.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let stdin = (path == STDIN).then_some(Path::new("/dev/stdin"));
    let about = fs::metadata(stdin.unwrap_or(path)).ok()?;
    about.is_file().then(|| (about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    fs::canonicalize(path).ok().filter(|_| path != STDIN)
}
