//! Readings of the core's cycle just before and after a measurement.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::nanos_per_cycle;

/// Names the file to which readings are appended; without it there are none.
const FILE: &str = "PEERS_READINGS";
/// Some harnesses call a benchmark once for each of their samples, however short. A case that was
/// read so short a time ago is not read again: the readings would take longer than the samples.
const PAUSE: Duration = Duration::from_millis(5);

/// The case that was read last, and when.
static LAST: Mutex<Option<(&str, Instant)>> = Mutex::new(None);

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
    spent: u128,
}

impl Bracket {
    /// Takes the first reading, if one is due.
    pub fn open(case: &'static str) -> Self {
        let due = match *LAST.lock().expect("nobody panics with it") {
            Some((last, when)) => last != case || when.elapsed() >= PAUSE,
            None => true,
        };
        let open = env::var(FILE).ok().filter(|_| due).map(|file| {
            let reading = Instant::now();
            let before = nanos_per_cycle();
            let start = Instant::now();
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
        let inside = open.start.elapsed().as_nanos();
        let reading = Instant::now();
        let after = nanos_per_cycle();
        let spent = open.spent + reading.elapsed().as_nanos();
        let line = format!("{} {inside} {} {after} {spent}\n", open.case, open.before);
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&open.file);
        // One write, so that lines of several processes do not mix.
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            eprintln!("peers: {} cannot be appended to: {error}", open.file);
        }
        *LAST.lock().expect("nobody panics with it") = Some((open.case, Instant::now()));
    }
}

/// Runs `measure` between two readings.
pub fn around<T>(case: &'static str, measure: impl FnOnce() -> T) -> T {
    let _bracket = Bracket::open(case);
    measure()
}
