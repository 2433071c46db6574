//! What is started as a process, and how it ends.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// The executable of a process, for itself.
const OWN: &str = "/proc/self/exe";

/// Whether this system starts processes: WebAssembly does not, nor does Miri.
pub const HAS_PROCESSES: bool = cfg!(all(not(miri), any(unix, windows)));

/// An executable to start workers from.
#[derive(Clone, Debug)]
pub struct Executable {
    path: PathBuf,
    shown: OsString,
}

impl Executable {
    /// The executable of this process.
    ///
    /// On Linux it is opened through `/proc/self/exe`: the file that runs now, even if a build has
    /// replaced it in the meantime. Under an emulator, such as valgrind, it has its path: the kernel starts what it
    /// executes by that link, which is the emulator.
    ///
    /// # Errors
    /// If the system does not report where the executable is; on systems with a single process, and under Miri.
    pub fn own() -> io::Result<Executable> {
        if !HAS_PROCESSES {
            let text = "this system starts no processes, and a launch is one: run bodies once here, with --test, and \
                        measure on Linux, macOS or Windows";
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        let executable = Executable::at(std::env::current_exe()?);
        // The link is used only if it can be read: `/proc` may belong to another system.
        #[cfg(target_os = "linux")]
        if Path::new(OWN).read_link().is_ok() && crate::emulator().is_none() {
            return Ok(Executable {
                path: PathBuf::from(OWN),
                ..executable
            });
        }
        Ok(executable)
    }

    /// The executable at a path.
    pub fn at(path: impl Into<PathBuf>) -> Executable {
        let path = path.into();
        Executable {
            shown: path.clone().into_os_string(),
            path,
        }
    }

    /// The executable at a path, started under a name.
    pub fn named(path: impl Into<PathBuf>, name: impl Into<OsString>) -> Executable {
        Executable {
            path: path.into(),
            shown: name.into(),
        }
    }

    /// The path at which another process opens the same file. The system puts it on the stack of what is started, so it
    /// is of one length whatever the id of this process.
    pub fn path_elsewhere(&self) -> PathBuf {
        if self.path == Path::new(OWN) {
            PathBuf::from(format!("/proc/{:/>10}/exe", std::process::id()))
        } else {
            self.path.clone()
        }
    }

    /// The path to open.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name under which the process is started (its first argument).
    pub fn shown(&self) -> &OsString {
        &self.shown
    }
}

/// Destination of a child's stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorOutput {
    /// A temporary file that the system deletes, whose tail can be read later.
    File,
    /// The stderr of this process.
    Inherit,
}

/// Result of a wait for a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// Its output can be read, or has ended.
    pub output: bool,
    /// The child has ended; its output may still hold data.
    pub ended: bool,
    /// A signal has arrived.
    pub signal: bool,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// It was killed and did not end in time: a process stuck in the kernel.
    NotSeen,
}

impl Ending {
    /// Exit code of a process that aborted on Windows (`STATUS_STACK_BUFFER_OVERRUN`, as which the system
    /// reports every `__fastfail`).
    const ABORTED: i32 = 0xC000_0409_u32.cast_signed();

    /// Whether the process aborted.
    pub fn is_abort(self) -> bool {
        matches!(self, Ending::Signalled(6) | Ending::Exited(Ending::ABORTED))
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ending::Signalled(signal);
        }
        status.code().map_or(Ending::NotSeen, Ending::Exited)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Windows ends a process that crashed with the number of the exception.
            Ending::Exited(code) if *code < 0 => write!(f, "exited with code {code:#010X}"),
            Ending::Exited(code) => write!(f, "exited with code {code}"),
            Ending::Signalled(signal) => write!(f, "ended by signal {signal}"),
            Ending::NotSeen => f.write_str("did not end after it was killed"),
        }
    }
}

/// The worker's ends of the pipes to its coordinator; closed when the process executes another program.
#[derive(Debug)]
pub struct Protocol {
    /// Receives what the coordinator sends.
    pub input: File,
    /// Sends to the coordinator.
    pub output: File,
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn another_process_opens_the_same_file() {
        let own = Executable::own().expect("an executable");
        let elsewhere = own.path_elsewhere();
        assert_eq!(elsewhere.as_os_str().len(), "/proc/0123456789/exe".len());
        let read = |path: &Path| path.read_link().expect("a link");
        assert_eq!(read(&elsewhere), read(own.path()));
        let other = Executable::named("/bin/sh", "shell");
        assert_eq!(other.path_elsewhere(), Path::new("/bin/sh"));
        assert_eq!(other.shown(), "shell");
    }
}
