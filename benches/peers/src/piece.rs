//! One harness measuring all cases once, or one part of them.

use std::fs;
use std::path::Path;
use std::time::Instant;

use peers::CASES;

use crate::harness::Harness;
use crate::readings::{Cycle, Readings};
use crate::shown::Shown;

/// What a harness showed in one round, and the truth next to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) round: u32,
    pub(crate) harness: String,
    /// Which of the harness' parts, counted from 0.
    pub(crate) part: usize,
    pub(crate) version: String,
    /// Seconds for a case, without readings of the cycle.
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<Measured>,
}

/// What was shown of one case, and the core's cycle meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) shown: Shown,
    pub(crate) cycle: Cycle,
}

impl Piece {
    /// Runs a harness in an empty folder, which is removed afterwards.
    ///
    /// # Errors
    ///
    /// Says what could not be run, or shows what the harness printed when a case is missing.
    pub(crate) fn measure(
        harness: &Harness,
        part: usize,
        executable: &Path,
        round: u32,
        quick: bool,
        folder: &Path,
    ) -> Result<Self, String> {
        let about = |what: String| format!("{}: {what}", harness.name);
        let file = folder.join("readings");
        let mut arguments = harness.parts[part].arguments.to_vec();
        if quick {
            arguments.extend(harness.quick);
        }
        let mut command = harness.command(executable, folder)?;
        command.args(arguments).env("PEERS_READINGS", &file);
        let start = Instant::now();
        let output = command.output().map_err(|error| {
            about(format!(
                "{} cannot be started: {error}",
                executable.display()
            ))
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let out = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        let printed = || format!("it ended with {} and printed\n{out}{err}", output.status);
        let readings = fs::read_to_string(&file)
            .map_err(|error| about(format!("no readings of the cycle: {error}; {}", printed())))?;
        let readings = Readings::read(&readings).map_err(about)?;
        let mut shown = (harness.read)(&out, &err);
        let mut cases = Vec::with_capacity(CASES.len());
        for case in CASES.iter().filter(|case| harness.parts[part].has(case)) {
            let place = shown.iter().position(|shown| shown.case == case.name);
            let cycle = readings.cycle(case.name, harness.brackets);
            let (Some(place), Some(cycle)) = (place, cycle) else {
                return Err(about(format!("no result of {}; {}", case.name, printed())));
            };
            let shown = shown.swap_remove(place);
            cases.push(Measured { shown, cycle });
        }
        let _ = fs::remove_dir_all(folder);
        let spent = readings.spent() / 1e9 / f64::from(harness.at_once);
        Ok(Self {
            round,
            harness: harness.name.to_owned(),
            part,
            version: harness.version(),
            seconds: (seconds - spent) / cases.len() as f64,
            cases,
        })
    }
}
