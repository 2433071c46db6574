use std::fmt;

/// A command line that cannot be followed: what is wrong with which flag, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Usage(String);

impl Usage {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(text: String) -> Usage {
        Usage(text)
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
