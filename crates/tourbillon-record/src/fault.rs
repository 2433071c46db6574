//! Launches that failed.

use crate::Error;
use crate::codec::{Field, Object, object, read_fields, text, write_fields};
use crate::json::Writer;
use crate::members::Members;

/// A launch that failed: it costs its own samples, not the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fault {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// What happened.
    pub kind: FaultKind,
    /// The panic message or the error; else what is known.
    pub message: String,
    /// Where, when that is known.
    pub location: Option<SourceLocation>,
    /// The last lines that the worker wrote to stderr.
    pub stderr: String,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

// By hand, because of the message.
impl Object for Fault {
    fn write_members(&self, out: &mut Writer) {
        write_fields(
            out,
            &[
                ("case", &self.case),
                ("launch", &self.launch),
                ("kind", &self.kind),
                ("message", &shortened(&self.message)),
                ("location", &self.location),
                ("stderr", &self.stderr),
            ],
        );
    }

    fn read_members(&mut self, from: &mut Members<'_>) -> Result<(), Error> {
        read_fields(
            from,
            &mut [
                ("case", &mut self.case),
                ("launch", &mut self.launch),
                ("kind", &mut self.kind),
                ("message", &mut self.message),
                ("location", &mut self.location),
                ("stderr", &mut self.stderr),
            ],
        )?;
        self.message = shortened(&self.message);
        Ok(())
    }
}

/// A message at a length that people read: an `assert_eq!` of two long vectors has a million
/// characters, which each failing launch would send and store.
pub(crate) fn shortened(message: &str) -> String {
    /// Characters that are kept, and of these what the note at the end takes.
    const LONGEST: usize = 2_000;
    const NOTE: usize = 45;
    let characters = message.chars().count();
    if characters <= LONGEST {
        return message.to_owned();
    }
    let short: String = message.chars().take(LONGEST - NOTE).collect();
    let more = characters - (LONGEST - NOTE);
    format!("{short}\u{2026} ({more} more characters)")
}

/// What happened to a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FaultKind {
    /// The benchmark panicked.
    Panic,
    /// The benchmark returned an error.
    Error,
    /// The benchmark ended the process with this exit code.
    Exit(i32),
    /// The process was ended by this signal.
    Signal(i32),
    /// The worker was silent for this many milliseconds.
    Hang(u64),
    /// The worker does not know the case.
    UnknownCase,
    /// The benchmark returned without calling a terminal on its `Bencher`.
    NoTerminal,
    /// In a comparison, the body takes as long as an empty loop, and that of the reference does not.
    EmptyBody,
    /// The worker could not be started.
    Spawn,
    /// The worker sent an invalid message.
    #[default]
    Protocol,
}

impl FaultKind {
    /// Every kind, without its figure.
    const ALL: [FaultKind; 10] = [
        FaultKind::Panic,
        FaultKind::Error,
        FaultKind::Exit(0),
        FaultKind::Signal(0),
        FaultKind::Hang(0),
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
        FaultKind::EmptyBody,
        FaultKind::Spawn,
        FaultKind::Protocol,
    ];

    /// Name in records, such as `panic` or `unknown_case`.
    pub const fn name(&self) -> &'static str {
        match self {
            FaultKind::Panic => "panic",
            FaultKind::Error => "error",
            FaultKind::Exit(_) => "exit",
            FaultKind::Signal(_) => "signal",
            FaultKind::Hang(_) => "hang",
            FaultKind::UnknownCase => "unknown_case",
            FaultKind::NoTerminal => "no_terminal",
            FaultKind::EmptyBody => "empty_body",
            FaultKind::Spawn => "spawn",
            FaultKind::Protocol => "protocol",
        }
    }
}

/// The name, and the figure of the kind in a member of its own.
impl Field for FaultKind {
    fn write_field(&self, name: &str, out: &mut Writer) {
        let (mut code, mut signal, mut silent_ms) = (None, None, None);
        match *self {
            FaultKind::Exit(exit) => code = Some(exit),
            FaultKind::Signal(number) => signal = Some(number),
            FaultKind::Hang(ms) => silent_ms = Some(ms),
            _ => {}
        }
        self.name().to_owned().write_field(name, out);
        write_fields(
            out,
            &[
                ("code", &code),
                ("signal", &signal),
                ("silent_ms", &silent_ms),
            ],
        );
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let (mut code, mut signal, mut silent_ms) = (None, None, None);
        let value = from.take(name).ok_or_else(|| from.missing(name))?;
        read_fields(
            from,
            &mut [
                ("code", &mut code),
                ("signal", &mut signal),
                ("silent_ms", &mut silent_ms),
            ],
        )?;
        let word = text(name, value)?;
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.name() == word);
        *self = match kind.ok_or_else(|| value.not(name, "a kind of fault"))? {
            FaultKind::Exit(_) => FaultKind::Exit(code.ok_or_else(|| from.missing("code"))?),
            FaultKind::Signal(_) => {
                FaultKind::Signal(signal.ok_or_else(|| from.missing("signal"))?)
            }
            FaultKind::Hang(_) => {
                FaultKind::Hang(silent_ms.ok_or_else(|| from.missing("silent_ms"))?)
            }
            other => other,
        };
        Ok(())
    }
}

/// A location in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLocation {
    /// Source file.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
}

object! {
    SourceLocation { file, line }
}
