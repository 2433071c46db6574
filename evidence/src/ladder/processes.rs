//! Rungs about what one process cannot know.

use std::collections::HashMap;
use std::env;
use std::process::Command;

use tourbillon::{Timer, Timing};

use super::{Figure, Rung};

/// The argument with which the program measures once and prints the figure, for the rung about several of them.
pub const ONE_PROCESS: &str = "--one-process";

/// Processes of the last rung.
const PROCESSES: usize = 20;

/// Looking up a word: the addresses of the words, and how they hash, are drawn anew in each process.
fn timing() -> Timing {
    let words: HashMap<String, usize> = (0..1_000).map(|i| (format!("word {i}"), i)).collect();
    let keys: Vec<String> = (0..1_000)
        .map(|i| format!("word {}", i * 7 % 1_000))
        .collect();
    let mut at = 0;
    Timer::new().quiet().time("look up", move || {
        at = (at + 1) % keys.len();
        words.get(&keys[at]).copied()
    })
}

/// The figure of this process, for the one that started it.
pub fn one_process() -> String {
    let timing = timing();
    match timing.nanos_per_op() {
        Some(ns) => format!("{ns}"),
        None => String::new(),
    }
}

/// What fresh processes of this program find; none where they cannot be started.
fn found() -> Vec<f64> {
    let Ok(program) = env::current_exe() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for _ in 0..PROCESSES {
        let output = Command::new(&program).arg(ONE_PROCESS).output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        found.extend(String::from_utf8_lossy(&text).trim().parse::<f64>());
    }
    found.sort_by(f64::total_cmp);
    found
}

pub(super) fn one() -> Rung {
    let timing = timing();
    let interval = match (timing.lower(), timing.upper()) {
        (Some(lower), Some(upper)) => format!("{lower:.2} to {upper:.2} ns"),
        _ => "no interval".to_owned(),
    };
    let found = found();
    let range = match (found.first(), found.last()) {
        (Some(least), Some(most)) => format!("{least:.2} to {most:.2} ns"),
        _ => "not measured".to_owned(),
    };
    Rung::new(
        "10 one process",
        Figure(interval),
        Figure(range),
        "Addresses and the hashes of keys are drawn once per process: the interval of one process does \
         not hold for the next. On the right is the result of twenty processes.",
    )
}

pub(super) fn several() -> Rung {
    let found = found();
    // The 4th and the 17th of twenty: an interval for the median at 99.7 %, whatever the
    // distribution (docs/explanation/methodology.md).
    let text = match found.as_slice() {
        all if all.len() == PROCESSES => {
            let median = (all[9] + all[10]) / 2.0;
            format!("{median:.2} ({:.2} to {:.2})", all[3], all[16])
        }
        _ => "not measured".to_owned(),
    };
    Rung::new(
        "11 twenty processes",
        Figure(text),
        Figure("what cargo bench does".to_owned()),
        "The median of twenty processes, with an interval that covers the median of the next twenty: \
         a measurement at last.",
    )
}
