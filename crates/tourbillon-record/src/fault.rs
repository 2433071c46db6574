/// A visit that failed: it costs its own samples, not the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// What happened.
    pub kind: FaultKind,
    /// What the worker said about it: the panic message, the error, the last lines of stderr.
    pub message: String,
    /// Where, when that is known.
    pub place: Option<Place>,
    /// The last lines that the worker wrote to stderr.
    pub stderr: String,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

impl Fault {
    /// A fault with a message only.
    pub fn new(case: &str, launch: u32, kind: FaultKind, message: String) -> Fault {
        Fault {
            case: case.to_owned(),
            launch,
            kind,
            message,
            place: None,
            stderr: String::new(),
            unknown: String::new(),
        }
    }
}

/// What happened to a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The benchmark panicked.
    Panic,
    /// The benchmark returned an error.
    Error,
    /// The benchmark ended the process with this exit code.
    Exit(i32),
    /// The process was ended by this signal.
    Signal(i32),
    /// No sign of life for this many milliseconds.
    Hang(u64),
    /// The worker does not know the case.
    UnknownCase,
    /// The benchmark returned without calling a terminal on its `Bencher`.
    NoTerminal,
    /// The worker could not be started.
    Spawn,
    /// The worker said something that is not understood.
    Protocol,
}

impl FaultKind {
    /// Name in records, such as `panic` or `unknown_case`.
    #[inline(never)]
    pub const fn name(&self) -> &'static str {
        match self {
            FaultKind::Panic => "panic",
            FaultKind::Error => "error",
            FaultKind::Exit(_) => "exit",
            FaultKind::Signal(_) => "signal",
            FaultKind::Hang(_) => "hang",
            FaultKind::UnknownCase => "unknown_case",
            FaultKind::NoTerminal => "no_terminal",
            FaultKind::Spawn => "spawn",
            FaultKind::Protocol => "protocol",
        }
    }
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Source file.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
}
