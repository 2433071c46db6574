use std::ffi::OsStr;
use std::path::{Path, PathBuf, absolute};

use crate::store::{Error, Store};

impl Store {
    /// Where the store is, as an absolute path: what `--store` says; else what the variable
    /// `TOURBILLON_STORE` says, where it is set and not empty; else `tourbillon` in the target
    /// directory of the executable. Nothing is created.
    ///
    /// The target directory is the nearest one around the executable with the `CACHEDIR.TAG` that
    /// cargo puts there. It puts one into the folder of a target triple, too, but its
    /// `.rustc_info.json` only into the target directory itself. Where there is no tag (a target
    /// directory that somebody else had created), the place of `deps` tells.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_place`] for an empty `--store`, and for an executable outside a target
    /// directory when nobody named a place.
    pub fn locate(
        flag: Option<&Path>,
        environment: Option<&OsStr>,
        executable: &Path,
    ) -> Result<PathBuf, Error> {
        let named = match (flag, environment) {
            (Some(flag), _) if flag.as_os_str().is_empty() => return Err(Error::empty_flag()),
            (Some(flag), _) => flag,
            (None, Some(value)) if !value.is_empty() => Path::new(value),
            _ => return around(executable),
        };
        match absolute(named) {
            Ok(named) => Ok(named),
            Err(error) => Err(Error::create(named, error)),
        }
    }
}

/// In the target directory of an executable.
fn around(executable: &Path) -> Result<PathBuf, Error> {
    let Ok(executable) = absolute(executable) else {
        return Err(Error::no_place(executable));
    };
    match target_directory(&executable) {
        Some(target) => Ok(target.join("tourbillon")),
        None => Err(Error::no_place(&executable)),
    }
}

fn target_directory(executable: &Path) -> Option<&Path> {
    let mut deps = None;
    let mut around = executable.parent();
    while let Some(folder) = around {
        around = folder.parent();
        if is_tagged(folder) {
            return match around {
                Some(parent) if !is_root(folder) && is_tagged(parent) && is_root(parent) => around,
                _ => Some(folder),
            };
        }
        if deps.is_none() && folder.file_name() == Some(OsStr::new("deps")) {
            deps = Some(folder);
        }
    }
    deps?.parent()?.parent()
}

fn is_tagged(folder: &Path) -> bool {
    folder.join("CACHEDIR.TAG").is_file()
}

fn is_root(folder: &Path) -> bool {
    folder.join(".rustc_info.json").is_file()
}
