//! What a harness shows of a case.

mod jsonl;
mod quantity;
mod text;

pub(crate) use jsonl::tourbillon;
pub(crate) use text::{brunch, criterion, divan, libtest, tango, zenbench, zenbench_csv};

/// A figure and the interval around it, if one is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figure {
    /// `None` where the harness reports that it cannot distinguish it from nothing.
    pub(crate) estimate: Option<f64>,
    pub(crate) interval: Option<(f64, f64)>,
}

/// What is shown of one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) case: String,
    /// Nanoseconds per op.
    pub(crate) nanos: Figure,
    /// Cycles per op, of a harness that shows them.
    pub(crate) cycles: Option<Figure>,
}

impl Shown {
    fn nanos(case: &str, estimate: f64, interval: Option<(f64, f64)>) -> Self {
        let estimate = Some(estimate);
        Self {
            case: case.to_owned(),
            nanos: Figure { estimate, interval },
            cycles: None,
        }
    }
}
