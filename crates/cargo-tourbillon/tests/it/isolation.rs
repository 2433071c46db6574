//! `clocks --isolation` with a real second process.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::program::command;

/// Windows counts the time of threads in steps of milliseconds.
#[test]
#[cfg(unix)]
fn cpu_time_is_never_more_than_the_wall_time_of_the_same_work() {
    // This holds on every machine: a waiting thread uses no processor time. Sources are read in
    // turn, the wall clock last before the work and first after it, so some microseconds are
    // allowed; the work takes a hundred milliseconds.
    let sources = ["--source", "thread-cputime", "--source", "instant"];
    let arguments = [&["clocks", "--isolation", "--format", "json"][..], &sources].concat();
    let value = super::program::json(&arguments);
    let rounds = value["rounds"].as_u64().unwrap() as usize;
    let of = |name: &str, side: &str| -> Vec<f64> {
        let mut sources = value["sources"].as_array().unwrap().iter();
        let source = sources.find(|source| source["name"] == name).expect(name);
        let side = source[side].as_array().unwrap();
        side.iter().map(|ns| ns.as_f64().unwrap()).collect()
    };
    for side in ["alone_ns", "beside_ns"] {
        let (own, wall) = (of("thread-cputime", side), of("instant", side));
        assert_eq!((own.len(), wall.len()), (rounds, rounds));
        for (own, wall) in own.into_iter().zip(wall) {
            assert!(own <= wall * 1.5, "{side}: {own} of {wall}");
        }
    }
}

#[test]
fn the_second_process_ends_when_its_input_does() {
    let mut rival = command(&["clocks-rival"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let stdout = rival.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut line).expect("text");
    assert_eq!(line, "ready\n");
    drop(rival.stdin.take());
    let status = rival.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_second_process_is_not_in_the_help() {
    let output = command(&["--help"]).output().expect("the program starts");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("rival"));
}
