//! The control and the interference check of a comparison.

use tourbillon_record::{Control, Interference, Verdict};

use super::comparison::short;

/// A paragraph for each.
pub(super) fn paragraphs(verdict: &Verdict) -> Vec<String> {
    let control = verdict.control.as_ref().map(control_text);
    let interference = verdict.interference.as_ref();
    let interference = interference.map(|interference| interference_text(verdict, interference));
    control.into_iter().chain(interference).collect()
}

/// The reference compared with itself.
fn control_text(control: &Control) -> String {
    let interval = match (control.lower, control.upper) {
        (Some(lower), Some(upper)) => format!("[{lower:.5}, {upper:.5}]"),
        _ => "no interval".to_owned(),
    };
    let what = if control.fired {
        "so the verdict is void"
    } else {
        "as expected"
    };
    format!(
        "Control: the reference compared with itself: {} {interval} in {} pairs, {what}.",
        ratio_text(control.ratio),
        control.pairs
    )
}

/// The influence of the arms on each other.
fn interference_text(verdict: &Verdict, interference: &Interference) -> String {
    let matters = if interference.matters {
        "which can look like a difference of the code"
    } else {
        "which does not affect the verdict"
    };
    format!(
        "Interference: a batch after the other arm, divided by one after the same arm: {} for {} \
         and {} for {} in {} pairs, {matters}. Before each batch, {} of a batch ran untimed.",
        ratio_text(interference.reference),
        short(&verdict.reference),
        ratio_text(interference.case),
        short(&verdict.case),
        interference.pairs,
        eighths(interference.lead_in),
    )
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "no ratio".to_owned(), |ratio| format!("{ratio:.5}"))
}

/// `1/8`; `8/8` is `1`.
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
        let said = control_text(&control(true));
        assert!(
            said.contains("gave 1.01000 no interval in 3 pairs, which voids"),
            "{said}"
        );
        assert!(control_text(&control(false)).contains("as it should be"));
    }
}
