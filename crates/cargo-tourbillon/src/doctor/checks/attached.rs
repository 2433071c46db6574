//! Who looks over the shoulder.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::{Known, field};

/// The process that traces this one, as it would trace benchmarks that are started here.
pub(super) fn debugger(seen: &Seen) -> Known<Said> {
    let status = seen.tree.read("/proc/self/status")?;
    let tracer = field(&status, "TracerPid").ok_or("/proc/self/status has no TracerPid")?;
    if tracer == "0" {
        return Ok(Said::fine("none attached, and no tracer"));
    }
    let name = seen.tree.read(&format!("/proc/{tracer}/comm"));
    let name = name.unwrap_or_else(|_| "a process".to_owned());
    Ok(Said::matters(
        format!("{name} ({tracer}) is attached: every system call and signal goes through it"),
        "start benchmarks outside of it, and of the development environment that started it",
    ))
}
