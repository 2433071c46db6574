//! `--same-output`: whether all commands write the same to stdout.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::arms::Arm;
use super::runner::{Execute, NotRun};
use super::wire::{End, Job, Output};
use crate::exit::{FAILED, INTERRUPTED, Stop};

/// Most characters of a line that is quoted.
const QUOTED: usize = 60;

/// Runs each command once, untimed, and compares what it writes to stdout with what the first one writes.
pub(super) fn check(arms: &[Arm], execute: &mut dyn Execute) -> Result<(), Stop> {
    let mut first: Option<Vec<u8>> = None;
    for arm in arms {
        let written = written(arm, execute)?;
        match &first {
            None => first = Some(written),
            Some(first) if *first == written => {}
            Some(first) => {
                let what = difference(first, &written);
                let (one, other) = (&arms[0].case.id, &arm.case.id);
                let text = format!("{other:?} does not write what {one:?} writes: {what}");
                return Err(Stop::Failed(FAILED, text));
            }
        }
    }
    Ok(())
}

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn written(arm: &Arm, execute: &mut dyn Execute) -> Result<Vec<u8>, Stop> {
    // A file of the command's own is compared where it is.
    let (path, _temporary) = match &arm.job.output {
        Output::File(path) => (path.clone(), None),
        _ => {
            let name = format!("tourbillon-output-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            (path.clone().into_os_string(), Some(Temporary(path)))
        }
    };
    let process = |job: &Job, execute: &mut dyn Execute| match execute.run(job) {
        Ok(ran) if ran.end == End::Code(0) => Ok(()),
        Ok(ran) => {
            let stderr = String::from_utf8_lossy(ran.stderr.trim_ascii_end()).into_owned();
            let what = format!("{:?} failed before the measurement", arm.case.id);
            Err(Stop::Failed(
                FAILED,
                format!("{what}; stderr ends with: {stderr}"),
            ))
        }
        Err(NotRun::Interrupted) => Err(Stop::Code(INTERRUPTED)),
        Err(NotRun::Failed(why)) => Err(Stop::Environment(why)),
    };
    for before in arm.setup.iter().chain(&arm.prepare) {
        process(before, execute)?;
    }
    let job = Job {
        output: Output::File(path.clone()),
        ..arm.job.clone()
    };
    process(&job, execute)?;
    let written = read(&path);
    for after in arm.conclude.iter().chain(&arm.cleanup) {
        process(after, execute)?;
    }
    written
}

fn read(path: &OsString) -> Result<Vec<u8>, Stop> {
    fs::read(Path::new(path))
        .map_err(|error| Stop::Environment(format!("the output {path:?} cannot be read: {error}")))
}

/// The first line in which two texts differ.
fn difference(first: &[u8], second: &[u8]) -> String {
    let lines = |text: &[u8]| {
        let lines = text.split(|byte| *byte == b'\n');
        lines.map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (first, second) = (lines(first), lines(second));
    let length = first.len().min(second.len());
    let at = (0..length)
        .find(|at| first[*at] != second[*at])
        .unwrap_or(length);
    let quoted = |lines: &[Vec<u8>]| match lines.get(at) {
        None => "nothing more".to_owned(),
        Some(line) => {
            let text = String::from_utf8_lossy(line);
            let short: String = text.chars().take(QUOTED).collect();
            format!(
                "{short:?}{}",
                if short.len() < text.len() { ".." } else { "" }
            )
        }
    };
    format!(
        "in line {} {} in place of {}",
        at + 1,
        quoted(&second),
        quoted(&first)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_quoted() {
        for (first, second, expected) in [
            ("a\nb\n", "a\nc\n", "in line 2 \"c\" in place of \"b\""),
            ("a", "a\n", "in line 2 \"\" in place of nothing more"),
            ("", "x", "in line 1 \"x\" in place of \"\""),
        ] {
            assert_eq!(difference(first.as_bytes(), second.as_bytes()), expected);
        }
        let long = "y".repeat(100);
        assert!(difference(b"", long.as_bytes()).contains("yyy\".. in place"));
    }
}
