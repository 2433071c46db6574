//! The first message of an executable that is started as a worker.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tourbillon_os::{Child, ErrorOutput, Executable, Launch};
use tourbillon_record::{Frame, Hello};
use tourbillon_runner::WORKER_ARGUMENT;

/// Prefix of a worker's first line.
const HELLO: &str = r#"{"type":"hello","#;

/// Longest time without output: code before main may take time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most bytes that are read before the first line: code before main may print.
const NOISE: usize = 1 << 20;

/// Starts an executable as a worker, reads its first message and ends it. `None` if there is none.
///
/// The executable must use tourbillon: any other program would simply run.
pub fn handshake(executable: &Path, environment: &[(String, String)]) -> Option<Hello> {
    let executable = Executable::at(executable);
    let environment: Vec<_> = environment
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)))
        .collect();
    let launch = Launch {
        executable: &executable,
        arguments: &[WORKER_ARGUMENT],
        environment: &environment,
        stderr: ErrorOutput::File,
    };
    let mut child = Child::spawn(launch).ok()?;
    let mut output = Vec::new();
    let mut chunk = [0; 4096];
    while output.len() < NOISE {
        let ready = child.wait_ready(true, None, PATIENCE).ok()?;
        if !ready.output {
            return None;
        }
        let count = child.read(&mut chunk).ok()?;
        if count == 0 {
            return None;
        }
        output.extend_from_slice(&chunk[..count]);
        if let Some(hello) = hello(&output) {
            return Some(hello);
        }
    }
    None
}

/// The first complete hello message.
fn hello(output: &[u8]) -> Option<Hello> {
    let text = String::from_utf8_lossy(output);
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
    fn a_hello_is_found_after_noise() {
        let expected = Hello {
            protocol: 7,
            engine: "e".to_owned(),
        };
        let line = Frame::Hello(expected.clone()).encode();
        let whole = format!("loading\nno line break{line}\n");
        assert_eq!(hello(whole.as_bytes()), Some(expected));
        assert_eq!(hello(line.as_bytes()), None, "incomplete");
        assert_eq!(hello(b"{\"type\":\"hello\",\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn other_programs_send_no_hello() {
        assert_eq!(handshake(Path::new("/bin/false"), &[]), None);
        assert_eq!(handshake(Path::new("/no/such/file"), &[]), None);
    }
}
