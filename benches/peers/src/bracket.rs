//! Readings of the core's cycle just before and after a measurement.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::nanos_per_cycle;

/// Names the file to which readings are appended; without it there are none.
const FILE: &str = "PEERS_READINGS";
/// Some harnesses call a benchmark once for each of their samples, however short. Readings are at
/// least so far apart, or they would take longer than the samples: what was read less long ago at
/// the end of a sample is the reading before the next one too, and one bracket holds several short
/// samples.
const APART: Duration = Duration::from_millis(5);

/// The last reading.
static LAST: Mutex<Option<Last>> = Mutex::new(None);

/// A reading, when it ended, and for which case it was.
#[derive(Clone, Copy, Debug)]
struct Last {
    case: &'static str,
    nanos: f64,
    when: Instant,
}

/// From a reading of the core's cycle to another when this is dropped.
///
/// Appends one line to the file: the case, the nanoseconds from the end of the first reading to the
/// beginning of the second one, nanoseconds of a cycle before and after, and the nanoseconds that the
/// two readings took themselves.
#[derive(Debug)]
pub struct Bracket {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    case: &'static str,
    file: String,
    before: f64,
    start: Instant,
    /// Nanoseconds that the first reading took; none if it is an earlier one.
    spent: u128,
}

impl Bracket {
    /// Takes the first reading, unless one was taken just now.
    pub fn open(case: &'static str) -> Self {
        let open = env::var(FILE).ok().map(|file| {
            let last = *LAST.lock().expect("no thread panics with it");
            let fresh = last.filter(|last| last.case == case && last.when.elapsed() < APART);
            if let Some(Last { nanos, when, .. }) = fresh {
                return Open {
                    case,
                    file,
                    before: nanos,
                    start: when,
                    spent: 0,
                };
            }
            let reading = Instant::now();
            let before = nanos_per_cycle();
            let start = remember(case, before);
            Open {
                case,
                file,
                before,
                start,
                spent: (start - reading).as_nanos(),
            }
        });
        Self { open }
    }
}

impl Drop for Bracket {
    fn drop(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let inside = open.start.elapsed();
        if open.spent == 0 && inside < APART {
            // A later bracket, which begins at the same reading, holds this one.
            return;
        }
        let reading = Instant::now();
        let after = nanos_per_cycle();
        let end = remember(open.case, after);
        let spent = open.spent + (end - reading).as_nanos();
        let inside = inside.as_nanos();
        let line = format!("{} {inside} {} {after} {spent}\n", open.case, open.before);
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&open.file);
        // One write, so that lines of several processes do not mix.
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            eprintln!("peers: {} cannot be appended to: {error}", open.file);
        }
    }
}

/// Keeps a reading for what comes next; returns when it ended.
fn remember(case: &'static str, nanos: f64) -> Instant {
    let when = Instant::now();
    *LAST.lock().expect("no thread panics with it") = Some(Last { case, nanos, when });
    when
}

/// Runs `measure` between two readings.
pub fn around<T>(case: &'static str, measure: impl FnOnce() -> T) -> T {
    let _bracket = Bracket::open(case);
    measure()
}
