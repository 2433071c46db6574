//! What the system says when it refuses.

use std::fmt;
use std::io;
use std::mem::ManuallyDrop;

/// An error of the system. It is a number: there is nothing to drop, and the code that would find that
/// out is not in every bench binary.
#[derive(Debug)]
pub struct SystemError(ManuallyDrop<io::Error>);

impl SystemError {
    /// That of the last call.
    #[cold]
    pub(crate) fn last() -> SystemError {
        SystemError(ManuallyDrop::new(io::Error::last_os_error()))
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

/// What the standard library got from the system.
pub(crate) fn got<T>(result: io::Result<T>) -> Result<T, SystemError> {
    match result {
        Ok(value) => Ok(value),
        Err(error) => Err(SystemError(ManuallyDrop::new(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_the_system_says() {
        let error = got(std::fs::read("/nonexistent/file")).err().unwrap();
        let same = std::fs::read("/nonexistent/file").unwrap_err();
        assert_eq!(error.to_string(), same.to_string());
        assert_eq!(got(Ok(1)).ok(), Some(1));
    }
}
