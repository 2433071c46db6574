//! Results by case: what is shown of a case takes no search among those of all others.

use std::collections::HashMap;

use tourbillon_record::{CaseResult, Metric};

/// The results of some runs by case, each in the order of the record.
#[derive(Clone, Debug, Default)]
pub struct CaseResults<'a> {
    of_cases: HashMap<&'a str, Vec<&'a CaseResult>>,
}

impl<'a> CaseResults<'a> {
    /// Those of these results.
    pub fn of(results: impl IntoIterator<Item = &'a CaseResult>) -> CaseResults<'a> {
        let mut of_cases: HashMap<&str, Vec<&CaseResult>> = HashMap::new();
        for result in results {
            of_cases.entry(&result.case).or_default().push(result);
        }
        CaseResults { of_cases }
    }

    /// The results of the case with this id.
    pub fn case(&self, id: &str) -> &[&'a CaseResult] {
        let found = self.of_cases.get(id).map_or(&[][..], Vec::as_slice);
        #[cfg(test)]
        looked_at::add(found.len());
        found
    }

    /// Its first result in a metric.
    pub fn result(&self, id: &str, metric: Metric) -> Option<&'a CaseResult> {
        let mut results = self.case(id).iter().copied();
        results.find(|result| result.metric == metric)
    }
}

/// How many results were looked at, for tests of growth.
#[cfg(test)]
pub(crate) mod looked_at {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub(crate) fn add(results: usize) {
        COUNT.set(COUNT.get() + results);
    }

    /// The number in this thread since the last call.
    pub(crate) fn take() -> usize {
        COUNT.take()
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Case;

    use super::*;
    use crate::{Allocations, Latencies, Style};

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
        let counts = Allocations {
            cases: &cases,
            results: &results,
            before: &|id, metric| results.result(id, metric),
            baseline: None,
        };
        let latencies = Latencies { results: &results };
        looked_at::take();
        for case in &cases {
            assert!(!counts.below(&case.id, &Style::default()).is_empty());
            assert!(!latencies.below(&case.id, &Style::default()).is_empty());
        }
        assert!(!counts.changes(&Style::default()).is_empty());
        looked_at::take()
    }

    #[test]
    fn twice_the_cases_take_twice_the_work() {
        let one = work(200);
        assert!(one > 0);
        assert_eq!(work(400), 2 * one);
    }
}
