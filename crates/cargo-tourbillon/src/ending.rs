//! How a task ends: with what it says, by an interrupt, or by a panic.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use tourbillon_builds::Interrupted;

use crate::exit::{self, Stop};

/// What the standard library panics with where the system starts no thread.
const NO_THREAD: &str = "failed to spawn thread";

fn is_no_thread(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.is_some_and(|text| text.starts_with(NO_THREAD))
}

/// Runs a task; gives its exit code.
pub(crate) fn ended(task: impl FnOnce() -> Result<(), Stop>) -> ExitCode {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |about| {
        if !is_no_thread(about.payload()) {
            usual(about);
        }
    }));
    // Nothing that was unwound is used again.
    match panic::catch_unwind(AssertUnwindSafe(task)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(stop)) => exit::report(stop),
        Err(why) if why.is::<Interrupted>() => exit::report(Stop::Code(exit::INTERRUPTED)),
        Err(why) if is_no_thread(&*why) => exit::report(Stop::Environment(
            "no thread can be started; check the limits on processes, memory and open files"
                .to_owned(),
        )),
        Err(why) => panic::resume_unwind(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_without_threads_is_no_fault_of_this_program() {
        let no_thread = || panic!("{NO_THREAD}: Os {{ code: 11 }}");
        let environment = ExitCode::from(exit::ENVIRONMENT);
        assert_eq!(
            format!("{:?}", ended(no_thread)),
            format!("{environment:?}")
        );
        let other = panic::catch_unwind(|| ended(|| panic!("another")));
        assert!(other.is_err());
    }
}
