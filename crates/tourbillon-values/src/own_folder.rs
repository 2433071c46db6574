//! Folders that are made below one that a branch may have filled.

use std::io;
use std::path::{Path, PathBuf};

/// The path of a folder below another one.
///
/// # Errors
///
/// When a link stands in place of one of its parts: it may lead anywhere.
pub fn below(root: &Path, parts: &Path) -> io::Result<PathBuf> {
    let mut folder = root.to_owned();
    for part in parts {
        folder.push(part);
        if folder.is_symlink() {
            let what = format!("{} is a link, which is not followed", folder.display());
            return Err(io::Error::other(what));
        }
    }
    Ok(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_part_is_a_link() {
        let place = std::env::temp_dir().join(format!("tourbillon-own-{}", std::process::id()));
        fs::create_dir_all(place.join("away/b")).expect("a folder");
        symlink("away", place.join("root")).expect("a link");
        symlink("b", place.join("away/link")).expect("a link");
        symlink("nowhere", place.join("away/b/open")).expect("a link");
        let root = place.join("root");
        let found =
            ["b/new", "link", "link/new", "b/open"].map(|parts| below(&root, parts.as_ref()).ok());
        let expected = Some(root.join("b/new"));
        fs::remove_dir_all(&place).expect("the folder");
        assert_eq!(found, [expected, None, None, None]);
    }
}
