use tourbillon_coordinator::runner::{
    Act, CaseSettings, Ending, InMemory, Observer, Progress, ScriptedRunClock, Settings, run,
};
use tourbillon_record::{Case, CaseResult, Entry, Frame, Plan};

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
    let settings = Settings {
        seed,
        clock: "simulated".to_owned(),
        frequency: frequency(),
        confidence: 0.99,
        core_cache_bytes: None,
        window_items: 1_024,
        window_bytes: 1 << 18,
        common: CaseSettings {
            precision,
            ..CaseSettings::default()
        },
        overrides: Vec::new(),
    };
    let run_clock = ScriptedRunClock::new();
    let machine = machine.clone();
    let mut chance = Chance::new(seed);
    let mut conditions = Conditions::of(&machine, &mut chance);
    let mut spawner = InMemory::new(&run_clock, move |plan: &Plan, _draw, act| {
        let offset = machine.offset(&mut chance) * conditions.next(&mut chance);
        let moment = chance.uniform();
        let mut launch = simulated_launch(
            &machine,
            plan.launch,
            offset,
            moment,
            plan.seed,
            plan.contended_from,
        );
        launch.case.clone_from(&plan.case);
        act(Act::Work(frequency().nanos(launch.launch_ticks)));
        act(Act::Say(Frame::Launch(Box::new(launch))));
        act(Act::Say(Frame::Bye));
        act(Act::End(Ending::Exited(0)));
    });
    let cases = [Case {
        id: "case".to_owned(),
        ..Case::default()
    }];
    let outcome = run(
        &cases,
        &[],
        &settings,
        &mut spawner,
        &run_clock,
        &mut Discard,
    );
    let launches = outcome.results.first().map_or(0, |result| result.launches);
    (outcome.results, launches)
}
