//! Programs that end with this process, and what they have started with them.

#[cfg(target_os = "linux")]
mod linux;

use std::ffi::c_int;
use std::io;
use std::process::{Child, Command};

#[cfg(target_os = "linux")]
use linux::{ASK, END_ALL};

/// SIGTERM and SIGKILL; on Windows a program ends by either.
#[cfg(not(target_os = "linux"))]
const ASK: c_int = 15;
#[cfg(not(target_os = "linux"))]
const END_ALL: c_int = 9;

/// A program that does not outlive this process.
///
/// On Linux a guardian stands between both: a copy of this process that has nothing open and does nothing but wait. When
/// this process ends, in whatever way, or a signal ends the program, the guardian ends all that the program has started,
/// as the compilers of cargo, except what has a session of its own, as servers have. The id is that of the guardian,
/// which ends like the program. Elsewhere the program goes on without this process.
///
/// Where it is dropped before its end was waited for, it is [ended](Guarded::end_all).
#[derive(Debug)]
pub struct Guarded {
    child: Child,
}

impl Guarded {
    /// Starts a program, once with one command. Call it from the main thread, or from one that waits for the program: the
    /// guardian takes the end of that thread for the end of this process.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Guarded> {
        #[cfg(target_os = "linux")]
        linux::interpose(command);
        let child = command.spawn()?;
        Ok(Guarded { child })
    }

    /// Its streams, and its end.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Asks the program to end, as SIGTERM does; on Windows it ends. Harmless if it has ended.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn ask_to_end(&mut self) -> io::Result<()> {
        self.signal(ASK)
    }

    /// Ends the program by force; on Linux what it has started, too. Harmless if it has ended.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn end_all(&mut self) -> io::Result<()> {
        self.signal(END_ALL)
    }

    fn signal(&mut self, signal: c_int) -> io::Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        #[cfg(unix)]
        // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been reused.
        if unsafe { libc::kill(self.child.id().cast_signed(), signal) } != 0 {
            return Err(io::Error::last_os_error());
        }
        #[cfg(not(unix))]
        {
            let _ = signal;
            self.child.kill()?;
        }
        Ok(())
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // One that has ended by now needs no end.
        let _ = self.end_all();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::path::Path;
    use std::process::Stdio;
    use std::thread;
    use std::time::Duration;

    use libc::pid_t;

    use super::*;

    /// Two processes below the shell, one below one of them, and one with a session of its own.
    const SCRIPT: &str = "sleep 1000 & sh -c 'sleep 1000; :' & setsid sleep 1000 & wait";

    fn shell(script: &str) -> Guarded {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", script]).stdin(Stdio::piped());
        let shell = shell.stdout(Stdio::piped()).stderr(Stdio::null());
        Guarded::start(shell).expect("sh starts")
    }

    /// The processes that a process has started, and those that these have.
    fn started_by(process: u32) -> Vec<pid_t> {
        let list = format!("/proc/{process}/task/{process}/children");
        let list = fs::read_to_string(list).unwrap_or_default();
        let children = list.split_ascii_whitespace().flat_map(str::parse::<u32>);
        children
            .flat_map(|child| [vec![child.cast_signed()], started_by(child)].concat())
            .collect()
    }

    /// Those of [`SCRIPT`]: the one with a session of its own, and the others.
    fn started(guarded: &mut Guarded) -> (pid_t, Vec<pid_t>) {
        let guardian = guarded.child().id();
        // SAFETY: takes and returns integers.
        let leads = |process: &pid_t| unsafe { libc::getsid(*process) == *process };
        let mut tries = 0..1_000;
        let started = tries.find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            let (servers, others): (Vec<_>, Vec<_>) =
                started_by(guardian).into_iter().partition(leads);
            (servers.len() == 1 && others.len() == 4).then(|| (servers[0], others))
        });
        started.expect("all of them")
    }

    fn is_there(process: pid_t) -> bool {
        Path::new(&format!("/proc/{process}")).exists()
    }

    /// The guardian has waited for all that have ended.
    fn assert_that_the_server_alone_is_left((server, others): (pid_t, Vec<pid_t>)) {
        for process in others {
            assert!(!is_there(process), "{process}");
        }
        // SAFETY: no memory is involved.
        assert_eq!(unsafe { libc::kill(server, libc::SIGKILL) }, 0);
    }

    #[test]
    fn processes_of_a_program_end_with_it_except_servers() {
        for (end, signal) in [
            (Guarded::ask_to_end as fn(&mut Guarded) -> _, libc::SIGTERM),
            (Guarded::end_all, libc::SIGKILL),
        ] {
            let mut shell = shell(SCRIPT);
            let started = started(&mut shell);
            end(&mut shell).expect("ended");
            let status = shell.child().wait().expect("it ends");
            assert_eq!(status.signal(), Some(signal));
            assert_that_the_server_alone_is_left(started);
        }
    }

    #[test]
    fn processes_of_a_program_that_is_dropped_end() {
        let mut shell = shell(SCRIPT);
        let started = started(&mut shell);
        drop(shell);
        assert_that_the_server_alone_is_left(started);
    }

    /// The thread ends as a process does that is killed.
    #[test]
    fn what_a_program_has_started_ends_without_this_process() {
        let all = thread::spawn(|| {
            let mut shell = shell(SCRIPT);
            let started = started(&mut shell);
            (shell, started)
        });
        let (mut shell, started) = all.join().expect("started");
        assert!(!shell.child().wait().expect("it ends").success());
        assert_that_the_server_alone_is_left(started);
    }

    /// As where the system has no memory left for cargo: its compilers would go on.
    #[test]
    fn what_a_program_has_started_ends_where_a_signal_ends_it() {
        // The second ignores a request.
        let mut shell = shell(
            "sleep 1000 & echo $!; sh -c 'trap \"\" TERM; echo $$; sleep 1000; :' & read line; kill -s KILL $$",
        );
        let mut stdout = BufReader::new(shell.child().stdout.take().expect("a pipe"));
        let processes = [(); 2].map(|()| {
            let mut line = String::new();
            stdout.read_line(&mut line).expect("a line");
            line.trim().parse().expect("a process id")
        });
        drop(shell.child().stdin.take());
        let status = shell.child().wait().expect("it ends");
        assert_eq!(status.signal(), Some(libc::SIGKILL));
        assert!(!processes.into_iter().any(is_there), "{processes:?}");
    }

    #[test]
    fn the_end_is_that_of_the_program() {
        for (script, code, signal) in [
            ("exit 7", Some(7), None),
            ("kill -s ABRT $$", None, Some(libc::SIGABRT)),
            ("kill -s KILL $$", None, Some(libc::SIGKILL)),
            ("kill -s TERM $$", None, Some(libc::SIGTERM)),
            // What is left behind is not waited for, and goes on.
            ("sleep 1 & exit 0", Some(0), None),
        ] {
            let status = shell(script).child().wait().expect("it ends");
            assert_eq!((status.code(), status.signal()), (code, signal), "{script}");
        }
        let error = Guarded::start(&mut Command::new("/no/such/program"));
        assert_eq!(
            error.map(drop).expect_err("none").kind(),
            io::ErrorKind::NotFound
        );
    }

    /// systemd and Slurm send a signal to all processes; a bench program ends by the second one without its results.
    #[test]
    fn a_signal_to_a_group_is_passed_to_no_program_a_second_time() {
        let mut cat = Command::new("cat");
        let cat = cat.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut cat = Guarded::start(cat).expect("it starts");
        let guardian = cat.child().id().cast_signed();
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGUSR1] {
            // SAFETY: no memory is involved; the process has not been waited for.
            assert_eq!(unsafe { libc::kill(guardian, signal) }, 0);
        }
        // It ends when it has read all.
        assert!(cat.child().wait().expect("it ends").success());
    }

    #[test]
    fn a_guardian_has_a_name_of_its_own() {
        let mut shell = shell("read line");
        let name = fs::read_to_string(format!("/proc/{}/comm", shell.child().id()));
        assert_eq!(name.expect("a name"), "guardian\n");
    }

    thread_local! {
        static FORKS: Cell<u8> = const { Cell::new(0) };
    }

    extern "C" fn count_fork() {
        FORKS.set(FORKS.get() + 1);
    }

    /// What others have do at a fork may allocate, or wait for a lock that was held when this process was copied.
    #[test]
    fn no_code_of_others_runs_where_a_guardian_is_made() {
        let mut command = Command::new("true");
        linux::interpose(&mut command);
        // SAFETY: the functions set a number of the thread, and end the process.
        unsafe {
            assert_eq!(libc::pthread_atfork(None, None, Some(count_fork)), 0);
            command.pre_exec(|| libc::_exit(FORKS.get().into()));
        }
        let status = command.status().expect("it starts");
        assert_eq!(status.code(), Some(1), "the copy of this process alone");
    }

    #[test]
    fn a_program_finds_the_signals_and_descriptors_of_this_process() {
        // Without the signals of the C library.
        let signals = ["-nE", "s/^Sig(Blk|Ign).*(.{8})$/\\2/p", "/proc/self/status"];
        let [mut sed, mut ls] = ["sed", "ls"].map(Command::new);
        for command in [sed.args(signals), ls.arg("/proc/self/fd")] {
            command.stdin(Stdio::null()).stdout(Stdio::piped());
            let plain = command.output().expect("it starts").stdout;
            let mut guarded = Guarded::start(command).expect("it starts");
            let mut stdout = guarded.child().stdout.take().expect("a pipe");
            let mut text = Vec::new();
            stdout.read_to_end(&mut text).expect("text");
            assert_eq!(text, plain, "{command:?}");
            assert!(guarded.child().wait().expect("it ends").success());
        }
    }
}
