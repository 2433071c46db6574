//! Cases that are measured in something else than wall time.

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::CaseSettings;
use tourbillon_record::{CaseOptions, Metric};

use crate::stage::{measure, play, settings};

#[test]
fn a_case_asks_its_workers_for_what_it_is_measured_in() {
    let mut settings = settings(CaseSettings::default());
    let cpu = CaseSettings {
        options: CaseOptions {
            metric: Some(Metric::CpuTime),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    settings.overrides = vec![("b".to_owned(), cpu)];
    let played = play(&["a", "b"], &settings, |plan, act| {
        measure(&Model::default(), plan, act);
    });
    for (plan, _) in &played.plans {
        let expected = (plan.case == "b").then_some(Metric::CpuTime);
        assert_eq!(plan.metric, expected, "{}", plan.case);
    }
}
