//! Why something cannot be read on this machine.

use std::fmt;

/// Why a source cannot be read here.
///
/// Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// It belongs to processors of another kind: these.
    OtherProcessor(&'static str),
    /// It belongs to other systems.
    OtherSystem(&'static str),
    /// This processor lacks the instruction.
    NoInstruction(&'static str),
    /// Neither the machine nor its hypervisor has the device.
    NoDevice(String),
    /// It is there, and this process may not read it.
    Forbidden(String),
    /// The system's function answered with an error, or does not exist in this version.
    Refused(String),
}

impl Absence {
    /// The system's function of that name answered with the error of its last call.
    #[cold]
    #[cfg(any(unix, windows))]
    pub(crate) fn of_last_call(function: &str) -> Absence {
        let error = std::io::Error::last_os_error();
        Absence::Refused(format!("{function} failed ({error})"))
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Absence::OtherProcessor(kind) => write!(f, "a source of {kind} processors"),
            Absence::OtherSystem(what) => f.write_str(what),
            Absence::NoInstruction(name) => write!(f, "this processor has no {name}"),
            Absence::NoDevice(text) | Absence::Forbidden(text) | Absence::Refused(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Absence {}
