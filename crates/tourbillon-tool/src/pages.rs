//! Pages for a browser.

use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::{Stop, say};
use crate::output::{self, not_written};
use crate::records;

/// Writes a page to a file, by default next to the runs in the target folder, outside of a package in the current
/// folder, under this name. Gives its path.
///
/// # Errors
///
/// When it cannot be written there.
pub fn save(page: &str, file: Option<&Path>, name: &str) -> Result<PathBuf, Stop> {
    let path = match (file, records::workspace()) {
        (Some(file), _) => file.to_owned(),
        (None, Err(_)) => name.into(),
        (None, Ok(workspace)) => {
            let folder = records::in_target(workspace, records::FOLDER, "--output FILE")?;
            fs::create_dir_all(&folder).map_err(|error| not_written(&folder, &error))?;
            folder.join(name)
        }
    };
    match file {
        Some(_) => output::write(&path, page)?,
        None => output::write_own(&path, page)?,
    }
    say(&format!("report: {}\n", path.display()));
    Ok(path)
}
