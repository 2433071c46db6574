//! Runs that stand one after the other in a file.

use std::io::{self, BufRead};
use std::mem;

use crate::run::{HEADER, Known, header, next_line};
use crate::{Error, LaunchSamples, Run};

/// Reads the runs of a file line by line, each from its header to the next, as several bench binaries write them to
/// one stdout. A file without a header is one run, which cannot be read.
///
/// No more of the text is in memory than the longest line.
#[expect(missing_debug_implementations, reason = "a reader has none")]
pub struct RunReader<'f> {
    file: &'f mut dyn BufRead,
    /// The line that was read last.
    line: Vec<u8>,
    /// Its number in the file, from 1.
    number: usize,
    keeps_samples: bool,
}

impl<'f> RunReader<'f> {
    /// Reads the first line.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its first line has more than [`LONGEST_LINE`](crate::LONGEST_LINE) bytes.
    pub fn new(file: &'f mut dyn BufRead) -> io::Result<RunReader<'f>> {
        let mut line = Vec::new();
        next_line(file, &mut line)?;
        Ok(RunReader {
            file,
            line,
            number: 1,
            keeps_samples: true,
        })
    }

    /// Keeps no samples of launches, which are nearly all of a file: a launch has its case and its throughput only.
    /// They are read nevertheless, and so are their damages. What a comparison of builds measured is kept.
    pub fn without_samples(mut self) -> RunReader<'f> {
        self.keeps_samples = false;
        self
    }

    /// Reads the next run; `None` at the end. `seen` gets each of its lines, as it is in the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or a line is too long; inside, as for [`Run::parse`].
    pub fn next_run(
        &mut self,
        seen: &mut dyn FnMut(&[u8]),
    ) -> io::Result<Option<Result<Run, Error>>> {
        if self.number > 1 && self.line.is_empty() {
            return Ok(None);
        }
        seen(&self.line);
        let mut run = match header(&self.line) {
            Ok(header) => Run {
                header,
                ..Run::default()
            },
            Err(error) if error.line().is_some() => {
                return Ok(Some(Err(error.at_line(self.number))));
            }
            Err(error) => return Ok(Some(Err(error))),
        };
        let mut known = Known::default();
        loop {
            self.number += 1;
            next_line(self.file, &mut self.line)?;
            if self.line.is_empty() || self.line.starts_with(HEADER) {
                break;
            }
            seen(&self.line);
            if let Err(error) = run.add(&self.line, self.number, &mut known) {
                return Ok(Some(Err(error)));
            }
            if let Some(launch) = run.launches.last_mut().filter(|_| !self.keeps_samples) {
                *launch = LaunchSamples {
                    case: mem::take(&mut launch.case),
                    throughput: launch.throughput,
                    ..LaunchSamples::default()
                };
            }
        }
        run.launches.shrink_to_fit();
        run.results.shrink_to_fit();
        Ok(Some(Ok(run)))
    }
}
