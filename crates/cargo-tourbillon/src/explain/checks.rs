//! What a comparison found out about itself: the control, and what the arms do to each other.

use tourbillon_record::{Control, Interference, Verdict};

use super::comparison::short;

/// A paragraph for each.
pub(super) fn said(verdict: &Verdict) -> Vec<String> {
    let control = verdict.control.as_ref().map(say_control);
    let interference = verdict.interference.as_ref();
    let interference = interference.map(|interference| say_interference(verdict, interference));
    control.into_iter().chain(interference).collect()
}

/// The reference against itself.
fn say_control(control: &Control) -> String {
    let interval = match (control.lower, control.upper) {
        (Some(lower), Some(upper)) => format!("[{lower:.5}, {upper:.5}]"),
        _ => "no interval".to_owned(),
    };
    let what = if control.fired {
        "which voids the verdict"
    } else {
        "which is as it should be"
    };
    format!(
        "Control: the reference against itself gave {} {interval} in {} pairs, {what}.",
        say_ratio(control.ratio),
        control.pairs
    )
}

/// What the two do to each other.
fn say_interference(verdict: &Verdict, interference: &Interference) -> String {
    let matters = if interference.matters {
        "which may be taken for a difference of the code"
    } else {
        "which does not decide it"
    };
    format!(
        "Interference: a batch after another arm, divided by one after the same arm, is {} for {} \
         and {} for {} in {} pairs, {matters}. Before each batch, {} of one ran without being timed.",
        say_ratio(interference.reference),
        short(&verdict.reference),
        say_ratio(interference.case),
        short(&verdict.case),
        interference.pairs,
        eighths(interference.lead_in),
    )
}

fn say_ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "no ratio".to_owned(), |ratio| format!("{ratio:.5}"))
}

/// `1/8`, or `8/8` as `1`.
fn eighths(lead_in: u64) -> String {
    if lead_in.is_multiple_of(8) {
        (lead_in / 8).to_string()
    } else {
        format!("{lead_in}/8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_batch_and_whole_ones_are_told() {
        assert_eq!(
            (eighths(1), eighths(64)),
            ("1/8".to_owned(), "8".to_owned())
        );
    }

    #[test]
    fn a_control_that_fired_voids_the_verdict() {
        let control = |fired| Control {
            ratio: Some(1.01),
            lower: None,
            upper: None,
            pairs: 3,
            fired,
        };
        let said = say_control(&control(true));
        assert!(
            said.contains("gave 1.01000 no interval in 3 pairs, which voids"),
            "{said}"
        );
        assert!(say_control(&control(false)).contains("as it should be"));
    }
}
