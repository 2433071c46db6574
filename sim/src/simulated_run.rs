use tourbillon_coordinator::runner::{
    Act, CaseSettings, Comparison, Ending, InMemory, Observer, Outcome, Progress, ScriptedRunClock,
    Settings, run,
};
use tourbillon_record::{Case, CaseResult, Entry, Frame, Plan, Verdict};

use crate::launches::{frequency, simulated_launch};
use crate::machine::Conditions;
use crate::{Chance, Machine};

/// Forgets everything.
struct Discard;

impl Observer for Discard {
    fn entry(&mut self, _entry: Entry<'_>) {}
    fn progress(&mut self, _progress: &Progress<'_>) {}
}

/// A run of one case by the project's own coordinator, whose workers are the virtual machine, and how many
/// launches its result is of.
pub(crate) fn simulated_run(
    machine: &Machine,
    precision: Option<f64>,
    seed: u64,
) -> (Vec<CaseResult>, u32) {
    let outcome = played(machine, &[("case", 1.0)], &[], precision, seed);
    let launches = outcome.results.first().map_or(0, |result| result.launches);
    (outcome.results, launches)
}

/// The same of two cases that are compared, of which the second takes `ratio` times as long: the verdict, and their
/// results.
pub(crate) fn simulated_comparison(
    machine: &Machine,
    ratio: f64,
    seed: u64,
) -> Option<(Verdict, Vec<CaseResult>)> {
    let comparison = Comparison {
        reference: "a".to_owned(),
        candidates: vec!["b".to_owned()],
        limit: None,
    };
    let mut outcome = played(
        machine,
        &[("a", 1.0), ("b", ratio)],
        &[comparison],
        None,
        seed,
    );
    Some((outcome.verdicts.pop()?, outcome.results))
}

/// A run of cases that take so many times as long.
fn played(
    machine: &Machine,
    bodies: &[(&'static str, f64)],
    comparisons: &[Comparison],
    precision: Option<f64>,
    seed: u64,
) -> Outcome {
    let mut common = CaseSettings::default();
    common.options.precision = precision;
    let settings = Settings {
        seed,
        clock: "simulated".to_owned(),
        frequency: frequency(),
        confidence: 0.99,
        core_cache_bytes: None,
        window_items: 1_024,
        window_bytes: 1 << 18,
        common,
        overrides: Vec::new(),
    };
    let run_clock = ScriptedRunClock::new();
    let machine = machine.clone();
    let cases: Vec<Case> = bodies
        .iter()
        .map(|(id, _)| Case {
            id: (*id).to_owned(),
            ..Case::default()
        })
        .collect();
    let bodies = bodies.to_vec();
    let mut chance = Chance::new(seed);
    let mut conditions = Conditions::of(&machine, &mut chance);
    let mut spawner = InMemory::new(&run_clock, move |plan: &Plan, _draw, act| {
        let body = bodies
            .iter()
            .position(|(id, _)| *id == plan.case)
            .unwrap_or(0);
        let offset = machine.offset(&mut chance) * conditions.next(&mut chance) * bodies[body].1;
        let moment = chance.uniform();
        // The launches of a block have one seed; what the machine does to them is not the same.
        let seed = plan.seed ^ body as u64;
        let mut launch = simulated_launch(
            &machine,
            plan.launch,
            offset,
            moment,
            seed,
            plan.contended_from,
        );
        launch.case.clone_from(&plan.case);
        act(Act::Work(frequency().nanos(launch.launch_ticks)));
        act(Act::Say(Frame::Launch(Box::new(launch))));
        act(Act::Say(Frame::Bye));
        act(Act::End(Ending::Exited(0)));
    });
    run(
        &cases,
        comparisons,
        &settings,
        &mut spawner,
        &run_clock,
        &mut Discard,
    )
}
