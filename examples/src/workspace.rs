//! This workspace as input: its sources, and what cargo says about it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What `cargo metadata --no-deps` printed for this workspace when the package was built (the
/// build script says why then).
pub const METADATA: &str = include_str!(concat!(env!("OUT_DIR"), "/metadata.json"));

/// Bytes of the sources at most: they fit in the second-level cache of today's cores, and no body
/// takes more than some milliseconds.
pub const SOURCES_LIMIT: usize = 256 * 1024;

/// The Rust sources of the workspace's crates, one after the other in the order of their paths, cut off at
/// [`SOURCES_LIMIT`].
///
/// They are read afresh by every process that measures: a few milliseconds, before the clock starts.
///
/// # Errors
///
/// Names the file or folder that cannot be read.
pub fn sources() -> Result<String, String> {
    let mut files = Vec::new();
    find(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates"),
        &mut files,
    )?;
    files.sort_unstable();
    let mut text = String::with_capacity(2 * SOURCES_LIMIT);
    for file in files {
        if text.len() >= SOURCES_LIMIT {
            break;
        }
        text += &fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
    }
    let boundary = (0..=SOURCES_LIMIT)
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(boundary.unwrap_or_default());
    Ok(text)
}

/// Adds the Rust files below `folder`.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
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
