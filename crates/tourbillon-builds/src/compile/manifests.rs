//! The manifests of the packages in a checkout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::error::Result;
use crate::source::git::{git, query};

/// What a vendored package has beside its manifest.
const VENDORED: &str = ".cargo-checksum.json";

/// The manifests that git tracks in a checkout and its submodules, each with its path from the root. What cannot be read
/// is left to cargo.
pub(crate) fn manifests(checkout: &Path) -> Result<Vec<(PathBuf, Table)>> {
    let mut listed = git(checkout);
    listed
        .words(&["ls-files", "-z", "--recurse-submodules"])
        .words(&["--", "Cargo.toml", "*/Cargo.toml"]);
    let files = query(&mut listed)?;
    let read = files.split_terminator('\0').filter_map(|file| {
        let text = regular_file::read_text(&checkout.join(file), DESCRIPTION_BYTES).ok()?;
        Some((PathBuf::from(file), text.parse().ok()?))
    });
    Ok(read.collect())
}

/// The names of the packages in a checkout.
pub(crate) fn packages(checkout: &Path) -> Result<BTreeSet<String>> {
    let all = manifests(checkout)?;
    Ok(all.iter().filter_map(|(_, one)| name(one)).collect())
}

/// Those that cargo takes for the checkout's own, whose files may change. Vendored ones are packages of others.
pub(crate) fn own_packages(checkout: &Path) -> Result<BTreeSet<String>> {
    let all = manifests(checkout)?.into_iter();
    let own = all.filter(|(file, _)| !checkout.join(file).with_file_name(VENDORED).exists());
    Ok(own.filter_map(|(_, one)| name(&one)).collect())
}

fn name(manifest: &Table) -> Option<String> {
    let package = manifest.get("package")?.as_table()?;
    package
        .get("name")
        .and_then(Value::as_str)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn packages_need_not_be_of_one_workspace() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        for (file, text) in [
            ("Cargo.toml", "[workspace]\nexclude = ['benches/é']\n"),
            ("shop/Cargo.toml", "[package]\nname = 'shop'\n"),
            ("benches/é/Cargo.toml", "[package]\nname = 'benches'\n"),
            ("vendor/a/Cargo.toml", "[package]\nname = 'a'\n"),
            ("vendor/a/.cargo-checksum.json", "{}"),
            ("no/Cargo.toml", "no TOML"),
        ] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        query(git(root).words(&["add", "--all"])).expect("added");
        let found = packages(root).expect("git lists them");
        assert_eq!(Vec::from_iter(found), ["a", "benches", "shop"]);
        let own = own_packages(root).expect("git lists them");
        assert_eq!(Vec::from_iter(own), ["benches", "shop"]);
    }
}
