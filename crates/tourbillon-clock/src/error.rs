//! Errors: no such clock, no such frequency, and why something cannot be read on this machine.

use std::fmt;

/// Why there is no such clock or no such frequency.
///
/// The kinds are private so that new sources can bring new reasons; the `is_*` functions distinguish
/// what a caller may want to treat differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(crate) Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    UnknownName(String),
    /// A clock, and why it cannot be read.
    Unavailable(&'static str, &'static str),
    /// Numerator and denominator.
    ZeroFrequency(u64, u64),
}

impl Error {
    /// Whether no time source has the name.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(self.0, Kind::UnknownName(_))
    }

    /// Whether the source exists, but not on this machine.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        matches!(self.0, Kind::Unavailable(..))
    }

    /// Whether a frequency is not a positive number of ticks per second.
    #[must_use]
    pub fn is_zero_frequency(&self) -> bool {
        matches!(self.0, Kind::ZeroFrequency(..))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::UnknownName(name) => write!(
                f,
                "no clock is called {name:?}; the clocks are tsc, cntvct and monotonic"
            ),
            Kind::Unavailable(clock, reason) => write!(
                f,
                "clock {clock} cannot be read here: {reason}; use monotonic, which every system has"
            ),
            Kind::ZeroFrequency(numerator, denominator) => write!(
                f,
                "{numerator}/{denominator} ticks per second is no frequency; state both as positive \
                 numbers"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Why a source cannot be read on this machine.
///
/// Its text is a sentence without a full stop.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::cpu_time::thread_user_kernel_ns;
///
/// if let Err(absence) = thread_user_kernel_ns() {
///     println!("no processor time: {absence}");
/// }
/// ```
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
    /// It exists, and this process may not read it.
    Forbidden(String),
    /// The system's function returned an error, or does not exist in this version.
    Refused(String),
    /// It exists, and what it tells cannot be true.
    Untrusted(String),
}

impl Absence {
    /// The system's function of that name failed with the error of the last call.
    #[cold]
    #[must_use]
    pub fn of_last_call(function: &str) -> Absence {
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
            Absence::NoDevice(text)
            | Absence::Forbidden(text)
            | Absence::Refused(text)
            | Absence::Untrusted(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Absence {}
