use tourbillon_record::{Absence, CaseResult, Metric, Note};

/// Takes the times out of the results of a case, in a run whose measuring clock ran `ppm` parts per
/// million faster than the system's. Cycles stay: they are ticks divided by ticks, or counted.
pub fn void_times(results: &mut [CaseResult], ppm: f64) {
    for result in results {
        if result.metric != Metric::Time
            || !matches!(
                result.estimate,
                Ok(_) | Err(Absence::BelowResolution | Absence::TooScattered)
            )
        {
            continue;
        }
        result.estimate = Err(Absence::ClocksDisagree);
        for time in [
            &mut result.lower,
            &mut result.upper,
            &mut result.confidence,
            &mut result.mean,
            &mut result.stddev,
            &mut result.mad,
            &mut result.fixed_cost,
            &mut result.first_call,
            &mut result.resolution,
        ] {
            *time = None;
        }
        result.systematic = 0.0;
        // What it says would be about a figure that is not there.
        result.notes.clear();
        result.notes.push(Note::ClocksDisagree { ppm });
    }
}
