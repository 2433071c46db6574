//! How the verdicts on a case were computed.

use tourbillon_analysis::{
    BLOCKS, BlockArm, Criteria, Design, Frequency, Rules, blocks, judge, judge_blocks, median_of,
    ratios, typical_ticks_per_op,
};
use tourbillon_present::Table;
use tourbillon_present::number::{fixed, interval};
use tourbillon_record::{
    ByCase, Control, Finding, Interference, LaunchSamples, Metric, Reach, Rounds, Run, Verdict,
};
use tourbillon_report::Names;

use super::steps::agreement;
use crate::report::comparison::Samples;
use crate::rounds_by_case::RoundsByCase;
use crate::screen::Page;

/// Most launches that are listed.
const SHOWN: usize = 60;

/// Why the interval of an undecided verdict is not symmetric.
const NOT_IN_THE_MIDDLE: &str = "The ratio is that of the last look; each end of the interval is the innermost of all \
    looks. So the ratio need not be in the middle.";

/// Adds every verdict on the case, its samples, and the recomputed verdict.
pub(super) fn push(page: &mut Page<'_>, run: &Run, id: &str) {
    let Some(frequency) = Frequency::of(&run.header.clock) else {
        return;
    };
    let names = &Names::of(&run.cases);
    let rounds = RoundsByCase::of(run);
    let of_cases = LaunchesOfCases::of(run);
    let about = |verdict: &&Verdict| verdict.case == id || verdict.reference == id;
    for verdict in run.verdicts.iter().filter(about) {
        page.line("\nVerdict");
        page.say(
            "  ",
            &tourbillon_report::verdict(verdict, names, page.style),
        );
        if let Some(why) = tourbillon_report::differs_from_times(verdict) {
            page.say(
                "  ",
                &format!("The ratio is not that of the two times: {why}."),
            );
        }
        if verdict.finding == Finding::Undecided && verdict.lower.is_some() {
            page.say("  ", NOT_IN_THE_MIDDLE);
        }
        if verdict.finding == Finding::Unchanged {
            continue;
        }
        if verdict.method == BLOCKS {
            of_blocks(page, &of_cases, verdict);
            continue;
        }
        let Some(samples) = Samples::of(&rounds, names, verdict) else {
            page.say("  ", "Its samples are not in this record.");
            continue;
        };
        let again = again(verdict, &samples, &frequency);
        let agreement = agreement(&verdict.method, &again.method, is_same(verdict, &again));
        page.say("  ", &agreement);
        match (verdict.scope, Design::of_verdict(verdict)) {
            (Reach::Process, _) | (_, Design::Commands) => batches(page, verdict, names, &samples),
            _ => launches(page, &samples, &frequency),
        }
        if let Some(control) = &verdict.control {
            page.say("  ", &control_text(control));
        }
        if let Some(interference) = &verdict.interference {
            page.say("  ", &interference_text(verdict, names, interference));
        }
    }
}

/// The launches of a run.
struct LaunchesOfCases<'r> {
    by_case: ByCase<'r, &'r LaunchSamples>,
    rules: Option<Rules>,
    have_cycles: bool,
}

impl<'r> LaunchesOfCases<'r> {
    fn of(run: &'r Run) -> LaunchesOfCases<'r> {
        let launches = run.launches.iter();
        let mut metrics = run.results.iter().map(|result| result.metric);
        LaunchesOfCases {
            by_case: ByCase::of(launches.map(|launch| (&*launch.case, launch))),
            rules: Rules::of(&run.header),
            have_cycles: metrics.any(|metric| metric == Metric::Cycles),
        }
    }
}

/// The blocks of launches of two cases of a run, and the verdict recomputed from them.
fn of_blocks(page: &mut Page<'_>, all: &LaunchesOfCases<'_>, verdict: &Verdict) {
    let Some(rules) = &all.rules else {
        return;
    };
    let arm = |id: &str| {
        let of_case = all.by_case.case(id).iter().copied();
        let launches: Vec<LaunchSamples> = of_case.cloned().collect();
        BlockArm::new(id, &launches, rules)
    };
    let (reference, case) = (arm(&verdict.reference), arm(&verdict.case));
    let criteria = Criteria {
        margin: verdict.margin,
        error: 1.0 - verdict.confidence,
        limit: verdict.limit,
        ..Criteria::CASES
    };
    let again = judge_blocks(&reference, &case, criteria);
    let agreement = agreement(&verdict.method, &again.method, is_same(verdict, &again));
    page.say("  ", &agreement);
    let blocks = blocks(&reference, &case);
    let mut sheet = Table::new("block").right(["reference", "candidate", "ratio"]);
    let mut ratios = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let ratio = block.figures.map(|(reference, case)| case / reference);
        ratios.extend(ratio);
        if at >= SHOWN {
            continue;
        }
        let [reference, case, ratio] = match block.figures {
            Some((reference, case)) => [
                fixed(reference, 4),
                fixed(case, 4),
                fixed(case / reference, 5),
            ],
            None => ["", "", "discarded"].map(str::to_owned),
        };
        sheet.push([block.number.to_string(), reference, case, ratio]);
    }
    page.table(sheet);
    if blocks.len() > SHOWN {
        page.say("  ", &format!("and {} more", blocks.len() - SHOWN));
    }
    let unit = if all.have_cycles {
        "in cycles per op where all launches have them, else in the unit of the table"
    } else {
        "per op, in the unit of the table"
    };
    let line = format!(
        "A block is a launch of each, one after the other, in random order; figures are {unit}. {} blocks were \
         discarded: one of their launches does not count in its table.",
        verdict.discarded
    );
    page.say("  ", &line);
    drift(page, &ratios);
}

/// The verdict recomputed from the samples.
fn again(verdict: &Verdict, samples: &Samples<'_>, frequency: &Frequency) -> Verdict {
    let (samples, [first, second]) = (&samples.launches, samples.arms);
    let design = Design::of_verdict(verdict);
    // The confidence of a verdict is its own; it shared the error with the others of its comparison.
    let arms = samples[0].cases.len();
    let (shared, count) = match design {
        Design::Builds | Design::Percentile(_) => (1, samples.len()),
        Design::Functions | Design::Commands => ((arms * (arms - 1) / 2).max(1), 1),
    };
    let criteria = Criteria {
        margin: verdict.margin,
        error: (1.0 - verdict.confidence) * shared as f64,
        limit: verdict.limit,
        size: None,
    };
    let launches: Vec<Rounds> = samples[..count].iter().copied().cloned().collect();
    let judged = |size| {
        let criteria = Criteria { size, ..criteria };
        judge(design, &launches, first, second, criteria, frequency)
    };
    // It ended with the direction, or went on until the size was known.
    let with_size = judged(Criteria::BUILDS.size);
    if design == Design::Builds && is_same(verdict, &with_size) {
        with_size
    } else {
        judged(None)
    }
}

fn is_same(stored: &Verdict, again: &Verdict) -> bool {
    // The error rate has gone through a subtraction from 1.
    let close = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs(),
        (one, other) => one == other,
    };
    stored.finding == again.finding
        && close(stored.ratio, again.ratio)
        && close(stored.lower, again.lower)
        && close(stored.upper, again.upper)
}

/// Pairs of batches in one process.
fn batches(page: &mut Page<'_>, verdict: &Verdict, names: &Names, samples: &Samples<'_>) {
    let (rounds, arms) = (samples.launches[0], samples.arms);
    let [first, second] = order(rounds, arms);
    let why = match Design::of_verdict(verdict) {
        Design::Commands => "a process has no reading",
        _ => "the clock went backwards in a batch, or the batch is shorter than its fixed cost",
    };
    let discarded = match verdict.discarded {
        0 => "No pair was discarded.".to_owned(),
        count => format!("{count} pairs were discarded: {why}."),
    };
    let line = format!(
        "{} rounds; {} came first in {first}, {} in {second}. {discarded}",
        first + second,
        names.name(&verdict.reference),
        names.name(&verdict.case),
    );
    page.say("  ", &line);
    drift(page, &ratios(rounds, arms[0], arms[1]));
}

/// Processes, or pairs of them.
fn launches(page: &mut Page<'_>, samples: &Samples<'_>, frequency: &Frequency) {
    let (samples, arms) = (&samples.launches, samples.arms);
    let mut sheet = Table::new("launch").right([
        "placement",
        "rounds",
        "reference first",
        "reference",
        "candidate",
        "ratio",
    ]);
    let mut all = Vec::new();
    for (at, rounds) in samples.iter().enumerate() {
        let ratio = median_of(ratios(rounds, arms[0], arms[1]));
        all.extend(ratio);
        if at >= SHOWN {
            continue;
        }
        let [first, second] = order(rounds, arms);
        let count = first + second;
        let ns_per_tick = frequency.nanos(1 << 40) as f64 / (1_u64 << 40) as f64;
        let time = |arm| {
            let ticks = typical_ticks_per_op(std::slice::from_ref(*rounds), arm);
            ticks.map_or_else(String::new, |ticks| page.time(ticks * ns_per_tick))
        };
        let placement = rounds.placement.map(|placement| placement.to_string());
        sheet.push([
            rounds.launch.to_string(),
            placement.unwrap_or_else(|| "as built".to_owned()),
            count.to_string(),
            format!("{} %", 100 * first / count.max(1)),
            time(arms[0]),
            time(arms[1]),
            ratio.map_or_else(String::new, |ratio| fixed(ratio, 5)),
        ]);
    }
    page.table(sheet);
    if samples.len() > SHOWN {
        page.say("  ", &format!("and {} more", samples.len() - SHOWN));
    }
    drift(page, &all);
}

/// Compares the first half of the ratios with the second.
fn drift(page: &mut Page<'_>, ratios: &[f64]) {
    let (first, second) = ratios.split_at(ratios.len() / 2);
    if let (Some(first), Some(second)) = (
        median_of(first.iter().copied()),
        median_of(second.iter().copied()),
    ) {
        let line = format!(
            "Drift: the median ratio was {} in the first half and {} in the second.",
            fixed(first, 5),
            fixed(second, 5)
        );
        page.say("  ", &line);
    }
}

/// In how many rounds each of two arms came first.
fn order(rounds: &Rounds, [first, second]: [usize; 2]) -> [usize; 2] {
    let of_two: Vec<(u64, usize)> = rounds
        .round
        .iter()
        .zip(&rounds.arm)
        .map(|(round, arm)| (*round, usize::from(*arm)))
        .filter(|(_, arm)| [first, second].contains(arm))
        .collect();
    let mut counts = [0; 2];
    for round in of_two.chunk_by(|one, other| one.0 == other.0) {
        if round.iter().any(|(_, arm)| *arm != round[0].1) {
            counts[usize::from(round[0].1 == second)] += 1;
        }
    }
    counts
}

/// The reference compared with itself.
fn control_text(control: &Control) -> String {
    let interval = match (control.lower, control.upper) {
        (Some(lower), Some(upper)) => interval((lower, upper), 5),
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
fn interference_text(verdict: &Verdict, names: &Names, interference: &Interference) -> String {
    let matters = if interference.matters {
        "which can look like a difference of the code"
    } else {
        "which does not affect the verdict"
    };
    format!(
        "Interference: a batch after the other arm, divided by one after the same arm: {} for {} \
         and {} for {} in {} pairs, {matters}. Before each batch, {} of a batch ran untimed.",
        ratio_text(interference.reference),
        names.name(&verdict.reference),
        ratio_text(interference.case),
        names.name(&verdict.case),
        interference.pairs,
        eighths(interference.lead_in),
    )
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "no ratio".to_owned(), |ratio| fixed(ratio, 5))
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
        assert_eq!(order(&rounds(), [0, 1]), [1, 2]);
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
