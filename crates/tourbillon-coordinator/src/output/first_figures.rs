//! What is known of the cases of a run that is not over.

use std::collections::HashMap;
use std::slice::from_ref;

use tourbillon_analysis::{Rules, used};
use tourbillon_record::{LaunchSamples, Metric};
use tourbillon_stats::{Sample, median};

/// The estimates of launches, by case.
#[derive(Debug)]
pub(super) struct FirstFigures {
    /// `None` where they are not shown.
    rules: Option<Rules>,
    /// In the order of the run's list.
    cases: Vec<(String, Vec<f64>)>,
    indices: HashMap<String, usize>,
}

impl FirstFigures {
    pub(super) fn new(rules: Option<Rules>) -> FirstFigures {
        FirstFigures {
            rules,
            cases: Vec::new(),
            indices: HashMap::new(),
        }
    }

    /// Adds a case that will be measured.
    pub(super) fn declare(&mut self, case: &str) {
        self.indices.insert(case.to_owned(), self.cases.len());
        self.cases.push((case.to_owned(), Vec::new()));
    }

    /// Adds a launch of a case whose time is measured.
    pub(super) fn add(&mut self, launch: &LaunchSamples) {
        let Some(rules) = &self.rules else {
            return;
        };
        let measured = launch.measured.as_deref();
        if measured.is_some_and(|measured| measured.metric != Metric::Time) {
            return;
        }
        let estimate = used(from_ref(launch), rules)
            .first()
            .and_then(|used| used.estimate);
        let Some(estimate) = estimate.filter(|estimate| *estimate > 0.0) else {
            return;
        };
        if let Some(index) = self.indices.get(&launch.case) {
            self.cases[*index].1.push(estimate);
        }
    }

    /// The medians of those that have launches.
    pub(super) fn medians(&self) -> impl Iterator<Item = (&str, f64)> {
        self.cases.iter().filter_map(|(case, estimates)| {
            let sample = Sample::new(estimates.clone()).ok()?;
            Some((&**case, median(&sample)))
        })
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::synthetic::{Model, frequency};
    use tourbillon_stats::Confidence;

    use super::*;

    #[test]
    fn cases_come_in_the_order_of_the_list_once_they_are_known() {
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::new(0.99).expect("a confidence"),
            core_cache_bytes: None,
        };
        let mut figures = FirstFigures::new(Some(rules));
        for case in ["a", "b", "c"] {
            figures.declare(case);
        }
        assert_eq!(figures.medians().count(), 0);
        let model = Model::default();
        for launch in [model.launches("c", 2), model.launches("a", 1)].concat() {
            figures.add(&launch);
        }
        // One that is not in the list is no row.
        figures.add(&model.launches("d", 1)[0]);
        let cases: Vec<&str> = figures.medians().map(|(case, _)| case).collect();
        assert_eq!(cases, ["a", "c"]);
        assert!(figures.medians().all(|(_, ns)| ns > 0.0));
        let mut hidden = FirstFigures::new(None);
        hidden.declare("a");
        hidden.add(&model.launches("a", 1)[0]);
        assert_eq!(hidden.medians().count(), 0);
    }
}
