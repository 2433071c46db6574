//! Systems without the processes and signals of Unix: every call returns an error, and the types that
//! need them have no values.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::time::Duration;

use crate::affinity::unsupported;
use crate::{Ending, ErrorOutput, Executable, Protocol, Ready};

/// Starts an executable. Not available on this system.
#[derive(Debug)]
pub struct Launcher(());

impl Launcher {
    /// Starts `executable`.
    pub fn new(_executable: &Executable) -> Launcher {
        Launcher(())
    }

    /// Adds an argument.
    pub fn argument(&mut self, _argument: impl AsRef<OsStr>) {}

    /// Sets the destination of stderr.
    pub fn stderr(&mut self, _stderr: ErrorOutput) {}

    /// Adds a variable to the environment.
    pub fn variable(&mut self, _name: &OsStr, _value: &OsStr) {}

    /// Starts a process.
    ///
    /// # Errors
    /// Always.
    pub fn start(&mut self) -> io::Result<Child> {
        Err(unsupported("a worker process"))
    }
}

/// A type without values, and its methods, which cannot be called.
macro_rules! without_values {
    ($(#[$docs:meta])* $name:ident {
        $($(#[$of_method:meta])* fn $method:ident($($arguments:tt)+) $(-> $result:ty)?;)*
    }) => {
        $(#[$docs])*
        #[derive(Debug)]
        pub struct $name(Infallible);

        impl $name {
            $($(#[$of_method])*
            pub fn $method($($arguments)+) $(-> $result)? {
                unreachable!("a value of a type without values")
            })*
        }
    };
}

without_values! {
    /// A child process. Not available on this system.
    Child {
        /// Process id.
        fn id(&self) -> u32;
        /// Writes to the child's stdin.
        fn write(&mut self, _bytes: &[u8]) -> io::Result<()>;
        /// Waits for output, for the end, or for a signal.
        fn wait_ready(&mut self, _output: bool, _signals: Option<&Signals>, _timeout: Duration) -> io::Result<Ready>;
        /// Reads from the child's stdout.
        fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize>;
        /// Kills every process of the group.
        fn kill_group(&self);
        /// Waits for the child's end.
        fn wait(&mut self, _timeout: Duration) -> io::Result<Option<Ending>>;
        /// Kills every process of the group, and waits for the child's end.
        fn end(&mut self, _timeout: Duration) -> Ending;
        /// Number of processes that had left its group.
        fn left(&self) -> u32;
        /// Bytes written to its stderr so far.
        fn stderr_bytes(&self) -> Option<u64>;
        /// The last bytes of its stderr.
        fn stderr_tail(&self, _bytes: usize) -> Vec<u8>;
    }
}

without_values! {
    /// A descriptor that processes inherit. Not available on this system.
    InheritedFd {
        /// The path under which a process that has inherited it can open it.
        fn path(&self) -> String;
    }
}

impl InheritedFd {
    /// A copy to be inherited.
    ///
    /// # Errors
    /// Always.
    pub fn new<D>(_descriptor: D) -> io::Result<InheritedFd> {
        Err(unsupported("a pipe between two workers"))
    }
}

without_values! {
    /// SIGINT and SIGTERM. Not available on this system.
    #[derive(Clone, Copy)]
    Signals {
        /// The number of the first signal that arrived.
        fn noted(&self) -> Option<i32>;
    }
}

impl Signals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// Always.
    pub fn install() -> io::Result<Signals> {
        Err(unsupported("a handler of signals"))
    }
}

/// Takes the pipes to the coordinator away from stdin and stdout.
///
/// # Errors
/// Always.
pub fn take_protocol(_nocapture: bool) -> io::Result<Protocol> {
    Err(unsupported("a worker process"))
}

/// Makes this process end when its coordinator ends.
///
/// # Errors
/// Always.
pub fn tie_to_coordinator(_input: &File) -> io::Result<()> {
    Err(unsupported("a worker process"))
}

/// Whether the coordinator has ended: not known on this system.
pub fn coordinator_gone(_input: &File) -> bool {
    false
}

/// Columns of the terminal behind a stream: not known on this system.
pub fn terminal_width<S>(_stream: &S) -> Option<u16> {
    None
}

/// Calls `last` when this process ends by `exit`: never on this system.
pub fn at_exit(_last: fn() -> Option<u8>) {}
