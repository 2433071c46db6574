//! The worker of another build, with which this one takes turns.

use std::fs::{File, OpenOptions};

use crate::lasting::Lasting;
use crate::text::{owned, text};
use tourbillon_engine::Peer;
use tourbillon_os::{read_line, write_line};
use tourbillon_record::Turns;
use tourbillon_runner::PEER_GONE;

/// What is said through the pipes, a byte each time.
const YOURS: u8 = b't';
const OVER: u8 = b'o';

/// Pipes from and to the other worker.
pub(crate) struct Pipes {
    input: Lasting<File>,
    output: Lasting<File>,
}

impl Pipes {
    /// Opens the pipes of a plan.
    ///
    /// # Errors
    /// When one of them cannot be opened.
    #[inline(never)]
    pub(crate) fn open(turns: &Turns) -> Result<Pipes, String> {
        let opened =
            |path: &str, write: bool| match OpenOptions::new().read(!write).write(write).open(path)
            {
                Ok(file) => Ok(Lasting::new(file)),
                Err(error) => Err(text!("the pipe {path} to the other worker: {error}")),
            };
        Ok(Pipes {
            input: opened(&turns.input, false)?,
            output: opened(&turns.output, true)?,
        })
    }
}

impl Peer for Pipes {
    fn wait(&mut self) -> Result<bool, String> {
        // The other side says one thing and waits, or says the last one.
        match read_line(&self.input, 0) {
            Ok(said) => Ok(said.first() == Some(&YOURS)),
            Err(_) => Err(owned(PEER_GONE)),
        }
    }

    fn pass(&mut self, over: bool) -> Result<(), String> {
        let said = if over { OVER } else { YOURS };
        match write_line(&self.output, &[said]) {
            Ok(()) => Ok(()),
            Err(_) => Err(owned(PEER_GONE)),
        }
    }
}
