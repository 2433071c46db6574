//! The process that bench programs start to have an op stepped.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::io::Write as _;
use std::process::Stdio;

use tourbillon_record::{Frame, Note, Plan, STEP_ARGUMENT};

use crate::program::{Ran, command, run};

#[test]
fn a_worker_that_cannot_be_started_is_the_answer() {
    let mut command = command(&[STEP_ARGUMENT, "/no/such/program", "program"]);
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let plan = Plan {
        case: "p/t::c".to_owned(),
        launch: 1,
        stepped: Some(true),
        ..Plan::default()
    };
    let mut input = process.stdin.take().expect("a pipe");
    let line = Frame::encode_plan(&plan) + "\n";
    input.write_all(line.as_bytes()).expect("it reads");
    let ran = Ran::from(process.wait_with_output().expect("it ends"));
    drop(input);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = ran.stdout.lines().filter(|line| !line.is_empty());
    let frames: Vec<Frame> = lines.map(|line| Frame::decode(line).expect(line)).collect();
    let [Frame::Hello(hello), Frame::Followed(followed)] = &frames[..] else {
        panic!("{frames:?}");
    };
    let own = concat!("cargo-tourbillon ", env!("CARGO_PKG_VERSION"));
    assert_eq!(hello.engine, own);
    let [stepped] = &followed.launches[..] else {
        panic!("{followed:?}");
    };
    assert_eq!((stepped.case.as_str(), stepped.launch), ("p/t::c", 0));
    let why = stepped.counts.as_ref().expect_err("no counts");
    assert_eq!(followed.notes, [Note::NotStepped { why: why.clone() }]);
    assert_eq!(followed.results, []);
    assert!(why.contains("a worker cannot be started"), "{why}");
}

#[test]
fn other_words_after_the_argument_are_a_mistake() {
    assert_eq!(run(&[STEP_ARGUMENT]).code, Some(1));
}
