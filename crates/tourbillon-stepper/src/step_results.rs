//! From the stepped launches of a case to its instructions.

use tourbillon_record::{CaseResult, Metric, Note, Scope, Stepped, Steps};

/// Name and version of the method.
const STEPPED: &str = "stepped-1";

/// What the code around a loop may add to that around the loop of the empty body: setting up registers.
const SET_UP: u64 = 16;

/// Instructions of an iteration in the steady state: of the second of two iterations, without the loop, if those before
/// and after them took as many as the first. `None` where they did not, or were not executed.
///
/// * Batches of 1, 2 and 1 iterations take a, b, c; of the empty body d, e.
/// * They are steady if a = c, and 2a - b, the code around the loop, is at most 16 away from 2d - e.
/// * The instructions are (b - a) - (e - d).
///
/// Where at most one input may be alive, all batches have one iteration, and it is a - d.
pub(crate) fn steady(steps: &Steps) -> Option<u64> {
    let ([one, two], [a, b, c, ..]) = (&steps.empty[..], &steps.instructions[..]) else {
        return None;
    };
    if a != c {
        return None;
    }
    if steps.iterations[1] == 1 {
        return if a == b { a.checked_sub(*one) } else { None };
    }
    let around = a.checked_mul(2)?.checked_sub(*b)?;
    let around_empty = one.checked_mul(2)?.checked_sub(*two)?;
    let is_steady = around.abs_diff(around_empty) <= SET_UP;
    let of_loop = two.checked_sub(*one)?;
    let of_second = b.checked_sub(*a)?;
    of_second.checked_sub(of_loop).filter(|_| is_steady)
}

/// Makes the result of a case from its stepped launches; `None` where nothing was counted.
///
/// It is exact if the first launch is steady, and the others begin as it does. Else it is the median of the iterations
/// that were executed alone, from the least to the most; those of later launches are counted from the first one's.
pub fn stepped(case: &str, launches: &[Stepped]) -> Option<CaseResult> {
    let mut all = Vec::new();
    for launch in launches {
        all.push(launch.counts.as_ref().ok()?);
    }
    let first = *all.first()?;
    let of_first = *first.instructions.first()?;
    let empty = first.empty.first().copied().unwrap_or(0);
    let steady = steady(first);
    let mut values: Vec<u64> = Vec::new();
    for (number, steps) in all.iter().enumerate() {
        for (iterations, instructions) in steps.iterations.iter().zip(&steps.instructions) {
            match steady {
                Some(steady) if number == 0 => values.push(steady),
                Some(steady) => values.push(
                    steady
                        .saturating_add(*instructions)
                        .saturating_sub(of_first),
                ),
                None if *iterations > 1 => {}
                None => values.push(instructions.saturating_sub(empty)),
            }
        }
    }
    values.sort_unstable();
    let ops = launches[0].ops_per_iteration.max(1);
    let per_op = |value: u64| value as f64 / ops as f64;
    let iterations = all.iter().flat_map(|steps| &steps.iterations);
    let iterations = tourbillon_record::total(iterations.copied());
    let mut notes = Vec::new();
    if !first.system_calls.is_empty() {
        let counts = first.system_calls.iter().zip(&first.system_call_counts);
        let mut calls = String::new();
        for (name, count) in counts {
            let comma = if calls.is_empty() { "" } else { ", " };
            calls += &format!("{comma}{name} {}", per_op(*count));
        }
        notes.push(Note::SystemCalls { calls });
    }
    Some(CaseResult {
        estimate: Ok(per_op(*values.get(values.len() / 2)?)),
        lower: values.first().map(|least| per_op(*least)),
        upper: values.last().map(|most| per_op(*most)),
        scope: if all.len() > 1 {
            Scope::Processes
        } else {
            Scope::Process
        },
        launches: all.len() as u32,
        samples: values.len() as u64,
        resolution: Some(0.0),
        ops,
        iterations,
        notes,
        ..CaseResult::without_figures(case, Metric::Instructions, STEPPED)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(iterations: &[u64], instructions: &[u64]) -> Stepped {
        Stepped {
            counts: Ok(Steps {
                iterations: iterations.to_vec(),
                instructions: instructions.to_vec(),
                empty: vec![30, 32],
                ..Steps::default()
            }),
            ..Stepped::default()
        }
    }

    fn figures(launches: &[Stepped]) -> (f64, f64, f64) {
        let result = stepped("c", launches).unwrap();
        let ends = (result.lower.unwrap(), result.upper.unwrap());
        (result.estimate.unwrap(), ends.0, ends.1)
    }

    #[test]
    fn the_loop_and_the_code_around_it_are_subtracted() {
        // 28 around the loop and 3 that set it up, 2 of the loop, 100 of the body.
        let one = launch(&[1, 2, 1], &[133, 235, 133]);
        assert_eq!(figures(std::slice::from_ref(&one)), (100.0, 100.0, 100.0));
        let again = launch(&[1], &[133]);
        assert_eq!(figures(&[one.clone(), again]), (100.0, 100.0, 100.0));
        // Another process took four more.
        let other = launch(&[1], &[137]);
        assert_eq!(figures(&[one, other]), (100.0, 100.0, 104.0));
        assert_eq!(stepped("c", &[]), None);
        let absent = Stepped {
            counts: Err("threads".to_owned()),
            ..Stepped::default()
        };
        assert_eq!(stepped("c", &[absent]), None);
    }

    /// As records of others may have them.
    #[test]
    fn numbers_that_no_processor_counts_have_a_range_or_none() {
        const MOST: u64 = u64::MAX;
        for [first, second, third] in [[10, 5, 10], [MOST; 3], [0, MOST, 0], [MOST, 0, MOST]] {
            let odd = launch(&[1, 2, 1], &[first, second, third]);
            let again = launch(&[1], &[MOST]);
            for launches in [vec![odd.clone()], vec![odd, again]] {
                let (least, most) = (first.min(third) as f64 - 30.0, MOST as f64);
                let (estimate, lower, upper) = figures(&launches);
                assert!(lower <= estimate && estimate <= upper);
                assert!(lower >= least.max(0.0) && upper <= most);
            }
        }
        let mut empty = launch(&[1, 2, 1], &[1, 2, 1]);
        empty.counts.as_mut().unwrap().empty = vec![MOST, MOST];
        assert_eq!(figures(&[empty]), (0.0, 0.0, 0.0));
    }

    #[test]
    fn iterations_that_differ_have_a_range() {
        // 10, then 20 and 30 together, then 10 again: not steady, though the single ones agree.
        let mixed = launch(&[1, 2, 1, 1], &[40, 82, 40, 50]);
        assert_eq!(figures(&[mixed]), (10.0, 10.0, 20.0));
        let three_away = launch(&[1, 2, 1, 1, 1], &[40, 132, 40, 140, 40]);
        assert_eq!(figures(&[three_away]), (10.0, 10.0, 110.0));
        // One of the pair took 40 more, which is too much for the set-up of a loop.
        let rare = launch(&[1, 2, 1, 1], &[130, 270, 130, 130]);
        assert_eq!(figures(&[rare]), (100.0, 100.0, 100.0));
        let growing = launch(&[1, 2, 1, 1], &[131, 235, 137, 140]);
        assert_eq!(figures(&[growing]), (107.0, 101.0, 110.0));
    }

    #[test]
    fn ops_and_system_calls_are_per_op() {
        let mut one = launch(&[1, 1, 1], &[430, 430, 430]);
        one.ops_per_iteration = 4;
        let steps = one.counts.as_mut().unwrap();
        steps.system_calls = vec!["read".to_owned(), "vdso".to_owned()];
        steps.system_call_counts = vec![4, 2];
        let result = stepped("c", &[one]).unwrap();
        assert_eq!(result.estimate, Ok(100.0));
        let calls = "read 1, vdso 0.5".to_owned();
        assert_eq!(result.notes, [Note::SystemCalls { calls }]);
    }
}
