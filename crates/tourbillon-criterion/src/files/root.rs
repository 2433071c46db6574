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
    let executable = env::current_exe().unwrap_or_default();
    in_target(variable("CARGO_TARGET_DIR").map(PathBuf::from), &executable)
}

/// A relative target folder begins where cargo was started, which is not where it starts a program of a workspace.
fn in_target(named: Option<PathBuf>, executable: &Path) -> PathBuf {
    if let Some(target) = named.filter(|target| target.is_absolute()) {
        return target.join("criterion");
    }
    // The store of runs is in the target folder, too.
    match Store::locate(None, None, executable) {
        Ok(store) => store.with_file_name("criterion"),
        Err(_) => Path::new("target").join("criterion"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_target_folder_is_that_of_the_executable() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let executable = root.join("tt/release/deps/x");
        let of = |named: Option<&Path>| in_target(named.map(Path::to_owned), &executable);
        let own = of(None);
        assert!(own.ends_with("criterion"), "{own:?}");
        assert_eq!(of(Some(Path::new("tt"))), own);
        assert_eq!(of(Some(&root.join("t"))), root.join("t/criterion"));
    }
}
