use std::fmt;
use std::process::ExitStatus;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// It was told to end and its end was not seen in time: a process stuck in the kernel.
    NotSeen,
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            if let Some(signal) = status.signal() {
                return Ending::Signalled(signal);
            }
        }
        match status.code() {
            Some(code) => Ending::Exited(code),
            None => Ending::NotSeen,
        }
    }
}

impl fmt::Display for Ending {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (how, number) = match self {
            Ending::Exited(code) => ("exited with code ", code),
            Ending::Signalled(signal) => ("ended by signal ", signal),
            Ending::NotSeen => return f.write_str("did not end when told to"),
        };
        f.write_str(how)?;
        number.fmt(f)
    }
}
