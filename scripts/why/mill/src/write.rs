//! A line of a log.

use std::fs::File;
use std::io::{BufWriter, Write};

pub type Log = BufWriter<File>;

pub fn log() -> Log {
    let file = File::options().write(true).open("/dev/null").unwrap();
    BufWriter::new(file)
}

pub fn logged(log: &mut Log, number: u32) {
    writeln!(log, "request {number}").unwrap();
}
