//! Which command runs, in a file in memory that the coordinator and the launcher share: a command may end the launcher,
//! and what it has started must not go on.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::process;

use tourbillon_os::command::{end_group_of, memory_file};

/// The coordinator's or the launcher's end.
#[derive(Debug)]
pub(crate) struct GroupFile(File);

impl GroupFile {
    /// A file for one launcher. It has its memory from the start.
    pub(crate) fn new() -> io::Result<GroupFile> {
        let file = GroupFile(memory_file()?);
        file.note(0)?;
        Ok(file)
    }

    /// Where the launcher opens it.
    pub(crate) fn path(&self) -> String {
        format!("/proc/{}/fd/{}", process::id(), self.0.as_raw_fd())
    }

    pub(crate) fn open(path: &str) -> io::Result<GroupFile> {
        File::options().write(true).open(path).map(GroupFile)
    }

    /// Notes the id of the process that runs and leads a group; 0 for none. Allocates nothing.
    pub(crate) fn note(&self, process: u32) -> io::Result<()> {
        self.0.write_all_at(&process.to_ne_bytes(), 0)
    }

    /// Ends the group of the process that is noted: its launcher has ended before it.
    pub(crate) fn end_left(&self) {
        let mut process = [0; 4];
        if self.0.read_exact_at(&mut process, 0).is_ok() {
            end_group_of(u32::from_ne_bytes(process));
        }
    }
}
