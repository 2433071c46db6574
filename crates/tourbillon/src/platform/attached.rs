//! Who looks over the shoulder of this process.

use super::fact::{self, Facts, Known};
use crate::processors::whole;
use crate::text::text;

/// Adds the debugger or tracer that is attached, by its name, out of the text of /proc/self/status.
#[inline(never)]
pub(super) fn add(facts: &mut Facts, status: &Known<String>) {
    match tracer(status) {
        Ok(0) => facts.flag("debugger", Ok(false)),
        Ok(pid) => match fact::read(&text!("/proc/{pid}/comm")) {
            Ok(name) => facts.known("debugger", &name),
            Err(_) => facts.known("debugger", &text!("process {pid}")),
        },
        Err(why) => facts.absent("debugger", &why),
    }
}

/// The process that traces this one: a debugger, or strace and its like; 0 for none.
fn tracer(status: &Known<String>) -> Known<u64> {
    let field = fact::field_of(status, "TracerPid", "/proc/self/status")?;
    match whole(field) {
        Some(pid) => Ok(pid),
        None => Err(text!(
            "/proc/self/status: TracerPid {field:?} is not understood"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::tracer;

    #[test]
    fn tracers() {
        let status = |text: &str| Ok(text.to_owned());
        assert_eq!(tracer(&status("Name:\tx\nTracerPid:\t0\n")), Ok(0));
        assert_eq!(tracer(&status("TracerPid:\t312\n")), Ok(312));
        assert!(tracer(&status("TracerPid:\tx\n")).is_err());
        assert!(tracer(&status("Name:\tx\n")).is_err());
        assert_eq!(tracer(&Err("none".to_owned())), Err("none".to_owned()));
    }
}
