use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

use crate::sys;

/// A descriptor that processes have too which are started as long as it lives, under a path.
///
/// Any process: when another thread starts one meanwhile, that has it as well.
#[derive(Debug)]
pub struct Handed(OwnedFd);

impl Handed {
    /// A copy of `descriptor` to hand on.
    ///
    /// # Errors
    /// When this process has too many descriptors.
    // Inline: whoever compares builds needs it, and no bench binary.
    #[inline]
    pub fn new(descriptor: impl AsFd) -> io::Result<Handed> {
        let descriptor = descriptor.as_fd();
        // SAFETY: it is open, for it is borrowed.
        match unsafe { sys::dup(descriptor.as_raw_fd()) } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: it was made just now, and nobody else knows of it.
            copy => Ok(Handed(unsafe { OwnedFd::from_raw_fd(copy) })),
        }
    }

    /// Where a process that has it can open it.
    #[inline]
    pub fn path(&self) -> String {
        format!("/dev/fd/{}", self.0.as_raw_fd())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write, pipe};
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_opens_what_was_handed_on() {
        let (mut reader, writer) = pipe().unwrap();
        let handed = Handed::new(&writer).unwrap();
        let script = format!("echo it is > {}", handed.path());
        let mut child = Command::new("/bin/sh")
            .args(["-c", &script])
            .spawn()
            .unwrap();
        drop((handed, writer));
        assert!(child.wait().unwrap().success());
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert_eq!(said, "it is\n");
    }

    #[test]
    fn it_ends_with_its_last_holder() {
        let (reader, mut writer) = pipe().unwrap();
        drop(Handed::new(&reader).unwrap());
        drop(reader);
        // SIGPIPE is ignored in Rust programs.
        let error = writer.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
