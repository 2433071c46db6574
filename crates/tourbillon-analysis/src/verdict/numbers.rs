//! Numbers of two builds that a body returns, which have a direction of their own.
//!
//! ```text
//! exact     : all launches of a side have one number. Two exact numbers differ where they are not equal
//! ratio     = number of the case / number of the reference, between the quotients of opposite ends of their intervals
//! better    : the whole ratio is below 1 / (1 + margin), or, of a number that is better with more, above 1 + margin
//! ```

use tourbillon_record::{CaseResult, ComparedNumber, Finding, Reach, Scope, Undecided, Verdict};

/// Name and version of the method.
const METHOD: &str = "numbers-1";

/// Compares the results of a case in two builds. Without intervals across processes of one number, they are not
/// comparable.
pub fn judge_numbers(reference: &CaseResult, case: &CaseResult, margin: f64) -> Verdict {
    let verdict = Verdict {
        finding: Finding::Undecided,
        why: Some(Undecided::NotComparable),
        margin,
        scope: Reach::Processes,
        method: METHOD.to_owned(),
        ..Verdict::default()
    };
    let is_one = reference.metric == case.metric && reference.own == case.own;
    let is_rough = |side: &CaseResult| side.estimate.is_err() || side.upper.is_none();
    let are_of_processes = [reference, case]
        .iter()
        .all(|side| side.scope == Scope::Processes);
    if is_one && are_of_processes && (is_rough(reference) || is_rough(case)) {
        return Verdict {
            why: Some(Undecided::Noise),
            ..verdict
        };
    }
    let (true, Some(then), Some(now)) = (is_one, ends(reference), ends(case)) else {
        return verdict;
    };
    let are_exact = [then, now].iter().all(|[lower, _, upper]| lower == upper);
    let is_positive = then[0] > 0.0 && now[0] > 0.0;
    let [lower, ratio, upper] = [now[0] / then[2], now[1] / then[1], now[2] / then[0]];
    let confidence = |of: &CaseResult| 1.0 - of.confidence.unwrap_or(0.0);
    let mut verdict = Verdict {
        why: None,
        ratio: is_positive.then_some(ratio),
        lower: is_positive.then_some(lower),
        upper: is_positive.then_some(upper),
        margin: if are_exact { 0.0 } else { margin },
        confidence: (1.0 - confidence(reference) - confidence(case)).max(0.0),
        number: Some(ComparedNumber {
            name: case.metric_name().to_owned(),
            unit: case.unit().to_owned(),
            more_is_better: case.more_is_better(),
            reference: then[1],
            case: now[1],
        }),
        ..verdict
    };
    if is_positive {
        return with_margin(&verdict, verdict.margin);
    }
    // Without a ratio there is no margin: they differ, or they do not.
    let more = now[0] > then[2];
    verdict.finding = if are_exact && then == now {
        Finding::Same
    } else if more || now[2] < then[0] {
        found(more == case.more_is_better())
    } else {
        verdict.why = Some(Undecided::Time);
        Finding::Undecided
    };
    verdict
}

/// A verdict on numbers with another margin.
pub fn with_margin(verdict: &Verdict, margin: f64) -> Verdict {
    let (Some(number), Some(lower), Some(upper)) = (&verdict.number, verdict.lower, verdict.upper)
    else {
        return verdict.clone();
    };
    let (most, least) = (1.0 + margin, 1.0 / (1.0 + margin));
    let (finding, why) = if lower > most {
        (found(number.more_is_better), None)
    } else if upper < least {
        (found(!number.more_is_better), None)
    } else if lower >= least && upper <= most {
        (Finding::Same, None)
    } else {
        (Finding::Undecided, Some(Undecided::Time))
    };
    Verdict {
        finding,
        why,
        margin,
        ..verdict.clone()
    }
}

fn found(is_better: bool) -> Finding {
    if is_better {
        Finding::Faster
    } else {
        Finding::Slower
    }
}

/// The lower end, the estimate and the upper end of a number that holds for other processes.
fn ends(of: &CaseResult) -> Option<[f64; 3]> {
    let ends = [of.lower?, of.estimate.ok()?, of.upper?];
    (of.scope == Scope::Processes).then_some(ends)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Absence, Metric, OwnMetric};

    use super::*;

    fn number(lower: f64, estimate: f64, upper: f64, more_is_better: bool) -> CaseResult {
        CaseResult {
            metric: Metric::Own,
            own: Some(OwnMetric {
                name: "hits".to_owned(),
                unit: "hits".to_owned(),
                more_is_better,
            }),
            estimate: Ok(estimate),
            lower: Some(lower),
            upper: Some(upper),
            confidence: Some(0.999),
            scope: Scope::Processes,
            ..CaseResult::default()
        }
    }

    fn exact(of: f64, more_is_better: bool) -> CaseResult {
        number(of, of, of, more_is_better)
    }

    fn finding(then: &CaseResult, now: &CaseResult) -> (Finding, Option<Undecided>) {
        let verdict = judge_numbers(then, now, 0.01);
        (verdict.finding, verdict.why)
    }

    #[test]
    fn exact_numbers_differ_by_any_amount_and_follow_the_direction() {
        for (then, now, more_is_better, expected) in [
            (100.0, 100.0, false, Finding::Same),
            (1_000.0, 1_001.0, false, Finding::Slower),
            (1_000.0, 1_001.0, true, Finding::Faster),
            (1_001.0, 1_000.0, true, Finding::Slower),
            (0.0, 0.0, true, Finding::Same),
            (0.0, 3.0, false, Finding::Slower),
            (0.0, 3.0, true, Finding::Faster),
            (-2.0, -3.0, true, Finding::Slower),
        ] {
            let [then, now] = [then, now].map(|of| exact(of, more_is_better));
            assert_eq!(finding(&then, &now), (expected, None), "{then:?} {now:?}");
        }
    }

    #[test]
    fn others_are_compared_by_their_intervals() {
        let then = number(95.0, 100.0, 105.0, true);
        let better = number(190.0, 200.0, 210.0, true);
        assert_eq!(finding(&then, &better), (Finding::Faster, None));
        assert_eq!(finding(&better, &then), (Finding::Slower, None));
        let open = (Finding::Undecided, Some(Undecided::Time));
        assert_eq!(finding(&then, &then), open);
        let [one, other] = [number(-1.0, 0.0, 1.0, true), number(0.5, 1.0, 2.0, true)];
        assert_eq!(finding(&one, &other), open);
        let verdict = judge_numbers(&then, &better, 0.01);
        assert!((verdict.confidence - 0.998).abs() < 1e-9);
        assert_eq!(with_margin(&verdict, 1.5).finding, Finding::Same);
        assert_eq!(with_margin(&verdict, 0.5).finding, Finding::Faster);
    }

    #[test]
    fn what_has_no_interval_or_another_name_is_not_comparable() {
        let hits = exact(5.0, true);
        let with = |change: fn(&mut CaseResult)| {
            let mut changed = hits.clone();
            change(&mut changed);
            changed
        };
        for other in [
            with(|of| of.scope = Scope::Process),
            with(|of| of.metric = Metric::CpuTime),
            exact(5.0, false),
        ] {
            let expected = (Finding::Undecided, Some(Undecided::NotComparable));
            assert_eq!(finding(&hits, &other), expected);
            assert_eq!(finding(&other, &hits), expected);
        }
        for rough in [
            with(|of| of.estimate = Err(Absence::TooScattered)),
            with(|of| of.upper = None),
        ] {
            let expected = (Finding::Undecided, Some(Undecided::Noise));
            assert_eq!(finding(&hits, &rough), expected);
            assert_eq!(finding(&rough, &hits), expected);
        }
    }
}
