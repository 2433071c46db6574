//! Tracers.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::{Known, field};

/// The process that traces this one, and would trace benchmarks started here.
pub(super) fn debugger(observed: &Observations) -> Known<Assessment> {
    let status = observed.tree.read("/proc/self/status")?;
    let tracer = field(&status, "TracerPid").ok_or("/proc/self/status has no TracerPid")?;
    if tracer == "0" {
        return Ok(Assessment::fine("none attached, and no tracer"));
    }
    let name = observed.tree.read(&format!("/proc/{tracer}/comm"));
    let name = name.unwrap_or_else(|_| "a process".to_owned());
    Ok(Assessment::matters(
        format!("{name} ({tracer}) is attached: every system call and signal goes through it"),
        "start benchmarks outside of it, and outside the development environment that started it",
    ))
}
