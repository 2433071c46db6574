//! Launches whose ops could not be executed one by one.

use tourbillon_record::{Plan, Stepped};

/// A launch without counts.
pub(super) fn not_stepped(plan: &Plan, why: String) -> Stepped {
    Stepped {
        case: plan.case.clone(),
        launch: plan.launch,
        counts: Err(why),
        ..Stepped::default()
    }
}

/// Why the ops of a worker could not be executed one by one.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[derive(Debug)]
pub(super) enum Failure {
    /// The reason, and what to do.
    Absent(String),
    /// It takes too long.
    Late,
    /// The worker has ended.
    Ended,
    /// A signal stops the run.
    Interrupted,
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Failure {
    pub(super) fn absent(why: &str) -> Failure {
        Failure::Absent(why.to_owned())
    }

    pub(super) fn threads() -> Failure {
        Failure::absent(
            "it has several threads, of which one alone could be stepped; have a body of one thread",
        )
    }
}
