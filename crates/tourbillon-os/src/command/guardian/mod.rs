//! Programs that end with this process, and what they have started with them.

#[cfg(target_os = "linux")]
mod linux;

use std::io;
use std::process::{Child, Command};

/// A program that does not outlive this process.
///
/// On Linux a guardian stands between both: a copy of this process that has nothing open and does nothing but wait. When
/// this process ends, in whatever way, the guardian ends the program and all that this has started, as the compilers of
/// cargo, except what has a session of its own, as servers have. The id is that of the guardian, which ends like the
/// program. Elsewhere the program goes on without this process.
#[derive(Debug)]
pub struct Guarded {
    child: Child,
}

impl Guarded {
    /// Starts a program. Call it from the main thread, or from one that waits for the program: the guardian takes the
    /// end of that thread for the end of this process.
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
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        #[cfg(unix)]
        if let Ok(process) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been
            // reused.
            unsafe { libc::kill(process, libc::SIGTERM) };
        }
        #[cfg(not(unix))]
        self.child.kill()?;
        Ok(())
    }

    /// The same for the program and what it has started; the latter on Linux.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn ask_all_to_end(&mut self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            let started = linux::started_by(self.child.id());
            // The program first, or it would say of each of the others that it failed.
            for process in &started {
                // SAFETY: no memory is involved. The id was that of a running process a moment ago.
                unsafe { libc::kill(*process, libc::SIGTERM) };
            }
            if !started.is_empty() {
                return Ok(());
            }
        }
        self.ask_to_end()
    }

    /// Ends the program by force; on Linux what it has started, too.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn end_all(&mut self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            linux::end_by_guardian(&mut self.child)
        }
        #[cfg(not(target_os = "linux"))]
        self.child.kill()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Two processes below the shell, and one below one of them.
    const SCRIPT: &str = "sleep 1000 & sh -c 'sleep 1000; :'; :";

    fn shell(script: &str) -> Guarded {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", script]).stdout(Stdio::null());
        Guarded::start(shell).expect("sh starts")
    }

    /// The processes below the guardian, once there are so many.
    fn started(guarded: &mut Guarded, count: usize) -> Vec<libc::pid_t> {
        let guardian = guarded.child().id();
        let mut tries = 0..1_000;
        let started = tries.find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            Some(linux::started_by(guardian)).filter(|started| started.len() == count)
        });
        started.expect("all of them")
    }

    fn has_ended(process: libc::pid_t) -> bool {
        let mut tries = 0..1_000;
        tries.any(|_| {
            thread::sleep(Duration::from_millis(10));
            let stat = fs::read_to_string(format!("/proc/{process}/stat"));
            stat.map_or(true, |stat| stat.contains(") Z "))
        })
    }

    #[test]
    fn processes_of_a_program_end_with_it() {
        for by_force in [false, true] {
            let mut shell = shell(SCRIPT);
            let started = started(&mut shell, 4);
            let signal = if by_force {
                shell.end_all().expect("ended");
                libc::SIGKILL
            } else {
                shell.ask_all_to_end().expect("asked");
                libc::SIGTERM
            };
            let status = shell.child().wait().expect("it ends");
            assert_eq!(status.signal(), Some(signal));
            for process in started {
                assert!(has_ended(process), "{process}");
            }
        }
    }

    /// The thread ends as a process does that is killed.
    #[test]
    fn what_a_program_has_started_ends_without_this_process() {
        let all = thread::spawn(|| {
            let mut shell = shell(SCRIPT);
            let started = started(&mut shell, 4);
            (shell, started)
        });
        let (mut shell, started) = all.join().expect("started");
        for process in started {
            assert!(has_ended(process), "{process}");
        }
        assert!(!shell.child().wait().expect("it ends").success());
    }

    #[test]
    fn what_has_a_session_of_its_own_stays() {
        let mut shell = shell("setsid sleep 1000 & sleep 1000; :");
        let leads = |process: &libc::pid_t| {
            // SAFETY: takes and returns integers.
            unsafe { libc::getsid(*process) == *process }
        };
        let mut tries = 0..1_000;
        let [servers, others] = tries
            .find_map(|_| {
                let started = started(&mut shell, 3);
                let (servers, others): (Vec<_>, Vec<_>) = started.into_iter().partition(leads);
                (servers.len() == 1).then_some([servers, others])
            })
            .expect("a session");
        shell.end_all().expect("ended");
        shell.child().wait().expect("it ends");
        assert!(others.into_iter().all(has_ended));
        for server in servers {
            // SAFETY: no memory is involved.
            assert_eq!(unsafe { libc::kill(server, libc::SIGKILL) }, 0);
        }
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
            io::Read::read_to_end(&mut stdout, &mut text).expect("text");
            assert_eq!(text, plain, "{command:?}");
            assert!(guarded.child().wait().expect("it ends").success());
        }
    }
}
