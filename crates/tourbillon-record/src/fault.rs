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
    /// The panic message or the error, else what is known; at most 2 000 characters.
    pub message: String,
    /// Position in the source; `None` where it is not known.
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

/// Declares the kinds of faults, each with its name in records; some have a figure, in a member of its own.
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        pub enum FaultKind {
            $($(#[$kind_meta:meta])* $kind:ident = $name:literal $({
                $(#[$figure_meta:meta])* $figure:ident: $type:ty,
            })?,)*
        }
    ) => {
        $(#[$meta])*
        pub enum FaultKind {
            $($(#[$kind_meta])* $kind $(($(#[$figure_meta])* $type))?,)*
        }

        impl FaultKind {
            /// Name in records, such as `panic` or `unknown_case`.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(FaultKind::$kind { .. } => $name,)*
                }
            }
        }

        /// The name, and the figure of the kind.
        impl Field for FaultKind {
            fn write_field(&self, name: &str, out: &mut Writer) {
                self.name().to_owned().write_field(name, out);
                match self {
                    $(FaultKind::$kind $(($figure))? => {
                        $($figure.write_field(stringify!($figure), out);)?
                    })*
                }
            }

            fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
                let value = from.take(name).ok_or_else(|| from.missing(name))?;
                *self = match &*text(name, value)? {
                    $($name => FaultKind::$kind $(({
                        let mut $figure = <$type>::default();
                        $figure.read_field(stringify!($figure), from)?;
                        $figure
                    }))?,)*
                    _ => return Err(value.not(name, "a kind of fault")),
                };
                Ok(())
            }
        }
    };
}

kinds! {
    /// What happened to a launch.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub enum FaultKind {
        /// The benchmark panicked.
        Panic = "panic",
        /// The benchmark returned an error.
        Error = "error",
        /// The benchmark ended the process.
        Exit = "exit" {
            /// The exit code.
            code: i32,
        },
        /// A signal ended the process.
        Signal = "signal" {
            /// The number of the signal.
            signal: i32,
        },
        /// The worker was silent.
        Hang = "hang" {
            /// For how many milliseconds.
            silent_ms: u64,
        },
        /// The worker does not know the case.
        UnknownCase = "unknown_case",
        /// The benchmark returned without calling a terminal on its `Bencher`.
        NoTerminal = "no_terminal",
        /// In a comparison, the body takes as long as an empty loop, and that of the reference does not.
        EmptyBody = "empty_body",
        /// The worker could not be started.
        Spawn = "spawn",
        /// The worker sent an invalid message.
        #[default]
        Protocol = "protocol",
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
