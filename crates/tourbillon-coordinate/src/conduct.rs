use std::num::NonZeroU64;

use tourbillon_record::{Case, CaseResult, End, Fault, Line, Metric, Plan, Visit};
use tourbillon_stats::{Confidence, Rng};

use crate::affordable::expected_cost;
use crate::attempt::{Attempt, Failure, attempt};
use crate::schedule::{Schedule, Turn};
use crate::{
    CaseSettings, Draw, Hire, Observer, Progress, Rules, Settings, Tally, Watch, affordable,
    estimate,
};

/// Exit code of a run in which a visit failed.
pub const EXIT_FAILED: u8 = 3;
/// Exit code of a run that a signal ended before its time.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Bytes that the environment of a worker may be padded with: a page of the stack.
const PADDING: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");
/// How often the launches of the first look are doubled for another one.
const DOUBLINGS: u32 = 2;

/// Labels of the random sequences that are derived from the seed of the run or of a visit.
#[derive(Clone, Copy)]
enum Chance {
    Order = 1,
    Environment = 2,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, in the order of the cases; those of cycles behind those of time.
    pub results: Vec<CaseResult>,
    /// The visits that failed, in the order in which they did.
    pub faults: Vec<Fault>,
    /// How the run ended.
    pub end: End,
    /// Whether a signal ended it before its time.
    pub interrupted: bool,
}

/// Runs cases: visits all of them in one random order, and makes the results.
///
/// Every case gets visits, those too that are marked as ignored: what is run has been selected
/// before. Identities must differ.
///
/// How many launches a case gets is decided when its scout is back: see [`affordable`]. With a
/// precision, a case whose interval is too wide gets as many launches again, and once more twice
/// as many; the error is shared between the three looks.
///
/// The same settings, workers that answer the same, and a scripted watch give the same outcome.
pub fn conduct(
    cases: &[Case],
    settings: &Settings,
    hire: &mut dyn Hire,
    watch: &dyn Watch,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut run = Run::new(cases, settings, watch);
    for case in cases {
        observer.line(&Line::Case(case.clone()));
    }
    run.visit_all(hire, observer);
    run.end(observer)
}

/// A run being conducted.
struct Run<'a> {
    settings: &'a Settings,
    rules: Rules,
    watch: &'a dyn Watch,
    started_ns: u64,
    cases: Vec<Reached<'a>>,
    schedule: Schedule,
    done: usize,
    faults: Vec<Fault>,
    interrupted: bool,
}

/// How far a case is.
struct Reached<'a> {
    case: &'a Case,
    settings: &'a CaseSettings,
    /// Launches until the first look: what was asked for, until the scout is back.
    launches: u32,
    visits: Vec<Visit>,
    failed: u32,
}

impl Reached<'_> {
    fn tally(&self) -> Tally {
        let asked = self.settings.asked();
        Tally {
            failed: self.failed,
            shortened_from: (self.launches < asked).then_some(asked),
            looks: self.settings.precision.is_some(),
        }
    }
}

impl<'a> Run<'a> {
    fn new(cases: &'a [Case], settings: &'a Settings, watch: &'a dyn Watch) -> Run<'a> {
        let cases: Vec<Reached<'a>> = cases
            .iter()
            .map(|case| {
                let settings = settings.of(&case.id);
                Reached {
                    case,
                    settings,
                    launches: settings.asked(),
                    visits: Vec::new(),
                    failed: 0,
                }
            })
            .collect();
        let launches: Vec<u32> = cases.iter().map(|case| case.launches).collect();
        let order = Rng::new(settings.seed).derive(Chance::Order as u64);
        Run {
            settings,
            rules: Rules {
                frequency: settings.frequency,
                confidence: Confidence::new(settings.confidence).unwrap_or(Confidence::P99),
            },
            watch,
            started_ns: watch.now_ns(),
            schedule: Schedule::new(order, &launches),
            cases,
            done: 0,
            faults: Vec::new(),
            interrupted: false,
        }
    }

    fn visit_all(&mut self, hire: &mut dyn Hire, observer: &mut dyn Observer) {
        for look in 0..=DOUBLINGS {
            while let Some(turn) = self.schedule.turn() {
                self.interrupted = self.interrupted || hire.interrupted();
                if self.interrupted {
                    return;
                }
                self.progress(turn, observer);
                self.visit(turn, hire, observer);
            }
            if look == DOUBLINGS {
                return;
            }
            // 1, 1 and 2 times the launches of the first look make 1, 2 and 4 times as many.
            let wanted: Vec<(usize, u32)> = (0..self.cases.len())
                .filter(|index| self.is_too_wide(&self.cases[*index]))
                .map(|index| (index, self.cases[index].launches << look))
                .collect();
            self.schedule.extend(&wanted);
        }
    }

    fn progress(&self, turn: Turn, observer: &mut dyn Observer) {
        observer.progress(&Progress {
            done: self.done,
            total: self.done + 1 + self.schedule.left(),
            faults: self.faults.len(),
            case: &self.cases[turn.case].case.id,
            launch: turn.launch,
            elapsed_ns: self.watch.now_ns().saturating_sub(self.started_ns),
        });
    }

    fn visit(&mut self, turn: Turn, hire: &mut dyn Hire, observer: &mut dyn Observer) {
        let reached = &self.cases[turn.case];
        let plan = plan(self.settings, reached, turn);
        let mut environment = Rng::new(Rng::new(plan.seed).derive(Chance::Environment as u64));
        let draw = Draw {
            environment_bytes: environment.below(PADDING) as u32,
        };
        let timeout_ns = reached.settings.timeout_ns;
        match attempt(hire, &plan, &draw, timeout_ns, self.watch) {
            Attempt::Interrupted => self.interrupted = true,
            Attempt::Visit(visit) => self.take(turn, *visit, observer),
            Attempt::Fault(failure) => self.note(turn, failure, observer),
        }
    }

    fn take(&mut self, turn: Turn, visit: Visit, observer: &mut dyn Observer) {
        self.done += 1;
        let reached = &mut self.cases[turn.case];
        if turn.length.is_none() {
            let cost = expected_cost(&visit, &self.rules.frequency);
            let needed = u32::try_from(self.rules.confidence.values_needed()).unwrap_or(u32::MAX);
            reached.launches = affordable(reached.settings, cost, needed);
            self.schedule
                .scouted(turn.case, visit.length, reached.launches - 1);
        }
        let line = Line::Visit(visit);
        observer.line(&line);
        if let Line::Visit(visit) = line {
            reached.visits.push(visit);
        }
    }

    fn note(&mut self, turn: Turn, failure: Failure, observer: &mut dyn Observer) {
        self.done += 1;
        self.schedule.failed(turn.case);
        let reached = &mut self.cases[turn.case];
        reached.failed += 1;
        let fault = Fault {
            case: reached.case.id.clone(),
            launch: turn.launch,
            kind: failure.kind,
            message: failure.message,
            place: failure.place,
            stderr: failure.stderr,
            unknown: Vec::new(),
        };
        observer.line(&Line::Fault(fault.clone()));
        self.faults.push(fault);
    }

    /// Whether a case that was asked for a precision has not reached it.
    fn is_too_wide(&self, reached: &Reached<'_>) -> bool {
        let Some(precision) = reached.settings.precision else {
            return false;
        };
        let results = self.results(reached);
        let time = results.iter().find(|result| result.metric == Metric::Time);
        time.is_some_and(|time| match (time.estimate, time.lower, time.upper) {
            (Ok(estimate), Some(lower), Some(upper)) => {
                (upper - lower) / 2.0 > precision * estimate.abs()
            }
            // Too few launches for an interval. What is below the resolution stays there.
            (Ok(_), _, _) => true,
            (Err(_), _, _) => false,
        })
    }

    fn results(&self, reached: &Reached<'_>) -> Vec<CaseResult> {
        estimate(
            &reached.case.id,
            &reached.visits,
            &reached.tally(),
            &self.rules,
        )
    }

    fn end(mut self, observer: &mut dyn Observer) -> Outcome {
        let clock_check = self.watch.check();
        if let (None, Some(check)) = (self.rules.frequency.error_ppm, clock_check) {
            // The clock's own word is missing: what the run saw bounds its error as well.
            self.rules.frequency.error_ppm = Some(check.deviation_ppm.abs() + check.bound_ppm);
        }
        let visits = || self.cases.iter().flat_map(|case| &case.visits);
        let nanos = |ticks: u64| self.rules.frequency.nanos(ticks);
        let visit_ticks = visits().map(|visit| visit.visit_ticks);
        let batch_ticks = visits().flat_map(|visit| &visit.batches.ticks).copied();
        let exit_code = match (self.interrupted, self.faults.is_empty()) {
            (true, _) => EXIT_INTERRUPTED,
            (false, false) => EXIT_FAILED,
            (false, true) => 0,
        };
        let end = End {
            wall_ns: self.watch.now_ns().saturating_sub(self.started_ns),
            visits_ns: nanos(visit_ticks.fold(0, u64::saturating_add)),
            batches_ns: nanos(batch_ticks.fold(0, u64::saturating_add)),
            visits: visits().count() as u64,
            faults: self.faults.len() as u64,
            interrupted: self.interrupted,
            clock_check,
            exit_code,
            unknown: Vec::new(),
        };
        let mut results = Vec::new();
        for reached in &self.cases {
            for result in self.results(reached) {
                let line = Line::Result(result);
                observer.line(&line);
                if let Line::Result(result) = line {
                    results.push(result);
                }
            }
        }
        observer.line(&Line::End(end.clone()));
        Outcome {
            results,
            faults: self.faults,
            end,
            interrupted: self.interrupted,
        }
    }
}

fn plan(settings: &Settings, reached: &Reached<'_>, turn: Turn) -> Plan {
    let of_case = Rng::new(settings.seed).derive(fnv1a(&reached.case.id));
    let own = reached.settings;
    Plan {
        case: reached.case.id.clone(),
        launch: turn.launch,
        seed: Rng::new(of_case).derive(u64::from(turn.launch)),
        clock: settings.clock.clone(),
        tick_hz: settings.frequency.hz(),
        budget_ns: own.visit_budget(reached.launches),
        batch_ns: own.batch_ns,
        min_iterations: own.min_iterations,
        window_items: settings.window_items,
        window_bytes: settings.window_bytes,
        length: turn.length,
    }
}

/// A number for a name, so that a case has the same seeds whichever cases are run beside it:
/// FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv).
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn names_become_the_published_numbers() {
        // Exact: test vectors of the draft, appendix C.
        assert_eq!(fnv1a(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_F739_67E8);
    }
}
