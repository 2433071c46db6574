//! Why the ops of a worker could not be executed one by one.

/// Why the ops of a worker could not be executed one by one.
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

impl Failure {
    pub(super) fn absent(why: &str) -> Failure {
        Failure::Absent(why.to_owned())
    }

    pub(super) fn breakpoints() -> Failure {
        Failure::absent("it stops at breakpoints, or has them in its code")
    }

    pub(super) fn threads() -> Failure {
        Failure::absent(
            "it has several threads, of which one alone can be followed; have a body of one thread",
        )
    }
}
