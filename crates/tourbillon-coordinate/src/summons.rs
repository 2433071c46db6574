use std::ffi::OsString;

/// First argument of a process that is to be a worker.
pub const WORKER_ARGUMENT: &str = "--tourbillon-worker";

/// Second argument of a worker whose benchmark may print.
const NOCAPTURE: &str = "--nocapture";

/// How a worker was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summons {
    /// Whether what the benchmark prints is shown, on stderr.
    pub nocapture: bool,
}

impl Summons {
    /// Reads the arguments of a process, one after the other, without the name of the program; `None`
    /// when it is no worker.
    #[inline(never)]
    pub fn read(next: &mut dyn FnMut() -> Option<OsString>) -> Option<Summons> {
        if next()? != WORKER_ARGUMENT {
            return None;
        }
        let nocapture = next().is_some_and(|argument| argument == NOCAPTURE);
        Some(Summons { nocapture })
    }

    /// The arguments that say this.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self.nocapture {
            true => &[WORKER_ARGUMENT, NOCAPTURE],
            false => &[WORKER_ARGUMENT],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_reads_what_its_coordinator_wrote() {
        for nocapture in [false, true] {
            let summons = Summons { nocapture };
            let mut arguments = summons.arguments().iter().map(OsString::from);
            assert_eq!(Summons::read(&mut || arguments.next()), Some(summons));
        }
    }

    #[test]
    fn only_the_first_argument_makes_a_worker() {
        let read = |arguments: &[&str]| {
            let mut arguments = arguments.iter().map(OsString::from);
            Summons::read(&mut || arguments.next())
        };
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["--bench", WORKER_ARGUMENT]), None);
        assert_eq!(read(&["--tourbillon-workers"]), None);
    }
}
