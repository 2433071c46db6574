//! This workspace as input: its sources, and cargo's description of it.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// What `cargo metadata --no-deps` printed for this workspace when the package was built (the
/// build script prints the reason then).
pub const METADATA: &str = include_str!(concat!(env!("OUT_DIR"), "/metadata.json"));

/// Bytes of the sources at most: they fit in the second-level cache of today's cores, and no body
/// takes more than some milliseconds.
pub const SOURCES_LIMIT: usize = 256 * 1024;

/// The Rust sources of the workspace's crates, one after the other in the order of their paths, cut off at
/// [`SOURCES_LIMIT`].
///
/// They are read afresh by every process that measures, and no file more than is needed: half a
/// millisecond, before the clock starts.
///
/// # Errors
///
/// Names the file or folder that cannot be read.
pub fn sources() -> Result<String, String> {
    let mut text = String::with_capacity(2 * SOURCES_LIMIT);
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    append(&crates, &mut text)?;
    let boundary = (0..=SOURCES_LIMIT)
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(boundary.unwrap_or_default());
    Ok(text)
}

/// Adds the Rust files below `folder` until there is enough.
fn append(folder: &Path, text: &mut String) -> Result<(), String> {
    let read = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = read.map_err(|error| unreadable(folder, &error))?;
    entries.sort_unstable_by_key(DirEntry::file_name);
    for entry in entries {
        if text.len() >= SOURCES_LIMIT {
            break;
        }
        let path = entry.path();
        let kind = entry
            .file_type()
            .map_err(|error| unreadable(&path, &error))?;
        if kind.is_dir() {
            append(&path, text)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!(
        "{} cannot be read: {error}; run the benchmarks inside their workspace",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::{METADATA, SOURCES_LIMIT, sources};

    #[test]
    fn the_sources_are_there_and_stay_within_the_limit() {
        let text = sources().expect("the workspace is readable");
        assert!(text.len() <= SOURCES_LIMIT);
        assert!(text.len() > SOURCES_LIMIT - 4, "{} bytes", text.len());
        assert!(text.contains("fn "));
    }

    #[test]
    fn the_sources_are_the_same_each_time() {
        assert_eq!(sources(), sources());
    }

    #[test]
    fn cargo_described_the_workspace() {
        assert!(METADATA.starts_with("{\"packages\":["));
        assert!(METADATA.contains("\"name\":\"tourbillon\""));
    }
}
