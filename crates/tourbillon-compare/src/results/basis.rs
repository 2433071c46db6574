//! What the verdicts of a comparison rest on.

use tourbillon_present::number::trimmed;
use tourbillon_record::Reach;
use tourbillon_report::duration;

use crate::judgement::Compared;
use crate::measurement::Measured;

/// The confidence, the margin, how often was measured, and how the time was spent.
pub(crate) fn basis(compared: &Compared<'_>) -> String {
    let measured = &compared.measured;
    let cases = || measured.cases.iter().filter(|case| !case.is_unchanged());
    if cases().next().is_none() && !measured.cases.is_empty() {
        return "nothing was measured".to_owned();
    }
    let all = || cases().map(|case| compared.verdict(case));
    let mut parts = Vec::new();
    let mut confidences = all().map(|verdict| verdict.confidence);
    if let Some(confidence) = confidences.find(|confidence| *confidence > 0.0) {
        let confidence = trimmed(100.0 * confidence);
        parts.push(format!("{confidence} % confidence each"));
    }
    let timed = cases().filter(|case| !case.is_of_number());
    let verdicts = || timed.clone().map(|case| compared.verdict(case));
    // Exact numbers have none.
    let of_cases = all()
        .map(|verdict| verdict.margin)
        .filter(|margin| *margin > 0.0);
    let margins = margins(&of_cases.collect::<Vec<f64>>(), measured.criteria.margin);
    parts.push(format!("same within {margins} %"));
    if let Some(most) = verdicts()
        .map(|verdict| verdict.launches)
        .max()
        .filter(|most| *most > 0)
    {
        let what = if verdicts().any(|verdict| verdict.scope == Reach::Placements) {
            "pairs of processes, each in another placement"
        } else {
            "pairs of processes, in one placement"
        };
        parts.push(format!("up to {most} {what}"));
    }
    let wall = duration(measured.wall_ns);
    parts.push(format!("{wall}: {}", shares(measured)));
    parts.extend(measured.links.text());
    parts.push(format!("seed {:x}", measured.seed));
    parts.extend(compared.comparison.doubts());
    parts.join(" · ")
}

/// The smallest and the largest margin of the verdicts in per cent, since a gate has margins for
/// single cases; `usual` without verdicts.
fn margins(of_cases: &[f64], usual: f64) -> String {
    let ends = [f64::min, f64::max].map(|end| of_cases.iter().copied().reduce(end));
    let [least, most] = ends.map(|end| trimmed(100.0 * end.unwrap_or(usual)));
    if least == most {
        least
    } else {
        format!("{least} to {most}")
    }
}

/// How the time was spent, in per cent that add up to 100.
fn shares(measured: &Measured) -> String {
    let per_cent = |ns: u64| (100.0 * ns as f64 / measured.wall_ns.max(1) as f64).round();
    let measuring = per_cent(measured.launches_ns).min(100.0);
    let linking = per_cent(measured.linking_ns).min(100.0 - measuring);
    let rest = 100.0 - measuring - linking;
    let mut text = format!("{measuring} % measuring");
    for (share, what) in [(linking, "linking"), (rest, "starting processes")] {
        if share > 0.0 {
            text += &format!(", {share} % {what}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_gives_cases_margins_of_their_own() {
        assert_eq!(margins(&[0.02, 0.01, 0.05], 0.01), "1 to 5");
        assert_eq!(margins(&[0.02, 0.02], 0.01), "2");
        assert_eq!(margins(&[], 0.01), "1");
    }
}
