//! Who decides what is in a folder, besides this user and the system.

use std::io;
use std::path::{Path, PathBuf};

use crate::compile::configuration::cargo_home;
use crate::error::{Error, Result, refused};
use crate::source::commits::{tracked_file, tracked_link};

/// A folder or a link of others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Strange {
    pub(crate) path: PathBuf,
    /// What is wrong with it, after its name.
    pub(crate) why: &'static str,
}

impl Strange {
    fn new(path: &Path, why: &'static str) -> Strange {
        let path = path.to_owned();
        Strange { path, why }
    }
}

/// What leads to a folder, or could lead to another one at any time, by the will of others. The folder need not exist.
pub(crate) fn on_the_way(folder: &Path) -> io::Result<Option<Strange>> {
    if let Some(link) = tracked_link(folder) {
        return Ok(Some(Strange::new(&link, "is a link in a repository")));
    }
    #[cfg(unix)]
    return unix::on_the_way(folder);
    #[cfg(not(unix))]
    Ok(None)
}

/// Whether others may have put files into a folder: its owner, if neither this user nor the system is, all users, or
/// the author of a commit.
pub(crate) fn of_folder(folder: &Path) -> io::Result<Option<Strange>> {
    let committed = tracked_file(&folder.canonicalize()?).map_err(io::Error::other)?;
    if let Some(file) = committed {
        return Ok(Some(Strange::new(&file, "is a file of a repository")));
    }
    #[cfg(unix)]
    return unix::of_folder(folder);
    #[cfg(not(unix))]
    Ok(None)
}

/// Fails if what a checkout has decides how every revision is built, the base of a pull request too: cargo reads
/// `.cargo/config.toml` and workspaces in all folders around the clones, and what is in its home.
pub(crate) fn refuse_checkout(root: &Path, clones: &Path) -> Result<()> {
    let whole = |path: &Path| {
        let whole = path.canonicalize();
        whole.map_err(|error| refused(path, "read", &error))
    };
    let (root, clones) = (whole(root)?, whole(clones)?);
    if clones.starts_with(&root) {
        return Err(Error::Environment(format!(
            "{clones:?} is in the checkout, whose .cargo/config.toml and workspace cargo would apply to every revision; \
             name a folder outside of {root:?} with the variable TOURBILLON_CACHE"
        )));
    }
    let home = cargo_home().and_then(|home| home.canonicalize().ok());
    let Some(home) = home.filter(|home| home.starts_with(&root)) else {
        return Ok(());
    };
    match tracked_file(&home)? {
        None => Ok(()),
        Some(file) => Err(Error::Environment(format!(
            "{file:?} is a file of the checkout in cargo's home, which cargo would use for every revision; name a \
             folder outside of {root:?} with the variable CARGO_HOME"
        ))),
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Component, Path, PathBuf};
    use std::{env, fs, io};

    use super::Strange;

    /// Others may write ..
    const OTHERS: u32 = 0o002;
    /// .. but not remove or replace what is not theirs.
    const STICKY: u32 = 0o1000;

    /// Most links on the way, as of Linux.
    const LINKS: usize = 40;

    pub(super) fn of_folder(folder: &Path) -> io::Result<Option<Strange>> {
        let own = own(folder)?;
        let about = fs::metadata(folder)?;
        Ok(strange(own, about.uid(), about.mode()).map(|why| Strange::new(folder, why)))
    }

    pub(super) fn on_the_way(folder: &Path) -> io::Result<Option<Strange>> {
        let mut existing = folder.ancestors().filter(|around| around.is_dir());
        let own = own(existing.next().unwrap_or(Path::new("/")))?;
        // Who can replace these decides what this user runs anyway.
        let trusted: Vec<PathBuf> = [env::home_dir(), env::current_dir().ok()]
            .into_iter()
            .flatten()
            .filter_map(|path| path.canonicalize().ok())
            .collect();
        walk(folder, own, &trusted)
    }

    /// The user that a new file in a folder has: that of this process, unless the file system has others.
    fn own(folder: &Path) -> io::Result<u32> {
        Ok(tempfile::tempfile_in(folder)?.metadata()?.uid())
    }

    /// Goes to a folder as the system does, and looks at every folder and link.
    pub(super) fn walk(
        folder: &Path,
        own: u32,
        trusted: &[PathBuf],
    ) -> io::Result<Option<Strange>> {
        let mut at = PathBuf::from("/");
        let mut left: Vec<OsString> = parts(folder);
        let mut links = 0;
        while let Some(part) = left.pop() {
            if part == ".." {
                at.pop();
                continue;
            }
            let next = at.join(part);
            let about = match next.symlink_metadata() {
                // The rest will be made.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                about => about?,
            };
            if about.is_symlink() {
                if ![own, 0].contains(&about.uid()) {
                    return Ok(Some(Strange::new(&next, "is a link of another user")));
                }
                links += 1;
                if links > LINKS {
                    return Err(io::Error::other("too many links"));
                }
                let to = fs::read_link(&next)?;
                if to.is_absolute() {
                    at = PathBuf::from("/");
                }
                left.extend(parts(&to));
                continue;
            }
            at = next;
            let mode = match about.mode() & STICKY {
                0 => about.mode(),
                _ => about.mode() & !OTHERS,
            };
            let is_trusted = trusted.iter().any(|trusted| trusted.starts_with(&at));
            if let Some(why) = strange(own, about.uid(), mode).filter(|_| !is_trusted) {
                return Ok(Some(Strange::new(&at, why)));
            }
        }
        Ok(None)
    }

    /// The parts of a path, the last one first.
    fn parts(path: &Path) -> Vec<OsString> {
        let parts = path.components().rev().filter_map(|part| match part {
            Component::Normal(_) | Component::ParentDir => Some(part.as_os_str().to_owned()),
            _ => None,
        });
        parts.collect()
    }

    pub(super) fn strange(own: u32, owner: u32, mode: u32) -> Option<&'static str> {
        if owner != own && owner != 0 {
            Some("belongs to another user")
        } else if mode & OTHERS != 0 {
            Some("can be written by every user")
        } else {
            None
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};

    use super::unix::{strange, walk};
    use super::*;

    fn allow(folder: &Path, mode: u32) {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder, permissions).expect("changed");
    }

    #[test]
    fn a_folder_that_others_filled_is_not_used() {
        for (owner, mode, expected) in [
            (7, 0o40700, None),
            (7, 0o40775, None),
            (0, 0o40755, None),
            (8, 0o40700, Some("belongs to another user")),
            (8, 0o40777, Some("belongs to another user")),
            (7, 0o40777, Some("can be written by every user")),
            (0, 0o41777, Some("can be written by every user")),
        ] {
            assert_eq!(strange(7, owner, mode), expected, "{owner} {mode:o}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(of_folder(folder.path()).expect("a folder"), None);
        allow(folder.path(), 0o1777);
        assert!(of_folder(folder.path()).expect("a folder").is_some());
    }

    #[test]
    fn clones_are_not_in_the_checkout() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for path in ["own/target/cache", "own.cache"] {
            fs::create_dir_all(at(path)).expect("a folder");
        }
        symlink(at("own/target"), at("link")).expect("a link");
        for (clones, expected) in [
            ("own.cache", true),
            ("own/target/cache", false),
            ("link/cache", false),
        ] {
            let refused = refuse_checkout(&at("own"), &at(clones));
            assert_eq!(refused.is_ok(), expected, "{clones}: {refused:?}");
        }
    }

    #[test]
    fn every_folder_and_every_link_on_the_way_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        let own = fs::metadata(&root).expect("a folder").uid();
        let at = |path: &str| root.join(path);
        for path in ["open/own", "sticky/own", "away"] {
            fs::create_dir_all(at(path)).expect("a folder");
        }
        allow(&at("open"), 0o777);
        allow(&at("sticky"), 0o1777);
        symlink("../away/../open", at("sticky/link")).expect("a link");
        symlink("loop", at("loop")).expect("a link");
        let walked = |path: &str, own, trusted: &[PathBuf]| walk(&at(path), own, trusted);
        let found = |path: &str| walked(path, own, &[]).expect(path);
        let open = || Some(Strange::new(&at("open"), "can be written by every user"));
        assert_eq!(found("away/new/cache"), None);
        assert_eq!(found("sticky/own/cache"), None);
        assert_eq!(found("open/own/cache"), open());
        assert_eq!(found("sticky/link/cache"), open());
        assert!(walked("loop/cache", own, &[]).is_err());
        // As of the home folder, and of the folder that is built.
        for inner in ["open", "open/own"] {
            let trusted = [at(inner)];
            assert_eq!(walked("open/own/cache", own, &trusted).expect(inner), None);
        }
        // What belongs to neither this user nor the system.
        let user = match own {
            0 => {
                let changed = chown(at("away"), Some(7), None);
                if changed
                    .and(lchown(at("sticky/link"), Some(7), None))
                    .is_err()
                {
                    return;
                }
                own
            }
            own => own + 1,
        };
        let walked = |path, trusted: &str| walked(path, user, &[at(trusted)]).expect(path);
        let expected = Strange::new(&at("away"), "belongs to another user");
        assert_eq!(walked("away/cache", ""), Some(expected));
        let expected = Strange::new(&at("sticky/link"), "is a link of another user");
        assert_eq!(walked("sticky/link/cache", "sticky"), Some(expected));
    }
}
