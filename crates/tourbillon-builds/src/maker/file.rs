//! Executables that the user names, with what is beside them.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::{Maker, usable};
use crate::cache::build::{Build, LIBRARIES, OBJECTS, PLACED};
use crate::cache::programs::is_in_deps;
use crate::compile::shared_libraries::SearchedLibraries;
use crate::compile::targets::Target;
use crate::error::{Result, refused};
use crate::key::{Digest, of_contents};

impl Maker {
    /// A copy of an executable. Beside it are links to what is beside the original, which it may look for, and above it, as
    /// in a folder of cargo, to what is there.
    pub(super) fn file(&self, path: &Path) -> Result<Build> {
        usable(path)?;
        let name = path.file_name().unwrap_or_default();
        let real = path
            .canonicalize()
            .map_err(|error| refused(path, "read", &error))?;
        let target = Target {
            name: name.to_string_lossy().into_owned(),
            executable: real.clone(),
            libraries: SearchedLibraries::beside(&real),
            ..Target::default()
        };
        let origin = real.parent().unwrap_or(&real);
        let about = Build {
            label: path.display().to_string(),
            ..Build::default()
        };
        let targets = [target];
        let digest = Digest::default().part("file");
        let digest = digest.part(origin.as_os_str().as_encoded_bytes());
        let key = of_contents(digest, &targets)?;
        let build = self.keeper.keep(&key, about, &targets, None)?;
        for executable in &build.executables {
            let own = executable.path.parent().unwrap_or(origin);
            link_all(origin, own);
            // target/release, with the programs of its package.
            if let Some(above) = own.parent().filter(|_| is_in_deps(&executable.path)) {
                link_all(origin.parent().unwrap_or(origin), above);
            }
        }
        Ok(Build {
            origin: Some(origin.to_owned()),
            ..build
        })
    }
}

/// Makes links in a folder to what is in another one, where names are free and every user may.
fn link_all(from: &Path, to: &Path) {
    let entries = fs::read_dir(from).into_iter().flatten().flatten();
    let is_own = |name: &OsStr| [OBJECTS, PLACED, LIBRARIES].iter().any(|own| name == *own);
    for entry in entries.filter(|entry| !is_own(&entry.file_name())) {
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(entry.path(), to.join(entry.file_name()));
        #[cfg(not(unix))]
        let _ = (entry, to);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cache::build::fingerprint;

    #[test]
    fn a_copy_finds_what_is_beside_the_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        for path in [
            "from/speed",
            "from/data/input",
            "from/objects.d/a.o",
            "to/speed",
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, path.as_os_str().as_encoded_bytes()).expect("a file");
        }
        let before = fingerprint(&to).expect("files");
        let copy = fs::read(to.join("speed")).expect("a file");
        for _ in 0..2 {
            link_all(&from, &to);
        }
        assert!(to.join("data/input").is_file() && !to.join(OBJECTS).exists());
        assert_eq!(fs::read(to.join("speed")).expect("a file"), copy);
        assert_eq!(fingerprint(&to).expect("files"), before);
    }
}
