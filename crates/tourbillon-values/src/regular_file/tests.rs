//! What is a regular file, and what is not.

use super::*;
use crate::named_file;

/// A folder that is removed in the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tourbillon-files-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_has_a_limit() {
    let folder = Folder::new("limit");
    let path = folder.0.join("file");
    fs::write(&path, "four").expect("a file");
    assert_eq!(read_text(&path, 4).expect("four bytes"), "four");
    assert_eq!(named_file::read_text(&path, 4).expect("four bytes"), "four");
    for error in [read(&path, 3), named_file::read(&path, 3)] {
        let error = error.expect_err("too long").to_string();
        assert!(error.contains("more than 3 bytes"), "{error}");
    }
    fs::write(&path, b"\xff").expect("a file");
    assert_eq!(
        read_text(&path, 4).expect_err("no text").kind(),
        ErrorKind::InvalidData
    );
    // A sparse file of a terabyte takes no memory.
    let sparse = File::create(&path).expect("a file");
    if sparse.set_len(1 << 40).is_ok() {
        let error = read(&path, 1 << 32).expect_err("a terabyte").to_string();
        assert!(error.contains("more than 4 GiB"), "{error}");
        assert!(named_file::read(&path, 1 << 20).is_err());
    }
    let error = read(&folder.0, 4).expect_err("a folder").to_string();
    assert!(error.contains("a folder"), "{error}");
    assert!(named_file::read(&folder.0, 4).is_err());
    let missing = read(&folder.0.join("missing"), 4).expect_err("no file");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn what_does_not_end_is_refused_at_once() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = Folder::new("kinds");
    let at = |name: &str| folder.0.join(name);
    let made = std::process::Command::new("mkfifo")
        .arg(at("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    let _socket = UnixListener::bind(at("socket")).expect("a socket");
    symlink(at("pipe"), at("link")).expect("a link");
    symlink("/dev/zero", at("zero")).expect("a link");
    for path in [
        at("pipe"),
        at("socket"),
        at("link"),
        at("zero"),
        "/dev/urandom".into(),
    ] {
        let error = read(&path, 1 << 20).expect_err("no file").to_string();
        assert!(error.contains("not a regular file"), "{path:?}: {error}");
    }
    // A circle of links.
    symlink(at("one"), at("other")).expect("a link");
    symlink(at("other"), at("one")).expect("a link");
    assert!(read(&at("one"), 1).is_err());
    assert!(named_file::read(&at("one"), 1).is_err());
    // What a user names may be a device, and ends at the limit.
    let error = named_file::read(Path::new("/dev/zero"), 1 << 20).expect_err("endless");
    assert!(error.to_string().contains("more than 1 MiB"), "{error}");
    // A pipe that takes the place of a file between the look and the opening.
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NO_WAIT);
    let pipe = options
        .read(true)
        .open(at("pipe"))
        .expect("a pipe without a writer");
    assert!(check(&pipe.metadata().expect("known")).is_err());
}
