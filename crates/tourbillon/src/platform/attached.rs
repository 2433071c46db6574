//! Who looks over the shoulder of this process.

use tourbillon_record::Fact;

use super::fact;

/// The debugger or tracer that is attached, by its name, out of the text of /proc/self/status.
pub(super) fn fact(status: &Result<String, String>) -> Fact {
    match tracer(status) {
        Ok(Some(pid)) => {
            let name = fact::read_system(&format!("/proc/{pid}/comm"));
            fact::text(
                "debugger",
                Ok(name.unwrap_or_else(|_| format!("process {pid}"))),
            )
        }
        none => fact::flag("debugger", none.map(|_| false)),
    }
}

/// The process that traces this one: a debugger, or strace and its like.
fn tracer(status: &Result<String, String>) -> Result<Option<u32>, String> {
    let field = fact::field_of(status, "TracerPid", "/proc/self/status")?;
    match field.parse() {
        Ok(0) => Ok(None),
        Ok(pid) => Ok(Some(pid)),
        Err(_) => Err(format!(
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
        assert_eq!(tracer(&status("Name:\tx\nTracerPid:\t0\n")), Ok(None));
        assert_eq!(tracer(&status("TracerPid:\t312\n")), Ok(Some(312)));
        assert!(tracer(&status("TracerPid:\tx\n")).is_err());
        assert!(tracer(&status("Name:\tx\n")).is_err());
        assert_eq!(tracer(&Err("none".to_owned())), Err("none".to_owned()));
    }
}
