//! How the verdicts on a case were computed.

use tourbillon_analysis::{Criteria, Design, Frequency, judge, went_backwards};
use tourbillon_record::{Control, Interference, Reach, Rounds, Run, Verdict};
use tourbillon_report::{Figure, Style};
use tourbillon_stats::Sample;

use crate::screen::paragraph;
use crate::table::Sheet;

/// Most launches that are listed.
const SHOWN: usize = 60;

/// Whether a run compared a case with another one, or two builds of it.
pub(super) fn is_about(run: &Run, id: &str) -> bool {
    run.verdicts
        .iter()
        .any(|verdict| verdict.case == id || verdict.reference == id)
}

/// Adds every verdict on the case, its samples, and the recomputed verdict.
pub(super) fn push(text: &mut String, run: &Run, id: &str, style: &Style) {
    let Some(frequency) = Frequency::of(&run.header.clock) else {
        return;
    };
    let about = |verdict: &&Verdict| verdict.case == id || verdict.reference == id;
    for verdict in run.verdicts.iter().filter(about) {
        text.push_str("\nVerdict\n");
        let line = tourbillon_report::verdict(verdict, style);
        paragraph(text, "  ", &line, style);
        let samples = samples(run, verdict);
        if samples.is_empty() {
            paragraph(text, "  ", "Its samples are not in this record.", style);
            continue;
        }
        let again = again(verdict, &samples, &frequency);
        paragraph(text, "  ", &compared(verdict, &again), style);
        if verdict.scope == Reach::Process {
            batches(text, verdict, samples[0], style);
        } else {
            let arms = arms(verdict, samples[0]);
            launches(text, &samples, arms, &frequency, style);
        }
        for line in checks(verdict) {
            paragraph(text, "  ", &line, style);
        }
    }
}

/// The rounds of a verdict.
fn samples<'r>(run: &'r Run, verdict: &Verdict) -> Vec<&'r Rounds> {
    let builds = Design::of_method(&verdict.method) == Design::Builds;
    let of = |rounds: &&Rounds| match builds {
        true => rounds.cases.iter().all(|case| *case == verdict.case),
        false => rounds.cases.contains(&verdict.case) && rounds.cases.contains(&verdict.reference),
    };
    run.rounds.iter().filter(of).collect()
}

/// The verdict recomputed from the samples.
fn again(verdict: &Verdict, samples: &[&Rounds], frequency: &Frequency) -> Verdict {
    let design = Design::of_method(&verdict.method);
    let (first, second) = arms(verdict, samples[0]);
    // The confidence of a verdict is its own; it shared the error with the others of its comparison.
    let arms = samples[0].cases.len();
    let shared = match design {
        Design::Builds => 1,
        Design::Functions | Design::Processes => (arms * (arms - 1) / 2).max(1),
    };
    let criteria = Criteria {
        margin: verdict.margin,
        error: (1.0 - verdict.confidence) * shared as f64,
    };
    let samples = match design {
        Design::Functions => &samples[..1],
        Design::Processes | Design::Builds => samples,
    };
    let launches: Vec<Rounds> = samples.iter().map(|rounds| (*rounds).clone()).collect();
    judge(design, &launches, first, second, criteria, frequency)
}

/// The arms of the reference and of the case; those of two builds have one name.
fn arms(verdict: &Verdict, rounds: &Rounds) -> (usize, usize) {
    let arm = |id: &str| rounds.cases.iter().position(|case| case == id);
    if Design::of_method(&verdict.method) == Design::Builds {
        (0, 1)
    } else {
        (
            arm(&verdict.reference).unwrap_or_default(),
            arm(&verdict.case).unwrap_or_default(),
        )
    }
}

fn compared(stored: &Verdict, again: &Verdict) -> String {
    let close = |one: Option<f64>, other: Option<f64>| match (one, other) {
        // The error rate has gone through a subtraction from 1.
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs(),
        (None, None) => true,
        _ => false,
    };
    let same = stored.finding == again.finding
        && close(stored.ratio, again.ratio)
        && close(stored.lower, again.lower)
        && close(stored.upper, again.upper);
    if stored.method != again.method {
        format!(
            "computed by {}; this version has {}",
            stored.method, again.method
        )
    } else if same {
        format!("{}; the recomputed verdict is the same", stored.method)
    } else {
        format!("{}; the recomputed verdict differs", stored.method)
    }
}

/// Pairs of batches in one process.
fn batches(text: &mut String, verdict: &Verdict, rounds: &Rounds, style: &Style) {
    let arm = |id: &str| rounds.cases.iter().position(|case| case == id);
    let (Some(first), Some(second)) = (arm(&verdict.reference), arm(&verdict.case)) else {
        return;
    };
    let order = order(rounds, first, second);
    let line = format!(
        "{} rounds; {} came first in {}, {} in {}. {} pairs were discarded: the clock went backwards \
         in a batch, or the batch is shorter than its fixed cost.",
        order[0] + order[1],
        short(&verdict.reference),
        order[0],
        short(&verdict.case),
        order[1],
        verdict.dropped
    );
    paragraph(text, "  ", &line, style);
    drift(text, &ratios(rounds, first, second), style);
}

/// Processes, or pairs of them.
fn launches(
    text: &mut String,
    samples: &[&Rounds],
    (first, second): (usize, usize),
    frequency: &Frequency,
    style: &Style,
) {
    let mut sheet = Sheet::new("launch").right([
        "placement",
        "rounds",
        "reference first",
        "reference",
        "candidate",
        "ratio",
    ]);
    let mut all = Vec::new();
    for (at, rounds) in samples.iter().enumerate() {
        let ratio = median(ratios(rounds, first, second));
        all.extend(ratio);
        if at >= SHOWN {
            continue;
        }
        let order = order(rounds, first, second);
        let time = |arm| {
            let ns = median(per_op(rounds, arm))? * frequency.nanos(1 << 40) as f64
                / (1_u64 << 40) as f64;
            Some(Figure::exact(ns).time(style))
        };
        sheet.row([
            rounds.launch.to_string(),
            rounds
                .layout
                .map_or_else(|| "as built".to_owned(), |layout| layout.to_string()),
            (order[0] + order[1]).to_string(),
            format!("{} %", 100 * order[0] / (order[0] + order[1]).max(1)),
            time(first).unwrap_or_default(),
            time(second).unwrap_or_default(),
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.5}")),
        ]);
    }
    text.push_str(&sheet.render(style));
    if samples.len() > SHOWN {
        let line = format!("and {} more", samples.len() - SHOWN);
        paragraph(text, "  ", &line, style);
    }
    drift(text, &all, style);
}

/// Compares the first half of the ratios with the second.
fn drift(text: &mut String, ratios: &[f64], style: &Style) {
    let (first, second) = ratios.split_at(ratios.len() / 2);
    if let (Some(first), Some(second)) = (median(first.to_vec()), median(second.to_vec())) {
        let line = format!(
            "Drift: the median ratio was {first:.5} in the first half and {second:.5} in the second."
        );
        paragraph(text, "  ", &line, style);
    }
}

/// In how many rounds each of two arms came first.
fn order(rounds: &Rounds, first: usize, second: usize) -> [usize; 2] {
    let mut counts = [0; 2];
    let mut open: Option<(u64, usize)> = None;
    for (round, arm) in rounds.round.iter().zip(&rounds.arm) {
        let arm = usize::from(*arm);
        if arm != first && arm != second {
            continue;
        }
        match open {
            Some((of, leading)) if of == *round && leading != arm => {
                counts[usize::from(leading == second)] += 1;
                open = None;
            }
            _ => open = Some((*round, arm)),
        }
    }
    counts
}

fn per_op(rounds: &Rounds, arm: usize) -> Vec<f64> {
    usable(rounds, arm)
        .into_iter()
        .map(|(_, ticks)| ticks)
        .collect()
}

/// Round and ticks per op of the usable batches of an arm.
fn usable(rounds: &Rounds, arm: usize) -> Vec<(u64, f64)> {
    let fixed = rounds.fixed_ticks.get(arm).copied().unwrap_or(0) as f64;
    let ops = rounds.ops.get(arm).copied().unwrap_or(0).max(1) as f64;
    let mut found = Vec::new();
    for (at, round) in rounds.round.iter().enumerate() {
        let ticks = rounds.ticks[at];
        let inside = ticks as f64 - fixed;
        if usize::from(rounds.arm[at]) == arm && inside > 0.0 && !went_backwards(ticks) {
            found.push((*round, inside / ops));
        }
    }
    found
}

fn ratios(rounds: &Rounds, first: usize, second: usize) -> Vec<f64> {
    let seconds = usable(rounds, second);
    let mut found = Vec::new();
    for (round, one) in usable(rounds, first) {
        if let Ok(at) = seconds.binary_search_by_key(&round, |(round, _)| *round) {
            found.push(seconds[at].1 / one);
        }
    }
    found
}

fn median(values: Vec<f64>) -> Option<f64> {
    Some(tourbillon_stats::median(&Sample::new(values).ok()?))
}

fn short(id: &str) -> &str {
    let end = id.find('[').unwrap_or(id.len());
    id[..end].rfind("::").map_or(id, |at| &id[at + 2..])
}

/// A paragraph each for the control and the interference check.
fn checks(verdict: &Verdict) -> Vec<String> {
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

    fn rounds() -> Rounds {
        Rounds {
            cases: vec!["a".into(), "b".into()],
            ops: vec![10, 10],
            fixed_ticks: vec![100, 100],
            round: vec![0, 0, 1, 1, 2, 2],
            arm: vec![0, 1, 1, 0, 1, 0],
            ticks: vec![1_100, 2_100, 3_100, 1_100, 50, 1_100],
            ..Rounds::default()
        }
    }

    #[test]
    fn the_order_of_arms_is_counted() {
        assert_eq!(order(&rounds(), 0, 1), [1, 2]);
    }

    #[test]
    fn pairs_are_of_one_round() {
        // The second arm's batch of the last round is shorter than its fixed cost.
        assert_eq!(ratios(&rounds(), 0, 1), [2.0, 3.0]);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn lead_ins_are_parts_of_a_batch_or_batches() {
        assert_eq!([1, 64].map(eighths), ["1/8", "8"]);
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
        let text = control_text(&control(true));
        assert!(
            text.contains(": 1.01000 no interval in 3 pairs, so the verdict is void"),
            "{text}"
        );
        assert!(control_text(&control(false)).contains("as expected"));
    }
}
