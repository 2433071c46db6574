//! Why programs are measured that may be the same.

use std::fmt;
use std::path::PathBuf;

use tourbillon_present::escape;

/// Why programs may differ in what they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Files of the checkout differ that they may read.
    Files {
        /// The first of them, from the root of the checkout.
        first: PathBuf,
        /// Whether the older build has no such file.
        is_new: bool,
        /// How many others there are.
        others: usize,
    },
    /// What else there is.
    Other(String),
}

impl From<&str> for Doubt {
    fn from(why: &str) -> Doubt {
        Doubt::Other(why.to_owned())
    }
}

impl From<String> for Doubt {
    fn from(why: String) -> Doubt {
        Doubt::Other(why)
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Files { first, .. } => {
                let name = escape(&first.to_string_lossy(), true);
                write!(f, "{name} differs and may be read")
            }
            Doubt::Other(why) => f.write_str(why),
        }
    }
}
