//! Several cases alive at once: each lives in the stack frame of its benchmark, and the innermost
//! one drives all of them.
//!
//! Which of them comes to life first, and so whose data lies where, is decided by chance: it is the
//! same for all batches of a process, and another one draws anew.

use std::ops::ControlFlow;

use tourbillon_clock::Clock;
use tourbillon_record::{Case, FaultKind, Frame, Plan, Rounds};
use tourbillon_stats::Rng;

use crate::alternate::{Candidate, Next, alternate};
use crate::heartbeat::Life;
use crate::randomize_layout::redrawn;
use crate::visit::fault;
use crate::{About, Arm, CaseOptions, Drive, Suite, Visitor};

/// The label of the random sequence that decides which case comes to life first.
const BIRTHS: u64 = 4;

/// Compares the case of `plan` with those that the plan names, and tells `send` what came of it:
/// signs of life, then the rounds or a fault. `next` is asked after each round.
///
/// A panic of a benchmark goes through to the caller.
// Inline: see `alternate`.
#[inline]
pub fn compare(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    next: &mut dyn FnMut(&Rounds) -> Next,
    send: &mut dyn FnMut(Frame),
) {
    let mut names = vec![plan.case.clone()];
    if let Some(against) = &plan.against {
        names.extend_from_slice(&against.cases);
    }
    let mut life = Life::new(plan, clock, send);
    let mut run = |candidates: &mut [Candidate<'_>]| {
        alternate(candidates, names.clone(), plan, clock, next, &mut || {
            life.shown(false);
        })
    };
    let outcome = gathered(suite, plan, &names, &mut run);
    send(outcome.frame(plan));
}

/// Brings all cases to life, in a random order, and has `run` measure them in theirs.
#[inline]
fn gathered(suite: &dyn Suite, plan: &Plan, names: &[String], run: Run<'_>) -> Outcome {
    let mut outcome = Outcome::UnknownCase;
    let mut wanted: Vec<(usize, &str)> = Vec::with_capacity(names.len());
    for (arm, name) in names.iter().enumerate() {
        wanted.push((arm, name));
    }
    Rng::new(Rng::new(plan.seed).derive(BIRTHS)).shuffle(&mut wanted);
    let mut rng = Rng::new(plan.seed);
    redrawn(&mut rng, &mut || {
        suite.visit(&mut Gathering {
            suite,
            wanted: &wanted,
            standing: &mut [],
            run: &mut *run,
            outcome: &mut outcome,
        });
    });
    outcome
}

impl Outcome {
    /// What the coordinator is told.
    #[inline]
    fn frame(self, plan: &Plan) -> Frame {
        match self {
            Outcome::Measured(rounds) => Frame::Rounds(rounds),
            Outcome::Failed(error) => fault(plan, FaultKind::Error, error),
            Outcome::NoTerminal => fault(plan, FaultKind::NoTerminal, String::new()),
            Outcome::UnknownCase => fault(plan, FaultKind::UnknownCase, String::new()),
        }
    }
}

/// What came of looking for the cases.
enum Outcome {
    UnknownCase,
    NoTerminal,
    Failed(String),
    Measured(Box<Rounds>),
}

/// What is done with the arms when all are there.
type Run<'r> = &'r mut dyn FnMut(&mut [Candidate<'_>]) -> Result<Rounds, String>;

/// Looks for the first of the cases that are wanted, while those before it are standing.
struct Gathering<'g, 'a> {
    suite: &'g dyn Suite,
    /// Numbers of arms, and the identities of their cases.
    wanted: &'g [(usize, &'g str)],
    standing: &'g mut [(usize, Candidate<'a>)],
    run: Run<'g>,
    outcome: &'g mut Outcome,
}

impl Visitor for Gathering<'_, '_> {
    #[inline]
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        let Some(((arm, id), rest)) = self.wanted.split_first() else {
            return ControlFlow::Break(());
        };
        if case.id != *id {
            return ControlFlow::Continue(());
        }
        *self.outcome = Outcome::NoTerminal;
        let returned = body(&mut Newborn {
            arm: *arm,
            gathering: Gathering {
                suite: self.suite,
                wanted: rest,
                standing: &mut *self.standing,
                run: &mut *self.run,
                outcome: &mut *self.outcome,
            },
        });
        if let Err(error) = returned {
            *self.outcome = Outcome::Failed(error);
        }
        ControlFlow::Break(())
    }
}

/// Takes the arm of a case that was found.
struct Newborn<'g, 'a> {
    /// Its number.
    arm: usize,
    gathering: Gathering<'g, 'a>,
}

impl Drive for Newborn<'_, '_> {
    /// The arm stands until this returns; meanwhile the next case is looked for.
    #[inline]
    fn drive(&mut self, arm: &mut dyn Arm, about: About) {
        let gathering = &mut self.gathering;
        let mut standing: Vec<(usize, Candidate<'_>)> =
            Vec::with_capacity(gathering.standing.len() + 1);
        for (number, candidate) in &mut *gathering.standing {
            let arm = &mut *candidate.arm;
            let about = candidate.about;
            standing.push((*number, Candidate { arm, about }));
        }
        standing.push((self.arm, Candidate { arm, about }));
        if gathering.wanted.is_empty() {
            standing.sort_unstable_by_key(|(number, _)| *number);
            let mut candidates: Vec<Candidate<'_>> = Vec::with_capacity(standing.len());
            for (_, candidate) in standing {
                candidates.push(candidate);
            }
            *gathering.outcome = match (gathering.run)(&mut candidates) {
                Ok(rounds) => Outcome::Measured(Box::new(rounds)),
                Err(error) => Outcome::Failed(error),
            };
            return;
        }
        *gathering.outcome = Outcome::UnknownCase;
        gathering.suite.visit(&mut Gathering {
            suite: gathering.suite,
            wanted: gathering.wanted,
            standing: &mut standing,
            run: &mut *gathering.run,
            outcome: &mut *gathering.outcome,
        });
    }
}
