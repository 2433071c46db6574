//! Targets that start servers, and targets that wait for ever.

#![expect(clippy::print_stdout, reason = "servers print")]

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{self, Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use criterion::{Criterion, criterion_group};

/// The variable of a process that is a server.
const SERVER: &str = "SUITE_SERVER";

/// The folder for notes, which the tests name.
fn notes() -> PathBuf {
    env::var_os("SUITE_NOTES").map_or_else(env::temp_dir, PathBuf::from)
}

fn wait_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// A server that answers lines, and does not notice that nothing comes any more.
fn serve() -> ! {
    let note = notes().join(format!("server-{}", process::id()));
    fs::write(note, "").expect("a note");
    println!("ready");
    for line in stdin().lines() {
        let line = line.expect("a line");
        println!("{line}");
    }
    wait_for_ever()
}

/// A server in a process of its own.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env::current_exe().expect("a program"));
        let command = command.env(SERVER, "1");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().expect("a server");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server {
            child,
            input,
            output,
        };
        assert_eq!(server.line(), "ready\n");
        server
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }

    /// A benchmark that asks the server.
    fn asked(&mut self, c: &mut Criterion, name: &str) {
        c.bench_function(name, |b| {
            b.iter(|| {
                writeln!(self.input, "7").expect("a question");
                assert_eq!(self.line(), "7\n");
            })
        });
    }
}

/// Ended by the code after the benchmark, which workers do not come to.
fn child(c: &mut Criterion) {
    let mut server = Server::start();
    server.asked(c, "child");
    server.child.kill().expect("a server");
    server.child.wait().expect("a server");
}

/// Never ended.
fn left_behind(c: &mut Criterion) {
    Server::start().asked(c, "left behind");
}

/// A server on a thread of the process.
fn connected(c: &mut Criterion) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut byte = [0];
            while stream.read_exact(&mut byte).is_ok() {
                stream.write_all(&byte).expect("an answer");
            }
        }
    });
    let mut stream = TcpStream::connect(address).expect("a server");
    stream.set_nodelay(true).expect("a setting");
    c.bench_function("connected", |b| {
        b.iter(|| {
            stream.write_all(b"7").expect("a question");
            stream.read_exact(&mut [0]).expect("an answer");
        })
    });
}

/// A place that one process can have at a time, such as a port or a folder with a fixed name.
struct Place(PathBuf);

impl Place {
    fn take() -> Place {
        let path = notes().join("place");
        let mut options = OpenOptions::new();
        let taken = options.write(true).create_new(true).open(&path);
        taken.unwrap_or_else(|error| panic!("the place is taken: {error}"));
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_file(&self.0).expect("a place");
    }
}

fn placed(c: &mut Criterion) {
    let _place = Place::take();
    c.bench_function("placed", |b| b.iter(|| 1));
    c.bench_function("placed as well", |b| b.iter(|| 2));
}

fn body_hangs(c: &mut Criterion) {
    c.bench_function("body hangs", |b| b.iter(|| wait_for_ever()));
}

/// As of a suite that waits for a lock which the process before has left behind.
fn prelude_hangs(c: &mut Criterion) {
    let lock = notes().join("lock");
    let mut options = OpenOptions::new();
    if options.write(true).create_new(true).open(lock).is_err() {
        wait_for_ever();
    }
    c.bench_function("prelude hangs", |b| b.iter(|| 3));
}

criterion_group!(
    benches,
    child,
    left_behind,
    connected,
    placed,
    body_hangs,
    prelude_hangs
);

fn main() {
    if env::var_os(SERVER).is_some() {
        serve();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
