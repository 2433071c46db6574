//! What an executable says when it is started as a worker.

use std::path::Path;
use std::time::Duration;

use tourbillon_os::{Executable, Launcher};
use tourbillon_record::{Frame, Hello};
use tourbillon_runner::WORKER_ARGUMENT;

/// How a worker's first line begins.
const HELLO: &str = r#"{"type":"hello","#;

/// How long a worker may be silent: code before its main may take its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most bytes before the first line that are read: code before main may print.
const NOISE: usize = 1 << 20;

/// Starts a worker of an executable, hears its first line, and ends it. `None` when it says nothing
/// that is one.
///
/// The executable must be one of ours, or whatever it does is done.
pub fn greet(executable: &Path, environment: &[(String, String)]) -> Option<Hello> {
    let mut launcher = Launcher::new(&Executable::at(executable));
    launcher.argument(WORKER_ARGUMENT);
    for (name, value) in environment {
        launcher.variable(name.as_ref(), value.as_ref());
    }
    let mut child = launcher.start().ok()?;
    let mut heard = Vec::new();
    let mut chunk = [0; 4096];
    while heard.len() < NOISE {
        let ready = child.wait_ready(true, None, PATIENCE).ok()?;
        if !ready.output {
            return None;
        }
        let count = child.read(&mut chunk).ok()?;
        if count == 0 {
            return None;
        }
        heard.extend_from_slice(&chunk[..count]);
        if let Some(hello) = hello(&heard) {
            return Some(hello);
        }
    }
    None
}

/// The first whole line that is a hello.
fn hello(heard: &[u8]) -> Option<Hello> {
    let text = String::from_utf8_lossy(heard);
    let mut lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    lines.find_map(|line| {
        let start = line.rfind(HELLO)?;
        match Frame::decode(line[start..].trim_end()) {
            Ok(Frame::Hello(hello)) => Some(hello),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hello_is_found_behind_noise() {
        let said = Hello {
            protocol: 7,
            engine: "e".to_owned(),
        };
        let line = Frame::Hello(said.clone()).encode();
        let whole = format!("loading\nno line break{line}\n");
        assert_eq!(hello(whole.as_bytes()), Some(said));
        assert_eq!(hello(line.as_bytes()), None, "not yet whole");
        assert_eq!(hello(b"{\"type\":\"hello\",\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_worker_says_nothing() {
        assert_eq!(greet(Path::new("/bin/false"), &[]), None);
        assert_eq!(greet(Path::new("/no/such/file"), &[]), None);
    }
}
