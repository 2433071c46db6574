//! The folder of all files, where criterion has it.

use std::env;
use std::path::{Path, PathBuf};

use tourbillon_record::store::Store;

/// The folder of all files: `CRITERION_HOME`, else `criterion` in the target folder, which is that of the executable
/// where `CARGO_TARGET_DIR` does not name one.
pub(crate) fn root() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(home) = variable("CRITERION_HOME") {
        return PathBuf::from(home);
    }
    if let Some(target) = variable("CARGO_TARGET_DIR") {
        return PathBuf::from(target).join("criterion");
    }
    let executable = env::current_exe().unwrap_or_default();
    // The store of runs is in the target folder, too.
    match Store::locate(None, None, &executable) {
        Ok(store) => store.with_file_name("criterion"),
        Err(_) => Path::new("target").join("criterion"),
    }
}
