//! The samples of comparisons by their cases: those of a verdict take no search among all.

use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_record::{ByCase, Rounds, Run};

/// The samples of a launch with the arms of its cases.
#[derive(Debug)]
pub(crate) struct Arms<'r> {
    pub(crate) rounds: &'r Rounds,
    of_cases: HashMap<&'r str, usize>,
}

impl<'r> Arms<'r> {
    fn of(rounds: &'r Rounds) -> Arms<'r> {
        let mut of_cases = HashMap::new();
        for (arm, case) in rounds.cases.iter().enumerate() {
            of_cases.entry(case.as_str()).or_insert(arm);
        }
        Arms { rounds, of_cases }
    }

    /// The first arm of a case.
    pub(crate) fn arm(&self, case: &str) -> Option<usize> {
        self.of_cases.get(case).copied()
    }
}

/// The samples of a run by each of the cases that they have.
#[derive(Debug)]
pub(crate) struct RoundsByCase<'r>(ByCase<'r, Rc<Arms<'r>>>);

impl<'r> RoundsByCase<'r> {
    pub(crate) fn of(run: &'r Run) -> RoundsByCase<'r> {
        let all = run.rounds.iter().map(|rounds| Rc::new(Arms::of(rounds)));
        RoundsByCase(ByCase::of(all.flat_map(|arms| {
            let cases: Vec<&str> = arms.of_cases.keys().copied().collect();
            cases.into_iter().map(move |case| (case, arms.clone()))
        })))
    }

    /// Those with a case, in the order of the record.
    pub(crate) fn case(&self, id: &str) -> &[Rc<Arms<'r>>] {
        self.0.case(id)
    }

    /// Those with two cases.
    pub(crate) fn both(&self, case: &str, reference: &str) -> Vec<&Rc<Arms<'r>>> {
        let (fewer, other) = self.0.fewer(case, reference);
        let has = |arms: &&Rc<Arms<'_>>| arms.arm(other).is_some();
        fewer.iter().filter(has).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_found_by_their_cases() {
        let rounds = |cases: &[&str], launch| Rounds {
            cases: cases.iter().map(|case| (*case).to_owned()).collect(),
            launch,
            ..Rounds::default()
        };
        let run = Run {
            rounds: vec![
                rounds(&["a", "b", "c"], 0),
                rounds(&["a", "a"], 1),
                rounds(&["a", "b"], 2),
            ],
            ..Run::default()
        };
        let all = RoundsByCase::of(&run);
        let both = |case, reference| -> Vec<u32> {
            let found = all.both(case, reference);
            found.iter().map(|arms| arms.rounds.launch).collect()
        };
        assert_eq!(both("b", "a"), [0, 2]);
        assert_eq!(both("a", "b"), [0, 2]);
        assert_eq!(both("c", "b"), [0]);
        assert!(both("a", "d").is_empty());
        assert_eq!(all.case("b")[0].arm("c"), Some(2));
    }
}
