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
    let confidences = all().map(|verdict| verdict.confidence);
    let known = confidences.filter(|confidence| *confidence > 0.0);
    if let Some(confidence) = known.reduce(f64::min) {
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

/// How long a comparison took, and that linking was most of it: more time for measuring costs several times as much.
pub(crate) fn spent(wall_ns: u64, linking_ns: u64) -> String {
    let wall = duration(wall_ns);
    let linking = per_cent(linking_ns, wall_ns);
    if linking > 50.0 {
        format!("{wall}, {linking} % of it linking")
    } else {
        wall
    }
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

/// A part of a whole in whole per cent.
fn per_cent(part: u64, whole: u64) -> f64 {
    (100.0 * part as f64 / whole.max(1) as f64).round()
}

/// How the time was spent, in per cent that add up to 100.
fn shares(measured: &Measured) -> String {
    let measuring = per_cent(measured.launches_ns, measured.wall_ns).min(100.0);
    let linking = per_cent(measured.linking_ns, measured.wall_ns).min(100.0 - measuring);
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
    fn linking_is_named_where_it_takes_most_of_the_time() {
        assert_eq!(spent(158_000_000_000, 79_000_000_000), "2 min 38 s");
        let most = "2 min 38 s, 84 % of it linking";
        assert_eq!(spent(158_000_000_000, 133_000_000_000), most);
    }

    #[test]
    fn a_gate_gives_cases_margins_of_their_own() {
        assert_eq!(margins(&[0.02, 0.01, 0.05], 0.01), "1 to 5");
        assert_eq!(margins(&[0.02, 0.02], 0.01), "2");
        assert_eq!(margins(&[], 0.01), "1");
    }
}
