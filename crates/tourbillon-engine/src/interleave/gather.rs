//! Several cases alive at once: each lives in the stack frame of its benchmark, and the innermost
//! one runs all of them.

use std::ops::ControlFlow;

use tourbillon_record::{Case, Rounds};

use super::prepare::Candidate;
use crate::arm::{About, Arm, CaseOptions, Drive, Suite, Visitor};
use crate::find::Trouble;

/// Measures the arms when all are alive.
pub(super) type Run<'r> = &'r mut dyn FnMut(&mut [Candidate<'_>]) -> Result<Rounds, String>;

/// Brings cases to life in this order, and has `run` measure them in the order of their numbers.
pub(super) fn gather(
    suite: &dyn Suite,
    wanted: &[(usize, &str)],
    run: Run<'_>,
) -> Result<Box<Rounds>, Trouble> {
    let mut outcome = Err(Trouble::UnknownCase);
    suite.visit(&mut Gathering {
        suite,
        wanted,
        alive: &mut [],
        run,
        outcome: &mut outcome,
    });
    outcome
}

/// Looks for the first of the wanted cases, while those before it are alive.
struct Gathering<'g, 'a> {
    suite: &'g dyn Suite,
    /// Numbers of arms, and the identities of their cases.
    wanted: &'g [(usize, &'g str)],
    alive: &'g mut [(usize, Candidate<'a>)],
    run: Run<'g>,
    outcome: &'g mut Result<Box<Rounds>, Trouble>,
}

impl Visitor for Gathering<'_, '_> {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        let Some((_, id)) = self.wanted.first() else {
            return ControlFlow::Break(());
        };
        if case.id != *id {
            return ControlFlow::Continue(());
        }
        *self.outcome = Err(Trouble::NoTerminal);
        if let Err(error) = body(self) {
            *self.outcome = Err(Trouble::Failed(error));
        }
        ControlFlow::Break(())
    }
}

impl Drive for Gathering<'_, '_> {
    /// The arm is alive until this returns; meanwhile the next case is looked for.
    fn drive(&mut self, arm: &mut dyn Arm, about: About) {
        let Some(((number, _), wanted)) = self.wanted.split_first() else {
            return;
        };
        let mut alive: Vec<(usize, Candidate<'_>)> = Vec::with_capacity(self.alive.len() + 1);
        for (number, Candidate { arm, about }) in &mut *self.alive {
            let about = *about;
            alive.push((
                *number,
                Candidate {
                    arm: &mut **arm,
                    about,
                },
            ));
        }
        alive.push((*number, Candidate { arm, about }));
        if wanted.is_empty() {
            alive.sort_unstable_by_key(|(number, _)| *number);
            let candidates = alive.into_iter().map(|(_, candidate)| candidate);
            let mut candidates: Vec<Candidate<'_>> = candidates.collect();
            let rounds = (self.run)(&mut candidates);
            *self.outcome = rounds.map(Box::new).map_err(Trouble::Failed);
            return;
        }
        *self.outcome = Err(Trouble::UnknownCase);
        self.suite.visit(&mut Gathering {
            suite: self.suite,
            wanted,
            alive: &mut alive,
            run: &mut *self.run,
            outcome: &mut *self.outcome,
        });
    }
}
