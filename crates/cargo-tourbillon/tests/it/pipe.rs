//! Named pipes.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long the other end is awaited: a program that has ended never opens it.
const LONGEST: Duration = Duration::from_secs(300);

/// A named pipe.
#[derive(Clone, Debug)]
pub(crate) struct Pipe(PathBuf);

impl Pipe {
    pub(crate) fn make(path: PathBuf) -> Pipe {
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo starts").success());
        Pipe(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// What is written until the other end is closed.
    pub(crate) fn read(&self) -> String {
        self.within_limit(|path| fs::read_to_string(path).expect("a text"))
    }

    pub(crate) fn write(&self, text: &'static str) {
        self.within_limit(move |path| {
            let mut pipe = OpenOptions::new().write(true).open(path).expect("a pipe");
            pipe.write_all(text.as_bytes()).expect("a reader");
        });
    }

    fn within_limit<T: Send + 'static>(&self, what: impl FnOnce(&Path) -> T + Send + 'static) -> T {
        let (sender, done) = mpsc::channel();
        let path = self.0.clone();
        thread::spawn(move || sender.send(what(&path)));
        let done = done.recv_timeout(LONGEST);
        done.unwrap_or_else(|_| panic!("the other end of {:?} does not come", self.0))
    }
}
