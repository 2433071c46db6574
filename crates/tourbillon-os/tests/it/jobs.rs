//! Children on Windows: pipes, ends, jobs, stderr. The children are this program, in roles.

use std::io::{ErrorKind, Read, Write};
use std::process::{Command, exit};
use std::time::Duration;

use tourbillon_os::{
    Child, Ending, ErrorOutput, Executable, InheritedPipe, Launcher, Ready, affinity, at_exit,
    coordinator_gone, open_inherited, set_affinity, take_protocol, threads, tie_to_coordinator,
};

/// Longer than any wait here that succeeds, on a busy machine, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// The variable with the role of a child.
const ROLE: &str = "TOURBILLON_TEST_ROLE";

/// A launcher of children in a role.
fn launcher(role: &str) -> Launcher {
    launcher_of(&Executable::own().unwrap(), role)
}

fn launcher_of(executable: &Executable, role: &str) -> Launcher {
    let mut launcher = Launcher::new(executable);
    for argument in [
        "--ignored",
        "--exact",
        "--nocapture",
        "--quiet",
        "jobs::child",
    ] {
        launcher.argument(argument);
    }
    launcher.variable(ROLE.as_ref(), role.as_ref());
    launcher
}

fn start(role: &str) -> Child {
    launcher(role).start().unwrap()
}

/// What children do. Each role ends the process, except where it is killed.
#[test]
#[ignore = "the children of the other tests"]
fn child() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let mut line = String::new();
    match role.as_str() {
        "echo" => {
            std::io::stdin().read_line(&mut line).unwrap();
            println!("\necho {line}");
            eprint!("aside");
            exit(0)
        }
        "exits" => exit(7),
        // SAFETY: none: it is what crashes the process.
        "crashes" => unsafe { std::ptr::without_provenance_mut::<u32>(8).write_volatile(1) },
        "aborts" => std::process::abort(),
        "waits" => loop {
            std::thread::park();
        },
        "leaves a child" => {
            let own = std::env::current_exe().unwrap();
            let mut again = Command::new(own);
            again.args(["--ignored", "--exact", "--nocapture", "jobs::child"]);
            again.env(ROLE, "waits").spawn().unwrap();
            println!("\nleft");
            exit(0)
        }
        "much" => {
            std::io::stdin().read_line(&mut line).unwrap();
            println!("\nread {}", line.len());
            exit(0)
        }
        "worker" | "worker that shows" => {
            let mut protocol = take_protocol(role != "worker").unwrap();
            tie_to_coordinator(&protocol.input).unwrap();
            println!("noise");
            let count = || threads().map(|threads| threads.all);
            assert_eq!(count(), Some(1));
            let thread = std::thread::spawn(std::thread::park);
            assert_eq!(count(), Some(2));
            thread.thread().unpark();
            thread.join().unwrap();
            assert_eq!(std::io::stdin().read(&mut [0]).unwrap(), 0);
            writeln!(protocol.output, "ready").unwrap();
            while !coordinator_gone(&protocol.input) {
                std::thread::yield_now();
            }
            exit(0)
        }
        "opens" => {
            let path = std::env::var("TOURBILLON_TEST_PIPE").unwrap();
            let mut options = std::fs::OpenOptions::new();
            let mut pipe = open_inherited(options.write(true), &path).unwrap();
            pipe.write_all(b"through\n").unwrap();
            exit(0)
        }
        "fails at its exit" => {
            at_exit(|| Some(3));
            exit(0)
        }
        "succeeds at its exit" => {
            at_exit(|| None);
            exit(4)
        }
        "processors" => {
            println!("\non {:?}", affinity().unwrap());
            exit(0)
        }
        "argument" => {
            println!("\nlast {}", std::env::args().next_back().unwrap());
            exit(0)
        }
        role => panic!("no role is called {role}"),
    }
    unreachable!("each role ends the process");
}

/// Everything that a child writes to its stdout, until it is closed.
fn read_all(child: &mut Child) -> String {
    let mut text = Vec::new();
    // Smaller than what is read at once.
    let mut chunk = [0; 7];
    loop {
        match child.read(&mut chunk).unwrap() {
            0 => return String::from_utf8(text).unwrap(),
            count => text.extend_from_slice(&chunk[..count]),
        }
    }
}

/// The last line that a child writes.
fn last_line(child: &mut Child) -> String {
    let text = read_all(child);
    text.lines().last().unwrap_or_default().to_owned()
}

fn until_ended(child: &mut Child) {
    while !child.wait_ready(false, None, PATIENCE).unwrap().ended {}
}

#[test]
fn input_output_and_errors_are_connected() {
    let mut child = start("echo");
    child.write(b"hello\n").unwrap();
    assert!(read_all(&mut child).contains("echo hello\n"));
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
    assert_eq!(child.stderr_tail(100), b"aside");
    assert_eq!(child.stderr_tail(2), b"de");
    assert_eq!(child.stderr_bytes(), Some(5));
}

#[test]
fn a_program_is_started_by_a_path_without_limits() {
    let own = std::fs::canonicalize(std::env::current_exe().unwrap()).unwrap();
    assert!(own.to_str().unwrap().starts_with(r"\\?\"), "{own:?}");
    let mut child = launcher_of(&Executable::at(own), "exits").start().unwrap();
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(7)));
}

#[test]
fn endings_are_told_apart() {
    let ending = |role| start(role).wait(PATIENCE).unwrap().unwrap();
    assert_eq!(ending("exits"), Ending::Exited(7));
    let crash = 0xC000_0005_u32.cast_signed();
    assert_eq!(ending("crashes"), Ending::Exited(crash));
    assert!(ending("aborts").is_abort());
}

/// Wine does not call the functions of a program when it ends (seen with 8.0), Windows does.
#[test]
fn the_last_function_decides_the_exit_code() {
    let ending = |role| start(role).wait(PATIENCE).unwrap().unwrap();
    assert_eq!(ending("succeeds at its exit"), Ending::Exited(4));
    assert_eq!(ending("fails at its exit"), Ending::Exited(3));
}

#[test]
fn an_end_is_seen_and_can_be_asked_for_again() {
    let mut child = start("exits");
    until_ended(&mut child);
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(7)));
    assert_eq!(child.wait(Duration::ZERO).unwrap(), Some(Ending::Exited(7)));
    assert!(child.wait_ready(false, None, PATIENCE).unwrap().ended);
}

#[test]
fn what_a_child_writes_last_is_seen_with_its_end() {
    for _ in 0..30 {
        let mut child = start("argument");
        let mut text = String::new();
        loop {
            let ready = child.wait_ready(true, None, PATIENCE).unwrap();
            if !ready.output {
                assert!(ready.ended);
                break;
            }
            let mut chunk = [0; 1000];
            match child.read(&mut chunk).unwrap() {
                0 => break,
                count => text += std::str::from_utf8(&chunk[..count]).unwrap(),
            }
        }
        assert!(text.contains("last jobs::child"), "{text}");
    }
}

#[test]
fn a_wait_ends_when_its_time_is_over() {
    let mut child = start("waits");
    // The test harness in the child prints before the role begins.
    let mut ready = child.wait_ready(true, None, PATIENCE).unwrap();
    while ready.output {
        child.read(&mut [0; 100]).unwrap();
        ready = child
            .wait_ready(true, None, Duration::from_millis(100))
            .unwrap();
    }
    assert_eq!(ready, Ready::default());
    assert_eq!(child.wait(Duration::from_millis(2)).unwrap(), None);
    assert!(matches!(child.end(PATIENCE), Ending::Exited(9)));
}

#[test]
fn a_killed_job_leaves_nothing_that_holds_the_pipe() {
    let mut child = start("leaves a child");
    until_ended(&mut child);
    child.kill_group();
    // Ends only because no process holds the other end any more.
    assert!(read_all(&mut child).contains("left"));
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
    child.kill_group();
}

#[test]
fn a_dropped_child_is_killed() {
    let child = start("waits");
    let id = child.id().to_string();
    drop(child);
    // Its id may be another process's by now, but not one of this program.
    let own = std::env::current_exe().unwrap();
    let name = own.file_name().unwrap().to_string_lossy().into_owned();
    let list = Command::new("tasklist").args(["/fo", "csv"]).output();
    let list = String::from_utf8_lossy(&list.unwrap().stdout).into_owned();
    assert!(!list.contains(&format!("\"{name}\",\"{id}\"")), "{list}");
}

#[test]
fn much_is_written_without_waiting_for_the_child() {
    let mut much = vec![b'x'; 1_000_000];
    much.push(b'\n');
    // One that does not read delays nothing.
    let mut child = start("waits");
    child.write(&much).unwrap();
    child.end(PATIENCE);
    let mut child = start("much");
    child.write(&much).unwrap();
    assert_eq!(last_line(&mut child), "read 1000001");
}

#[test]
fn writing_to_a_child_that_is_gone_is_an_error() {
    let mut child = start("exits");
    child.wait(PATIENCE).unwrap();
    let error = child.write(b"hello\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}

#[test]
fn a_worker_has_its_protocol_and_the_benchmark_an_empty_stdin() {
    for (role, noise) in [("worker", ""), ("worker that shows", "noise\n")] {
        let mut child = start(role);
        let mut text = String::new();
        while !text.contains("ready") {
            let mut chunk = [0; 100];
            let count = child.read(&mut chunk).unwrap();
            assert_ne!(count, 0, "{text}");
            text += std::str::from_utf8(&chunk[..count]).unwrap();
        }
        assert!(!text.contains("noise"), "{text}");
        assert_eq!(child.stderr_tail(100), noise.as_bytes(), "{role}");
        child.end(PATIENCE);
    }
}

#[test]
fn a_child_opens_an_inherited_pipe() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let inherited = InheritedPipe::new(&writer).unwrap();
    let mut launcher = launcher("opens");
    launcher.variable("TOURBILLON_TEST_PIPE".as_ref(), inherited.path().as_ref());
    let mut child = launcher.start().unwrap();
    drop((inherited, writer));
    assert_eq!(child.wait(PATIENCE).unwrap(), Some(Ending::Exited(0)));
    let mut text = String::new();
    // Other tests start children meanwhile, which may have the pipe, too, and end.
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "through\n");
}

#[test]
fn a_child_runs_where_the_thread_that_starts_it_may() {
    std::thread::spawn(|| {
        let all = affinity().unwrap();
        let last = *all.last().unwrap();
        set_affinity(&[last]).unwrap();
        let mut child = start("processors");
        assert_eq!(last_line(&mut child), format!("on [{last}]"));
    })
    .join()
    .unwrap();
}

#[test]
fn arguments_arrive_as_they_are() {
    for argument in ["", "a b", r#"say "x" \"#, r"C:\größe\", "%PATH% ^& *"] {
        // After two dashes the harness takes all as filters, which select nothing more.
        let mut launcher = launcher("argument");
        launcher.argument("--skip");
        launcher.argument(format!("no such test {argument}"));
        let mut child = launcher.start().unwrap();
        let expected = format!("last no such test {argument}");
        assert_eq!(last_line(&mut child), expected);
    }
}

#[test]
fn a_launcher_starts_again_with_changed_variables() {
    let mut launcher = launcher("exits");
    assert_eq!(
        launcher.start().unwrap().wait(PATIENCE).unwrap(),
        Some(Ending::Exited(7))
    );
    // Names of variables are the same in upper and lower case.
    launcher.variable("tourbillon_test_role".as_ref(), "echo".as_ref());
    let mut child = launcher.start().unwrap();
    child.write(b"again\n").unwrap();
    assert!(read_all(&mut child).contains("echo again"));
}

#[test]
fn a_missing_program_cannot_be_started() {
    let mut launcher = Launcher::new(&Executable::at(r"C:\nowhere\program.exe"));
    launcher.stderr(ErrorOutput::Inherit);
    let error = launcher.start().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let mut launcher = self::launcher("exits");
    launcher.argument("a\0b");
    let error = launcher.start().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
}
