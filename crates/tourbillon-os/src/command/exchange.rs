//! Two names that change places.

use std::io;
use std::path::Path;

/// Exchanges what two names stand for, in one step: no program that ends meanwhile leaves one of them without anything.
///
/// # Errors
/// If one of them is not there, or (kind `Unsupported`) the system or the file system cannot do it.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::ffi::CString;
        use std::os::unix::ffi::OsStrExt;

        let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
        let (one, other) = (text(one)?, text(other)?);
        // SAFETY: both texts live, and end with a zero byte.
        let done = unsafe {
            libc::syscall(
                libc::SYS_renameat2,
                libc::AT_FDCWD,
                one.as_ptr(),
                libc::AT_FDCWD,
                other.as_ptr(),
                libc::RENAME_EXCHANGE,
            )
        };
        if done == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        // What a file system says that knows no such call.
        match error.raw_os_error() {
            Some(libc::EINVAL | libc::ENOSYS) => Err(io::ErrorKind::Unsupported.into()),
            _ => Err(error),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_change_places() {
        let root = std::env::temp_dir().join(format!("tourbillon-exchange-{}", std::process::id()));
        let [one, other] = ["one", "other"].map(|name| root.join(name));
        for folder in [&one, &other] {
            fs::create_dir_all(folder.join(folder.file_name().unwrap())).unwrap();
        }
        match exchange(&one, &other) {
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::Unsupported),
            Ok(()) => assert!(one.join("other").is_dir() && other.join("one").is_dir()),
        }
        let missing = exchange(&one, &root.join("none"));
        assert_ne!(missing.map_err(|error| error.kind()), Ok(()));
        fs::remove_dir_all(root).unwrap();
    }
}
