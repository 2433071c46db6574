//! Whether this process is the launcher of another one.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::runner::clock_of;

/// Runs the launcher and gives its exit code, if these are its arguments.
pub fn launched(arguments: &[OsString]) -> Option<ExitCode> {
    let clock = clock_of(arguments)?;
    #[cfg(unix)]
    let code = super::launcher::main(clock);
    #[cfg(not(unix))]
    let code = {
        let _ = clock;
        ExitCode::from(tourbillon_tool::exit::ENVIRONMENT)
    };
    Some(code)
}
