use tourbillon_record::{Measured, Metric, Visit};
use tourbillon_stats::Sample;

use super::batch::ops_of_short;
use super::launch::Launch;

/// Name and version of the method for amounts that are averaged.
pub(crate) const AVERAGED: &str = "totals-1";

/// What sums of fractions may be off by, as a fraction: a million additions, each rounded to 53 bits. Sums
/// of whole numbers are exact.
const ROUNDED: f64 = 1e6 * f64::EPSILON;

/// Whether a launch is all that its ops came to, divided by them: numbers that a body returned, and
/// times that the system takes by looking now and then whose they are. In both a batch may well come to
/// nothing and the next one to a lot: the middle one of several says nothing about what an op comes to.
pub(crate) fn is_averaged(measured: &Measured) -> bool {
    measured.metric == Metric::Own || measured.step_ns.is_some()
}

/// What a launch comes to in all, per op.
#[inline(never)]
pub(crate) fn averaged(visit: &Visit, measured: &Measured) -> Option<Launch> {
    let (mut sum, mut ops) = (0.0, 0.0);
    let mut each = Vec::new();
    let mut relative_error = 0.0;
    for (kind, amount) in visit.batches.kind.iter().zip(&measured.amounts) {
        let of_batch = f64::from(*kind) * ops_of_short(visit) as f64;
        if of_batch > 0.0 {
            sum += amount;
            ops += of_batch;
            each.push(amount / of_batch);
            if amount.fract() != 0.0 {
                relative_error = ROUNDED;
            }
        }
    }
    let mut launch = Launch::plain(sum / ops, Sample::new(each).ok()?);
    launch.first_call = Some(measured.first_call);
    launch.relative_error = relative_error;
    launch.step = measured.step_ns.map(|step| step as f64 / ops);
    Some(launch)
}
