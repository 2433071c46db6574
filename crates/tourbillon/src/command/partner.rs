//! The worker of another build, with which this one takes turns.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};

use crate::text::{owned, text};
use tourbillon_coordinate::PARTNER_GONE;
use tourbillon_engine::Partner;
use tourbillon_record::Turns;

/// What is said through the pipes, a byte each time.
const YOURS: u8 = b't';
const OVER: u8 = b'o';

/// Pipes from and to the other worker.
pub(crate) struct Pipes {
    input: File,
    output: File,
}

impl Pipes {
    /// Opens the pipes of a plan.
    ///
    /// # Errors
    /// When one of them cannot be opened.
    #[inline(never)]
    pub(crate) fn open(turns: &Turns) -> Result<Pipes, String> {
        let opened = |path: &str, write: bool| {
            let file = OpenOptions::new().read(!write).write(write).open(path);
            file.map_err(|error| text!("the pipe {path} to the other worker: {error}"))
        };
        Ok(Pipes {
            input: opened(&turns.input, false)?,
            output: opened(&turns.output, true)?,
        })
    }
}

impl Partner for Pipes {
    fn wait(&mut self) -> Result<bool, String> {
        let mut said = [OVER];
        match self.input.read_exact(&mut said) {
            Ok(()) => Ok(said[0] == YOURS),
            Err(_) => Err(owned(PARTNER_GONE)),
        }
    }

    fn pass(&mut self, over: bool) -> Result<(), String> {
        let said = if over { OVER } else { YOURS };
        self.output
            .write_all(&[said])
            .map_err(|_| owned(PARTNER_GONE))
    }
}
