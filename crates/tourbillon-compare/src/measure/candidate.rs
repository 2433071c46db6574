//! A case of two builds until its verdict.

use std::ops::ControlFlow;

use tourbillon_analysis::{Criteria, Design, judge, settled};
use tourbillon_coordinator::runner::{CaseSettings, RunClock, Settings, WorkerOutcome, run_worker};
use tourbillon_engine::{WINDOW_BYTES, WINDOW_ITEMS};
use tourbillon_record::{
    BatchShape, Case, Fault, FaultKind, Finding, LaunchSamples, Plan, Rounds, Team, Verdict,
};
use tourbillon_stats::Rng;
use tourbillon_tool::run_clock::ToolRunClock;

use super::alone::{Alone, pair_of};
use super::pace::Pace;
use super::paired_run::{PairedRun, Silence, paired_run};
use super::placed_builds::PlacedBuilds;
use super::spawner::Side;
use super::terms::Common;
use crate::counts::Counts;
use crate::measurement::times_calls;
use crate::numbers::NumberLaunches;
use crate::pairing::{Comparison, PairedCase};

/// No pair lasts longer for the time that it takes to start and end it.
const LONGEST_PAIR_NS: u64 = 200_000_000;
/// Least number of batches of a pair, if a batch is long.
const LEAST_BATCHES: u64 = 4;
/// Calls of a pair where they are timed one by one: 1,200 on either side.
const CALLS_OF_PAIR: u64 = 2_400;
/// Time for the batches of the pilot launch.
const PILOT_NS: u64 = 4_000_000;

/// Time of a case after which a decided direction is enough, whatever its size.
const SIZE_NS: u64 = 2_000_000_000;

/// Calls that take longer than this ..
const LONG_CALL_NS: u64 = 3_000_000_000;
/// .. may be silent for this many calls: a batch and its lead-in are at least two.
const SILENT_CALLS: u64 = 10;

/// Label of the random sequence that decides which build starts first.
const FIRST: u64 = 5;

/// A case of both builds.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub(super) case: Case,
    /// Its id in the reference.
    pub(super) reference: String,
    /// The index of its executables.
    pub(super) pair: usize,
    pub(super) launches: Vec<Rounds>,
    pub(super) counts: Counts,
    /// Why it has no more launches, and the side that failed.
    pub(super) fault: Option<(usize, Fault)>,
    /// Nanoseconds used up: of measuring, or of starting processes if that took longer. Linking
    /// does not count.
    pub(super) spent_ns: u64,
    /// The shortest time for starting and ending a pair of workers.
    starting_ns: Option<u64>,
    settled: bool,
    pilot: Option<Pilot>,
    /// Whether both builds have the same code for it, so that it is not measured.
    is_unchanged: bool,
    /// Of a case whose builds do not take turns.
    alone: Option<Alone>,
    /// Launches of each build alone.
    launches_alone: u32,
}

/// The result of the pilot launch.
#[derive(Clone, Copy, Debug)]
struct Pilot {
    length: BatchShape,
    batch_ns: u64,
    /// From one call to the next, where calls are timed one by one.
    call_ns: Option<u64>,
    /// How long a worker of a pair may be silent.
    silence: Silence,
    /// Whether everything runs on one thread, so that both workers can share a processor.
    alone: bool,
}

impl Candidate {
    /// Without a launch where its two executables are one program, or were compiled in different ways that nothing
    /// explains.
    pub(super) fn new(case: &PairedCase, comparison: &Comparison) -> Candidate {
        let is_unchanged = comparison.is_unchanged(case);
        Candidate {
            is_unchanged,
            settled: is_unchanged || comparison.conditions.are_otherwise(case.pair),
            ..Candidate::checked(case)
        }
    }

    /// One that is launched although it is unchanged.
    pub(super) fn checked(case: &PairedCase) -> Candidate {
        Candidate {
            case: case.case.clone(),
            reference: case.reference.clone(),
            pair: case.pair,
            ..Candidate::default()
        }
    }

    /// Whether another launch may decide it.
    pub(super) fn is_open(&self) -> bool {
        !self.settled && self.fault.is_none()
    }

    /// Whether its builds took turns, as those of most cases do.
    pub(super) fn took_turns(&self) -> bool {
        self.alone.is_none() && self.fault.is_none() && !self.launches.is_empty()
    }

    /// Runs one more pair of workers; breaks when interrupted.
    pub(super) fn launch(
        &mut self,
        common: &Common<'_>,
        placed: &mut PlacedBuilds<'_>,
    ) -> ControlFlow<()> {
        if self.pilot.is_none() {
            self.pilot_launch(common, &placed.built(self.pair)[0])?;
        }
        let Some(pilot) = self.pilot else {
            return ControlFlow::Continue(());
        };
        if self.alone.is_some() {
            return self.launch_alone(common, placed, &pilot);
        }
        let number = self.launches.len() as u32;
        let budget_ns = self.pair_ns(&pilot, common.pace);
        let length = Some(pilot.length);
        let plan = common
            .settings
            .plan(&self.case.id, number, length, budget_ns);
        let of_old = Plan {
            case: self.reference.clone(),
            ..plan.clone()
        };
        let mut plans = [of_old, plan];
        let ([old, new], placement) = placed.pair(self.pair, number);
        let new_first = is_new_first(plans[0].seed);
        let sides = if new_first { [new, old] } else { [old, new] };
        if new_first {
            plans.reverse();
        }
        let processor = common.spawner.processor().filter(|_| pilot.alone);
        let start = common.run_clock.now_ns();
        let workers = match common.spawner.pair(sides, &mut plans, processor) {
            Ok(workers) => workers,
            Err(error) => {
                let fault = Fault {
                    case: self.case.id.clone(),
                    launch: number,
                    kind: FaultKind::Spawn,
                    message: error.to_string(),
                    ..Fault::default()
                };
                self.fault = Some((0, fault));
                return ControlFlow::Continue(());
            }
        };
        match paired_run(workers, &plans, pilot.silence, common.run_clock) {
            PairedRun::Rounds(mut rounds) => {
                if new_first {
                    exchange(&mut rounds);
                }
                rounds.placement = placement;
                let spent_ns = common.run_clock.now_ns().saturating_sub(start);
                let measured_ns = common.frequency().nanos(rounds.launch_ticks);
                let starting_ns = spent_ns.saturating_sub(measured_ns);
                self.spent_ns += measured_ns.max(starting_ns);
                self.starting_ns = Some(self.starting_ns.unwrap_or(u64::MAX).min(starting_ns));
                self.launches.push(*rounds);
                self.settled = self.is_settled(common);
            }
            PairedRun::Fault(side, fault) => {
                self.fault = Some((side ^ usize::from(new_first), fault));
                let side = &placed.built(self.pair)[1];
                if self.launches.is_empty() && takes_no_turns(&self.case.id, common, side)? {
                    // The reference does: there is nothing to compare.
                    (self.fault, self.settled) = (None, true);
                    self.alone = Some(Alone::incomparable());
                }
            }
            PairedRun::Interrupted => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    /// Launches each build alone, in an order that is drawn.
    fn launch_alone(
        &mut self,
        common: &Common<'_>,
        placed: &mut PlacedBuilds<'_>,
        pilot: &Pilot,
    ) -> ControlFlow<()> {
        self.launches_alone += 1;
        let number = self.launches_alone;
        let (budget_ns, length) = (self.pair_ns(pilot, common.pace), Some(pilot.length));
        let plan = |id: &str| common.settings.plan(id, number, length, budget_ns);
        let plans = [plan(&self.reference), plan(&self.case.id)];
        let (sides, placement) = placed.pair(self.pair, number);
        let new_first = is_new_first(plans[0].seed);
        let order = if new_first { [1, 0] } else { [0, 1] };
        let mut launches = [LaunchSamples::default(), LaunchSamples::default()];
        let start = common.run_clock.now_ns();
        for side in order {
            let mut spawner = common.spawner.alone(&sides[side]);
            let (plan, timeout_ns) = (&plans[side], common.timeout_ns);
            match run_worker(plan, timeout_ns, &mut spawner, common.run_clock) {
                WorkerOutcome::Launch(sent) => launches[side] = *sent.samples,
                WorkerOutcome::Fault(fault) => {
                    self.fault = Some((side, fault));
                    return ControlFlow::Continue(());
                }
                _ => return ControlFlow::Break(()),
            }
        }
        let spent_ns = common.run_clock.now_ns().saturating_sub(start);
        self.spent_ns += spent_ns;
        match &mut self.alone {
            Some(Alone::Numbers(numbers)) if Alone::measure_one(&launches) => {
                numbers.add(launches);
                let (criteria, frequency) = (&common.criteria, common.frequency());
                self.settled = numbers.are_settled(&self.case.id, criteria, frequency);
            }
            _ if launches.iter().all(Alone::is_isolated) => {
                let [old, new] = &launches;
                let rounds = pair_of([old, new], new_first, spent_ns, common.frequency());
                self.launches.push(Rounds {
                    placement,
                    ..rounds
                });
                self.settled = self.is_settled(common);
            }
            _ => {
                // They measure different things.
                (self.alone, self.settled) = (Some(Alone::incomparable()), true);
                self.launches.clear();
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether all of its verdicts are final; after some time without regard to the size of a difference.
    fn is_settled(&self, common: &Common<'_>) -> bool {
        let is_settled = |design, criteria| settled(design, &self.launches, criteria);
        let mut percentiles = common.percentiles(&self.case).into_iter();
        let criteria = Criteria {
            size: common.criteria.size.filter(|_| self.spent_ns < SIZE_NS),
            ..common.criteria
        };
        is_settled(Design::Builds, criteria)
            && (times_calls(&self.launches) != [true; 2]
                || percentiles.all(|(design, criteria)| is_settled(design, criteria)))
    }

    /// Time for the batches of the next pair: where calls are timed one by one, for as many as a p99 needs.
    fn pair_ns(&self, pilot: &Pilot, pace: Pace) -> u64 {
        let calls_ns = pilot
            .call_ns
            .map_or(0, |ns| CALLS_OF_PAIR.saturating_mul(ns));
        (pace.of_starting * self.starting_ns.unwrap_or(0))
            .max(calls_ns)
            .clamp(pace.pair_ns, LONGEST_PAIR_NS)
            .max(LEAST_BATCHES * pilot.batch_ns)
    }

    /// Runs a worker of one side alone, which finds the length of batches.
    fn pilot_launch(&mut self, common: &Common<'_>, side: &Side) -> ControlFlow<()> {
        let plan = common.settings.plan(&self.reference, 0, None, PILOT_NS);
        let start = common.run_clock.now_ns();
        let mut spawner = common.spawner.alone(side);
        let outcome = run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock);
        self.spent_ns += common.run_clock.now_ns().saturating_sub(start);
        let launch = match outcome {
            WorkerOutcome::Launch(sent) => sent.samples,
            WorkerOutcome::Fault(fault) => {
                self.fault = Some((0, fault));
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Break(()),
        };
        self.alone = Alone::of(&launch);
        let frequency = common.frequency();
        let longest = launch.batches.ticks.iter().copied().max().unwrap_or(0);
        self.pilot = Some(Pilot {
            length: launch.batch_shape,
            call_ns: launch.calls.as_deref().map(|calls| {
                let ticks = longest / launch.batch_shape.items.max(1);
                let due_ns = calls.per_second.map_or(0.0, |rate| 1e9 / rate);
                frequency.nanos(ticks).max(due_ns as u64)
            }),
            batch_ns: frequency.nanos(longest.max(launch.first_call_ticks / 2)),
            silence: Silence {
                requested_ns: common.timeout_ns,
                else_ns: silence_ns(frequency.nanos(launch.first_call_ticks)),
            },
            alone: is_on_one_thread(&launch),
        });
        ControlFlow::Continue(())
    }

    /// The verdicts on percentiles, where calls were timed one by one: undecided where only one build does so.
    pub(super) fn percentiles(&self, old: &str, common: &Common<'_>) -> Vec<Verdict> {
        if times_calls(&self.launches) == [false; 2] {
            return Vec::new();
        }
        let all = common.percentiles(&self.case).into_iter();
        all.map(|(design, criteria)| Verdict {
            case: self.case.id.clone(),
            reference: old.to_owned(),
            ..judge(design, &self.launches, 0, 1, criteria, common.frequency())
        })
        .collect()
    }

    /// Its launches, where numbers of them are compared.
    pub(super) fn take_numbers(&mut self) -> NumberLaunches {
        match self.alone.take() {
            Some(Alone::Numbers(numbers)) => numbers,
            _ => NumberLaunches::default(),
        }
    }

    /// The verdict on the time. `old` is the label of the reference.
    pub(super) fn verdict(&self, old: &str, common: &Common<'_>) -> Verdict {
        let (criteria, frequency) = (common.criteria, common.frequency());
        let verdict = match &self.alone {
            Some(Alone::Numbers(numbers)) => Verdict {
                seconds: self.spent_ns as f64 / 1e9,
                ..numbers.verdict(&self.case.id, &criteria, frequency)
            },
            _ => judge(Design::Builds, &self.launches, 0, 1, criteria, frequency),
        };
        let verdict = if self.is_unchanged {
            unchanged(verdict)
        } else {
            verdict
        };
        Verdict {
            case: self.case.id.clone(),
            reference: old.to_owned(),
            ..verdict
        }
    }
}

/// The verdict on a case of which nothing was measured because its code is the same.
fn unchanged(verdict: Verdict) -> Verdict {
    Verdict {
        finding: Finding::Unchanged,
        why: None,
        confidence: 1.0,
        ..verdict
    }
}

/// Whether a case of the newer build cannot take turns; breaks when interrupted.
fn takes_no_turns(case: &str, common: &Common<'_>, side: &Side) -> ControlFlow<(), bool> {
    let plan = common.settings.plan(case, 0, None, PILOT_NS);
    let mut spawner = common.spawner.alone(side);
    match run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock) {
        WorkerOutcome::Launch(sent) => ControlFlow::Continue(Alone::of(&sent.samples).is_some()),
        WorkerOutcome::Interrupted => ControlFlow::Break(()),
        _ => ControlFlow::Continue(false),
    }
}

/// Whether a launch ran no other threads of the benchmark, nor those that call the body together with the first.
fn is_on_one_thread(launch: &LaunchSamples) -> bool {
    let has_one = |team: &Team| team.threads <= 1;
    launch.threads.is_none_or(|threads| threads == 1) && launch.team.as_ref().is_none_or(has_one)
}

/// How long a worker may be silent after its first call took this long; `None` for the default.
fn silence_ns(first_call_ns: u64) -> Option<u64> {
    let long = first_call_ns > LONG_CALL_NS;
    long.then(|| first_call_ns.saturating_mul(SILENT_CALLS))
}

/// Whether the new build starts first in the launch with this seed. With a fixed order, being the
/// second process would look like a difference of builds.
fn is_new_first(seed: u64) -> bool {
    Rng::new(Rng::new(seed).derive(FIRST)).coin()
}

/// The same samples with exchanged arms.
fn exchange(rounds: &mut Rounds) {
    for arm in &mut rounds.arm {
        *arm ^= 1;
    }
    rounds.cases.reverse();
    rounds.pids.reverse();
    rounds.ops.reverse();
    rounds.first_call_ticks.reverse();
    rounds.fixed_ticks.reverse();
    if let Some(calls) = &mut rounds.calls {
        calls.reverse();
    }
}

/// Settings of the workers of a comparison.
pub(super) fn settings(run_clock: &ToolRunClock, seed: u64, confidence: f64) -> Settings {
    Settings {
        seed: Rng::new(seed).derive(4),
        clock: run_clock.facts.source.clone(),
        frequency: run_clock.frequency,
        confidence,
        core_cache_bytes: None,
        window_items: WINDOW_ITEMS,
        window_bytes: WINDOW_BYTES,
        common: CaseSettings::default(),
        overrides: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two that share a processor take turns, and no lock of theirs is contended.
    #[test]
    fn what_several_threads_call_together_has_all_processors() {
        let of = |threads, team: Option<u64>| {
            is_on_one_thread(&LaunchSamples {
                threads,
                team: team.map(|threads| Team {
                    threads,
                    ..Team::default()
                }),
                ..LaunchSamples::default()
            })
        };
        assert!(of(None, None) && of(Some(1), None) && of(Some(1), Some(1)));
        assert!(!of(Some(1), Some(2)) && !of(Some(2), None) && !of(None, Some(2)));
    }

    #[test]
    fn which_build_starts_first_is_a_fair_coin() {
        let firsts: Vec<bool> = (0..10_000).map(is_new_first).collect();
        let new = firsts.iter().filter(|&&new| new).count();
        let changes = firsts.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // Five standard errors of 50.
        assert!(new.abs_diff(5_000) < 250, "{new}");
        assert!(changes.abs_diff(5_000) < 250, "{changes}");
    }

    #[test]
    fn whose_calls_are_long_may_be_silent_for_longer() {
        for (first_call_ns, expected) in [
            (LONG_CALL_NS, None),
            (20_000_000_000, Some(200_000_000_000)),
            (u64::MAX, Some(u64::MAX)),
        ] {
            assert_eq!(silence_ns(first_call_ns), expected);
        }
    }

    #[test]
    fn exchanged_samples_are_those_of_the_other_build() {
        let mut rounds = Rounds {
            cases: vec!["a".into(), "b".into()],
            pids: vec![1, 2],
            ops: vec![10, 20],
            first_call_ticks: vec![3, 4],
            fixed_ticks: vec![5, 6],
            round: vec![0, 0, 1, 1],
            arm: vec![0, 1, 1, 0],
            ticks: vec![100, 200, 210, 110],
            ..Rounds::default()
        };
        exchange(&mut rounds);
        assert_eq!(rounds.cases, ["b", "a"]);
        assert_eq!((rounds.pids, rounds.ops), (vec![2, 1], vec![20, 10]));
        assert_eq!(
            (rounds.first_call_ticks, rounds.fixed_ticks),
            (vec![4, 3], vec![6, 5])
        );
        assert_eq!(
            (rounds.arm, rounds.ticks),
            (vec![1, 0, 0, 1], vec![100, 200, 210, 110])
        );
    }
}
