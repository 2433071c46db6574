use std::ffi::OsString;

use tourbillon_record::WORKER_ARGUMENT;

/// Second argument of a worker whose benchmark may print.
pub(crate) const NOCAPTURE: &str = "--nocapture";

/// How a worker was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerArgs {
    /// Whether what the benchmark prints is shown, on stderr.
    pub nocapture: bool,
}

impl WorkerArgs {
    /// Reads the arguments of a process, without the name of the program; `None` when it is no
    /// worker.
    #[inline(never)]
    pub fn read(arguments: &[OsString]) -> Option<WorkerArgs> {
        if arguments.first()? != WORKER_ARGUMENT {
            return None;
        }
        let nocapture = arguments.len() > 1 && arguments[1] == NOCAPTURE;
        Some(WorkerArgs { nocapture })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_reads_what_its_coordinator_wrote() {
        for (arguments, nocapture) in [
            (&[WORKER_ARGUMENT][..], false),
            (&[WORKER_ARGUMENT, NOCAPTURE], true),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            assert_eq!(WorkerArgs::read(&arguments), Some(WorkerArgs { nocapture }));
        }
    }

    #[test]
    fn only_the_first_argument_makes_a_worker() {
        let read = |arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            WorkerArgs::read(&arguments)
        };
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["--bench", WORKER_ARGUMENT]), None);
        assert_eq!(read(&["--tourbillon-workers"]), None);
    }
}
