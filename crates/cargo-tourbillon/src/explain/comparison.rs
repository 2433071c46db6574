//! How the verdicts on a case came to be.

use tourbillon_analysis::{Criteria, Design, Frequency, judge, went_backwards};
use tourbillon_record::{Reach, Rounds, Run, Verdict};
use tourbillon_report::{Figure, Style};

use super::checks;
use crate::paragraph;
use crate::table::{Align, Sheet};

/// Most launches that are shown one by one.
const SHOWN: usize = 60;

/// Whether a run compared a case with another, or two builds of it.
pub(super) fn is_about(run: &Run, id: &str) -> bool {
    run.verdicts
        .iter()
        .any(|verdict| verdict.case == id || verdict.reference == id)
}

/// Every verdict on the case, with what it was made from and what that gives now.
pub(super) fn push(text: &mut String, run: &Run, id: &str, style: &Style) {
    let Some(frequency) = Frequency::of(&run.header.clock) else {
        return;
    };
    let about = |verdict: &&Verdict| verdict.case == id || verdict.reference == id;
    for verdict in run.verdicts.iter().filter(about) {
        text.push_str("\nVerdict\n");
        let said = tourbillon_report::verdict(verdict, style);
        paragraph::push(text, "  ", &said, style);
        let samples = samples(run, verdict);
        if samples.is_empty() {
            paragraph::push(text, "  ", "Its samples are not in this record.", style);
            continue;
        }
        let again = again(verdict, &samples, &frequency);
        paragraph::push(text, "  ", &compared(verdict, &again), style);
        if verdict.scope == Reach::Process {
            batches(text, verdict, samples[0], style);
        } else {
            let arms = arms(verdict, samples[0]);
            launches(text, &samples, arms, &frequency, style);
        }
        for said in checks::said(verdict) {
            paragraph::push(text, "  ", &said, style);
        }
    }
}

/// The rounds that a verdict was made from.
fn samples<'r>(run: &'r Run, verdict: &Verdict) -> Vec<&'r Rounds> {
    let builds = Design::of_method(&verdict.method) == Design::Builds;
    let of = |rounds: &&Rounds| match builds {
        true => rounds.cases.iter().all(|case| *case == verdict.case),
        false => rounds.cases.contains(&verdict.case) && rounds.cases.contains(&verdict.reference),
    };
    run.rounds.iter().filter(of).collect()
}

/// What the samples give now.
fn again(verdict: &Verdict, samples: &[&Rounds], frequency: &Frequency) -> Verdict {
    let design = Design::of_method(&verdict.method);
    let (first, second) = arms(verdict, samples[0]);
    // The confidence of a verdict is its own; it shared the error with the others of its comparison.
    let arms = samples[0].cases.len();
    let shared = match design {
        Design::Builds => 1,
        Design::Functions | Design::Processes => (arms * (arms - 1) / 2).max(1),
    };
    let terms = Criteria {
        margin: verdict.margin,
        error: (1.0 - verdict.confidence) * shared as f64,
    };
    let samples = match design {
        Design::Functions => &samples[..1],
        Design::Processes | Design::Builds => samples,
    };
    let launches: Vec<Rounds> = samples.iter().map(|rounds| (*rounds).clone()).collect();
    judge(design, &launches, first, second, terms, frequency)
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
        // The error that was allowed has gone through a subtraction from 1.
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
            "made by {}; this version has {}",
            stored.method, again.method
        )
    } else if same {
        format!("{}; the samples give the same now", stored.method)
    } else {
        format!("{}; the samples give another one now", stored.method)
    }
}

/// Pairs of batches in one process.
fn batches(text: &mut String, verdict: &Verdict, rounds: &Rounds, style: &Style) {
    let arm = |id: &str| rounds.cases.iter().position(|case| case == id);
    let (Some(first), Some(second)) = (arm(&verdict.reference), arm(&verdict.case)) else {
        return;
    };
    let order = order(rounds, first, second);
    let said = format!(
        "{} rounds; {} came first in {} of them, {} in {}. {} pairs were left out: the clock went \
         backwards in a batch, or it is shorter than its fixed cost.",
        order[0] + order[1],
        short(&verdict.reference),
        order[0],
        short(&verdict.case),
        order[1],
        verdict.dropped
    );
    paragraph::push(text, "  ", &said, style);
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
    let mut sheet = Sheet::new("launch");
    for title in [
        "placement",
        "rounds",
        "reference first",
        "reference",
        "candidate",
        "ratio",
    ] {
        sheet = sheet.column(title, Align::Right);
    }
    let mut all = Vec::new();
    for (at, rounds) in samples.iter().enumerate() {
        let mut ratios = ratios(rounds, first, second);
        let ratio = median(&mut ratios);
        all.extend(ratio);
        if at >= SHOWN {
            continue;
        }
        let order = order(rounds, first, second);
        let time = |arm| {
            let ns = median(&mut per_op(rounds, arm))? * frequency.nanos(1 << 40) as f64
                / (1_u64 << 40) as f64;
            Some(Figure::exact(ns).time(style))
        };
        sheet.row(vec![
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
        let said = format!("and {} more", samples.len() - SHOWN);
        paragraph::push(text, "  ", &said, style);
    }
    drift(text, &all, style);
}

/// The first half of the ratios beside the second.
fn drift(text: &mut String, ratios: &[f64], style: &Style) {
    let (first, second) = ratios.split_at(ratios.len() / 2);
    if let (Some(first), Some(second)) = (median(&mut first.to_vec()), median(&mut second.to_vec()))
    {
        let said = format!(
            "Drift: the median ratio was {first:.5} in the first half and {second:.5} in the second."
        );
        paragraph::push(text, "  ", &said, style);
    }
}

/// In how many rounds each of two arms came before the other.
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

/// Round and ticks per op of the batches of an arm that count.
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

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

pub(super) fn short(id: &str) -> &str {
    let end = id.find('[').unwrap_or(id.len());
    id[..end].rfind("::").map_or(id, |at| &id[at + 2..])
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
    fn who_came_first_is_counted() {
        assert_eq!(order(&rounds(), 0, 1), [1, 2]);
    }

    #[test]
    fn pairs_are_of_one_round() {
        // The second arm's batch of the last round is shorter than no iteration at all.
        assert_eq!(ratios(&rounds(), 0, 1), [2.0, 3.0]);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut []), None);
    }
}
