//! A run on a scripted clock, with everything that it reported.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_analysis::synthetic::{Model, frequency};
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Comparison, Draw, Ending, InMemory, Observer, Outcome, Progress,
    ScriptedRunClock, Settings, run,
};
use tourbillon_record::{Case, CaseResult, Entry, Frame, Line, Metric, Plan};

pub(crate) fn settings(common: CaseSettings) -> Settings {
    Settings {
        seed: 42,
        clock: "scripted".to_owned(),
        frequency: frequency(),
        confidence: 0.99,
        core_cache_bytes: None,
        window_items: 1_024,
        window_bytes: 1 << 18,
        common,
        overrides: Vec::new(),
    }
}

pub(crate) fn cases(ids: &[&str]) -> Vec<Case> {
    let case = |id: &&str| Case {
        id: (*id).to_owned(),
        ..Case::default()
    };
    ids.iter().map(case).collect()
}

/// What a run reported.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) lines: Vec<Line>,
    /// Done and total of each progress.
    pub(crate) progress: Vec<(usize, usize)>,
}

impl Observer for Log {
    fn entry(&mut self, entry: Entry<'_>) {
        self.lines.push(entry.into());
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        self.progress.push((progress.done, progress.total));
    }
}

/// A run that is over.
pub(crate) struct Played {
    pub(crate) outcome: Outcome,
    pub(crate) log: Log,
    pub(crate) plans: Vec<(Plan, Draw)>,
}

impl Played {
    /// The result of a case in a metric.
    pub(crate) fn result(&self, case: &str, metric: Metric) -> &CaseResult {
        let is = |result: &&CaseResult| result.case == case && result.metric == metric;
        self.outcome.results.iter().find(is).unwrap()
    }

    /// Launches of a case that were begun.
    pub(crate) fn begun(&self, case: &str) -> usize {
        self.plans
            .iter()
            .filter(|(plan, _)| plan.case == case)
            .count()
    }
}

/// Plays a run whose workers follow a script.
pub(crate) fn play(
    ids: &[&str],
    settings: &Settings,
    script: impl FnMut(&Plan, &mut dyn FnMut(Act)) + 'static,
) -> Played {
    play_compared(ids, &[], settings, script)
}

/// The same with comparisons of its cases.
pub(crate) fn play_compared(
    ids: &[&str],
    comparisons: &[Comparison],
    settings: &Settings,
    mut script: impl FnMut(&Plan, &mut dyn FnMut(Act)) + 'static,
) -> Played {
    let run_clock = ScriptedRunClock::new();
    let plans = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&plans);
    let mut spawner = InMemory::new(&run_clock, move |plan, draw, act| {
        seen.borrow_mut().push((plan.clone(), *draw));
        script(plan, act);
    });
    let mut log = Log::default();
    let outcome = run(
        &cases(ids),
        comparisons,
        settings,
        &mut spawner,
        &run_clock,
        &mut log,
    );
    drop(spawner);
    let plans = Rc::into_inner(plans).unwrap().into_inner();
    Played {
        outcome,
        log,
        plans,
    }
}

/// What a worker does that measures a model without a fault: it takes as long as the launch asks.
pub(crate) fn measure(model: &Model, plan: &Plan, act: &mut dyn FnMut(Act)) {
    let launch = model.launch(plan);
    act(Act::Work(frequency().nanos(launch.launch_ticks)));
    act(Act::Say(Frame::Progress {
        first_call_ns: 1_000,
        timeout_ns: None,
    }));
    act(Act::Say(Frame::Launch(Box::new(launch))));
    act(Act::Say(Frame::Bye));
    act(Act::End(Ending::Exited(0)));
}
