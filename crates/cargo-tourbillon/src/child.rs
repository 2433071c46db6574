//! Programs of revisions and bench targets, started to run or for what they print: they do not outlive this program, a
//! signal ends the wait for them, and what they print has a limit.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_os::command::{ask_to_end, tie};

/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Time from a signal until the program is asked to end. An interrupt at a terminal has reached it at once; a bench
/// program that gets another signal ends without its results.
const BEFORE_ASKED_NS: u64 = 5_000_000_000;

/// Time from a signal until it is ended by force.
const BEFORE_ENDED_NS: u64 = 30_000_000_000;

/// Most bytes of messages that are kept.
const MOST_MESSAGE_BYTES: usize = 1 << 20;

/// Bytes that are read at once, and pieces that wait.
const PIECE: usize = 1 << 16;
const PIECES: usize = 4;

/// Looks without output after which nothing more comes from a program that has ended. One that it left behind may
/// have its pipe.
const LAST_LOOKS: u32 = 5;

/// What a program printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    /// If it was piped; not all of much.
    pub(crate) stderr: Vec<u8>,
}

/// Runs a program and gives what it prints. One that prints more than `most` bytes is ended.
///
/// # Errors
///
/// That it cannot be started, or prints more.
pub(crate) fn answer(process: &mut Command, most: u64) -> io::Result<Answer> {
    tie(process);
    let mut child = process.stdout(Stdio::piped()).spawn()?;
    let answered = answer_of(&mut child, most);
    if answered.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    answered
}

/// Runs a program that prints for itself.
///
/// # Errors
///
/// That it cannot be started.
pub(crate) fn status(process: &mut Command) -> io::Result<ExitStatus> {
    tie(process);
    let mut child = process.spawn()?;
    let mut patience = Patience::default();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        patience.look(&mut child)?;
        thread::sleep(LOOK);
    }
}

fn answer_of(child: &mut Child, most: u64) -> io::Result<Answer> {
    let mut patience = Patience::default();
    let (sender, pieces) = sync_channel(PIECES);
    if let Some(stderr) = child.stderr.take() {
        pass_on(stderr, Stream::Messages, sender.clone())?;
    }
    if let Some(stdout) = child.stdout.take() {
        pass_on(stdout, Stream::Output, sender)?;
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let (mut ended, mut silent) = (None, 0);
    loop {
        match pieces.recv_timeout(LOOK) {
            Ok((Stream::Output, piece)) => {
                silent = 0;
                add(&mut stdout, &piece)?;
                if stdout.len() as u64 > most {
                    let what = format!("it prints more than {} MiB", most >> 20);
                    return Err(io::Error::new(ErrorKind::InvalidData, what));
                }
            }
            Ok((Stream::Messages, piece)) => {
                let room = MOST_MESSAGE_BYTES - stderr.len();
                stderr.extend_from_slice(&piece[..piece.len().min(room)]);
            }
            Err(RecvTimeoutError::Timeout) => silent += 1,
            Err(RecvTimeoutError::Disconnected) => {
                silent = LAST_LOOKS;
                thread::sleep(LOOK);
            }
        }
        if ended.is_none() {
            ended = child.try_wait()?;
        }
        match ended {
            Some(status) if silent >= LAST_LOOKS => {
                return Ok(Answer {
                    status,
                    stdout,
                    stderr,
                });
            }
            Some(_) => {}
            None => patience.look(child)?,
        }
    }
}

/// What a piece of output came from.
#[derive(Clone, Copy)]
enum Stream {
    Output,
    Messages,
}

/// Passes on what comes out of a pipe, on a thread of its own: a process that holds the pipe open is not waited for.
fn pass_on(
    mut pipe: impl Read + Send + 'static,
    stream: Stream,
    to: SyncSender<(Stream, Vec<u8>)>,
) -> io::Result<()> {
    let pass = move || {
        let mut piece = vec![0; PIECE];
        while let Ok(count @ 1..) = pipe.read(&mut piece) {
            if to.send((stream, piece[..count].to_vec())).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().spawn(pass).map(drop)
}

fn add(to: &mut Vec<u8>, piece: &[u8]) -> io::Result<()> {
    to.try_reserve(piece.len())
        .map_err(|_| ErrorKind::OutOfMemory)?;
    to.extend_from_slice(piece);
    Ok(())
}

/// What a program that still runs after a signal gets.
#[derive(Default)]
struct Patience {
    /// Since the signal was seen.
    since: Option<Stopwatch>,
    is_asked: bool,
}

impl Patience {
    fn look(&mut self, child: &mut Child) -> io::Result<()> {
        if Signals::first().is_none() {
            return Ok(());
        }
        let since = self.since.get_or_insert_with(Stopwatch::start);
        let elapsed_ns = since.elapsed_ns();
        if elapsed_ns >= BEFORE_ENDED_NS {
            child.kill()?;
        } else if elapsed_ns >= BEFORE_ASKED_NS && !self.is_asked {
            self.is_asked = true;
            ask_to_end(child)?;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn asked(line: &str, most: u64) -> io::Result<Answer> {
        let mut process = Command::new("sh");
        process.args(["-c", line]).stderr(Stdio::piped());
        answer(&mut process, most)
    }

    #[test]
    fn what_a_program_prints_has_a_limit() {
        let answer = asked("echo out; echo err >&2; exit 7", 1 << 20).expect("an answer");
        assert_eq!(answer.stdout, b"out\n");
        assert_eq!(answer.stderr, b"err\n");
        assert_eq!(answer.status.code(), Some(7));
        let error = asked("yes", 1 << 20).expect_err("it never ends");
        assert_eq!(error.to_string(), "it prints more than 1 MiB");
        let answer = asked("head -c 5000000 /dev/zero >&2", 1 << 20).expect("an answer");
        assert_eq!(answer.stderr.len(), MOST_MESSAGE_BYTES);
    }

    #[test]
    fn one_that_is_left_behind_with_the_pipe_is_not_waited_for() {
        let answer = asked("sleep 60 & echo out $!", 1 << 20).expect("an answer");
        let text = String::from_utf8(answer.stdout).expect("text");
        let process = text.strip_prefix("out ").expect("its number").trim();
        let status = Command::new("kill").arg(process).status();
        assert!(status.expect("kill starts").success(), "it had ended");
    }
}
