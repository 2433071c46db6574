//! Commits that cannot be measured.

use serde::{Deserialize, Serialize};
use tourbillon_tool::sha256::sha256;

use crate::index::json::{self, FORM};

/// A commit that could not be measured on a kind of machine, for example because it does not build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Version of the form.
    form: u32,
    /// The commit in full.
    pub commit: String,
    /// Key of the machine.
    pub machine: String,
    /// Why.
    pub why: String,
    /// When, in nanoseconds since the Unix epoch.
    pub unix_ns: u64,
}

impl Failure {
    /// A failure at a time in nanoseconds since the Unix epoch.
    pub fn new(commit: &str, machine: &str, why: &str, unix_ns: u64) -> Failure {
        Failure {
            form: FORM,
            commit: commit.to_owned(),
            machine: machine.to_owned(),
            why: why.to_owned(),
            unix_ns,
        }
    }

    /// SHA-256 of the file of the failure, in hexadecimal digits.
    pub(crate) fn hash(&self) -> String {
        sha256(self.text())
    }

    /// The text of the file: JSON on one line.
    pub(crate) fn text(&self) -> String {
        json::text(self)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Failure, String> {
        json::parse(bytes, "a failure", |one: &Failure| one.form)
    }
}
