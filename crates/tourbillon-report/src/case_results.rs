//! The results of runs by case.

use tourbillon_record::{ByCase, CaseResult, Metric};

/// The results of some runs by case, each in the order of the record.
#[derive(Clone, Debug)]
pub struct CaseResults<'a> {
    of_cases: ByCase<'a, &'a CaseResult>,
}

impl<'a> CaseResults<'a> {
    /// Those of these results.
    pub fn of(results: impl IntoIterator<Item = &'a CaseResult>) -> CaseResults<'a> {
        let results = results.into_iter();
        let of_cases = ByCase::of(results.map(|result| (&*result.case, result)));
        CaseResults { of_cases }
    }

    /// The results of the case with this id.
    pub fn case(&self, id: &str) -> &[&'a CaseResult] {
        self.of_cases.case(id)
    }

    /// Its first result in a metric.
    pub fn result(&self, id: &str, metric: Metric) -> Option<&'a CaseResult> {
        let mut results = self.case(id).iter().copied();
        results.find(|result| result.metric == metric)
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use tourbillon_record::{Case, looked_at};

    use super::*;
    use crate::{Style, changed_counts};

    /// The results that are looked at for what stands below the rows of so many cases.
    fn work(cases: usize) -> usize {
        let case = |number: usize| Case {
            id: format!("c{number}"),
            ..Case::default()
        };
        let result = |number: usize, metric| CaseResult {
            case: format!("c{number}"),
            metric,
            estimate: Ok(1.0),
            ..CaseResult::default()
        };
        let metrics = [
            Metric::Time,
            Metric::P50,
            Metric::Max,
            Metric::Allocs,
            Metric::Bytes,
        ];
        let results: Vec<CaseResult> = (0..cases)
            .flat_map(|number| metrics.map(|metric| result(number, metric)))
            .collect();
        let cases: Vec<Case> = (0..cases).map(case).collect();
        let results = CaseResults::of(&results);
        looked_at::take();
        for case in &cases {
            assert!(!results.allocations(&case.id).is_empty());
            assert!(!results.latencies(&case.id, &Style::default()).is_empty());
        }
        let before = |id: &str, metric| results.result(id, metric);
        assert_eq!(
            changed_counts(&cases, &results, before, None, &Style::default()),
            []
        );
        looked_at::take()
    }

    #[test]
    fn twice_the_cases_take_twice_the_work() {
        let one = work(200);
        assert!(one > 0);
        assert_eq!(work(400), 2 * one);
    }
}
