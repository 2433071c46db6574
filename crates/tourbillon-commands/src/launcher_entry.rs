//! Whether this process is the launcher of another one.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::runner::launcher_of;

/// Runs the launcher and gives its exit code, if these are its arguments.
pub fn launched(arguments: &[OsString]) -> Option<ExitCode> {
    let given = launcher_of(arguments)?;
    #[cfg(target_os = "linux")]
    let code = super::launcher::main(given);
    #[cfg(not(target_os = "linux"))]
    let code = {
        let _ = given;
        ExitCode::from(tourbillon_tool::exit::ENVIRONMENT)
    };
    Some(code)
}
