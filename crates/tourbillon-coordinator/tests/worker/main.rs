//! A worker for the tests of the process transport: what it does to its coordinator is the name of
//! the case. Started without a summons it is a coordinator itself, of such workers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use tourbillon_analysis::Frequency;
use tourbillon_coordinator::runner::{
    CaseSettings, FrameWriter, Observer, Processes, RunClock, Settings, WorkerArgs, read_plan, run,
};
use tourbillon_os::{Signals, coordinator_gone, take_protocol, tie_to_coordinator};
use tourbillon_record::{
    BatchShape, Batches, Case, Empty, Entry, Fault, FaultKind, Frame, LaunchSamples, Pilot, Plan,
    SourceLocation, SystemCounts, Warmup,
};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<ExitCode, Failure> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(worker_args) = WorkerArgs::read(&arguments) {
        return work(worker_args);
    }
    match arguments.first().and_then(|role| role.to_str()) {
        Some("conduct") => {
            let cases = arguments[1..].iter().filter_map(|case| case.to_str());
            coordinate(cases.map(str::to_owned).collect())
        }
        Some("hold-out") => hold_out(),
        _ => Err("the role is missing".into()),
    }
}

/// The life of a worker.
fn work(worker_args: WorkerArgs) -> Result<ExitCode, Failure> {
    // The one fault that comes before the protocol: code that runs before `main` and prints.
    let flood = std::env::var_os("TEST_FLOOD").is_some();
    if flood {
        let noise = [b'x'; 1 << 16];
        for _ in 0..64 {
            io::stdout().write_all(&noise)?;
        }
        io::stdout().flush()?;
    }
    let protocol = take_protocol(worker_args.nocapture)?;
    tie_to_coordinator(&protocol.input)?;
    let plan = read_plan(&protocol.input)?;
    let pipe = protocol.output.try_clone()?;
    let mut writer = FrameWriter::new(protocol.output, &format!("pid {}", std::process::id()))?;
    writer.write_frame(&Frame::Progress {
        first_call_ns: 5,
        timeout_ns: None,
    })?;
    println(&format!("pid {}", std::process::id()))?;
    act(&plan, &mut writer, pipe, &protocol.input)?;
    writer.write_frame(&Frame::Launch(Box::new(launch(&plan))))?;
    writer.write_frame(&Frame::Bye)?;
    Ok(ExitCode::SUCCESS)
}

/// What the benchmark does.
fn act(plan: &Plan, writer: &mut FrameWriter, mut pipe: File, input: &File) -> Result<(), Failure> {
    match plan.case.as_str() {
        "exit" => std::process::exit(7),
        "abort" => std::process::abort(),
        "panic" => {
            writer.write_frame(&Frame::Panicking {
                message: "went wrong".to_owned(),
                location: Some(SourceLocation {
                    file: "benches/x.rs".to_owned(),
                    line: 3,
                }),
            })?;
            std::process::exit(101);
        }
        "error" => writer.write_frame(&Frame::Fault(Fault {
            case: plan.case.clone(),
            launch: plan.launch,
            kind: FaultKind::Error,
            message: "no such file".to_owned(),
            location: None,
            stderr: String::new(),
            unknown: String::new(),
        }))?,
        "spin" => loop {
            std::hint::spin_loop();
        },
        "park" => loop {
            std::thread::park();
        },
        "print" => {
            for _ in 0..10_000 {
                io::stdout().write_all(b"{\"type\":\"bye\",\"schema\":1}\n")?;
            }
            io::stdout().flush()?;
        }
        "chatter" => loop {
            io::stderr().write_all(&[b'x'; 1 << 16])?;
        },
        "read" => {
            let mut nothing = String::new();
            io::stdin().read_line(&mut nothing)?;
            assert_eq!(nothing, "");
        }
        // A child that would outlive the launch, with the pipe to the coordinator in its hands.
        "child" | "child-exit" => {
            let child = Command::new("sleep")
                .arg("600")
                .stdout(Stdio::from(pipe))
                .spawn()?;
            println(&format!("child {}", child.id()))?;
            if plan.case == "child-exit" {
                std::process::exit(9);
            }
            writer.write_frame(&Frame::Launch(Box::new(launch(plan))))?;
            loop {
                std::thread::park();
            }
        }
        // A process in a session of its own, whose parent is gone.
        "daemon" => {
            let script = "setsid sh -c 'echo daemon $$ >&2; exec sleep 600' & read line";
            let mut shell = Command::new("sh")
                .args(["-c", script])
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            let mut line = String::new();
            if let Some(output) = shell.stderr.take() {
                BufReader::new(output).read_line(&mut line)?;
            }
            drop(shell.stdin.take());
            shell.wait()?;
            println(line.trim_end())?;
        }
        "waited" => {
            let script = "setsid sh -c 'exit 0' & wait";
            Command::new("sh").args(["-c", script]).status()?;
        }
        "torn" => {
            pipe.write_all(b"{\"type\":\"launch\",\"sch")?;
            std::process::abort();
        }
        "garbage" => pipe.write_all(b"hello?\n")?,
        "large" => {
            let mut launch = launch(plan);
            launch.batches.kind = [1, 2].repeat(100_000);
            launch.batches.ticks = vec![123_456; 200_000];
            writer.write_frame(&Frame::Launch(Box::new(launch)))?;
        }
        "padding" => {
            let padding = std::env::var("TOURBILLON_PADDING")?;
            println(&format!("padding {}", padding.len()))?;
            std::process::exit(1);
        }
        "alone" => assert!(!coordinator_gone(input)),
        _ => {}
    }
    Ok(())
}

fn launch(plan: &Plan) -> LaunchSamples {
    LaunchSamples {
        case: plan.case.clone(),
        launch: plan.launch,
        pilot_launch: plan.batch_shape.is_none(),
        seed: plan.seed,
        pid: std::process::id(),
        started_unix_ns: 0,
        terminal: "iter".to_owned(),
        drop_inside: false,
        ops_per_iteration: 1,
        throughput: None,
        setup_ticks: 1,
        first_call_ticks: 5,
        pilot: Pilot::default(),
        warmup: Warmup::default(),
        batch_shape: BatchShape {
            windows: 1,
            items: 100,
            unroll: 1,
            slope: true,
        },
        batches: Batches {
            kind: [1, 2].repeat(10),
            ticks: [700, 1_400].repeat(10),
            ..Batches::default()
        },
        chain: None,
        empty: Empty::default(),
        pauses: None,
        fixed_item: None,
        fenced: None,
        measured: None,
        calls: None,
        team: None,
        launch_ticks: 30_000,
        threads: None,
        working_threads: None,
        counted: SystemCounts::default(),
        touched_bytes: None,
        arm: None,
        core_kind: None,
        unknown: String::new(),
    }
}

/// A coordinator of workers that show what they print; its stdout shows what happens.
fn coordinate(cases: Vec<String>) -> Result<ExitCode, Failure> {
    let signals = Signals::install()?;
    let mut spawner = Processes::own()?.signals(signals).nocapture(true);
    let mut measured = Vec::new();
    for id in cases {
        measured.push(Case {
            id,
            ..Case::default()
        });
    }
    let outcome = run(&measured, &[], &settings(), &mut spawner, &Still, &mut Told);
    println(&format!("interrupted {}", outcome.interrupted))?;
    Ok(ExitCode::from(outcome.end.exit_code))
}

/// Notes a signal and goes on.
fn hold_out() -> Result<ExitCode, Failure> {
    let signals = Signals::install()?;
    println("ready")?;
    while signals.noted().is_none() {
        std::thread::yield_now();
    }
    println("noted")?;
    loop {
        std::thread::park();
    }
}

fn settings() -> Settings {
    let one = std::num::NonZeroU64::MIN;
    Settings {
        seed: 1,
        clock: "monotonic".to_owned(),
        frequency: Frequency {
            numerator: one.saturating_add(999_999_999),
            denominator: one,
            error_ppm: None,
        },
        confidence: 0.99,
        core_cache_bytes: None,
        window_items: 1,
        window_bytes: 1,
        common: CaseSettings {
            launches: 1,
            ..CaseSettings::default()
        },
        overrides: Default::default(),
    }
}

/// A clock that stands still: nothing ever is a hang.
struct Still;

impl RunClock for Still {
    fn now_ns(&self) -> u64 {
        0
    }
}

struct Told;

impl Observer for Told {
    fn entry(&mut self, entry: Entry<'_>) {
        let result = match entry {
            Entry::Launch(launch) => println(&format!("launch {}", launch.case)),
            Entry::Fault(fault) => println(&format!("fault {}", fault.case)),
            Entry::Result(result) => println(&format!("result {} {:?}", result.case, result.notes)),
            _ => Ok(()),
        };
        // The process that started this need not read it.
        let _ = result;
    }
}

/// To stdout when this is a coordinator; a worker's goes to stderr.
fn println(text: &str) -> io::Result<()> {
    // Together, so that a reader never sees half of it.
    io::stderr().write_all(format!("{text}\n").as_bytes())
}
