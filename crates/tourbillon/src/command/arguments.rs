use std::ffi::OsString;

use crate::lasting::Lasting;

/// What this process was called with, its own name first.
#[inline(never)]
pub(crate) fn arguments() -> Lasting<Vec<OsString>> {
    let mut source = Lasting::new(std::env::args_os());
    let mut arguments = Lasting::new(Vec::new());
    for argument in source.by_ref() {
        arguments.push(argument);
    }
    arguments
}
