//! What is counted besides the time.

use tourbillon_record::Metric;
use tourbillon_values::choices;

/// The names of counters, with commas between them: instructions, and events.
///
/// # Errors
///
/// When one is unknown, or there twice.
pub fn counters(typed: &str) -> Result<Vec<Metric>, String> {
    let metrics = Metric::events().chain([Metric::Instructions]);
    let known: Vec<_> = metrics.map(|metric| (metric.name(), metric)).collect();
    choices(typed, &known)
}
