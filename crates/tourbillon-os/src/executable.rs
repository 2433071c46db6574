use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// An executable to start workers from.
#[derive(Clone, Debug)]
pub struct Executable {
    path: PathBuf,
    shown: OsString,
}

impl Executable {
    /// The executable of this process.
    ///
    /// On Linux it is opened through `/proc/self/exe`: the very file that runs now, even when
    /// a build has put another one in its place meanwhile.
    ///
    /// # Errors
    /// When the system cannot say where the executable is.
    pub fn own() -> io::Result<Executable> {
        let real = std::env::current_exe()?;
        let link = Path::new("/proc/self/exe");
        // Only a link that can be read names this process: `/proc` may belong to another system.
        let path = if cfg!(target_os = "linux") && link.read_link().is_ok() {
            link.to_path_buf()
        } else {
            real.clone()
        };
        Ok(Executable {
            path,
            shown: real.into_os_string(),
        })
    }

    /// The executable at a path.
    pub fn at(path: impl Into<PathBuf>) -> Executable {
        let path = path.into();
        Executable {
            shown: path.clone().into_os_string(),
            path,
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
