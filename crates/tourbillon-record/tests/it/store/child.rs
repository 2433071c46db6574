//! This test binary again, as a child process that writes runs.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use tourbillon_record::store::Store;
use tourbillon_record::{Line, Metric};

use super::samples::{LATER, SECOND, START, case, header, result};

const STORE: &str = "TOURBILLON_TEST_STORE";
const SECONDS: &str = "TOURBILLON_TEST_SECONDS";

/// How many results a run of a child has.
pub(crate) const RESULTS: usize = 40;

/// The child: one run for each second that it gets, a word on stdout after each line.
#[test]
#[ignore = "the part of a child process; other tests start it"]
fn write_runs() {
    let store = Store::open(std::env::var_os(STORE).expect("started by another test"));
    let seconds = std::env::var(SECONDS).unwrap();
    let mut out = std::io::stdout();
    for second in seconds
        .split(',')
        .map(|second| second.parse::<u64>().unwrap())
    {
        let mut writer = store.begin(&header(START + second * SECOND)).unwrap();
        writeln!(out, "begun").unwrap();
        for index in 0..RESULTS {
            let id = format!("case {index} {}", "x".repeat(index * 100));
            let lines = [
                case(&id),
                Line::Result(result(&id, Metric::Time, Ok(second as f64))),
            ];
            for line in lines {
                match writer.append(line.entry()) {
                    Ok(()) => writeln!(out, "appended {}", writer.is_storing()).unwrap(),
                    Err(error) => writeln!(out, "full {} {error}", error.is_full()).unwrap(),
                }
            }
        }
        writer.finish(LATER).unwrap();
        writeln!(out, "finished").unwrap();
    }
}

/// The arguments that make this binary the child.
pub(crate) fn arguments() -> [&'static str; 5] {
    [
        "--exact",
        "store::child::write_runs",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]
}

pub(crate) fn environment(command: &mut Command, store: &Path, seconds: &[u64]) {
    let seconds: Vec<_> = seconds.iter().map(u64::to_string).collect();
    command.env(STORE, store).env(SECONDS, seconds.join(","));
}

pub(crate) fn start(store: &Path, seconds: &[u64]) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments()).stdout(Stdio::piped());
    environment(&mut command, store, seconds);
    let mut child = command.spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

/// Reads what the child prints until it has begun a run and appended so many lines; false when it
/// has ended before.
pub(crate) fn wait_for(out: &mut BufReader<ChildStdout>, lines: usize) -> bool {
    let said = out.lines().map_while(Result::ok);
    said.filter(|line| line == "begun" || line == "appended true")
        .nth(lines)
        .is_some()
}
