//! Workers as processes: every way to die, and nothing that survives.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tourbillon_analysis::synthetic::plan;
use tourbillon_coordinator::runner::{
    CaseSettings, Draw, Ending, Event, Outcome, Processes, RunClock, SpawnWorker, run,
};
use tourbillon_os::Executable;
use tourbillon_record::{CaseOptions, Entry, Fault, FaultKind, Frame, SourceLocation};

use crate::stage::{Log, cases, settings};

const WORKER: &str = env!("CARGO_BIN_EXE_tourbillon-coordinator-worker");

/// A clock that runs: the coordinator's deadlines are real here.
struct Running(Rc<Instant>);

impl RunClock for Running {
    fn now_ns(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

/// A run of one launch of each case.
fn ran(ids: &[&str], timeout: Duration) -> (Outcome, Log) {
    let common = CaseSettings {
        launches: 1,
        options: CaseOptions {
            timeout_ns: Some(timeout.as_nanos() as u64),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    let mut spawner = Processes::of(Executable::at(WORKER));
    let run_clock = Running(Rc::new(Instant::now()));
    let mut log = Log::default();
    let outcome = run(
        &cases(ids),
        &[],
        &settings(common),
        &mut spawner,
        &run_clock,
        &mut log,
    );
    (outcome, log)
}

/// Long enough for a worker on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

fn only_fault(case: &str, timeout: Duration) -> Fault {
    let (outcome, _) = ran(&[case, "fine"], timeout);
    assert_eq!(outcome.end.launches, 1, "the other case was measured");
    let [fault] = <[Fault; 1]>::try_from(outcome.faults).unwrap();
    assert_eq!(fault.case, case);
    fault
}

fn assert_fine(case: &str) {
    let (outcome, _) = ran(&[case], PATIENCE);
    assert_eq!(outcome.faults, []);
    assert_eq!(outcome.end.launches, 1);
}

/// The number after a word in a text of lines.
fn number(text: &str, word: &str) -> u32 {
    let line = text.lines().find_map(|line| line.strip_prefix(word));
    line.unwrap_or_else(|| panic!("no {word:?} in {text:?}"))
        .trim()
        .parse()
        .unwrap()
}

/// Whether a process runs; a zombie does not.
fn runs(pid: u32) -> bool {
    let output = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output();
    let state = String::from_utf8(output.unwrap().stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Waits for the end of a process that was killed.
fn assert_gone(pid: u32) {
    let start = Instant::now();
    while runs(pid) {
        assert!(start.elapsed() < PATIENCE, "process {pid} has survived");
    }
}

#[test]
fn a_launch_comes_through_a_process() {
    assert_fine("fine");
    assert_fine("alone");
}

#[test]
fn samples_larger_than_a_pipe_come_whole() {
    let (outcome, log) = ran(&["large"], PATIENCE);
    assert_eq!(outcome.faults, []);
    let launches = log.lines.iter().filter_map(|line| match line {
        tourbillon_record::Line::Launch(launch) => Some(launch.batches.ticks.len()),
        _ => None,
    });
    assert_eq!(launches.collect::<Vec<usize>>(), [200_000]);
}

/// A clock on which more time than any timeout passes between two looks.
struct Hasty(Cell<u64>);

impl RunClock for Hasty {
    fn now_ns(&self) -> u64 {
        self.0.update(|now| now + 1_000_000_000_000);
        self.0.get()
    }
}

#[test]
fn what_the_pipe_holds_is_read_before_silence_is_judged() {
    let common = CaseSettings {
        launches: 1,
        options: CaseOptions {
            timeout_ns: Some(PATIENCE.as_nanos() as u64),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    let outcome = run(
        &cases(&["large"]),
        &[],
        &settings(common),
        &mut Processes::of(Executable::at(WORKER)),
        &Hasty(Cell::new(0)),
        &mut Log::default(),
    );
    assert_eq!(outcome.faults, []);
    assert_eq!(outcome.end.launches, 1);
}

#[test]
fn what_a_benchmark_prints_or_reads_is_not_the_protocol() {
    assert_fine("print");
    assert_fine("read");
}

#[test]
fn every_ending_is_a_fault() {
    assert_eq!(only_fault("exit", PATIENCE).kind, FaultKind::Exit(7));
    assert_eq!(only_fault("abort", PATIENCE).kind, FaultKind::Signal(6));
    let error = only_fault("error", PATIENCE);
    assert_eq!(
        (error.kind, error.message.as_str()),
        (FaultKind::Error, "no such file")
    );
    let panic = only_fault("panic", PATIENCE);
    assert_eq!(
        (panic.kind, panic.message.as_str()),
        (FaultKind::Panic, "went wrong")
    );
    let location = SourceLocation {
        file: "benches/x.rs".to_owned(),
        line: 3,
    };
    assert_eq!(panic.location, Some(location));
}

#[test]
fn half_a_line_and_no_line_are_faults() {
    assert_eq!(only_fault("torn", PATIENCE).kind, FaultKind::Signal(6));
    assert_eq!(only_fault("garbage", PATIENCE).kind, FaultKind::Protocol);
}

#[test]
fn a_hang_ends_at_its_timeout_and_leaves_nothing() {
    for case in ["spin", "park"] {
        let fault = only_fault(case, Duration::from_secs(1));
        assert!(
            matches!(fault.kind, FaultKind::Hang(1_000..)),
            "{:?}",
            fault.kind
        );
        // The tail of its stderr names it.
        assert_gone(number(&fault.stderr, "pid "));
    }
}

#[test]
fn a_child_that_holds_the_pipe_is_no_hang_and_does_not_survive() {
    let fault = only_fault("child-exit", PATIENCE);
    assert_eq!(fault.kind, FaultKind::Exit(9));
    assert_gone(number(&fault.stderr, "child "));
}

#[test]
fn a_child_of_a_launch_that_succeeded_does_not_survive() {
    let mut spawner = Processes::of(Executable::at(WORKER));
    let mut worker = spawner.spawn(&plan("child", 0), &Draw::default()).unwrap();
    worker.begin().unwrap();
    loop {
        match worker.next(1_000_000_000) {
            Event::Launch(_) => break,
            Event::Frame(_) | Event::Silent => {}
            other => panic!("{other:?}"),
        }
    }
    let left = worker.dismiss();
    assert_eq!(left.ending, Ending::Signalled(9));
    assert_gone(number(&left.stderr, "child "));
}

#[test]
fn stderr_without_an_end_is_a_fault() {
    let fault = only_fault("chatter", PATIENCE);
    assert_eq!(fault.kind, FaultKind::Protocol);
    assert!(fault.message.contains("64 MiB to stderr"), "{fault:?}");
    assert!(fault.stderr.ends_with("xxx"), "{fault:?}");
}

#[test]
fn a_plan_may_be_longer_than_a_pipe_holds() {
    let mut spawner = Processes::of(Executable::at(WORKER));
    let mut plan = plan("fine", 0);
    plan.clock = "x".repeat(120_000);
    let mut worker = spawner.spawn(&plan, &Draw::default()).unwrap();
    worker.begin().unwrap();
    let sent = loop {
        match worker.next(PATIENCE.as_nanos() as u64) {
            Event::Launch(sent) => break sent,
            Event::Frame(_) => {}
            other => panic!("{other:?}"),
        }
    };
    let line = Entry::Launch(&sent.samples).encode() + "\n";
    assert_eq!(sent.line, line.as_bytes());
}

#[test]
fn a_dropped_worker_does_not_survive() {
    let mut spawner = Processes::of(Executable::at(WORKER));
    let mut worker = spawner.spawn(&plan("park", 0), &Draw::default()).unwrap();
    worker.begin().unwrap();
    // The hello of these workers holds their process id.
    let pid = loop {
        if let Event::Frame(Frame::Hello(hello)) = worker.next(1_000_000_000) {
            break number(&hello.engine, "pid ");
        }
    };
    assert!(runs(pid));
    drop(worker);
    assert_gone(pid);
}

#[test]
fn the_environment_is_padded_as_drawn() {
    let mut spawner = Processes::of(Executable::at(WORKER));
    for environment_bytes in [0, 1_234] {
        let draw = Draw { environment_bytes };
        let mut worker = spawner.spawn(&plan("padding", 0), &draw).unwrap();
        worker.begin().unwrap();
        while !matches!(worker.next(1_000_000_000), Event::Ended(_)) {}
        assert_eq!(
            number(&worker.dismiss().stderr, "padding "),
            environment_bytes
        );
    }
}

#[test]
fn an_executable_that_is_not_there_costs_its_launches() {
    let mut spawner = Processes::of(Executable::at("/nonexistent/worker"));
    let run_clock = Running(Rc::new(Instant::now()));
    let common = CaseSettings::default();
    let outcome = run(
        &cases(&["a"]),
        &[],
        &settings(common),
        &mut spawner,
        &run_clock,
        &mut Log::default(),
    );
    assert_eq!(outcome.faults.len(), 2);
    assert!(
        outcome
            .faults
            .iter()
            .all(|fault| fault.kind == FaultKind::Spawn)
    );
    assert!(outcome.faults[0].message.contains("cannot be started"));
}

#[test]
fn a_program_that_is_not_a_worker_is_a_fault() {
    // It knows no such option, reports that, and ends.
    let mut spawner = Processes::of(Executable::at("cat"));
    let run_clock = Running(Rc::new(Instant::now()));
    let common = CaseSettings::default();
    let outcome = run(
        &cases(&["a"]),
        &[],
        &settings(common),
        &mut spawner,
        &run_clock,
        &mut Log::default(),
    );
    assert!(
        outcome
            .faults
            .iter()
            .all(|fault| matches!(fault.kind, FaultKind::Exit(1..)))
    );
    assert!(!outcome.faults[0].stderr.is_empty());
}

/// A coordinator in a process of its own, and what it and its workers say.
struct Coordinator {
    process: Child,
    stderr: BufReader<ChildStderr>,
}

impl Coordinator {
    fn start(arguments: &[&str], environment: &[(&str, &str)]) -> Coordinator {
        let mut command = Command::new(WORKER);
        command.args(arguments).envs(environment.iter().copied());
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(process.stderr.take().unwrap());
        Coordinator { process, stderr }
    }

    /// The rest of the next line that begins with a word.
    fn hear(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(
                self.stderr.read_line(&mut line).unwrap() > 0,
                "{word:?} was never shown"
            );
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_owned();
            }
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &pid])
                .status()
                .unwrap()
                .success()
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_worker_outlives_a_coordinator_that_was_killed() {
    for case in ["spin", "park"] {
        let mut coordinator = Coordinator::start(&["conduct", case], &[]);
        let worker = coordinator.hear("pid ").parse().unwrap();
        assert!(runs(worker));
        coordinator.process.kill().unwrap();
        coordinator.process.wait().unwrap();
        assert_gone(worker);
    }
}

#[test]
fn a_first_signal_stops_the_worker_and_ends_the_run_in_order() {
    for signal in ["-INT", "-TERM"] {
        let mut coordinator = Coordinator::start(&["conduct", "park"], &[]);
        let worker = coordinator.hear("pid ").parse().unwrap();
        coordinator.signal(signal);
        assert_eq!(coordinator.hear("interrupted "), "true");
        assert_eq!(coordinator.process.wait().unwrap().code(), Some(130));
        assert_gone(worker);
    }
}

#[test]
fn a_second_signal_ends_the_coordinator_at_once() {
    let mut coordinator = Coordinator::start(&["hold-out"], &[]);
    coordinator.hear("ready");
    coordinator.signal("-INT");
    coordinator.hear("noted");
    coordinator.signal("-INT");
    assert_eq!(coordinator.process.wait().unwrap().code(), Some(130));
}

#[test]
fn a_flood_before_the_hello_is_skipped() {
    let mut coordinator = Coordinator::start(&["conduct", "fine"], &[("TEST_FLOOD", "1")]);
    assert_eq!(coordinator.hear("launch "), "fine");
    assert_eq!(coordinator.hear("interrupted "), "false");
    assert_eq!(coordinator.process.wait().unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_group_is_ended_and_noted() {
    let mut coordinator = Coordinator::start(&["conduct", "daemon"], &[]);
    let daemon = coordinator.hear("daemon ").parse().unwrap();
    let result = coordinator.hear("result daemon ");
    assert!(result.contains("ProcessesLeft { launches: 1 }"), "{result}");
    assert!(!runs(daemon));
    coordinator.process.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_waited_for_is_not_noted() {
    let mut coordinator = Coordinator::start(&["conduct", "waited"], &[]);
    let result = coordinator.hear("result waited ");
    assert!(!result.contains("ProcessesLeft"), "{result}");
    coordinator.process.wait().unwrap();
}
