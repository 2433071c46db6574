//! Files in folders that other users can write to.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file that others may have made: a link is not followed, and a pipe is not waited for.
///
/// # Errors
/// If it cannot be opened, or is no regular file.
pub fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(crate::sys::O_NOFOLLOW | crate::sys::O_NONBLOCK);
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OPEN_REPARSE_POINT;
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_and_devices_are_refused() {
        let folder = std::env::temp_dir().join(format!("tourbillon-plain-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let open = |path: &Path| open_plain(OpenOptions::new().read(true), path);
        assert!(open(&file).is_ok());
        assert!(open(&link).is_err());
        assert!(open(Path::new("/dev/null")).is_err());
        // No process writes to it: without the flag, this would wait for ever.
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert!(open(&pipe).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
